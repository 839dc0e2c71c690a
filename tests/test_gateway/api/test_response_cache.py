"""The cache of responses, over HTTP: the same request gets the same reply without the engine, in every dialect."""

import json
import time
from types import SimpleNamespace

import pytest
from serving import config_for, serving

from gateway.config import AuditConfig, CacheConfig, ServerConfig
from gateway.core.answer import Finish, TextDelta, Usage
from gateway.errors import ConfigError
from gateway.service.answers.response_cache import ResponseCache

HEADER = "x-portcullis-cache"
MESSAGES = [{"role": "user", "content": "hi"}]
CHAT = {"messages": MESSAGES, "max_tokens": 12, "temperature": 0, "guided_regex": "[a-z]{3,9}"}
POLICIES = """
default = "careful"
[policies.careful]
output = [{ guard = "pattern", pattern = "[a-z]", action = "redact", name = "letters" }]
"""


@pytest.fixture(scope="module")
def cached_live(tiny_model):
    server = ServerConfig(port=0, api_keys=("one", "two"))
    with serving(config_for(tiny_model, server=server, cache=CacheConfig(max_bytes=1 << 20))) as live:
        yield live


def ask(live, body, path="/v1/chat/completions", key="one"):
    """The reply, and the tokens that the engine wrote for it."""
    engine = live.service._loaded.engine
    live.wait_until_idle()
    before = engine.stats().num_output_tokens
    reply = live.post(path, json=body, headers={"authorization": f"Bearer {key}"})
    assert reply.status_code == 200, reply.text
    live.wait_until_idle()
    return reply, engine.stats().num_output_tokens - before


SCHEMA = {"type": "object", "properties": {"a": {"enum": ["x", "y"]}}, "required": ["a"], "additionalProperties": False}
TOOL = {"name": "f", "parameters": SCHEMA}
ANTHROPIC = {"model": "test-model", "messages": MESSAGES, "max_tokens": 9, "temperature": 0}
OLLAMA = {
    "model": "test-model",
    "messages": MESSAGES,
    "format": SCHEMA,
    "options": {"temperature": 0, "num_predict": 30},
}
BODIES = {
    "chat": ("/v1/chat/completions", CHAT),
    "seed": ("/v1/chat/completions", {**CHAT, "temperature": 1, "seed": 4}),
    "answers": ("/v1/chat/completions", {**CHAT, "n": 2, "temperature": 1, "seed": 4, "logprobs": True}),
    "confidence": ("/v1/chat/completions", {"messages": MESSAGES, "temperature": 0, "confidence": True,
                                            "max_tokens": 40, "guided_json": SCHEMA}),
    "tools": ("/v1/chat/completions", {"messages": MESSAGES, "temperature": 0, "max_tokens": 90,
                                       "tools": [{"type": "function", "function": TOOL}], "tool_choice": "required"}),
    "completion": ("/v1/completions", {"prompt": ["a", [5, 6]], "temperature": 0, "max_tokens": 4, "echo": True,
                                       "logit_bias": {"7": 1.5}, "logprobs": 2}),
    "responses": ("/v1/responses", {"input": "hi", "temperature": 0, "max_output_tokens": 16}),
    "anthropic": ("/v1/messages", ANTHROPIC),
    "ollama": ("/api/chat", OLLAMA),
    "tgi": ("/generate", {"inputs": "hi", "parameters": {"max_new_tokens": 5, "seed": 3, "do_sample": True}}),
}  # fmt: skip


def plain(text):
    """The reply without what differs between two replies to one request."""
    found = json.loads(text)
    for name in ("id", "created", "created_at", "completed_at", "system_fingerprint"):
        found.pop(name, None)
    for name in [name for name in found if name.endswith("_duration")]:
        found.pop(name)
    for item in found.get("output", ()):
        item.pop("id", None)
    return found


@pytest.mark.parametrize("name", BODIES)
def test_the_same_request_gets_the_same_reply_without_the_engine(cached_live, name):
    path, body = BODIES[name]
    if name == "ollama":
        body = {**body, "stream": False}
    first, written = ask(cached_live, body, path)
    again, nothing = ask(cached_live, body, path)
    assert (first.headers[HEADER], again.headers[HEADER]) == ("miss", "hit")
    assert written
    assert nothing == 0
    assert plain(again.text) == plain(first.text)


@pytest.mark.parametrize("name", ["chat", "answers", "tools", "anthropic", "ollama"])
def test_a_stream_replays_what_a_whole_answer_stored(cached_live, name):
    path, body = BODIES[name]
    asked = {**body, "seed": 77, "stream": False} if name != "ollama" else {**body, "stream": False, "think": False}
    asked.pop("seed", None) if name == "anthropic" else None
    whole, _ = ask(cached_live, {**asked, "max_tokens": 80} if name != "ollama" else asked, path)
    stream, nothing = ask(
        cached_live,
        {**asked, "max_tokens": 80, "stream": True} if name != "ollama" else {**asked, "stream": True},
        path,
    )
    assert stream.headers[HEADER] == "hit"
    assert nothing == 0
    assert whole.status_code == stream.status_code == 200


def test_what_is_sampled_anew_each_time_is_not_stored(cached_live):
    body = {**CHAT, "temperature": 1}
    for _ in range(2):
        reply, written = ask(cached_live, body)
        assert written
        assert HEADER not in reply.headers
    assert HEADER not in ask(cached_live, {**CHAT, "n": 1, "best_of": 2, "seed": 1})[0].headers


@pytest.mark.parametrize(
    "change",
    [
        {"max_tokens": 11},
        {"guided_regex": "[a-z]{3,8}"},
        {"guided_regex": None, "guided_grammar": 'root ::= "abc"'},
        {"stop": ["q"]},
        {"messages": [{"role": "system", "content": "hi"}]},
        {"logprobs": True},
        {"cache_salt": "s"},
    ],
    ids=str,
)
def test_another_request_is_another_entry(cached_live, change):
    ask(cached_live, CHAT)
    assert ask(cached_live, {**CHAT, **change})[0].headers[HEADER] == "miss"


def test_keys_share_no_entry(cached_live):
    body = {**CHAT, "max_tokens": 13}
    assert [ask(cached_live, body, key=key)[0].headers[HEADER] for key in ("one", "two", "two")] == [
        "miss",
        "miss",
        "hit",
    ]


def test_usage_of_a_key_counts_hits_too(cached_live):
    body, headers = {**CHAT, "max_tokens": 14}, {"authorization": "Bearer two"}
    usage = ask(cached_live, body, key="two")[0].json()["usage"]
    before = cached_live.get("/metrics").text
    assert 'portcullis_response_cache_total{result="miss"}' in before
    assert ask(cached_live, body, key="two")[0].json()["usage"] == usage
    assert cached_live.post("/v1/chat/completions", json=body, headers=headers).json()["usage"] == usage


def test_entries_are_kept_over_a_restart_and_end_with_their_time(tiny_model, tmp_path, monkeypatch):
    cache = CacheConfig(max_bytes=1 << 20, path=str(tmp_path / "cache.sqlite"), ttl_s=600)
    config = config_for(tiny_model, cache=cache)
    with serving(config) as live:
        first, _ = ask(live, CHAT)
    with serving(config) as live:
        reply, written = ask(live, CHAT)
        assert (reply.headers[HEADER], written) == ("hit", 0)
        assert plain(reply.text) == plain(first.text)
        later = SimpleNamespace(time=lambda: time.time() + 601)
        monkeypatch.setattr("gateway.service.answers.response_cache.time", later)
        assert ask(live, CHAT)[0].headers[HEADER] == "miss"


def test_a_hit_is_screened_recorded_and_counted_as_a_fresh_answer(tiny_model, tmp_path):
    policies = tmp_path / "policies.toml"
    policies.write_text(POLICIES)
    config = config_for(
        tiny_model,
        server=ServerConfig(port=0, policies=str(policies)),
        cache=CacheConfig(max_bytes=1 << 20),
        audit=AuditConfig(url=str(tmp_path / "audit.sqlite")),
    )
    body = {"messages": MESSAGES, "max_tokens": 12, "temperature": 0}
    with serving(config) as live:
        audit, counts = live.pool.shared.audit, []
        counts.append(audit.num_records)
        first, _ = ask(live, body)
        counts.append(audit.num_records)
        again, _ = ask(live, body)
        counts.append(audit.num_records)
        assert counts[2] - counts[1] == counts[1] - counts[0] > 0
        assert (again.headers[HEADER], plain(again.text)) == ("hit", plain(first.text))
        assert not any(
            letter.islower() for letter in again.json()["choices"][0]["message"]["content"].replace("letters", "")
        )
        live.pool.reload(config.server)
        assert ask(live, body)[0].headers[HEADER] == "miss", "policies that were read again screen it again"


def deltas(text):
    return [[TextDelta(0, text)], [Finish(0, "stop")], [Usage(1, 2)]]


def test_the_least_recently_used_responses_are_dropped():
    cache = ResponseCache(CacheConfig(max_bytes=700))
    for number in range(4):
        cache.put(b"%d" % number, deltas("x" * 100))
        assert cache.get(b"0") is not None
    kept = [number for number in range(4) if cache.get(b"%d" % number) is not None]
    assert 0 in kept
    assert 3 in kept
    assert len(kept) < 4
    cache.put(b"large", deltas("x" * 2000))
    assert cache.get(b"large") is None
    assert [list(map(list, cache.get(b"0")))] == [deltas("x" * 100)]
    cache.close()


def test_a_file_that_is_no_cache_is_refused(tmp_path):
    file = tmp_path / "cache.sqlite"
    file.write_bytes(b"no database" * 1000)
    with pytest.raises(ConfigError, match=r"cache\.path"):
        ResponseCache(CacheConfig(max_bytes=1000, path=str(file)))
