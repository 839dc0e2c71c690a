"""Tool declarations of the shapes that public services declare, made up from a seed."""

from __future__ import annotations

import random
from typing import Any

_SERVICES = ("github", "slack", "notion", "twilio", "calendar", "drive", "jira", "stripe", "maps", "mail")
_VERBS = ("create", "get", "list", "update", "delete", "search", "add", "send", "move", "archive")
_THINGS = ("issue", "message", "page", "event", "file", "ticket", "charge", "place", "comment", "channel", "user")
_NAMES = (
    *("id", "owner", "repo", "title", "body", "query", "page", "per_page", "cursor", "limit", "channel", "thread_ts"),
    *("start", "end", "due_on", "state", "labels", "assignees", "recipient", "subject", "amount", "currency", "tags"),
    *("include_archived", "sort", "order", "filter", "parent", "properties", "location", "radius", "is_private"),
)
_WORDS = ("The", "identifier", "of", "what", "is", "asked", "for,", "as", "listed", "earlier", "by", "this", "service.")


def make_tools(number: int, seed: int) -> list[dict[str, Any]]:
    """Declarations in OpenAI's form; each name is there once."""
    drawn = random.Random(seed)
    found = []
    for index in range(number):
        service, verb, thing = (drawn.choice(words) for words in (_SERVICES, _VERBS, _THINGS))
        parameters = _object(drawn, drawn.randint(2, 9), 0)
        function = {"name": f"{service}_{verb}_{thing}_{index}", "description": _text(drawn), "parameters": parameters}
        found.append({"type": "function", "function": function})
    return found


def _object(drawn: random.Random, number: int, depth: int) -> dict[str, Any]:
    names = drawn.sample(_NAMES, number)
    schema: dict[str, Any] = {"type": "object", "properties": {name: _value(drawn, depth) for name in names}}
    schema["required"] = drawn.sample(names, drawn.randint(0, min(3, number)))
    if drawn.random() < 0.6:
        schema["additionalProperties"] = False
    return schema


def _value(drawn: random.Random, depth: int) -> dict[str, Any]:
    described = {"description": _text(drawn)}
    match drawn.randrange(12 if depth < 2 else 9):
        case 0 | 1 | 2:
            return {"type": "string", **described}
        case 3:
            return {"type": "integer", "minimum": 1, "maximum": drawn.choice((100, 250, 1_000)), **described}
        case 4:
            return {"type": "boolean", "default": False, **described}
        case 5:
            return {"type": "string", "enum": drawn.sample(_NAMES, drawn.randint(2, 5)), **described}
        case 6:
            return {"type": "number", **described}
        case 7:
            return {"type": "string", "format": drawn.choice(("date-time", "date", "email", "uri")), **described}
        case 8:
            return {"anyOf": [{"type": "string", "maxLength": drawn.choice((40, 255))}, {"type": "null"}], **described}
        case 9:
            return {"type": "array", "items": _value(drawn, depth + 1), "maxItems": 20, **described}
        case 10:
            return {"type": "array", "items": _object(drawn, drawn.randint(1, 4), depth + 1), **described}
        case _:
            return {**_object(drawn, drawn.randint(1, 5), depth + 1), **described}


def _text(drawn: random.Random) -> str:
    return " ".join(drawn.choices(_WORDS, k=drawn.randint(4, 14)))
