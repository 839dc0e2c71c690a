"""The embedded model's tokenizer and chat template."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from embedded_model.data import Conversation, draw_sample
from embedded_model.data.source import Source
from embedded_model.data.values import KINDS
from embedded_model.tokenizer import MARKERS, SPECIAL, VOCABULARY_SIZE, Renderer, tokenizer_config, train_tokenizer
from gateway.embedded import draft_path, target_path

COPIED_KINDS = sorted(
    name
    for name, kind in KINDS.items()
    if kind.schema["type"] in ("string", "integer", "number")
    and kind.spell(value := kind.draw(Source(8, "heldout", 0))) == (str(value),)
)
"""Those whose values prose spells in one way, as JSON does."""


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    renderer = Renderer()
    return train_tokenizer([renderer.render(draw_sample(1, "train", index)) for index in range(2500)])


def _encode(tokenizer: Tokenizer, text: str) -> list[int]:
    return list(tokenizer.encode(text, add_special_tokens=False).ids)


def _holds(ids: list[int], part: list[int]) -> bool:
    return any(ids[i : i + len(part)] == part for i in range(len(ids)))


@given(text=st.text())
@settings(max_examples=100, deadline=None)
def test_encode_loses_nothing(tokenizer: Tokenizer, text: str) -> None:
    assert tokenizer.decode(_encode(tokenizer, text), skip_special_tokens=False) == text


@pytest.mark.parametrize("text", ["", " ", "  a\n\n b\t", "“é”ß漢字🙂\u200d", '{"a": [1, -2.5e3]}', "\x00\x7f"])
def test_encode_loses_nothing_of_odd_texts(tokenizer: Tokenizer, text: str) -> None:
    assert tokenizer.decode(_encode(tokenizer, text), skip_special_tokens=False) == text


def test_vocabulary_has_its_size_and_special_tokens(tokenizer: Tokenizer) -> None:
    assert tokenizer.get_vocab_size() == VOCABULARY_SIZE
    assert [tokenizer.id_to_token(i) for i in range(len(SPECIAL + MARKERS))] == [*SPECIAL, *MARKERS]
    special = {token.content: token.special for token in tokenizer.get_added_tokens_decoder().values()}
    assert special == {**dict.fromkeys(SPECIAL, True), **dict.fromkeys(MARKERS, False)}
    assert tokenizer.decode(_encode(tokenizer, "<tool_call>"), skip_special_tokens=True) == "<tool_call>"


@pytest.mark.parametrize("kind", COPIED_KINDS)
def test_a_value_has_the_same_tokens_in_prose_and_in_json(tokenizer: Tokenizer, kind: str) -> None:
    for index in range(40):
        value = KINDS[kind].draw(Source(8, "heldout", index))
        said = str(value)
        alone = _encode(tokenizer, said)
        for text in (
            f"please use {said} today",
            f"the last one is {said}?",
            f"{said}, then",
            json.dumps({"key": value, "other": 1}, ensure_ascii=False),
            json.dumps({"key": [value]}, ensure_ascii=False),
        ):
            assert _holds(_encode(tokenizer, text), alone), text


def test_scaffolding_of_a_call_is_few_tokens(tokenizer: Tokenizer) -> None:
    text = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'
    assert len(_encode(tokenizer, text)) <= 12


def _tool(name: str) -> dict[str, Any]:
    parameters = {"type": "object", "properties": {"x": {"type": "string", "description": "é <b>"}}}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


def _render(messages: list[dict[str, Any]], tools: list[dict[str, Any]] | None = None, **options: bool) -> str:
    return Renderer().render(Conversation(messages=messages, tools=tools or []), **options)


def test_template_renders_a_plain_chat() -> None:
    messages = [{"role": "system", "content": "S"}, {"role": "user", "content": "U"}]
    assert _render(messages, add_generation_prompt=True) == (
        "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nU<|im_end|>\n<|im_start|>assistant\n"
    )


def test_template_renders_any_tools_as_json() -> None:
    tools = [_tool("f"), _tool("g")]
    text = _render([{"role": "system", "content": "S"}, {"role": "user", "content": "U"}], tools)
    assert text.startswith("<|im_start|>system\nS\n\n# Tools\n<tools>\n")
    listed = text.split("<tools>\n")[1].split("\n</tools>")[0]
    assert [json.loads(line) for line in listed.splitlines()] == tools
    assert "é <b>" in listed


@pytest.mark.parametrize("arguments", [{"x": "é"}, '{"x": "é"}'], ids=["object", "text"])
@pytest.mark.parametrize("content", [None, "", "Well."])
def test_template_renders_calls_and_results(arguments: object, content: str | None) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}}
    text = _render(
        [
            {"role": "user", "content": "U"},
            {"role": "assistant", "content": content, "tool_calls": [call, call]},
            {"role": "tool", "tool_call_id": "c", "content": "1"},
            {"role": "tool", "tool_call_id": "c", "content": "2"},
            {"role": "assistant", "content": "A"},
        ]
    )
    written = '<tool_call>\n{"name": "f", "arguments": {"x": "é"}}\n</tool_call>'
    lead = f"{content}\n" if content else ""
    assert text == (
        "<|im_start|>user\nU<|im_end|>\n"
        f"<|im_start|>assistant\n{lead}{written}\n{written}<|im_end|>\n"
        "<|im_start|>user\n<tool_response>\n1\n</tool_response>\n<tool_response>\n2\n</tool_response><|im_end|>\n"
        "<|im_start|>assistant\nA<|im_end|>\n"
    )


def test_template_shows_the_constraint_of_the_answer() -> None:
    schema = {"type": "object", "properties": {"x": {"type": "string"}}}
    messages = [{"role": "system", "content": "S"}, {"role": "user", "content": "U"}]
    shown = Renderer().render(Conversation(messages=messages, schema=schema, is_shown=True))
    assert shown.startswith(f"<|im_start|>system\nS\n\n# Answer\nJSON of this schema: {json.dumps(schema)}<|im_end|>\n")
    labels = Renderer().render(
        Conversation(messages=messages[1:], choices=["a", "b"], is_shown=True, tools=[_tool("f")])
    )
    assert "</tool_call>\n\n# Answer\nOne of: a, b<|im_end|>\n" in labels
    assert "# Answer" not in Renderer().render(Conversation(messages=messages, schema=schema))


@pytest.mark.parametrize("path", [target_path, draft_path])
def test_template_and_settings_are_those_of_the_weights_that_ship(path) -> None:  # type: ignore[no-untyped-def]
    assert json.loads((path() / "tokenizer_config.json").read_text(encoding="utf-8")) == tokenizer_config()
