"""What a guard looks for, and what is done about it."""

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


@dataclass(frozen=True, slots=True)
class Quoted:
    """Every run of so many characters of the system prompt that a text answers."""

    num_characters: int


@dataclass(frozen=True, slots=True)
class Said:
    """What an answer answers.

    Attributes:
        system: What its model was told to be.
        user: What was said to it last.
    """

    system: str = ""
    user: str = ""


class JudgeError(Exception):
    """Nothing was found out about a text; the message says why, and never what is in it."""


class Opinion(NamedTuple):
    """What came of asking about a text.

    Attributes:
        probability: Of what counts as found, where whoever was asked says how likely that is.
    """

    is_found: bool
    probability: float | None = None


class Judge(Protocol):
    """Understands whole texts. Many threads ask it together, and wait."""

    def open(self) -> None:
        """Return when it can be asked; may be called again.

        Raises:
            JudgeError: It never can be.
        """

    def close(self) -> None:
        """Let go of what it holds; `open` takes it again."""

    def judge(self, texts: Sequence[str], said: Said | None) -> Sequence[bool | Opinion]:
        """Which of the texts it finds something in; an `Opinion` where it knows how likely that is.

        Args:
            said: What they answer; None of texts that a model reads.

        Raises:
            JudgeError: It cannot say now.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the model that is served is asked about a text: one of its labels is the answer.

    Attributes:
        text: As an operator asks it.
        labels: What may be answered.
        found: Places of those that count, all together.
        threshold: How likely these must be, among the labels.
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
    """Texts that a judge finds something in, or the model that is served, when it is asked.

    Attributes:
        hold_characters: So many of an answer are held back, then judged with as many before them; None: all of it.
        is_lenient: Where the judge cannot be asked nothing is found, instead of something.
    """

    judge: Judge | Question
    hold_characters: int | None = None
    is_lenient: bool = False


class Span(NamedTuple):
    """A part of a text, and what it is."""

    kind: str
    begin: int
    end: int


class Tagger(Protocol):
    """Finds parts of texts by what they mean. Many threads ask it together, and wait."""

    def open(self) -> None:
        """Return when it can be asked; may be called again.

        Raises:
            JudgeError: It never can be.
        """

    def close(self) -> None:
        """Let go of what it holds; `open` takes it again."""

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """What it finds in each text, in any order.

        Raises:
            JudgeError: It cannot say now.
        """


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tagging:
    """How a tagger is asked, for all kinds of one guard.

    Attributes:
        hold_characters: See `Judged`; each part of an answer is read twice, with as many before it and behind it.
        is_lenient: Where the tagger cannot be asked nothing is found, instead of something.
    """

    tagger: Tagger
    hold_characters: int | None = None
    is_lenient: bool = False


@dataclass(frozen=True, slots=True)
class Tagged:
    """Parts of texts that a tagger says are of this kind."""

    tagging: Tagging
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One thing that a guard looks for.

    Attributes:
        guard: The guard's name.
        kind: What it is, in a word: `email`, `card`, ...
    """

    guard: str
    kind: str
    what: CompiledPattern | Bound | Quoted | Judged | Tagged


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
