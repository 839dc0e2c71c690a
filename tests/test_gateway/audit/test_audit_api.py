"""Every request in the audit log, in every dialect, before its reply ends; and what leaves where that fails."""

import json
import threading
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path

import pytest
from guard_server import guard_server
from guarded_dialects import DIALECTS, MESSAGES, anthropic, openai_chat, responses
from held_engine import after_tokens, held, wait_for
from scripted import policies, scripted
from serving import config_for, serving

from gateway.audit.chain import Chain, record_of
from gateway.audit.store import Store
from gateway.audit.verification import verified
from gateway.config import AuditConfig, ServerConfig
from gateway.service.policy import recorded_texts as contents

KEY = "sesame"
HEADERS = {"authorization": f"Bearer {KEY}"}


@pytest.fixture(scope="module")
def audited(tiny_model, tmp_path_factory):
    """A server with a log, in which nothing of contents is kept."""
    path = tmp_path_factory.mktemp("audit") / "a.db"
    with serving(config_for(tiny_model, audit=AuditConfig(url=str(path)))) as live:
        yield live


@pytest.fixture(scope="module")
def telling(tiny_model, tmp_path_factory):
    """One whose log has contents, and that wants a key."""
    path = tmp_path_factory.mktemp("audit") / "a.db"
    server = ServerConfig(port=0, api_keys=(KEY,))
    with serving(config_for(tiny_model, server=server, audit=AuditConfig(url=str(path), contents=True))) as live:
        yield live


def all_records(live):
    with closing(Store(str(live.service.config.audit.url), may_create=False)) as store:
        verified(store, Chain())
        return [record_of(link) for link in store.links()]


@contextmanager
def new_records(live):
    """The records that come meanwhile, in the list, after it."""
    num_before = len(all_records(live))
    new = []
    yield new
    new += all_records(live)[num_before:]


def chat(live, *, text="Say something.", **fields):
    body = {"model": "test-model", "messages": [{"role": "user", "content": text}], **fields}
    return live.post("/v1/chat/completions", json=body, headers={**HEADERS, "x-request-id": "mine"})


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.__name__)
def test_every_dialect_is_recorded(audited, dialect):
    with scripted(audited, "a bc") as script:
        for is_streamed in (False, True):
            with new_records(audited) as records:
                dialect(audited, is_streamed)
            (record,) = records
            assert record["kind"] == "request"
            assert record["endpoint"].startswith("POST /")
            assert (record["status"], record["error"], record["finish"]) == (200, None, ["stop"])
            assert record["tokens"]["completion_tokens"] == script.num_tokens()
            assert record["request"].startswith("req_")
            assert "contents" not in record


def test_a_record_tells_what_held_the_answer(audited):
    schema = {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "boolean"}}}
    other = {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "null"}}}
    with new_records(audited) as records:
        for form in (schema, schema, other, {"type": "text"}):
            assert chat(audited, response_format=form, n=2, max_tokens=20).status_code == 200
    digests = [record["constraint"] for record in records]
    assert digests[0] == digests[1] != digests[2]
    assert all(len(digest) == 64 for digest in digests[:3])
    assert digests[3] is None
    assert records[0]["finish"] == ["stop", "stop"]
    assert {record["request"] for record in records} == {"mine"}
    assert {record["model"] for record in records} == {"test-model"}


REFUSED = {
    "no JSON": (("POST", "/v1/chat/completions", b"{"), 400, "malformed_json"),
    "no address": (("GET", "/v1/nowhere", None), 404, "route_not_found"),
    "no method": (("DELETE", "/v1/chat/completions", None), 405, "method_not_allowed"),
    "no model": (("POST", "/v1/completions", b'{"model": "x", "prompt": "a"}'), 404, "model_not_found"),
    "no type": (("POST", "/api/chat", b"<a/>"), 415, "unsupported_media_type"),
}  # fmt: skip


@pytest.mark.parametrize(("asked", "status", "code"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_recorded(audited, asked, status, code):
    method, path, body = asked
    kind = "text/xml" if code == "unsupported_media_type" else "application/json"
    with new_records(audited) as records:
        assert audited.http.request(method, path, content=body, headers={"content-type": kind}).status_code == status
    (record,) = records
    assert (record["endpoint"], record["status"], record["error"]) == (f"{method} {path}", status, code)


def test_who_watches_is_not_recorded(audited):
    with new_records(audited) as records:
        for path in ("/health", "/ready", "/ping"):
            assert audited.get(path).status_code == 200
    assert records == []


def test_keys_are_told_by_their_digest_alone(telling):
    with new_records(telling) as records:
        assert chat(telling, max_tokens=2).status_code == 200
        assert telling.get("/v1/models", headers={"x-api-key": "another"}).status_code == 401
        assert telling.get("/v1/models").status_code == 401
    keys = [record["key"] for record in records]
    assert keys == [sha256(KEY.encode()).hexdigest()[:32], sha256(b"another").hexdigest()[:32], ""]
    assert [record["error"] for record in records] == [None, "invalid_api_key", "invalid_api_key"]
    assert KEY not in json.dumps(all_records(telling))


POLICY = """default = "p"
[policies.p]
input = [
  { guard = "pii", kinds = ["email"], action = "redact" },
  { guard = "terms", terms = ["wall"], action = "block" },
]
output = [
  { guard = "secrets", kinds = ["aws"], action = "redact" },
  { guard = "terms", terms = ["blue"], action = "pass" },
  { guard = "terms", terms = ["stop"], action = "block" },
]
"""
SECRET = "AKIAIOSFODNN7EXAMPLE"


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "stream"])
def test_decisions_of_a_policy_have_records_of_their_own(telling, tmp_path, is_streamed):
    asked = f"Write to ann@example.org with {SECRET}."
    texts = f"blue {SECRET} blue", "a stop b"
    with policies(telling, tmp_path, POLICY), scripted(telling, *texts), new_records(telling) as records:
        assert chat(telling, text=asked, n=2, stream=is_streamed).status_code == 200
    of_prompt, *of_answers, request = records
    assert [record["kind"] for record in records] == ["decision"] * 3 + ["request"]

    def told(record):
        return {
            (each["where"], each["guard"], each["kind"], each["action"], each["count"]) for each in record["findings"]
        }

    assert told(of_prompt) == {("input", "pii", "email", "redact", 1)}
    # Which answer ends first is nobody's business.
    by_answer = [{("content", "secrets", "aws", "redact", 1), ("content", "terms", "terms", "pass", 2)},
                 {("content", "terms", "terms", "block", 1)}]  # fmt: skip
    assert sorted(map(told, of_answers), key=len) == sorted(by_answer, key=len)
    assert told(request) == told(of_prompt) | by_answer[0] | by_answer[1]
    assert sorted(request["finish"]) == ["content_filter", "stop"]
    assert {record["policy"] for record in records} == {"p"}
    # The model read the key: no guard looks for it in prompts. What is kept passes those of both sides.
    assert request["contents"] == {
        "prompt": [{"role": "user", "content": "Write to [EMAIL] with [AWS]."}],
        "answers": [
            {"text": "blue [AWS] blue", "reasoning": "", "calls": []},
            {"text": "a ", "reasoning": "", "calls": []},
        ],
    }
    assert SECRET not in json.dumps(all_records(telling))


def test_a_blocked_prompt_is_recorded_without_its_text(telling, tmp_path):
    with policies(telling, tmp_path, POLICY), new_records(telling) as records:
        assert chat(telling, text="tear down this wall").status_code == 400
    decision, request = records
    assert decision["findings"] == [
        {"guard": "terms", "kind": "terms", "action": "block", "where": "input", "count": 1}
    ]
    assert (request["status"], request["error"], request["policy"]) == (400, "content_filter", "p")
    assert "contents" not in request


def test_contents_of_completions_and_decisions(telling):
    with new_records(telling) as records:
        body = {"model": "test-model", "prompt": ["a", [5, 6]], "max_tokens": 1}
        assert telling.post("/v1/completions", json=body, headers=HEADERS).status_code == 200
        body = {"model": "test-model", "questions": [{"input": "Is it?", "labels": ["yes", "no"]}]}
        telling.post("/v1/decisions", json=body, headers=HEADERS)
    assert records[0]["contents"]["prompt"] == ["a", [5, 6]]
    assert len(records[0]["contents"]["answers"]) == 2
    assert records[1]["endpoint"] == "POST /v1/decisions"


def test_a_client_that_goes_away_is_recorded(audited):
    body = {"model": "test-model", "prompt": "a", "max_tokens": 400, "ignore_eos": True, "stream": True}
    engine = audited.service._loaded.engine
    with new_records(audited) as records, held(engine, after_tokens(engine, 60)):
        with audited.http.stream("POST", "/v1/completions", json=body) as reply:
            next(reply.iter_lines())
        wait_for(lambda: all_records(audited)[-1].get("error") == "cancelled")
    (record,) = records
    assert (record["status"], record["error"], record["finish"]) == (499, "cancelled", [])
    assert 0 < record["tokens"]["completion_tokens"] < 400


def test_a_client_that_goes_away_at_the_end_is_recorded(telling, monkeypatch):
    """The answer is written, and what is kept of it is being made, which is done all the same."""
    is_read, may_read, real = threading.Event(), threading.Event(), contents._screened

    def screened(value, policy):
        is_read.set()
        assert may_read.wait(20)
        return real(value, policy)

    monkeypatch.setattr(contents, "_screened", screened)
    body = {"model": "test-model", "messages": MESSAGES, "stream": True}
    num_before = telling.service.shared.audit.num_records
    with scripted(telling, "a bc"), new_records(telling) as records:
        with telling.http.stream("POST", "/v1/chat/completions", json=body, headers=HEADERS):
            assert is_read.wait(20)
        wait_for(lambda: not telling.service.num_under_way, 20)
        may_read.set()
        wait_for(lambda: telling.service.shared.audit.num_records > num_before, 20)
    (record,) = records
    assert (record["status"], record["finish"]) == (200, ["stop"])
    assert record["contents"]["answers"] == [{"text": "a bc", "reasoning": "", "calls": []}]


@contextmanager
def failing(live):
    """Nothing can be written meanwhile."""
    store = live.service.shared.audit._store
    real = store.append

    def append(links):
        raise OSError(28, "No space left on device")

    store.append = append
    try:
        yield
    finally:
        store.append = real


def test_a_log_whose_file_is_gone_makes_the_server_not_ready(audited):
    path = Path(str(audited.service.config.audit.url))
    path.rename(path.with_suffix(".away"))
    try:
        wait_for(lambda: audited.get("/ready").status_code == 503)
        assert "records of requests cannot be written" in audited.get("/ready").json()["error"]["message"]
        assert (reply := chat(audited)).json()["error"]["code"] == "audit_failed", reply.text
        assert audited.get("/health").status_code == 200
    finally:
        path.with_suffix(".away").rename(path)
    wait_for(lambda: audited.get("/ready").status_code == 200)
    with new_records(audited) as records:
        assert chat(audited).status_code == 200
    assert [record["kind"] for record in records] == ["request"]


def test_no_answer_leaves_that_is_not_recorded(audited, caplog):
    with new_records(audited) as records, scripted(audited, "a bc"):
        with failing(audited):
            reply = chat(audited)
            assert (reply.status_code, reply.json()["error"]["code"]) == (503, "audit_failed")
            assert reply.headers["retry-after"]
            assert reply.headers["x-request-id"] == "mine"
            assert "bc" not in reply.text
            streamed = chat(audited, stream=True)
            assert streamed.status_code == 200
            events = [json.loads(line[6:]) for line in streamed.text.splitlines() if line.startswith("data: {")]
            assert events[-1]["error"]["code"] == "audit_failed"
            assert "[DONE]" not in streamed.text
            assert {choice["finish_reason"] for event in events[:-1] for choice in event["choices"]} <= {None}
            told = audited.post("/v1/messages", json={"model": "test-model", "max_tokens": 9, "messages": MESSAGES})
            assert (told.status_code, told.json()["type"]) == (503, "error")
            # Nor anything else, but that somebody lives.
            assert audited.get("/v1/models").status_code == 503
            assert audited.get("/nowhere").json()["error"]["code"] == "audit_failed"
            assert audited.get("/health").status_code == 200
        assert openai_chat(audited, False)[0] == "a bc"
    *dropped, request = records
    # What the error in a stream's place was recorded with could not be written either.
    assert {record["kind"] for record in dropped} == {"dropped"}
    assert sum(record["num"] for record in dropped) >= 5
    assert request["status"] == 200
    assert "No space left on device" in caplog.text


def test_errors_of_streams_are_recorded(audited, monkeypatch):
    async def broken(self, request, tick_s=None):
        from gateway.engine import TokenEvent

        yield [TokenEvent(request.request_id, [300], num_prompt_tokens=1)]
        raise RuntimeError("a bug")

    monkeypatch.setattr(type(audited.service._loaded.engine), "batches", broken)
    with new_records(audited) as records:
        reply = chat(audited, stream=True)
    assert reply.status_code == 200
    assert records[0]["error"] == json.loads(reply.text.split("data: ")[-1])["error"]["code"] == "internal_error"
    assert records[0]["finish"] == []


def test_an_answer_is_kept_before_its_end_leaves(audited):
    """The end of a stream is withheld while the disk is slow, and what was written before it is not."""
    store, may = audited.service.shared.audit._store, threading.Event()
    real = store.append

    def append(links):
        assert may.wait(20)
        real(links)

    store.append = append
    try:
        with scripted(audited, "a bc"):
            body = {"model": "test-model", "messages": MESSAGES, "stream": True}
            with audited.http.stream("POST", "/v1/chat/completions", json=body) as reply:
                lines = (line for line in reply.iter_lines() if line)
                text = ""
                while text != "a bc":
                    text += json.loads(next(lines)[6:])["choices"][0]["delta"].get("content", "")
                assert not may.is_set()
                threading.Timer(0.1, may.set).start()
                assert '"finish_reason":"stop"' in next(lines)
                assert may.is_set()
    finally:
        store.append = real


def test_blocked_answers_say_so(audited, tmp_path):
    text = 'default = "p"\n[policies.p]\noutput = [{ guard = "terms", terms = ["stop"], action = "block" }]\n'
    with policies(audited, tmp_path, text), scripted(audited, "a stop b"), new_records(audited) as records:
        assert anthropic(audited, True)[1] == "refusal"
        assert responses(audited, False)[1] == "content_filter"
    assert [record["kind"] for record in records] == ["decision", "request"] * 2
    assert [record["finish"] for record in records if record["kind"] == "request"] == [["content_filter"]] * 2


def test_what_judges_find_is_recorded_of_each_try(audited, tmp_path):
    with guard_server() as server:
        judge = f'guard = "guard_model", url = "{server.url}", model = "guard", format = "llama_guard"'
        text = f'default = "p"\n[policies.p]\ninput = [{{ {judge}, action = "pass" }}]\n'
        text += f'output = [{{ {judge}, action = "retry", retries = 2 }}]\n'
        tries = ["so evil", "evil", "so good"]
        with policies(audited, tmp_path, text), scripted(audited, tries), new_records(audited) as records:
            assert chat(audited, text="Be evil.").status_code == 200
    of_prompt, of_answer, request = [
        [(each["where"], each["action"], each["count"]) for each in record["findings"]] for record in records
    ]
    assert of_prompt == [("input", "pass", 1)]
    assert of_answer == [("content", "retry", 1)] * 2
    assert request == of_prompt + of_answer


def test_texts_that_no_model_reads_are_recorded(telling, tmp_path):
    with policies(telling, tmp_path, POLICY), new_records(telling) as records:
        asked = {"input": ["a wall", f"blue {SECRET}"]}
        assert telling.post("/v1/moderations", json=asked, headers=HEADERS).status_code == 200
    first, second, request = records
    assert [each["action"] for each in first["findings"]] == ["block"]
    assert [(each["kind"], each["action"]) for each in second["findings"]] == [("aws", "redact"), ("terms", "pass")]
    assert (request["endpoint"], request["policy"], request["finish"]) == ("POST /v1/moderations", "p", [])
    assert request["contents"]["prompt"] == ["a [TERMS]", "blue [AWS]"]
