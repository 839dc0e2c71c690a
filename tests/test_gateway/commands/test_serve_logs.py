"""`portcullis serve` as a process: the format of its logs, and HTTPS."""

import json
import socket
import ssl
import time
from datetime import datetime

import httpx
import pytest
from served_process import LONG, served
from tls_files import needs_openssl, self_signed

from gateway.commands.loading_server import LoadingServer
from gateway.config import ServerConfig
from gateway.config.tls import tls_context


def test_every_line_is_json_if_asked_for(tiny_model):
    with served(tiny_model, is_fake=False, log_level="debug", SERVER_LOG_FORMAT="json") as command:
        headers = {"x-request-id": "trace-7"}
        reply = httpx.post(f"{command.url}/v1/completions", json=LONG | {"max_tokens": 2}, headers=headers, timeout=120)
        assert reply.status_code == 200
        end = time.monotonic() + 10
        while "gateway.access" not in command.log:
            assert time.monotonic() < end
            time.sleep(0.01)
        command.process.terminate()
        assert command.process.wait(60) == 0
        records = [json.loads(line) for line in command.log.splitlines()]
    for record in records:
        assert {"time", "level", "logger", "message"} <= record.keys()
        assert datetime.fromisoformat(record["time"]).utcoffset() is not None
    assert any(record["message"].startswith("serving ") for record in records)
    # The engine's process logs in the same format.
    assert any(record["logger"].startswith("gateway.engine.") for record in records)
    (access,) = (record for record in records if record["logger"] == "gateway.access")
    assert (access["request_id"], access["status"], access["completion_tokens"]) == ("trace-7", 200, 2)


@needs_openssl
def test_https_is_served_with_a_certificate(tiny_model, tmp_path):
    cert, key = self_signed(tmp_path)
    trust = ssl.create_default_context(cafile=cert)
    with served(tiny_model, SERVER_TLS_CERT=cert, SERVER_TLS_KEY=key) as command:
        assert command.url.startswith("https://")
        with httpx.Client(base_url=command.url, verify=trust, timeout=120) as client:
            assert client.get("/ready").status_code == 200
            reply = client.post("/v1/completions", json=LONG | {"max_tokens": 3})
            assert reply.json()["usage"]["completion_tokens"] == 3
            with client.stream("POST", "/v1/completions", json=LONG | {"max_tokens": 3, "stream": True}) as stream:
                assert list(stream.iter_lines())[-2] == "data: [DONE]"
        with pytest.raises(httpx.HTTPError):
            httpx.get(command.url.replace("https", "http"), timeout=10)
        port = int(command.url.rpartition(":")[2])
        for version, spoken in ((ssl.TLSVersion.TLSv1_2, "TLSv1.2"), (ssl.TLSVersion.TLSv1_3, "TLSv1.3")):
            context = ssl.create_default_context(cafile=cert)
            context.minimum_version = context.maximum_version = version
            raw = socket.create_connection(("127.0.0.1", port), timeout=10)
            with context.wrap_socket(raw, server_hostname="127.0.0.1") as connection:
                assert connection.version() == spoken


@needs_openssl
def test_https_is_spoken_while_the_model_loads(tmp_path):
    cert, key = self_signed(tmp_path)
    trust = ssl.create_default_context(cafile=cert)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        with LoadingServer(listener, lambda stage: None, tls_context(ServerConfig(tls_cert=cert, tls_key=key))):
            with pytest.raises(httpx.HTTPError):
                httpx.get(f"http://127.0.0.1:{port}/health", timeout=10)
            assert httpx.get(f"https://127.0.0.1:{port}/health", verify=trust, timeout=10).status_code == 503
