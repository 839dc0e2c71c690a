"""`return_token_ids` and `separate_reasoning`: the tokens themselves, and reasoning inside the content."""

import json

import pytest
from serving import config_for, serving

from gateway.config import ServerConfig

CHAT = {"messages": [{"role": "user", "content": "hi"}], "max_tokens": 12, "temperature": 0, "return_token_ids": True}
POLICY = """
default = "careful"
[policies.careful]
output = [{ guard = "terms", terms = ["x"], action = "redact" }]
"""


def text_of(live, ids):
    return live.post("/detokenize", json={"model": "test-model", "tokens": ids}).json()["prompt"]


def events(reply):
    return [json.loads(line[6:]) for line in reply.text.splitlines() if line.startswith("data: {")]


@pytest.mark.parametrize("more", [{}, {"guided_regex": "[a-z]{3,9}"}, {"logprobs": True}, {"n": 2, "seed": 1}], ids=str)
def test_a_chats_tokens_are_those_of_its_texts(tiny_live, more):
    reply = tiny_live.post("/v1/chat/completions", json={**CHAT, **more}).json()
    rendered = tiny_live.post("/tokenize", json={"model": "test-model", "messages": CHAT["messages"]}).json()
    assert reply["prompt_token_ids"] == rendered["tokens"]
    for choice in reply["choices"]:
        assert text_of(tiny_live, choice["token_ids"]) == choice["message"]["content"]
    assert sum(len(choice["token_ids"]) for choice in reply["choices"]) == reply["usage"]["completion_tokens"]
    stream = events(tiny_live.post("/v1/chat/completions", json={**CHAT, **more, "stream": True}))
    last = {choice["index"]: choice for chunk in stream for choice in chunk["choices"] if choice.get("finish_reason")}
    assert [last[choice["index"]]["token_ids"] for choice in reply["choices"]] == [
        choice["token_ids"] for choice in reply["choices"]
    ]
    assert last[0]["prompt_token_ids"] == reply["prompt_token_ids"]


def test_a_completions_tokens_are_returned_with_those_of_each_prompt(tiny_live):
    body = {"prompt": ["ab", [5, 6, 7]], "max_tokens": 4, "temperature": 0, "return_token_ids": True}
    first, second = tiny_live.post("/v1/completions", json=body).json()["choices"]
    assert second["prompt_token_ids"] == [5, 6, 7]
    assert text_of(tiny_live, first["prompt_token_ids"]) == "ab"
    assert text_of(tiny_live, first["token_ids"]) == first["text"]
    plain = tiny_live.post("/v1/completions", json={**body, "return_token_ids": False}).json()["choices"][0]
    assert "token_ids" not in plain


def test_tokens_are_refused_where_a_policy_may_remove_what_they_reveal(tiny_model, tmp_path):
    path = tmp_path / "policies.toml"
    path.write_text(POLICY, encoding="utf-8")
    with serving(config_for(tiny_model, server=ServerConfig(port=0, policies=str(path)))) as live:
        for route, body in (
            ("/v1/chat/completions", CHAT),
            ("/v1/completions", {"prompt": "a", "return_token_ids": True}),
        ):
            reply = live.post(route, json=body)
            assert (reply.status_code, reply.json()["error"]["param"]) == (400, "return_token_ids")


def inline(body):
    return {**body, "separate_reasoning": False}


def test_reasoning_inside_the_content(thinker):
    body = {"messages": CHAT["messages"], "max_tokens": 60, "temperature": 0, "thinking_token_budget": 8}
    body["guided_regex"] = "[a-z]{3}"
    apart = thinker.post("/v1/chat/completions", json=body).json()["choices"][0]["message"]
    assert apart["reasoning"]
    whole = thinker.post("/v1/chat/completions", json=inline(body)).json()["choices"][0]["message"]
    assert "reasoning" not in whole
    assert whole["content"] == f"<think>{apart['reasoning']}</think>{apart['content']}"
    stream = events(thinker.post("/v1/chat/completions", json=inline(body) | {"stream": True}))
    deltas = [choice["delta"] for chunk in stream for choice in chunk["choices"]]
    assert "".join(delta.get("content") or "" for delta in deltas) == whole["content"]
    assert not any("reasoning" in delta for delta in deltas)
