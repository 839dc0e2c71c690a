"""Formats told in a TOML file instead of code."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from grammars import ANY_TYPES, ArgumentSpelling, GrammarError, ValueTag
from tools.calls import IdScheme, ToolCall, Transcript, call_ids
from tools.errors import InvalidFormatError, ToolError
from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.body import Body
from tools.formats.delimited_call import DelimitedCall
from tools.formats.frame import Frame
from tools.formats.ids import kimi_id, kimi_ids, known_nine, nine_characters
from tools.formats.json_call import JsonCall
from tools.formats.keyword_call import KeywordCall
from tools.formats.named_json import NamedJson
from tools.formats.tagged_call import TaggedCall
from tools.reasoning import Reasoning
from tools.toolset import Tool, ToolSet

_SAMPLE = '{"city": "Bern", "days": 3}'
_PLACE = re.compile(r"(.*?)(?: - at `\$\.?(.*)`)?", re.DOTALL)
_FIELD = re.compile(r"unknown field `(.*)`")

Text = Annotated[str, msgspec.Meta(min_length=1)]
Pieces = Text | list[Text]


class _Table(msgspec.Struct, forbid_unknown_fields=True):
    """A table of the file; whatever else stands in it is an error."""


class _Section(_Table):
    begin: Pieces
    end: Pieces = []


class _Call(_Table):
    begin: Pieces = []
    end: Pieces = []
    separator: str = ""
    at_start: bool = False


class _Name(_Table):
    key: Text = ""
    before: str = ""
    after: Pieces = []


class _Arguments(_Table):
    encoding: Literal["json", "tagged", "python", "delimited"]
    key: Text = "arguments"
    also: list[Text] = []
    before: str = ""
    between: str = ""
    after: str = ""
    end: str = ""
    delimiter: str = ""


class _Ids(_Table):
    shape: Literal["openai", "nine", "kimi"] = "openai"


class _Reasoning(_Table):
    begin: Text
    end: Text
    after: str = ""


class _File(_Table, kw_only=True):
    name: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9_.-]*$")]
    call: _Call
    tool: _Name = msgspec.field(default_factory=_Name)
    arguments: _Arguments
    section: _Section | None = None
    ids: _Ids = msgspec.field(default_factory=_Ids)
    reasoning: _Reasoning | None = None
    aliases: list[Text] = []
    model_types: list[Text] = []
    signs: list[Annotated[list[Text], msgspec.Meta(min_length=1)]] = []
    parallel: bool = True


@dataclass(frozen=True, slots=True)
class FormatFile:
    """What a file tells: how calls are written, and how thoughts are marked, if it says so."""

    format: Format
    reasoning: Reasoning | None


def load_format(path: str | Path) -> FormatFile:
    """Return what a file tells.

    Raises:
        InvalidFormatError: it cannot be read, or what it says makes no format; with the line and the key at fault.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFormatError(f"{path}: {error}") from None
    return parse_format(text, str(path))


def parse_format(text: str, source: str = "format") -> FormatFile:
    """Return what the text of a file tells; errors name `source`.

    Raises:
        InvalidFormatError: see `load_format`.
    """

    def wrong(key: str, message: str) -> InvalidFormatError:
        where = f"{source}:{_line_of(text, key)}" if key else source
        return InvalidFormatError(f"{where}: {key}: {message}" if key else f"{where}: {message}")

    try:
        told = msgspec.convert(tomllib.loads(text), _File)
    except tomllib.TOMLDecodeError as error:
        raise InvalidFormatError(f"{source}: {error}") from None
    except msgspec.ValidationError as error:
        match = _PLACE.fullmatch(str(error))
        message, key = (match[1], match[2] or "") if match else (str(error), "")
        if unknown := _FIELD.search(message):
            key = f"{key}.{unknown[1]}" if key else unknown[1]
        raise wrong(re.sub(r"\[.*", "", key), message) from None
    try:
        found = FormatFile(_format(told, wrong), _reasoning(told))
    except (GrammarError, ValueError) as error:
        raise wrong("", str(error)) from None
    _check(found.format, wrong)
    return found


Wrong = Callable[[str, str], InvalidFormatError]


def _line_of(text: str, key: str) -> int:
    """The line on which a key stands, or its table begins; 1 where there is neither."""
    table, found = "", 1
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.fullmatch(r"\s*\[([^\[\]]+)\]\s*(?:#.*)?", line):
            table = header[1].strip()
            found = number if table == key.split(".")[0] else found
        elif (name := re.match(r"\s*([\w-]+)\s*=", line)) and key == f"{table}.{name[1]}".lstrip("."):
            return number
    return found


def _pieces(value: str | list[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _format(told: _File, wrong: Wrong) -> Format:
    call, section = told.call, told.section
    begin = (*_pieces(call.begin), *filter(None, [told.tool.before if told.arguments.encoding == "json" else ""]))
    if section is None and not begin and not call.at_start:
        raise wrong("call.begin", "calls without a marker before them are told from text only with `at_start = true`")
    frame = None if section is None else Frame(_pieces(section.begin), _pieces(section.end))
    native = Block(
        body=_BODIES[told.arguments.encoding](told, wrong),
        call=Frame(begin, _pieces(call.end)),
        # Calls that stand in a row are a section without markers.
        section=Frame() if frame is None and call.at_start else frame,
        separator=call.separator,
        at_start=call.at_start,
    )
    ids: IdScheme = {"openai": call_ids, "nine": nine_characters, "kimi": kimi_ids}[told.ids.shape]
    return Format(
        name=told.name,
        native=native,
        aliases=tuple(told.aliases),
        signs=tuple(TemplateMarkers(tuple(texts)) for texts in told.signs),
        model_types=tuple(told.model_types),
        ids=ids,
        known_id={"nine": known_nine, "kimi": kimi_id}.get(told.ids.shape),
        is_parallel=told.parallel,
    )


def _reasoning(told: _File) -> Reasoning | None:
    marks = told.reasoning
    return None if marks is None else Reasoning(name=told.name, begin=marks.begin, end=marks.end, bridge=marks.after)


def _json(told: _File, wrong: Wrong) -> Body:
    name, arguments = told.tool, told.arguments
    if bool(name.key) == bool(name.after):
        raise wrong("tool", "one of `key` (a member of the object) and `after` (what stands behind the name) expected")
    if name.key:
        return JsonCall(name.key, arguments.key, tuple(arguments.also))
    return NamedJson(_pieces(name.after))


def _tagged(told: _File, wrong: Wrong) -> Body:
    name, arguments = told.tool, told.arguments
    after = "".join(_pieces(name.after))
    for key, text in (("tool.before", name.before), ("tool.after", after)):
        if not text.strip():
            raise wrong(key, "a marker expected")
    for key in ("before", "between", "after"):
        if not getattr(arguments, key).strip():
            raise wrong(f"arguments.{key}", "a marker expected")
    mark = arguments.after.strip()
    if any(mark.startswith(mark[at:]) for at in range(1, len(mark))):
        raise wrong("arguments.after", "a marker that begins as it ends, so that text before it may seem to begin it")
    inner = (("between", arguments.between.removesuffix("\n")[-1:]), ("after", arguments.after.removeprefix("\n")[:1]))
    for key, touching in inner:
        if touching.isspace():
            raise wrong(f"arguments.{key}", "beside a value no whitespace can stand but a line feed")
    ends = [mark for frame in (told.call, told.section) if frame for mark in _pieces(frame.end) if mark.strip()]
    if not arguments.end.strip() and not ends:
        raise wrong("arguments.end", "a marker expected where neither a call nor the section has one at its end")
    # A name holds nothing that the marker behind it begins with.
    head, member = (re.escape('<>"' + text.strip()[0]) for text in (after, arguments.between))
    spelling = ArgumentSpelling(
        before=arguments.before,
        tags=(ValueTag(ANY_TYPES, arguments.between),),
        after=arguments.after,
        names=rf"[^{member}\s]([^{member}\n]*[^{member}\s])?",
        has_entities=True,
        marker=mark,
    )
    opening = f"{name.before}\0{after}".replace("{", "{{").replace("}", "}}").replace("\0", "{name}")
    return TaggedCall(
        begin=opening,
        mark=name.before.strip(),
        head=rf"(?P<name>[^{head}]+)",
        head_end=after.strip(),
        spelling=spelling,
        member=rf"(?P<name>[^{member}]+)",
        member_end=arguments.between.strip(),
        end=arguments.end,
        stops=tuple(ends[:1]),
    )


def _python(told: _File, wrong: Wrong) -> Body:
    return KeywordCall()


def _delimited(told: _File, wrong: Wrong) -> Body:
    for key, text in (("arguments.delimiter", told.arguments.delimiter), ("tool.before", told.tool.before)):
        if not text.strip():
            raise wrong(key, "a marker expected")
    return DelimitedCall(told.arguments.delimiter, told.tool.before)


_BODIES = {"json": _json, "tagged": _tagged, "python": _python, "delimited": _delimited}


def _check(spec: Format, wrong: Wrong) -> None:
    """A call that is written is read again, alone and beside another."""
    tools = ToolSet((Tool("get_weather", parameters={"type": "object"}),))
    for number in (1, 2) if spec.is_parallel else (1,):
        calls = [ToolCall("", "get_weather", _SAMPLE)] * number
        try:
            text = spec.render(calls, tools)
            parser = spec.parser(tools)
            told = Transcript.of([*parser.feed(text), *parser.finish()])
        except ToolError as error:
            raise wrong("", str(error)) from None
        if [(call.name, call.arguments) for call in told.calls] != [(call.name, call.arguments) for call in calls]:
            raise wrong("", f"a call that is written as {text!r} is not read as such")
