"""Real calls of real tools through every format: `python tests/bench/round_trips.py FOLDER [--every N]`.

The folder has cases of the Berkeley Function-Calling Leaderboard (`bfcl_eval/data` of the package bfcl-eval): lines of
JSON with `function` declarations, and in `possible_answer` the calls that are right. Of each case the right calls, with
the first of the values that are right, are written as the format's model writes them; then its parser has to read them
back, whole and character by character, and its mask to allow them. Members stand in the order of their schema, as
masks of tools want it. Cases of which the declared schema forbids a call, or does not declare an argument (which the
leaderboard counts as wrong), are counted and passed over; in formats of one call a text, the first of several is taken.
Ends with 1 where anything fails.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from grammars import Compiler, GrammarError, Vocabulary
from tools import Event, Format, Tool, ToolCall, ToolChoice, ToolError, ToolSet, Transcript, format_names, get_format

_TYPES = {
    "dict": "object", "HashMap": "object", "tuple": "array", "ArrayList": "array", "Array": "array", "String": "string",
    "char": "string", "float": "number", "double": "number", "long": "integer", "Boolean": "boolean",
}  # fmt: skip
_KNOWN = frozenset(("object", "array", "string", "number", "integer", "boolean", "null"))
FORMS = ("properties", "items")
Calls = list[tuple[str, Any]]
"""Names and arguments."""


def schema_of(declared: Any) -> Any:
    """JSON Schema of what the leaderboard declares: its types are of several languages, and `any` is none."""
    if not isinstance(declared, dict):
        return declared
    kind = _TYPES.get(declared.get("type", ""), declared.get("type"))
    schema = {name: value for name, value in declared.items() if name not in ("type", *FORMS)}
    if kind in _KNOWN:
        schema["type"] = kind
    if kind == "object":
        schema["properties"] = {name: schema_of(each) for name, each in declared.get("properties", {}).items()}
    if kind == "array" and "items" in declared:
        schema["items"] = schema_of(declared["items"])
    return schema


def first_of(possible: Any) -> Any:
    """The first value of what may stand there; members that may be left out are. Deep within, values stand alone."""
    if isinstance(possible, dict):
        lists = {name: each if isinstance(each, list) else [each] for name, each in possible.items()}
        return {name: first_of(values[0]) for name, values in lists.items() if values and "" not in values}
    return [first_of(each) for each in possible] if isinstance(possible, list) else possible


def in_order(schema: Any, value: Any) -> Any:
    """The value with its members as the schema declares them."""
    if isinstance(value, list):
        return [in_order(schema.get("items", {}), each) for each in value]
    if not isinstance(value, dict):
        return value
    declared = schema.get("properties", {})
    names = [*(name for name in declared if name in value), *(name for name in value if name not in declared)]
    return {name: in_order(declared.get(name, {}), value[name]) for name in names}


def read_cases(folder: Path, every: int) -> Iterator[tuple[str, dict[str, Any], Calls]]:
    """Name, schemas of the tools by their names, and right calls of each case."""
    for path in sorted((folder / "possible_answer").glob("*.json")):
        asked = folder / path.name
        if not asked.exists():
            continue
        rows = {row["id"]: row for row in map(json.loads, asked.read_text(encoding="utf-8").splitlines())}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            answer = json.loads(line)
            declared = rows[answer["id"]].get("function")
            truth = answer["ground_truth"]
            if number % every or not declared or not all(isinstance(each, dict) for each in truth):
                continue
            schemas = {each["name"]: schema_of(each["parameters"]) for each in declared}
            calls = [
                (name, in_order(schemas.get(name, {}), first_of(values)))
                for call in truth
                for name, values in call.items()
            ]
            yield answer["id"], schemas, calls


def is_declared(schema: dict[str, Any], given: Any) -> bool:
    """Whether the arguments are valid, and all of them declared."""
    return given.keys() <= schema.get("properties", {}).keys() and Draft202012Validator(schema).is_valid(given)


def events_of(spec: Format, tools: ToolSet, pieces: Sequence[str]) -> list[Event]:
    """What a parser tells of the text in these pieces."""
    parser = spec.parser(tools)
    return [*(event for piece in pieces for event in parser.feed(piece)), *parser.finish()]


def fault_of(spec: Format, compiler: Compiler, tools: ToolSet, calls: Calls) -> str | None:
    """What goes wrong with the calls of a case; None: nothing."""
    calls = calls if spec.is_parallel else calls[:1]
    written = [
        ToolCall(f"call_{n}", name, json.dumps(given, ensure_ascii=False)) for n, (name, given) in enumerate(calls)
    ]
    try:
        text = spec.render(written, tools)
        constraint = spec.constraint(tools, ToolChoice("required"))
        assert constraint is not None
        grammar = compiler.compile(constraint)
    except (ToolError, GrammarError) as error:
        return f"refused: {error}"
    for pieces in ([text], list(text)):
        read = [(each.name, json.loads(each.arguments)) for each in Transcript.of(events_of(spec, tools, pieces)).calls]
        if read != calls:
            return f"read as {read}: {text!r}"
    # What ends harmony's calls is an end token.
    if not grammar.matcher().accept_text(text.removesuffix("<|call|>").encode()):
        return f"the mask forbids {text!r}"
    return None


def main() -> int:
    """Print a line a format, and what failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take one case in so many")
    parser.add_argument("--formats", nargs="*", default=format_names(), help="default: all")
    parser.add_argument("--faults", type=int, default=3, help="print so many of each format")
    options = parser.parse_args()
    cases, num_invalid = list[tuple[str, ToolSet, Calls]](), 0
    for case, schemas, calls in read_cases(options.folder, options.every):
        if all(name in schemas and is_declared(schemas[name], given) for name, given in calls):
            cases.append((case, ToolSet(tuple(Tool(name, parameters=each) for name, each in schemas.items())), calls))
        else:
            num_invalid += 1
    vocabulary = Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256])
    num_faults = 0
    for name in options.formats:
        spec, compiler = get_format(name), Compiler(vocabulary)
        found = [(case, fault_of(spec, compiler, tools, calls)) for case, tools, calls in cases]
        faults = [f"{case}: {fault}" for case, fault in found if fault is not None]
        num_faults += len(faults)
        row = {"format": name, "cases": len(cases), "passed over": num_invalid, "faults": len(faults)}
        print(json.dumps(row), flush=True)
        for fault in faults[: options.faults]:
            print("   ", fault[:600], flush=True)
    return int(num_faults > 0)


if __name__ == "__main__":
    sys.exit(main())
