"""Answers that are returned without the prefix that the client gave them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gateway.core.answer import Delta, TextDelta


class HiddenPrefix:
    """Removes a prefix from the text of one answer. Text that a policy changed is returned from the change on."""

    def __init__(self, text: str) -> None:
        self._left = text

    def remove(self, deltas: Sequence[Delta]) -> list[Delta]:
        """Return the deltas of text after the prefix, and all others."""
        return [each for each in map(self._shown, deltas) if each is not None]

    def _shown(self, delta: Delta) -> Delta | None:
        if not self._left or not isinstance(delta, TextDelta):
            return delta
        pairs = enumerate(zip(delta.text, self._left, strict=False))
        size = next((at for at, (a, b) in pairs if a != b), min(len(delta.text), len(self._left)))
        self._left = self._left[size:] if size == len(delta.text) else ""
        shown = replace(delta, text=delta.text[size:])
        return shown if shown.text or shown.logprobs or shown.fields else None
