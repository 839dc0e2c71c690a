"""Errors of constraints that are refused; nothing is widened or dropped silently."""

from __future__ import annotations


class GrammarError(Exception):
    """Base of the four errors of constraints.

    Attributes:
        code: stable name for machines.
        retryable: whether the same constraint may succeed later.
        hint: what would be right.
        message: the sentence without its place.
        where: JSON pointer, column or line of the offending part; None when it is the whole constraint.
    """

    code = "grammar_error"
    retryable = False
    hint = "correct the constraint"

    def __init__(self, message: str, where: str | None = None) -> None:
        super().__init__()
        self.message = message
        self.where: str | None = None
        self.place(where)

    def place(self, where: str | None) -> None:
        """Set the place of the offending part, unless it is set."""
        if self.where is None:
            self.where = where
            self.args = (self.message if where is None else f"{self.message} (at {where or '/'})",)

    def place_within(self, place: str) -> None:
        """Put the place of the enclosing part before the place of the offending one."""
        inner, self.where = self.where, None
        self.place(place if inner is None else f"{place}: {inner or '/'}")


class InvalidGrammarError(GrammarError):
    """The constraint is malformed in its own language."""

    code = "invalid_grammar"


class UnsupportedError(GrammarError):
    """The constraint has a feature that cannot be enforced exactly; the message names it."""

    code = "unsupported"
    hint = "remove the named feature or express it another way"

    def __init__(self, what: str, where: str | None = None) -> None:
        self.what = what
        super().__init__(f"{what} is not supported", where)


class UnsatisfiableError(GrammarError):
    """No text can match the constraint."""

    code = "unsatisfiable"
    hint = "loosen the contradicting keywords"


class TooComplexError(GrammarError):
    """A limit of the compiler was reached; the message names it."""

    code = "too_complex"
    hint = "simplify the constraint or raise the named limit"

    def __init__(self, limit: str, value: int, maximum: int, where: str | None = None) -> None:
        self.limit = limit
        self.value = value
        self.maximum = maximum
        super().__init__(f"{limit} is {maximum}, the constraint needs {value}", where)
