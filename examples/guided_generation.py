"""Text held to a regular expression, to a list of choices, or to both one after the other.

Start `portcullis serve`, then run this. The constraint goes into `structured_outputs`, as with vLLM.
"""

import argparse
import re

import openai

PHONE = r"\+[1-9][0-9]{1,2} [0-9]{2,4} [0-9]{4,8}"
LABELS = ["billing", "shipping", "technical", "refund"]


class Guided:
    """Short answers from one model, each held to a shape."""

    def __init__(self, client: openai.OpenAI, model: str) -> None:
        self._client = client
        self._model = model

    def matching(self, pattern: str, prompt: str) -> str:
        """An answer that the whole pattern matches."""
        return self._ask(prompt, {"regex": pattern})

    def one_of(self, choices: list[str], prompt: str) -> str:
        """The choice that fits best."""
        return self._ask(prompt, {"choice": choices})

    def _ask(self, prompt: str, shape: dict[str, object]) -> str:
        reply = self._client.chat.completions.create(
            model=self._model,
            messages=[{"role": "user", "content": prompt}],
            temperature=0,
            max_tokens=40,
            extra_body={"structured_outputs": shape},
        )
        return reply.choices[0].message.content or ""


def main() -> None:
    """Print an answer of each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="http://127.0.0.1:8000/v1")
    parser.add_argument("--model", default="portcullis")
    arguments = parser.parse_args()
    guided = Guided(openai.OpenAI(base_url=arguments.base_url, api_key="none"), arguments.model)

    ticket = "I was charged twice for a blue lamp. Call me at +41 44 6681800."
    label = guided.one_of(LABELS, f"Choose one label: {', '.join(LABELS)}.\nText: {ticket}")
    phone = guided.matching(PHONE, f"Which phone number is in the text?\nText: {ticket}")
    assert label in LABELS
    assert re.fullmatch(PHONE, phone)
    print(f"label  {label}")
    print(f"phone  {phone}")


if __name__ == "__main__":
    main()
