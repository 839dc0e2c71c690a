"""Fields of JSON answers, reported with the delta that completes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gateway.core.answer import ArgumentsDelta, CallDelta, CompleteField, Delta, TextDelta
from gateway.text.fields import FieldReader


class FieldTeller:
    """Reader of one answer's deltas that reports completed fields of its JSON text and of functions' arguments."""

    def __init__(self, is_json: bool) -> None:
        self._text = _Reading() if is_json else None
        self._arguments: _Reading | None = None

    def feed(self, deltas: Sequence[Delta]) -> list[Delta]:
        """Return the deltas with the fields that they complete."""
        return list(map(self._told, deltas))

    def _told(self, delta: Delta) -> Delta:
        if isinstance(delta, CallDelta):
            self._arguments = _Reading() if delta.kind == "function" else None
        elif isinstance(delta, TextDelta) and self._text is not None:
            return replace(delta, fields=self._text.feed(delta.text))
        elif isinstance(delta, ArgumentsDelta) and self._arguments is not None:
            return replace(delta, fields=self._arguments.feed(delta.text))
        return delta


class _Reading:
    """Reader of one JSON text."""

    def __init__(self) -> None:
        self._reader = FieldReader()
        self._text = ""

    def feed(self, text: str) -> tuple[CompleteField, ...]:
        """Return the values that this piece completes, inner ones first, without the outermost value."""
        self._text += text
        found = self._reader.feed(text)
        return tuple(CompleteField(each.path, self._text[each.begin : each.end]) for each in found if each.path)
