"""Constraints made to hurt: none may take long, crash, or leave memory behind.

Each ends compiled, with a first mask, or with one of the four errors. Printed are the slowest of each kind and the
process's memory on the way.

    python tests/bench/bench_hostile.py --count 1000 --json hostile.json
"""

from __future__ import annotations

import argparse
import collections
import json
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from grammars import Choice, Compiler, Gbnf, GrammarError, JsonSchema, Lark, Regex, Vocabulary

END = 256


def deep_objects(n: int) -> Any:
    schema: Any = {"type": "integer"}
    for _ in range(50 + 7 * n):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
    return JsonSchema(schema)


def deep_choices(n: int) -> Any:
    schema: Any = {"type": "integer"}
    for depth in range(4 + n % 14):
        schema = {"anyOf": [schema, {"type": "array", "items": schema, "minItems": depth}]}
    return JsonSchema(schema)


def huge_enum(n: int) -> Any:
    return JsonSchema({"enum": [f"value {n} {i}" for i in range(2_000 + 900 * n)]})


def huge_choice(n: int) -> Any:
    return Choice([f"{n}-{i}" for i in range(2_000 + 900 * n)])


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


def name_patterns(n: int) -> Any:
    return JsonSchema({"patternProperties": {f"a.*{i}.*{n}": {"minimum": i} for i in range(3 + n % 30)}})


def huge_counts(n: int) -> Any:
    high = 10 ** (3 + n % 9)
    return JsonSchema(
        {"type": "array", "items": {"type": "string", "maxLength": high}, "minItems": n, "maxItems": high}
    )


def unique_records(n: int) -> Any:
    item = {"type": "object", "properties": {f"k{i}": {"type": "boolean"} for i in range(n % 20)}}
    return JsonSchema({"type": "array", "items": item, "uniqueItems": True, "minItems": n})


def cycles(n: int) -> Any:
    links = {f"d{i}": {"$ref": f"#/$defs/d{(i + 1) % (n + 2)}"} for i in range(n + 2)}
    return JsonSchema({"$ref": "#/$defs/d0", "$defs": links})


def endless(n: int) -> Any:
    schema = {"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"maximum": n}}, "required": ["a"]}
    return JsonSchema(schema)


def multiples(n: int) -> Any:
    return JsonSchema(
        {"type": "number", "multipleOf": 0.0001 * (n + 1), "minimum": -(10**n % 10**15), "not": {"multipleOf": 7}}
    )


def exponential_pattern(n: int) -> Any:
    return Regex("(a|b)*a" + "(a|b)" * (4 + n))


def nested_repeats(n: int) -> Any:
    pattern = "a"
    for _ in range(3 + n % 12):
        pattern = f"({pattern}|b)*" if n % 2 else f"({pattern}){{0,{n + 2}}}"
    return Regex(pattern)


def looks_ahead(n: int) -> Any:
    return Regex("".join(f"(?=.*{chr(97 + i % 26)}{n})" for i in range(2 + n % 20)) + ".*")


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


KINDS: tuple[Callable[[int], Any], ...] = (
    deep_objects, deep_choices, huge_enum, huge_choice, overlapping, conjunctions, negations, name_patterns,
    huge_counts, unique_records, cycles, endless, multiples, exponential_pattern, nested_repeats, looks_ahead,
    length_and_pattern, deep_groups, left_recursion, hidden_recursion, unproductive,
)  # fmt: skip


def main() -> None:
    """Compiles them all in turn and prints what they cost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    vocabulary = Vocabulary.from_tokens([*(bytes([byte]) for byte in range(END)), None, b'{"', b'": ', b"ab"], [END])
    compiler = Compiler(vocabulary)
    row = np.zeros((len(vocabulary) + 31) // 32, dtype=np.uint32)
    slowest: dict[str, tuple[float, int, str]] = {}
    outcomes: collections.Counter[str] = collections.Counter()
    memory: list[tuple[int, int]] = []
    for number in range(arguments.count):
        kind, step = KINDS[number % len(KINDS)], number // len(KINDS)
        constraint, begin = kind(step), time.perf_counter()
        try:
            compiler.compile(constraint).matcher().fill_mask(row)
            outcome = "compiled"
        except GrammarError as error:
            outcome = type(error).__name__
        seconds = time.perf_counter() - begin
        outcomes[outcome] += 1
        slowest[kind.__name__] = max(slowest.get(kind.__name__, (0.0, 0, "")), (seconds, step, outcome))
        if number % 100 == 99:
            memory.append((number + 1, _resident_kb()))
    for name, (seconds, step, outcome) in sorted(slowest.items(), key=lambda item: -item[1][0]):
        print(f"{name:20} {seconds:7.3f} s at {step:3d}  {outcome}")
    print(dict(outcomes))
    print("resident kB:", memory, "peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    if arguments.json:
        arguments.json.write_text(json.dumps({"slowest": slowest, "outcomes": outcomes, "memory_kb": memory}, indent=1))


def _resident_kb() -> int:
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


if __name__ == "__main__":
    main()
