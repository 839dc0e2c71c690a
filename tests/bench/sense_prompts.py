"""The prompts of `bench_sense.py`, and what is right for each.

`sense/tools.json` declares the tools, `sense/calls.txt` asks for them: a line `# tool, tool` says which are declared,
each line after it is a prompt, followed by the tool and the values of its arguments where one fits. A line
`# {"field": "type"}` of `sense/extraction.txt` says what is asked for, each line after it is a text and its values.
`sense/held_out.txt` has records of other kinds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "sense"
PLACEHOLDERS = frozenset(
    ("your answer", "answer", "value", "argument", "tool_name", "string", "text", "...", "…", "name", "func_name1")
)
"""Texts that only an instruction or a schema says: no prompt has one of them as a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPrompt:
    """A request beside tools; `name` is empty where none of them fits."""

    text: str
    tools: tuple[dict[str, Any], ...]
    name: str = ""
    arguments: Mapping[str, Any]

    def is_right(self, calls: list[tuple[str, Any]]) -> bool:
        """Whether these are the one call that is meant, or none where none is."""
        if not self.name:
            return not calls
        if len(calls) != 1 or calls[0][0] != self.name or not isinstance(calls[0][1], dict):
            return False
        return all(same(calls[0][1].get(name), value) for name, value in self.arguments.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPrompt:
    """A text, the schema of what is asked of it, and the values that it holds."""

    text: str
    schema: dict[str, Any]
    values: Mapping[str, Any]

    def num_right(self, given: Any) -> int:
        """How many fields of the answer have the value that the text says."""
        if not isinstance(given, dict):
            return 0
        return sum(same(given.get(name), value) for name, value in self.values.items())


def same(given: Any, wanted: Any) -> bool:
    """Whether two values say the same: texts in whatever case, numbers whether whole or not."""
    if isinstance(wanted, str):
        return isinstance(given, str) and given.strip().casefold() == wanted.casefold()
    if isinstance(wanted, list):
        return isinstance(given, list) and len(given) == len(wanted) and all(map(same, given, wanted))
    if isinstance(wanted, bool) or isinstance(given, bool):
        return given is wanted
    return isinstance(given, int | float) and float(given) == float(wanted)


def call_prompts() -> list[CallPrompt]:
    """The requests beside tools."""
    declared = {name: _tool(name, *each) for name, each in json.loads((FOLDER / "tools.json").read_text()).items()}
    prompts, tools = [], ()
    for line in (FOLDER / "calls.txt").read_text().splitlines():
        if line.startswith("# "):
            tools = tuple(declared[name] for name in line[2:].split(", "))
            continue
        text, *call = line.split(" | ")
        name = call[0] if call else ""
        fields = declared[name]["function"]["parameters"]["properties"] if name else {}
        values = zip(fields, call[1:], strict=True)
        arguments = {key: _value(fields[key], value) for key, value in values}
        prompts.append(CallPrompt(text=text, tools=tools, name=name, arguments=arguments))
    return prompts


def record_prompts(name: str = "extraction") -> list[RecordPrompt]:
    """The texts with records in them: those of a file."""
    prompts, schema = [], {}
    for line in (FOLDER / f"{name}.txt").read_text().splitlines():
        if line.startswith("# "):
            schema = _object(json.loads(line[2:]))
            continue
        text, values = line.split(" => ")
        told = dict(zip(schema["properties"], json.loads(values), strict=True))
        prompts.append(RecordPrompt(text=text, schema=schema, values=told))
    return prompts


def _tool(name: str, description: str, fields: dict[str, Any]) -> dict[str, Any]:
    function = {"name": name, "description": description, "parameters": _object(fields)}
    return {"type": "function", "function": function}


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    properties = {name: _schema(kind) for name, kind in fields.items()}
    return {"type": "object", "properties": properties, "required": list(fields), "additionalProperties": False}


def _schema(kind: str | list[str]) -> dict[str, Any]:
    if isinstance(kind, list):
        return {"type": "string", "enum": kind}
    return {"type": "array", "items": {"type": "string"}} if kind == "list" else {"type": kind}


def _value(schema: dict[str, Any], text: str) -> Any:
    return text if schema["type"] == "string" else float(text)
