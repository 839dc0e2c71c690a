"""Multiples of a number, as automata over the digits of decimals."""

from __future__ import annotations

from decimal import Decimal
from math import lcm

from grammars.errors import TooComplexError, UnsupportedError
from grammars.frontends.regex import Language
from grammars.frontends.regex.charset import of
from grammars.frontends.regex.dfa import Dfa
from grammars.frontends.regex.parser import parse
from grammars.weighted import remembered

MAX_FRACTION_DIGITS = 20
# Decimals of at most this many significant digits keep their order when they become doubles.
SAFE_DIGITS = 15
MAX_REMAINDERS = 512
MAX_STATES = 20_000


def is_whole(value: Decimal) -> bool:
    """Whether the number has no fraction."""
    return value == value.to_integral_value()


def places_of(value: Decimal) -> int:
    """How many digits of a multiple of the number, behind the point, may be others than zero."""
    return max(0, -int(value.normalize().as_tuple().exponent))


def together(multiples: tuple[Decimal, ...]) -> tuple[Decimal, ...]:
    """Numbers with the same common multiples: one for all whole ones, where it is small."""
    whole = [m for m in multiples if is_whole(m)]
    if len(whole) < 2 or max(whole) > MAX_REMAINDERS or (common := lcm(*map(int, whole))) > MAX_REMAINDERS:
        return multiples
    return (Decimal(common), *[m for m in multiples if not is_whole(m)])


def least(divisors: tuple[Decimal, ...]) -> list[Decimal]:
    """Those of the whole numbers of which no other divides them: what is a multiple of any is one of any of these."""
    distinct = dict.fromkeys(divisors)
    return [m for m in distinct if not any(m != other and m % other == 0 for other in distinct)]


def only_multiples(found: Language, of_number: Decimal) -> Language:
    """The spellings in `found` of multiples of the number.

    Args:
        found: whose decimals have no other digits than zeros behind as many places as the number has.
    """
    places = places_of(of_number)
    try:
        if is_whole(of_number):
            if of_number > MAX_REMAINDERS:
                raise UnsupportedError(f"multipleOf {of_number}")
            return found.intersect(Language(None, divisible(int(of_number))), MAX_STATES)
        scaled = int(of_number.scaleb(places))
        if scaled <= MAX_REMAINDERS and of_number.as_integer_ratio()[1].bit_count() == 1:
            # Exact as doubles too: the factor is, and so are decimals of that few digits that it divides.
            exact = Language(None, _divisible_decimals(scaled, places))
            short = _decimals(f"{{1,{SAFE_DIGITS - places}}}", places)
            return found.intersect(exact, MAX_STATES).intersect(short, MAX_STATES)
    except TooComplexError as error:
        raise UnsupportedError(f"multipleOf {of_number} within these bounds") from error
    raise UnsupportedError(f"multipleOf {of_number}")


@remembered()
def _decimals(whole: str, places: int) -> Language:
    """Decimals with so many digits before the point, as a pattern counts them, and so many that count behind it."""
    return Language(parse(rf"-?[0-9]{whole}(\.[0-9]{{1,{places}}}0{{0,{MAX_FRACTION_DIGITS}}})?", "ecma"))


@remembered()
def divisible(divisor: int) -> Dfa:
    """Integers, with an optional sign, that the divisor divides."""
    atoms = [of(str(digit)) for digit in range(10)] + [of("-")]
    table = [[(remainder * 10 + digit) % divisor + 1 for digit in range(10)] + [-1] for remainder in range(divisor)]
    start = [digit % divisor + 1 for digit in range(10)] + [0]
    return Dfa(atoms, [start, *table], [False] + [remainder == 0 for remainder in range(divisor)]).minimized()


@remembered()
def _divisible_decimals(divisor: int, places: int) -> Dfa:
    """Decimals, with an optional sign, that are multiples of the divisor over ten to the power of `places`."""
    atoms = [of(str(digit)) for digit in range(10)] + [of("-"), of(".")]
    # A state is a remainder and how many digits stand behind the point; -1: there is none yet.
    numbers = {(remainder, behind): 0 for behind in range(-1, places + 1) for remainder in range(divisor)}
    numbers.update({state: index + 1 for index, state in enumerate(numbers)})
    table = [[numbers[digit % divisor, -1] for digit in range(10)] + [0, -1]]
    accepting = [False]
    for remainder, behind in numbers:
        following = behind if behind < 0 else behind + 1
        row = [numbers.get(((remainder * 10 + digit) % divisor, following), -1) for digit in range(10)]
        if behind == places:
            row = [numbers[remainder, behind], *([-1] * 9)]
        table.append([*row, -1, numbers[remainder, 0] if behind < 0 else -1])
        accepting.append(behind != 0 and remainder * 10 ** (places - max(behind, 0)) % divisor == 0)
    return Dfa(atoms, table, accepting).minimized()
