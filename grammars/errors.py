"""The four ways a constraint can be refused; nothing is ever widened or dropped silently."""

from __future__ import annotations


class GrammarError(Exception):
    """A constraint that was not compiled; exactly four leaves.

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
        """Says where the offending part is, unless that was said already."""
        if self.where is None:
            self.where = where
            self.args = (self.message if where is None else f"{self.message} (at {where or '/'})",)

    def place_within(self, place: str) -> None:
        """Says where the part is that the offending part was looked for in."""
        inner, self.where = self.where, None
        self.place(place if inner is None else f"{place}: {inner or '/'}")


class InvalidGrammarError(GrammarError):
    """The constraint breaks the rules of its own language."""

    code = "invalid_grammar"


class UnsupportedError(GrammarError):
    """The constraint says something that cannot be enforced exactly yet; `what` names it."""

    code = "unsupported"
    hint = "remove the named feature or express it another way"

    def __init__(self, what: str, where: str | None = None) -> None:
        self.what = what
        super().__init__(f"{what} is not supported", where)


class UnsatisfiableError(GrammarError):
    """No text at all can match."""

    code = "unsatisfiable"
    hint = "loosen the contradicting keywords"


class TooComplexError(GrammarError):
    """A limit was reached while compiling or matching; `limit` is its name in `Limits`."""

    code = "too_complex"
    hint = "simplify the constraint or raise the named limit"

    def __init__(self, limit: str, value: int, maximum: int, where: str | None = None) -> None:
        self.limit = limit
        self.value = value
        self.maximum = maximum
        super().__init__(f"{limit} is {maximum}, the constraint needs {value}", where)
