"""`portcullis check-schema`: will this schema be served, and how is each keyword held."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from gateway.commands.chat import read_schema

if TYPE_CHECKING:
    from grammars import CompiledGrammar, GrammarError

NAME = "check-schema"
HELP = "compile a JSON schema and say how each keyword is enforced"
EXAMPLE = "portcullis check-schema invoice.json"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", help="the schema")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")


def run(arguments: Namespace) -> int:
    """Print the report; 0 when the schema is served, 1 when it is refused."""
    schema = read_schema(arguments.file)
    from grammars import Compiler, GrammarError, JsonSchema, Vocabulary

    # No model is needed: a schema compiles the same for every vocabulary that can spell all bytes.
    vocabulary = Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256])
    try:
        compiled = Compiler(vocabulary).compile(JsonSchema(schema))
    except GrammarError as error:
        print(json.dumps(_refusal(error)) if arguments.json else _refusal_line(arguments.file, error))
        return 1
    print(json.dumps(_report(compiled)) if arguments.json else _report_lines(compiled))
    return 0


def _refusal(error: GrammarError) -> dict[str, Any]:
    return {"accepted": False, "code": error.code, "pointer": error.where, "message": error.message, "hint": error.hint}


def _refusal_line(name: str, error: GrammarError) -> str:
    pointer = "" if error.where is None else f"#{error.where}"
    return f"{name}{pointer}: {error.message} [{error.code}]"


def _report(compiled: CompiledGrammar) -> dict[str, Any]:
    entries = [{"pointer": entry.pointer, "keyword": entry.keyword, "how": entry.how} for entry in compiled.report]
    never = {"never_written": list(compiled.report.never_written)}
    return {"accepted": True, "shortest_bytes": compiled.min_tokens, "keywords": entries, **never}


def _report_lines(compiled: CompiledGrammar) -> str:
    entries = list(compiled.report)
    width = max((len(entry.how) for entry in entries), default=0)
    lines = [f"{entry.how:{width}}  {entry.pointer or '/'} {entry.keyword}" for entry in entries]
    lines += [f"never written, since no value fits: {pointer}" for pointer in compiled.report.never_written]
    counts = ", ".join(f"{count} by {how}" for how, count in sorted(compiled.report.counts().items())) or "none"
    lines.append(f"accepted; keywords held: {counts}; the shortest text has {compiled.min_tokens} bytes")
    return "\n".join(lines)
