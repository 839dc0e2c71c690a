"""Requests of a load test: made ones of three kinds, or those of a file."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from gateway.errors import ConfigError

MAX_FILE_BYTES = 1 << 30

CITIES = ("Bern", "Lima", "Oslo", "Rome", "Tokyo", "Cairo", "Paris", "Vienna", "Madrid", "Ottawa", "Dublin", "Nairobi")
COUNTRIES = ("Japan", "Peru", "Norway", "Italy", "Egypt", "France", "Austria", "Spain", "Canada", "Ireland", "Kenya")
INVOICE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "number": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$"},
        "total": {"type": "number", "minimum": 0},
        "currency": {"enum": ["CHF", "EUR", "USD"]},
    },
    "required": ["number", "total", "currency"],
    "additionalProperties": False,
}
TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "get_weather": ("Current weather of a city", {"city": {"type": "string"}, "unit": {"enum": ["celsius", "kelvin"]}}),
    "set_alarm": ("Set an alarm", {"hour": {"type": "integer", "minimum": 0, "maximum": 23}}),
}
_BFCL_TYPES = {"dict": "object", "float": "number", "tuple": "array"}
_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})


class Prompt(NamedTuple):
    """Request to send.

    Attributes:
        kind: Name in the report.
        body: Of `/v1/chat/completions`, without model and stream.
    """

    kind: str
    body: dict[str, Any]


def _chat(made: random.Random) -> dict[str, Any]:
    return _asked(f"{made.randrange(10**6)}: what is the capital of {made.choice(COUNTRIES)}?")


def _extraction(made: random.Random) -> dict[str, Any]:
    number = f"{made.choice('ABKQXZ')}{made.choice('ABKQXZ')}-{made.randrange(10**4):04}"
    currency, total = made.choice(INVOICE["properties"]["currency"]["enum"]), made.randrange(10**6) / 100
    shape = {"type": "json_schema", "json_schema": {"name": "invoice", "schema": INVOICE, "strict": True}}
    text = f"Extract the data: Invoice {number} came in over a total of {total} in {currency}."
    return _asked(text) | {"response_format": shape}


def _tools(made: random.Random) -> dict[str, Any]:
    city, hour = made.choice(CITIES), made.randrange(24)
    text = made.choice((f"What is the weather in {city}, in celsius?", f"Set an alarm for {hour}:00."))
    tools = [
        _tool(name, about, {"type": "object", "properties": shape, "required": [*shape]})
        for name, (about, shape) in TOOLS.items()
    ]
    return _asked(text) | {"tools": tools, "tool_choice": "required"}


KINDS: Mapping[str, Callable[[random.Random], dict[str, Any]]] = {
    "chat": _chat, "extraction": _extraction, "tools": _tools,
}  # fmt: skip


def read_mix(words: list[str]) -> dict[str, float]:
    """Return the weight of each kind, from words such as `chat:2`.

    Raises:
        ConfigError: A kind is unknown, or a weight is no positive number.
    """
    mix: dict[str, float] = {}
    for word in words:
        kind, mark, weight = word.partition(":")
        try:
            mix[kind] = float(weight) if mark else 1.0
        except ValueError:
            mix[kind] = 0.0
        if kind not in KINDS or not 0 < mix[kind] < float("inf"):
            raise ConfigError(f"--mix takes {', '.join(f'{name}:WEIGHT' for name in KINDS)}, not {word}")
    return mix


def made_prompts(mix: Mapping[str, float], seed: int) -> Iterator[Prompt]:
    """Yield prompts without end; the same for the same seed."""
    made = random.Random(seed)
    for _ in count():
        (kind,) = made.choices([*mix], [*mix.values()])
        yield Prompt(kind, KINDS[kind](made))


def file_prompts(path: Path) -> list[Prompt]:
    """Return the prompts of a JSONL file. A line is one of

    - a body of `/v1/chat/completions`, or a line of OpenAI's batch format with one in it; its `kind` is kept;
    - `{"prompt": "..."}`;
    - a line of the Berkeley Function Calling Leaderboard, `{"question": [[...]], "function": [...]}`.

    Raises:
        ConfigError: The file cannot be read, or a line is none of these.
    """
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise ConfigError(f"{path} has more than {MAX_FILE_BYTES} bytes")
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}") from error
    prompts = [_read(line, f"{path}, line {number}") for number, line in enumerate(lines, 1) if line.strip()]
    if not prompts:
        raise ConfigError(f"{path} has no prompt")
    return prompts


def _read(line: str, place: str) -> Prompt:
    try:
        found = json.loads(line)
        if "question" in found and "function" in found:
            return Prompt("bfcl", _bfcl(found))
        if "prompt" in found:
            return Prompt("chat", _asked(found["prompt"]))
        body = found.get("body", found)
        kind = found.get("kind") or (
            "tools" if body.get("tools") else "json" if body.get("response_format") else "chat"
        )
        body = {
            name: value for name, value in body.items() if name not in ("kind", "model", "stream", "stream_options")
        }
        if not isinstance(kind, str) or not body["messages"] or body.get("n") not in (None, 1):
            raise ValueError("messages are needed, and n must be 1")
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        forms = "a chat completion's body, a line of a batch, a 'prompt', or 'question' and 'function'"
        raise ConfigError(f"{place}: {forms} are expected ({error})") from None
    return Prompt(kind, body)


def _bfcl(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the request for an entry's first turn; where a call fits, one is required."""
    tools = [
        _tool(each["name"].replace(".", "_"), each.get("description", ""), _bfcl_schema(each["parameters"]))
        for each in entry["function"]
    ]
    is_fitting = "irrelevance" not in str(entry.get("id", ""))
    return {"messages": entry["question"][0], "tools": tools, "tool_choice": "required" if is_fitting else "auto"}


def _bfcl_schema(node: Any) -> Any:
    """Return a schema with JSON's types instead of those of programming languages; a type without one is left out."""
    if not isinstance(node, dict):
        return node
    schema = {
        name: {each: _bfcl_schema(inner) for each, inner in value.items()}
        if name == "properties"
        else _bfcl_schema(value)
        for name, value in node.items()
        if name not in ("default", "optional", "format", "required") or isinstance(value, list)
    }
    if isinstance(kind := schema.pop("type", None), str) and (kind := _BFCL_TYPES.get(kind, kind)) in _TYPES:
        schema["type"] = kind
    return schema


def _tool(name: str, about: str, parameters: dict[str, Any]) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "description": about, "parameters": parameters}}


def _asked(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}
