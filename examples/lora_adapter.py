"""One answer of a model and one of a LoRA adapter of it, both at the same time, and the adapter's life on the server.

Start `portcullis serve` with `PORTCULLIS_MODEL_ADAPTER_FOLDER=./adapters`, then run this with `--adapter` and the name
of a folder in there, as PEFT writes it. Adapters that are always needed are named by `portcullis serve --adapter`.
"""

import argparse
import json
from concurrent.futures import ThreadPoolExecutor

import httpx
import openai

SCHEMA = {"type": "object", "properties": {"city": {"type": "string", "maxLength": 20}}, "required": ["city"]}
QUESTION = "Which city is in the text?\nText: The lamp was sent to Lima in March."


def ask(client: openai.OpenAI, model: str) -> dict[str, str]:
    """A record that fits the schema, by a model or an adapter."""
    reply = client.chat.completions.create(
        model=model,
        messages=[{"role": "user", "content": QUESTION}],
        response_format={"type": "json_schema", "json_schema": {"name": "place", "schema": SCHEMA, "strict": True}},
        temperature=0,
        max_tokens=60,
    )
    return json.loads(reply.choices[0].message.content or "")


def main() -> None:
    """Load the adapter, compare, and unload it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="http://127.0.0.1:8000/v1")
    parser.add_argument("--adapter", required=True)
    arguments = parser.parse_args()
    client = openai.OpenAI(base_url=arguments.base_url, api_key="none")
    with httpx.Client(base_url=arguments.base_url, timeout=60) as http:
        body = {"lora_name": "mine", "lora_path": arguments.adapter}
        print(http.post("/load_lora_adapter", json=body).raise_for_status().text)
        (adapter,) = [each for each in client.models.list() if each.id == "mine"]
        names = [adapter.to_dict()["parent"], adapter.id]
        with ThreadPoolExecutor() as threads:
            for name, answer in zip(names, threads.map(lambda name: ask(client, name), names), strict=True):
                print(f"{name:10} {answer}")
        print(http.post("/unload_lora_adapter", json={"lora_name": "mine"}).raise_for_status().text)


if __name__ == "__main__":
    main()
