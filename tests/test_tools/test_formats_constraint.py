"""The constraint of a format: what each choice allows, and that the parser reads whatever it allows."""

import json
import random
from collections.abc import Collection
from typing import Any

import jsonschema
import numpy as np
import pytest
from reading import read
from test_formats_properties import ARRAY_IN_SECTION, FORMATS, FRAMED_IN_SECTION

from grammars import CompiledGrammar, Compiler, Vocabulary
from tests.counts import few_or_all
from tools import CallEnd, CallStart, Format, Tool, ToolCall, ToolChoice, ToolSet, Transcript, get_format

HERMES = get_format("hermes")

PARAMETERS = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "n": {"type": ["integer", "null"]},
        "tags": {"type": "array", "items": {"enum": ["a", "</tool_call>", "<tool_call>"]}, "maxItems": 3},
    },
    "required": ["text"],
    "additionalProperties": False,
}
TOOLS = ToolSet((Tool("f", parameters=PARAMETERS), Tool("f2"), Tool("any", parameters={"type": "object"})))

MARKERS = sorted({mark.encode() for spec in FORMATS for mark in spec.beginnings(TOOLS) if len(mark) > 1})
MARKERS += [b"</tool_call>", b'\n{"name": "', b'"}}', b"\xf0\x9f", b"tool", b">>>"]
TOKENS: list[bytes | None] = [*(bytes([value]) for value in range(256)), *MARKERS, None]
END = len(TOKENS) - 1

CHOICES = {
    "auto": ToolChoice("auto"),
    "auto-single": ToolChoice("auto", parallel=False),
    "required": ToolChoice("required"),
    "required-single": ToolChoice("required", parallel=False),
    "named": ToolChoice("named", "f2", allowed=("f2",)),
    "allowed": ToolChoice("auto", allowed=("any", "f2")),
}


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    return Compiler(Vocabulary.from_tokens(TOKENS, [END]))


def compiled(compiler: Compiler, spec: Format, choice: ToolChoice) -> CompiledGrammar:
    constraint = spec.constraint(TOOLS, choice)
    assert constraint is not None
    return compiler.compile(constraint)


def call(name: str, arguments: str) -> str:
    return HERMES.render([ToolCall("", name, arguments)])


F, F2 = call("f", '{"text": "x"}'), call("f2", "{}")

# text -> the choices under which it is a whole answer
ANSWERS = {
    "": {"auto", "auto-single", "allowed"},
    "Hello <b>.": {"auto", "auto-single", "allowed"},
    F2: set(CHOICES),
    F: {"auto", "auto-single", "required", "required-single"},
    f"{F2}\n{F2}": {"auto", "required", "named", "allowed"},
    f"{F}\n{F2}": {"auto", "required"},
    f"Sure.\n{F2}": {"auto", "auto-single", "allowed"},
    f"{F2} bye": {"auto", "allowed"},
    f"{F2}{F2}": {"auto", "allowed"},
    F[:-1]: set[str](),
    "<tool_call>": set[str](),
    "a <tool_call> b": set[str](),
    call("g", "{}"): set[str](),
    call("f", "{}"): set[str](),
    call("f2", '{"a": 1}'): set[str](),
    '{"name": "f2", "arguments": {}}': {"auto", "auto-single", "allowed"},
}


@pytest.mark.parametrize("name", CHOICES)
def test_constraint_allows_exactly_what_the_choice_does(compiler: Compiler, name: str) -> None:
    grammar = compiled(compiler, HERMES, CHOICES[name])
    for text, allowed in ANSWERS.items():
        assert grammar.matcher().accept_text(text.encode()) == (name in allowed), text


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (HERMES, f"{F}\n{F2}"),
        (
            ARRAY_IN_SECTION,
            '<tool_calls>[{"name": "f", "arguments": {"text": "x"}}, {"name": "f2", "arguments": {}}]</tool_calls>',
        ),
        (
            FRAMED_IN_SECTION,
            '<|begin|><|call|>\n{"tool": "f", "parameters": {"text": "x"}}<|call_end|>'
            '<|call|>\n{"tool": "f2", "parameters": {}}<|call_end|><|end|>',
        ),
    ],
    ids=lambda value: value.name if isinstance(value, Format) else "",
)
def test_required_calls_are_in_the_native_format(compiler: Compiler, spec: Format, text: str) -> None:
    assert spec.render([ToolCall("", "f", '{"text": "x"}'), ToolCall("", "f2", "{}")]) == text
    for name in ("required", "auto"):
        assert compiled(compiler, spec, CHOICES[name]).matcher().accept_text(text.encode())
    for name in ("required-single", "named"):
        assert not compiled(compiler, spec, CHOICES[name]).matcher().accept_text(text.encode())


def walk(grammar: CompiledGrammar, source: random.Random, budget: int, likely: Collection[bytes] = ()) -> str:
    """A random whole text that the constraint allows, markers more likely than chance would have them."""
    matcher = grammar.matcher()
    row = np.zeros((len(TOKENS) + 31) // 32, dtype=np.uint32)
    markers = np.array([token for token in range(len(TOKENS)) if TOKENS[token] in likely], dtype=int)
    data = b""
    for left in range(budget, 0, -1):
        matcher.fill_mask(row, left)
        bits = np.unpackbits(row.view(np.uint8), bitorder="little")[: len(TOKENS)]
        allowed = np.flatnonzero(bits).tolist()
        assert allowed or matcher.is_complete
        if not allowed or (matcher.is_complete and source.random() < 0.1):
            break
        special = markers[bits[markers] != 0].tolist()
        special = special or (256 + np.flatnonzero(bits[256:END])).tolist()
        token = source.choice(special if special and source.random() < 0.3 else allowed)
        assert matcher.accept(token)
        if token == END:
            return data.decode()
        data += TOKENS[token] or b""
    assert matcher.is_complete
    return data.decode()


def check_calls(transcript: Transcript, choice: ToolChoice) -> None:
    assert not transcript.broken
    allowed: dict[str, dict[str, Any]] = {tool.name: tool.arguments_schema for tool in choice.callable_tools(TOOLS)}
    for made in transcript.calls:
        jsonschema.validate(json.loads(made.arguments), allowed[made.name])
    if choice.mode != "auto":
        assert transcript.calls
        assert transcript.content == ""
    if not choice.parallel:
        assert len(transcript.calls) <= 1


@pytest.mark.parametrize("spec", FORMATS, ids=lambda spec: spec.name)
@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize("num_walks", few_or_all(2, 5))
def test_parser_reads_whatever_the_constraint_allows(
    compiler: Compiler, spec: Format, name: str, num_walks: int
) -> None:
    grammar = compiled(compiler, spec, CHOICES[name])
    num_calls = 0
    beginnings = {mark.encode() for mark in spec.beginnings(TOOLS)}
    for seed in range(5):
        if seed >= num_walks and num_calls:
            break
        text = walk(grammar, random.Random(seed), budget=500, likely=beginnings)
        events = read(spec, [text], TOOLS)
        assert read(spec, list(text), TOOLS) == events
        transcript = Transcript.of(events)
        check_calls(transcript, CHOICES[name])
        assert sum(isinstance(event, CallStart) for event in events) == sum(isinstance(e, CallEnd) for e in events)
        num_calls += len(transcript.calls)
    assert num_calls
