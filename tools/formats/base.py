"""One spec per family of models, from which constraint, parser and renderer all derive."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass

from grammars import JsonOptions
from grammars.frontends.base import Constraint
from tools.calls import IdFactory, IdScheme, ToolCall, call_ids
from tools.choice import ToolChoice
from tools.formats.block import Block
from tools.formats.constraint import Answer, constrain
from tools.formats.parser import Parser, PassThrough, StreamParser
from tools.formats.reading.frame import Frame
from tools.toolset import ToolSet

_ESCAPES = (("\\n", "\n"), ('\\"', '"'), ("\\'", "'"))


@dataclass(frozen=True, slots=True)
class TemplateMarkers:
    """Texts that show a family in a chat template: all of `has` and no text of `lacks`."""

    has: tuple[str, ...]
    lacks: tuple[str, ...] = ()

    def match(self, chat_template: str) -> bool:
        """Return whether the template shows them, be it in literals with escapes or as they are."""
        for escaped, plain in _ESCAPES:
            chat_template = chat_template.replace(escaped, plain)
        return all(part in chat_template for part in self.has) and not any(part in chat_template for part in self.lacks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """Spelling of tool calls of one family of models.

    Attributes:
        name: Its name in the registry.
        native: Spelling that is written and that the mask allows.
        variants: Further spellings that are read; one that begins like the native form is read instead. Free text
            contains no marker of theirs.
        aliases: Other names, those of other servers' parsers among them.
        signs: Any of these shows that a chat template is of the family.
        model_types: What `config.json` calls models of the family and of no other.
        ids: Makes ids of the shape that the family's templates and tokenizers accept.
        known_id: Of a call's name, its index among all of the conversation, and its id: the id that it has in the
            prompt. None leaves ids as they are.
        is_parallel: Several calls can be written; without it, no more than one is allowed.
        answer: Markers around text for the user; None: text is written as it is.
        instructions: Prompt about tools and calls for chat templates without tools; `{tools}` in it is replaced by the
            array of declarations. Empty: the prompt shows an example of a call.
        is_small: Models of the family need help: tools are weighed for them, and schemas described with examples.
        separates_answers: Its parser separates a constrained answer from calls, whatever the answer contains.
    """

    name: str
    native: Block
    variants: tuple[Block, ...] = ()
    aliases: tuple[str, ...] = ()
    signs: tuple[TemplateMarkers, ...] = ()
    model_types: tuple[str, ...] = ()
    ids: IdScheme = field(default=call_ids)
    known_id: Callable[[str, int, str], str] | None = None
    is_parallel: bool = True
    answer: Answer | None = None
    instructions: str = ""
    is_small: bool = False
    separates_answers: bool = False

    def __post_init__(self) -> None:
        if not self.native.at_start and any(variant.at_start for variant in self.variants):
            raise ValueError(f"{self.name}: free text would be read as calls where a variant begins it")

    @property
    def texts(self) -> tuple[str, ...]:
        """Texts that are written or read as markers, alone or as parts."""
        found: list[str] = []
        for block in (self.native, *self.variants):
            frames = (block.call, *((block.section,) if block.section else ()))
            found += (piece for frame in frames for piece in (*frame.begin, *frame.end))
            found += (block.separator, block.body.opening("f"), block.body.closing(), *block.body.marks(ToolSet()))
            found += _strings(block.body)
        if self.answer is not None:
            found += (self.answer.begin, self.answer.end)
        return tuple(dict.fromkeys(text for text in found if text.strip()))

    def marks(self, tools: ToolSet) -> tuple[str, ...]:
        """Return the markers with one of which calls begin anywhere in a text."""
        blocks = (block for block in (self.native, *self.variants) if not block.at_start)
        return tuple(dict.fromkeys(mark for block in blocks for mark in block.marks(tools)))

    @property
    def has_late(self) -> bool:
        """True if calls that usually are the whole text may also follow prose."""
        return self.native.at_start and self.answer is None

    def beginnings(self, tools: ToolSet) -> tuple[str, ...]:
        """Return texts with one of which native calls begin, whatever their arguments: as long as they can be."""
        if not self.native.at_start:
            return self.native.marks(tools)
        openings = map(self.opening, tools.names)
        return tuple(dict.fromkeys(text for opening in openings for text in (opening, opening.lstrip())))

    def matches_template(self, chat_template: str) -> bool:
        """Return whether a chat template is of this family."""
        return any(signs.match(chat_template) for signs in self.signs)

    def is_known_to(self, variables: Collection[str]) -> bool:
        """Return whether a chat template that reads these variables describes tools in this format to the model."""
        return bool(self.signs) and ("tools" in variables or "functions" in variables)

    def render(self, calls: Sequence[ToolCall], tools: ToolSet | None = None) -> str:
        """Return the text of the calls; reading it gives them back."""
        if not calls:
            return ""
        native, declared = self.native, tools or ToolSet()
        begin, end = "".join(native.call.begin), "".join(native.call.end)
        texts = [
            begin
            + native.body.opening(call.name, index, call.id)
            + native.body.write(call.arguments_text, declared.get(call.name))
            + native.body.closing()
            + end
            for index, call in enumerate(calls)
        ]
        section = native.section or Frame()
        return "".join(section.begin) + native.separator.join(texts) + "".join(section.end)

    def parser(self, tools: ToolSet | None, choice: ToolChoice | None = None, ids: IdFactory | None = None) -> Parser:
        """Return a parser of one text; without tools, or under `none`, all text is content."""
        if not tools or (choice and choice.mode == "none"):
            return PassThrough()
        return StreamParser((*self.variants, self.native), tools, ids or self.ids(None), has_late=self.has_late)

    def constraint(
        self, tools: ToolSet, choice: ToolChoice, options: JsonOptions | None = None, without: tuple[str, ...] = ()
    ) -> Constraint | None:
        """Return what the model may write, or None if anything.

        Under `auto` that is text, and calls; under `required` and `named` calls only. Each call names a tool that may
        be called, with arguments in its schema.

        Args:
            without: What free text may not contain, beside markers of calls.
        """
        return constrain(self, tools, choice, options, without) if choice.callable_tools(tools) else None

    def opening(self, name: str) -> str:
        """Return the text up to the arguments of a first call."""
        section = self.native.section or Frame()
        return "".join((*section.begin, *self.native.call.begin, self.native.body.opening(name)))


def _strings(value: object) -> Iterator[str]:
    """Yield the strings in the fields of a body, nested ones too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _strings(item)
    elif is_dataclass(value):
        for each in fields(value):
            yield from _strings(getattr(value, each.name))
