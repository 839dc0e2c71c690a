"""What every chunk of one reply repeats."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """One reply's identity.

    Attributes:
        id: Unique, with the dialect's prefix.
        created: Seconds since the epoch.
        model: The name the client knows the model by.
    """

    id: str
    model: str
    created: int = field(default_factory=lambda: int(time.time()))

    @classmethod
    def new(cls, prefix: str, model: str) -> Identity:
        """A fresh one."""
        return cls(id=f"{prefix}-{secrets.token_hex(12)}", model=model)
