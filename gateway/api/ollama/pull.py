"""`POST /api/pull`: a model of the hub becomes one of the server's, to be loaded on demand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace

from gateway.api.http.sse import encode_line
from gateway.api.ollama.responses import PullStep
from gateway.config import ModelConfig
from gateway.errors import ModelNotFoundError
from gateway.service.model.hub import Step, download, repository_of
from gateway.service.model_pool import ModelPool


def is_served(pool: ModelPool, name: str) -> bool:
    """True if the server has a model of this very name."""
    try:
        entry = pool.find(name)
    except ModelNotFoundError:
        return False
    return name.removesuffix(":latest") in entry.served.names or name in entry.served.names


async def pulled(pool: ModelPool, name: str) -> AsyncGenerator[PullStep, None]:
    """Yield the steps of a download; after the last one the model is served. It goes on when its client leaves.

    Raises:
        InvalidRequestError: The name is none of the hub.
        ModelLoadError: The hub does not give the model, or it cannot be served; says why.
    """
    yield PullStep(status="pulling manifest")
    if not is_served(pool, name):
        repo, file = repository_of(name)
        steps: asyncio.Queue[Step | None] = asyncio.Queue()
        task = asyncio.create_task(_add(pool, name.removesuffix(":latest"), repo, file, steps))
        pool.tasks.add(task)
        task.add_done_callback(pool.tasks.discard)
        while (step := await steps.get()) is not None:
            status = f"pulling {step.file}"
            yield PullStep(status=status, digest=step.file, total=step.total, completed=step.completed)
        await task
    yield PullStep(status="success")


async def _add(pool: ModelPool, name: str, repo: str, file: str | None, steps: asyncio.Queue[Step | None]) -> None:
    """Download a model, one at a time, and add it."""
    loop = asyncio.get_running_loop()

    def tell(step: Step) -> None:
        loop.call_soon_threadsafe(steps.put_nowait, step)

    try:
        async with pool.pulling:
            path = await asyncio.to_thread(download, repo, file, tell)
            if not is_served(pool, name):
                model = ModelConfig(path=path, name=name, on_demand=True)
                await asyncio.to_thread(pool.add, replace(pool.config, model=model, models=()))
    finally:
        steps.put_nowait(None)


async def lines_of(steps: AsyncGenerator[PullStep, None]) -> AsyncGenerator[bytes, None]:
    """Yield each step as a line of JSON."""
    async for step in steps:
        yield encode_line(step) + b"\n"
