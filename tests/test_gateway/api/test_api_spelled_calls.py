"""Calls in formats whose arguments are not JSON, written by random weights and read over a real socket."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from serving import Live, config_for, serving
from tiny_model import NO_PAST_CALLS, write_tiny_model

from gateway.config import ModelConfig

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "maxLength": 12},
        "unit": {"enum": ["c", None, 5]},
        "days": {"type": "array", "items": {"type": "boolean"}, "maxItems": 2},
    },
    "required": ["city", "unit"],
    "additionalProperties": False,
}
REQUEST: dict[str, Any] = {
    "model": "test-model",
    "messages": [{"role": "user", "content": "hi"}],
    "tools": [{"type": "function", "function": {"name": "f", "parameters": SCHEMA}}],
    "tool_choice": "required",
    "max_tokens": 400,
    "temperature": 1.5,
}


@pytest.fixture(scope="module", params=["qwen3_coder", "kimi_k3", "pythonic", "gemma4"])
def spelled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = write_tiny_model(tmp_path_factory.mktemp("spelled"), template=NO_PAST_CALLS)
    model = ModelConfig(path=str(folder), name="test-model", tool_format=request.param)
    with serving(config_for(None, model=model)) as live:
        yield live


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_calls_are_valid_and_the_same_streamed_or_not(spelled: Live, seed: int) -> None:
    whole = spelled.client.chat.completions.create(**REQUEST, seed=seed).choices[0]
    assert whole.finish_reason == "tool_calls"
    assert not whole.message.content
    made = [(call.function.name, call.function.arguments) for call in whole.message.tool_calls]
    for name, arguments in made:
        assert name == "f"
        jsonschema.validate(json.loads(arguments), SCHEMA)
    streamed: dict[int, list[str]] = {}
    for chunk in spelled.client.chat.completions.create(**REQUEST, seed=seed, stream=True):
        for choice in chunk.choices:
            assert not choice.delta.content
            for call in choice.delta.tool_calls or ():
                pieces = streamed.setdefault(call.index, [call.function.name or "", ""])
                pieces[1] += call.function.arguments or ""
    assert [tuple(pieces) for _, pieces in sorted(streamed.items())] == made


def test_a_schema_that_cannot_be_written_is_the_clients_fault(spelled: Live) -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": {"properties": {"a" * 257: {}}}}}
    answer = spelled.post("/v1/chat/completions", json={**REQUEST, "tools": [tool]})
    assert answer.status_code == 400
    assert "tool f" in answer.json()["error"]["message"]
