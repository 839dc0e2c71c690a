"""Answers that adapt the model while they are written, over the wire."""

import json
from dataclasses import replace

import pytest
from guarded_dialects import policy_of
from scripted import policies
from serving import config_for, serving

from gateway.engine.adaptation.trainer import Trainer

ASKED = {"adapt_every_tokens": 8, "adapt_rank": 4, "adapt_learning_rate": 0.05}
SCHEMA = {
    "type": "object",
    "properties": {
        "words": {"type": "array", "items": {"type": "string", "maxLength": 6}, "minItems": 6, "maxItems": 9}
    },
    "required": ["words"],
    "additionalProperties": False,
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "words", "schema": SCHEMA}}
CHAT = {"messages": [{"role": "user", "content": "Some words, please."}], "max_tokens": 160, "temperature": 0}
TOOLS = [{"type": "function", "function": {"name": "note", "parameters": SCHEMA}}]


@pytest.fixture(scope="module")
def adaptive(tiny_model):
    config = config_for(tiny_model)
    with serving(replace(config, engine=replace(config.engine, max_adaptations=2, max_adapter_rank=32))) as live:
        yield live


def test_answers_adapt_and_a_learning_rate_of_zero_changes_none(adaptive):
    def text(**fields):
        body = {"prompt": "hello", "max_tokens": 40, "temperature": 0, "ignore_eos": True, **fields}
        return adaptive.post("/v1/completions", json=body).json()["choices"][0]["text"]

    plain = text()
    assert text(**ASKED | {"adapt_learning_rate": 0}) == text(adapt_every_tokens=0) == plain
    assert text(**ASKED) == text(**ASKED) != plain == text()


def test_answers_and_calls_keep_to_their_schemas_streamed_or_not(adaptive, tmp_path):
    body = CHAT | ASKED | {"response_format": FORMAT}
    whole = adaptive.post("/v1/chat/completions", json=body | {"n": 2}).json()
    texts = [choice["message"]["content"] for choice in whole["choices"]]
    assert all(len(json.loads(text)["words"]) >= 6 for text in texts)
    streamed = adaptive.client.chat.completions.create(
        model="test-model", stream=True, response_format=FORMAT, extra_body=ASKED, max_tokens=160, temperature=0,
        messages=CHAT["messages"],
    )  # fmt: skip
    assert "".join(chunk.choices[0].delta.content or "" for chunk in streamed) == texts[0]
    called = adaptive.post("/v1/chat/completions", json=CHAT | ASKED | {"tools": TOOLS, "tool_choice": "required"})
    (call,) = called.json()["choices"][0]["message"]["tool_calls"]
    assert len(json.loads(call["function"]["arguments"])["words"]) >= 6
    with policies(adaptive, tmp_path, policy_of("terms", 'terms = ["words"]', "block")):
        blocked = adaptive.post("/v1/chat/completions", json=body).json()["choices"][0]
    assert blocked["finish_reason"] == "content_filter"


def test_answers_beyond_those_that_may_adapt_are_refused_and_streams_that_end_make_room(adaptive, monkeypatch):
    monkeypatch.setattr(Trainer, "train", lambda self, *_: self.stopped.wait(20))
    body = CHAT | ASKED | {"ignore_eos": True, "stream": True}
    with (
        adaptive.http.stream("POST", "/v1/chat/completions", json=body) as one,
        adaptive.http.stream("POST", "/v1/chat/completions", json=body) as other,
    ):
        lines = one.iter_lines(), other.iter_lines()  # which end with their iterators
        assert all(map(next, lines))
        full = adaptive.post("/v1/chat/completions", json=CHAT | ASKED)
        assert (full.status_code, full.json()["error"]["code"]) == (429, "overloaded")
        assert adaptive.post("/v1/chat/completions", json=CHAT).status_code == 200
    adaptive.wait_until_idle()
    monkeypatch.undo()
    assert adaptive.post("/v1/chat/completions", json=CHAT | ASKED | {"n": 2}).status_code == 200


NUMBERS = (-1, 10**6, 10**30, -(10**30), 2.5, "4", [4], {}, True, 1e308)
HOSTILE = [
    *({"adapt_every_tokens": given} for given in (1, 7, 513, *NUMBERS)),
    *({"adapt_every_tokens": 8, "adapt_rank": given} for given in (0, 33, 65, *NUMBERS)),
    *(
        {"adapt_every_tokens": 8, "adapt_learning_rate": given}
        for given in (0.11, 1, -1e-9, *NUMBERS[:4], *NUMBERS[5:])
    ),
    *({"adapt_rank": given} for given in (1, 4, *NUMBERS)),
    *({"adapt_every_tokens": every, "adapt_rank": 4} for every in (None, 0)),
    *({"adapt_learning_rate": given} for given in (0.001, *NUMBERS)),
    *({"adapt_every_tokens": 8, "num_beams": width} for width in range(2, 17)),
    *({"adapt_every_tokens": 8, "use_beam_search": True, "n": n} for n in range(1, 9)),
    *({"adapt_every_tokens": 8, "n": n} for n in range(3, 12)),
    *({"adapt_every_tokens": 8, "guidance_scale": scale, "negative_prompt": "no"} for scale in (0.5, 2.0)),
    *({"adapt_every_tokens": 8, "best_of": n} for n in range(3, 12)),
]


def test_what_cannot_be_is_refused_by_name_and_harms_nobody(adaptive, tiny_live):
    assert len(HOSTILE) >= 100
    for number, fields in enumerate(HOSTILE):
        prompt = {"prompt": "x"} if number % 2 else {"messages": CHAT["messages"]}
        path = "/v1/completions" if number % 2 else "/v1/chat/completions"
        reply = adaptive.post(path, json={"max_tokens": 3, **prompt, **fields})
        assert reply.status_code == 400, (fields, reply.text)
        assert reply.json()["error"]["param"] in fields, (fields, reply.text)
    off = tiny_live.post("/v1/chat/completions", json=CHAT | ASKED)
    assert (off.status_code, off.json()["error"]["param"]) == (400, "adapt_every_tokens")
    assert "max_adaptations" in off.json()["error"]["message"]
    assert adaptive.post("/v1/chat/completions", json=CHAT | ASKED).status_code == 200
