"""`portcullis serve`: its start and its end."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading

import httpx
import openai
import pytest

from gateway.cli import main
from gateway.commands.loading_server import LoadingServer


def test_who_asks_while_the_model_loads_is_told_the_stage():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        told = []
        with LoadingServer(listener, told.append) as starting:
            silent = socket.create_connection(listener.getsockname(), timeout=30)  # says nothing, holds up nobody
            starting("loading the weights")
            reply = httpx.get(f"{url}/health", timeout=30)
            assert (reply.status_code, reply.headers["retry-after"]) == (503, "1")
            assert (reply.json()["status"], reply.json()["stage"]) == ("starting", "loading the weights")
            with pytest.raises(openai.InternalServerError, match="loading the weights"):
                openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0).models.list()
            reply = httpx.head(f"{url}/health", timeout=30)
            assert (reply.status_code, reply.content) == (503, b"")
        silent.close()
        assert told == ["loading the weights"]
        # Whoever comes next serves on it.
        listener.setblocking(True)
        with socket.create_connection(listener.getsockname(), timeout=30), listener.accept()[0]:
            pass


def test_serve_prints_its_address_serves_and_leaves_on_a_signal(tiny_model):
    process = subprocess.Popen(
        [sys.executable, "-m", "gateway", "serve", "--model", str(tiny_model), "--port", "0", "--api-key", "k"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PORTCULLIS_MODEL_NAME": "named"},
    )
    lines = []
    timer = threading.Timer(240, process.kill)
    timer.start()
    try:
        for line in process.stderr:
            lines.append(line)
            address = re.search(r"serving named on (http://127\.0\.0\.1:\d+/v1)", line)
            if address:
                break
        else:
            raise AssertionError("".join(lines))
        assert any("loading the weights" in line for line in lines)
        assert not any("everyone who reaches" in line for line in lines)
        models = httpx.get(f"{address[1]}/models", headers={"x-api-key": "k"}, timeout=30)
        assert models.json()["data"][0]["id"] == "named"
        assert httpx.get(f"{address[1]}/models", timeout=30).status_code == 401
        body = {"prompt": "x", "max_tokens": 400, "ignore_eos": True, "stream": True}
        with httpx.stream(
            "POST", f"{address[1]}/completions", json=body, headers={"x-api-key": "k"}, timeout=60
        ) as stream:
            events = stream.iter_lines()
            next(events)
            process.send_signal(signal.SIGTERM)
            # What is under way when the signal comes is finished first.
            assert list(events)[-2:] == ["data: [DONE]", ""]
        rest = process.stderr.read()
        assert process.wait(30) == 0
        assert "stopped" in rest
        assert "Traceback" not in rest
    finally:
        timer.cancel()
        process.kill()
        process.wait()
        process.stderr.close()


def test_serve_says_that_an_address_is_taken_before_it_loads(capsys):
    before = signal.getsignal(signal.SIGTERM)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        try:
            assert main(["serve", "--port", str(taken.getsockname()[1])]) == 1
        finally:
            signal.signal(signal.SIGTERM, before)
    error = capsys.readouterr().err
    assert "cannot bind" in error
    assert "--port" in error
    assert "loading" not in error
