"""Differential fuzzing of wide unions (`oneOf`, `anyOf` of 10 to 200 alternatives) and objects of thousands of members.

Alternatives overlap or not, with tags and without, of objects, numbers, strings, arrays and all of them; jsonschema-rs
says what is right. Of strings and arrays a few overlap: a `oneOf` of many patterns, or of arrays told apart by
what they contain, is refused by name. What is done with each schema stands in `fuzzing.py`.

Run: python tests/bench/fuzz_unions.py --seed 1 --count 2000
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import jsonschema_rs
from fuzzing import Case, main

from grammars import JsonSchema

VALUES: tuple[Any, ...] = (
    {"type": "integer"}, {"type": "string", "maxLength": 3}, {"type": "boolean"}, {"const": 1}, {"enum": ["a", "b"]},
    {"type": "null"}, {"type": "integer", "minimum": 0, "maximum": 5}, {"type": ["integer", "null"]}, True,
)  # fmt: skip
SAMPLES: tuple[Any, ...] = (None, True, False, 0, 1, 2, 5, 7, -1, "", "a", "b", "abc", "abcd", [], {}, [1], {"a": 1})
WIDTHS = (10, 12, 16, 20, 24, 32, 40, 60, 80, 100)
SIZES = (1_000, 5_000)
"""Members of a wide object."""

_FAR = re.compile("[0-9]{15}")

Make = Callable[[random.Random, int], list[Any]]


def _own_members(rng: random.Random, width: int) -> list[Any]:
    """Objects that each say something of a member of their own, and perhaps how many there are."""
    value, bound = rng.choice(VALUES), rng.choice(["", "minProperties", "maxProperties", "both"])
    alternatives = []
    for i in range(width):
        schema: dict[str, Any] = {"type": "object", "properties": {f"p{i}": value}}
        if bound in ("minProperties", "both"):
            schema["minProperties"] = i % rng.choice([2, 3, 5])
        if bound in ("maxProperties", "both"):
            schema["maxProperties"] = 1 + i % 4
        alternatives.append(schema)
    return alternatives


def _required_members(rng: random.Random, width: int) -> list[Any]:
    """Objects that each require a member of their own, or one that a few share."""
    shared, closed = rng.choice([1, 1, 2, 3]), rng.random() < 0.4
    return [
        {
            "type": "object",
            "properties": {f"p{i // shared}": rng.choice(VALUES), "id": {"type": "integer"}},
            "required": [f"p{i // shared}"],
            **({"additionalProperties": False} if closed else {}),
        }
        for i in range(width)
    ]


def _tagged(rng: random.Random, width: int) -> list[Any]:
    """Objects told apart by a tag, which some do not require, or share with another."""
    lax, twice = rng.random() < 0.4, rng.random() < 0.4
    alternatives = []
    for i in range(width):
        tag = f"k{i // 2 if twice and i < 4 else i}"
        required = [] if lax and i == width // 2 else ["kind"]
        alternatives.append(
            {
                "type": "object",
                "properties": {"kind": {"const": tag}, rng.choice(["a", "b", f"p{i}"]): rng.choice(VALUES)},
                "required": required,
            }
        )
    return alternatives


def _numbers(rng: random.Random, width: int) -> list[Any]:
    """Ranges that overlap with their neighbours, or multiples."""
    if rng.random() < 0.3:
        return [{"type": "integer", "multipleOf": 2 + i % 7} for i in range(width)]
    reach = rng.choice([1, 3, 5, 9])
    return [{"type": "integer", "minimum": 3 * i, "maximum": 3 * i + reach} for i in range(width)]


def _strings(rng: random.Random, width: int) -> list[Any]:
    """Lists and constants, of which some meet, beside a few lengths or a pattern."""
    lengths: list[Any] = [
        {"type": "string", "minLength": 2 * i, "maxLength": 2 * i + 2} for i in range(rng.randrange(4))
    ]
    pattern = [{"type": "string", "pattern": f"^a{{1,{rng.randint(1, 6)}}}b?$"}] * (rng.random() < 0.3)
    listed = [rng.choice([{"enum": [f"a{i}", f"a{i + 1}", "a"]}, {"const": f"a{i}"}]) for i in range(width)]
    return [*(lengths or pattern), *listed]


def _arrays(rng: random.Random, width: int) -> list[Any]:
    """Pairs told apart by their first item, or lengths that meet at their ends."""
    if rng.random() < 0.5:
        return [
            {"type": "array", "prefixItems": [{"const": i}, True], "minItems": 2, "maxItems": 2} for i in range(width)
        ]
    reach, items = rng.choice([0, 1]), rng.choice(VALUES)
    return [{"type": "array", "items": items, "minItems": i, "maxItems": i + reach} for i in range(width)]


def _mixed(rng: random.Random, width: int) -> list[Any]:
    """Some of each type."""
    makers = (rng.choice([_own_members, _required_members, _tagged]), _numbers, _strings, _arrays)
    made = [each for make in makers for each in make(rng, width // len(makers))]
    rng.shuffle(made)
    return made


MAKERS: tuple[Make, ...] = (_own_members, _required_members, _tagged, _numbers, _strings, _arrays, _mixed)


def _wide_object(rng: random.Random) -> dict[str, Any]:
    size = rng.choice(SIZES)
    names = [f"m{i}" for i in range(size)]
    return {
        "type": "object",
        "properties": {name: VALUES[i % len(VALUES)] for i, name in enumerate(names)},
        "required": rng.sample(names, rng.choice([0, 1, 3])),
        **rng.choice(
            [{}, {"additionalProperties": False}, {"maxProperties": 4}, {"additionalProperties": {"type": "null"}}]
        ),
    }


def schema_of(rng: random.Random) -> dict[str, Any]:
    """A wide union, seldom a wide object; alone, as a member, or as an item."""
    if rng.random() < 0.01:
        return _wide_object(rng)
    make = rng.choice(MAKERS)
    # 200 of which all overlap are refused by name.
    width = 200 if make in (_tagged, _numbers, _strings, _mixed) and rng.random() < 0.1 else rng.choice(WIDTHS)
    alternatives = make(rng, width)
    union = {rng.choice(["oneOf", "oneOf", "anyOf"]): alternatives}
    place = rng.random()
    if place < 0.15:
        return {"type": "object", "properties": {"a": union, "b": {"type": "integer"}}, "required": ["a"]}
    if place < 0.25:
        return {"type": "array", "items": union, "maxItems": 3}
    return union


def _instance(rng: random.Random, schema: Any) -> Any:
    """A value that may meet the schema, or nearly."""
    if not isinstance(schema, dict):
        return rng.choice(SAMPLES)
    for keyword in ("oneOf", "anyOf"):
        if keyword in schema:
            return _instance(rng, rng.choice(schema[keyword]))
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(schema["enum"])
    match schema.get("type"):
        case "object":
            known = schema.get("properties", {})
            names = list(
                dict.fromkeys(
                    [*schema.get("required", ()), *rng.sample(list(known), min(len(known), rng.randrange(3)))]
                )
            )
            names += [rng.choice(["a", "b", "id", f"p{rng.randrange(40)}"]) for _ in range(rng.randrange(3))]
            return {name: _instance(rng, known.get(name, True)) for name in names}
        case "array":
            size = rng.randint(schema.get("minItems", 0), schema.get("maxItems", 3))
            return [_instance(rng, schema.get("items", True)) for _ in range(size)]
        case "integer":
            low = schema.get("minimum", 0)
            return rng.randint(low - 1, schema.get("maximum", low + 60) + 1)
        case "string":
            return rng.choice("ab") * rng.randint(schema.get("minLength", 0), schema.get("maxLength", 4) + 1)
    return rng.choice(SAMPLES)


def _parsed(text: str) -> Any:
    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in pairs}) != len(pairs):
            raise ValueError("a member twice")
        return dict(pairs)

    return json.loads(text, object_pairs_hook=members)


def draw(rng: random.Random) -> Case:
    """A schema, its texts in canonical spelling."""
    schema = schema_of(rng)
    validator = jsonschema_rs.validator_for(schema)

    def judge(texts: Sequence[str]) -> list[bool | None]:
        answers: list[bool | None] = []
        for text in texts:
            try:
                value = _parsed(text)
            except ValueError:
                answers.append(False)
                continue
            is_valid = validator.is_valid(value)
            if _FAR.search(text):
                answers.append(None)  # numbers that no double holds: it reads them otherwise
                continue
            # Of several spellings one is written.
            answers.append(None if is_valid and json.dumps(value, ensure_ascii=False) != text else is_valid)
        return answers

    pool = [json.dumps(_instance(rng, schema), ensure_ascii=False) for _ in range(40)]
    return Case(json.dumps(schema), JsonSchema(schema), judge, pool)


if __name__ == "__main__":
    sys.exit(main(draw, __doc__))
