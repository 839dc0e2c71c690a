"""Whitespace between the tokens of a JSON text, and spelling of names and given values."""

from __future__ import annotations

import json.encoder
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from grammars.frontends.json.meaning.digits import LARGEST, MAX_INTEGER_DIGITS
from grammars.network import operations as op
from grammars.network.builder import NetworkBuilder
from grammars.network.checks import Check
from grammars.vocabulary.units import UnitClass

_SPACE, _NEWLINE, _COMMA, _COLON = 0x20, 0x0A, 0x2C, 0x3A
_MAX_SPACES, _MAX_TABS = 20, 8
_SPACES = UnitClass.from_ranges(((_SPACE, _SPACE),))
_TABS = UnitClass.from_ranges(((0x09, 0x09),))
_spell_text = json.encoder.encode_basestring
_spell = json.JSONEncoder(ensure_ascii=False).encode
_BLANKS = UnitClass.from_ranges(((0x09, 0x0A), (0x0D, 0x0D), (_SPACE, _SPACE)))


class Layout:
    """Emitter of optional whitespace, and speller of names and values.

    Args:
        builder: of the network.
        whitespace: as in `JsonOptions`.

    Attributes:
        name: of the layout: equal ones share rules.
        has_space: a space may follow a colon.
        literals: the ways in which null, true and false are spelled.
        name_quote: what is before a name, one byte or none.
        name_end: what is after it.
    """

    literals: tuple[tuple[bytes, ...], ...] = ((b"null",), (b"true",), (b"false",))
    name_quote = b'"'
    name_end = b":"

    def __init__(self, builder: NetworkBuilder, whitespace: str) -> None:
        self._builder = builder
        self.name = whitespace
        self.is_bounded = self.has_space = whitespace == "bounded"
        self.indent = builder.shared_rule("json indent", self._build_indent) if self.is_bounded else -1
        # By the bracket and the state after it: where the bracket is alone, with "bounded" what follows a newline
        # is the next state.
        self.closings: dict[tuple[int, int], int] = {}
        # What must hold before each bracket that leads to a state, and the slack of that, see `NetworkBuilder.require`.
        self.checked: dict[int, tuple[Mapping[int, Check], int]] = {}

    def text(self, value: str) -> bytes:
        """Return the spelling of a string as a value."""
        return _spell_text(value).encode()

    def name_text(self, name: str) -> bytes:
        """Return the spelling of a member's name, from after `name_quote` to the colon."""
        return _spell_text(name).encode()[1:]

    def name_texts(self, names: Iterable[str]) -> list[bytes]:
        """Return the `name_text` of each name."""
        return [self.name_text(name) for name in names]

    def spellable(self, values: Iterable[Any]) -> Iterable[Any]:
        """Return the given values that can be spelled."""
        return values

    def spellings(self, values: Iterable[Any]) -> list[bytes]:
        """Return every way to write one of the values, which are scalars or empty."""
        found: list[bytes] = []
        for value in values:
            if type(value) is str:
                found.append(self.text(value))
            elif value is None or type(value) is bool:
                found += self.literals[0 if value is None else 2 - value]
            elif isinstance(value, Decimal):
                found += _decimal_spellings(value)
            else:
                found.append(_spell(value).encode())
        return found

    def gap(self, source: int, target: int) -> None:
        """Emit optional whitespace after ``{ [ ,`` and before ``} ]``."""
        builder = self._builder
        if self.name == "any":
            builder.epsilon(source, builder.span(_BLANKS, 0, None, target))
            return
        if self.name == "bounded":
            builder.gap(source, target, self.indent)
        else:
            builder.epsilon(source, target)

    def loose_gap(self, source: int) -> int:
        """Emit optional whitespace that only the layout "any" has; return the state after it."""
        if self.name != "any":
            return source
        target = self._builder.state()
        self.gap(source, target)
        return target

    def comma(self, source: int, target: int) -> None:
        """Emit a comma with the whitespace around it."""
        after = self._builder.state()
        self._builder.byte(self.loose_gap(source), _COMMA, _COMMA, after)
        self.gap(after, target)

    def colon(self, source: int, target: int) -> None:
        """Emit a colon with the whitespace around it: in the layout "bounded" an optional space after it."""
        after = self._builder.state()
        self._builder.byte(self.loose_gap(source), _COLON, _COLON, after)
        if self.name != "bounded":
            self.gap(after, target)
            return
        self._builder.epsilon(after, target)
        self._builder.byte(after, _SPACE, _SPACE, target)

    def frame(self, brackets: bytes, start: int, end: int, first: int, done: int, may_be_empty: bool) -> None:
        """Emit the brackets of an object or array from `start` to `end`; its content is from `first` to `done`."""
        builder = self._builder
        opening, closing = brackets
        if self.is_bounded and end not in self.checked:
            # The same as below in fewer steps, since every object and most arrays are made here.
            opened, before = builder.states(2), self.closing(closing, end)
            builder.write((
                op.BYTE, start, opening | opening << 8, opened, op.GAP, opened, first, opened + 1, self.indent,
                op.BRANCH, done, 3, closing, end, _SPACE, before, _NEWLINE, before + 1,
            ))  # fmt: skip
            if may_be_empty:
                builder.write((op.BRANCH, opened, 3, closing, end, _SPACE, before, _NEWLINE, before + 1))
            return
        opened = builder.state()
        builder.byte(start, opening, opening, opened)
        if may_be_empty:
            self.close(opened, closing, end)
        self.gap(opened, first)
        self.close(done, closing, end)

    def close(self, state: int, byte: int, end: int) -> None:
        """Emit the closing bracket at the state, with whitespace before it."""
        before = self.closing(byte, end)
        if end in self.checked:
            checks, slack = self.checked[end]
            closed = self._builder.state()
            self._builder.epsilon(state, self._builder.require(checks[byte], closed, slack))
            state = closed
        if self.is_bounded:
            self._builder.branch(state, byte, end, _SPACE, before, _NEWLINE, before + 1)
        else:
            self._builder.epsilon(state, before)

    def closing(self, byte: int, end: int) -> int:
        """Return the shared state before the bracket, see `closings`."""
        if (byte, end) not in self.closings:
            self.closings[byte, end] = self._build_closing(byte, end)
        return self.closings[byte, end]

    def _build_closing(self, byte: int, end: int) -> int:
        builder = self._builder
        before = builder.states(2 if self.is_bounded else 1)
        builder.byte(before, byte, byte, end)
        if self.is_bounded:
            builder.call(before + 1, self.indent, before)
        return builder.span(_BLANKS, 0, None, before) if self.name == "any" else before

    def _build_indent(self, start: int) -> None:
        builder = self._builder
        builder.epsilon(start, builder.span(_SPACES, 0, _MAX_SPACES, builder.end()))
        builder.epsilon(start, builder.span(_TABS, 0, _MAX_TABS, builder.end()))


def _decimal_spellings(value: Decimal) -> list[bytes]:
    """Return the number as Python and as JavaScript write it."""
    spelled = repr(float(value)) if abs(value) <= LARGEST else f"{value:f}"
    found = [spelled, spelled.replace("e-0", "e-")]
    if -7 <= value.adjusted() < MAX_INTEGER_DIGITS:
        found += [f"{value:f}", *([str(int(value))] if value == int(value) else [])]
    return list(dict.fromkeys(map(str.encode, found)))
