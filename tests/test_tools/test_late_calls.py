"""Calls after prose, in formats whose calls usually are the whole text."""

import json
import random

import jsonschema
import numpy as np
import pytest
from reading import TOOLS, read

from grammars import Compiler, Vocabulary
from tools import Tool, ToolCall, ToolChoice, ToolSet, Transcript, get_format

LATE = ["llama3_json", "pythonic", "llama4_pythonic", "xlam", "hammer"]
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}

TEXTS = [
    ("llama3_json", 'Here: {"name": "get_weather", "parameters": {"city": "Bern"}}', "Here:", 1),
    ("llama3_json", 'Here: {"name":"f", "parameters": {}}; {"name": "g", "parameters": {}}', "Here:", 2),
    ("llama3_json", 'Look: {"name": "Anna", "parameters": {}}', 'Look: {"name": "Anna", "parameters": {}}', 0),
    ("llama3_json", 'Look: {"name": "fox"}', 'Look: {"name": "fox"}', 0),
    ("llama3_json", 'Look: {"id": 1, "name": "f"}', 'Look: {"id": 1, "name": "f"}', 0),
    ("llama3_json", 'Look: {"name": "f"', 'Look: {"name": "f"', -1),
    ("pythonic", "Sure: [get_weather(city='Bern')]", "Sure:", 1),
    ("pythonic", "Sure: [f(), g()]", "Sure:", 2),
    ("pythonic", "It is f(x) [1] and [h(x)].", "It is f(x) [1] and [h(x)].", 0),
    ("llama4_pythonic", "Sure.\n\n[f()]", "Sure.", 1),
    ("xlam", 'Now [{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}]', "Now", 2),
    ("xlam", 'Now ["name", {"nam": "f"}]', 'Now ["name", {"nam": "f"}]', 0),
    ("hammer", 'Now\n```\n[{"name": "f", "arguments": {}}]\n```', "Now", 1),
    ("hammer", "Now\n```\n[1]\n```", "Now\n```\n[1]\n```", 0),
]


@pytest.mark.parametrize(("name", "text", "content", "num_calls"), TEXTS)
def test_a_call_of_a_declared_tool_is_read_after_prose(name: str, text: str, content: str, num_calls: int) -> None:
    spec = get_format(name)
    whole = read(spec, [text])
    transcript = Transcript.of(whole)
    if num_calls < 0:
        assert [broken.truncated for broken in transcript.broken] == [True]
    else:
        assert (transcript.content, len(transcript.calls), transcript.broken) == (content, num_calls, [])
    assert read(spec, list(text)) == whole
    for cut in range(1, len(text)):
        assert read(spec, [text[:cut], text[cut:]]) == whole, cut


WORDS = [b"{", b"[", b"```\n", b'{"name": "', b'"f"', b"f(", b"<function=", b"<|python", b"tool_call>", b"[TOOL_CALLS]"]
TOKENS = [*(bytes([byte]) for byte in range(256)), *WORDS, None]
DECLARED = ToolSet((Tool("f", parameters=CITY), Tool("get_weather", parameters=CITY)))


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    return Compiler(Vocabulary.from_tokens(TOKENS, [len(TOKENS) - 1]))


@pytest.mark.parametrize("name", LATE)
@pytest.mark.parametrize("parallel", [True, False])
def test_prose_and_a_call_are_allowed(compiler: Compiler, name: str, parallel: bool) -> None:
    spec = get_format(name)
    compiled = compiler.compile(spec.constraint(DECLARED, ToolChoice("auto", parallel=parallel)))
    calls = [ToolCall("", each, '{"city": "Bern"}') for each in ("f", "get_weather")]
    for made, allowed in ((calls[:1], True), (calls, parallel)):
        for before in ("", "Well, ", "<b> ", "`x` ", "<|python", "\n\nI call:\n"):
            text = (before + spec.render(made, DECLARED)).encode()
            matcher = compiled.matcher()
            is_held = matcher.allowed_prefix(text) == len(text)
            assert is_held == allowed, (before, text)
    for text in (b"Hello.", b"", b" ", b"<", b'It is {"name": "Anna"} [1] f(x).', b"<html> {}"):
        matcher = compiled.matcher()
        assert all(matcher.accept(byte) for byte in text), text
        assert matcher.is_complete, text


@pytest.mark.parametrize("name", LATE)
def test_whatever_is_allowed_is_read(compiler: Compiler, name: str) -> None:
    spec, drawn = get_format(name), random.Random(name)
    compiled = compiler.compile(spec.constraint(DECLARED, ToolChoice("auto")))
    begins = [spec.render([ToolCall("", "f", '{"city": "x"}')], DECLARED)[:size] for size in (1, 3, 8, 12, 20)]
    num_late = 0
    for round in range(60):
        matcher, row, text = compiled.matcher(), np.zeros(compiled.num_words, dtype=np.uint32), b""
        start = (drawn.choice(["", " ", "So ", "< ", "<|pyt"]) + drawn.choice(["", *begins])).encode()
        for byte in start[: matcher.allowed_prefix(start)]:
            assert matcher.accept(byte)
            text += bytes([byte])
        for left in range(compiled.min_tokens + 90 + round % 30, -1, -1):
            matcher.fill_mask(row, left)
            allowed = np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist()
            liked = [token for token in allowed if 256 <= token < len(TOKENS) - 1]
            token = drawn.choice(liked if liked and drawn.random() < 0.3 else allowed)
            assert matcher.accept(token)
            if TOKENS[token] is None:
                break
            text += TOKENS[token]
        shown = text.decode("utf-8", "replace")
        transcript = Transcript.of(read(spec, [shown], DECLARED))
        assert not transcript.broken, shown
        for call in transcript.calls:
            jsonschema.validate(json.loads(call.arguments), DECLARED.get(call.name).arguments_schema)
        num_late += bool(transcript.calls) and bool(transcript.content)
    assert num_late


def test_many_tools_compile_quickly(compiler: Compiler) -> None:
    names = [f"{verb}_{index}_of_the_repository" for verb in ("get", "list", "make") for index in range(43)]
    tools = ToolSet(tuple(Tool(name, parameters=CITY) for name in names))
    assert compiler.compile(get_format("llama3_json").constraint(tools, ToolChoice("auto"))).min_tokens == 0


def test_declared_names_alone_are_looked_for() -> None:
    assert get_format("llama3_json").native.late_marks(TOOLS)[0] == '{"name": "f"'
    assert get_format("hermes").native.late_marks(TOOLS) == ()
    assert get_format("glm4").native.late_marks(TOOLS) == ()
