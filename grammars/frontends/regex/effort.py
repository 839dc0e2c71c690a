"""How much work all patterns of one constraint may be together."""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import AbstractContextManager
from contextvars import ContextVar


class Effort:
    """The work on one constraint's patterns.

    Attributes:
        steps: what looks around took so far.
        refused: the patterns that were too much; none of them is tried twice.
    """

    __slots__ = ("refused", "steps")

    def __init__(self) -> None:
        self.steps = 0
        self.refused: set[Hashable] = set()


_CURRENT: ContextVar[Effort | None] = ContextVar("effort", default=None)


class _Shared:
    """Sets the effort of this thread while it is entered."""

    __slots__ = ("_token",)

    def __enter__(self) -> None:
        self._token = _CURRENT.set(Effort())

    def __exit__(self, *_: object) -> None:
        _CURRENT.reset(self._token)


def shared_effort() -> AbstractContextManager[None]:
    """Everything inside is work on one constraint."""
    return _Shared()


def current_effort() -> Effort:
    """That of the constraint that this thread is compiling; while it compiles none, a new one."""
    return _CURRENT.get() or Effort()
