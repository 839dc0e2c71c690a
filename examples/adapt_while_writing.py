"""A long answer that trains a temporary adapter of the model while it is written, beside one that does not.

Start `PORTCULLIS_ENGINE_MAX_ADAPTATIONS=1 portcullis serve`, then run this. After every 32 tokens of the answer a LoRA
adapter learns what was written; the rest is computed with it, and it is dropped at the end.
"""

import argparse
import time

import openai

TEXT = "The lamp stands on the desk. The desk stands in the hall. The hall"
ADAPT = {"adapt_every_tokens": 32, "adapt_rank": 8, "adapt_learning_rate": 0.002}


def write(client: openai.OpenAI, model: str, max_tokens: int, fields: dict[str, float]) -> str:
    """Return the continuation of the text, always the same for the same fields."""
    reply = client.completions.create(
        model=model,
        prompt=TEXT,
        max_tokens=max_tokens,
        temperature=0.8,
        seed=7,
        extra_body={"ignore_eos": True, **fields},
    )
    return reply.choices[0].text


def main() -> None:
    """Print where the two answers part, and how long each took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="http://127.0.0.1:8000/v1")
    parser.add_argument("--model", default="portcullis")
    parser.add_argument("--max-tokens", type=int, default=160)
    arguments = parser.parse_args()

    client = openai.OpenAI(base_url=arguments.base_url, api_key="none")
    texts = []
    for name, fields in (("as it is", {}), ("adapted", ADAPT)):
        begun = time.perf_counter()
        texts.append(write(client, arguments.model, arguments.max_tokens, fields))
        print(f"{name:9} {time.perf_counter() - begun:5.1f} s  ...{texts[-1][-60:]!r}")
    same = next((i for i, (one, other) in enumerate(zip(*texts, strict=False)) if one != other), len(texts[0]))
    print(f"the first {same} characters are the same")


if __name__ == "__main__":
    main()
