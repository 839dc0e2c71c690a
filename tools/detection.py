"""Detection of a model's format from the files of its folder, with reasons."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from tools.calls import ToolCall, Transcript
from tools.errors import UnwritableCallError
from tools.formats.base import Format
from tools.formats.registry import formats
from tools.toolset import ToolSet

WRITES, BEGINS, READS, STARTS, SIGNS, TYPE, TOKENS = 19, 12, 5, 1, 3, 2, 1
"""What counts how much: the template writes past calls exactly as the format does, or begins them so and the format
reads them, or it just reads them, or it has the family's signs and just begins them so; the template contains the
family's signs; the model is of a type of the family; the tokenizer has the family's markers as tokens. How past calls
begin counts more than all others together, for signs are shared."""

ENOUGH = 3
_HOW = {
    WRITES: "are written as the format writes them",
    BEGINS: "begin as the format writes them, and are read",
    READS: "are read by the format",
    STARTS: "begin as the format writes them, or without its markers, and are not well-formed",
}
_MOST_PLACES = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """Text that a chat template renders for a turn with calls.

    Attributes:
        calls: Those of the turn.
        text: The turn, whole, with whatever the template writes around it.
        answer: The turn from the place where content would begin; empty if that is not known.
    """

    calls: tuple[ToolCall, ...]
    text: str
    answer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Known facts of a model.

    Attributes:
        template: Its chat template for requests with tools.
        tokens: The names of its tokenizer's added tokens.
        model_type: Type in its configuration.
        tools: Those that the calls in `renderings` are of.
        renderings: Of past calls; none where the template refuses them or does not show them.
    """

    template: str = ""
    tokens: frozenset[str] = frozenset()
    model_type: str = ""
    tools: ToolSet = field(default_factory=ToolSet)
    renderings: tuple[Rendering, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Score of a format, with reasons.

    Attributes:
        contradiction: What the template writes that the format does not read; empty where it reads all.
    """

    format: Format
    score: int
    reasons: tuple[str, ...] = ()
    contradiction: str = ""

    @property
    def is_enough(self) -> bool:
        """True if the score suffices to choose the family."""
        return self.score >= ENOUGH and not self.contradiction


def findings(evidence: Evidence) -> list[Finding]:
    """Return the finding of each format with a score above zero, best first.

    Of two with one score the one that writes more of the turns as they are comes first, then the one whose text is
    longer, for it may contain the other's.
    """
    found = [each for spec in formats() if (each := finding(spec, evidence)).score]
    written = {each.format.name: _written(each.format, evidence) for each in found}
    return sorted(
        found,
        key=lambda each: (bool(each.contradiction), -each.score, *(-number for number in written[each.format.name])),
    )


def finding(spec: Format, evidence: Evidence) -> Finding:
    """Return what speaks for a format, and what against it."""
    score, reasons = 0, []
    if spec.matches_template(evidence.template):
        score += SIGNS
        reasons.append("the chat template contains the family's signs")
    if evidence.model_type in spec.model_types:
        score += TYPE
        reasons.append(f"the model's type is {evidence.model_type}")
    if mark := next((mark for mark in _begin_marks(spec) if mark in evidence.tokens), ""):
        score += TOKENS
        reasons.append(f"{mark} is a token")
    contradiction, agreement = "", WRITES
    for renderings in _by_number(evidence.renderings):
        best = max(_agreement(spec, each, evidence.tools) for each in renderings)
        if not best and spec.matches_template(evidence.template) and any(_starts(spec, each) for each in renderings):
            best = STARTS
        agreement, contradiction = min(agreement, best), contradiction or ("" if best else renderings[0].text.strip())
    # Calls without markers are found within those of any other family, too, but there they are not all that is said.
    is_all = all(each.answer.startswith(spec.opening(each.calls[0].name)) for each in evidence.renderings)
    if evidence.renderings and agreement and (score or not spec.native.at_start or is_all):
        score += agreement
        reasons.append(f"past calls {_HOW[agreement]}")
    return Finding(format=spec, score=score, reasons=tuple(reasons), contradiction=contradiction)


def _by_number(renderings: Sequence[Rendering]) -> list[list[Rendering]]:
    """Return renderings grouped by number of calls: one of each group is enough, since ids may need a shape."""
    numbers = dict.fromkeys(len(each.calls) for each in renderings)
    return [[each for each in renderings if len(each.calls) == number] for number in numbers]


def _begin_marks(spec: Format) -> tuple[str, ...]:
    frames = (spec.native.section, spec.native.call)
    return tuple(mark for frame in frames if frame is not None for mark in frame.begin_marks)


def _written(spec: Format, evidence: Evidence) -> tuple[int, int]:
    """Return the number of turns that the format writes verbatim, and the length written in all."""
    natives = [(_native(spec, each, evidence.tools), each.text) for each in evidence.renderings]
    return sum(bool(native) and native in text for native, text in natives), sum(len(native) for native, _ in natives)


def _native(spec: Format, rendering: Rendering, tools: ToolSet) -> str:
    try:
        return spec.render(rendering.calls[: None if spec.is_parallel else 1], tools).strip()
    except UnwritableCallError:
        return ""


def _agreement(spec: Format, rendering: Rendering, tools: ToolSet) -> int:
    native = _native(spec, rendering, tools)
    if native and native in rendering.text:
        return WRITES
    wanted = [(call.name, _value(call.arguments_text)) for call in rendering.calls]
    for at in _places(spec, rendering.text, tools):
        parser = spec.parser(tools)
        found = Transcript.of([*parser.feed(rendering.text[at:]), *parser.finish()])
        read = [(call.name, _value(call.arguments)) for call in found.calls]
        if not found.broken and read in (wanted, wanted[:1] if not spec.is_parallel else wanted):
            return BEGINS if spec.opening(rendering.calls[0].name) in rendering.text else READS
    return 0


def _starts(spec: Format, rendering: Rendering) -> bool:
    """True if calls begin as expected but cannot be read: some templates omit quotes or a marker."""
    name = rendering.calls[0].name
    return spec.opening(name) in rendering.text or rendering.answer.startswith(spec.native.body.opening(name))


def _places(spec: Format, text: str, tools: ToolSet) -> Sequence[int]:
    """Return possible starts of an answer, for a format that reads calls at the start only."""
    if not spec.native.at_start:
        return (0,)
    found = {at for mark in spec.native.marks(tools) for at in range(len(text)) if text.startswith(mark, at)}
    return sorted(found)[:_MOST_PLACES]


def _value(arguments: str) -> object:
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments
