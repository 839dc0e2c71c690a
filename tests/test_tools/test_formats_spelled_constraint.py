"""What the constraint lets a hostile model write where arguments are not JSON: it is always read, and always valid."""

import json
import random
from typing import Any

import jsonschema
import numpy as np
import pytest
from reading import read
from spelled import GOLDEN, SPELLED, TOOLS, golden_calls

from grammars import CompiledGrammar, Compiler, GrammarError, Vocabulary
from tools import Format, Tool, ToolCall, ToolChoice, ToolSet, Transcript, UnwritableCallError, get_format
from tools.formats.bodies.tagged_call import TaggedCall

TEXT, MAYBE = {"type": "string"}, {"type": ["string", "null"]}
SCHEMAS: dict[str, dict[str, Any]] = {
    "text": {"properties": {"a": TEXT, "b": {"type": "string", "maxLength": 5, "pattern": "[^a]$"}}, "required": ["a"]},
    "either": {
        "properties": {"a": MAYBE, "b": {"enum": ["1", 1, "null", None, "x"]}, "c": {"type": ["string", "array"]}},
        "required": ["a", "b", "c"],
        "additionalProperties": False,
    },
    "json": {
        "properties": {
            "n": {"type": "number"},
            "o": {"type": "object"},
            "l": {"items": {"enum": [True, None, "</p>"]}},
        },
        "required": ["n", "o"],
        "additionalProperties": False,
    },
    "open": {"additionalProperties": {"anyOf": [TEXT, {"type": "boolean"}]}},
    "map": {"additionalProperties": TEXT, "properties": {"n": {"type": "integer"}}, "minProperties": 1},
    "branches": {
        "oneOf": [
            {"properties": {"kind": {"const": "text"}, "v": TEXT}, "required": ["kind", "v"]},
            {"properties": {"kind": {"const": 5}, "v": {"type": "integer"}}, "required": ["kind", "v"]},
        ],
        "properties": {"kind": True, "v": True},
        "additionalProperties": False,
    },
}
SETS = {name: ToolSet((Tool("f", parameters={"type": "object", **schema}),)) for name, schema in SCHEMAS.items()}

ENDS = [
    "</parameter>", "</function>", "</arg_value>", "<arg_key>", "<|close|>", "<|sep|>", "<escape>", '<|"|>',
    "</cofl:value>", "<parameter=", "</｜DSML｜parameter>", "</tool_call>", "\n", "\n</", "'", '"', "\\", '\\"', "')",
    ")]", "null", "true", ", ", "=", "{", "}", "[", "]", "None", "é", '": ', "\x85", "\x1f", "\xa0", "\u2028",
]  # fmt: skip
TOKENS: list[bytes | None] = [*(bytes([value]) for value in range(256)), *(text.encode() for text in ENDS), None]
END = len(TOKENS) - 1

formats = pytest.mark.parametrize("spec", SPELLED, ids=lambda spec: spec.name)


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    return Compiler(Vocabulary.from_tokens(TOKENS, [END]))


def written(grammar: CompiledGrammar, source: random.Random) -> str:
    """A random whole text that the constraint allows, with much that looks like the end of something."""
    matcher = grammar.matcher()
    row = np.zeros((len(TOKENS) + 31) // 32, dtype=np.uint32)
    data = b""
    for left in range(matcher.tokens_to_complete + 80, 0, -1):
        matcher.fill_mask(row, left)
        allowed = np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")[: len(TOKENS)]).tolist()
        if not allowed:
            break
        likely = [token for token in allowed if 256 <= token < END]
        token = source.choice(likely if likely and source.random() < 0.5 else allowed)
        assert matcher.accept(token)
        if token == END:
            break
        data += TOKENS[token] or b""
    assert matcher.is_complete
    return data.decode()


@formats
@pytest.mark.parametrize("name", SCHEMAS)
def test_what_is_written_is_read_and_valid(compiler: Compiler, spec: Format, name: str) -> None:
    tools = SETS[name]
    constraint = spec.constraint(tools, ToolChoice("required"))
    assert constraint is not None
    grammar = compiler.compile(constraint)
    for seed in range(5):
        text = written(grammar, random.Random(seed))
        events = read(spec, [text], tools)
        assert read(spec, list(text), tools) == events
        found = Transcript.of(events)
        assert found.calls
        assert (found.content, found.broken) == ("", [])
        for call in found.calls:
            value = json.loads(call.arguments)
            jsonschema.validate(value, {"type": "object", **SCHEMAS[name]})
            again = spec.render([ToolCall("", call.name, call.arguments)], tools)
            ((_, arguments),) = [
                (made.name, made.arguments) for made in Transcript.of(read(spec, [again], tools)).calls
            ]
            assert json.loads(arguments) == value


@formats
@pytest.mark.parametrize("blank", ["\x1f", "\x85", "\xa0", "\u2028"], ids=ascii)
def test_a_blank_that_may_be_a_name_is_read_as_one(compiler: Compiler, spec: Format, blank: str) -> None:
    constraint = spec.constraint(SETS["map"], ToolChoice("required"))
    assert constraint is not None
    grammar = compiler.compile(constraint)
    for name in (blank, f"{blank}a", f"a{blank}"):
        text = spec.render([ToolCall("", "f", json.dumps({"odd": "x"}))], SETS["map"]).replace("odd", name)
        if grammar.matcher().accept_text(text.encode()):
            (call,) = Transcript.of(read(spec, [text], SETS["map"])).calls
            assert json.loads(call.arguments) == {name: "x"}


@formats
def test_golden_text_is_allowed(compiler: Compiler, spec: Format) -> None:
    for mode in ("required", "auto"):
        constraint = spec.constraint(TOOLS, ToolChoice(mode))  # type: ignore[arg-type]
        assert constraint is not None
        assert compiler.compile(constraint).matcher().accept_text(GOLDEN[spec.name].encode())


@formats
def test_calls_that_are_not_valid_are_not_allowed(compiler: Compiler, spec: Format) -> None:
    constraint = spec.constraint(TOOLS, ToolChoice("required"))
    assert constraint is not None
    grammar = compiler.compile(constraint)
    name, first = golden_calls(spec)[0]
    for wrong in (
        first.replace('"days": 3', '"days": 3.5'),
        first.replace('"exact": false', '"exact": null'),
        first.replace("true", "7"),
        first.replace('"unit": null', '"unit": 6'),
        "{}",
        '{"city": "x", "other": 1}',
    ):
        text = spec.render([ToolCall("", name, wrong)], TOOLS)
        assert not grammar.matcher().accept_text(text.encode()), text


@formats
def test_a_custom_tool_takes_its_input_as_it_is(compiler: Compiler, spec: Format) -> None:
    grammar = {"type": "grammar", "grammar": {"syntax": "regex", "definition": "[a-c<\\n]+"}}
    tools = ToolSet.from_openai(
        [{"type": "custom", "custom": {"name": "t"}}, {"type": "custom", "custom": {"name": "r", "format": grammar}}]
    )
    constraint = spec.constraint(tools, ToolChoice("required"))
    assert constraint is not None
    compiled = compiler.compile(constraint)
    for name, text in (("t", "it's\n\"<b>\\"), ("t", ""), ("r", "a\nb<")):
        call = spec.render([ToolCall("", name, json.dumps({"input": text}))], tools)
        assert compiled.matcher().accept_text(call.encode())
        (found,) = Transcript.of(read(spec, [call], tools)).calls
        assert (found.name, found.kind, found.arguments) == (name, "custom", text)
    refused = spec.render([ToolCall("", "r", '{"input": "d"}')], tools)
    assert not compiled.matcher().accept_text(refused.encode())


@formats
def test_a_schema_that_cannot_be_written_names_the_tool(compiler: Compiler, spec: Format) -> None:
    schema = {"type": "object", "properties": {"a" * 257: {"type": "string"}}}
    constraint = spec.constraint(ToolSet((Tool("get_it", parameters=schema),)), ToolChoice("auto"))
    assert constraint is not None
    with pytest.raises(GrammarError, match="get_it: /properties"):
        compiler.compile(constraint)


@pytest.mark.parametrize("name", ["gemma4", "functiongemma"])
def test_members_stand_in_the_order_in_which_templates_sort_them(name: str) -> None:
    inner = {"type": "object", "properties": {"y": {"type": "integer"}, "X": {"type": "integer"}}}
    properties = {"zone": {"type": "string"}, "city": {"type": "string"}, "At": inner}
    tool = Tool("f", parameters={"type": "object", "properties": properties, "required": ["city"]})
    spec, tools = get_format(name), ToolSet((tool,))
    vocabulary = Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256])
    compiled = Compiler(vocabulary).compile(spec.constraint(tools, ToolChoice("required")))
    text = spec.render([ToolCall("", "f", '{"zone": "CET", "city": "Bern", "At": {"y": 1.50, "X": 2}}')], tools)
    assert text.index("At:") < text.index("X:") < text.index("y:1.50") < text.index("city:") < text.index("zone:")
    whole = text.replace("1.50", "1").encode()
    matcher = compiled.matcher()
    assert matcher.allowed_prefix(whole) == len(whole)
    assert json.loads(Transcript.of(read(spec, [text], tools)).calls[0].arguments)["zone"] == "CET"


@pytest.mark.parametrize(
    "spec", [spec for spec in SPELLED if isinstance(spec.native.body, TaggedCall)], ids=lambda spec: spec.name
)
def test_a_raw_value_ends_where_another_argument_begins(spec: Format) -> None:
    text = {"type": "string"}
    tool = Tool("f", parameters={"type": "object", "properties": {"city": text, "state": text}, "required": ["city"]})
    tools = ToolSet((tool,))
    spelling = spec.native.body.spelling
    written = spec.render([ToolCall("", "f", '{"city": "Dallas", "state": "TX"}')], tools)
    end = spelling.after.replace("{name}", "city")
    cut = written.replace(end, "\n" if end == spelling.after else "", 1)
    assert cut != written
    for pieces in ([cut], list(cut)):
        found = Transcript.of(read(spec, pieces, tools))
        assert json.loads(found.calls[0].arguments) == {"city": "Dallas", "state": "TX"}
    vocabulary = Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256])
    compiled = Compiler(vocabulary).compile(spec.constraint(tools, ToolChoice("required")))
    matcher, data = compiled.matcher(), cut.encode()
    begun = data.index(spelling.before.encode(), data.index(b"Dallas")) + len(spelling.before.encode())
    # The end of a value may begin as another member does.
    assert matcher.allowed_prefix(data) < begun + end.startswith(spelling.before)
    quoting = json.dumps({"city": f"x{spelling.before}y"})
    if spelling.is_tagged:  # what cannot be raw is JSON
        again = read(spec, [spec.render([ToolCall("", "f", quoting)], tools)], tools)
        assert json.loads(Transcript.of(again).calls[0].arguments) == json.loads(quoting)
    else:
        with pytest.raises(UnwritableCallError):
            spec.render([ToolCall("", "f", quoting)], tools)
