"""Formats described by a TOML file instead of code."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import msgspec

from grammars import GrammarError
from tools.calls import ToolCall, Transcript
from tools.errors import InvalidFormatError, ToolError
from tools.formats.base import Format
from tools.formats.tables import FormatTable, Table, Text, Wrong, build_format
from tools.reasoning import Reasoning
from tools.tool import Tool
from tools.toolset import ToolSet

_SAMPLE = '{"city": "Bern", "days": 3}'
_PLACE = re.compile(r"(.*?)(?: - at `\$\.?(.*)`)?", re.DOTALL)
_FIELD = re.compile(r"unknown field `(.*)`")


class _Reasoning(Table):
    begin: Text
    end: Text
    after: str = ""


class _File(FormatTable, kw_only=True):
    reasoning: _Reasoning | None = None


@dataclass(frozen=True, slots=True)
class FormatFile:
    """Content of a file: how calls are written and, if given, how thoughts are marked."""

    format: Format
    reasoning: Reasoning | None


def load_format(path: str | Path) -> FormatFile:
    """Return the content of a file.

    Raises:
        InvalidFormatError: the file cannot be read or describes no format; the error names the line and the key.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFormatError(f"{path}: {error}") from None
    return parse_format(text, str(path))


def parse_format(text: str, source: str = "format") -> FormatFile:
    """Return the content of a file with this text; errors name `source`.

    Raises:
        InvalidFormatError: see `load_format`.
    """

    def wrong(key: str, message: str) -> InvalidFormatError:
        where = f"{source}:{_line_of(text, key)}" if key else source
        return InvalidFormatError(f"{where}: {key}: {message}" if key else f"{where}: {message}")

    try:
        table = msgspec.convert(tomllib.loads(text), _File)
    except tomllib.TOMLDecodeError as error:
        raise InvalidFormatError(f"{source}: {error}") from None
    except msgspec.ValidationError as error:
        match = _PLACE.fullmatch(str(error))
        message, key = (match[1], match[2] or "") if match else (str(error), "")
        if unknown := _FIELD.search(message):
            key = f"{key}.{unknown[1]}" if key else unknown[1]
        raise wrong(re.sub(r"\[.*", "", key), message) from None
    try:
        found = FormatFile(build_format(table, wrong), _reasoning(table))
    except (GrammarError, ValueError) as error:
        raise wrong("", str(error)) from None
    _check(found.format, wrong)
    return found


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


def _reasoning(table: _File) -> Reasoning | None:
    marks = table.reasoning
    return None if marks is None else Reasoning(name=table.name, begin=marks.begin, end=marks.end, bridge=marks.after)


def _check(spec: Format, wrong: Wrong) -> None:
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
