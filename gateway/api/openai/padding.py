"""Random characters beside streamed text, so that lengths on the wire say less of what it says."""

from __future__ import annotations

import secrets

BLOCK = 16
"""What is told is padded to a multiple of so many characters."""


def padding(length: int) -> str:
    """What fills up a text of this length."""
    return secrets.token_hex(BLOCK // 2)[: -length % BLOCK]
