"""Server for the process that starts it alone.

    python -P -m gateway.commands.private_server FOLDER [CONFIG]

It listens on this machine alone, lets in one key that it makes, and reads no variable of the environment: a file of
settings says what is not as usual. What it says is one line of JSON, `{"url": "...", "key": "..."}` once it serves, or
`{"error": "..."}`, and then it ends. It ends with its input.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import sys
from dataclasses import replace
from threading import Thread

from gateway.commands.serve import serve
from gateway.config import load_config
from gateway.errors import GatewayError

NAME = "guard"
"""Of the model, on the wire."""


def main(folder: str, config_file: str | None = None) -> int:
    """Serve the model of a folder."""
    key = secrets.token_urlsafe()
    flags = {"model.path": folder, "model.name": NAME, "server.host": "127.0.0.1", "server.port": 0}
    try:
        config = load_config(config_file, environment={}, flags=flags)
        config = replace(config, server=replace(config.server, api_keys=(key,)))
        if config.process.mode == "auto":
            config = replace(config, process=replace(config.process, mode="thread"))
        Thread(target=_end_with_input, daemon=True).start()
        return serve(config, lambda stage: None, "warning", lambda url: _say({"url": url, "key": key}))
    except GatewayError as error:
        _say({"error": error.message})
        return 1


def _say(told: dict[str, str]) -> None:
    print(json.dumps(told), flush=True)


def _end_with_input() -> None:
    while sys.stdin.buffer.read(1 << 16):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
