"""Formats of tool calls and of reasoning, described by a TOML file instead of code."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from grammars import GrammarError
from tools.calls import ToolCall, Transcript
from tools.errors import InvalidFormatError, ToolError
from tools.formats.base import Format
from tools.formats.parser import PassThrough
from tools.formats.tables import FormatTable, Wrong, build_format
from tools.reasoning import Reasoning
from tools.reasoning.tables import NamedReasoningTable, ReasoningTable, build_reasoning
from tools.tool import Tool
from tools.toolset import ToolSet

T = TypeVar("T")
Built = TypeVar("Built")

_SAMPLE = '{"city": "Bern", "days": 3}'
_PLACE = re.compile(r"(.*?)(?: - at `\$\.?(.*)`)?", re.DOTALL)
_FIELD = re.compile(r"unknown field `(.*)`")


class _File(FormatTable, kw_only=True):
    reasoning: ReasoningTable | None = None


@dataclass(frozen=True, slots=True)
class FormatFile:
    """Content of a file: how calls are written and, if given, how thoughts are marked."""

    format: Format
    reasoning: Reasoning | None


def load_format(path: str | Path) -> FormatFile:
    """Return the format of tool calls that a file describes, and its reasoning.

    Raises:
        InvalidFormatError: the file cannot be read or describes no format; the error names the line and the key.
    """
    return parse_format(_read(path), str(path))


def load_reasoning(path: str | Path) -> Reasoning:
    """Return the reasoning that a file describes.

    Raises:
        InvalidFormatError: see `load_format`.
    """
    return parse_reasoning(_read(path), str(path))


def parse_format(text: str, source: str = "format") -> FormatFile:
    """Return the content of a file with this text; errors name `source`.

    Raises:
        InvalidFormatError: see `load_format`.
    """

    def build(table: _File, wrong: Wrong) -> FormatFile:
        spec, marks = build_format(table, wrong), table.reasoning
        _check_calls(spec, wrong)
        return FormatFile(spec, None if marks is None else _reasoning(marks, table.name, wrong))

    return _parse(text, source, _File, build)


def parse_reasoning(text: str, source: str = "reasoning") -> Reasoning:
    """Return the reasoning that a file with this text describes; errors name `source`.

    Raises:
        InvalidFormatError: see `load_format`.
    """
    return _parse(text, source, NamedReasoningTable, lambda table, wrong: _reasoning(table, table.name, wrong))


def _read(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFormatError(f"{path}: {error}") from None


def _parse(text: str, source: str, kind: type[T], build: Callable[[T, Wrong], Built]) -> Built:
    def wrong(key: str, message: str) -> InvalidFormatError:
        where = f"{source}:{_line_of(text, key)}" if key else source
        return InvalidFormatError(f"{where}: {key}: {message}" if key else f"{where}: {message}")

    try:
        table = msgspec.convert(tomllib.loads(text), kind)
    except tomllib.TOMLDecodeError as error:
        raise InvalidFormatError(f"{source}: {error}") from None
    except msgspec.ValidationError as error:
        match = _PLACE.fullmatch(str(error))
        message, key = (match[1], match[2] or "") if match else (str(error), "")
        if unknown := _FIELD.search(message):
            key = f"{key}.{unknown[1]}" if key else unknown[1]
        raise wrong(re.sub(r"\[.*", "", key), message) from None
    try:
        return build(table, wrong)
    except (GrammarError, ValueError) as error:
        raise wrong("", str(error)) from None


def _line_of(text: str, key: str) -> int:
    """Return the line of a key, else that of its table, else 1."""
    table, found = "", 1
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.fullmatch(r"\s*\[{1,2}([^\[\]]+)\]{1,2}\s*(?:#.*)?", line):
            table = header[1].strip()
            found = number if table == key.split(".")[0] else found
        elif (name := re.match(r"\s*([\w-]+)\s*=", line)) and key == f"{table}.{name[1]}".lstrip("."):
            return number
    return found


def _reasoning(table: ReasoningTable, name: str, wrong: Wrong) -> Reasoning:
    """Return what a table describes.

    Raises:
        InvalidFormatError: thoughts and an answer that are written are not read back.
    """
    spec = build_reasoning(table, name)
    answer = "".join((*spec.answer.begin, "Yes.", *spec.answer.end))
    text = f"{spec.begin}Hm.{spec.end}{spec.bridge}{answer}{spec.tail}"
    for pieces in ([text], list(text)):
        parser = spec.reader(PassThrough(), "undecided", "any")
        events = [event for piece in pieces for event in parser.feed(piece)]
        read = Transcript.of([*events, *parser.finish()])
        if (read.reasoning, read.content.strip()) != ("Hm.", "Yes."):
            raise wrong("", f"thoughts and an answer that are written as {text!r} are not read back")
    return spec


def _check_calls(spec: Format, wrong: Wrong) -> None:
    """Raise unless calls that are written are read back, one alone and two together."""
    tools = ToolSet((Tool("get_weather", parameters={"type": "object"}),))
    for number in (1, 2) if spec.is_parallel else (1,):
        calls = [ToolCall("", "get_weather", _SAMPLE)] * number
        try:
            text = spec.render(calls, tools)
            parser = spec.parser(tools)
            read = Transcript.of([*parser.feed(text), *parser.finish()])
        except ToolError as error:
            raise wrong("", str(error)) from None
        if [(call.name, call.arguments) for call in read.calls] != [(call.name, call.arguments) for call in calls]:
            raise wrong("", f"a call that is written as {text!r} is not read back")
