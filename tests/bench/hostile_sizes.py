"""More constraints made to hurt: JSON schemas of very many parts, one function a kind as in `hostile_kinds`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grammars import JsonSchema


def megabytes(n: int) -> Any:
    size = 300_000 * (1 + n % 40)
    texts = (
        '{"const": "' + "a" * size + '"}',
        '{"title": "' + "é" * size + '", "type": "null"}',
        '{"enum": [' + ",".join(map(str, range(size // 8))) + "]}",
        "[" * size,
        '{"a":' * (size // 5),
        '{"required": [' + ",".join(f'"{i}"' for i in range(size // 12)) + "]}",
        '{"allOf": [' + ",".join(["true"] * (size // 6)) + "]}",
        '{"anyOf": [' + ",".join(f'{{"minimum":{i}}}' for i in range(size // 20)) + "]}",
        '{"allOf": [' + ",".join(f'{{"pattern":"{i}"}}' for i in range(size // 20)) + "]}",
        '{"items": {"type": "integer", "maximum": ' + "9" * size + "}}",
        '{"properties": {' + ",".join(f'"{i}":{{}}' for i in range(size // 12)) + "}}",
        '{"prefixItems": [' + ",".join(["{}"] * (size // 3)) + "]}",
        '{"oneOf": [' + ",".join(f'{{"const":{i}}}' for i in range(size // 20)) + "]}",
        '{"not": {"enum": [' + ",".join(map(str, range(size // 8))) + "]}}",
        '{"properties": {' + ",".join(f'"{i}":true' for i in range(size // 12)) + '}, "required": ["7"]}',
        '{"type": "string", "minLength": 5, "not": {"enum": [' + ",".join(f'"{i}"' for i in range(size // 10)) + "]}}",
        '{"patternProperties": {' + ",".join(f'"{i}":{{}}' for i in range(size // 12)) + "}}",
        '{"$defs": {' + ",".join(f'"{i}":{{"$anchor":"a{i}"}}' for i in range(size // 30)) + '}, "$ref": "#a7"}',
    )
    return JsonSchema(texts[n % len(texts)])


def distinct_members(n: int) -> Any:
    size = 200 + 397 * n % 12_000
    shapes: tuple[Callable[[int], Any], ...] = (
        lambda i: {"type": "integer", "minimum": i, "maximum": 7 * i + n},
        lambda i: {"type": "number", "exclusiveMinimum": i + 0.25},
        lambda i: {"type": "integer", "multipleOf": i + 1},
        lambda i: {"type": "string", "pattern": f"^a{i}(b|c)*d"},
        lambda i: {"type": "string", "pattern": f"a{i}", "maxLength": i + 9},
        lambda i: {"patternProperties": {f"^a{i}": {"type": "null"}}},
        lambda i: {"anyOf": [{"minLength": i, "pattern": "a"}, {"minimum": i}]},
        lambda i: {"if": {"minimum": i}, "then": {"multipleOf": i + 1}, "else": {"maxLength": i}},
    )
    return JsonSchema({"properties": {f"p{i}": shapes[n % len(shapes)](i) for i in range(size)}})


def long_lists(n: int) -> Any:
    size = 200 + 797 * n % 40_000
    shapes: tuple[Callable[[], Any], ...] = (
        lambda: {"dependentRequired": {f"p{i}": [f"q{i}"] for i in range(size)}},
        lambda: {"allOf": [{"required": [f"p{i}"]} for i in range(size)]},
        lambda: {"not": {"enum": [i + 0.5 if n % 2 else i for i in range(size)]}},
        lambda: {"prefixItems": [{"minimum": i} for i in range(size)], "uniqueItems": True},
    )
    return JsonSchema(shapes[n % len(shapes)]())


def required_lists(n: int) -> Any:
    size = 100 + 397 * n % 2_000
    shapes: tuple[Callable[[int], Any], ...] = (
        lambda i: {},
        lambda i: {f"x{i}k{j}": 1 for j in range(size)},
        lambda i: {"properties": {f"r{7 * i + j}": {"type": "string"} for j in range(100)}},
        lambda i: {"patternProperties": {f"^a{i}": {"type": "string"}}},
    )
    shape, step = shapes[n % len(shapes)], 7 if n % 8 < 4 else size
    branches = [
        {"type": "object", **shape(i), "required": [f"r{step * i + j}" for j in range(size)]} for i in range(60)
    ]
    return JsonSchema({"anyOf" if n % 3 == 2 else "oneOf": branches})


KINDS: tuple[Callable[[int], Any], ...] = (megabytes, distinct_members, long_lists, required_lists)
