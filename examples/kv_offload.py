"""A long prompt that is read once, even if the server is started anew.

Start `PORTCULLIS_ENGINE_KV_OFFLOAD_BYTES=268435456 PORTCULLIS_ENGINE_KV_OFFLOAD_FILE=pages portcullis serve`, run this,
end the server in any way, start it again, and run this again: the prompt's keys and values come from the file.
"""

import argparse
import time

import openai

PRICES = "\n".join(f"The lamp number {number} costs {number * 7 % 90 + 10} euros." for number in range(1, 41))
QUESTION = "What does the lamp number 12 cost?"


def ask(client: openai.OpenAI, model: str) -> None:
    """Print the answer, how much of its prompt was cached, and when it began."""
    messages = [{"role": "system", "content": PRICES}, {"role": "user", "content": QUESTION}]
    start, began, answer = time.perf_counter(), 0.0, ""
    options = {"temperature": 0, "max_tokens": 20, "stream": True, "stream_options": {"include_usage": True}}
    for chunk in client.chat.completions.create(model=model, messages=messages, **options):
        began = began or time.perf_counter() - start
        answer += "".join(choice.delta.content or "" for choice in chunk.choices)
        usage = chunk.usage
    print(answer)
    print(f"{usage.prompt_tokens_details.cached_tokens} of {usage.prompt_tokens} tokens cached, {began:.3f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for option, default in (("--base-url", "http://127.0.0.1:8000/v1"), ("--model", "portcullis")):
        parser.add_argument(option, default=default)
    given = parser.parse_args()
    ask(openai.OpenAI(base_url=given.base_url, api_key="none"), given.model)
