"""Multiples of a number, as automata over the digits of decimals."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import lcm

from grammars.byte_bounded_cache import remembered
from grammars.errors import UnsupportedError
from grammars.frontends.json.meaning.digits import MAX_FRACTION_DIGITS
from grammars.frontends.regex import Language, language_of
from grammars.frontends.regex.charset import of
from grammars.frontends.regex.dfa import Dfa

# Decimals of at most a given number of significant digits are the shortest that are read as their double.
EXACT_DIGITS = 15
BELOW_ONE = Decimal("0.9999999999999999")
"""The largest double that is less."""
_MAX_REMAINDERS = 512
MAX_STATES = 20_000
_MAX_EXPONENT, _EXPONENT_STATES = 29, 6
# Digits that are enough to write a double, and bits of its fraction.
_DIGITS, _BITS = 17, 52


def places_of(value: Decimal) -> int:
    """Return the most decimal places of a multiple of the number."""
    return max(0, -int(value.normalize().as_tuple().exponent))


def whole_step(value: Decimal) -> int:
    """Return the number of which the multiples of another that are whole are the multiples."""
    return value.as_integer_ratio()[0]


def together(multiples: tuple[Decimal, ...]) -> tuple[Decimal, ...]:
    """Numbers with the same common multiples: one for all, where it is small."""
    places = max(map(places_of, multiples), default=0)
    common = lcm(*[int(m.scaleb(places)) for m in multiples])
    return (Decimal(common).scaleb(-places),) if multiples and common <= _MAX_REMAINDERS else multiples


def least(divisors: tuple[Decimal, ...]) -> tuple[Decimal, ...]:
    """Return the numbers that no other divides: a multiple of any number is one of these."""
    distinct = dict.fromkeys(map(Decimal.normalize, divisors))
    return tuple([m for m in distinct if not any(m != other and divides(other, m) for other in distinct)])


def divides(one: Decimal, other: Decimal) -> bool:
    """True if the second number is a multiple of the first."""
    return (Fraction(other) / Fraction(one)).denominator == 1


def is_power_of_ten(value: Decimal) -> bool:
    """True if the number is one, a tenth, a hundredth and so on."""
    return value == Decimal(1).scaleb(-places_of(value))


def multiples_of(value: Decimal) -> Language:
    """Decimals that are multiples of the number, by their digits; exponents are of -1 to -29 or there is none.

    Of what ends with zeros after the point and has an exponent some may be missing.

    Raises:
        UnsupportedError: the automaton would be too large.
    """
    places = places_of(value)
    scaled = int(value.scaleb(places))
    if scaled > _MAX_REMAINDERS:
        raise UnsupportedError(f"multipleOf {value}")
    return Language(None, _divisible(scaled, places))


@cache
def exact() -> Language:
    """Decimals of at most 15 significant digits, zeros at the end left out; there are none before an exponent."""
    most = EXACT_DIGITS
    rows = [f"[1-9][0-9]{{{n - 1}}}(\\.[0-9]{{0,{most - n}}}0{{0,{MAX_FRACTION_DIGITS}}})?" for n in range(1, most + 1)]
    tree = "|".join([*rows, f"0(\\.0{{0,{MAX_FRACTION_DIGITS}}}([1-9][0-9]{{0,{most - 1}}}0{{0,{most}}})?)?"])
    tree += f"|[1-9](\\.[0-9]{{0,{most - 2}}}[1-9])?[eE]-(0?[1-9]|[12][0-9])"
    return language_of(f"-?(?:{tree})", "ecma", False)


@remembered()
def _divisible(divisor: int, places: int) -> Dfa:
    """Decimals, with an optional sign, that are multiples of the divisor over ten to the power of `places`."""
    atoms = [of(str(digit)) for digit in range(10)] + [of("-"), of("."), of("eE")]
    # A state is a remainder and the number of digits after the point; -1: there is no point yet.
    numbers = {(remainder, behind): 0 for behind in range(-1, places + 1) for remainder in range(divisor)}
    numbers.update({state: index + 1 for index, state in enumerate(numbers)})
    first = 1 + len(numbers)  # of those after exponents' letters
    table = [[numbers[digit % divisor, -1] for digit in range(10)] + [0, -1, -1]]
    accepting = [False]
    for remainder, behind in numbers:
        following = behind if behind < 0 else behind + 1
        row = [numbers.get(((remainder * 10 + digit) % divisor, following), -1) for digit in range(10)]
        if behind == places:
            row = [numbers[remainder, behind], *([-1] * 9)]
        room = places - max(behind, 0)
        most = _smallest_exponent(remainder, divisor, room)
        exponent = first + _EXPONENT_STATES * (most - 1) if most > 0 else -1
        table.append([*row, -1, numbers[remainder, 0] if behind < 0 else -1, exponent])
        accepting.append(remainder * 10**room % divisor == 0)
    for most in range(1, _MAX_EXPONENT + 1):
        # The letter, the sign, a zero, one, two, the last digit.
        sign, zero, one, two, end = (len(table) + i for i in range(1, _EXPONENT_STATES))
        short = [-1, *(end if digit <= most else -1 for digit in range(1, 10))]
        after = [[end if 10 * tens + digit <= most else -1 for digit in range(10)] for tens in (1, 2)]
        table += [[-1] * 10 + [sign, -1, -1], [zero, one, two if most > 1 else -1, *short[3:], -1, -1, -1]]
        table += [[*each, -1, -1, -1] for each in (short, *after, [-1] * 10)]
        accepting += [False, False, False, True, True, True]
    return Dfa(atoms, table, accepting).minimized()


def _smallest_exponent(remainder: int, divisor: int, room: int) -> int:
    """Return how often a number times ten to the power of `room` can be divided by ten and stay a multiple."""
    most = min(room, _MAX_EXPONENT)
    while most > 0 and remainder * 10 ** (room - most) % divisor:
        most -= 1
    return most


# What may follow a point: the digits of the least and of the largest fraction, zeros at the end left out (None: any
# digits are within that bound), how many digits may come, and whether some have come.
_Rest = tuple[str | None, str | None, int, bool]
_START, _SIGNED = -1, -2


@cache
def not_whole() -> Language:
    """Decimals without exponents that are read as doubles which are no whole numbers."""
    atoms = [of(str(digit)) for digit in range(10)] + [of("-"), of(".")]
    # A state is what follows a point, or a whole part, merged with all that allow the same continuation.
    queue: list[int | _Rest] = [_START]
    known: dict[int | _Rest, int] = {_START: 0}
    wholes: dict[tuple[tuple[int, int], ...], int] = {}
    table, accepting = [], []
    for state in queue:
        targets: list[int | _Rest | None] = [None] * len(atoms)
        if isinstance(state, tuple):
            targets[:10] = [_after_digit(state, digit) for digit in "0123456789"]
        else:
            if state:
                longer = [max(state, 0) * 10 + digit for digit in range(10)]
                targets[:10] = [wholes.setdefault(_powers_within(n), n) if n < 1 << _BITS else None for n in longer]
            targets[10:] = [_SIGNED if state == _START else None, _rest_of(state) if state >= 0 else None]
        row = []
        for target in targets:
            if target is not None and target not in known:
                known[target] = len(queue)
                queue.append(target)
            row.append(-1 if target is None else known[target])
        table.append(row)
        accepting.append(isinstance(state, tuple) and state[0] is None and state[3])
    return Language(None, Dfa(atoms, table, accepting).minimized())


def _powers_within(whole: int) -> tuple[tuple[int, int], ...]:
    """For each number of further digits: the power of two that the numbers are beyond, and which reach the next one."""
    found, width = [], 1
    while whole and whole * width < 1 << _BITS:
        power = 1 << (whole * width).bit_length()
        found.append((power, max(whole * width + width - power, 0)))
        width *= 10
    return tuple(found)


def _rest_of(whole: int) -> _Rest:
    """Fractions that are nearer to a double that is not whole than to one that is."""
    if not whole:
        return "1".rjust(MAX_FRACTION_DIGITS, "0"), str(BELOW_ONE)[2:], MAX_FRACTION_DIGITS, False
    places = _DIGITS - len(str(whole))
    # Between two powers of two, doubles have the same distance.
    nearest = (10**places << whole.bit_length()) // (4 << _BITS) + 1
    least, most = [f"{number:0{places}d}".rstrip("0") for number in (nearest, 10**places - nearest)]
    return least, most, places, False


def _after_digit(rest: _Rest, digit: str) -> _Rest | None:
    low, high, room, _ = rest
    if not room or digit < (low or "0")[0] or (high is not None and digit > (high or "0")[0]):
        return None
    if low is not None:
        low = (low[1:] or None) if digit == low[0] else None
    if high is not None:
        high = high[1:] if digit == (high or "0")[0] else None
    return low, high, room - 1, True
