"""What a guard looks for, and what is done about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gateway.core.answer import GuardAction
from grammars.frontends.regex.charset import Ranges
from grammars.frontends.regex.dfa import Dfa

ACTIONS: tuple[GuardAction, ...] = ("pass", "annotate", "redact", "block", "retry", "forbid")
ENDING: tuple[GuardAction, ...] = ("block", "retry", "forbid")
"""With these a match is the end of its text."""
MAX_RETRIES = 5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shape:
    """Texts of patterns.

    Attributes:
        alternatives: Patterns, one of which a text matches: as Python and ECMA-262 both read them, without assertions.
        dfa: Their automaton, trimmed; it does not accept the empty text.
        before: A match does not begin right behind one of these characters.
        after: Nor does it end right before one of these.
        check: Which of the texts count; None: all. Whoever has a check matches texts of bounded length.
    """

    alternatives: tuple[str, ...]
    dfa: Dfa
    before: Ranges = ()
    after: Ranges = ()
    check: Callable[[str], bool] | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """Every text behind its first `max_characters`."""

    max_characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One thing that a guard looks for.

    Attributes:
        guard: The guard's name.
        kind: What it is, in a word: `email`, `card`, ...
    """

    guard: str
    kind: str
    what: Shape | Bound


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """A rule with what a policy does about it.

    Attributes:
        replacement: What stands in the place of a redacted text.
        retries: Of `retry`: so many answers are given up and written anew.
        otherwise: What is done about the one after them.
        feedback: What the model is told in the user's name before it writes anew; empty: nothing.
    """

    rule: Rule
    action: GuardAction
    replacement: str
    retries: int = 0
    otherwise: GuardAction = "block"
    feedback: str = ""

    @property
    def holds(self) -> bool:
        """What may still match must not leave."""
        return self.action == "redact" or self.ends

    @property
    def ends(self) -> bool:
        """A match is the end of its text."""
        return self.action in ENDING
