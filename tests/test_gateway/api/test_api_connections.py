"""What a connection may send before its request is whole, and how long it may take."""

import json
import logging
import socket
import time
from contextlib import suppress

import httpx
import pytest
from connection_clock import clocked
from held_engine import after_tokens, held, wait_for
from serving import config_for, serving

from gateway.config import ServerConfig

HEAD = "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
BODY = json.dumps({"prompt": "a", "max_tokens": 1})
WHOLE = f"{HEAD}Content-Length: {len(BODY)}\r\n\r\n{BODY}"


@pytest.fixture(scope="module")
def bounded_live(tiny_model):
    server = ServerConfig(port=0, max_header_bytes=4096, max_headers=20, headers_timeout_s=60, body_timeout_s=60)
    with serving(config_for(tiny_model, server=server)) as live:
        yield live


@pytest.fixture
def clock():
    """Of connections from now on."""
    with clocked() as clock:
        yield clock


def connect(live):
    host, port = live.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=30)


def rest_of(connection):
    """All that comes until the server closes the connection."""
    received = b""
    while piece := connection.recv(65536):
        received += piece
    return received


def status_and_code(reply):
    head, _, body = reply.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]["code"]


@pytest.mark.parametrize(
    "sent",
    [
        f"{HEAD}X-Long: {'x' * 5000}\r\n\r\n",
        f"{HEAD}X-Long: {'x' * 100_000}",
        HEAD + "".join(f"X-{number}: 1\r\n" for number in range(30)) + "\r\n",
        f"GET /{'a' * 5000} HTTP/1.1\r\n\r\n",
    ],
    ids=["long", "endless", "many", "address"],
)
def test_headers_beyond_the_bounds_are_refused(bounded_live, sent):
    with connect(bounded_live) as connection:
        connection.sendall(sent.encode())
        assert status_and_code(rest_of(connection)) == (431, "headers_too_large")


CHUNKED = f"{HEAD}Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("start", "endless"),
    [
        (f"{CHUNKED}1\r\nx\r\n0\r\nX-Endless: ", "x"),
        (f"{CHUNKED}1\r\nx\r\n0\r\n", "X-Many: 1\r\n"),
        (f"{CHUNKED}1;extension=", "x"),
    ],
    ids=["trailer", "trailers", "extension"],
)
def test_what_stands_beside_a_chunked_body_is_bounded(bounded_live, start, endless):
    with connect(bounded_live) as connection:
        connection.sendall(start.encode())
        for _ in range(100):
            try:
                connection.sendall(endless.encode() * 1000)
            except OSError:
                break
        with suppress(ConnectionResetError):
            assert status_and_code(rest_of(connection)) == (431, "headers_too_large")


def test_bodies_in_many_small_chunks_are_read(bounded_live):
    chunks = "".join(f"1\r\n{sign}\r\n" for sign in BODY + " " * 3000)
    with connect(bounded_live) as connection:
        connection.sendall(CHUNKED.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n").encode())
        for start in range(0, len(chunks), 500):
            connection.sendall(chunks[start : start + 500].encode())
        connection.sendall(b"0\r\n\r\n")
        assert rest_of(connection).startswith(b"HTTP/1.1 200")


def test_headers_that_come_piece_by_piece_without_end_are_refused(bounded_live):
    with connect(bounded_live) as connection:
        connection.sendall(HEAD.encode() + b"X-Endless: ")
        for _ in range(100):
            try:
                connection.sendall(b"x" * 100)
            except OSError:
                break
        # What was still on its way may meet a closed connection.
        with suppress(ConnectionResetError):
            assert status_and_code(rest_of(connection)) == (431, "headers_too_large")


@pytest.mark.parametrize(
    ("sent", "is_read", "says"),
    [
        ("", lambda made: True, b"headers"),
        (HEAD, lambda made: made._is_under_way, b"headers"),
        (f"{HEAD}Content-Length: 50\r\n\r\n", lambda made: not made._is_in_head, b"body"),
    ],
    ids=["silent", "half its headers", "no body"],
)
def test_a_request_that_does_not_come_is_not_waited_for(bounded_live, clock, sent, is_read, says):
    with connect(bounded_live) as connection:
        connection.sendall(sent.encode())
        wait_for(lambda: clock.connections and is_read(clock.connections[0]))
        clock.let_pass(59)
        assert not clock.connections[0].transport.is_closing()
        clock.let_pass(2)
        reply = rest_of(connection)
    assert status_and_code(reply) == (408, "request_timeout")
    assert says in reply


def test_what_is_no_http_gets_the_envelope(bounded_live, caplog):
    with caplog.at_level(logging.INFO), connect(bounded_live) as connection:
        connection.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        reply = rest_of(connection)
    assert status_and_code(reply) == (400, "invalid_value")
    # The log has one line, which is no warning.
    (record,) = [each for each in caplog.records if "uvicorn" in each.name or each.name.startswith("gateway.api")]
    assert (record.levelname, record.name) == ("INFO", "gateway.api.http.connection")
    assert b"\r\nx-request-id: req_" in reply


@pytest.mark.parametrize("sent", ["X-Long: " + "x" * 5000, "no header at all"], ids=["too long", "broken"])
@pytest.mark.parametrize(
    ("path", "headers", "error_of"),
    [
        ("/v1/chat/completions", "", lambda body: body["error"]["code"]),
        ("/v1/messages", "", lambda body: (body["type"], body["error"]["type"], body["request_id"])),
        ("/v1/models", "anthropic-version: 2023-06-01\r\n", lambda body: (body["type"], body["request_id"])),
        ("/api/chat?stream", "", lambda body: body["error"] + ""),
        ("/generate_stream", "", lambda body: body["error_type"]),
    ],
    ids=["OpenAI", "Anthropic", "Anthropic's client", "Ollama", "TGI"],
)
def test_broken_requests_get_the_envelope_of_their_dialect(bounded_live, path, headers, error_of, sent):
    with connect(bounded_live) as connection:
        connection.sendall(f"POST {path} HTTP/1.1\r\nx-request-id: mine\r\n{headers}host: a\r\n{sent}\r\n\r\n".encode())
        head, _, body = rest_of(connection).partition(b"\r\n\r\n")
    assert head.startswith((b"HTTP/1.1 4", b"HTTP/1.0 4"))
    assert b"x-request-id: mine" in head
    assert error_of(json.loads(body))


def test_who_comes_when_all_connections_are_taken_is_told(tiny_model):
    with serving(config_for(tiny_model, server=ServerConfig(port=0, max_connections=3))) as live:
        silent = [connect(live) for _ in range(3)]
        with connect(live) as connection:
            connection.sendall(WHOLE.encode())
            reply = rest_of(connection)
        assert status_and_code(reply) == (503, "not_ready")
        assert b"\r\nretry-after: " in reply
        for each in silent:
            each.close()
        assert live.get("/health").status_code == 200


def answered(live):
    """A connection on which a request was answered."""
    connection = connect(live)
    connection.sendall(WHOLE.encode())
    reply = b""
    while b"finish_reason" not in reply:
        reply += connection.recv(65536)
    return connection


def test_connections_stay_open_between_requests_as_long_as_is_said(tiny_model):
    # httpx, and so the clients that are made of it, keep theirs for 5 s, common proxies for 60 s.
    assert ServerConfig().keep_alive_timeout_s > 60
    with (
        serving(config_for(tiny_model, server=ServerConfig(port=0, keep_alive_timeout_s=1))) as live,
        answered(live) as connection,
    ):
        assert connection.recv(1) == b""


def test_who_comes_when_all_connections_are_taken_gets_the_place_of_one_that_idles(tiny_model):
    with serving(config_for(tiny_model, server=ServerConfig(port=0, max_connections=3))) as live:
        idle = [answered(live) for _ in range(3)]
        # The next ones end those that have waited longest, not each other.
        further = [answered(live) for _ in range(2)]
        assert [each.recv(1) for each in idle[:2]] == [b"", b""]
        idle[2].setblocking(False)
        with pytest.raises(BlockingIOError):
            idle[2].recv(1)
        for each in (*idle, *further):
            each.close()


def connect_without_reading(live):
    host, port = live.url.removeprefix("http://").split(":")
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.connect((host, int(port)))
    return connection


BODY_OF_A_LONG_ANSWER = json.dumps(
    {"prompt": "a", "max_tokens": 900, "n": 8, "ignore_eos": True, "stream": True, "logprobs": 5, "timeout": 60}
)


@pytest.mark.parametrize(
    ("asked", "last"),
    [
        (f"{HEAD}Content-Length: {len(BODY_OF_A_LONG_ANSWER)}\r\n\r\n{BODY_OF_A_LONG_ANSWER}", b"[DONE]\n\n"),
        ("GET /schema/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100, b""),
    ],
    ids=["a stream", "one after the other"],
)
def test_who_does_not_read_holds_nothing(tiny_model, caplog, monkeypatch, asked, last):
    monkeypatch.setattr("gateway.api.http.connection.WRITE_TIMEOUT_S", 0.5)
    server = ServerConfig(port=0, max_connections=2)
    with serving(config_for(tiny_model, server=server)) as live:
        live.http.close()
        with connect_without_reading(live) as one, connect_without_reading(live) as other:
            for each in (one, other):
                each.sendall(asked.encode())
            end = time.monotonic() + 60
            while httpx.get(f"{live.url}/health").status_code != 200 or live.service.num_under_way:
                assert time.monotonic() < end, "they hold the server"
                time.sleep(0.05)
            received = b""
            with suppress(ConnectionResetError):
                received = rest_of(one)
        assert not (last and received.endswith(last))
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_who_reads_slowly_gets_all(tiny_model, monkeypatch):
    monkeypatch.setattr("gateway.api.http.connection.WRITE_TIMEOUT_S", 1.0)
    with serving(config_for(tiny_model)) as live:
        whole = live.get("/schema/openapi.json").content
        with connect_without_reading(live) as connection:
            connection.sendall(b"GET /schema/openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            received = b""
            while piece := connection.recv(8192):
                received += piece
                time.sleep(0.05)
        assert received.endswith(whole[-100:])


def test_unfinished_bodies_together_have_a_bound(tiny_model, clock, monkeypatch):
    head = f"{HEAD}Content-Length: 200000\r\n\r\n".encode()
    long = head + b"x" * 150_000

    def are_read(num_bytes):
        return lambda: clock.connections and clock.connections[0].unfinished.num_bytes == num_bytes

    monkeypatch.setattr("gateway.api.http.connection.MAX_UNFINISHED_BYTES", 400_000)
    with serving(config_for(tiny_model)) as live:
        waiting = [connect(live) for _ in range(2)]
        for each in waiting:
            each.sendall(long)
        wait_for(are_read(300_000))
        with connect(live) as connection:
            connection.sendall(long[:90_000])
            wait_for(are_read(390_000 - len(head)))
            connection.sendall(b"x" * 20_000)
            assert status_and_code(rest_of(connection)) == (503, "not_ready")
        # Who sends little is served beside them, and what was given up makes room.
        assert live.post("/v1/completions", json={"prompt": "a", "max_tokens": 1}).status_code == 200
        for each in waiting:
            each.close()
        wait_for(are_read(0))
        with connect(live) as connection:
            connection.sendall(long + b"x" * 50_000)
            assert connection.recv(65536).startswith(b"HTTP/1.1 400")


def test_who_asks_for_another_protocol_is_answered_in_this_one(bounded_live, caplog):
    asks = "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n"
    whole = WHOLE.replace("\r\n", f"\r\n{asks}", 1).encode()
    for cut in (len(whole), len(whole) - 5, whole.index(b"\r\n\r\n") + 4):
        with connect(bounded_live) as connection:
            connection.sendall(whole[:cut])
            time.sleep(0.05)
            connection.sendall(whole[cut:])
            assert rest_of(connection).startswith(b"HTTP/1.1 200")
    with connect(bounded_live) as connection:
        connection.sendall(b"CONNECT there:443 HTTP/1.1\r\n\r\n")
        assert status_and_code(rest_of(connection)) == (400, "invalid_value")
    assert not [record for record in caplog.records if "uvicorn" in record.name]


def test_requests_on_one_connection_each_have_their_time(bounded_live, clock):
    with connect(bounded_live) as connection:
        wait_for(lambda: clock.connections)
        for _ in range(3):
            clock.let_pass(40)
            connection.sendall(WHOLE[:40].encode())
            wait_for(lambda: clock.connections[0]._is_under_way)
            clock.let_pass(40)
            connection.sendall(WHOLE[40:].encode())
            reply = b""
            while b"finish_reason" not in reply:
                piece = connection.recv(65536)
                assert piece
                reply += piece
            assert reply.startswith(b"HTTP/1.1 200")


def test_an_answer_that_takes_long_is_not_cut(bounded_live, clock):
    body, engine = {"prompt": "a", "max_tokens": 90, "ignore_eos": True}, bounded_live.service._loaded.engine
    whole = json.dumps({**body, "stream": True}).encode()
    with connect(bounded_live) as connection, held(engine, after_tokens(engine, 60)) as let_go:
        connection.sendall(f"{HEAD}Connection: close\r\nContent-Length: {len(whole)}\r\n\r\n".encode() + whole)
        begun = connection.recv(1)
        clock.let_pass(600)
        let_go()
        reply = begun + rest_of(connection)
    assert reply.startswith(b"HTTP/1.1 200")
    assert b"data: [DONE]" in reply
