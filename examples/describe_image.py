"""A record of what is in an image, by a model that reads images.

Start `portcullis serve --model FOLDER` with a folder of a model that reads images, such as SmolVLM-256M-Instruct, then
run this with the path of a PNG, JPEG, WebP or GIF file. The record fits the schema, as for texts.
"""

import argparse
import base64
import json
import mimetypes
from pathlib import Path

import openai

SCHEMA = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "maxLength": 40},
        "kind": {"enum": ["photo", "drawing", "document", "chart"]},
    },
    "required": ["title", "kind"],
    "additionalProperties": False,
}


def main() -> None:
    """Print the record, and the tokens that question and image take."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="http://127.0.0.1:8000/v1")
    parser.add_argument("--model", default="portcullis")
    parser.add_argument("image", type=Path)
    arguments = parser.parse_args()

    data = base64.b64encode(arguments.image.read_bytes()).decode()
    url = f"data:{mimetypes.guess_type(arguments.image)[0]};base64,{data}"
    client = openai.OpenAI(base_url=arguments.base_url, api_key="none")
    reply = client.chat.completions.create(
        model=arguments.model,
        messages=[
            {
                "role": "user",
                "content": [
                    {"type": "image_url", "image_url": {"url": url}},
                    {"type": "text", "text": "What is in this image?"},
                ],
            }
        ],
        response_format={"type": "json_schema", "json_schema": {"name": "image", "schema": SCHEMA, "strict": True}},
        temperature=0,
        max_tokens=100,
    )
    print(json.loads(reply.choices[0].message.content or ""))
    assert reply.usage is not None
    print(reply.usage.prompt_tokens, "tokens of prompt")


if __name__ == "__main__":
    main()
