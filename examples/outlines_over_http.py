"""Types of outlines held by the gateway: outlines' own model of a vLLM server sends them as a schema or a pattern.

Start `portcullis serve`, then run this. What comes back is verified, so it is read without a second thought.
"""

import argparse
from typing import Any

import openai
import outlines
from outlines.types import Regex, either
from pydantic import BaseModel, Field


class Order(BaseModel):
    """Fields to extract from the text."""

    item: str = Field(min_length=1, max_length=30)
    quantity: int = Field(ge=1, le=99)


COLOR = either("white", "red", "blue")
PHONE = "+" + Regex("[1-9]").exactly(2) + Regex(" [0-9]{2,4}").exactly(3)
TEXT = "Please send 12 blue lamps to us this week, and call +41 44 668 1800 when they leave."


def main() -> None:
    """Three answers, each of a type."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="http://127.0.0.1:8000/v1")
    parser.add_argument("--model", default="portcullis")
    arguments = parser.parse_args()
    model = outlines.from_vllm(openai.OpenAI(base_url=arguments.base_url, api_key="none"), arguments.model)

    def ask(question: str, kind: Any) -> str:
        return str(model(f"{question}\nText: {TEXT}", kind, temperature=0, max_tokens=100))

    print(f"order    {Order.model_validate_json(ask('Extract item, quantity as JSON.', Order))}")
    print(f"color    {ask('What color is it?', COLOR)}")
    print(f"phone    {ask('Which phone number is in the text?', PHONE)}")


if __name__ == "__main__":
    main()
