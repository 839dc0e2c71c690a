"""More constraints made to hurt: JSON schemas, one function a kind as in `hostile_kinds`."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from grammars import JsonOptions, JsonSchema

_FORMATS = ("date-time", "email", "uri", "hostname", "ipv6", "uuid", "idn-email", "iri", "json-pointer", "duration")


def all_any_not(n: int) -> Any:
    rng = random.Random(n)
    parts = [
        {key: [{"not": {"required": rng.sample("abcdefgh", 2)}}, {"properties": {rng.choice("abcd"): {"minimum": i}}}]}
        for i, key in enumerate(rng.choices(("anyOf", "oneOf"), k=4 + n % 40))
    ]
    return JsonSchema({"allOf": parts, "not": {"allOf": parts[: n % 5 + 1]}})


def nested_one_of(n: int) -> Any:
    schema: Any = {"type": "object", "properties": {"k": {"const": n}}}
    for depth in range(2 + n % 9):
        schema = {"oneOf": [schema, {"properties": {f"p{depth}": schema}}, {"required": [f"r{depth}"]}]}
    return JsonSchema(schema)


def wide_one_of(n: int) -> Any:
    branches = [{"properties": {f"a{i % 50}": {"type": "string", "maxLength": i}}} for i in range(20 + 37 * n % 1500)]
    return JsonSchema({"oneOf": branches, "title": str(n)})


def disjoint_one_of(n: int) -> Any:
    branches = [{"type": "string", "pattern": f"^(a|b)*{i}.{{{n % 30}}}$"} for i in range(5 + 11 * n % 300)]
    return JsonSchema({"oneOf": branches})


def long_required(n: int) -> Any:
    names = [[f"{i} {j}" for j in range(40 * n % 3000)] for i in range(4 + n % 12)]
    return JsonSchema(
        {
            "type": "object",
            "allOf": [{"anyOf": [{"required": part}, True]} for part in names]
            + [{"anyOf": [{"required": part}, {"maxProperties": 3}]} for part in names],
        }
    )


def bounds_product(n: int) -> Any:
    parts = [
        {"anyOf": [{"minimum": i * 10 + n, "maximum": i * 10 + 90}, {"multipleOf": i + 2}, {"minLength": i}]}
        for i in range(3 + n % 20)
    ]
    return JsonSchema({"allOf": parts})


def enum_products(n: int) -> Any:
    many = [f"v{i}" for i in range(200 + 90 * n % 9000)]
    parts = [{"anyOf": [{"enum": many[i:]}, {"enum": many[: -i - 1]}, {"pattern": f"{i}$"}]} for i in range(2 + n % 12)]
    return JsonSchema({"allOf": parts})


def enum_one_of(n: int) -> Any:
    size = 20 + 70 * n % 4000
    branches = [{"enum": [{"i": i, "j": j} for j in range(size)]} for i in range(3 + n % 20)]
    return JsonSchema({"oneOf": branches})


def enum_and_schema(n: int) -> Any:
    values = [{"a": "x" * (i % 40), "b": list(range(i % 30))} for i in range(100 + 70 * n % 9000)]
    return JsonSchema(
        {
            "enum": values,
            "properties": {"a": {"pattern": "^(x|xx)*y?$"}, "b": {"uniqueItems": True, "contains": {"const": n}}},
        }
    )


def overlapping_names(n: int) -> Any:
    patterns = {
        f"^.*({chr(97 + i % 26)}|{i}).*{'x?' * (n % 20)}$": {"type": ["string", "integer"][i % 2]}
        for i in range(2 + n % 25)
    }
    return JsonSchema({"patternProperties": patterns, "additionalProperties": n % 2 == 0, "minProperties": n % 7})


def names_and_not(n: int) -> Any:
    names = {"not": {"anyOf": [{"pattern": f"^a{{{i}}}b"} for i in range(1 + n % 40)]}, "format": _FORMATS[n % 10]}
    return JsonSchema(
        {
            "propertyNames": names,
            "required": [f"r{i}" for i in range(n % 30)],
            "not": {"propertyNames": {"maxLength": n}},
        }
    )


def unevaluated_chains(n: int) -> Any:
    size = 2 + n % 90
    chain = {
        f"d{i}": {
            "$ref": f"#/$defs/d{i + 1}",
            "properties": {f"p{i}": {"$ref": f"#/$defs/d{(i * 7) % size}"}},
            "unevaluatedProperties": {"type": "integer"} if i % 2 else False,
        }
        for i in range(size)
    }
    chain[f"d{size}"] = {"type": "object", "unevaluatedItems": False}
    return JsonSchema({"$ref": "#/$defs/d0", "$defs": chain, "title": str(n)})


def dependency_rings(n: int) -> Any:
    size = 2 + n % 50
    ring = {
        f"p{i}": {"required": [f"p{(i + 1) % size}"], "properties": {f"p{(i + 2) % size}": {"type": "null"}}}
        for i in range(size)
    }
    return JsonSchema({"dependentSchemas": ring, "minProperties": n % 5, "not": {"required": ["p0"]}})


def conditions(n: int) -> Any:
    schema: Any = True
    for i in range(2 + n % 30):
        schema = {"if": {"properties": {f"k{i}": {"const": n}}}, "then": schema, "else": {"required": [f"e{i}"]}}
    return JsonSchema({"type": "object", **schema} if isinstance(schema, dict) else schema)


def condition_lists(n: int) -> Any:
    parts = [
        {"if": {"properties": {"k": {"const": i}}, "required": ["k"]}, "then": {"required": [f"t{i}"]}}
        for i in range(2 + n % 120)
    ]
    return JsonSchema({"type": "object", "properties": {"k": {"type": "integer"}}, "allOf": parts})


def contained_ranges(n: int) -> Any:
    ranges = [
        {"contains": {"minimum": i, "maximum": i + 3}, "minContains": 1 + n % 9, "maxContains": 10 ** (n % 7)}
        for i in range(1 + n % 9)
    ]
    return JsonSchema(
        {"type": "array", "allOf": ranges, "uniqueItems": n % 2 == 0, "minItems": n, "items": {"type": "integer"}}
    )


def extreme_multiples(n: int) -> Any:
    step = ("1e-308", "0." + "3" * (5 + n), "1" + "0" * (n % 300) + "1", "7.0000000001", "1e300", f"{n + 2}e-20")[n % 6]
    return JsonSchema(f'{{"type": "number", "multipleOf": {step}, "minimum": -{n}e{n % 40}, "maximum": 1e{n % 300}}}')


def number_products(n: int) -> Any:
    parts = ", ".join(f'{{"multipleOf": {p}}}' for p in (2, 3, 5, 7, 11, 13, 17, 19, 23)[: 1 + n % 9])
    return JsonSchema(f'{{"type": "integer", "allOf": [{parts}], "not": {{"multipleOf": {29 + n}}}, "minimum": {n}}}')


def huge_ranges(n: int) -> Any:
    low, high = 10 ** (5 * n % 4000) + n, 10 ** (5 * n % 4000 + n % 200) * 7 + 1
    kind = ("integer", "number")[n % 2]
    return JsonSchema(f'{{"type": "{kind}", "minimum": -{low}, "maximum": {high}, "multipleOf": {(1, 3, 10)[n % 3]}}}')


def format_products(n: int) -> Any:
    schema = {
        "type": "string",
        "format": _FORMATS[n % 10],
        "pattern": f"[a-f]{{{n % 7}}}.*{n % 10}",
        "minLength": n % 90,
        "maxLength": 10 + 29 * n % 900,
        "not": {"format": _FORMATS[(n // 10) % 10]},
    }
    return JsonSchema({"items": schema, "contains": schema})


def all_formats(n: int) -> Any:
    rng = random.Random(n)
    chosen = [{"format": name} for name in rng.sample(_FORMATS, 2 + n % 4)]
    return JsonSchema({"type": "string", "allOf": chosen, "not": {"pattern": f"{n}"}, "maxLength": 300})


def huge_lengths(n: int) -> Any:
    count = 10**9 + n
    shapes: tuple[Any, ...] = (
        {"type": "string", "minLength": count},
        {"type": "array", "minItems": count, "maxItems": count, "items": {"minLength": count}},
        {"type": "object", "minProperties": count},
        {"type": "string", "pattern": f"^(ab|c){{{n}}}", "minLength": count, "maxLength": count + 5},
        {"type": "array", "contains": {"const": n}, "minContains": count},
        {"type": "array", "uniqueItems": True, "minItems": count, "items": {"type": "string"}},
        {"type": "object", "propertyNames": {"maxLength": 1}, "minProperties": count},
        {"type": "array", "prefixItems": [{"const": i} for i in range(n % 3000)], "maxItems": count},
    )
    return JsonSchema(shapes[n % len(shapes)])


def unique_constants(n: int) -> Any:
    values = [{"i": i} for i in range(500 + 997 * n % 20_000)]
    shapes: tuple[Any, ...] = (
        {"const": values, "uniqueItems": True},
        {"enum": values, "not": {"enum": [*values[: len(values) // 2], n]}},
        {"enum": [values, n], "items": {"type": "object"}, "contains": {"const": values[-1]}},
        {"enum": values, "oneOf": [{"properties": {"i": {"multipleOf": i + 2}}} for i in range(1 + n % 12)]},
        {"allOf": [{"not": {"enum": [f"{i} {j}" for j in range(400)]}} for i in range(1 + n % 40)], "type": "string"},
        {"enum": list(range(len(values))), "anyOf": [{"multipleOf": i + 2} for i in range(1 + n % 40)]},
    )
    return JsonSchema(shapes[n % len(shapes)])


def deep_constants(n: int) -> Any:
    value: Any = n
    for i in range(30 + 23 * n % 900):
        value = [value] if i % 3 else {"k": value, "": i}
    return JsonSchema(({"const": value}, {"not": {"const": value}}, {"enum": [value, [value]]})[n % 3])


def wide_constants(n: int) -> Any:
    value = [{"k": i, "t": ["x"] * (i % 9)} for i in range(100 + 97 * n % 20_000)]
    return JsonSchema({"const": value} if n % 2 else {"items": {"const": value}, "maxItems": n})


def dynamic_rings(n: int) -> Any:
    size = 2 + n % 30
    defs = {
        f"d{i}": {
            "$id": f"http://h/{i}",
            "$dynamicAnchor": "node",
            "anyOf": [{"type": "null"}, {"properties": {"next": {"$dynamicRef": f"/{(i + 1) % size}#node"}}}],
            "allOf": [{"items": {"$dynamicRef": "#node"}}],
        }
        for i in range(size)
    }
    return JsonSchema({"$id": "http://h/root", "$ref": "/0", "$dynamicAnchor": "node", "$defs": defs, "title": str(n)})


def reference_webs(n: int) -> Any:
    size = 3 + n % 60
    defs = {
        f"d{i}": {"anyOf": [{"$ref": f"#/$defs/d{(i * k + 1) % size}"} for k in (2, 3)] + [{"const": i}]}
        for i in range(size)
    }
    nested = {name: {"properties": {"x": part}, "allOf": [{"items": part}]} for name, part in defs.items()}
    return JsonSchema({"$ref": "#/$defs/d1", "$defs": nested if n % 2 else defs})


def reference_products(n: int) -> Any:
    size = 3 + n % 14
    defs = {
        f"d{i}": {
            "allOf": [
                {"$ref": f"#/$defs/d{i + 1}"},
                {"properties": {"a": {"$ref": f"#/$defs/d{i + 1}"}, f"b{i}": {"$ref": f"#/$defs/d{(i * 3) % size}"}}},
            ]
        }
        for i in range(size)
    }
    return JsonSchema({"$ref": "#/$defs/d0", "$defs": {**defs, f"d{size}": {"type": "object", "maxProperties": n + 1}}})


def recursive_pairs(n: int) -> Any:
    first = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/x"}, "b": {"$ref": "#/$defs/y"}},
        "required": ["a"],
    }
    second = {"properties": {"a": {"$ref": "#/$defs/y"}, "b": {"$ref": "#/$defs/z"}}, "minProperties": n % 9}
    third = {"anyOf": [{"$ref": "#/$defs/x"}, {"not": {"$ref": "#/$defs/y"}}], "maxProperties": n + 1}
    return JsonSchema(
        {
            "allOf": [{"$ref": "#/$defs/x"}, {"$ref": "#/$defs/y"}, {"$ref": "#/$defs/z"}],
            "$defs": {"x": first, "y": second, "z": third},
        }
    )


def many_properties(n: int) -> Any:
    size = 100 + 190 * n % 9000
    properties = {f"property {i}": {"type": "string", "maxLength": i} for i in range(size)}
    return JsonSchema({"type": "object", "properties": properties, "required": list(properties)[:: 1 + n % 4]})


def property_products(n: int) -> Any:
    parts = [{"properties": {f"p{j}": {"minLength": i} for j in range(40 + n)}} for i in range(3 + n % 60)]
    return JsonSchema({"allOf": parts, "additionalProperties": {"oneOf": parts[:6]}})


def tuple_products(n: int) -> Any:
    parts = [
        {"prefixItems": [{"anyOf": [{"const": i}, {"const": j}]} for i in range(10 + n % 70)]}
        for j in range(3 + n % 20)
    ]
    return JsonSchema({"allOf": parts, "items": {"oneOf": parts}, "uniqueItems": n % 2 == 0})


def unique_products(n: int) -> Any:
    choices = [{"enum": [f"{i} {j}" for j in range(3)]} for i in range(4 + n % 30)]
    return JsonSchema(
        {"type": "array", "items": {"anyOf": choices}, "contains": choices[0], "uniqueItems": True, "minContains": 2}
    )


def validated(n: int) -> Any:
    schema: Any = {"anyOf": [{"pattern": "^(a+)+$"}, {"multipleOf": 0.1}, {"enum": list(range(n * 50))}]}
    for i in range(1 + n % 40):
        schema = {
            "oneOf": [{"items": schema}, {"properties": {"a": schema}, "unevaluatedProperties": schema}],
            "title": i,
        }
    text = (
        json.dumps(schema)
        if n % 40 < 9
        else json.dumps({"$ref": "#/$defs/a", "$defs": {"a": {"items": {"$ref": "#"}}}, "title": n})
    )
    return JsonSchema(text, JsonOptions.validation())


def random_products(n: int) -> Any:
    rng = random.Random(n)
    scalar = ({"minimum": 3}, {"pattern": "a.*b"}, {"enum": [1, "a", None]}, {"format": "date"}, {"maxLength": 4})
    compound = (
        {"required": ["a"]},
        {"minItems": 2},
        {"maxProperties": 2},
        {"uniqueItems": True},
        {"contains": {"const": 1}},
    )

    def value(depth: int) -> Any:
        if depth == 0:
            return rng.choice(scalar + compound)
        keys = rng.sample(("allOf", "anyOf", "oneOf", "not", "if", "properties", "items", "names", "uneval", "dep"), 2)
        made: dict[str, Any] = {}
        for key in keys:
            if key in ("allOf", "anyOf", "oneOf"):
                made[key] = [value(depth - 1) for _ in range(rng.randrange(2, 5))]
            elif key == "if":
                made |= {"if": value(depth - 1), "then": value(depth - 1), "else": value(depth - 1)}
            elif key == "properties":
                made[key] = {name: value(depth - 1) for name in rng.sample("abcd", 2)}
            elif key == "names":
                made |= {
                    "propertyNames": value(depth - 1),
                    "patternProperties": {"a|b": value(depth - 1), ".c": value(depth - 1)},
                }
            elif key == "uneval":
                made["unevaluatedProperties"] = value(depth - 1)
            elif key == "dep":
                made["dependentSchemas"] = {name: value(depth - 1) for name in rng.sample("abcd", 2)}
            else:
                made[key] = value(depth - 1)
        return made

    return JsonSchema({**value(2 + n % 4), "title": str(n)})


KINDS: tuple[Callable[[int], Any], ...] = (
    all_any_not, nested_one_of, wide_one_of, disjoint_one_of, long_required, bounds_product, enum_products, enum_one_of,
    enum_and_schema, overlapping_names, names_and_not, unevaluated_chains, dependency_rings, conditions,
    condition_lists, contained_ranges, extreme_multiples, number_products, huge_ranges, format_products, all_formats,
    huge_lengths, unique_constants, deep_constants, wide_constants, dynamic_rings, reference_webs, reference_products,
    recursive_pairs,
    many_properties, property_products, tuple_products, unique_products, validated, random_products,
)  # fmt: skip
