"""The newcomers' prompts as cases, and the check of each answer."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal

from embedded_model.evaluate.newcomer_prompts import CALLS, CHOICES, RECORDS, TEXTS, TOOLS
from tools import ToolSet, Transcript, get_format

Kind = Literal["call", "record", "choice", "text"]

_TYPES = {"str": "string", "int": "integer", "num": "number", "bool": "boolean"}
MAX_VALUE_CHARACTERS = 80
"""A string longer than this is a ramble: no prompt asks for one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewcomerCase:
    """Prompt with its check: `expected` is calls, fields, a label or a pattern, by `kind`."""

    kind: Kind
    prompt: str
    expected: Any
    tools: list[dict[str, Any]] = field(default_factory=list)
    schema: dict[str, Any] | None = None
    choices: list[str] | None = None


def newcomer_cases() -> list[NewcomerCase]:
    """All of them, in the order of the tables."""
    return [
        *(
            NewcomerCase(kind="call", prompt=prompt, expected=calls, tools=_declared(names.split()))
            for names, prompt, calls in CALLS
        ),
        *(
            NewcomerCase(kind="record", prompt=prompt, expected=expected, schema=schema_of(fields))
            for fields, prompt, expected in RECORDS
        ),
        *(
            NewcomerCase(kind="choice", prompt=prompt, expected=label, choices=labels.split("|"))
            for labels, prompt, label in CHOICES
        ),
        *(NewcomerCase(kind="text", prompt=prompt, expected=pattern) for prompt, pattern in TEXTS),
    ]


def schema_of(short: Any) -> dict[str, Any]:
    """Return the JSON schema of a short notation."""
    if isinstance(short, dict):
        return {
            "type": "object",
            "properties": {key.removesuffix("?"): schema_of(value) for key, value in short.items()},
            "required": [key for key in short if not key.endswith("?")],
            "additionalProperties": False,
        }
    if isinstance(short, list):
        return {"type": "array", "items": schema_of(short[0])}
    if short.startswith("["):
        return {"type": "array", "items": schema_of(short[1:-1])}
    if short == "day":
        return {"type": "string", "format": "date"}
    if short.endswith("|null"):
        return {"type": [_TYPES[short.removesuffix("|null")], "null"]}
    return {"type": "string", "enum": short.split("|")} if "|" in short else {"type": _TYPES[short]}


def _declared(names: list[str]) -> list[dict[str, Any]]:
    return [
        {
            "type": "function",
            "function": {"name": name, "description": TOOLS[name][0], "parameters": schema_of(TOOLS[name][1])},
        }
        for name in dict.fromkeys(names)
    ]


def passes(case: NewcomerCase, answer: str) -> bool:
    """True if the answer holds what a sensible one would."""
    match case.kind:
        case "call":
            return _right_calls(case, answer)
        case "record":
            return _right_record(case, answer)
        case "choice":
            return bool(answer.strip() == case.expected)
        case "text":
            return re.search(case.expected, answer.strip(), re.IGNORECASE) is not None and len(answer) < 400
    return False


def _right_calls(case: NewcomerCase, answer: str) -> bool:
    parser = get_format("hermes").parser(ToolSet.from_openai(case.tools))
    transcript = Transcript.of([*parser.feed(answer), *parser.finish()])
    calls = [(call.name, json.loads(call.arguments)) for call in transcript.calls]
    if not case.expected:
        return not calls and bool(answer.strip())
    return len(calls) == len(case.expected) and all(
        given == wanted and agrees(arguments, expected, closed=True)
        for (given, arguments), (wanted, expected) in zip(calls, case.expected, strict=True)
    )


def _right_record(case: NewcomerCase, answer: str) -> bool:
    try:
        value = json.loads(answer)
    except ValueError:
        return False
    return agrees(value, case.expected, closed=False) and not is_rambling(value)


def agrees(given: Any, expected: Any, *, closed: bool) -> bool:
    """True if a value is the expected one; open objects may hold more, and `...` agrees with everything."""
    if expected is ...:
        return True
    if isinstance(expected, dict):
        if not isinstance(given, dict) or (closed and given.keys() != expected.keys()):
            return False
        return all(key in given and agrees(given[key], expected[key], closed=closed) for key in expected)
    if isinstance(expected, list):
        return (
            isinstance(given, list)
            and len(given) == len(expected)
            and all(agrees(one, other, closed=closed) for one, other in zip(given, expected, strict=True))
        )
    return bool(given == expected) and isinstance(given, bool) == isinstance(expected, bool)


def is_rambling(value: Any) -> bool:
    """True if a string in the value is longer than any prompt asks for."""
    if isinstance(value, dict):
        return any(map(is_rambling, value.values()))
    if isinstance(value, list):
        return len(value) > 12 or any(map(is_rambling, value))
    return isinstance(value, str) and len(value) > MAX_VALUE_CHARACTERS
