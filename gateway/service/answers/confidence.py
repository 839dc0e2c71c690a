"""How sure the model was of each value of a JSON answer: its tokens' log-probabilities, laid beside the text.

A token belongs to every value that it writes a byte of, and what ends a number, the token behind it, belongs to the
number too: it says that there are no more digits. Probabilities are those under the mask, before temperature and
penalties. A token that the mask allows alone was not chosen; it is counted apart.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gateway.core.answer import Alternative, Call, FieldConfidence
from gateway.engine import TokenEvent, TokenLogprobs
from gateway.text import TokenBytes
from gateway.text.fields import Field, FieldReader


@dataclass(frozen=True, slots=True)
class _Token:
    """One token of the answer, with the bytes that it writes, and what might have been there."""

    data: bytes
    logprob: float
    others: tuple[tuple[bytes, float], ...]

    @property
    def is_forced(self) -> bool:
        return not self.others


class Weights:
    """The tokens of one answer with their log-probabilities, and what follows from them for its values."""

    def __init__(self, token_bytes: TokenBytes) -> None:
        self._token_bytes = token_bytes
        self._tokens: list[_Token] = []

    def feed(self, event: TokenEvent) -> None:
        """Note the tokens of an event, which has log-probabilities of each."""
        ending = [event.ending] if event.ending is not None else []
        for entry in [*(event.logprobs or ()), *ending]:
            self._tokens.append(self._token(entry))

    def _token(self, entry: TokenLogprobs) -> _Token:
        told = entry if entry.masked is None else entry.masked
        others = [(self._bytes(token), logprob) for token, logprob in told.top if token != entry.token_id]
        return _Token(self._bytes(entry.token_id), told.logprob, tuple(others))

    def _bytes(self, token_id: int) -> bytes:
        return (self._token_bytes[token_id] if token_id < len(self._token_bytes) else None) or b""

    def confidence(
        self, text: str, schema: Any, calls: Sequence[Call], arguments: Mapping[str, Any]
    ) -> tuple[FieldConfidence, ...]:
        """Of each value of a text, and of each argument of its calls.

        What is not written as it is told (arguments in a format of their own, text that is no JSON) is left out.

        Args:
            schema: Of the text; None where it is no JSON.
            arguments: The schemas of functions' arguments, by name.
        """
        written = b"".join(token.data for token in self._tokens)
        ends = [0]
        for token in self._tokens:
            ends.append(ends[-1] + len(token.data))
        found: list[FieldConfidence] = []
        # From the end on: the same may stand in thoughts before.
        stop = len(written)
        for index in range(len(calls) - 1, -1, -1):
            call = calls[index]
            begin = written.rfind(call.arguments.encode(), 0, stop) if call.kind == "function" else -1
            if begin >= 0:
                stop = begin
                found[:0] = self._of_text(call.arguments, begin, ends, arguments.get(call.name, True), index)
        begin = written.rfind(text.encode(), 0, stop) if schema is not None and text else -1
        return (*(self._of_text(text, begin, ends, schema, None) if begin >= 0 else ()), *found)

    def _of_text(
        self, text: str, begin: int, ends: list[int], schema: Any, call: int | None
    ) -> Iterable[FieldConfidence]:
        reader = FieldReader()
        fields = [field for field in (*reader.feed(text), *reader.finish()) if field.is_leaf]
        place = _Bytes(text, begin)
        return [self._of_field(field, text, place, ends, schema, call) for field in fields]

    def _of_field(
        self, field: Field, text: str, place: _Bytes, ends: list[int], schema: Any, call: int | None
    ) -> FieldConfidence:
        start, stop = place.of(field.begin), place.of(field.end)
        first = bisect_right(ends, start) - 1
        last = bisect_left(ends, stop)
        if text[field.begin] in "-0123456789":
            last = min(max(bisect_right(ends, stop), last), len(self._tokens))
        tokens = self._tokens[first:last]
        chosen = [token for token in tokens if not token.is_forced]
        members = _members(schema, field.path, field.value)
        return FieldConfidence(
            path=field.path,
            call=call,
            logprob=sum(token.logprob for token in chosen),
            num_tokens=len(chosen),
            num_forced=len(tokens) - len(chosen),
            alternative=_alternative(tokens, start - ends[first], field.value, members) if members else None,
        )


class _Bytes:
    """Offsets of characters as offsets of bytes, asked for in about the order of the text."""

    def __init__(self, text: str, begin: int) -> None:
        self._begin = begin
        self._sums = None if text.isascii() else [0]
        if self._sums is not None:
            for mark in text:
                self._sums.append(self._sums[-1] + len(mark.encode()))

    def of(self, offset: int) -> int:
        return self._begin + (offset if self._sums is None else self._sums[offset])


def _alternative(tokens: Sequence[_Token], skipped: int, value: Any, members: Sequence[Any]) -> Alternative | None:
    """The likeliest other member: the one, or those, that another token in some place leads to.

    Args:
        skipped: Bytes of the first token before the value.
    """
    spelled = {json.dumps(member, ensure_ascii=False).encode(): member for member in members}
    own = json.dumps(value, ensure_ascii=False).encode()
    head, before = b"", 0.0
    masses: defaultdict[tuple[bytes, ...], float] = defaultdict(float)
    for index, token in enumerate(tokens):
        cut = skipped if index == 0 else 0
        for data, logprob in token.others:
            if index == 0 and data[:cut] != token.data[:cut]:
                continue  # another way to come to the value
            reached = head + data[cut:]
            may_be = tuple(text for text in spelled if text.startswith(reached) or _goes_on(reached, text))
            if may_be and own not in may_be:
                masses[may_be] += math.exp(before + logprob)
        head += token.data[cut:]
        before += token.logprob
    if not masses:
        return None
    best = max(masses, key=masses.__getitem__)
    return Alternative(values=tuple(spelled[text] for text in best), probability=masses[best])


def _goes_on(reached: bytes, text: bytes) -> bool:
    """Whether what was reached is the text, and something behind it."""
    return reached.startswith(text) and reached[len(text) : len(text) + 1] in b" \t\n\r,}]"


def _members(schema: Any, path: str, value: Any) -> list[Any]:
    """The values that an enum or boolean has in this place; none where it is something else."""
    found: list[Any] = []
    for place in _places(schema, path):
        given = place.get("enum", [place["const"]] if "const" in place else ())
        found += [member for member in given if not isinstance(member, dict | list)]
    if isinstance(value, bool) and value not in found:
        found = [True, False]
    return found if len(found) > 1 else []


def _places(schema: Any, path: str) -> list[Mapping[str, Any]]:
    """The subschemas that look at a place, as far as they are found by names alone."""
    places = _alike(schema, [schema])
    for name in [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]:
        places = [inner for place in places for way in _ways(place, name) for inner in _alike(schema, [way])]
    return places


def _ways(place: Mapping[str, Any], name: str) -> Iterable[Any]:
    if name in place.get("properties", {}):
        yield place["properties"][name]
    elif "additionalProperties" in place:
        yield place["additionalProperties"]
    prefix = place.get("prefixItems", [])
    if name.isdecimal():
        yield prefix[int(name)] if int(name) < len(prefix) else place.get("items", True)


def _alike(root: Any, found: list[Any]) -> list[Mapping[str, Any]]:
    """Schemas, and all that look at the same place with them."""
    seen: list[Mapping[str, Any]] = []
    while found:
        schema = found.pop()
        if not isinstance(schema, dict) or any(schema is each for each in seen):
            continue
        seen.append(schema)
        found += [each for word in ("allOf", "anyOf", "oneOf") for each in schema.get(word, ())]
        found += [schema[word] for word in ("then", "else") if word in schema]
        if isinstance(reference := schema.get("$ref"), str) and reference.startswith("#"):
            found.append(_at(root, reference[1:]))
    return seen


def _at(root: Any, path: str) -> Any:
    for part in path.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        root = root.get(name) if isinstance(root, dict) else None
    return root
