"""API keys of a key file, their limits and their use, over HTTP."""

import asyncio
import json
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from served_process import served
from serving import config_for, serving

from gateway.config import ServerConfig
from gateway.errors import ConfigError
from gateway.keys import ApiKey, KeyLimits, KeyMeters, key_digest
from gateway.keys.key_file import add_key, revoke_key
from gateway.keys.key_ring import LOOK_S
from gateway.keys.usage_file import WRITE_S, UsageFile
from gateway.keys.use import DayUse, Use, present_day

PLAIN = "plain-key"
MESSAGES = [{"role": "user", "content": "hi"}]
CHAT = {"model": "test-model", "messages": MESSAGES, "max_tokens": 2, "temperature": 0}


@pytest.fixture(scope="module")
def keyed(tiny_model, tmp_path_factory):
    """A server with a key file, and that file."""
    path = tmp_path_factory.mktemp("keys") / "keys.jsonl"
    path.touch()
    server = ServerConfig(port=0, api_keys=(PLAIN,), key_file=str(path))
    with serving(config_for(tiny_model, server=server)) as live:
        yield live, path


def add(path: Path, name: str, expires: int | None = None, **limits) -> dict[str, str]:
    """Add a key, wait until it is in force, and return the headers that carry it."""
    secret = f"secret-of-{name}"
    limits = KeyLimits(**limits)
    add_key(path, ApiKey(name=name, sha256=key_digest(secret), created=0, expires=expires, limits=limits))
    time.sleep(LOOK_S + 0.05)
    return {"authorization": f"Bearer {secret}"}


def chat(live, headers, **fields):
    return live.post("/v1/chat/completions", json=CHAT | fields, headers=headers)


def usage(live, headers):
    return live.http.get("/v1/usage", headers=headers).json()


def test_a_key_is_accepted_and_refused_again_within_a_second(keyed):
    live, path = keyed
    headers = add(path, "short-lived")
    assert chat(live, headers).status_code == 200
    revoke_key(path, "short-lived")
    deadline = time.monotonic() + 1
    while (status := chat(live, headers).status_code) == 200 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert status == 401


def test_keys_of_the_settings_stay_accepted(keyed):
    live, _ = keyed
    assert chat(live, {"authorization": f"Bearer {PLAIN}"}).status_code == 200
    assert chat(live, {}).status_code == 401


def test_an_expired_key_is_refused(keyed):
    live, path = keyed
    assert chat(live, add(path, "expired", expires=int(time.time()) - 1)).status_code == 401


def test_a_broken_file_leaves_the_keys_as_they_were(keyed):
    live, path = keyed
    headers = add(path, "kept")
    assert chat(live, headers).status_code == 200
    whole = path.read_text()
    path.write_text(whole + "{broken\n")
    try:
        time.sleep(LOOK_S + 0.05)
        assert chat(live, headers).status_code == 200
    finally:
        path.write_text(whole)


def statuses_of(live, callers, **fields) -> list[int]:
    """Send one chat for each caller's headers, all at the same time."""

    async def send_all():
        limits = httpx.Limits(max_connections=50)
        async with httpx.AsyncClient(base_url=live.url, timeout=120, limits=limits) as client:
            body = CHAT | fields
            sent = [client.post("/v1/chat/completions", json=body, headers=headers) for headers in callers]
            return [reply.status_code for reply in await asyncio.gather(*sent)]

    return asyncio.run(send_all())


def test_requests_a_minute_are_exact_under_concurrency(keyed):
    live, path = keyed
    headers = add(path, "five", requests_per_minute=5)
    other = add(path, "seven", requests_per_minute=7)
    statuses = statuses_of(live, [headers, other] * 100)
    assert (statuses[::2].count(200), statuses[::2].count(429)) == (5, 95)
    assert (statuses[1::2].count(200), statuses[1::2].count(429)) == (7, 93)


BODIES = {
    "/v1/chat/completions": (CHAT, lambda body: body["error"]["code"] == "rate_limit_exceeded"),
    "/v1/responses": ({"model": "test-model", "input": "hi"}, lambda body: body["error"]["type"] == "rate_limit_error"),
    "/v1/messages": (CHAT, lambda body: body["error"]["type"] == "rate_limit_error"),
    "/api/chat": ({"model": "test-model", "messages": MESSAGES}, lambda body: isinstance(body["error"], str)),
    "/generate": ({"inputs": "hi"}, lambda body: body["error_type"] == "overloaded"),
}


def test_refusals_have_each_dialects_envelope(keyed):
    live, path = keyed
    headers = add(path, "one", requests_per_minute=1)
    first = chat(live, headers)
    assert first.headers["x-ratelimit-limit-requests"] == "1"
    assert first.headers["x-ratelimit-remaining-requests"] == "0"
    assert 59 < float(first.headers["x-ratelimit-reset-requests"].removesuffix("s")) <= 60
    assert "x-ratelimit-limit-tokens" not in first.headers
    for route, (body, is_right) in BODIES.items():
        reply = live.post(route, json=body, headers=headers)
        assert reply.status_code == 429, route
        assert is_right(reply.json()), (route, reply.json())
        assert 0 < int(reply.headers["retry-after"]) <= 60


@pytest.mark.parametrize("limit", ["tokens_per_minute", "tokens_per_day"])
def test_prompts_are_reserved_and_answers_counted(keyed, limit):
    live, path = keyed
    headers = add(path, f"free-{limit}")
    used = chat(live, headers).json()["usage"]
    limited = add(path, f"held-{limit}", **{limit: used["total_tokens"] + used["prompt_tokens"] - 1})
    assert chat(live, limited).status_code == 200
    assert chat(live, limited).status_code == 429  # the prompt does not fit any more
    today = usage(live, limited)["today"]
    assert (today["prompt_tokens"], today["completion_tokens"]) == (used["prompt_tokens"], used["completion_tokens"])
    assert today["requests"] == 2


def test_concurrency_is_bounded_and_free_again(keyed):
    live, path = keyed
    headers = add(path, "two-at-once", max_concurrent=2)
    statuses = statuses_of(live, [headers] * 20, max_tokens=40, ignore_eos=True)
    assert set(statuses) == {200, 429}
    assert statuses.count(200) >= 2
    assert usage(live, headers)["running"] == 0
    assert statuses_of(live, [headers] * 2) == [200, 200]


def test_a_key_may_be_bound_to_models(keyed):
    live, path = keyed
    headers = add(path, "other-model", models=("other",))
    reply = chat(live, headers)
    assert (reply.status_code, reply.json()["error"]["code"]) == (404, "model_not_found")
    allowed = add(path, "this-model", models=("test-model",))
    assert chat(live, allowed).status_code == 200
    for those, expected in ((headers, []), (allowed, ["test-model"])):
        listed = live.get("/v1/models", headers=those).json()["data"]
        assert [each["id"] for each in listed] == expected
        page = live.get("/v1/models", headers={**those, "anthropic-version": "2023-06-01"}).json()
        assert [each["id"] for each in page["data"]] == expected
        assert [each["model"] for each in live.get("/api/tags", headers=those).json()["models"]] == [
            f"{name}:latest" for name in expected
        ]
    assert live.get("/v1/models/gpt-test", headers=allowed).status_code == 404
    assert live.get("/v1/models/test-model", headers=allowed).status_code == 200


def test_metrics_count_requests_and_tokens_by_name_of_the_key(keyed):
    live, path = keyed
    used = chat(live, add(path, "counted")).json()["usage"]
    text = live.get("/metrics").text
    assert 'portcullis_key_requests_total{key="counted"} 1.0' in text
    for kind in ("prompt", "completion"):
        line = f'portcullis_key_tokens_total{{key="counted",kind="{kind}"}} {used[f"{kind}_tokens"]}.0'
        assert line in text


def test_usage_needs_a_key(keyed):
    live, path = keyed
    assert live.http.get("/v1/usage").status_code == 401
    headers = add(path, "idle", tokens_per_day=9)
    shown = usage(live, headers)
    assert (shown["name"], shown["running"], shown["limits"]["tokens_per_day"]) == ("idle", 0, 9)
    assert shown["today"] == shown["minute"] == {"requests": 0, "prompt_tokens": 0, "completion_tokens": 0}


def test_the_key_file_holds_no_key(keyed):
    _, path = keyed
    add(path, "secretive")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert "secret-of-secretive" not in path.read_text()
    assert lines[-1]["sha256"] == key_digest("secret-of-secretive")


def test_the_use_of_a_day_goes_on_after_ends_and_kills(tiny_model, tmp_path):
    path, use_file = tmp_path / "keys.jsonl", tmp_path / "usage.db"
    path.touch()
    headers = {"authorization": "Bearer secret-of-frugal"}
    options = {"SERVER_KEY_FILE": path, "SERVER_USAGE_FILE": use_file}
    body = {"prompt": "hi", "max_tokens": 2, "temperature": 0}

    def today(server):
        return httpx.get(f"{server.url}/v1/usage", headers=headers).json()["today"]

    def complete(server):
        return httpx.post(f"{server.url}/v1/completions", json=body, headers=headers)

    with served(tiny_model, **options) as server:
        add(path, "frugal", tokens_per_day=1000)
        for _ in range(5):
            assert complete(server).status_code == 200
        kept = today(server)
        with pytest.raises(ConfigError, match="another server uses it"):
            UsageFile(str(use_file))
        time.sleep(WRITE_S + 0.3)
        complete(server)
        last = today(server)
        server.process.kill()
        server.process.wait()
    assert use_file.stat().st_mode & 0o777 == 0o600
    with served(tiny_model, **options) as server:
        found = today(server)
        # At most the last second is lost.
        assert kept["requests"] == 5 <= found["requests"] <= 6
        assert kept["completion_tokens"] <= found["completion_tokens"] <= last["completion_tokens"]
        revoke_key(path, "frugal")
        add(path, "frugal", tokens_per_day=last["prompt_tokens"] + last["completion_tokens"])
        assert [complete(server).status_code for _ in range(2)][-1] == 429
        at_end = today(server)
        server.process.terminate()
        server.process.wait()
    with closing(UsageFile(str(use_file))) as file:
        assert file.stored()[key_digest("secret-of-frugal")].use == Use(**at_end)


def test_the_file_keeps_the_present_day_alone(tmp_path):
    key, path = ApiKey(name="a", sha256="0" * 64, created=0), str(tmp_path / "usage.db")
    file = UsageFile(path)
    file.begin(lambda: [(key.sha256, DayUse(present_day(), Use(3, 4, 5))), ("1" * 64, DayUse(1, Use(1, 1, 1)))])
    file.close()
    meters = KeyMeters(path)
    assert meters.of(key).today() == Use(3, 4, 5)
    meters.close()
    with closing(UsageFile(path)) as file:
        assert file.stored() == {key.sha256: DayUse(present_day(), Use(3, 4, 5))}
    for broken, reason in ((tmp_path / "none" / "x.db", "No such file"), (tmp_path / "text.db", "not a database")):
        if broken.parent.exists():
            broken.write_text("no database at all " * 100)
        with pytest.raises(ConfigError, match=reason):
            KeyMeters(str(broken))
