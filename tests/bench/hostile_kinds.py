"""Constraints made to hurt, by kind: each kind makes another constraint of every number."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from grammars import Choice, Gbnf, JsonOptions, JsonSchema, Lark, Regex, StructuralTag, Tag


def deep_objects(n: int) -> Any:
    schema: Any = {"type": "integer", "minimum": n}
    for _ in range(50 + 7 * n % 400):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
    return JsonSchema(schema)


def deep_choices(n: int) -> Any:
    schema: Any = {"type": "integer", "minimum": n}
    for depth in range(4 + n % 14):
        schema = {"anyOf": [schema, {"type": "array", "items": schema, "minItems": depth}]}
    return JsonSchema(schema)


def wide_products(n: int) -> Any:
    key = ("oneOf", "anyOf")[n % 2]
    parts = [
        {
            key: [
                {"type": "object", "properties": {f"k{i}": {"const": j}}, "required": [f"k{i}"]}
                for j in range(3 + n % 9)
            ]
        }
        for i in range(2 + n % 11)
    ]
    return JsonSchema({"allOf": parts, "title": str(n)})


def wide_string_products(n: int) -> Any:
    patterns = [{"anyOf": [{"pattern": f"a{i}.*{j}"} for j in range(3)]} for i in range(2 + n % 9)]
    return JsonSchema({"type": "string", "allOf": patterns, "not": {"pattern": f"{n}$"}})


def huge_enum(n: int) -> Any:
    return JsonSchema({"enum": [f"value {n} {i}" for i in range(2_000 + 900 * n % 110_000)]})


def mixed_enum(n: int) -> Any:
    values = [{"a": i, "b": [i, str(i), None, {"c": n}]} for i in range(50 + 60 * n % 5000)]
    return JsonSchema({"enum": values, "not": {"properties": {"a": {"multipleOf": 3}}}})


def huge_choice(n: int) -> Any:
    return Choice([f"{n}-{i}" for i in range(2_000 + 2_100 * n % 110_000)])


def overlapping(n: int) -> Any:
    names = [f"p{i}" for i in range(4 + n % 40)]
    return JsonSchema({"oneOf": [{"properties": {name: {"minimum": n}}, "required": [name]} for name in names]})


def conjunctions(n: int) -> Any:
    choices = [{"anyOf": [{"required": [f"a{i}"]}, {"required": [f"b{i}"]}]} for i in range(3 + n % 30)]
    return JsonSchema({"type": "object", "allOf": choices, "maxProperties": 10 + n})


def negations(n: int) -> Any:
    schema: Any = {"properties": {"a": {"pattern": f"^x{n}"}}, "required": ["a"]}
    for _ in range(2 + n % 10):
        schema = {"not": {"allOf": [schema, {"properties": {"b": schema}}]}}
    return JsonSchema(schema)


def not_towers(n: int) -> Any:
    schema: Any = {"type": ["string", "array"], "minLength": n, "items": {"not": {"const": n}}}
    for i in range(3 + n % 60):
        schema = {"not": schema} if i % 3 else {"not": {"anyOf": [schema, {"const": i}]}}
    return JsonSchema(schema)


def name_patterns(n: int) -> Any:
    return JsonSchema({"patternProperties": {f"a.*{i}.*{n}": {"minimum": i} for i in range(3 + n % 30)}})


def names_and_patterns(n: int) -> Any:
    patterns = {f"^[a-{chr(98 + i)}]*{i}": {"type": "integer", "multipleOf": i + 1} for i in range(2 + n % 12)}
    names = {"pattern": f"^(a|b){{{n % 40},}}", "not": {"enum": [f"a{i}" for i in range(n)]}}
    return JsonSchema({"type": "object", "patternProperties": patterns, "propertyNames": names})


def dependent_chains(n: int) -> Any:
    chain = {f"p{i}": {"required": [f"p{i + 1}"]} for i in range(3 + n % 60)}
    if n % 2:
        return JsonSchema({"type": "object", "dependentSchemas": chain, "minProperties": 1})
    return JsonSchema({"type": "object", "dependentRequired": {k: v["required"] for k, v in chain.items()}})


def unevaluated(n: int) -> Any:
    parts = [{"properties": {f"p{i}": {"type": "integer"}}, "if": {"required": [f"q{i}"]}} for i in range(1 + n % 20)]
    return JsonSchema({"type": "object", "anyOf": parts, "unevaluatedProperties": False, "maxProperties": n + 1})


def huge_counts(n: int) -> Any:
    high = 10 ** (3 + n % 9)
    return JsonSchema(
        {"type": "array", "items": {"type": "string", "maxLength": high}, "minItems": n, "maxItems": high}
    )


def unique_records(n: int) -> Any:
    item = {"type": "object", "properties": {f"k{i}": {"type": "boolean"} for i in range(n % 20)}}
    return JsonSchema({"type": "array", "items": item, "uniqueItems": True, "minItems": n})


def unique_choices(n: int) -> Any:
    item = {"enum": [f"{n} {i}" if i % 3 else i for i in range(100 + 400 * n % 20_000)]}
    return JsonSchema({"type": "array", "items": item, "uniqueItems": True, "minItems": 3 * n})


def cycles(n: int) -> Any:
    links = {f"d{i}": {"$ref": f"#/$defs/d{(i + 1) % (n + 2)}"} for i in range(n + 2)}
    return JsonSchema({"$ref": "#/$defs/d0", "$defs": links})


def dynamic_cycles(n: int) -> Any:
    count = 1 + n % 40
    links = {
        f"d{i}": {
            "$id": f"d{i}",
            "$dynamicAnchor": "x",
            "items": {"$dynamicRef": f"d{(i + 1) % count}#x"},
            "maxItems": n,
        }
        for i in range(count)
    }
    return JsonSchema({"$id": "http://a/", "$dynamicAnchor": "x", "$ref": "d0", "$defs": links})


def endless(n: int) -> Any:
    schema = {"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"maximum": n}}, "required": ["a"]}
    return JsonSchema(schema)


def multiples(n: int) -> Any:
    return JsonSchema(
        {"type": "number", "multipleOf": 0.0001 * (n + 1), "minimum": -(10**n % 10**15), "not": {"multipleOf": 7}}
    )


def enormous_numbers(n: int) -> Any:
    texts = (
        f'{{"type": "number", "multipleOf": 1e-{10 ** (n % 12)}}}',
        f'{{"type": "number", "minimum": 1e{10 ** (n % 12)}, "title": "{n}"}}',
        f'{{"maximum": -{"9" * (1 + 97 * n)}.{"9" * n}, "type": "number"}}',
        f'{{"type": "integer", "multipleOf": {"7" * (1 + 3 * n)}}}',
        f'{{"const": 1e-{n}999999999}}',
        f'{{"enum": [{n}e999999999, 1e-999999999, {"3" * 5 * n}0]}}',
        f'{{"type": "number", "exclusiveMinimum": {n}.{"0" * n}1, "exclusiveMaximum": {n}.{"0" * n}2}}',
    )
    return JsonSchema(texts[n % len(texts)])


def huge_strings(n: int) -> Any:
    text = "xé\u2028" * (1000 + 9000 * n % 400_000)
    return JsonSchema(({"const": text}, {"enum": [text, text + str(n)]}, {"properties": {text: True}})[n % 3])


def checked_only(n: int) -> Any:
    schema: Any = {"uniqueItems": True, "minItems": n, "pattern": "(a*)*" * (n % 9)}
    for i in range(n % 60):
        schema = {"items": schema, "allOf": [{"contains": {"const": i}}]}
    return JsonSchema(schema, JsonOptions.validation())


def random_schema(n: int) -> Any:
    rng = random.Random(n)

    def value(depth: int) -> Any:
        key = rng.choice(
            ("allOf", "anyOf", "oneOf", "not", "object", "array", "string", "number", "if", "ref", "names")
        )
        if depth == 0 or key in ("string", "number"):
            number = {"type": "number", "multipleOf": rng.choice((3, 0.1, 7)), "minimum": rng.randrange(-9, 9)}
            text = {"type": "string", "pattern": _pattern(rng, 3), "maxLength": rng.randrange(400)}
            return number if key == "number" else text
        if key in ("allOf", "anyOf", "oneOf"):
            return {key: [value(depth - 1) for _ in range(rng.randrange(2, 5))]}
        if key == "not":
            return {"not": value(depth - 1)}
        if key == "array":
            return {"items": value(depth - 1), "contains": value(depth - 1), "uniqueItems": rng.random() < 0.5}
        if key == "if":
            return {"if": value(depth - 1), "then": value(depth - 1), "else": value(depth - 1)}
        if key == "ref":
            return {"anyOf": [{"type": "null"}, {"items": {"$ref": "#"}}]}
        if key == "names":
            patterns = {_pattern(rng, 2): value(depth - 1) for _ in range(3)}
            return {"patternProperties": patterns, "additionalProperties": value(depth - 1)}
        properties = {rng.choice("abcdefgh"): value(depth - 1) for _ in range(rng.randrange(1, 6))}
        return {"properties": properties, "required": rng.sample("abcdefgh", rng.randrange(4)), "minProperties": 1}

    return JsonSchema({**value(2 + n % 5), "title": str(n)})


def exponential_pattern(n: int) -> Any:
    return Regex("(a|b)*a" + "(a|b)" * (4 + n))


def _pattern(rng: random.Random, depth: int) -> str:
    if depth == 0:
        return rng.choice(("a", "b", "[^a]", ".", r"\w", "é", r"[\d-z]", ""))
    parts = [_pattern(rng, depth - 1) for _ in range(rng.randrange(1, 4))]
    body = rng.choice(("", "|")).join(parts)
    ahead = rng.choice(("?:",) * 9 + ("?=", "?!", "?<!"))
    count = "" if ahead != "?:" else rng.choice(("", "*", "+", "?", "{2,5}", "{0,80}", "{3,}", "{100,3000}"))
    return f"({ahead}{body}){count}"


def random_pattern(n: int) -> Any:
    return Regex(_pattern(random.Random(n), 3 + n % 6) + str(n))


def nested_repeats(n: int) -> Any:
    pattern = "a"
    for _ in range(3 + n % 12):
        pattern = f"({pattern}|b)*" if n % 2 else f"({pattern}){{0,{n + 2}}}"
    return Regex(pattern)


def nullable_repeats(n: int) -> Any:
    pattern = "a"
    shape = ("(b|@)*", "(a?@){0,50}", "(@b)+", "(b?(@)?){0,60}", "(a?b?c?@?){2,}", "((@)?x?)*", "(@*)*")[n % 7]
    for _ in range(3 + n % 40):
        pattern = shape.replace("@", pattern)
    return Regex(f"({pattern}){n}")


def counted_products(n: int) -> Any:
    shapes = (
        "((ab?){1,C}c){1,C}",
        "(a{C}){C}(b{C}c?){C}",
        "(((a?){99}b){99}){C}",
        "(a|ab|abc){C}(ca?){C}",
        "(?=a{C}b).{C}",
    )
    return Regex(shapes[n % 5].replace("C", str(5 + 41 * n % 3000)))


def many_options(n: int) -> Any:
    shapes = ("a?" * 20 * n, "(" + "a?" * 10 * n + ")*", "(" + "a?" * 10 * n + "^)*", f"(?=a?{'b?' * 20 * n}).*")
    return Regex(shapes[n % 4] + str(n))


def alternations(n: int) -> Any:
    word = ("x{}y", r"\w{}", "{}.*", "[^{}]z", "(?i)é{}")[n % 5]
    prefix = "(?i)" if word.startswith("(?i)") else ""
    words = [word.removeprefix("(?i)").format(i) for i in range(50 + 45 * n % 2500)]
    return Regex(prefix + "|".join(words) + f"|{n}")


def classes(n: int) -> Any:
    return Regex("".join(rf"[\w{chr(0x4E00 + i + n)}]" for i in range(5 + 11 * n % 600)) + ("(^a)?" if n % 2 else ""))


def looks_ahead(n: int) -> Any:
    return Regex("".join(f"(?=.*{chr(97 + i % 26)}{n})" for i in range(2 + n % 20)) + ".*")


def look_stacks(n: int) -> Any:
    shape = ("(?=@b)a", "(?!@b.*)", "(?<=a@)b?", "(?=.*@.{9})", "(?!(?<!a)@).")[n % 5]
    pattern = "c"
    for _ in range(2 + n % 12):
        pattern = shape.replace("@", pattern)
    return Regex(pattern + f".*{n}", "ecma" if n % 5 in (2, 4) else "python")


def length_and_pattern(n: int) -> Any:
    return JsonSchema({"type": "string", "pattern": "(ab|c){3," + str(5 + n) + "}.*x$", "maxLength": 50 + 37 * n})


def deep_groups(n: int) -> Any:
    return Regex("(" * (40 + 9 * n) + "a" + ")" * (40 + 9 * n))


def left_recursion(n: int) -> Any:
    rules = [f'r{i} ::= r{(i + 1) % (n + 2)} "{i}" | "x" | ""' for i in range(n + 2)]
    return Gbnf("root ::= r0\n" + "\n".join(rules))


def hidden_recursion(n: int) -> Any:
    rules = [f'r{i}: e r{(i + 1) % (n + 2)} "{i}" | "y"' for i in range(n + 2)]
    return Lark('start: r0\ne: "z"?\n' + "\n".join(rules))


def unproductive(n: int) -> Any:
    return Gbnf('root ::= "a" b\nb ::= "c" b' + f"\nd{n} ::= b")


def ambiguous(n: int) -> Any:
    rest = " | ".join(f'e "{chr(97 + i)}" e' for i in range(1 + n % 20))
    return Gbnf(f'root ::= e\ne ::= e e | e e e | {rest} | "x" | ""\nn{n} ::= "y"')


def nested_rules(n: int) -> Any:
    opened = 20 + 11 * n % 400
    return (Gbnf if n % 2 else Lark)(
        f"{'root ::=' if n % 2 else 'start:'} " + "(" * opened + f'"a{n}"' + (")* " if n % 3 else ")? ") * opened
    )


def doubling_rules(n: int) -> Any:
    rules = "\n".join(f"r{i} ::= r{i + 1} r{i + 1}" for i in range(5 + n))
    return Gbnf(f'root ::= r0\n{rules}\nr{5 + n} ::= "a"?')


def counted_rules(n: int) -> Any:
    body = '"a"'
    for _ in range(1 + n % 9):
        body = f"({body}){{0,{10 + n}}}"
    return Gbnf(f"root ::= {body}")


def templates(n: int) -> Any:
    rules = "\n".join(f"t{i}{{x, y}}: t{i + 1}{{x y, y}} t{i + 1}{{y, x}}" for i in range(2 + n % 14))
    return Lark(f'start: t0{{"a", "b{n}"}}\n{rules}\nt{2 + n % 14}{{x, y}}: x | y')


def terminals(n: int) -> Any:
    names = [f"T{i}: /[a-z]{{1,{2 + i % 9}}}{i % 5}?/" for i in range(3 + n % 60)]
    return Lark(f"start: ({' | '.join(f'T{i}' for i in range(3 + n % 60))})+\n%ignore /[ {n}]+/\n" + "\n".join(names))


def many_tags(n: int) -> Any:
    tags = tuple(Tag(f"<f{i}-{n}>", Regex(f"[a-{chr(98 + i % 25)}]*"), f"</f{i}>") for i in range(5 + 60 * n % 3000))
    return StructuralTag(tags, ("<f",) if n % 2 else tuple(tag.begin for tag in tags), at_least_one=n % 3 == 0)


KINDS: tuple[Callable[[int], Any], ...] = (
    deep_objects, deep_choices, wide_products, wide_string_products, huge_enum, mixed_enum, huge_choice, overlapping,
    conjunctions, negations, not_towers, name_patterns, names_and_patterns, dependent_chains, unevaluated, huge_counts,
    unique_records, unique_choices, cycles, dynamic_cycles, endless, multiples, enormous_numbers, huge_strings,
    checked_only, random_schema, exponential_pattern, random_pattern, nested_repeats, nullable_repeats,
    counted_products, many_options, alternations, classes, looks_ahead, look_stacks, length_and_pattern, deep_groups,
    left_recursion, hidden_recursion, unproductive, ambiguous, nested_rules, doubling_rules, counted_rules, templates,
    terminals, many_tags,
)  # fmt: skip
