"""Lifespan of the whole server under any ASGI server: settings are read, the model is loaded, answers end in time."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from gateway.config import Config, load_config
from gateway.hosting.process import set_up_process, settle_memory, share_one_heap
from gateway.hosting.reloading import Reloading
from gateway.hosting.running import TICK_S, RunningService
from gateway.service.model_pool import ModelPool

logger = logging.getLogger(__name__)


def hosted_config() -> Config:
    """Return the settings of the environment and of the file that it names, for a server.

    Raises:
        ConfigError: One of them is unknown or has a value that is not allowed.
    """
    return load_config().with_engine_process()


@asynccontextmanager
async def running_service(config: Config) -> AsyncIterator[RunningService]:
    """Load the service, tick while the context lasts, then finish the answers under way and close it.

    SIGHUP has keys and policies read again, where the event loop runs in the main thread. An engine that died for good
    ends the process by SIGTERM, as its supervisor would.

    Raises:
        GatewayError: A model cannot be loaded; says why.
    """
    set_up_process()
    share_one_heap()
    gc.disable()
    try:
        pool = await asyncio.to_thread(ModelPool.load, config)
    finally:
        settle_memory()
    try:
        reloading = Reloading(config, hosted_config, logger.info)
        with suppress(RuntimeError, ValueError):  # a loop outside of the main thread
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, reloading.ask)
        running = RunningService(pool, reloading, logger.info)
        with running.watch():
            ticking = asyncio.create_task(_tick(running))
            yield running
            ticking.cancel()
            running.begin_drain()
            while not await running.tick():
                await asyncio.sleep(TICK_S)
    finally:
        await asyncio.to_thread(pool.close)


async def _tick(running: RunningService) -> None:
    try:
        while not await running.tick():
            await asyncio.sleep(TICK_S)
    except Exception:
        logger.exception("the server cannot go on")
    os.kill(os.getpid(), signal.SIGTERM)
