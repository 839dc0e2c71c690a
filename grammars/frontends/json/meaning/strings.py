"""String constraints as languages, and their network."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from grammars.byte_bounded_cache import remembered
from grammars.errors import GrammarError, InvalidGrammarError, TooComplexError, UnsupportedError
from grammars.frontends.json.meaning import formats
from grammars.frontends.json.meaning.patterns import pattern_content
from grammars.frontends.json.meaning.type_bounds import TypeBounds
from grammars.frontends.regex import Language, language_of
from grammars.frontends.regex.emit import spell
from grammars.frontends.regex.syntax import ANYTHING
from grammars.limits import Limits
from grammars.network import operations as op
from grammars.network.builder import NetworkBuilder
from grammars.network.fragment import Fragment
from grammars.vocabulary.units import UnitClass

# Lengths, then patterns and formats that hold or not.
Content = tuple[int, int | None, tuple[tuple[str, bool], ...], tuple[tuple[str, bool], ...]]
# What no automaton says: patterns of which nothing else is said.
_PATTERNS_ALONE: Content = 0, None, (), (("regex", True),)
_EVERYTHING = Language(ANYTHING)
_QUOTE = 0x22
# Patterns that are refused together: one automaton for all, rather than one for each, where it is small.
_MAX_JOINED_LENGTH = 1_000
_MAX_JOINED_STATES = 400


def pattern_language(pattern: str, where: str, limits: Limits) -> Language:
    """Return the strings in which a JSON Schema pattern is found.

    Raises:
        GrammarError: what is wrong with the pattern, with the place in the schema.
    """
    if len(pattern) > limits.max_pattern_length:
        raise TooComplexError("max_pattern_length", len(pattern), limits.max_pattern_length, where)
    try:
        return language_of(pattern, "ecma", True, limits)
    except InvalidGrammarError as error:
        raise InvalidGrammarError(f"{error.message} in the pattern ({error.where})", where) from None
    except UnsupportedError as error:
        raise UnsupportedError(f"{error.what} in a pattern ({error.where})", where) from None
    except TooComplexError as error:
        raise TooComplexError(error.limit, error.value, error.maximum, where) from None


def language(bounds: TypeBounds, limits: Limits, *, is_wide: bool = False) -> Language:
    """Return the strings that the alternative allows, but for its excluded values.

    Args:
        is_wide: take each format for more than it is, so that no string of the alternative is missing.

    Raises:
        UnsupportedError: the keywords cannot be combined within the limits.
    """
    for pattern, _, place in bounds.patterns:
        pattern_language(pattern, place, limits)
    try:
        return _language(*content_key(bounds), limits, is_wide)
    except GrammarError as error:
        raise UnsupportedError("this combination of pattern, format and lengths", _place_of(bounds)) from error


def plainly_meet(first: TypeBounds, second: TypeBounds, limits: Limits) -> bool:
    """True if a text made of examples of the alternatives' patterns is in both, which have patterns and no formats.

    Raises:
        GrammarError: what is wrong with a pattern.
    """
    signs = dict.fromkeys([(name, holds) for bounds in (first, second) for name, holds, _ in bounds.patterns])
    patterns = [(pattern_language(name, "", limits), holds) for name, holds in signs]
    examples = [pattern.example for pattern, holds in patterns if holds]
    texts = [text for text in examples if text is not None]
    if first.formats or second.formats or len(texts) < len(examples):
        return False
    low, highs = max(first.min_length, second.min_length), (first.max_length, second.max_length)
    for text in dict.fromkeys((*texts, "".join(texts), "".join(reversed(texts)))):
        fits = len(text) >= low and all(high is None or len(text) <= high for high in highs)
        if fits and all(pattern.accepts(text, limits.max_pattern_states) == holds for pattern, holds in patterns):
            return True
    return False


def content_key(bounds: TypeBounds) -> Content:
    """Return a key that is equal for alternatives that allow the same strings."""
    # Most strings have one of both.
    patterns = tuple([(pattern, holds) for pattern, holds, _ in bounds.patterns]) if bounds.patterns else ()
    formats_ = tuple([(name, holds) for name, holds, _ in bounds.formats]) if bounds.formats else ()
    return bounds.min_length, bounds.max_length, patterns, formats_


def content_language(key: Content, limits: Limits) -> Language:
    """Return the strings of alternatives with this key, see `content_key`.

    Raises:
        TooComplexError: the keywords cannot be combined within the limits.
    """
    return _language(*key, limits, is_wide=False)


@remembered()
def _language(
    low: int,
    high: int | None,
    patterns: tuple[tuple[str, bool], ...],
    names: tuple[tuple[str, bool], ...],
    limits: Limits,
    is_wide: bool,
) -> Language:
    found, limit = _EVERYTHING, limits.max_pattern_states
    for name, holds in names:
        if is_wide:
            asserted = formats.wide(name) if holds else None
        else:
            asserted = formats.bounded(name, high) if holds else formats.complement(name)
        if asserted is not None:
            found = found.intersect(asserted, limit)
    if patterns:
        found = found.intersect(conjunction(patterns, limits), limit)
    return found.with_lengths(low, high)


def conjunction(patterns: tuple[tuple[str, bool], ...], limits: Limits) -> Language:
    """Return the strings in which each pattern is found, or (False) is not."""
    if len(patterns) == 1 and patterns[0][1]:
        return pattern_language(patterns[0][0], "", limits)
    return _conjunction(patterns, limits)


@remembered()
def _conjunction(patterns: tuple[tuple[str, bool], ...], limits: Limits) -> Language:
    found, limit = _EVERYTHING, limits.max_pattern_states
    unwanted = [pattern for pattern, holds in patterns if not holds]
    joined = _joined(unwanted, limits) if len(unwanted) > 1 else None
    if joined is not None:
        patterns = (*[row for row in patterns if row[1]], (joined, False))
    for pattern, holds in patterns:
        other = pattern_language(pattern, "", limits)
        found = found.intersect(other if holds else other.complement(limit), limit)
    return found


def _joined(patterns: list[str], limits: Limits) -> str | None:
    """Return a pattern that is found where any of these is, if its automaton is small; else None."""
    joined = "|".join([f"(?:{pattern})" for pattern in patterns])
    if len(joined) <= _MAX_JOINED_LENGTH:
        with suppress(GrammarError):
            pattern_language(joined, "", limits).dfa(_MAX_JOINED_STATES)
            return joined
    return None


def emit_strings(builder: NetworkBuilder, bounds: TypeBounds, start: int, end: int) -> None:
    """Emit the alternative's strings, quotes and all, from `start` to `end`."""
    limits = builder.limits
    if bounds.max_length is not None and bounds.max_length < bounds.min_length:
        return
    words = [value for value in bounds.excluded if isinstance(value, str)] if bounds.excluded else []
    body = builder.states(2)
    close = body + 1
    quotes = op.BYTE, start, _QUOTE | _QUOTE << 8, body, op.BYTE, close, _QUOTE | _QUOTE << 8, end
    is_counted = bool(bounds.min_length) or bounds.max_length is not None
    if not bounds.patterns and not bounds.formats and not (words and is_counted):
        builder.write(quotes)
        span = builder.span(UnitClass.JSON_STRING, bounds.min_length, bounds.max_length, close)
        emit_excluding(builder, words, body, span)
        return
    if not words:
        content = content_key(bounds)
        if (fragment := _content.known(content, limits)) is None:
            language(bounds, limits)
            with combined_at(_place_of(bounds)):
                fragment = _content(content, limits)
        rule = builder.grafted(("json content", content), fragment)
        builder.write((*quotes, op.CALL, body, rule, close))
        return
    builder.write(quotes)
    allowed = language(bounds, limits).without(words, limits.max_pattern_states)
    if not allowed.is_empty(limits.max_pattern_states):
        with combined_at(_place_of(bounds)):
            builder.epsilon(body, allowed.emit(builder, close, escaped=True))


@remembered()
def _content(key: Content, limits: Limits) -> Fragment:
    """Return the rule, at state 0, of a string's content, shared by all places and schemas that allow the same."""
    if key == _PATTERNS_ALONE:
        return pattern_content(limits)
    return fragment_of(_language(*key, limits, is_wide=False), limits, escaped=True)


def fragment_of(allowed: Language, limits: Limits, *, escaped: bool) -> Fragment:
    """Return the rule, at state 0, of the texts; it has no other state if there are none."""
    builder = NetworkBuilder(limits)
    start = builder.rule()
    if not allowed.is_empty(limits.max_pattern_states):
        builder.epsilon(start, allowed.emit(builder, builder.end(), escaped=escaped))
    return builder.fragment()


def content_rule(builder: NetworkBuilder, allowed: Language) -> int:
    """Return the rule of the content of a string that is one of the texts."""
    return builder.grafted(("json content", allowed), _content_of(allowed, builder.limits))


@remembered()
def _content_of(allowed: Language, limits: Limits) -> Fragment:
    """Return the rule, at state 0, of the content, shared by all schemas with the same language."""
    return fragment_of(allowed, limits, escaped=True)


@contextmanager
def combined_at(where: str) -> Iterator[None]:
    """Name the place in the schema if automata become too large."""
    try:
        yield
    except TooComplexError as error:
        if error.limit != "max_pattern_states":
            raise
        raise UnsupportedError("this combination of pattern, format and lengths", where) from error


def _place_of(bounds: TypeBounds) -> str:
    """Return the pointer of the alternative's last pattern or format."""
    return bounds.patterns[-1][2] if bounds.patterns else bounds.formats[-1][2] if bounds.formats else ""


def emit_excluding(builder: NetworkBuilder, words: Iterable[str], body: int, span: int) -> None:
    """Emit from `body` what `span` (any JSON string's content) consumes, except these words before a closing quote.

    The words form a trie whose states fall back to the span. A character that is spelled in several bytes is
    branched on as a whole: the span cannot be entered in its middle.
    """
    words = list(words)
    if _is_plain("".join(words)):
        builder.excluding(body, [word.encode() + b'"' for word in words], span)
        return
    trie: dict[str, dict] = {}  # type: ignore[type-arg]
    for word in words:
        node = trie
        for character in word:
            node = node.setdefault(character, {})
        node[""] = {}
    stack = [(body, trie)]
    while stack:
        state, node = stack.pop()
        builder.otherwise(state, span)
        if "" in node:
            builder.dead(state, _QUOTE, _QUOTE)
        longer: dict[int, list[tuple[bytes, dict[str, dict]]]] = {}  # type: ignore[type-arg]
        for character, child in node.items():
            if not character:
                continue
            if _is_plain(character):
                target, byte = builder.state(), ord(character)
                builder.byte(state, byte, byte, target)
                stack.append((target, child))
            else:
                spelled = spell(character, escaped=True)
                longer.setdefault(spelled[0], []).append((spelled, child))
        for lead, spellings in longer.items():
            _emit_other_units(builder, state, span, lead, [spelled for spelled, _ in spellings])
            for spelled, child in spellings:
                stack.append((builder.literal(state, spelled), child))


def _is_plain(text: str) -> bool:
    """True if every character is spelled as one byte."""
    return text.isascii() and text.isprintable() and '"' not in text and "\\" not in text


def _emit_other_units(builder: NetworkBuilder, state: int, span: int, lead: int, spelled: list[bytes]) -> None:
    """Emit characters whose spelling starts with `lead`, except those with these spellings."""
    taken = {_code(spelling) for spelling in spelled}
    if lead == ord("\\"):
        codes = [*range(0x20), 0x22, 0x5C]
        ranges = [(code, code) for code in codes if code not in taken]
    else:
        size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        bits = lead & (0xFF >> (size + 1))
        low, high = bits << (6 * (size - 1)), (bits + 1 << (6 * (size - 1))) - 1
        low, high = max(low, (0, 0, 0x80, 0x800, 0x10000)[size]), min(high, 0x10FFFF)
        ranges = []
        for code in sorted(taken):
            ranges.append((low, code - 1))
            low = code + 1
        ranges.append((low, high))
        ranges = [(first, last) for first, last in ranges if first <= last]
    if ranges:
        builder.unit(state, UnitClass.from_ranges(ranges, json_escaped=True), span)


def _code(spelling: bytes) -> int:
    return ord(json.loads(b'"' + spelling + b'"'))
