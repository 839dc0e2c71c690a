"""The likeliest answers as wholes: beam search over everything that a schema allows.

Start `portcullis serve`, then run this. Sampling takes one token after the other; a beam search follows several
beginnings at a time, and returns the answers that are likeliest from their first to their last token.
"""

import argparse

import openai

SCHEMA = {
    "type": "object",
    "properties": {"city": {"enum": ["Lisbon", "London", "Rome"]}, "nights": {"type": "integer", "minimum": 1}},
    "required": ["city", "nights"],
    "additionalProperties": False,
}
TEXT = "A double room in Rome for three nights, please."


def readings(client: openai.OpenAI, model: str, text: str, n: int) -> list[str]:
    """The `n` likeliest records for a text, best first."""
    reply = client.chat.completions.create(
        model=model,
        messages=[{"role": "user", "content": text}],
        response_format={"type": "json_schema", "json_schema": {"name": "booking", "schema": SCHEMA}},
        n=n,
        max_tokens=40,
        extra_body={"use_beam_search": True, "num_beams": 2 * n},
    )
    return [choice.message.content or "" for choice in reply.choices]


def main() -> None:
    """Print what a text may mean."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", nargs="?", default=TEXT)
    parser.add_argument("--base-url", default="http://127.0.0.1:8000/v1")
    parser.add_argument("--model", default="portcullis")
    arguments = parser.parse_args()

    client = openai.OpenAI(base_url=arguments.base_url, api_key="none")
    print("\n".join(readings(client, arguments.model, arguments.text, n=3)))


if __name__ == "__main__":
    main()
