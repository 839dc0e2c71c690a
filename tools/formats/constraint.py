"""The grammar of a format's calls, from the same spec as its parser."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from grammars import JsonOptions, Regex, StructuralTag, Tag
from grammars.frontends.base import Constraint, Kept, Once
from grammars.frontends.combined import Concat, Either
from tools.choice import ToolChoice
from tools.formats.block import Block
from tools.formats.reading.frame import Frame
from tools.tool import ORDERED, Tool
from tools.toolset import ToolSet


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Texts around an answer for the reader.

    Attributes:
        begin: What is written before it.
        end: What is written after it.
        content: What it is under `auto`; None: free text, in which calls may follow.
    """

    begin: str
    end: str = ""
    content: Constraint | None = None


class Spelling(Protocol):
    """Properties of a format that a constraint needs."""

    @property
    def native(self) -> Block: ...

    @property
    def variants(self) -> tuple[Block, ...]: ...

    @property
    def is_parallel(self) -> bool: ...

    @property
    def answer(self) -> Answer | None: ...

    @property
    def has_late(self) -> bool: ...


EMPTY = Concat(())
"""The text without characters."""


def constrain(
    spelling: Spelling, tools: ToolSet, choice: ToolChoice, options: JsonOptions | None, without: tuple[str, ...] = ()
) -> Constraint:
    """Return the grammar of text and of calls to those of the tools that may be called.

    Args:
        without: What free text may not contain, beside markers of calls.
    """
    block = spelling.native
    written = (block, *(each for each in spelling.variants if each.is_written))
    tags = tuple(_tag(each, tool, options or ORDERED) for each in written for tool in choice.callable_tools(tools))
    calls = StructuralTag(
        tags,
        at_least_one=True,
        stop_after_first=not (choice.parallel and spelling.is_parallel),
        separator=block.separator,
        free_text=False,
    )
    alone = Once(calls)
    whole: Constraint = alone if block.section is None else _framed(block.section, alone)
    if choice.mode != "auto":
        return whole
    blocks = (block, *spelling.variants)
    anywhere = shortest((*without, *(mark for each in blocks if not each.at_start for mark in each.marks(tools))))
    if spelling.answer is not None:
        return Either((whole, _answer(spelling.answer, calls, anywhere)))
    if block.at_start:
        at_start = shortest(mark for each in blocks if each.at_start for mark in each.marks(tools))
        late = tuple(mark for each in blocks for mark in each.late_marks(tools)) if spelling.has_late else ()
        if not late:
            return Either((whole, _text_without(anywhere, at_start)))
        return Either((whole, _text_before(block.section or Frame(), calls, alone, anywhere, at_start, late)))
    text = calls if block.section is None else _framed(block.section, calls)
    return replace(text, triggers=anywhere, at_least_one=False, free_text=True)


def _tag(block: Block, tool: Tool, options: JsonOptions) -> Tag:
    """One call, with the markers around it."""
    tag = block.body.tag(tool, options)
    return Tag("".join(block.call.begin) + tag.begin, Kept(tag.content), tag.end + "".join(block.call.end))


def _framed(frame: Frame, content: Constraint) -> StructuralTag:
    tag = Tag("".join(frame.begin), content, "".join(frame.end))
    return StructuralTag((tag,), at_least_one=True, stop_after_first=True, free_text=False)


def _answer(answer: Answer, calls: StructuralTag, anywhere: tuple[str, ...]) -> Constraint:
    """Wrapped text; where it is free, calls may follow, each with the separator before it."""
    content = answer.content
    if content is None:
        tags = tuple([Tag(calls.separator + tag.begin, tag.content, tag.end) for tag in calls.tags])
        content = replace(calls, tags=tags, triggers=anywhere, at_least_one=False, free_text=True)
    return _framed(Frame((answer.begin,), (answer.end,)), content)


def _text_without(anywhere: tuple[str, ...], at_start: tuple[str, ...]) -> Constraint:
    """Return the constraint of text without the texts `anywhere`, and without those `at_start` after whitespace."""
    firsts = {text[0] for text in anywhere}
    if all(text.isascii() and firsts.isdisjoint(text) for text in at_start):
        return StructuralTag((), triggers=anywhere, not_first=at_start)
    character = f"(?!{_any_of(anywhere)})[\\s\\S]" if anywhere else r"[\s\S]"
    return Regex(rf"(?![ \t\n\r]*(?:{_any_of(at_start)}))(?:{character})*")


def _text_before(
    section: Frame,
    calls: StructuralTag,
    alone: Constraint,
    anywhere: tuple[str, ...],
    at_start: tuple[str, ...],
    late: tuple[str, ...],
) -> Constraint:
    """Text as that of `_text_without`, after which calls may follow, and nothing after them.

    Its beginning is a pattern of its own, up to where no marker can have begun: what follows is free up to a marker.
    Of text that begins like one, what goes on like another is left out.
    """
    markers = shortest((*anywhere, *at_start))
    another = EMPTY if calls.stop_after_first else Either((EMPTY, Concat((calls.separator, alone))))
    begin = "".join(section.begin)
    tags = tuple([Tag(begin + tag.begin, tag.content, tag.end) for tag in calls.tags])
    rest = StructuralTag(tags, triggers=shortest((*anywhere, *late)), then=Concat((another, "".join(section.end))))
    space, firsts = r"[ \t\n\r]*", {text[0] for text in (*markers, *late)}
    begun = "|".join(dict.fromkeys(re.escape(marker[:size]) for marker in markers for size in range(1, len(marker))))
    begun = f"(?:{begun})" if begun else "(?!)"
    ends = [f"[^ \\t\\n\\r{_class_of(firsts)}]"]
    for prefix in dict.fromkeys(marker[:size] for marker in markers for size in range(1, len(marker))):
        following = {marker[len(prefix)] for marker in markers if marker.startswith(prefix) and marker != prefix}
        ends.append(f"{re.escape(prefix)}[^{_class_of(firsts | following)}]")
    beginning = Regex(f"{space}{begun}*(?:{'|'.join(ends)})")
    return Either((Regex(f"{space}{begun}*"), Concat((beginning, rest))))


def _class_of(characters: Iterable[str]) -> str:
    return "".join(re.escape(character) for character in sorted(characters))


def _any_of(texts: Iterable[str]) -> str:
    return "|".join(map(re.escape, texts))


def shortest(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts that do not begin with another of them: a text with any of all contains one of these.

    Empty ones count for nothing.
    """
    every, last, found = dict.fromkeys(filter(None, texts)), "", set()
    for text in sorted(every):
        # A text that begins with another one comes after it, or after one that begins with it, too.
        if not last or not text.startswith(last):
            last = text
            found.add(text)
    return tuple(text for text in every if text in found)
