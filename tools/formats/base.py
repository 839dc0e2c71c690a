"""One spec per family of models, from which constraint, parser and renderer all derive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grammars import JsonOptions, StructuralTag
from tools.calls import IdFactory, ToolCall, random_id
from tools.choice import ToolChoice
from tools.formats.constraint import constrain
from tools.formats.frame import Frame
from tools.formats.parser import Body, Parser, PassThrough, StreamParser
from tools.toolset import ToolSet


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """How one family of models writes tool calls.

    What is written is `section.begin call separator call ... section.end`, each call being
    `call.begin body call.end`. What is read is that and the variants that the parts tolerate.

    Attributes:
        name: Its name in the registry.
        call: Markers around each call.
        body: How a call is spelled between them.
        section: Markers around all calls, for families that have them.
        separator: What is written between two calls.
        template_has: Strings that a chat template of the family contains, all of them.
        template_lacks: Strings that it does not, none of them.
    """

    name: str
    call: Frame
    body: Body
    section: Frame | None = None
    separator: str = ""
    template_has: tuple[str, ...] = ()
    template_lacks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        outer = self.section or self.call
        if not outer.begin_marks:
            raise ValueError(f"{self.name}: without a marker at its beginning a call cannot be told from content")
        if self.section and not self.section.end_marks:
            raise ValueError(f"{self.name}: a section needs a marker at its end")

    @property
    def trigger(self) -> str:
        """The marker with which the first call begins."""
        return (self.section or self.call).begin_marks[0]

    def matches_template(self, chat_template: str) -> bool:
        """Return whether a chat template is of this family."""
        return all(part in chat_template for part in self.template_has) and not any(
            part in chat_template for part in self.template_lacks
        )

    def opening(self, name: str) -> str:
        """Return what is written of a call before its arguments."""
        return "".join(self.call.begin) + self.body.opening(name)

    @property
    def closing(self) -> str:
        """What is written of a call after its arguments."""
        return self.body.closing() + "".join(self.call.end)

    def render(self, calls: Sequence[ToolCall]) -> str:
        """Return the text of the calls; reading it gives them back."""
        if not calls:
            return ""
        section = self.section or Frame()
        text = self.separator.join(self.opening(call.name) + call.arguments + self.closing for call in calls)
        return "".join(section.begin) + text + "".join(section.end)

    def parser(self, tools: ToolSet | None, choice: ToolChoice | None = None, ids: IdFactory = random_id) -> Parser:
        """Return a parser of one text; without tools, or under `none`, all text is content."""
        if not tools or (choice and choice.mode == "none"):
            return PassThrough()
        return StreamParser(self.call, self.section, self.body, ids)

    def constraint(
        self, tools: ToolSet, choice: ToolChoice, options: JsonOptions | None = None
    ) -> StructuralTag | None:
        """Return what the model may write, or None if anything.

        Under `auto` that is text, and calls from the trigger on; under `required` and `named` calls only. Each call
        names a tool that may be called, with arguments in its schema.
        """
        allowed = choice.callable_tools(tools)
        if not allowed:
            return None
        return constrain(self, allowed, choice, options)
