"""Rules of guards, judges, and actions on a match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from gateway.core.answer import GuardAction
from grammars.frontends.regex.charset import Ranges
from grammars.frontends.regex.dfa import Dfa

ACTIONS: tuple[GuardAction, ...] = ("pass", "annotate", "redact", "block", "retry", "forbid")
ENDING: tuple[GuardAction, ...] = ("block", "retry", "forbid")
"""With these a match is the end of its text."""
MAX_RETRIES = 5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CompiledPattern:
    """A pattern compiled for the scanner.

    Attributes:
        alternatives: Patterns, one of which a text matches: as Python and ECMA-262 both read them, without assertions.
        dfa: Their automaton, trimmed; it does not accept the empty text.
        before: Characters right after which no match begins.
        after: Nor does it end right before one of these.
        check: Decides which matches count; None counts all. With a check, matches have bounded length.
    """

    alternatives: tuple[str, ...]
    dfa: Dfa
    before: Ranges = ()
    after: Ranges = ()
    check: Callable[[str], bool] | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """Text beyond the first `max_characters`."""

    max_characters: int


@dataclass(frozen=True, slots=True)
class Quoted:
    """Any run of this many characters of the system prompt that the text answers."""

    num_characters: int


@dataclass(frozen=True, slots=True)
class Said:
    """The conversation that an answer follows.

    Attributes:
        system: System prompt.
        user: Last user message.
    """

    system: str = ""
    user: str = ""


class JudgeError(Exception):
    """A judge could not decide; the message says why, without the text."""


class Opinion(NamedTuple):
    """Verdict of a judge on a text.

    Attributes:
        probability: Probability of a match, if the judge reports one.
    """

    is_found: bool
    probability: float | None = None


class Judge(Protocol):
    """Judge of whole texts. Thread-safe; calls block."""

    def open(self) -> None:
        """Return when it can be asked; may be called again.

        Raises:
            JudgeError: The judge cannot be opened.
        """

    def close(self) -> None:
        """Release resources; `open` takes them again."""

    def judge(self, texts: Sequence[str], said: Said | None) -> Sequence[bool | Opinion]:
        """Return for each text whether something was found; an `Opinion` where the probability is known.

        Args:
            said: Conversation before an answer; None for texts that a model reads.

        Raises:
            JudgeError: The judge cannot decide now.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question about a text for the served model; its answer is one of the labels.

    Attributes:
        text: As an operator asks it.
        labels: Possible answers.
        found: Places of those that count, all together.
        threshold: Least probability of the labels that count.
        with_prompt: The model reads what an answer answers, too.
        is_cut: A text that does not fit into the context is cut in its middle; it is not read at all otherwise.
        timeout_s: For all texts that are asked about together.
    """

    text: str
    labels: tuple[str, ...]
    found: tuple[int, ...]
    threshold: float = 0.5
    with_prompt: bool = False
    is_cut: bool = False
    timeout_s: int = 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Judged:
    """Texts in which a judge, or the served model as a judge, finds something.

    Attributes:
        hold_characters: Characters of an answer to hold back and judge with as many before them; None holds all.
        is_lenient: A judge that cannot be asked counts as finding nothing, instead of something.
    """

    judge: Judge | Question
    hold_characters: int | None = None
    is_lenient: bool = False


class Span(NamedTuple):
    """A part of a text, with its kind."""

    kind: str
    begin: int
    end: int


class Tagger(Protocol):
    """Finds parts of texts by meaning. Thread-safe; calls block."""

    def open(self) -> None:
        """Return when it can be asked; may be called again.

        Raises:
            JudgeError: The tagger cannot be opened.
        """

    def close(self) -> None:
        """Release resources; `open` takes them again."""

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return the parts found in each text, in any order.

        Raises:
            JudgeError: The tagger cannot decide now.
        """


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tagging:
    """A tagger and how it is asked, shared by all kinds of one guard.

    Attributes:
        hold_characters: As in `Judged`; each part of an answer is read twice, with as many characters before and after
            it.
        is_lenient: A tagger that cannot be asked counts as finding nothing, instead of something.
    """

    tagger: Tagger
    hold_characters: int | None = None
    is_lenient: bool = False


@dataclass(frozen=True, slots=True)
class Tagged:
    """Parts of texts to which a tagger gives this kind."""

    tagging: Tagging
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule of a guard.

    Attributes:
        guard: The guard's name.
        kind: Kind of match: `email`, `card`, ...
    """

    guard: str
    kind: str
    what: CompiledPattern | Bound | Quoted | Judged | Tagged


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """A rule with the action that a policy takes.

    Attributes:
        replacement: Text in place of a match.
        retries: Attempts to discard for `retry`.
        otherwise: Action on the attempt after them.
        feedback: User message before the next attempt; empty for none.
    """

    rule: Rule
    action: GuardAction
    replacement: str
    retries: int = 0
    otherwise: GuardAction = "block"
    feedback: str = ""

    @property
    def holds(self) -> bool:
        """True if a possible match must be held back."""
        return self.action == "redact" or self.ends

    @property
    def ends(self) -> bool:
        """True if a match ends its text."""
        return self.action in ENDING
