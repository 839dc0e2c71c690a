"""Use of an API key, in a span of time and on a day."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import NamedTuple

DAY_S = 86_400


@dataclass(slots=True)
class Use:
    """Use of one key in a span of time."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class DayUse(NamedTuple):
    """Use of one key on a day, which is counted in days of UTC since 1970."""

    day: int
    use: Use


def present_day() -> int:
    """Return the present day of UTC, in days since 1970."""
    return int(time.time() // DAY_S)
