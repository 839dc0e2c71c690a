"""`logprobs_details`: how each token came to be chosen, over a real socket."""

import json
import math

import pytest

MESSAGES = [{"role": "user", "content": "Pick."}]
CHAT = {"model": "test-model", "messages": MESSAGES, "max_tokens": 20, "temperature": 0, "guided_choice": ["yes", "no"]}
COMPLETION = {"model": "test-model", "prompt": "Pick", "max_tokens": 20, "temperature": 0, "guided_regex": "[a-c]{3}x"}
MEMBERS = ("forced", "drafted", "time_ms", "removed_mass")


def post(live, path, body):
    reply = live.post(path, json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()["choices"][0]


def streamed(live, path, body):
    lines = live.post(path, json=body | {"stream": True}).text.splitlines()
    chunks = [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
    return [each["logprobs"] for chunk in chunks for each in chunk["choices"] if each.get("logprobs")]


def test_chat_tells_forced_tokens_and_removed_alternatives(live):
    body = CHAT | {"logprobs": True, "top_logprobs": 5, "logprobs_details": True}
    entries = post(live, "/v1/chat/completions", body)["logprobs"]["content"]
    for entry in entries:
        assert set(MEMBERS) <= entry.keys()
        assert isinstance(entry["forced"], bool)
        assert entry["time_ms"] >= 0
        assert 0 <= entry["removed_mass"] <= 1
        removed = sum(math.exp(top["logprob"]) for top in entry["top_logprobs"] if top["removed"])
        assert removed <= entry["removed_mass"] + 1e-6
        assert not any(top["removed"] for top in entry["top_logprobs"] if top["bytes"] == entry["bytes"])
        # At temperature 0 the token is the likeliest allowed one, which is told even behind five forbidden ones.
        (drawn,) = (top for top in entry["top_logprobs"] if top["bytes"] == entry["bytes"])
        assert drawn["logprob"] == pytest.approx(entry["logprob"], abs=1e-5)
        assert len(entry["top_logprobs"]) <= 10
        if entry["forced"]:
            assert math.exp(entry["logprob"]) + entry["removed_mass"] == pytest.approx(1, abs=1e-4)
    assert any(top["removed"] for entry in entries for top in entry["top_logprobs"])
    pieces = [entry for each in streamed(live, "/v1/chat/completions", body) for entry in each["content"]]
    stable = [{name: value for name, value in entry.items() if name not in ("time_ms", "drafted")} for entry in pieces]
    assert stable == [{name: entry[name] for name in one} for one, entry in zip(stable, entries, strict=True)]


def test_completion_has_them_beside_the_tokens(live):
    body = COMPLETION | {"logprobs": 3, "logprobs_details": True}
    logprobs = post(live, "/v1/completions", body)["logprobs"]
    assert len(logprobs["details"]) == len(logprobs["tokens"])
    for details, top in zip(logprobs["details"], logprobs["top_logprobs"], strict=True):
        assert set(details) == {*MEMBERS, "removed"}
        assert set(details["removed"]) <= top.keys()
    assert sum(len(each["details"]) for each in streamed(live, "/v1/completions", body)) == len(logprobs["tokens"])
    echoed = post(live, "/v1/completions", body | {"echo": True})["logprobs"]
    num_prompt = len(echoed["tokens"]) - len(logprobs["tokens"])
    assert num_prompt > 0
    assert echoed["details"][:num_prompt] == [None] * num_prompt
    assert None not in echoed["details"][num_prompt:]


def test_free_text_loses_no_probability(live):
    body = COMPLETION | {"guided_regex": None, "logprobs": 1, "logprobs_details": True}
    details = post(live, "/v1/completions", body)["logprobs"]["details"]
    assert {(each["forced"], each["removed_mass"], *each["removed"]) for each in details} == {(False, 0.0)}


def test_without_the_field_nothing_is_added(live):
    entries = post(live, "/v1/chat/completions", CHAT | {"logprobs": True, "top_logprobs": 1})["logprobs"]["content"]
    assert {*entries[0], *entries[0]["top_logprobs"][0]} == {"token", "logprob", "bytes", "top_logprobs"}
    assert "details" not in post(live, "/v1/completions", COMPLETION | {"logprobs": 1})["logprobs"]


@pytest.mark.parametrize(("path", "body"), [("/v1/chat/completions", CHAT), ("/v1/completions", COMPLETION)])
def test_details_need_logprobs(live, path, body):
    reply = live.post(path, json=body | {"logprobs_details": True})
    assert reply.status_code == 400
    assert reply.json()["error"]["param"] == "logprobs_details"
