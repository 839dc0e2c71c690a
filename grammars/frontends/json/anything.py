"""Every JSON text there is, in every spelling: what validation starts from."""

from __future__ import annotations

from grammars.frontends.json.arrays import emit_array
from grammars.frontends.json.layout import Layout
from grammars.frontends.json.objects import emit_object
from grammars.frontends.regex import language_of
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.network.units import Spelling, UnitClass

_QUOTE = 0x22
_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
_HEX: tuple[tuple[int, int], ...] = ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66))


def _string_units() -> UnitClass:
    """Characters of a JSON string: as they are, or escaped in any way that JSON knows."""
    plain = [(0x20, 0x21), (0x23, 0x5B), (0x5D, 0x10FFFF)]
    spellings: list[Spelling] = list(UnitClass.spellings_of(plain))
    spellings += [((0x5C, 0x5C), (byte, byte)) for byte in b'"\\/bfnrt']
    digits: list[Spelling] = [()]
    for _ in range(4):
        digits = [(*head, last) for head in digits for last in _HEX]
    return UnitClass.from_spellings([*spellings, *(((0x5C, 0x5C), (0x75, 0x75), *rest) for rest in digits)])


_STRING = _string_units()


def any_value(builder: NetworkBuilder, layout: Layout) -> int:
    """The rule of every JSON value; whitespace stands inside it, as the layout says, not around it."""
    return builder.shared_rule("json anything", lambda start: _build(builder, layout, start))


def _build(builder: NetworkBuilder, layout: Layout, start: int) -> None:
    end = builder.state()
    builder.accept(end)
    for word in (b"null", b"true", b"false"):
        builder.literal(start, word, end)
    _emit_string(builder, start, end)
    limits = Limits()
    number = language_of(_NUMBER, "ecma", False, limits.max_depth, limits.max_pattern_states)
    builder.epsilon(start, number.emit(builder, end, escaped=False))
    emit_array(builder, layout, [], start, 0, None, start, end)
    emit_object(builder, layout, [], _member(builder, layout, start), 0, None, start, end)


def _emit_string(builder: NetworkBuilder, start: int, end: int) -> None:
    close = builder.state()
    builder.byte(close, _QUOTE, _QUOTE, end)
    builder.byte(start, _QUOTE, _QUOTE, builder.span(_STRING, 0, None, close))


def _member(builder: NetworkBuilder, layout: Layout, value_rule: int) -> int:
    """The rule of a member, from behind the quote that opens its name."""
    start, close, colon, value, end = (builder.state() for _ in range(5))
    builder.epsilon(start, builder.span(_STRING, 0, None, close))
    builder.byte(close, _QUOTE, _QUOTE, colon)
    layout.colon(colon, value)
    builder.call(value, value_rule, end)
    builder.accept(end)
    return start
