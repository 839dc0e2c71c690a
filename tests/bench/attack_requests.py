"""Requests made up at random from an OpenAPI document: mostly as it says, with something else here and there."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

TEXTS = (
    "",
    "a",
    "Say hello.",
    "portcullis",
    "user",
    "\ud83d\ude00",
    "\u0000",
    "é" * 40,
    "{",
    "(",
    "^a+$",
    "json",
    "auto",
)
NUMBERS = (0, 1, 2, 3, 7, -1, 0.5, 1e-9, 1e300, -1e300, 2**31, 2**63, 2**64, 10**400)
CONSTRAINTS: tuple[Any, ...] = (
    {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
    {"type": "array", "items": {"$ref": "#"}, "maxItems": 2},
    {"enum": ["a", 1, None]},
    {"pattern": "^[ab]{1,3}$", "type": "string"},
    {"$ref": "#/$defs/nowhere"},
    {"not": {}},
)
BOUNDS = ("max_tokens", "max_completion_tokens", "max_output_tokens", "max_new_tokens", "num_predict")
"""Fields that say how long an answer may be: short, where they are at all."""


def anything(rng: random.Random, depth: int = 0) -> Any:
    """Any JSON value, of what is worth trying."""
    kind = rng.randrange(8 if depth < 3 else 5)
    match kind:
        case 0:
            return rng.choice(TEXTS)
        case 1:
            return rng.choice(NUMBERS)
        case 2:
            return rng.choice((None, True, False))
        case 3:
            return rng.choice(CONSTRAINTS)
        case 4:
            return rng.choice(([], {}, [[]], [{}], {"type": "text", "text": "a"}))
        case 5:
            return [anything(rng, depth + 1) for _ in range(rng.randrange(3))]
    return {rng.choice(TEXTS): anything(rng, depth + 1) for _ in range(rng.randrange(3))}


def value_of(rng: random.Random, schema: Any, known: dict[str, Any], depth: int = 0) -> Any:
    """A value that the schema describes, or at times another."""
    if not isinstance(schema, dict) or depth > 8 or rng.random() < 0.03:
        return anything(rng)
    if "$ref" in schema:
        return value_of(rng, known.get(schema["$ref"].rpartition("/")[2], {}), known, depth + 1)
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return value_of(rng, rng.choice(schema[keyword]), known, depth + 1)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    kind = schema.get("type")
    match rng.choice(kind) if isinstance(kind, list) else kind:
        case "object":
            return members_of(rng, schema, known, depth)
        case "array":
            return [value_of(rng, schema.get("items", {}), known, depth + 1) for _ in range(rng.randrange(3))]
        case "string":
            return rng.choice(TEXTS)
        case "integer" | "number":
            return rng.choice(NUMBERS[:8] if rng.random() < 0.9 else NUMBERS)
        case "boolean":
            return rng.random() < 0.5
        case "null":
            return None
    return anything(rng)


def members_of(rng: random.Random, schema: dict[str, Any], known: dict[str, Any], depth: int) -> dict[str, Any]:
    """What is required, nearly always, and at most three others."""
    properties, required = schema.get("properties", {}), schema.get("required", [])
    names = [name for name in required if rng.random() < 0.97]
    others = [name for name in properties if name not in required]
    names += rng.sample(others, min(len(others), rng.randrange(4)))
    members = {name: value_of(rng, properties.get(name, {}), known, depth + 1) for name in names}
    if rng.random() < 0.03:
        members[rng.choice(TEXTS)] = anything(rng)
    return members


def requests_of(document: dict[str, Any], rng: random.Random) -> Iterator[tuple[str, str, bytes]]:
    """Method, address and body of one request after the other, of all operations in turns, without end."""
    known = document.get("components", {}).get("schemas", {})
    operations = [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method in ("get", "post", "put", "delete", "head")
    ]
    while True:
        for method, path, operation in operations:
            address = re.sub(r"\{[^}]*\}", lambda _: rng.choice(("portcullis", "a", "resp_0", "library:date")), path)
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if content is None:
                yield method, address, b""
                continue
            body = value_of(rng, content["schema"], known)
            if isinstance(body, dict):
                body |= {
                    name: rng.randrange(1, 5) for name in BOUNDS if name in content["schema"].get("properties", {})
                }
            written = json.dumps(body).encode()
            if rng.random() < 0.02:
                place = rng.randrange(len(written) + 1)
                written = written[:place] + rng.randbytes(rng.randrange(4)) + written[place + rng.randrange(3) :]
            yield method, address, written
