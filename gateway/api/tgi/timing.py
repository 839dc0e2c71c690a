"""How long a request took, in TGI's headers."""

from __future__ import annotations

import time
from dataclasses import dataclass

from gateway.core.answer import Usage


@dataclass(slots=True)
class Stopwatch:
    """Times of one request, in seconds of `time.monotonic`. What TGI calls the queue is not told apart here.

    Attributes:
        num_characters: Of the prompt.
    """

    started_at: float
    prepared_at: float = 0.0
    finished_at: float = 0.0
    num_characters: int = 0
    usage: Usage = Usage()  # noqa: RUF009  it cannot change

    @classmethod
    def started(cls) -> Stopwatch:
        """One that runs from now on."""
        return cls(time.monotonic())

    def finish(self, usage: Usage, num_characters: int) -> None:
        """Stop."""
        self.finished_at = time.monotonic()
        self.usage, self.num_characters = usage, num_characters

    def headers(self) -> dict[str, str]:
        """As TGI names them. Units: `x-compute-time` is in seconds, the others in milliseconds."""
        total, inference = self.finished_at - self.started_at, self.finished_at - self.prepared_at
        return {
            "x-compute-time": f"{total:.6f}",
            "x-compute-characters": str(self.num_characters),
            "x-total-time": _milliseconds(total),
            "x-validation-time": _milliseconds(total - inference),
            "x-inference-time": _milliseconds(inference),
            "x-time-per-token": _milliseconds(inference / max(self.usage.completion_tokens, 1)),
            "x-prompt-tokens": str(self.usage.prompt_tokens),
            "x-generated-tokens": str(self.usage.completion_tokens),
        }


def _milliseconds(seconds: float) -> str:
    return str(round(seconds * 1000))
