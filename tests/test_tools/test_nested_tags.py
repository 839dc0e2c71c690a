"""MiniMax M3: objects and arrays are tags within tags where their schemas are plain, and JSON where they are not."""

import json
from typing import Any

import pytest
from test_formats_spelled import NESTED

from grammars import Compiler, TooComplexError, Vocabulary
from tools import Tool, ToolCall, ToolChoice, ToolSet, Transcript, get_format

SPEC = get_format("minimax_m3")
MARK = "]<]minimax[>["


@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        (
            {"to": {"city": "Bern", "zip": 3000}, "items": [{"sku": "1"}, {}], "tags": ["7", ""], "more": {"a": "1"}},
            "<to><city>Bern</city><zip>3000</zip></to><items><item><sku>1</sku></item><item></item></items>"
            '<tags><item>7</item><item></item></tags><more>{"a": "1"}</more>',
        ),
        ({"to": {}, "items": [], "tags": []}, "<to></to><items></items><tags></tags>"),
        # What the tags cannot say is JSON.
        ({"to": {"city": "x", "extra": 1}}, '<to>{"city": "x", "extra": 1}</to>'),
        ({"tags": [MARK]}, f'<tags>["{MARK}"]</tags>'),
        ({"to": {"city": "a", "zip": "no"}}, None),
    ],
)
def test_plain_objects_and_arrays_are_tags_within_tags(arguments: dict[str, Any], written: str | None) -> None:
    tools = ToolSet((Tool("order", parameters=NESTED),))
    compiler = Compiler(Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256]))
    parser, text = SPEC.parser(tools), SPEC.render([ToolCall("", "order", json.dumps(arguments))], tools)
    grammar = compiler.compile(SPEC.constraint(tools, ToolChoice("required")))
    assert grammar.matcher().accept_text(text.encode()) == (written is not None)
    if written is not None:
        assert written in text.replace(f"{MARK}<", "<")
        (call,) = Transcript.of([*parser.feed(text), *parser.finish()]).calls
        assert json.loads(call.arguments) == arguments


@pytest.mark.parametrize(
    "schema",
    [
        # What they refer to is not told apart from what stands there.
        {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"$ref": "#"}}}}},
        {"type": "object", "properties": {"a": {"type": "array", "items": {"type": ["string", "integer"]}}}},
        {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}, "maxItems": 2}}},
        {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}, "minProperties": 1},
    ],
)
def test_what_is_not_plain_is_json(schema: dict[str, Any]) -> None:
    tools = ToolSet((Tool("f", parameters=schema),))
    assert "<a>{" in SPEC.render([ToolCall("", "f", '{"a": {}}')], tools)
    assert "<a>[" in SPEC.render([ToolCall("", "f", '{"a": []}')], tools)


@pytest.mark.parametrize(
    ("places", "begun"), [(1, f"<a>{MARK}<p0>{MARK}<p0>{MARK}</p0>"), (12, '<a>{"p0": {"p0": {}}}')]
)
def test_a_schema_that_leads_to_itself_in_many_places_is_json(places: int, begun: str) -> None:
    node = {"type": "object", "properties": {f"p{index}": {"$ref": "#/$defs/node"} for index in range(places)}}
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/node"}}, "$defs": {"node": node}}
    tools = ToolSet((Tool("f", parameters=schema),))
    compiler = Compiler(Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256]))
    parser, text = SPEC.parser(tools), SPEC.render([ToolCall("", "f", '{"a": {"p0": {"p0": {}}}}')], tools)
    assert begun in text
    assert compiler.compile(SPEC.constraint(tools, ToolChoice("required"))).matcher().accept_text(text.encode())
    (call,) = Transcript.of([*parser.feed(text), *parser.finish()]).calls
    assert json.loads(call.arguments) == {"a": {"p0": {"p0": {}}}}


def test_a_schema_that_is_too_deep_is_refused() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(2000):
        schema = {"type": "object", "properties": {"a": schema}}
    compiler, tools = Compiler(Vocabulary.from_tokens([b"a", None], [1])), ToolSet((Tool("f", parameters=schema),))
    with pytest.raises(TooComplexError, match="max_depth"):
        compiler.compile(SPEC.constraint(tools, ToolChoice("required")))
