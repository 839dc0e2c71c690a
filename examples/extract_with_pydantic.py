"""A record out of prose, as a pydantic object, through the OpenAI client's `parse`.

Start `portcullis serve`, then run this. `parse` sends the model's JSON schema; the answer satisfies it, dates, bounds
and patterns included, so validation by pydantic cannot fail.
"""

import argparse
import json
from datetime import date
from typing import Literal

import openai
from pydantic import BaseModel, ConfigDict, Field


class Invoice(BaseModel):
    """Fields to extract from the text."""

    model_config = ConfigDict(extra="forbid")

    number: str = Field(pattern="^[A-Z]{2}-[0-9]{2,6}$")
    customer: str = Field(min_length=1, max_length=40)
    total: float = Field(ge=0, le=1_000_000)
    currency: Literal["EUR", "USD", "CHF"]
    due_date: date


TEXT = "Invoice KX-4711 came in for Meyer Logistics over a total of 1290.5 in CHF due on 2026-03-14."


def extract(client: openai.OpenAI, model: str, text: str) -> Invoice:
    """The invoice that the text tells of."""
    schema = json.dumps(Invoice.model_json_schema())
    reply = client.chat.completions.parse(
        model=model,
        messages=[
            # The mask holds the answer in the schema; telling the model as well makes what it writes better.
            {"role": "system", "content": f"Extract the data as JSON with this schema: {schema}"},
            {"role": "user", "content": text},
        ],
        response_format=Invoice,
        temperature=0,
        max_tokens=200,
    )
    invoice = reply.choices[0].message.parsed
    if invoice is None:
        raise SystemExit("the model refused to answer")
    return invoice


def main() -> None:
    """Extract one invoice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", nargs="?", default=TEXT)
    parser.add_argument("--base-url", default="http://127.0.0.1:8000/v1")
    parser.add_argument("--model", default="portcullis")
    arguments = parser.parse_args()

    client = openai.OpenAI(base_url=arguments.base_url, api_key="none")
    invoice = extract(client, arguments.model, arguments.text)
    for name, value in invoice:
        print(f"{name:9} {value}")


if __name__ == "__main__":
    main()
