"""Answers about a long text, whose tokens attend to the parts of it that matter most.

Start `PORTCULLIS_ENGINE_SPARSE_ATTENTION_TOKENS=256 portcullis serve` and run this; then start `portcullis serve`, and
run it again: that answer attends to the whole text. It is the same here, but comes slower.
"""

import argparse
import time

import openai

PRICES = "\n".join(f"The lamp number {number} costs {number * 7 % 90 + 10} euros." for number in range(1, 41))
MESSAGES = [{"role": "system", "content": PRICES}, {"role": "user", "content": "What does the lamp number 12 cost?"}]


def ask(client: openai.OpenAI, model: str) -> None:
    """Print a short answer, and how fast a long one is written."""
    client.chat.completions.create(model=model, messages=MESSAGES, max_tokens=1)  # reads the text
    short = client.chat.completions.create(model=model, messages=MESSAGES, temperature=0, max_tokens=20)
    print(short.choices[0].message.content)
    start = time.perf_counter()
    options = {"max_tokens": 200, "temperature": 0, "extra_body": {"ignore_eos": True}}
    written = client.chat.completions.create(model=model, messages=MESSAGES, **options).usage.completion_tokens
    print(f"{written} tokens, {written / (time.perf_counter() - start):.0f} a second")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="portcullis")
    parser.add_argument("--base-url", default="http://127.0.0.1:8000/v1")
    options = parser.parse_args()
    ask(openai.OpenAI(base_url=options.base_url, api_key="none"), options.model)
