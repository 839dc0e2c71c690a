"""Tools beside a constraint under which a text could begin as a call does: what begins so is one, and held as one."""

import json

import pytest

PATTERN = r"[\s\S]*"
TOOL = {
    "type": "function",
    "function": {
        "name": "set_timer",
        "parameters": {
            "type": "object",
            "properties": {"minutes": {"type": "integer", "minimum": 100}, "label": {"pattern": "^[A-Z]{3}$"}},
            "required": ["minutes", "label"],
            "additionalProperties": False,
        },
    },
}
TAG = {"type": "structural_tag", "triggers": ["<f>"], "structures": [{"begin": "<f>", "schema": {}, "end": "</f>"}]}


def ask(live, wanted, **fields):
    body = {
        "model": live.get("/v1/models").json()["data"][0]["id"],
        "messages": [{"role": "user", "content": "set a timer of 5 minutes"}],
        "tools": [TOOL],
        "temperature": 0.7,
        "structured_outputs": wanted,
        **fields,
    }
    return live.post("/v1/chat/completions", json=body)


@pytest.mark.parametrize(
    "wanted",
    [{"regex": PATTERN}, {"structural_tag": TAG}, {"choice": ["<tool_call>", "no"]}],
    ids=lambda each: next(iter(each)),
)
@pytest.mark.parametrize("max_tokens", [40, 200])
def test_what_begins_as_a_call_is_one(live, wanted, max_tokens):
    for seed in range(4):
        reply = ask(live, wanted, max_tokens=max_tokens, seed=seed)
        assert reply.status_code == 200, reply.text
        message = reply.json()["choices"][0]["message"]
        assert bool(message.get("tool_calls")) != bool(message["content"])
        for call in message.get("tool_calls") or ():
            arguments = json.loads(call["function"]["arguments"])
            assert arguments["minutes"] >= 100
        assert not (message["content"] or "").startswith("<tool_call>")


@pytest.mark.parametrize(
    "wanted", [{"grammar": r"start: /[\s\S]+/"}, {"choice": ["<tool_call>"]}], ids=["grammar", "choice"]
)
def test_a_constraint_that_cannot_be_told_from_calls_is_refused_by_name(live, wanted):
    reply = ask(live, wanted, max_tokens=200)
    assert reply.status_code == 400
    assert "begins with '<tool_call>', as calls do" in reply.json()["error"]["message"]
    # Without tools, or where nothing of it begins so, it is served.
    assert ask(live, wanted, max_tokens=20, tools=[]).status_code == 200
    assert ask(live, {"grammar": 'start: "yes" | "no"'}, max_tokens=200).status_code == 200
