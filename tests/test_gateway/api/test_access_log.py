"""The access log: one record a request, without texts and keys."""

import hashlib
import json
import logging
import time

import pytest
from serving import config_for, serving

from gateway.config import AuditConfig, ServerConfig

KEY = "sesame-of-this-test"
DIGEST = hashlib.sha256(KEY.encode()).hexdigest()[:32]
MESSAGES = [{"role": "user", "content": "SECRET words"}]
CHAT = {"model": "test-model", "messages": MESSAGES, "max_tokens": 3, "ignore_eos": True}


@pytest.fixture(scope="module", params=["alone", "audited"])
def live(request, tiny_model, tmp_path_factory):
    audit = AuditConfig(url=str(tmp_path_factory.mktemp("audit") / "a.db") if request.param == "audited" else None)
    with serving(config_for(tiny_model, server=ServerConfig(port=0, api_keys=(KEY,)), audit=audit)) as live:
        live.http.headers["authorization"] = f"Bearer {KEY}"
        yield live


@pytest.fixture
def logged(caplog):
    """A function that waits for so many records and returns their fields."""
    caplog.set_level(logging.INFO, logger="gateway.access")

    def wait(count=1):
        end = time.monotonic() + 10
        while len(found := [record for record in caplog.records if record.name == "gateway.access"]) < count:
            assert time.monotonic() < end, f"{len(found)} records instead of {count}"
            time.sleep(0.005)
        assert len(found) == count
        return [record.fields for record in found]

    return wait


@pytest.mark.parametrize("stream", [False, True])
def test_a_generated_answer_is_one_record(live, logged, stream):
    assert live.post("/v1/chat/completions", json=CHAT | {"stream": stream}).status_code == 200
    (fields,) = logged()
    times = {name: fields.pop(name) for name in ("ttft_ms", "duration_ms")}
    assert 0 < times["ttft_ms"] <= times["duration_ms"]
    assert fields.pop("prompt_tokens") > 0
    assert fields == {
        "method": "POST",
        "route": "/v1/chat/completions",
        "status": 200,
        "key": DIGEST,
        "model": "test-model",
        "completion_tokens": 3,
        "outcome": "length",
        "streamed": stream,
    }


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/completions", {"model": "test-model", "prompt": "SECRET", "max_tokens": 2}),
        ("/v1/messages", {"model": "test-model", "messages": MESSAGES, "max_tokens": 2}),
        ("/v1/responses", {"model": "test-model", "input": "SECRET", "max_output_tokens": 2}),
        ("/api/chat", {"model": "test-model", "messages": MESSAGES, "options": {"num_predict": 2}}),
        ("/generate", {"inputs": "SECRET", "parameters": {"max_new_tokens": 2}}),
    ],
)
def test_every_dialect_is_logged_without_texts_and_keys(live, logged, path, body, caplog):
    assert live.post(path, json=body).status_code == 200
    (fields,) = logged()
    assert (fields["route"], fields["status"], fields["key"]) == (path, 200, DIGEST)
    assert fields["outcome"] in ("stop", "length")
    assert fields["completion_tokens"] in (1, 2)
    assert "SECRET" not in json.dumps(fields)
    assert KEY not in json.dumps(fields)


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        (("GET", "/v1/models", {}), ("/v1/models", 200, "ok")),
        (("GET", "/nowhere/SECRET", {}), (None, 404, "route_not_found")),
        (("POST", "/v1/chat/completions", {"json": {"messages": 5}}), ("/v1/chat/completions", 400, "invalid_value")),
    ],
)
def test_other_requests_are_logged_with_their_outcome(live, logged, ask, expected):
    method, path, named = ask
    live.http.request(method, path, **named)
    (fields,) = logged()
    assert (fields["route"], fields["status"], fields["outcome"]) == expected
    assert fields["prompt_tokens"] is fields["ttft_ms"] is None
    assert "SECRET" not in json.dumps(fields)


def test_an_invalid_key_is_logged_by_its_digest(live, logged):
    reply = live.get("/v1/models", headers={"authorization": "Bearer other"})
    assert reply.status_code == 401
    (fields,) = logged()
    assert fields["key"] == hashlib.sha256(b"other").hexdigest()[:32]
    assert fields["status"] == 401


def test_a_client_that_leaves_is_logged_as_cancelled(live, logged):
    body = CHAT | {"stream": True, "max_tokens": 400}
    with live.http.stream("POST", "/v1/chat/completions", json=body) as reply:
        next(reply.iter_lines())
    (fields,) = logged()
    assert (fields["status"], fields["outcome"], fields["streamed"]) == (200, "cancelled", True)


def test_probes_make_no_record(live, logged):
    for path in ("/health", "/ping", "/ready", "/metrics"):
        assert live.get(path).status_code == 200
    live.get("/v1/models")
    (fields,) = logged()
    assert fields["route"] == "/v1/models"


def test_the_setting_turns_the_access_log_off(tiny_model, logged):
    with serving(config_for(tiny_model, server=ServerConfig(port=0, access_log=False))) as live:
        assert live.get("/v1/models").status_code == 200
    time.sleep(0.2)
    logged(0)
