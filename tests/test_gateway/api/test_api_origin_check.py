"""What a request passes before its handler: names, origins, content types; the id that every reply carries."""

import json
import logging
import socket
import time

import pytest
from held_engine import wait_for
from serving import config_for, serving

from gateway.api.http.origin_check import is_local_name
from gateway.api.http.request_ids import RequestIdFilter
from gateway.config import ServerConfig
from gateway.errors import ConfigError

CHAT = {"messages": [{"role": "user", "content": "hi"}], "max_tokens": 2}
BODY = json.dumps(CHAT).encode()
OLLAMA = json.dumps({"model": "test-model", "prompt": "a", "stream": False, "options": {"num_predict": 1}}).encode()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "localhost:8000"}, 200),
        ({"host": "[::1]:8000"}, 200),
        ({"host": "attacker.example"}, 403),
        ({"host": "127.0.0.1.attacker.example"}, 403),
        ({"origin": "http://localhost:3000"}, 200),
        ({"origin": "https://attacker.example"}, 403),
        ({"origin": "null"}, 403),
        ({"content-type": "application/json; charset=utf-8"}, 200),
        ({"content-type": "application/vnd.api+json"}, 200),
        ({"content-type": "text/plain"}, 415),
        ({"content-encoding": "gzip"}, 415),
        ({"content-encoding": "identity"}, 200),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
        ({"content-type": "multipart/form-data; boundary=x"}, 415),
    ],
    ids=str,
)
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/messages"])
def test_an_open_server_on_this_machine_is_for_this_machine(tiny_live, path, headers, status):
    body = json.dumps({**CHAT, "model": "test-model"})
    reply = tiny_live.post(path, content=body, headers={"content-type": "application/json", **headers})
    assert reply.status_code == status, reply.text
    if status != 200:
        error = reply.json()["error"]
        assert error["type"] == {403: "permission_error", 415: "invalid_request_error"}[status]


def test_what_curl_says_of_every_body_is_taken_at_ollamas_addresses_alone(tiny_live):
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert tiny_live.post("/api/generate", content=OLLAMA, headers=form).status_code == 200
    with_origin = {**form, "origin": "http://localhost"}
    assert tiny_live.post("/api/generate", content=OLLAMA, headers=with_origin).status_code == 415


def test_a_body_without_a_type_is_json(tiny_live):
    request = tiny_live.http.build_request("POST", "/v1/chat/completions", content=BODY)
    assert "content-type" not in request.headers
    assert tiny_live.http.send(request).status_code == 200


def test_names_that_are_allowed_and_keys_let_others_in(tiny_model):
    foreign = {"host": "models.example", "origin": "https://models.example"}
    with serving(config_for(tiny_model, server=ServerConfig(port=0, allowed_hosts=("models.example",)))) as named:
        assert named.post("/v1/chat/completions", json=CHAT, headers=foreign).status_code == 200
        assert named.get("/v1/models", headers={"host": "other.example"}).status_code == 403
    with serving(config_for(tiny_model, server=ServerConfig(port=0, api_keys=("k",)))) as keyed:
        assert keyed.post("/v1/chat/completions", json=CHAT, headers=foreign).status_code == 401
        key = {"authorization": "Bearer k"}
        assert keyed.post("/v1/chat/completions", json=CHAT, headers=foreign | key).status_code == 200


@pytest.fixture(scope="module")
def keyed_live(tiny_model):
    """A server that wants a key."""
    with serving(config_for(tiny_model, server=ServerConfig(port=0, api_keys=("k",)))) as live:
        yield live


def sent(live, *lines):
    """What comes for a request of these lines."""
    host, port = live.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall("\r\n".join(lines).encode("latin-1"))
        received = b""
        while piece := connection.recv(65536):
            received += piece
    return received


def test_a_server_asks_for_keys_until_its_end_or_never(keyed_live, tiny_live):
    for live, keys in ((keyed_live, ()), (tiny_live, ("k",))):
        with pytest.raises(ConfigError, match="until its end"):
            live.pool.reload(ServerConfig(api_keys=keys))
    assert keyed_live.get("/v1/models").status_code == 401
    assert tiny_live.get("/v1/models").status_code == 200


@pytest.mark.parametrize(
    ("headers", "trailers", "said"),
    [
        ([], ["Authorization: Bearer k"], b"401"),
        ([], ["X-Api-Key: k"], b"401"),
        (["Authorization: Bearer k"], [], b"200"),
        (["Authorization: Bearer k"], ["Authorization: Bearer wrong"], b"200"),
        (["Authorization: Bearer k"], ["X-Portcullis-Policy: open"], b"200"),
        (["Authorization: Bearer k"], ["Content-Type: text/plain", "X-Portcullis-Verdict: 7"], b"200"),
        (["Authorization: Bearer k", "X-Portcullis-Policy: open"], [], b"400"),
        (["Authorization: Bearer k", "X-Portcullis-Verdict: 7"], [], b"400"),
    ],
    ids=str,
)
def test_trailers_are_no_headers(keyed_live, headers, trailers, said):
    head = ["POST /v1/chat/completions HTTP/1.1", "Host: x", "Content-Type: application/json", "Connection: close"]
    body = [f"{len(BODY):x}", BODY.decode(), "0"]
    reply = sent(keyed_live, *head, *headers, "Transfer-Encoding: chunked", "", *body, *trailers, "", "")
    assert reply.split()[1] == said, reply


MALFORMED_HOSTS = [
    "/health?",
    "x/health",
    "x/../health",
    "localhost/health#",
    "localhost\\health",
    "user:k@localhost",
    "[::1",
    "[",
    "]",
    "%2fhealth",
    "x:99999999",
    "x:/health",
    ":",
    "",
    "\xff\xfe",
    "a b",
    "health, x",
]


@pytest.mark.parametrize("host", MALFORMED_HOSTS)
@pytest.mark.parametrize("asked", ["POST /v1/chat/completions", "GET /v1/models", "GET http://health/v1/models"])
def test_a_host_that_is_none_lets_no_one_past_the_key(keyed_live, host, asked):
    """As some routers let in whom the address that they put together from it leads to a place without a key."""
    common = [f"Host: {host}", "Connection: close", "Content-Type: application/json", f"Content-Length: {len(BODY)}"]
    reply = sent(keyed_live, f"{asked} HTTP/1.1", *common, "", BODY.decode())
    assert reply.split()[1] in (b"400", b"401", b"404"), reply
    assert b"authentication_error" in reply or b"invalid_request_error" in reply


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("localhost", True),
        ("a.localhost", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("0.0.0.0", False),
        ("10.0.0.1", False),
        ("localhost.example", False),
        ("", False),
    ],
)
def test_names_of_this_machine(name, expected):
    assert is_local_name(name) == expected


@pytest.mark.parametrize("path", ["/health", "/ping", "/ready"])
def test_head_asks_for_the_status_alone(tiny_live, path):
    reply = tiny_live.http.head(path)
    assert (reply.status_code, reply.content) == (200, b"")


def test_every_reply_has_an_id(tiny_live):
    replies = [
        tiny_live.get("/health"),
        tiny_live.get("/nowhere"),
        tiny_live.post("/v1/chat/completions", json=CHAT),
        tiny_live.post("/v1/chat/completions", json={**CHAT, "stream": True}),
        tiny_live.post("/v1/chat/completions", json={"messages": 5}),
        tiny_live.post("/v1/messages", json={**CHAT, "model": "test-model"}),
    ]
    ids = [reply.headers["x-request-id"] for reply in replies]
    assert [reply.headers["request-id"] for reply in replies] == ids
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("given", "is_taken"), [("trace-1.a:b", True), ("x" * 129, False), ("a b", False), ("", False)]
)
def test_an_id_that_a_proxy_gave_is_kept(tiny_live, given, is_taken):
    reply = tiny_live.get("/health", headers={"x-request-id": given})
    assert (reply.headers["x-request-id"] == given) is is_taken


def test_what_is_logged_of_a_request_tells_its_id(tiny_live, monkeypatch, caplog):
    def fail(*arguments, **named):
        raise RuntimeError("unforeseen")

    caplog.handler.addFilter(RequestIdFilter())
    monkeypatch.setattr(type(tiny_live.service), "prepare_chat", fail)
    reply = tiny_live.post("/v1/chat/completions", json=CHAT, headers={"x-request-id": "trace-7"})
    assert reply.status_code == 500
    (record,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert record.request_id == "trace-7"
    assert RequestIdFilter().filter(record)
    assert record.request_id == ""


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/messages", "/api/chat", "/generate", "/v1/verify"])
def test_a_client_that_leaves_during_its_upload_leaves_no_trace(tiny_live, caplog, path):
    host, port = tiny_live.url.removeprefix("http://").split(":")
    before = tiny_live.service.num_under_way
    with caplog.at_level(logging.INFO):
        with socket.create_connection((host, int(port)), timeout=30) as connection:
            lines = [
                f"POST {path} HTTP/1.1",
                "Host: localhost",
                "Content-Type: application/json",
                "Content-Length: 900",
            ]
            connection.sendall("\r\n".join((*lines, "", '{"model": "test-mo')).encode())
            time.sleep(0.1)
        time.sleep(0.2)
        assert tiny_live.get("/health").status_code == 200
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []
    wait_for(lambda: tiny_live.service.num_under_way == before)
