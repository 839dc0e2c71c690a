"""A live server, on a real socket, in a thread of the test's own process."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import openai

from gateway.config import Config, EngineConfig, ModelConfig, ServerConfig
from gateway.hosting.loop_watch import LoopStall, LoopWatch

HELD: list[LoopStall] = []
"""What held the event loop of a server in this process."""


class Live:
    """A running server and the ways to it."""

    def __init__(self, url: str, pool: object) -> None:
        self.url = url
        self.pool = pool
        self.client = openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0, timeout=60)
        self.http = httpx.Client(base_url=url, timeout=60)

    @property
    def service(self) -> object:
        """The service of the first loaded model."""
        return self.pool.services[0]

    def post(self, path: str, **kwargs: object) -> httpx.Response:
        return self.http.post(path, **kwargs)

    def get(self, path: str, **kwargs: object) -> httpx.Response:
        return self.http.get(path, **kwargs)

    def close(self) -> None:
        self.client.close()
        self.http.close()

    def is_idle(self) -> bool:
        """Nothing runs in the engine."""
        stats = self.service._loaded.engine.stats()
        return stats.num_running == stats.num_waiting == 0

    def wait_until_idle(self, seconds: float = 20.0) -> None:
        end = time.monotonic() + seconds
        while not self.is_idle():
            assert time.monotonic() < end, "the engine is still busy"
            time.sleep(0.01)


@contextmanager
def serving(config: Config, tracer: object | None = None) -> Iterator[Live]:
    """A server in a thread, on a free port."""
    import uvicorn

    from gateway.api.fallback import respond
    from gateway.api.http.connection import bounded_by
    from gateway.app import create_app
    from gateway.service.model_pool import ModelPool

    class WatchedServer(uvicorn.Server):
        async def main_loop(self) -> None:
            with LoopWatch(asyncio.get_running_loop(), HELD.append):
                await super().main_loop()

    pool = ModelPool.load(config)
    app, bounded = create_app(pool, is_local=True, tracer=tracer), bounded_by(config.server, respond)
    sockets = {"ws": "websockets-sansio", "ws_max_size": config.limits.max_body_bytes}
    server = WatchedServer(uvicorn.Config(app, port=0, log_level="warning", lifespan="on", http=bounded, **sockets))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        live = Live(f"http://127.0.0.1:{port}", pool)
        yield live
        live.close()
    finally:
        server.should_exit = True
        thread.join(20)
        pool.close()


def config_for(path: Path | str | None, **sections: object) -> Config:
    config = Config(
        server=ServerConfig(port=0),
        model=ModelConfig(
            path=None if path is None else str(path), name="test-model", aliases=("gpt-test", "org/name")
        ),
        engine=EngineConfig(num_threads=1, kv_memory_bytes=64 * 1024 * 1024, dtype="float32"),
    )
    return replace(config, **sections)
