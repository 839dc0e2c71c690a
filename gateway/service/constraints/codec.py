"""Codec for constraints, jobs and their results between processes: plain msgpack, no pickle.

A packed value is a table with one row per dataclass or error: the name of its class, then its fields. A row comes after
the rows it refers to. An object referred to twice has one row, so it is one object again after unpacking, as `Once`
needs. Only the listed classes are packed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any

import msgspec

from gateway.core import constraints
from gateway.core.documents import Document
from gateway.core.json_text import json_text
from gateway.errors import ConstraintError, InvalidImageError, InvalidRequestError
from gateway.service.constraints.match_position import FollowingTokens, MatchPosition
from gateway.verify import Verdict
from grammars import (
    AnyTokens,
    Arguments,
    ArgumentSpelling,
    Choice,
    Concat,
    Either,
    Enforcement,
    Explanation,
    Gbnf,
    GrammarError,
    InvalidGrammarError,
    JsonOptions,
    JsonSchema,
    JsonString,
    Lark,
    Limits,
    OneToken,
    Quotation,
    RawString,
    Regex,
    StructuralTag,
    Tag,
    Token,
    TooComplexError,
    UnsatisfiableError,
    UnsupportedError,
    ValueTag,
)
from grammars.frontends.base import Kept, Once

_SPECS = (
    *(JsonSchema, JsonOptions, Regex, Choice, Lark, Gbnf, StructuralTag, Tag, Concat, Either, Once, Kept, JsonString),
    *(Arguments, ArgumentSpelling, ValueTag, RawString, Token, OneToken, AnyTokens, Quotation),
)
_CONSTRAINTS = (
    *(constraints.JsonConstraint, constraints.RegexConstraint, constraints.ChoiceConstraint),
    *(constraints.GrammarConstraint, constraints.TagsConstraint, constraints.Segment, constraints.SequenceConstraint),
    *(constraints.TokenConstraint, constraints.TokensConstraint, constraints.ArgumentsConstraint),
    *(constraints.ShortTextConstraint, constraints.QuotationConstraint, Document),
)
_FOUND = (MatchPosition, FollowingTokens, Verdict, Explanation, Enforcement, Limits)
_ERRORS = (
    *(InvalidGrammarError, UnsupportedError, UnsatisfiableError, TooComplexError),
    *(ConstraintError, InvalidRequestError, InvalidImageError),
)
# Values that msgpack cannot represent are maps of one entry with one of these keys.
_ROW, _SET, _JSON, _TEXT, _WHOLE = "row", "set", "json", "text", "whole"
_MOST_BITS = 63


class Codec:
    """Codec for values of the classes above.

    Args:
        kinds: Further dataclasses.
    """

    def __init__(self, *kinds: type[Any]) -> None:
        known = (*_SPECS, *_CONSTRAINTS, *_FOUND, *kinds)
        self._kinds: Mapping[str, type[Any]] = {kind.__name__: kind for kind in (*known, *_ERRORS)}
        self._names = {kind: tuple(field.name for field in fields(kind)) for kind in known}
        assert len(self._kinds) == len(known) + len(_ERRORS), "two kinds have one name"

    def pack(self, value: Any) -> bytes:
        """Return the value as bytes.

        Raises:
            TypeError: The value is, or contains, an object of another class.
        """
        rows: list[list[Any]] = []
        places: dict[int, int] = {}

        def plain(value: Any) -> Any:
            kind = type(value)
            if value is None or kind is bool or kind is bytes or kind is float:
                return value
            if kind is str:
                # A lone surrogate, which JSON can escape, has no UTF-8.
                return value if value.isascii() else {_TEXT: value.encode("utf-8", "surrogatepass")}
            if kind is int:
                return value if value.bit_length() <= _MOST_BITS else {_WHOLE: hex(value)}
            if kind is tuple:
                return [plain(each) for each in value]
            if kind is frozenset:
                return {_SET: [plain(each) for each in sorted(value)]}
            if kind is dict or kind is list:
                return {_JSON: json_text(value)}
            if id(value) not in places:
                rows.append([kind.__name__, *map(plain, parts_of(kind, value))])
                places[id(value)] = len(rows) - 1
            return {_ROW: places[id(value)]}

        def parts_of(kind: type[Any], value: Any) -> Iterable[Any]:
            if kind in self._names:
                return [getattr(value, name) for name in self._names[kind]]
            if kind in _ERRORS:
                return [tuple(vars(value)), *vars(value).values()]
            raise TypeError(f"{kind.__name__} does not travel")

        last = plain(value)
        return msgspec.msgpack.encode([rows, last])

    def unpack(self, data: bytes) -> Any:
        """Return the value that was packed.

        Raises:
            ValueError: The bytes are not a packed value.
        """
        made: list[Any] = []
        readers: dict[str, Callable[[Any], Any]] = {
            _ROW: lambda at: made[at],
            _SET: lambda parts: frozenset(map(full, parts)),
            _JSON: json.loads,
            _TEXT: lambda text: text.decode("utf-8", "surrogatepass"),
            _WHOLE: lambda digits: int(digits, 16),
        }

        def full(value: Any) -> Any:
            if type(value) is list:
                return tuple([full(each) for each in value])
            if type(value) is dict:
                ((form, content),) = value.items()
                return readers[form](content)
            return value

        try:
            rows, last = msgspec.msgpack.decode(data)
            for name, *parts in rows:
                made.append(self._made(self._kinds[name], parts, full))
            return full(last)
        except (msgspec.DecodeError, LookupError, TypeError, AttributeError, ValueError) as error:
            raise ValueError(f"{len(data)} bytes are no value: {error!r}") from error

    def _made(self, kind: Any, parts: list[Any], full: Callable[[Any], Any]) -> Any:
        made = kind.__new__(kind)
        values = [full(part) for part in parts]
        if kind in self._names:
            # Without the constructor: its checks passed where the value was made.
            for name, value in zip(self._names[kind], values, strict=True):
                object.__setattr__(made, name, value)
            return made
        vars(made).update(zip(values[0], values[1:], strict=True))
        where = getattr(made, "where", None)
        if isinstance(made, GrammarError):
            made.where = None
            made.place(where)
        else:
            made.args = (made.message,)
        return made
