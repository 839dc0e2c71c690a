"""Sequence classifiers, each in a process of its own: torch is not imported in the one that serves.

A process for each folder, that is asked by lines of JSON, and not the engine's: a step of the engine would wait for
texts that nobody generates from, and its death would take them along.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from threading import Lock, Timer
from typing import Any, ClassVar
from weakref import WeakValueDictionary

from gateway.guards.rule import JudgeError

logger = logging.getLogger(__name__)

START_S = 600.0
"""Seconds that importing torch and reading the weights may take."""
HANG_S = 30.0
"""Behind its time, a process that says nothing is ended."""


class ClassifierProcess:
    """One folder's classifier; started anew where it ended. `of` knows whether there is one already.

    Attributes:
        labels: Of its texts; known once it was opened.
        max_tokens: That it reads together.
    """

    _by_folder: ClassVar[WeakValueDictionary[str, ClassifierProcess]] = WeakValueDictionary()

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.labels: list[str] = []
        self.max_tokens = 0
        self._process: subprocess.Popen[str] | None = None
        # Who holds it asks, and nobody else.
        self._lock = Lock()

    @classmethod
    def of(cls, folder: str) -> ClassifierProcess:
        """The one of this folder."""
        return cls._by_folder.setdefault(folder, cls(folder))

    def open(self) -> None:
        """Return when it is loaded.

        Raises:
            JudgeError: It cannot be; says why.
        """
        with self._lock:
            self._start()

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                assert pipe is not None
                with suppress(BrokenPipeError):  # what nobody read
                    pipe.close()

    def scores(self, texts: Sequence[str], window: int, timeout_s: float) -> list[list[float]]:
        """How likely each label is of each text.

        Args:
            timeout_s: For its turn, and then for the texts.

        Raises:
            JudgeError: It cannot say, or not in time.
        """
        if not self._lock.acquire(timeout=timeout_s):
            raise JudgeError(f"the classifier in {self.folder} is busy")
        try:
            self._start()
            message = {"texts": list(texts), "window": window, "seconds": timeout_s}
            answer = self._ask(message, timeout_s + HANG_S)
        finally:
            self._lock.release()
        scores: list[list[float]] = answer["scores"]
        return scores

    def _start(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        self.close()
        self._process = subprocess.Popen(  # noqa: S603  the command is the program's own
            [sys.executable, "-P", "-m", "gateway.engine.classifier", self.folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            process_group=0,  # a Ctrl-C is for whoever serves
        )
        told = self._ask(None, START_S)
        self.labels, self.max_tokens = told["labels"], told["max_tokens"]

    def _ask(self, message: dict[str, Any] | None, seconds: float) -> dict[str, Any]:
        """What the process says next. One that says nothing in time is ended."""
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
            line = process.stdout.readline()
        except OSError:
            line = ""
        finally:
            timer.cancel()
        if not line:
            self.close()
            raise JudgeError(f"the process of the classifier in {self.folder} ended")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise JudgeError(f"the classifier in {self.folder} fails: {answer['error']}")
        return answer
