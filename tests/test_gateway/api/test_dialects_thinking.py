"""Models that think, in Anthropic's and Ollama's words; their weights are random: masks and parsers keep the shape."""

import json

import pytest
from test_anthropic_messages import events_of

HELLO = [{"role": "user", "content": "Say hello."}]
SCHEMA = {"type": "object", "properties": {"mood": {"enum": ["good", "bad"]}}, "required": ["mood"]}
FORMAT = {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}}
THINKING = {"type": "enabled", "budget_tokens": 20}


def message(live, **fields):
    body = {"model": "test-model", "messages": HELLO, "max_tokens": 120, "seed": 5, **FORMAT, **fields}
    reply = live.post("/v1/messages", json=body)
    assert reply.status_code == 200, reply.text
    return reply


def chat(live, **fields):
    options = {"num_predict": 120, "seed": 5}
    body = {"model": "test-model", "messages": HELLO, "format": SCHEMA, "options": options, **fields}
    reply = live.post("/api/chat", json=body)
    assert reply.status_code == 200, reply.text
    return reply


@pytest.mark.parametrize("seed", range(3))
def test_thoughts_are_a_block_of_their_own(thinker, seed):
    whole = message(thinker, thinking=THINKING, seed=seed).json()
    thought, text = whole["content"]
    assert (thought["type"], text["type"]) == ("thinking", "text")
    assert thought["thinking"]
    assert json.loads(text["text"])["mood"] in ("good", "bad")
    assert 0 < whole["usage"]["output_tokens_details"]["thinking_tokens"] < whole["usage"]["output_tokens"]


def test_thoughts_are_streamed_and_signed(thinker):
    thought, text = message(thinker, thinking=THINKING).json()["content"]
    events = events_of(message(thinker, thinking=THINKING, stream=True).text)
    deltas = [event["delta"] for event in events if event["type"] == "content_block_delta" and event["index"] == 0]
    *pieces, last = deltas
    assert last == {"type": "signature_delta", "signature": thought["signature"]}
    assert "".join(delta["thinking"] for delta in pieces) == thought["thinking"]
    written = [event["delta"] for event in events if event["type"] == "content_block_delta" and event["index"] == 1]
    assert "".join(delta["text"] for delta in written) == text["text"]


def test_thoughts_may_be_hidden_or_not_be_had(thinker):
    shown, hidden = (
        message(thinker, thinking={**THINKING, "display": display}).json()["content"]
        for display in ("summarized", "omitted")
    )
    assert hidden[0] == {"type": "thinking", "thinking": "", "signature": shown[0]["signature"]}
    assert hidden[1] == shown[1]
    kinds = [block["type"] for block in message(thinker, thinking={"type": "disabled"}).json()["content"]]
    assert kinds == ["text"]


def test_thoughts_go_back_as_they_came(thinker):
    blocks = message(thinker, thinking=THINKING).json()["content"]
    turns = [*HELLO, {"role": "assistant", "content": blocks}, *HELLO]
    assert message(thinker, messages=turns, thinking=THINKING).json()["content"]


def test_models_that_think_say_so(thinker):
    listed = thinker.get("/v1/models/test-model", headers={"anthropic-version": "2023-06-01"}).json()
    assert listed["capabilities"]["thinking"]["supported"] is True
    assert "thinking" in thinker.post("/api/show", json={"model": "test-model"}).json()["capabilities"]


def test_ollama_tells_thoughts_apart(thinker):
    whole = chat(thinker, think=True, stream=False).json()["message"]
    assert whole["thinking"]
    assert json.loads(whole["content"])["mood"] in ("good", "bad")
    lines = [json.loads(line)["message"] for line in chat(thinker, think=True).text.splitlines()]
    assert "".join(line.get("thinking", "") for line in lines) == whole["thinking"]
    assert "".join(line["content"] for line in lines) == whole["content"]
    assert "thinking" not in chat(thinker, think=False, stream=False).json()["message"]
    turns = [*HELLO, whole, *HELLO]
    assert chat(thinker, messages=turns, stream=False).json()["done"]


def test_dialects_think_alike(thinker):
    sampling = {"temperature": 0.7, "top_k": 0, "top_p": 1}
    thought, text = message(thinker, thinking=THINKING | {"budget_tokens": 119}, **sampling).json()["content"]
    options = {"num_predict": 120, "seed": 5, **sampling}
    told = chat(thinker, think=True, stream=False, options=options).json()["message"]
    assert (told["thinking"], told["content"]) == (thought["thinking"], text["text"])
