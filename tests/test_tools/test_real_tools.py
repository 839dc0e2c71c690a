"""Schemas of the kinds that tools of public services have, in every format."""

import json
from typing import Any

import pytest
from format_files import DESCRIBED

from grammars import Compiler, UnsupportedError, Vocabulary
from tools import Format, Tool, ToolCall, ToolChoice, ToolSet, Transcript, format_names, get_format
from tools.formats.bodies.delimited_call import DelimitedCall
from tools.formats.bodies.keyword_call import KeywordCall

TEXT = {"type": "string"}
COMPARISON = {
    "type": "object",
    "properties": {"type": {"enum": ["eq", "ne"]}, "key": TEXT, "value": {"oneOf": [TEXT, {"type": "number"}]}},
    "required": ["type", "key", "value"],
    "additionalProperties": False,
}
COMPOUND = {
    "$recursiveAnchor": True,
    "type": "object",
    "properties": {
        "type": {"enum": ["and", "or"]},
        "filters": {"type": "array", "items": {"oneOf": [COMPARISON, {"$recursiveRef": "#"}]}},
    },
    "required": ["type", "filters"],
    "additionalProperties": False,
}
ANYTHING_NEW = {"type": "array", "uniqueItems": True, "items": {"type": ["integer", "string", "boolean", "object"]}}
SOME_NEW = {"type": "array", "uniqueItems": True, "items": {"type": "string", "minLength": 1}}
MEMBERS = {"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": False}
DECLARED = dict.fromkeys(["StartTime<", "include[]", "a&b", "$x.y:z"], TEXT) | {"StartTime>": {"type": "integer"}}
EQ = {"type": "eq", "key": "k", "value": 1}

# name -> schema, arguments that are valid, arguments that are not
CASES: dict[str, tuple[dict[str, Any], list[Any], list[Any]]] = {
    "names": (
        {"type": "object", "properties": DECLARED, "required": [], "additionalProperties": False},
        [dict.fromkeys(DECLARED, "x") | {"StartTime>": 3}, {}],
        [{"StartTime>": "x"}, {"StartTime": "x"}],
    ),
    "names beside others": (
        {"type": "object", "properties": DECLARED},
        [dict.fromkeys(DECLARED, "x") | {"StartTime>": 3}, {"more": 1}],
        [{"StartTime>": "x"}],
    ),
    "a filter within itself": (
        COMPOUND,
        [{"type": "and", "filters": [EQ, {"type": "or", "filters": [EQ]}]}],
        [{"type": "and", "filters": [{"type": "eq", "filters": []}]}],
    ),
    "new items": (
        {**MEMBERS, "properties": {"a": ANYTHING_NEW}},
        [{"a": [1, "1", True, "x]", {"k": "a"}, {"k": "b"}]}, {"a": []}],
        [{"a": [1, 1]}, {"a": ["x]", "x]"]}, {"a": [True, False, True]}, {"a": [{"k": "a"}, {"k": "a"}]}],
    ),
    "new strings": (
        {**MEMBERS, "properties": {"a": SOME_NEW}},
        [{"a": ["x", "[x", "x, "]}],
        [{"a": ["x", "x"]}, {"a": [""]}],
    ),
    "some of those that are contained": (
        {**MEMBERS, "properties": {"a": {"type": "array", "contains": TEXT, "minContains": 1, "maxContains": 2}}},
        [{"a": ["x", 1]}, {"a": ["x", "y"]}],
        [{"a": [1]}, {"a": ["x", "y", "z"]}],
    ),
    "given as a whole": (
        {"enum": [{"a": 1, "b": "x"}, {"c": None}]},
        [{"a": 1, "b": "x"}, {"c": None}],
        [{"a": 1}, {}, {"a": 1, "b": "y"}],
    ),
    "excluded as a whole": (
        {"type": "object", "properties": {"a": {"type": "integer"}}, "not": {"const": {"a": 1}}},
        [{"a": 2}, {}, {"b": 1}],
        [{"a": 1}],
    ),
    "a member of any name": (
        {"type": "object", "properties": {"a": TEXT}, "not": {"additionalProperties": TEXT}},
        [{"a": "x", "b": 1}, {"other": [1]}],
        [{"a": "x"}, {}],
    ),
    "choices at the top": (
        {"type": "object", "properties": {"a": TEXT, "b": TEXT}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
        [{"a": "x"}, {"b": "x"}],
        [{"a": "x", "b": "x"}, {}],
    ),
}


def is_refused(spec: Format, case: str) -> bool:
    """Whether nothing in the text tells what the schema asks for."""
    body = spec.native.body
    if case in ("new items", "new strings"):
        return isinstance(body, DelimitedCall) or (
            isinstance(body, KeywordCall) and body.values == "python" and case == "new items"
        )
    return spec.name == "minimax_m3" and case == "a member of any name"


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    return Compiler(Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256]))


@pytest.mark.parametrize("spec", [*map(get_format, format_names()), *DESCRIBED], ids=lambda spec: spec.name)
def test_arguments_are_held_to_the_schema(compiler: Compiler, spec: Format) -> None:
    for case in CASES:
        check_case(compiler, spec, case)


def check_case(compiler: Compiler, spec: Format, case: str) -> None:
    schema, valid, invalid = CASES[case]
    tools = ToolSet((Tool("f", parameters=schema),))
    constraint = spec.constraint(tools, ToolChoice("required"))
    if is_refused(spec, case):
        with pytest.raises(UnsupportedError):
            compiler.compile(constraint)
        return
    grammar = compiler.compile(constraint)
    for arguments in (*valid, *invalid):
        text = spec.render([ToolCall("call_1", "f", json.dumps(arguments))], tools)
        parser = spec.parser(tools)
        (read,) = Transcript.of([*parser.feed(text), *parser.finish()]).calls
        # What ends harmony's calls is an end token.
        written = text.removesuffix("<|call|>").encode()
        # What ends a value of minimax_m3 is written for declared names alone.
        can_be = spec.name != "minimax_m3" or arguments.keys() <= schema.get("properties", arguments).keys()
        assert grammar.matcher().accept_text(written) == (arguments in valid and can_be), (case, text)
        assert json.loads(read.arguments) == arguments or arguments in invalid, case


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("minimax_m3", "]<]minimax[>[<StartTime<>x]<]minimax[>[</StartTime<>"),
        # With what stands behind a name, one might be the mark.
        ("minimax_m3", "]<]minimax[>[<]&lt;]minimax[>x]<]minimax[>[</]&lt;]minimax[>"),
        ("qwen3_coder", "<parameter=StartTime<>\nx\n</parameter>"),
        ("glm47", "<arg_key>StartTime<</arg_key><arg_value>x</arg_value><arg_key>a>b></arg_key>"),
        ("hy4", "<arg_key:6124c78e>a>b></arg_key:6124c78e>"),
        ("deepseek_v4", '<｜DSML｜parameter name="StartTime<" string="true">x'),
        ("kimi_k3", '<|open|>argument key="StartTime<" type="string"<|sep|>x'),
        # As the chat template has it.
        ("kimi_k3", '<|open|>argument key="a&amp;b" type="string"<|sep|>x'),
        # What ends a name cannot stand in it.
        ("qwen3_coder", "<parameter=a&gt;b&gt;>\nx\n</parameter>"),
    ],
)
def test_names_stand_as_they_are_where_they_can(name: str, written: str) -> None:
    arguments = json.dumps(dict.fromkeys(("StartTime<", "a>b>", "a&b", "]<]minimax["), "x"))
    assert written in get_format(name).render([ToolCall("", "f", arguments)])
