"""Confidence of the model in each value of a JSON answer, from the log-probabilities of its tokens.

A token belongs to every value that it writes a byte of. The token after a number belongs to the number too: it decides
that no digit follows. Probabilities are those under the mask, before temperature and penalties. A token that the mask
forces was not chosen by the model; it is counted apart.
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
    """One token of the answer: its bytes, its log-probability and the candidates in its place."""

    data: bytes
    logprob: float
    others: tuple[tuple[bytes, float], ...]

    @property
    def is_forced(self) -> bool:
        return not self.others


class Weights:
    """Log-probabilities of the tokens of one answer, and the confidence in its values.

    Args:
        prefix_ids: Tokens that the client gave the answer; they count as forced.
    """

    def __init__(self, token_bytes: TokenBytes, prefix_ids: Sequence[int] = ()) -> None:
        self._token_bytes = token_bytes
        self._tokens = [_Token(self._bytes(token), 0.0, ()) for token in prefix_ids]

    def feed(self, event: TokenEvent) -> None:
        """Record the tokens of an event that carries log-probabilities."""
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
        """Return the confidence in each value of a text and in each argument of its calls.

        Text that is no JSON, and arguments that the model writes in another format, are left out.

        Args:
            schema: Schema of the text; None if it is no JSON.
            arguments: Schemas of the functions' arguments, by function name.
        """
        written = b"".join(token.data for token in self._tokens)
        ends = [0]
        for token in self._tokens:
            ends.append(ends[-1] + len(token.data))
        found: list[FieldConfidence] = []
        # Search from the end: the same text may occur in the reasoning.
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
    """Conversion of character offsets to byte offsets, for requests in about the order of the text."""

    def __init__(self, text: str, begin: int) -> None:
        self._begin = begin
        self._sums = None if text.isascii() else [0]
        if self._sums is not None:
            for mark in text:
                self._sums.append(self._sums[-1] + len(mark.encode()))

    def of(self, offset: int) -> int:
        return self._begin + (offset if self._sums is None else self._sums[offset])


def _alternative(tokens: Sequence[_Token], skipped: int, value: Any, members: Sequence[Any]) -> Alternative | None:
    """Return the likeliest other member of an enum that another candidate token leads to.

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
                continue  # another tokenization of the value
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
    """True if the reached bytes are the text followed by more."""
    return reached.startswith(text) and reached[len(text) : len(text) + 1] in b" \t\n\r,}]"


def _members(schema: Any, path: str, value: Any) -> list[Any]:
    """Return the values that an enum or boolean allows at this place; empty for other schemas."""
    found: list[Any] = []
    for place in _places(schema, path):
        given = place.get("enum", [place["const"]] if "const" in place else ())
        found += [member for member in given if not isinstance(member, dict | list)]
    if isinstance(value, bool) and value not in found:
        found = [True, False]
    return found if len(found) > 1 else []


def _places(schema: Any, path: str) -> list[Mapping[str, Any]]:
    """Return the subschemas that apply to a place, as far as `properties` and `items` name them."""
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
    """Return the schemas with the `allOf`, `anyOf`, `oneOf` and `$ref` members that apply to the same place."""
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
