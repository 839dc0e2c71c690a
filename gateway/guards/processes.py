"""Models that judge texts, each in a process of its own, so that the server imports none of their libraries.

A process for each folder, that is asked by lines of JSON, and not the engine's: a step of the engine would wait for
texts that are only judged, and a crash of the engine would end them too.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock, Timer
from typing import Any, ClassVar, Self
from weakref import WeakValueDictionary, finalize

from gateway.guards.rule import JudgeError

logger = logging.getLogger(__name__)

START_S = 600.0
"""Seconds that importing torch and reading the weights may take."""
HANG_S = 30.0
"""Seconds after its time limit at which a silent process is killed."""
PAUSE_S = 10.0
"""Seconds between a failed start and the next: each imports torch."""


class ModelProcess:
    """Process of the model in a folder, restarted after it ends. `of` returns the one of a folder.

    Attributes:
        module: Module to run, with the folder as its argument.
        name: Name of the model in messages.
        told: First message of the process; set once it is open.
    """

    module: ClassVar[str]
    name: ClassVar[str]
    _known: ClassVar[WeakValueDictionary[tuple[str, ...], ModelProcess]] = WeakValueDictionary()

    def __init__(self, folder: str, *further: str) -> None:
        self.folder = folder
        self._further = further
        self.told: dict[str, Any] = {}
        self._process: subprocess.Popen[str] | None = None
        # Held while asking, starting or ending the process.
        self._lock = Lock()
        self._is_closed = False
        self._pause_end = 0.0
        self._let_go: Callable[[], object] = lambda: None
        """Ends the process; called when no policy, and no request under one, holds this any more."""

    @classmethod
    def of(cls, folder: str, *further: str) -> Self:
        """Return the process of this folder and arguments."""
        process = cls._known.setdefault((cls.module, folder, *further), cls(folder, *further))
        assert isinstance(process, cls)
        return process

    def open(self) -> None:
        """Return when it is loaded.

        Raises:
            JudgeError: The process cannot be started; says why.
        """
        with self._lock:
            self._is_closed, self._pause_end = False, 0.0
            self._start()

    def close(self) -> None:
        """End the process until it is opened again; calls in progress fail."""
        self._is_closed = True
        process = self._process
        if process is not None:
            process.kill()  # who holds the lock waits for what it says
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._process = None
            self._let_go()

    def ask(self, texts: Sequence[str], timeout_s: float, **fields: Any) -> dict[str, Any]:
        """Return the answer for the texts.

        Args:
            timeout_s: Time to wait for the lock, and again for the answer. A restart is not counted.

        Raises:
            JudgeError: There was no answer in time.
        """
        with self._running(timeout_s):
            return self._ask({"texts": list(texts), "seconds": timeout_s, **fields}, timeout_s + HANG_S)

    @contextmanager
    def _running(self, timeout_s: float) -> Iterator[None]:
        """Hold the lock while the process runs."""
        if not self._lock.acquire(timeout=timeout_s):
            raise JudgeError(f"the {self.name} in {self.folder} is busy")
        try:
            self._start()
            yield
        finally:
            self._lock.release()

    def _start(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        self._end()
        what = f"the {self.name} in {self.folder}"
        if time.monotonic() < self._pause_end:
            raise JudgeError(f"{what} could not be started a moment ago")
        try:
            if not self._is_closed:
                self._process = self._begun()
                self._let_go = finalize(self, _end, self._process)
            if self._is_closed:  # looked at again: who closed it before it was there has not killed it
                raise JudgeError(f"{what} was closed")
            self.told = self._ask(None, START_S)
        except (OSError, JudgeError) as error:
            self._end()
            self._pause_end = time.monotonic() + PAUSE_S
            raise JudgeError(str(error)) from error

    def _begun(self) -> subprocess.Popen[str]:
        return subprocess.Popen(  # noqa: S603  the command is the program's own
            [sys.executable, "-P", "-m", self.module, self.folder, *self._further],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            process_group=0,  # Ctrl-C is for the server
        )

    def _ask(self, message: dict[str, Any] | None, seconds: float) -> dict[str, Any]:
        """Return the next line of the process, which is killed after `seconds`."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        timer = Timer(seconds, process.kill)
        timer.start()
        try:
            if message is not None:
                process.stdin.write(json.dumps(message) + "\n")
                process.stdin.flush()
            answer: dict[str, Any] = json.loads(process.stdout.readline())
        except (OSError, ValueError) as error:
            # The process ended, closed its output, or wrote half a line.
            self._end()
            raise JudgeError(f"the process of the {self.name} in {self.folder} ended") from error
        finally:
            timer.cancel()
        if "error" in answer:
            raise JudgeError(f"the {self.name} in {self.folder} fails: {answer['error']}")
        return answer


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        with suppress(BrokenPipeError):  # unread input
            pipe.close()
