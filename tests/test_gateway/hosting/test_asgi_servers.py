"""The whole server under ASGI servers other than `portcullis serve`, as processes."""

import os
import re
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest
from served_process import is_alive, served, tokens_of_stream, wait_for

APP = "gateway.app:app"
SERVERS = {
    "uvicorn": ("uvicorn", [APP, "--port", "0", "--timeout-graceful-shutdown", "60"]),
    "hypercorn": ("hypercorn.__main__", [APP, "--bind", "127.0.0.1:0", "--graceful-timeout", "60", "--workers", "0"]),
}
NUM_STREAMS, NUM_TOKENS = 20, 25


@pytest.fixture(params=SERVERS)
def server(request):
    module, flags = SERVERS[request.param]
    if find_spec(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    return {"module": module, "flags": flags}


def counters(url):
    """Values of all counters of `/metrics`, by name and labels."""
    text = httpx.get(f"{url}/metrics").text
    return {
        name: float(value) for name, value in re.findall(r"^(\S+_(?:total|count|sum|bucket\S*)\S*) (\S+)$", text, re.M)
    }


def test_streams_end_whole_at_sigterm_and_nothing_is_left(tiny_model, server):
    with served(tiny_model, **server) as command:
        pids = [command.process.pid, *command.engine_pids()]
        have_begun = threading.Barrier(NUM_STREAMS + 1)
        with ThreadPoolExecutor(NUM_STREAMS) as threads:
            streams = [
                threads.submit(tokens_of_stream, command, have_begun, max_tokens=NUM_TOKENS) for _ in range(NUM_STREAMS)
            ]
            have_begun.wait(120)
            command.process.send_signal(signal.SIGTERM)
            assert [stream.result() for stream in streams] == [NUM_TOKENS] * NUM_STREAMS
        command.process.wait(60)
        wait_for(lambda: not any(map(is_alive, pids)))
        assert "Traceback" not in command.log


def test_a_killed_engine_comes_back_and_no_counter_falls(tiny_model, server):
    with served(tiny_model, is_fake=False, PROCESS_RESTART_WAIT_S=120, **server) as command:
        ask = {"prompt": "a", "max_tokens": 5, "ignore_eos": True}
        assert httpx.post(f"{command.url}/v1/completions", json=ask, timeout=120).status_code == 200
        before = counters(command.url)
        _, worker, *_ = command.engine_pids()
        assert "libtorch" not in Path(f"/proc/{command.process.pid}/maps").read_text()
        os.kill(worker, signal.SIGKILL)
        wait_for(lambda: not is_alive(worker))
        between = counters(command.url)
        assert httpx.post(f"{command.url}/v1/completions", json=ask, timeout=120).status_code == 200
        after = counters(command.url)
    assert before['vllm:generation_tokens_total{model_name="tiny0"}'] == 5
    for older, newer in ((before, between), (between, after)):
        # The operating system's counters of a process begin with it.
        kept = {name: value for name, value in older.items() if not name.startswith("portcullis_engine_process_")}
        assert [name for name, value in kept.items() if newer[name] < value] == []
    assert after['vllm:generation_tokens_total{model_name="tiny0"}'] == 10


def test_a_wrong_setting_ends_the_start_with_its_name(tiny_model):
    module, flags = SERVERS["uvicorn"]
    with (
        pytest.raises(AssertionError, match=r"SERVER_PORTS.*did you mean"),
        served(tiny_model, module=module, flags=flags, SERVER_PORTS=1),
    ):
        pass
