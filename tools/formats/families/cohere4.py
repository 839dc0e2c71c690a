"""Cohere's fourth Command: `<cofl:value name="k" type="raw">`."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass

from grammars import ANY_TYPES, ArgumentSpelling, ValueTag
from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.tagged_call import TaggedCall, read_until
from tools.formats.reading.frame import Frame
from tools.formats.reading.literals import MAX_DEPTH, Emit, Members
from tools.formats.reading.text import WHITESPACE, Cursor, MalformedError, MarkerSearch, ParserRoutine, TruncatedError

_BEGIN, _END = "<cofl:value", "</cofl:value>"
_EITHER = MarkerSearch([_BEGIN, _END])
_HEAD = re.compile(r'(?:name="(?P<name>[^"]*)"\s*)?(?:type="(?P<type>[a-z]+)")?')
_SPELLING = ArgumentSpelling(
    before=f'{_BEGIN} name="',
    tags=(ValueTag(frozenset({"string"}), '" type="raw">'), ValueTag(ANY_TYPES - {"string"}, '" type="json">')),
    after=_END,
    names=r'[^<>"\s]([^<>"\n]*[^<>"\s])?',
    has_entities=True,
    marker=_END,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CohereCall(TaggedCall):
    """Values are raw or JSON as written; objects and lists of further tags (`dict`, `list`) are read as well."""

    def read_value(
        self, cursor: Cursor, emit: Emit, kind: str | None, types: frozenset[str], depth: int = 0
    ) -> ParserRoutine:
        """See `TaggedCall.read_value`."""
        if kind not in ("dict", "list"):
            yield from TaggedCall.read_value(self, cursor, emit, kind, types)
            return
        if depth > MAX_DEPTH:
            raise MalformedError(f"values more than {MAX_DEPTH} deep")
        members = Members(emit) if kind == "dict" else None
        separator = "["
        while (head := (yield from _read_head(cursor))) is not None:
            into = emit
            if members is None:
                emit(separator)
                separator = ", "
            elif head["name"] is None:
                raise MalformedError("a name expected")
            else:
                into = members.begin(head["name"])
            yield from self.read_value(cursor, into, head["type"], ANY_TYPES, depth + 1)
        if members is not None:
            members.end()
        else:
            emit("[]" if separator == "[" else "]")


def _read_head(cursor: Cursor) -> Generator[None, None, re.Match[str] | None]:
    """Read the beginning of a value and return it, or the end of those around it and return None."""
    yield from cursor.skip()
    found = yield from cursor.find(_EITHER)
    if cursor.is_cut(_EITHER):
        raise TruncatedError
    if not found:
        raise MalformedError(f"{_BEGIN} or {_END} expected")
    cursor.take(len(found))
    if found == _END:
        return None
    head = _HEAD.fullmatch((yield from read_until(cursor, ">")).strip(WHITESPACE))
    if head is None:
        raise MalformedError("the type of a value expected")
    return head


COHERE_COMMAND4 = Format(
    name="cohere_command4",
    native=Block(
        section=Frame(("<cofl:tool_calls>",), ("</cofl:tool_calls>",)),
        body=CohereCall(
            begin='<cofl:tool_call id="{index}" name="{name}">',
            mark="<cofl:tool_call ",
            head=r'(?:id="[^"]*"\s+)?name="(?P<name>[^"]+)"',
            head_end=">",
            spelling=_SPELLING,
            member=r'(?P<name>[^"]+)"(?:\s+type="(?P<type>raw|json|dict|list)")?',
            member_end=">",
            raw_type="raw",
            end="</cofl:tool_call>",
            stops=("</cofl:tool_calls>", f"{_BEGIN} type=", _END),
        ),
    ),
    aliases=("command4",),
    signs=(TemplateMarkers(("<cofl:tool_call",)),),
)
