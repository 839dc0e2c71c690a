"""A worker's entry point with an engine that is no model: the next token follows from the last. It is ready at once,
and does whatever a prompt that begins with one of some tokens asks for."""

from __future__ import annotations

import errno
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from gateway.engine import EngineStats
from gateway.engine.errors import AdapterNotFoundError, ContextLengthExceededError, EngineFault, InvalidAdapterError
from gateway.engine.process.forkserver import Forks, serve_forks
from gateway.engine.process.messages import Setup
from gateway.engine.process.worker import Parts
from gateway.engine.request import AdapterFile, GenerationRequest, TokenEvent

HANG, DIE, NONSENSE, TOO_LONG, BROKEN, SLOW, WRECK = range(290, 297)
VOCAB, MAX_MODEL_LEN = 400, 5000


def following(token: int) -> int:
    """The token that the engine writes after this one."""
    return (7 * token + 3) % 290


def hang_or_die(token: int) -> None:
    """Obey one of the two tokens that end a process's work."""
    if token == HANG:
        while True:
            time.sleep(1)
    if token == DIE:
        os.kill(os.getpid(), signal.SIGKILL)


class FakeAdapters:
    """Names of adapters, whose files are not there: the path says what becomes of them."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def read(self, file: AdapterFile) -> str:
        if file.path == "bad":
            raise InvalidAdapterError("it is bad")
        if file.path == "broken":
            raise RuntimeError("a bug in read")
        return file.path

    def add(self, name: str, weights: str) -> None:
        assert weights == "good"
        self.names.add(name)


class FakeEngine:
    """The part of `Engine` that a worker uses."""

    max_model_len, vocab_size, eos_token_ids = MAX_MODEL_LEN, VOCAB, (1,)

    def __init__(self) -> None:
        self.is_broken = False
        self.adapters = FakeAdapters()
        self._running: dict[str, tuple[GenerationRequest, list[int]]] = {}
        self._outbox: list[TokenEvent] = []
        self._finished: Counter[str] = Counter()

    @property
    def has_work(self) -> bool:
        return bool(self._running or self._outbox)

    def add(self, request: GenerationRequest) -> None:
        if request.sampling.max_tokens > MAX_MODEL_LEN:
            raise ContextLengthExceededError(request.sampling.max_tokens, MAX_MODEL_LEN)
        if request.adapter is not None and request.adapter not in self.adapters.names:
            raise AdapterNotFoundError("there is none")
        if request.prompt_ids[0] == BROKEN:
            raise RuntimeError("a bug in add")
        self._running[request.request_id] = (request, [])

    def remove_adapter(self, name: str, when_removed: Callable[[], None]) -> None:
        if name not in self.adapters.names:
            raise AdapterNotFoundError("there is none")
        self.adapters.names.remove(name)
        when_removed()

    def cancel(self, request_id: str) -> bool:
        if request_id in self._running:
            self._end(TokenEvent(request_id, []), "cancelled")
        return True

    def step(self) -> list[TokenEvent]:
        for request, _ in list(self._running.values()):
            self._obey(request.prompt_ids[0])
        for name, (request, tokens) in list(self._running.items()):
            tokens.append(following(tokens[-1] if tokens else request.prompt_ids[-1]))
            event = TokenEvent(name, [tokens[-1]])
            is_stopped = request.stop is not None and request.stop.accept(tokens[-1])
            if request.constraint is not None and not request.constraint.accept(tokens[-1]):
                event.error = EngineFault("the constraint refuses")
                self._end(event, "error")
            elif is_stopped or len(tokens) == request.sampling.max_tokens:
                self._end(event, "stop" if is_stopped else "length")
            else:
                self._outbox.append(event)
        events, self._outbox = self._outbox, []
        return events

    def stats(self, histograms: Iterable[str] = ()) -> EngineStats:
        return EngineStats(num_running=len(self._running), finished=self._finished.copy())

    def fail_all(self, fault: EngineFault) -> list[TokenEvent]:
        for name in list(self._running):
            self._end(TokenEvent(name, [], error=fault), "error")
        events, self._outbox = self._outbox, []
        return events

    def _end(self, event: TokenEvent, reason: str) -> None:
        event.finish_reason = reason
        del self._running[event.request_id]
        self._finished[reason] += 1
        self._outbox.append(event)

    def _obey(self, token: int) -> None:
        hang_or_die(token)
        if token == NONSENSE:
            os.write(channel_descriptor(), b"\x05\x00\x00\x00nonse")
        if token == TOO_LONG:
            os.write(channel_descriptor(), b"\xff\xff\xff\xff")
        if token == WRECK:
            self.is_broken = True
        if token == SLOW:
            time.sleep(0.01)


def channel_descriptor() -> int:
    """The one stream socket that this worker has."""
    for descriptor in range(3, 64):
        with suppress(OSError):
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                return descriptor
    raise AssertionError("there is no socket")


class Counting:
    """A constraint that allows so many tokens, read from its bytes."""

    def __init__(self, data: bytes) -> None:
        self._left = int(data)

    def accept(self, token_id: int) -> bool:
        self._left -= 1
        return self._left >= 0


class StopAt:
    """Stops at a token."""

    def __init__(self, stops: list[str]) -> None:
        self._stops = {int(stop) for stop in stops}

    def accept(self, token_id: int) -> bool:
        return token_id in self._stops


def restore(digest: bytes, data: bytes) -> Counting:
    return Counting(data)


def help_on(end: socket.socket) -> None:
    """A helper that starts a process whenever it is told something, tells its id, and leaves it behind."""
    while end.recv(1):
        end.sendall(str(subprocess.Popen(["sleep", "600"]).pid).encode())


def fork_unless(stop: Path) -> None:
    """Have forks fail while there is such a file."""
    fork = os.fork

    def forking() -> int:
        if stop.exists():
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return fork()

    os.fork = forking


def prepare(setup: Setup) -> Forks:
    if setup.model == "unpreparable":
        raise RuntimeError("there is no such model")
    fork_unless(Path(setup.model, "full"))

    def build() -> Parts:
        folder = Path(setup.model)
        if setup.model == "unbuildable" or folder.joinpath("deadly").exists():
            raise MemoryError("too large")
        if (pids := folder / "pids").exists():
            pids.write_text(f"{os.getpid()} {os.getppid()}")
        return Parts(FakeEngine(), restore, StopAt)

    return Forks(build, lambda: help_on)


if __name__ == "__main__":
    serve_forks(prepare)
    sys.exit(0)
