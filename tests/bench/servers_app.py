"""The app over an engine that answers at once, for servers to serve; or, as a command, our own server of it."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

from bench_sse import script_of
from scripted_engine import ScriptedEngine

from gateway.api.fallback import respond
from gateway.api.http.connection import bounded_by
from gateway.app import create_app
from gateway.config import Config, ServerConfig
from gateway.service import Service
from gateway.service.model.loaded import LoadedModel

NUM_TOKENS = 200
BOUNDS = ServerConfig(headers_timeout_s=2, body_timeout_s=3, keep_alive_timeout_s=4, max_connections=100)


def create() -> Any:
    """The app."""
    loaded = LoadedModel.load(Config(), lambda text: None)
    loaded.engine.close()
    engine = ScriptedEngine(loaded.engine, script_of(loaded.tokenizer, NUM_TOKENS)).start()
    return create_app(Service(replace(loaded, engine=engine)))


if __name__ == "__main__":
    import uvicorn

    bounds = {"http": bounded_by(BOUNDS, respond), "ws": "none"} if sys.argv[2] == "ours" else {"http": "httptools"}
    uvicorn.run(create(), port=int(sys.argv[1]), log_level="warning", loop="uvloop", server_header=False, **bounds)
