"""Custom tools: declared in every form, written as functions with one string, and read back as the text itself."""

import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import merged
from test_formats_constraint import END, TOKENS, walk
from test_formats_properties import FORMATS

from grammars import CompiledGrammar, Compiler, JsonOptions, Vocabulary
from tests.counts import examples
from tools import (
    ArgumentsDelta,
    CallBroken,
    CallEnd,
    CallStart,
    Event,
    Format,
    InvalidToolError,
    Tool,
    ToolCall,
    ToolChoice,
    ToolSet,
    Transcript,
    UnwritableCallError,
    get_format,
    seeded_ids,
)
from tools.tool import INPUT, InputGrammar

PATTERN = r'say "[a-z\\\n]{1,6}"!?'
LARK = 'start: "(" start ")" | "\\"\\n" | "<x>"'
CODE = Tool("code", kind="custom")
SHELL = Tool("shell", "Runs it.", kind="custom", grammar=InputGrammar("regex", PATTERN))
NEST = Tool("nest", kind="custom", grammar=InputGrammar("lark", LARK))
TOOLS = ToolSet((CODE, SHELL, NEST, Tool("f")))

formats = pytest.mark.parametrize("spec", FORMATS, ids=lambda spec: spec.name)


def custom(**fields: Any) -> dict[str, Any]:
    return {"type": "custom", "custom": {"name": "shell", **fields}}


def grammar(syntax: object = "regex", definition: object = PATTERN) -> dict[str, Any]:
    return {"syntax": syntax, "definition": definition}


@pytest.mark.parametrize(
    ("declaration", "tool"),
    [
        (custom(), Tool("shell", kind="custom")),
        (custom(format={"type": "text"}), Tool("shell", kind="custom")),
        (custom(description="Runs it.", format={"type": "grammar", "grammar": grammar()}), SHELL),
        (
            custom(format={"type": "grammar", "grammar": grammar("lark", LARK)}),
            Tool("shell", kind="custom", grammar=NEST.grammar),
        ),
    ],
)
def test_tool_from_openai_reads_custom_tools(declaration: dict[str, Any], tool: Tool) -> None:
    assert Tool.from_openai(declaration) == tool


@pytest.mark.parametrize(
    ("declaration", "tool"),
    [
        ({"type": "function", "name": "f"}, Tool("f")),
        (
            {"type": "function", "name": "f", "parameters": {"type": "object"}, "strict": False, "description": "d"},
            Tool("f", "d", {"type": "object"}, False),
        ),
        ({"type": "custom", "name": "code", "format": {"type": "text"}}, CODE),
        (
            {"type": "custom", "name": "shell", "description": "Runs it.", "format": {"type": "grammar", **grammar()}},
            SHELL,
        ),
    ],
)
def test_tool_from_responses_reads_flat_declarations(declaration: dict[str, Any], tool: Tool) -> None:
    assert Tool.from_responses(declaration) == tool


@pytest.mark.parametrize(
    ("declaration", "path"),
    [
        ({"type": "custom"}, "tools[0].custom"),
        (custom(name=""), "tools[0].custom.name"),
        (custom(format="text"), "tools[0].custom.format"),
        (custom(format={"type": "json"}), "tools[0].custom.format.type"),
        (custom(format={"type": "grammar"}), "tools[0].custom.format.grammar"),
        (custom(format={"type": "grammar", "grammar": grammar("ebnf")}), "tools[0].custom.format.grammar.syntax"),
        (
            custom(format={"type": "grammar", "grammar": grammar(definition=1)}),
            "tools[0].custom.format.grammar.definition",
        ),
    ],
)
def test_custom_tools_are_refused_with_the_path(declaration: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidToolError) as caught:
        ToolSet.from_openai([declaration])
    assert caught.value.path == path


def test_flat_declarations_are_refused_with_the_path() -> None:
    declaration = {"type": "custom", "name": "x", "format": {"type": "grammar", "syntax": "ebnf"}}
    with pytest.raises(InvalidToolError) as caught:
        Tool.from_responses(declaration, "tools[0]")
    assert caught.value.path == "tools[0].format.syntax"


def test_custom_tools_are_told_to_templates_as_functions() -> None:
    told = {"type": "function", "function": {"name": "shell", "description": "Runs it.", "parameters": INPUT}}
    assert SHELL.to_openai() == told


def read(spec: Format, text: str, size: int = 10_000) -> list[Event]:
    parser = spec.parser(TOOLS, ids=seeded_ids(1))
    events: list[Event] = []
    for at in range(0, len(text), size):
        events += parser.feed(text[at : at + size])
    return merged(events + parser.finish())


@formats
@settings(max_examples=examples(20), deadline=None)
@given(
    given_text=st.text(max_size=12) | st.sampled_from(['"}', "</tool_call>\n", '\\"', "\\u0041", "]}", "'", "\n<"]),
    size=st.integers(1, 9),
)
def test_input_is_read_as_it_was_rendered(spec: Format, given_text: str, size: int) -> None:
    try:
        text = spec.render([ToolCall("", "code", given_text, "custom"), ToolCall("", "f", "{}")], TOOLS)
    except UnwritableCallError:
        return  # where inputs stand as they are, some hold the marker that ends them
    transcript = Transcript.of(read(spec, text, size))
    made = [(call.name, call.kind, call.arguments) for call in transcript.calls]
    assert made == [("code", "custom", given_text), ("f", "function", "{}")]


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    return Compiler(Vocabulary.from_tokens(TOKENS, [END]))


def compiled(compiler: Compiler, spec: Format, tool: Tool) -> CompiledGrammar:
    constraint = spec.constraint(TOOLS, ToolChoice("named", tool.name, False, (tool.name,)))
    assert constraint is not None
    return compiler.compile(constraint)


def nests(text: str) -> bool:
    """Whether a text is of the Lark grammar."""
    while text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    return text in ('"\n', "<x>")


@formats
@pytest.mark.parametrize("tool", [CODE, SHELL, NEST], ids=lambda tool: tool.name)
def test_whatever_the_constraint_allows_is_an_input_of_the_grammar(
    compiler: Compiler, spec: Format, tool: Tool
) -> None:
    allowed = compiled(compiler, spec, tool)
    for seed in range(4):
        text = walk(allowed, random.Random(seed), budget=400)
        (made,) = Transcript.of(read(spec, text)).calls
        assert (made.name, made.kind) == (tool.name, "custom")
        if tool is SHELL:
            assert re.fullmatch(PATTERN, made.arguments)
        if tool is NEST:
            assert nests(made.arguments)


def test_input_is_told_as_it_comes() -> None:
    parser = get_format("hermes").parser(TOOLS, ids=seeded_ids(1))
    start, *rest = parser.feed('<tool_call>\n{"name": "code", "arguments": {"input": "a\\')
    assert isinstance(start, CallStart)
    assert start.kind == "custom"
    assert rest == [ArgumentsDelta(0, "a")]
    assert parser.feed("n\\u00e9b") == [ArgumentsDelta(0, "\néb")]
    assert parser.feed('"}') == []
    assert parser.feed("}") == [CallEnd(0)]


@pytest.mark.parametrize("arguments", ["{}", '{"text": "a"}', '{"input": 1}', '{"input": "a", "b": 1}', '"a"', "[]"])
def test_a_custom_call_without_its_input_is_broken(arguments: str) -> None:
    events = read(get_format("hermes"), f'<tool_call>\n{{"name": "code", "arguments": {arguments}}}\n</tool_call>')
    assert isinstance(events[0], CallStart)
    assert isinstance(events[-1], CallBroken)
    assert not events[-1].truncated


def test_arguments_of_a_custom_tool_are_an_object_with_the_input() -> None:
    options = JsonOptions()
    for tool, inputs in ((SHELL, {'say "a"': True, "say a": False}), (NEST, {'("\n)': True, "()": False})):
        grammar = Compiler(Vocabulary.from_tokens(TOKENS, [END])).compile(tool.arguments(options))
        for text, holds in inputs.items():
            written = ToolCall("", tool.name, text, "custom").arguments_text
            assert grammar.matcher().accept_text(written.encode()) == holds, text
