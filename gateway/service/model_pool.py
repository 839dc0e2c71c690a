"""The models of one server: loaded at the start or when first asked for, unloaded when idle."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from gateway.config import Config, ServerConfig
from gateway.core.model import PLACEHOLDERS, ServedModel
from gateway.engine import EngineStats
from gateway.engine.request import GAUGES
from gateway.errors import ConfigError, ModelNotFoundError, NotReadyError
from gateway.service.loading import describe, load_service
from gateway.service.model.description import Description
from gateway.service.model.engines import PLAIN_START, EngineStart
from gateway.service.model.loaded import Progress
from gateway.service.model.memory import resident_bytes
from gateway.service.model_service import ModelService
from gateway.service.shared import Shared, check_replaceable, read_configured
from grammars.process_memory import trim_heap

logger = logging.getLogger(__name__)

BASE_BYTES = 400 << 20
"""Memory of an engine's process without weights, keys and values, for models that were not loaded yet."""


@dataclass(slots=True, kw_only=True)
class Entry:
    """A model of the pool.

    Attributes:
        config: Settings of a server of this model alone.
        served: Names and size.
        description: For lists of models.
        service: Its service; None while it is not loaded.
        num_bytes: Memory that it takes when it is loaded: as measured then, or an estimate.
        num_in_use: Requests under way.
        unload_after_s: Idle time after which it is unloaded; None: never.
        last_use: Time (`time.monotonic`) at which its last request ended.
        loading: Task that loads it, if one does.
        has_room: Memory is set aside for it while it is being loaded.
    """

    config: Config
    served: ServedModel
    description: Description
    service: ModelService | None = None
    num_bytes: int = 0
    num_in_use: int = 0
    unload_after_s: float | None = None
    last_use: float = 0.0
    loading: asyncio.Task[ModelService] | None = None
    has_room: bool = False
    _past: EngineStats = field(default_factory=EngineStats)
    _past_restarts: int = 0

    @property
    def stats(self) -> EngineStats:
        """Return the engine's counts since the start of the server, those before an unloading included."""
        return self._past if self.service is None else self._past.plus(self.service.engine_stats)

    @property
    def num_restarts(self) -> int:
        """Return how often the engine was restarted after it died."""
        return self._past_restarts + (0 if self.service is None else self.service.num_restarts)

    @property
    def expires(self) -> float | None:
        """Return the time (`time.time`) at which it is unloaded if nobody uses it; None: never."""
        if self.unload_after_s is None:
            return None
        idle_s = 0.0 if self.num_in_use else time.monotonic() - self.last_use
        return time.time() + self.unload_after_s - idle_s

    def take_service(self) -> ModelService:
        """Return the service, which the entry has no more, and keep its counts."""
        service, self.service = self.service, None
        assert service is not None, "it is loaded"
        gauges = {name: getattr(EngineStats(), name) for name in GAUGES}
        stats = replace(service.engine_stats, **gauges)
        self._past, self._past_restarts = self._past.plus(stats), self._past_restarts + service.num_restarts
        return service


class ModelPool:
    """Services of the models of a server, by name. Used by one event loop; `close` ends them all.

    Attributes:
        config: Settings of the server.
        shared: State that the models share.
        entries: The models, the one for requests that name none first.
        tasks: Background tasks: unloadings, downloads.
        pulling: Held while a model is downloaded.
    """

    def __init__(self, config: Config, shared: Shared, entries: Sequence[Entry]) -> None:
        self.config, self.shared, self.entries = config, shared, list(entries)
        self._is_shut = False
        self._released = asyncio.Event()
        self.tasks: set[asyncio.Task[None]] = set()
        self.pulling = asyncio.Lock()

    @classmethod
    def of(cls, service: ModelService) -> ModelPool:
        """Return the pool of one loaded model."""
        return cls(service.config, service.shared, [_entry_of(service)])

    @classmethod
    def load(cls, config: Config, progress: Progress = logger.info, start: EngineStart = PLAIN_START) -> ModelPool:
        """Return the pool that the settings describe, with the models loaded that are not to be loaded on demand.

        Args:
            start: How the first model's engine is started.

        Raises:
            ModelLoadError: A model cannot be served; the message says why.
            ConfigError: Two models have one name, the models of the start need too much memory, or see `Shared.open`.
        """
        pool = cls(config, Shared.open(config), [])
        try:
            for each in config.every_model:
                if each.model.on_demand:
                    pool._add(_unloaded(each))
                    continue
                service = load_service(each, progress, start, pool.shared)
                start = PLAIN_START
                try:
                    pool._add(_entry_of(service))
                except BaseException:
                    service.close()
                    raise
            most, taken = config.server.max_model_bytes, pool._loaded_bytes()
            if most is not None and taken > most:
                raise ConfigError(f"the models loaded at the start take {taken} bytes, and max_model_bytes is {most}")
        except BaseException:
            pool.close()
            raise
        return pool

    @property
    def is_fixed(self) -> bool:
        """True if one model is served, from the start to the end."""
        server = self.config.server
        return len(self.services) == len(self.entries) == 1 and not server.pull and server.unload_after_s is None

    @property
    def services(self) -> list[ModelService]:
        """Return the services of the loaded models."""
        return [entry.service for entry in self.entries if entry.service is not None]

    def find(self, name: str | None) -> Entry:
        """Return the model of a name; the first one for None and for placeholders.

        Raises:
            ModelNotFoundError: No model has this name.
        """
        # Ollama's clients add a tag to names without one.
        for given in () if name is None else (name, name.removesuffix(":latest")):
            for entry in self.entries:
                if given in entry.served.names:
                    return entry
        if name is None or name in PLACEHOLDERS:
            return self.entries[0]
        for entry in self.entries:
            if entry.served.has_any_name:
                return entry
        served = ", ".join(name for entry in self.entries for name in entry.served.names)
        raise ModelNotFoundError(f"the model {name[:200]!r} is not served here; served: {served}", param="model")

    def default(self) -> Entry:
        """Return the model of requests that need any: the first one that is loaded and generates, else the first."""
        able = (entry for entry in self.entries if entry.service is not None and not entry.description.is_encoder)
        return next(able, self.entries[0])

    async def use(self, entry: Entry) -> ModelService:
        """Return the service of a model, which is loaded first where it is not. It stays until `release`.

        Raises:
            NotReadyError: It cannot be loaded, others in use take the memory, or the server is shutting down.
        """
        entry.num_in_use += 1
        try:
            if entry.service is not None and entry.service.is_given_up and len(self.entries) > 1:
                await self._unload(entry)
            if entry.service is not None:
                return entry.service
            if entry.loading is None:
                entry.loading = asyncio.create_task(self._load(entry))
                entry.loading.add_done_callback(lambda task: task.cancelled() or task.exception())
            # Others may wait for it too, so it goes on when this request is cancelled.
            return await asyncio.shield(entry.loading)
        except BaseException:
            self.release(entry)
            raise

    def release(self, entry: Entry) -> None:
        """End a use. An idle model is unloaded after its time."""
        entry.num_in_use -= 1
        entry.last_use = time.monotonic()
        if entry.num_in_use:
            return
        self._released.set()
        self.unload_in_time(entry)

    def count_idle_times(self) -> None:
        """Have models that are never used unloaded in time, too: for the start of the event loop."""
        for entry in self.entries:
            if entry.service is not None and not entry.num_in_use:
                self.unload_in_time(entry)

    def unload_in_time(self, entry: Entry) -> None:
        """Have an idle model unloaded when its time is over, unless it is used before."""
        if entry.unload_after_s is None:
            return
        last_use, loop = entry.last_use, asyncio.get_running_loop()
        idle_s = time.monotonic() - last_use

        def unload() -> None:
            if entry.last_use == last_use and not entry.num_in_use and entry.service is not None:
                task = asyncio.create_task(self._unload(entry))
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)

        loop.call_later(max(0.0, entry.unload_after_s - idle_s), unload)

    def add(self, config: Config) -> None:
        """Add a model, to be loaded on demand. Reads its files: not for an event loop.

        Raises:
            ModelLoadError: Its files cannot be read; says why.
            ConfigError: Another model has one of its names.
        """
        self._add(_unloaded(config))

    def _add(self, entry: Entry) -> None:
        taken = {name for each in self.entries for name in each.served.names}.intersection(entry.served.names)
        if taken:
            raise ConfigError(f"two models have the name {', '.join(sorted(taken))}; each needs names of its own")
        self.entries.append(entry)

    async def _load(self, entry: Entry) -> ModelService:
        try:
            await self._make_room(entry)
            if self._is_shut:
                raise NotReadyError("the server is shutting down")
            service = await asyncio.to_thread(self._load_now, entry)
            if self._is_shut:
                service.drain()
            return service
        except NotReadyError:
            raise
        except Exception as error:
            logger.exception("the model %s cannot be loaded", entry.served.name)
            raise NotReadyError(
                f"the model {entry.served.name} cannot be loaded; the server's log says why", param="model"
            ) from error
        finally:
            entry.loading, entry.has_room = None, False
            self._released.set()
            if not entry.num_in_use:
                self.unload_in_time(entry)

    def _load_now(self, entry: Entry) -> ModelService:
        # Set here: should the event loop end meanwhile, `close` finds it.
        entry.service = load_service(entry.config, logger.info, shared=self.shared)
        loaded = _entry_of(entry.service)
        entry.served = replace(loaded.served, created=entry.served.created)
        entry.num_bytes = loaded.num_bytes
        return entry.service

    async def _make_room(self, entry: Entry) -> None:
        """Unload idle models, the one used least recently first, until this one fits."""
        most, deadline = self.config.server.max_model_bytes, time.monotonic() + self.config.process.restart_wait_s
        while most is not None and self._loaded_bytes() + entry.num_bytes > most:
            idle = [each for each in self.entries if each.service is not None and not each.num_in_use]
            if idle and entry.num_bytes <= most:
                await self._unload(min(idle, key=lambda each: each.last_use))
                continue
            left_s = deadline - time.monotonic()
            if entry.num_bytes > most or left_s <= 0:
                why = "other models in use take it" if entry.num_bytes <= most else f"server.max_model_bytes is {most}"
                raise NotReadyError(
                    f"there is no memory for the model {entry.served.name}, which takes {entry.num_bytes} bytes: {why}",
                    param="model",
                )
            self._released.clear()
            try:
                await asyncio.wait_for(self._released.wait(), left_s)
            except TimeoutError:
                continue
        entry.has_room = True

    async def _unload(self, entry: Entry) -> None:
        if entry.service is not None:
            await asyncio.to_thread(_close, [entry.take_service()])
            logger.info("unloaded the model %s", entry.served.name)

    def _loaded_bytes(self) -> int:
        return sum(entry.num_bytes for entry in self.entries if entry.service is not None or entry.has_room)

    @property
    def trouble(self) -> str:
        """Return why no request is served now; empty while some are."""
        if self._is_shut:
            return "the server is shutting down"
        troubles = [service.trouble for service in self.services]
        if troubles and all(troubles):
            return troubles[0]
        return "" if self.shared.audit is None else self.shared.audit.trouble

    @property
    def is_given_up(self) -> bool:
        """True if the only model's engine died and is not restarted any more. One of several is loaded again."""
        return len(self.entries) == 1 and any(service.is_given_up for service in self.services)

    @property
    def num_under_way(self) -> int:
        """Return the number of running requests."""
        return sum(service.num_under_way for service in self.services)

    def reload(self, server: ServerConfig) -> None:
        """Replace the API keys and policies by those of these settings. Not for an event loop: judges' models may be
        loaded.

        Raises:
            ConfigError: They cannot be used; nothing has changed.
        """
        check_replaceable(self.shared.keys, self.config.server, server)
        policies = read_configured(server)
        for service in self.services:
            service.check_policies(policies)
        if policies is not None:
            policies.open()
        self.shared.replace(server, policies)

    def drain(self) -> None:
        """Refuse new requests; running ones go on. A signal handler may call it."""
        self._is_shut = True
        for service in self.services:
            service.drain()

    def end_answers(self) -> None:
        """End the engines; running answers fail as not ready."""
        for service in self.services:
            service.end_answers()

    def close(self) -> None:
        """End all threads and processes. Running answers fail as not ready; their audit records are written."""
        self._is_shut = True
        for service in self.services:
            service.close()
        self.shared.close()


def _close(services: list[ModelService]) -> None:
    """Close the only service of the list, and free its memory: its objects refer to each other."""
    services.pop().close()
    gc.collect()
    trim_heap()


def _entry_of(service: ModelService) -> Entry:
    measured = 0 if service.engine_pid is None else resident_bytes(service.engine_pid)
    return Entry(
        config=service.config,
        served=service.model,
        description=service.description,
        service=service,
        num_bytes=measured or _estimate(service.config, service.description),
        unload_after_s=service.config.server.unload_after_s,
        last_use=time.monotonic(),
    )


def _unloaded(config: Config) -> Entry:
    served, description = describe(config)
    return Entry(
        config=config,
        served=served,
        description=description,
        num_bytes=_estimate(config, description),
        unload_after_s=config.server.unload_after_s,
        last_use=time.monotonic(),
    )


def _estimate(config: Config, description: Description) -> int:
    engine = config.engine
    return BASE_BYTES + description.num_bytes + (engine.kv_memory_bytes or 0) + engine.kv_offload_bytes
