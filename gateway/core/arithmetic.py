"""Model arithmetic: a request's scores combined with those of other prompts, adapters or models, by a formula.

    formula     = product (("+" | "-") product)*
    product     = factor ("*" factor)*
    factor      = "-" factor | number | name | operator "(" formula ("," formula)+ ")" | "(" formula ")"
                  | "plausible" "(" formula "," number ")" | "classifier" "(" name ")"
    operator    = "union" | "intersection"

Names are those of terms, `base`, the request itself, and `draft`, the draft model. Of two factors one is a number.
Classifiers are summands of the whole formula.

See: Dekoninck et al. 2023, "Controlled Text Generation via Language Model Arithmetic"; Li et al. 2022, "Contrastive
    Decoding".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gateway.errors import InvalidRequestError

Formula = tuple[int | float | str, ...]
"""A formula in reverse Polish notation: numbers of terms (0: the request itself), coefficients, which are floats, and
operators."""

Classifiers = tuple[tuple[str, float], ...]
"""Names of classifiers, with weights."""

BASE, DRAFT, PLAUSIBLE, CLASSIFIER = "base", "draft", "plausible", "classifier"
OPERATORS = ("union", "intersection", PLAUSIBLE, CLASSIFIER)
RESERVED = (BASE, DRAFT, *OPERATORS)
"""Names that no term may have."""
MAX_NAME = 32
"""Longest name of a term, in characters."""
MAX_FORMULA = 1_000
"""Longest formula, in characters."""
MAX_SYMBOLS = 100
"""Most names, numbers and signs of a formula, which is computed for every token of an answer."""
MAX_DEPTH = 20
"""Most parentheses, operators and signs around a part of a formula."""
MAX_WEIGHT = 1_000.0
"""Largest sum of the weights of a formula's terms, and largest number in it."""
MAX_SCALE = 100.0
"""Largest scale of guidance."""

_NUMBER = r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+"
_SYMBOL = re.compile(rf"{_NUMBER}|[A-Za-z_][A-Za-z0-9_]*|\S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A term of a formula: its prompt, and the adapter or model that reads it.

    Attributes:
        messages: Conversation of a chat; None: that of the request.
        keeps_turns: The messages are in the place of the request's system messages alone.
        prompt: Prompt of a completion; None: that of the request.
        is_unprompted: Its prompt is the last token of the request's.
        adapter: Name of a LoRA adapter, or of the model itself; None: that of the request.
        model: Name of another model; None: the served one.
        place: The field that it comes from, for messages.
    """

    messages: tuple[Mapping[str, Any], ...] | None = None
    keeps_turns: bool = False
    prompt: str | tuple[int, ...] | None = None
    is_unprompted: bool = False
    adapter: str | None = None
    model: str | None = None
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Arithmetic:
    """Terms beside the request itself, numbered from 1, and the formula that combines the scores of all.

    Attributes:
        classifiers: Names and weights of the classifiers whose log-probabilities are added.
    """

    formula: Formula
    terms: tuple[Term, ...]
    classifiers: Classifiers = ()


def guidance(scale: float, place: str) -> Formula:
    """Return the formula of classifier-free guidance away from term 1.

    Raises:
        InvalidRequestError: The scale is out of bounds.
    """
    if not 0 <= scale <= MAX_SCALE:
        raise InvalidRequestError(f"{place} must be between 0 and {MAX_SCALE:g}, not {scale:g}", param=place)
    return (0, 1, "-", float(scale), "*", 1, "+")


def read_formula(text: str, names: Sequence[str], place: str) -> tuple[Formula, Classifiers]:
    """Return the formula of a text, and its classifiers with their weights.

    Args:
        names: Names of the terms, in order; that of the draft model need not be used.
        place: The field that has it, for messages.

    Raises:
        InvalidRequestError: It is no formula of these terms, does not use one of them, or a bound is exceeded.
    """
    if len(text) > MAX_FORMULA:
        raise InvalidRequestError(f"{place} has {len(text)} characters; at most {MAX_FORMULA} are served", param=place)
    symbols = [(match[0], match.start()) for match in _SYMBOL.finditer(text)]
    if len(symbols) > MAX_SYMBOLS:
        raise InvalidRequestError(f"{place} has {len(symbols)} symbols; at most {MAX_SYMBOLS} are served", param=place)
    reader = _Reader([*symbols, ("", len(text))], names, place)
    found = reader.formula()
    unused = next((name for name in names if name not in (*reader.used, DRAFT)), None)
    if unused is not None:
        raise InvalidRequestError(f"{place} does not use the term {unused}", param=place)
    return found


class _Value(NamedTuple):
    """A number, or scores.

    Attributes:
        steps: Formula of scores; empty for a number.
        number: Value of a number.
        weight: Bound on the sum of the terms' weights; of a number, on its size.
        classifiers: Classifiers that are added to the scores.
    """

    steps: Formula
    number: float
    weight: float
    classifiers: Classifiers = ()

    @property
    def is_number(self) -> bool:
        """True unless it has scores."""
        return not (self.steps or self.classifiers)


class _Reader:
    """Reader of one formula, from left to right.

    Attributes:
        used: Names of the terms that were read.
    """

    def __init__(self, symbols: Sequence[tuple[str, int]], names: Sequence[str], place: str) -> None:
        """Args: symbols: Symbols with their positions, an empty one at the end."""
        self._symbols = symbols
        self._numbers = {name: number for number, name in enumerate((BASE, *names))}
        self._place = place
        self._next = 0
        self._depth = 0
        self.used = set[str]()

    def formula(self) -> tuple[Formula, Classifiers]:
        """Return the whole text as a formula and its classifiers."""
        value = self._sum()
        if not value.steps:
            raise self._fault("a number is no formula; it needs at least one term")
        self._expect("", "an operator or the end")
        return value.steps, value.classifiers

    def _sum(self) -> _Value:
        value = self._product()
        while (sign := self._symbol) in ("+", "-"):
            self._next += 1
            right = self._product()
            if value.is_number is not right.is_number:
                raise self._fault("a number can be a factor of a term, and not added to one")
            if sign == "-":
                right = _Value(right.steps, -right.number, right.weight, _scaled(right.classifiers, -1.0))
            if value.steps and right.steps:
                steps: Formula = (*value.steps, *right.steps, sign)
            else:
                steps = value.steps or (right.steps if sign == "+" or not right.steps else (*right.steps, -1.0, "*"))
            classifiers = value.classifiers + right.classifiers
            weight = value.weight + right.weight
            value = self._bounded(_Value(steps, value.number + right.number, weight, classifiers))
        return value

    def _product(self) -> _Value:
        value = self._factor()
        while self._symbol == "*":
            self._next += 1
            value = self._times(value, self._factor())
        return value

    def _times(self, left: _Value, right: _Value) -> _Value:
        if not (left.is_number or right.is_number):
            raise self._fault("one of two factors must be a number")
        scores, factor = (right, left) if left.is_number else (left, right)
        steps = (*scores.steps, factor.number, "*") if scores.steps else ()
        classifiers = _scaled(scores.classifiers, factor.number)
        return self._bounded(_Value(steps, left.number * right.number, left.weight * right.weight, classifiers))

    def _factor(self) -> _Value:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._fault(f"more than {MAX_DEPTH} levels are not served")
        symbol = self._symbol
        if re.fullmatch(_NUMBER, symbol):
            value = self._bounded(_Value((), float(symbol), float(symbol)))
        elif symbol in self._numbers:
            self.used.add(symbol)
            value = _Value((self._numbers[symbol],), 0.0, 1.0)
        elif symbol not in ("-", "(", *OPERATORS):
            raise self._fault(
                f"{symbol or 'the end'!r} where a number or one of {', '.join(self._numbers)} is expected"
            )
        self._next += 1
        if symbol == "-":
            value = self._times(self._factor(), _Value((), -1.0, 1.0))
        elif symbol == "(":
            value = self._sum()
            self._expect(")", "')'")
        elif symbol == PLAUSIBLE:
            value = self._plausible()
        elif symbol == CLASSIFIER:
            value = self._classifier()
        elif symbol in OPERATORS:
            value = self._operator(symbol)
        self._depth -= 1
        return value

    def _operator(self, name: str) -> _Value:
        self._expect("(", f"'(' after {name}")
        value, is_first = self._sum(), True
        while is_first or self._symbol == ",":
            is_first = False
            self._expect(",", "','")
            right = self._sum()
            if not (value.steps and right.steps) or value.classifiers or right.classifiers:
                raise self._fault(f"{name} is of terms, not of numbers or classifiers")
            value = _Value((*value.steps, *right.steps, name), 0.0, max(value.weight, right.weight))
        self._expect(")", "')'")
        return value

    def _plausible(self) -> _Value:
        self._expect("(", f"'(' after {PLAUSIBLE}")
        scores = self._sum()
        self._expect(",", "','")
        share = self._sum()
        if not scores.steps or scores.classifiers or not share.is_number or not 0 < share.number <= 1:
            raise self._fault(f"{PLAUSIBLE} is of a term and a number above 0, up to 1")
        self._expect(")", "')'")
        return _Value((*scores.steps, share.number, PLAUSIBLE), 0.0, 1.0)

    def _classifier(self) -> _Value:
        self._expect("(", f"'(' after {CLASSIFIER}")
        name = self._symbol
        if not name.isidentifier() or len(name) > MAX_NAME:
            raise self._fault(f"{CLASSIFIER} is of a name of at most {MAX_NAME} letters, digits and underscores")
        self._next += 1
        self._expect(")", "')'")
        return _Value((), 0.0, 1.0, ((name, 1.0),))

    @property
    def _symbol(self) -> str:
        """The next symbol; empty at the end."""
        return self._symbols[self._next][0]

    def _expect(self, symbol: str, what: str) -> None:
        """Go past a symbol."""
        if self._symbol != symbol:
            raise self._fault(f"{self._symbol or 'the end'!r} where {what} is expected")
        self._next += 1

    def _bounded(self, value: _Value) -> _Value:
        if not value.weight <= MAX_WEIGHT:
            raise self._fault(f"weights and numbers are at most {MAX_WEIGHT:g}")
        return value

    def _fault(self, what: str) -> InvalidRequestError:
        at = self._symbols[self._next][1] + 1
        return InvalidRequestError(f"{self._place}: {what}, at character {at}", param=self._place)


def _scaled(classifiers: Classifiers, factor: float) -> Classifiers:
    return tuple((name, weight * factor) for name, weight in classifiers)
