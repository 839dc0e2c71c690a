"""Sources of drafts: tokens that are proposed by something cheap and verified, several at once, by the model."""

from __future__ import annotations

from gateway.engine.speculation.base import Draft, Drafter

__all__ = ["Draft", "Drafter"]
