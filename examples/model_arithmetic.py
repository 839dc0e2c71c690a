"""Two answers by a formula: what a text says beyond what is known, and what two models find together.

Start `portcullis serve`, then run this. Each token is chosen by a formula of several scores, under the schema as ever.
First the second prompt has the text that is known, and the formula goes away from it. Then the second scores are those
of the draft model, and the formula takes the mean of both models.
"""

import argparse

import openai

PLACE = {"city": {"type": "string", "maxLength": 20}}
ORDER = {"name": {"type": "string", "maxLength": 20}, **PLACE, "count": {"type": "integer"}}
TEXT, KNOWN = "The lamp was sent from Oslo to Lima in March.", "The lamp was sent from Oslo in March."
ORDERED = "Anna Berg ordered 2 lamps from Oslo."


def messages(text: str, question: str = "Which city is in the text?") -> list[dict[str, str]]:
    """The question about a text."""
    return [{"role": "user", "content": f"{question}\nText: {text}"}]


def record(
    client: openai.OpenAI, asked: list[dict[str, str]], fields: dict[str, object], arithmetic: object = None
) -> str:
    """The record of a text with these fields, by the arithmetic."""
    schema = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    reply = client.chat.completions.create(
        model="portcullis",
        messages=asked,
        response_format={"type": "json_schema", "json_schema": {"name": "record", "schema": schema, "strict": True}},
        temperature=0,
        max_tokens=60,
        extra_body={} if arithmetic is None else {"logit_arithmetic": arithmetic},
    )
    return reply.choices[0].message.content or ""


def main() -> None:
    """Print the record of a text alone and of what is new in it; then that of each of two models, and of both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="http://127.0.0.1:8000/v1")
    away = {"formula": "2 * base - known", "terms": {"known": {"messages": messages(KNOWN)}}}
    order = messages(ORDERED, "Extract the fields.")

    with openai.OpenAI(base_url=parser.parse_args().base_url, api_key="none") as client:
        print("alone ", record(client, messages(TEXT), PLACE))
        print("away  ", record(client, messages(TEXT), PLACE, away))
        print("base  ", record(client, order, ORDER))
        print("draft ", record(client, order, ORDER, {"formula": "draft"}))
        print("both  ", record(client, order, ORDER, {"formula": "0.5 * base + 0.5 * draft"}))


if __name__ == "__main__":
    main()
