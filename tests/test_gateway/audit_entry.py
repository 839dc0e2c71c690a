"""Servers to be killed, over an engine that is no model: all is loaded once, and each line of input forks one that
serves on a free port with an audit log, and is waited for."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import replace
from typing import Any

from gateway.api.fallback import respond
from gateway.api.http.connection import bounded_by
from gateway.app import create_app
from gateway.audit import opened
from gateway.config import AuditConfig, Config, EngineConfig, ModelConfig
from gateway.engine import TokenEvent
from gateway.service import Service
from gateway.service.model.loaded import LoadedModel
from gateway.service.shared import Shared

NUM_TOKENS = 5


class Engine:
    """Writes the same tokens for everyone."""

    trouble = ""
    is_given_up = False

    def __init__(self, token: int) -> None:
        self._token = token

    async def batches(self, request: Any, tick_s: float | None = None) -> Any:
        for _ in range(NUM_TOKENS):
            await asyncio.sleep(0.0005)
            yield [TokenEvent(request.request_id, [self._token])]
        yield [TokenEvent(request.request_id, [], finish_reason="stop")]

    def close(self) -> None:
        """There is nothing to end."""


def serve(loaded: LoadedModel, settings: AuditConfig) -> None:
    import uvicorn

    app = create_app(Service(replace(loaded, engine=Engine(300)), Shared(loaded.config, audit=opened(settings))))  # type: ignore[arg-type]
    server = uvicorn.Server(
        uvicorn.Config(app, port=0, log_level="warning", http=bounded_by(loaded.config.server, respond), ws="none")
    )

    async def run() -> None:
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.001)
        print(os.getpid(), server.servers[0].sockets[0].getsockname()[1], flush=True)
        await serving

    asyncio.run(run())


def main() -> None:
    model, settings = sys.argv[1], AuditConfig(**json.loads(sys.argv[2]))
    config = Config(model=ModelConfig(path=model), engine=EngineConfig(num_threads=1, kv_memory_bytes=1 << 24))
    loaded = LoadedModel.load(config, lambda stage: None)
    loaded.engine.close()
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            serve(loaded, settings)
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
