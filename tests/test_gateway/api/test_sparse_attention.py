"""Answers of a server whose rows attend to some pages: approximate in their words, exact in their form."""

import json
from dataclasses import replace

import pytest
from guarded_dialects import policy_of
from scripted import policies
from serving import config_for, serving

SCHEMA = {
    "type": "object",
    "properties": {"city": {"enum": ["Paris", "Rome", "Oslo"]}, "note": {"type": "string", "maxLength": 40}},
    "required": ["city", "note"],
    "additionalProperties": False,
}
CHAT = {"messages": [{"role": "user", "content": "Where to? " * 30}], "max_tokens": 90}
ASKED = {
    "schema": {"response_format": {"type": "json_schema", "json_schema": {"name": "trip", "schema": SCHEMA}}},
    "tools": {
        "tools": [{"type": "function", "function": {"name": "book", "parameters": SCHEMA}}],
        "tool_choice": "required",
    },
}


@pytest.fixture(scope="module")
def sparse_live(tiny_model):
    config = config_for(tiny_model)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gateway.engine.attention.sparse.NUM_DENSE_LAYERS", 0)  # the model has two layers
        with serving(replace(config, engine=replace(config.engine, sparse_attention_tokens=64))) as live:
            yield live


def answer_of(message):
    calls = message.get("tool_calls")
    return json.loads(calls[0]["function"]["arguments"] if calls else message["content"])


@pytest.mark.parametrize("asked", ASKED)
def test_answers_keep_to_their_schema_streamed_or_not(asked, sparse_live, tiny_live):
    body = CHAT | ASKED[asked] | {"temperature": 0}
    whole, dense = (live.post("/v1/chat/completions", json=body).json() for live in (sparse_live, tiny_live))
    answer = answer_of(whole["choices"][0]["message"])
    assert answer.keys() == {"city", "note"}
    assert answer != answer_of(dense["choices"][0]["message"])
    parts = []
    with sparse_live.http.stream("POST", "/v1/chat/completions", json=body | {"stream": True}) as reply:
        for line in reply.iter_lines():
            if line.startswith("data: {"):
                (choice,) = json.loads(line.removeprefix("data: "))["choices"]
                delta = choice["delta"]
                calls = delta.get("tool_calls")
                parts.append((calls[0]["function"]["arguments"] if calls else delta.get("content")) or "")
    assert json.loads("".join(parts)) == answer


def test_a_policy_screens_them(sparse_live, tmp_path):
    with policies(sparse_live, tmp_path, policy_of("terms", 'terms = ["city"]', "block")):
        reply = sparse_live.post("/v1/chat/completions", json=CHAT | ASKED["schema"]).json()
    assert reply["choices"][0]["finish_reason"] == "content_filter"
