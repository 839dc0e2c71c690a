"""Numbers within bounds as languages.

What is spelled with a fraction or an exponent means the double that it is read as, which compares as the shortest
decimal that is read as the same; other numbers are whole, exactly. Reading keeps the order of decimals. So an open
bound is the closed one at the double next to it, and what is spelled between two doubles is read as one of those.

Whole numbers have at most 21 digits, or some more than a bound: doubles with more are written with exponents.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from grammars.byte_bounded_cache import remembered
from grammars.errors import UnsupportedError
from grammars.frontends.json.meaning.digits import (
    LARGEST,
    MAX_FRACTION_DIGITS,
    MAX_INTEGER_DIGITS,
    MINUS,
    fixed,
    scientific,
    whole_between,
)
from grammars.frontends.json.meaning.multiples import (
    BELOW_ONE,
    EXACT_DIGITS,
    MAX_STATES,
    divides,
    exact,
    is_power_of_ten,
    least,
    multiples_of,
    not_whole,
    places_of,
    together,
    whole_step,
)
from grammars.frontends.json.meaning.type_bounds import FRACTION, INTEGER, TypeBounds
from grammars.frontends.json.validation.value_checks import unique_after
from grammars.frontends.regex import Language
from grammars.frontends.regex.dfa import Dfa, current_effort
from grammars.frontends.regex.syntax import NOTHING, Node, alternatives, sequence
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.network.fragment import Fragment

_MAX_CUTS = 2_000
# Cost of spelling the numbers in an interval, in cells of patterns' tables.
_CELLS_A_LANGUAGE = 2_500
_MAX_BOUND_DIGITS = 100
_MAX_INTEGER = 10**MAX_INTEGER_DIGITS - 1
# Of more numbers that may be left, one is taken to be new.
_MAX_ENDINGS, _MAX_LOOKS = 16, 1_000
_SMALLEST = Decimal("5E-324")
_LAST_PLACE = Decimal(1).scaleb(-MAX_FRACTION_DIGITS)

# Bounds, each with whether it is left out.
Interval = tuple[Decimal | None, bool, Decimal | None, bool]
# The least and the largest double within them, as they are written.
Doubles = tuple[Decimal, Decimal]
# Types, intervals, multiples, not multiples.
Key = tuple[int, tuple[Interval, ...], tuple[Decimal, ...], tuple[Decimal, ...]]


def emit_numbers(builder: NetworkBuilder, bounds: TypeBounds, types: int, start: int, end: int, where: str) -> None:
    """Emit the numbers that the alternative allows from `start` to `end`.

    Args:
        types: `INTEGER`, `FRACTION` or both.

    Raises:
        UnsupportedError: a multiple that no small automaton checks.
    """
    key = (types, tuple(_intervals(bounds)), bounds.multiples, bounds.not_multiples)
    try:
        rule = builder.shared.get(("json number", key))
        if rule is None:
            _count_cuts(builder, len(key[1]) - 1)
            rule = builder.shared["json number", key] = builder.graft(_fragment(key, builder.limits))
    except UnsupportedError as error:
        raise UnsupportedError(error.what, where) from None
    builder.call(start, rule, end)


def emit_new_numbers(builder: NetworkBuilder, bounds: TypeBounds, types: int, start: int, end: int, where: str) -> None:
    """Emit them as items that must be new: where few are left that can still be written, one of those has to be."""
    try:
        found = number_languages(types, tuple(_intervals(bounds)), bounds.multiples, bounds.not_multiples)
    except UnsupportedError as error:
        raise UnsupportedError(error.what, where) from None
    for dfa in [language.dfa(MAX_STATES).trimmed() for language in found]:
        num_texts = _num_texts(dfa)
        first = builder.states(len(dfa.table) or 1)
        builder.epsilon(start, first)
        entries, queue = {0: first}, [(0, "")] if len(dfa.table) else []
        for state, prefix in queue:
            if dfa.accepting[state]:
                builder.epsilon(first + state, end)
            for ranges, target in zip(dfa.atoms, dfa.table[state].tolist(), strict=True):
                if target >= 0 and target not in entries:
                    longer, entry = prefix + chr(ranges[0][0]), first + target
                    endings = _endings(dfa, target, longer) if num_texts[target] <= _MAX_LOOKS else None
                    entries[target] = entry if endings is None else builder.require(unique_after(endings), entry, 0)
                    queue.append((target, longer))
                for low, high in ranges if target >= 0 else ():
                    builder.byte(first + state, low, high, entries[target])


def _num_texts(dfa: Dfa) -> NDArray[np.float64]:
    """Return the number of texts from each state, except those with more characters than states."""
    sizes = np.array([sum(high - low + 1 for low, high in ranges) for ranges in dfa.atoms], dtype=np.float64)
    # What leads nowhere is the last one.
    found = np.zeros(len(dfa.table) + 1)
    for _ in dfa.table:
        now = np.minimum(dfa.accepting + (sizes * found[dfa.table]).sum(axis=1), _MAX_LOOKS + 1)
        if np.array_equal(now, found[:-1]):
            break
        found[:-1] = now
    return found


def _endings(dfa: Dfa, state: int, prefix: str) -> list[str] | None:
    """Return one ending for each number with the prefix that led to the state, if they are few."""
    found: dict[Decimal, str] = {}
    queue = [("", state)]
    for text, place in queue:
        if dfa.accepting[place]:
            found.setdefault(Decimal(prefix + text), text)
        if len(found) > _MAX_ENDINGS or len(queue) > _MAX_LOOKS:
            return None
        for ranges, target in zip(dfa.atoms, dfa.table[place].tolist(), strict=True):
            for low, high in ranges if target >= 0 else ():
                queue += [(text + chr(code), target) for code in range(low, high + 1)]
    return list(found.values())


def _count_cuts(builder: NetworkBuilder, more: int) -> None:
    """Bounds the numbers that are excluded by a schema: what lies between two costs about as much as a schema does."""
    total = builder.shared["json number cuts"] = builder.shared.get("json number cuts", 0) + more
    if total > _MAX_CUTS:
        raise UnsupportedError(f"the exclusion of more than {_MAX_CUTS} numbers")


@remembered()
def _fragment(key: Key, limits: Limits) -> Fragment:
    """The rule, at state 0, of number languages."""
    current_effort().spend_cells(_CELLS_A_LANGUAGE * len(key[1]), MAX_STATES)
    builder = NetworkBuilder(limits)
    start, most = builder.rule(), limits.max_pattern_states
    for found in number_languages(*key):
        if not found.is_empty(most):
            builder.epsilon(start, found.emit(builder, builder.end(), escaped=False))
    return builder.fragment()


def _intervals(bounds: TypeBounds) -> list[Interval]:
    """The bounds, cut at the excluded numbers."""
    excluded = [each for each in bounds.excluded if isinstance(each, (int, Decimal)) and not isinstance(each, bool)]
    cuts = sorted(set(map(Decimal, excluded)))
    low, low_open = bounds.low, bounds.low_open
    intervals: list[Interval] = []
    for cut in cuts:
        if low is not None and cut < low:
            continue
        if bounds.high is not None and cut > bounds.high:
            break
        intervals.append((low, low_open, cut, True))
        low, low_open = cut, True
    intervals.append((low, low_open, bounds.high, bounds.high_open))
    return intervals


def number_languages(
    types: int, intervals: tuple[Interval, ...], multiples: tuple[Decimal, ...], not_multiples: tuple[Decimal, ...]
) -> list[Language]:
    """The spellings of numbers in any of the intervals, of these types, that are multiples of all and of none.

    Raises:
        UnsupportedError: a multiple that no small automaton checks.
    """
    multiples = together(multiples)
    not_multiples = least(not_multiples if types & INTEGER else (*not_multiples, Decimal(1)))
    if any(divides(other, m) for m in multiples for other in not_multiples):
        return []
    if not multiples and not not_multiples:
        return [Language(alternatives(*(_numbers(each, has_others=bool(types & FRACTION)) for each in intervals)))]
    found = []
    if types & INTEGER:
        found.append(_whole_language(intervals, multiples, not_multiples))
    if types & FRACTION:
        doubles = [each for each in (_doubles(*interval) for interval in intervals) if each[0] <= each[1]]
        found += _multiples_among(doubles, multiples, not_multiples) if multiples else _others(doubles, not_multiples)
    return found


def _whole_language(
    intervals: Iterable[Interval], multiples: tuple[Decimal, ...], not_multiples: tuple[Decimal, ...]
) -> Language:
    """Return the numbers spelled without fraction and exponent."""
    unwanted = set(map(whole_step, not_multiples))
    if 1 in unwanted:
        return Language(NOTHING)
    found = Language(alternatives(*(_numbers(each, has_others=False) for each in intervals)))
    for step in map(whole_step, multiples):
        if step > 1:
            found = found.intersect(multiples_of(Decimal(step)), MAX_STATES)
    for step in unwanted:
        found = found.intersect(multiples_of(Decimal(step)).complement(MAX_STATES), MAX_STATES)
    return found


def _multiples_among(
    doubles: list[Doubles], multiples: tuple[Decimal, ...], not_multiples: tuple[Decimal, ...]
) -> list[Language]:
    """Multiples that are spelled with a fraction or an exponent."""
    places = min(map(places_of, multiples))
    found = Language(alternatives(*(_others_within(each, places) for each in doubles)))
    # Of tenths, hundredths and so on nothing is left to say.
    conditions = [multiples_of(m) for m in multiples if not is_power_of_ten(m)]
    conditions += [multiples_of(m).complement(MAX_STATES) for m in not_multiples]
    for condition in [*conditions, exact()] if conditions else ():
        found = found.intersect(condition, MAX_STATES)
    return [found]


def _others(doubles: list[Doubles], not_multiples: tuple[Decimal, ...]) -> list[Language]:
    """Return the numbers spelled with a fraction or an exponent, multiples of none."""
    found = []
    are_whole = all(m == m.to_integral_value() for m in not_multiples)
    if are_whole:
        if doubles == [(LARGEST.copy_negate(), LARGEST)]:
            found.append(not_whole())
        else:
            bounded = Language(alternatives(*(_fixed(each, MAX_FRACTION_DIGITS) for each in doubles)))
            found.append(bounded.intersect(not_whole(), MAX_STATES))
        most = BELOW_ONE
    else:
        most = _double_from(min(not_multiples).copy_negate(), is_open=True).copy_negate()
    # What is less than each is a multiple of none, but for zero.
    small = [(max(low, most.copy_negate()), min(high, most)) for low, high in doubles]
    found.append(Language(alternatives(*(_scientific(each, None) for each in small))))
    if not are_whole or Decimal(1) not in not_multiples:
        rest = Language(alternatives(*(_others_within(each, None) for each in doubles)))
        for condition in [*(multiples_of(m).complement(MAX_STATES) for m in not_multiples), exact()]:
            rest = rest.intersect(condition, MAX_STATES)
        found.append(rest)
        below = [(low, min(high, _LAST_PLACE.copy_negate())) for low, high in small]
        above = [(max(low, _LAST_PLACE), high) for low, high in small]
        found.append(Language(alternatives(*(_fixed(each, MAX_FRACTION_DIGITS) for each in (*below, *above)))))
    return found


def _numbers(interval: Interval, *, has_others: bool) -> Node:
    """Whole numbers within the bounds, and (`has_others`) what is spelled with a fraction or an exponent."""
    least, most = _whole_bounds(interval, is_needed=not has_others)
    if not has_others:
        return _whole(least, most)
    doubles = low, high = _doubles(*interval)
    largest = max(_MAX_INTEGER, abs(least), abs(most))
    # Where doubles are sparse, whole numbers have other bounds.
    if low <= high and max(math.ceil(low), -largest) == least and min(math.floor(high), largest) == most:
        return alternatives(_fixed(doubles, MAX_FRACTION_DIGITS, largest, is_bare=True), _scientific(doubles, None))
    return alternatives(_whole(least, most), _others_within(doubles, None))


def _whole_bounds(interval: Interval, *, is_needed: bool) -> tuple[int, int]:
    """The least and the largest whole number within the bounds that is not too long to be written."""
    low, low_open, high, high_open = interval
    sizes = [bound.adjusted() + 2 for bound in (low, high) if bound]
    largest = 10 ** max([MAX_INTEGER_DIGITS, *(size for size in sizes if size <= _MAX_BOUND_DIGITS)]) - 1
    least = -largest if low is None else max(-largest, math.ceil(low) + (low_open and low == math.ceil(low)))
    most = largest if high is None else min(largest, math.floor(high) - (high_open and high == math.floor(high)))
    if is_needed and (least > largest or most < -largest):
        raise UnsupportedError(f"whole numbers of more than {_MAX_BOUND_DIGITS} digits")
    return least, most


def _doubles(low: Decimal | None, low_open: bool, high: Decimal | None, high_open: bool) -> Doubles:
    """The least and the largest double within the bounds."""
    least = LARGEST.copy_negate() if low is None else _double_from(low, is_open=low_open)
    most = LARGEST if high is None else _double_from(high.copy_negate(), is_open=high_open).copy_negate()
    return least, most


def _double_from(bound: Decimal, *, is_open: bool) -> Decimal:
    """The least double from the bound on; infinity where there is none."""
    found = float(bound)
    if Decimal(repr(found)) == bound:
        return Decimal(repr(math.nextafter(found, math.inf))) if is_open else bound
    # A whole number that no double is.
    while min(Decimal(found), Decimal(repr(found))) < bound:
        found = math.nextafter(found, math.inf)
    return Decimal(repr(found))


def _whole(least: int, most: int) -> Node:
    """Whole numbers within the bounds."""
    options: list[Node] = []
    if most >= max(least, 0):
        options.append(whole_between(max(least, 0), most))
    if least < 0 and least <= most:
        options.append(sequence(MINUS, whole_between(max(1, -most), -least)))
    return alternatives(*options)


def _others_within(doubles: Doubles, places: int | None) -> Node:
    """Return the numbers spelled with a fraction or an exponent.

    Args:
        places: digits after the point that may be others than zero; none of them gets lost in a double. None: any.
    """
    if places is None:
        return alternatives(_fixed(doubles, MAX_FRACTION_DIGITS), _scientific(doubles, None))
    return alternatives(_fixed(doubles, places, 10**EXACT_DIGITS - 1), _scientific(doubles, places))


def _fixed(doubles: Doubles, places: int, most: int = _MAX_INTEGER, *, is_bare: bool = False) -> Node:
    """Decimals without exponents; see `digits.fixed`."""
    low, high = doubles
    zero, options = Decimal(0), []
    if low <= high and high >= 0:
        options.append(fixed(max(low, zero), high, most, places, is_bare=is_bare))
    if low <= high and low <= 0:
        below = fixed(max(high.copy_negate(), zero), low.copy_negate(), most, places, is_bare=is_bare and low < 0)
        options.append(below if below == NOTHING else sequence(MINUS, below))
    return alternatives(*options)


def _scientific(doubles: Doubles, places: int | None) -> Node:
    """Decimals with exponents, but for zero; see `digits.scientific`."""
    low, high = doubles
    below = scientific(max(high.copy_negate(), _SMALLEST), low.copy_negate(), places)
    above = scientific(max(low, _SMALLEST), high, places)
    return alternatives(above, *([] if below == NOTHING else [sequence(MINUS, below)]))
