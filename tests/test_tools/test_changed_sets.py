"""Sets of tools some of which a compiler has met: what it makes of them is what one makes that has met none."""

import gc
import random
from typing import Any
from weakref import ref

import numpy as np
import pytest

from grammars import CompiledGrammar, Compiler, GrammarError, Limits, TooComplexError, Vocabulary
from tools import Format, Tool, ToolCall, ToolChoice, ToolSet, get_format
from tools.formats.registry import formats

TOKENS: list[bytes | None] = [*(bytes([value]) for value in range(256)), b'": "', b'"}', b"</", b"name", None]
VOCABULARY = Vocabulary.from_tokens(TOKENS, [len(TOKENS) - 1])


def tool(name: str, /, required: tuple[str, ...] = (), definitions: Any = None, **properties: Any) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    return Tool(name, parameters={**schema, "$defs": definitions} if definitions else schema)


SHARED = {"$ref": "#/$defs/part"}
A = tool("a", ("x",), {"part": {"type": "integer", "minimum": 3}}, x=SHARED, when={"format": "date", "type": "string"})
B = tool("b", ("x",), {"part": {"enum": ["u", "v"]}}, x=SHARED, y={"type": "array", "items": {"type": "number"}})
C = tool("c", next={"anyOf": [{"type": "string", "maxLength": 4, "pattern": "^[a-d]*$"}, {"type": "boolean"}]})
D = tool("d", definitions={"node": {"type": "object", "properties": {"of": {"$ref": "#/$defs/node"}}}},
         top={"$ref": "#/$defs/node"}, when={"format": "date", "type": "string"})  # fmt: skip
OPEN = Tool(
    "open",
    parameters={
        "type": "object",
        "properties": {"k": {"items": {"enum": [1, 2, 3]}, "uniqueItems": True, "type": "array"}},
    },
)
PLAIN = Tool("plain")
ALL = (A, B, C, D, PLAIN)
HERMES = get_format("hermes")
TRIED_WITH_ALL = ("hermes", "llama3_json", "qwen3_coder", "gemma4", "pythonic", "kimi_k2")
OTHER_A = tool("a", ("x",), {"part": {"type": "integer", "minimum": 4}}, x=SHARED)
CHANGES = {
    "changed": (OTHER_A, B, C, D, PLAIN),
    "all but one gone": (C,),
    "gone": (A, B, D, PLAIN),
    "added": (A, OPEN, B, C, D, PLAIN),
    "in another order": (PLAIN, D, C, B, A),
    "called otherwise": (A, B, C, Tool("e", parameters=D.parameters), PLAIN),
    "back again": ALL,
}


def compiled(compiler: Compiler, spec: Format, tools: tuple[Tool, ...], mode: str = "auto") -> CompiledGrammar:
    constraint = spec.constraint(ToolSet(tools), ToolChoice(mode))  # type: ignore[arg-type]
    assert constraint is not None
    return compiler.compile(constraint)


def assert_same(one: CompiledGrammar, other: CompiledGrammar, text: bytes, drawn: random.Random) -> None:
    """Along the text, and then along tokens that are drawn, both allow the same."""
    first, second = one.matcher(), other.matcher()
    rows = np.zeros((2, one.num_words), dtype=np.uint32)
    for step in range(len(text) + 30):
        for left in (None, 300):
            first.fill_mask(rows[0], left)
            second.fill_mask(rows[1], left)
            assert np.array_equal(rows[0], rows[1]), (text, step)
        allowed = np.flatnonzero(np.unpackbits(rows[0].view(np.uint8), bitorder="little")[: len(TOKENS) - 1])
        if step >= len(text) and not len(allowed):
            return
        token = text[step] if step < len(text) else int(drawn.choice(allowed))
        assert first.accept(token) == second.accept(token)


@pytest.mark.parametrize("spec", formats(), ids=lambda spec: spec.name)
def test_what_is_made_of_a_changed_set_is_what_a_new_compiler_makes(spec):
    compiler, drawn = Compiler(VOCABULARY), random.Random(spec.name)
    compiled(compiler, spec, ALL)
    changes = list(CHANGES) if spec.name in TRIED_WITH_ALL else drawn.sample(list(CHANGES), 2)
    for tools in map(CHANGES.__getitem__, changes):
        one, other = compiled(compiler, spec, tools), compiled(Compiler(VOCABULARY), spec, tools)
        assert (one.min_tokens, set(one.report)) == (other.min_tokens, set(other.report))
        for each in drawn.sample(tools, 1):
            text = spec.render([ToolCall("call_1", each.name, "{}")], ToolSet(tools)).encode()
            assert_same(one, other, text[: drawn.randint(len(text) // 2, len(text))], drawn)


VALUES: list[dict[str, Any]] = [
    {"type": "string", "maxLength": 3},
    {"type": "string", "maxLength": 4},
    {"type": "string", "enum": ["u", "v|w", "v"], "description": "Which."},
    {"type": "integer", "minimum": 1, "maximum": 30, "default": 1},
    {"anyOf": [{"type": "string", "pattern": "^[a-d]+$"}, {"type": "null"}]},
    {"type": "array", "items": {"type": "number", "exclusiveMinimum": 2}, "maxItems": 2},
    {"type": "array", "items": {"type": "number", "exclusiveMinimum": 3}, "maxItems": 2},
    {"type": "array", "items": {"enum": [1, True, "1"]}, "uniqueItems": True},
    {"type": "object", "properties": {"k": {"type": "string", "maxLength": 3}}, "required": ["k"]},
    {"$ref": "#/$defs/part"},
    {"enum": [1]},
    {"enum": [True]},
    {"type": "string", "format": "date"},
    {"type": ["string", "integer"], "maxLength": 3, "minimum": 7},
]


@pytest.mark.parametrize("name", ["hermes", "qwen3_coder", "gemma4", "llama3_json", "minimax_m3", "kimi_k3"])
def test_values_of_the_same_words_are_what_they_are_in_a_tool_alone(name):
    spec, drawn = get_format(name), random.Random(name)
    for _ in range(12):
        tools = []
        for number in range(4):
            values = {f"n{index}": drawn.choice(VALUES) for index in range(4)}
            part = {"part": {"type": "integer", "minimum": number}}
            tools.append(tool(f"f{number}", tuple(drawn.sample([*values], 2)), part, **values))
        whole = compiled(Compiler(VOCABULARY), spec, tuple(tools), "required")
        alone = [compiled(Compiler(VOCABULARY), spec, (each,), "required") for each in tools]
        assert set(whole.report) == set().union(*(each.report for each in alone))
        for one, each in zip(alone, tools, strict=True):
            # The name alone tells them apart, up to the call's end.
            text = spec.opening(each.name).encode()
            assert_same_behind(text, whole, one, drawn)


def assert_same_behind(text: bytes, one: CompiledGrammar, other: CompiledGrammar, drawn: random.Random) -> None:
    """Along what is drawn behind the text both allow the same, up to the end of a call."""
    first, second = one.matcher(), other.matcher()
    rows = np.zeros((2, one.num_words), dtype=np.uint32)
    assert all(first.accept(byte) and second.accept(byte) for byte in text)
    for _ in range(60):
        assert first.is_complete == second.is_complete
        if first.is_complete:
            break
        first.fill_mask(rows[0])
        second.fill_mask(rows[1])
        assert np.array_equal(rows[0], rows[1]), text
        allowed = np.flatnonzero(np.unpackbits(rows[0].view(np.uint8), bitorder="little")[: len(TOKENS) - 1])
        token = int(drawn.choice(allowed))
        assert first.accept(token)
        assert second.accept(token)


@pytest.mark.parametrize("mode", ["auto", "required"])
def test_a_changed_set_begins_with_what_was_made_of_others(mode):
    compiler = Compiler(VOCABULARY)
    before = compiled(compiler, HERMES, ALL, mode).network
    after = compiled(compiler, HERMES, (*CHANGES["changed"], OPEN), mode).network
    assert before.parts is not None
    assert after.parts is not None
    assert all(before.parts.by_key[key] is part for key, part in list(after.parts.by_key.items())[:4])
    assert np.array_equal(before.cost[: before.parts.num_states], after.cost[: before.parts.num_states])


def test_little_is_left_of_other_sets():
    compiler = Compiler(VOCABULARY)
    tools = [tool(f"f{number}", **{f"n{number}": {"enum": [1, number]}}) for number in range(80)]
    for first in range(0, len(tools) - 8, 3):
        network = compiled(compiler, HERMES, tuple(tools[first : first + 8])).network
        fresh = compiled(Compiler(VOCABULARY), HERMES, tuple(tools[first : first + 8])).network
        assert network.num_states < 2 * fresh.num_states + 1_000


def test_states_that_are_left_do_not_count():
    fresh = compiled(Compiler(VOCABULARY), HERMES, CHANGES["changed"]).network.num_states
    most = max(fresh, compiled(Compiler(VOCABULARY), HERMES, ALL).network.num_states)
    compiler = Compiler(VOCABULARY, Limits(max_states=most))
    compiled(compiler, HERMES, ALL)
    assert compiled(compiler, HERMES, CHANGES["changed"]).network.num_states > most
    with pytest.raises(TooComplexError, match="max_states"):
        compiled(
            compiler, HERMES, (*CHANGES["changed"], tool("long", x={"enum": [each * 60 for each in "abcdefghij"]}))
        )


@pytest.mark.parametrize("name", ["hermes", "qwen3_coder", "gemma4"])
def test_a_tool_that_is_refused_is_refused_alone(name):
    spec, compiler = get_format(name), Compiler(VOCABULARY)
    bad = tool("bad", x={"type": "string", "pattern": "(a"})
    compiled(compiler, spec, ALL)
    told = []
    for each in (compiler, Compiler(VOCABULARY)):
        with pytest.raises(GrammarError) as refused:
            compiled(each, spec, (A, bad, *ALL[1:]))
        told.append((str(refused.value), refused.value.where))
    assert told[0] == told[1]
    assert "bad" in str(told[0]) or told[0][1] == "/properties/x/pattern"
    one, other = compiled(compiler, spec, CHANGES["changed"]), compiled(Compiler(VOCABULARY), spec, CHANGES["changed"])
    assert_same(one, other, spec.render([ToolCall("call_1", "a", "{}")]).encode()[:20], random.Random(1))


def test_networks_are_not_held_for_their_parts():
    compiler = Compiler(VOCABULARY, Limits(max_compiled=1))
    kept = ref(compiled(compiler, HERMES, ALL).network)
    compiled(compiler, HERMES, CHANGES["changed"])
    gc.collect()
    assert kept() is None
