"""What a text says beyond what is known: one reading of it, away from that of another text.

Start `portcullis serve`, then run this. Each token is chosen by a formula of the scores of several prompts, under the
schema as ever. Here the second prompt has the text that is known, and the formula goes away from it.
"""

import argparse

import openai

SCHEMA = {"type": "object", "properties": {"city": {"type": "string", "maxLength": 20}}, "required": ["city"]}
TEXT, KNOWN = "The lamp was sent from Oslo to Lima in March.", "The lamp was sent from Oslo in March."


def messages(text: str) -> list[dict[str, str]]:
    """The question about a text."""
    return [{"role": "user", "content": f"Which city is in the text?\nText: {text}"}]


def record(client: openai.OpenAI, **fields: object) -> str:
    """The record of the text, with further fields of the request."""
    reply = client.chat.completions.create(
        model="portcullis",
        messages=messages(TEXT),
        response_format={"type": "json_schema", "json_schema": {"name": "place", "schema": SCHEMA, "strict": True}},
        temperature=0,
        max_tokens=60,
        extra_body=fields,
    )
    return reply.choices[0].message.content or ""


def main() -> None:
    """Print the record of the text alone, and that of what is new in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="http://127.0.0.1:8000/v1")
    asked = parser.parse_args()
    away = {"formula": "2 * base - known", "terms": {"known": {"messages": messages(KNOWN)}}}

    with openai.OpenAI(base_url=asked.base_url, api_key="none") as client:
        print("alone ", record(client))
        print("away  ", record(client, logit_arithmetic=away))


if __name__ == "__main__":
    main()
