"""One spec per family: the markers around what a model thinks before it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from grammars import StructuralTag, Tag
from grammars.frontends.base import Constraint, Once
from grammars.frontends.combined import Concat, Either
from tools.formats.base import TemplateMarkers
from tools.formats.constraint import EMPTY, shortest
from tools.formats.parser import Parser
from tools.formats.reading.frame import Frame
from tools.reasoning.reader import MOST_LINES, Gap, ReasoningReader, State

Opening = Literal["open", "closed", "undecided"]
"""What a prompt says of the reasoning: it has begun, it is over, or it is for the model to begin."""


Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
EFFORTS: tuple[str, ...] = get_args(Effort)
"""Words for how hard to think, least first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reasoning:
    """Markers of thoughts and answers of one family of models.

    What is written is `begin thoughts end bridge answer.begin answer answer.end tail`. The thoughts are free text up to
    the first end marker, and contain no marker of a call. A prompt may hold the beginning already, or all of it.

    Attributes:
        name: Its name in the registry.
        begin: The marker before it.
        end: The marker after it.
        bridge: What is written between the end marker and what follows.
        answer: Markers around an answer, in families that have them.
        others: Further markers before and after, in place of `begin` and `end` where a prompt has begun with them.
        on_a_line: Up to `MOST_LINES` line feeds may be written before `begin`, and are dropped.
        tail: Text that may follow everything and has no meaning.
        calls_follow: Calls follow the end of an answer, which may be empty; in other families in its place.
        writes_answer: It always does; otherwise that is read where it is there, and no constraint asks for it.
        excluded: Texts that thoughts do not contain, beside the end marker.
        efforts: The words for effort that its chat template knows, least first; empty: those that its conditions
            distinguish.
        aliases: Other names, those of other servers' parsers among them.
        signs: Any of these shows that a chat template is of the family; empty: one that contains `begin` and `end` is.
    """

    name: str
    begin: str
    end: str
    bridge: str = ""
    answer: Frame = field(default_factory=Frame)
    others: tuple[tuple[str, str], ...] = ()
    on_a_line: bool = False
    tail: str = ""
    calls_follow: bool = False
    writes_answer: bool = True
    excluded: tuple[str, ...] = ()
    efforts: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    signs: tuple[TemplateMarkers, ...] = ()

    @property
    def marks(self) -> tuple[str, ...]:
        """Markers around thoughts and answers."""
        texts = (self.begin, self.end, self.bridge, *self.answer.begin, *self.answer.end, self.tail)
        texts += tuple(mark for pair in self.others for mark in pair)
        return tuple(text for text in texts if text.strip())

    def matches_template(self, chat_template: str) -> bool:
        """Return whether a chat template is of this family."""
        signs = self.signs or (TemplateMarkers((self.begin.strip(), self.end.strip())),)
        return any(each.match(chat_template) for each in signs)

    def begun_by(self, prompt: str) -> Reasoning:
        """Return the family with those of its markers that the end of a prompt shows."""
        shown = ((begin, end) for begin, end in self.others if prompt.rstrip().endswith((begin, end)))
        return next((replace(self, begin=begin, end=end, others=()) for begin, end in shown), self)

    def opening(self, prompt: str) -> Opening:
        """Return the state of the reasoning at the end of a prompt."""
        prompt = prompt.rstrip()
        if prompt.endswith(self.begin.rstrip()):
            return "open"
        is_closed = prompt.endswith((self.end + self.bridge).rstrip()) or self.has_begun(prompt)
        return "closed" if is_closed else "undecided"

    def has_begun(self, prompt: str) -> bool:
        """Return whether the end of a prompt begins the answer."""
        return self.is_framed and prompt.rstrip().endswith("".join(self.answer.begin).rstrip())

    @property
    def thinks(self) -> bool:
        """True if thoughts precede answers; some families mark answers only."""
        return bool(self.begin)

    @property
    def lines_before(self) -> tuple[str, ...]:
        """Texts allowed before `begin`."""
        return tuple("\n" * number for number in range(MOST_LINES + 1 if self.on_a_line else 1))

    @property
    def is_framed(self) -> bool:
        """True if answers are written between markers."""
        return bool(self.answer.begin) and self.writes_answer

    def wrapped(self, answer: Constraint, has_begun: bool = False) -> Constraint:
        """Return the constraint on an answer with the markers around it.

        Args:
            has_begun: The prompt ends with the marker before it.
        """
        if not self.is_framed:
            return answer
        end = "".join(self.answer.end)
        if has_begun:
            return Concat((answer, end))
        tag = Tag("".join(self.answer.begin), answer, end)
        return StructuralTag((tag,), at_least_one=True, stop_after_first=True, free_text=False)

    def with_tail(self, rest: Constraint) -> Constraint:
        """Return the constraint on all that is written from the answer on."""
        return Concat((rest, Either((EMPTY, Concat((self.tail,)))))) if self.tail else rest

    def constraint(self, rest: Constraint, opening: Opening, gap: Gap, calls: tuple[str, ...] = ()) -> Constraint:
        """Return what a model may write that thinks first and then goes on under `rest`.

        Args:
            rest: Allows no text that begins with `begin`, if the opening is undecided: then thinking is a choice.
            gap: "any" leaves it to `rest`.
            calls: Markers with which calls begin; a call that were begun in thoughts would be lost.
        """
        rest = Once(rest)
        after: Constraint = rest
        for _ in range(MOST_LINES if gap == "lines" else 0):
            after = Either((rest, Concat(("\n", after))))
        triggers = shortest((self.end, *self.excluded, *calls))
        thoughts = StructuralTag(
            (Tag(self.end + self.bridge, after),), triggers=triggers, at_least_one=True, stop_after_first=True
        )
        if opening == "open":
            return thoughts
        once = Once(thoughts)
        tags = tuple(Tag(lines + self.begin, once) for lines in self.lines_before)
        begun = StructuralTag(tags, at_least_one=True, stop_after_first=True, free_text=False)
        return Either((begun, rest))

    def reader(
        self, rest: Parser, opening: Opening, gap: Gap, calls: tuple[str, ...] = (), has_begun: bool = False
    ) -> Parser:
        """Return a parser of thoughts that hands everything after them to `rest`.

        Args:
            calls: See `constraint`; thoughts that contain one nevertheless end before it.
            has_begun: See `wrapped`.
        """
        answer = self.answer if self.is_framed or gap == "any" else Frame()
        state: State = "answering" if has_begun else "thinking" if opening == "open" else "undecided"
        return ReasoningReader(
            self.begin.strip(), self.end, answer, rest, state=state, gap=gap, calls=calls, tail=self.tail
        )


def nearest_effort(word: str, known: Sequence[str]) -> str:
    """Return the known word that is nearest to one of `EFFORTS`, of two the higher; other words as they are."""
    if not known or word in known or word not in EFFORTS:
        return word
    wished = EFFORTS.index(word)
    return min(known, key=lambda each: (abs(EFFORTS.index(each) - wished), -EFFORTS.index(each)))


def any_text(without: tuple[str, ...] = ()) -> Constraint:
    """Return the constraint of free text without some texts."""
    return StructuralTag((), triggers=without)
