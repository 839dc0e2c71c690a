"""Two chats at a time over one WebSocket, one of which is cancelled. Start `portcullis serve`, then run this."""

import argparse
import asyncio
import json

from websockets.asyncio.client import connect

CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def request(name: str, text: str, **more: object) -> str:
    """Return the message that begins a request: its body is that of `POST /v1/chat/completions`."""
    body = {"messages": [{"role": "user", "content": text}], "stream": True, "temperature": 0, **more}
    return json.dumps({"type": "request", "id": name, "body": body})


async def chat(url: str) -> dict[str, str]:
    """Return the text of each request, and how it ended."""
    texts = {"record": "", "long": ""}
    async with connect(url, subprotocols=["portcullis"]) as socket:
        form = {"type": "json_schema", "json_schema": {"name": "city", "schema": CITY}}
        await socket.send(request("record", "Extract the data: it rains in Lima.", response_format=form))
        await socket.send(request("long", "Count.", max_tokens=1500, ignore_eos=True))
        running = set(texts)
        while running:
            message = json.loads(await socket.recv())
            name = message["id"]
            if message["type"] == "chunk":
                for choice in message["body"]["choices"]:
                    texts[name] += choice["delta"].get("content") or ""
                if name == "long":
                    await socket.send(json.dumps({"type": "cancel", "id": "long"}))
            else:
                running.discard(name)
                texts[name] = f"{texts[name]} ({message['type']})" if name == "record" else f"({message['type']})"
    return texts


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="http://127.0.0.1:8000/v1")
    url = parser.parse_args().base_url.replace("http", "ws", 1) + "/chat/completions"
    for name, text in asyncio.run(chat(url)).items():
        print(f"{name}: {text}")


if __name__ == "__main__":
    main()
