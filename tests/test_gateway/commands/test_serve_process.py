"""`portcullis serve` as a process with its engine's processes: signals, deaths, and what is left of them."""

import json
import os
import pty
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import httpx
import process_entry
import pytest
from served_process import LONG, is_alive, served, streaming, tokens_of_stream, wait_for

from gateway.commands import serve
from gateway.config import Config, ServerConfig
from gateway.hosting.reloading import Reloading


def test_a_killed_engine_and_then_a_drain_under_load(tiny_model):
    with served(tiny_model, is_fake=False, SERVER_GRACEFUL_TIMEOUT_S=200, PROCESS_RESTART_WAIT_S=120) as command:
        forkserver, worker, *helpers = command.engine_pids()
        # Weights and kernels are the engine's; this process has not even the library.
        assert "libtorch" not in Path(f"/proc/{command.process.pid}/maps").read_text()
        assert "libtorch" in Path(f"/proc/{worker}/maps").read_text()

        with streaming(command) as lines:
            os.kill(worker, signal.SIGKILL)
            told = [line for line in lines if line]
        assert json.loads(told[-1][6:])["error"]["code"] == "engine_died"
        reply = httpx.post(f"{command.url}/v1/completions", json=LONG | {"max_tokens": 5}, timeout=120)
        assert reply.status_code == 200
        assert httpx.get(f"{command.url}/ready").status_code == 200
        assert "the engine died (SIGKILL" in command.log
        assert command.engine_pids()[0] == forkserver

        with ThreadPoolExecutor(8) as threads, streaming(command) as lines:
            have_begun = threading.Barrier(7)
            others = [threads.submit(tokens_of_stream, command, have_begun) for _ in range(6)]
            have_begun.wait(120)
            command.process.send_signal(signal.SIGTERM)
            wait_for(lambda: httpx.get(f"{command.url}/ready").status_code == 503)
            reply = httpx.post(f"{command.url}/v1/completions", json=LONG, timeout=120)
            assert (reply.status_code, reply.json()["error"]["code"]) == (503, "not_ready")
            assert reply.headers["retry-after"]
            assert httpx.get(f"{command.url}/health").status_code == 200
            assert [line for line in lines if line][-1] == "data: [DONE]"
            for other in others:
                assert other.result() == LONG["max_tokens"]
        pids = [forkserver, worker, *helpers]
        assert command.process.wait(60) == 0
        wait_for(lambda: not any(map(is_alive, pids)))
        assert "Traceback" not in command.log


@pytest.mark.slow  # a slice of it, without a server, is in test_engine_files.py
def test_a_folder_that_is_away_when_the_engine_starts_again_is_found_when_it_is_back(tiny_model, tmp_path):
    shutil.copytree(tiny_model, tmp_path / "model")
    with served("model", is_fake=False, folder=tmp_path, PROCESS_RESTART_WAIT_S=0.1) as command:
        _, worker, *_ = command.engine_pids()
        (tmp_path / "model").rename(tmp_path / "away")
        os.kill(worker, signal.SIGKILL)
        wait_for(lambda: "is not there any more" in command.log)
        assert httpx.get(f"{command.url}/ready").status_code == 503
        (tmp_path / "away").rename(tmp_path / "model")
        wait_for(lambda: httpx.get(f"{command.url}/ready").status_code == 200)
        body = {"prompt": "a", "max_tokens": 2}
        assert httpx.post(f"{command.url}/v1/completions", json=body, timeout=120).status_code == 200
        assert "hub" not in command.log


def test_code_of_the_working_directory_is_not_run(tiny_model, tmp_path):
    for name in ("gateway", "grammars", "numpy", "multiprocessing", "runpy"):
        package = tmp_path / name
        package.mkdir()
        package.joinpath("__init__.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write('{name} ')")
    with served(tiny_model.resolve(), is_fake=False, folder=tmp_path) as command:
        code = "from multiprocessing.resource_tracker import ensure_running; ensure_running()"
        environment = dict(
            line.split("=", 1)
            for pid in command.engine_pids()
            for line in Path(f"/proc/{pid}/environ").read_text().split("\0")
            if "=" in line
        )
        # What the engine's processes may start, as they would start it.
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((1024, 20_000), (1256, 20_000)),
        ((1024, 1100), (1100, 1100)),
        ((2000, 20_000), (2000, 20_000)),
        ((1024, resource.RLIM_INFINITY), (1256, resource.RLIM_INFINITY)),
        ((resource.RLIM_INFINITY, resource.RLIM_INFINITY), (resource.RLIM_INFINITY, resource.RLIM_INFINITY)),
    ],
)
def test_descriptors_are_allowed_as_far_as_clients_may_need_them(monkeypatch, before, after):
    limits, told = [before], []
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, pair: limits.append(pair))
    serve._allow_descriptors(1000, told.append)
    assert limits[-1] == after
    few = ["1000 connections may need 1256 open files, and 1100 are allowed (ulimit -Hn)"]
    assert told == (few if after == (1100, 1100) else [])


def test_metrics_have_a_port_of_their_own(tiny_model):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with served(tiny_model, SERVER_METRICS_PORT=port) as command:
        apart = f"http://127.0.0.1:{port}"
        assert "vllm:num_requests_running" in httpx.get(f"{apart}/metrics").text
        assert [httpx.get(f"{apart}{path}").status_code for path in ("/v1/models", "/health")] == [404, 404]
        assert httpx.get(f"{command.url}/metrics").status_code == 404
        assert httpx.get(f"{command.url}/v1/models").status_code == 200


def test_keys_and_policies_are_read_again_at_a_signal_and_streams_go_on(tiny_model, tmp_path):
    keys, policies = tmp_path / "keys", tmp_path / "policies.toml"

    def asked(key, word):
        body = {"prompt": word, "max_tokens": 2}
        reply = httpx.post(f"{command.url}/v1/completions", json=body, headers={"x-api-key": key}, timeout=120)
        return reply.status_code, reply.json().get("error", {}).get("code")

    def write(key, word):
        keys.write_text(f"{key}\n")
        rule = f'{{ guard = "terms", terms = ["{word}"], action = "block" }}'
        policies.write_text(f'default = "p"\n[policies.p]\ninput = [{rule}]\n')

    def read_again(said):
        num_lines = len(command.lines)
        command.process.send_signal(signal.SIGHUP)
        wait_for(lambda: said in "".join(command.lines[num_lines:]))

    write("first", "apple")
    with served(tiny_model, SERVER_API_KEY_FILE=keys, SERVER_POLICIES=policies) as command:
        assert (asked("first", "apple")[0], asked("first", "pear")[0], asked("second", "pear")[0]) == (400, 200, 401)
        with streaming(command, headers={"x-api-key": "first"}, max_tokens=300) as lines:
            write("second", "pear")
            read_again("read again: 1 API keys")
            assert (asked("second", "apple")[0], asked("second", "pear")[0], asked("first", "apple")[0]) == (
                200,
                400,
                401,
            )
            # What cannot be used leaves all as it was.
            policies.write_text("default = [")
            read_again("keys and policies stay as they were")
            keys.write_text("")
            read_again("keys and policies stay as they were")
            assert (asked("second", "apple")[0], asked("second", "pear")[0], asked("", "apple")[0]) == (200, 400, 401)
            for pid in command.engine_pids():
                os.kill(pid, signal.SIGHUP)
            assert [line for line in lines if line][-1] == "data: [DONE]"
        assert asked("second", "apple") == (200, None)
        command.process.send_signal(signal.SIGTERM)
        assert command.process.wait(60) == 0
        assert "Traceback" not in command.log


def test_a_terminal_that_is_gone_is_missed(monkeypatch):
    terminal, side = pty.openpty()
    monkeypatch.setattr(os, "isatty", partial(lambda real, number: real(side if number == 0 else number), os.isatty))
    reloading = Reloading(Config(), Config, print)
    assert not reloading.has_lost_terminal
    os.close(terminal)
    assert reloading.has_lost_terminal
    os.close(side)
    assert not Reloading(Config(), Config, print).has_lost_terminal  # there was none


@pytest.mark.slow  # a slice of it is above
def test_a_terminal_that_is_closed_lets_answers_end(tiny_model):
    terminal, side = pty.openpty()
    with served(tiny_model, terminal=side) as command:
        with streaming(command) as lines:
            os.close(side)
            os.close(terminal)
            assert [line for line in lines if line][-1] == "data: [DONE]"
        assert command.process.wait(60) == 0
        assert "Traceback" not in command.log


def test_the_command_has_descriptors_for_its_connections(tiny_model):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))
    try:
        with served(tiny_model) as command:
            allowed, _ = resource.prlimit(command.process.pid, resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert allowed in (ServerConfig().max_connections + serve.SPARE_DESCRIPTORS, hard)


def test_what_is_not_finished_in_time_is_told_so(tiny_model):
    with served(tiny_model, SERVER_GRACEFUL_TIMEOUT_S=1) as command:
        pids = command.engine_pids()
        with streaming(command, max_tokens=4000) as lines:
            command.process.send_signal(signal.SIGINT)
            told = [line for line in lines if line]
        assert json.loads(told[-1][6:])["error"]["code"] == "not_ready"
        assert command.process.wait(60) == 0
        assert "finishing 1 requests, for 1 s at most" in command.log
        assert "ending 1 requests that are not finished after 1 s (server.graceful_timeout_s)" in command.log
        assert "Traceback" not in command.log
        wait_for(lambda: not any(map(is_alive, pids)))


@pytest.mark.parametrize(
    "signals", [(signal.SIGTERM, signal.SIGTERM), (signal.SIGINT, signal.SIGTERM), (signal.SIGKILL,)]
)
def test_the_end_at_once_leaves_nothing_behind(tiny_model, signals):
    with served(tiny_model) as command:
        pids = command.engine_pids()
        with streaming(command, max_tokens=4000) as lines:
            for number in signals:
                command.process.send_signal(number)
                if number != signal.SIGKILL:
                    wait_for(lambda: "finishing 1 requests" in command.log)
            with pytest.raises(httpx.RemoteProtocolError):
                list(lines)
        assert command.process.wait(60) in (128 + signals[-1], -signals[-1])
        wait_for(lambda: not any(map(is_alive, pids)))


def test_an_engine_that_died_for_good_ends_the_command_with_a_status(tiny_model):
    with served(tiny_model, PROCESS_MAX_RESTARTS=1) as command:
        for _ in range(2):
            wait_for(lambda: httpx.get(f"{command.url}/ready", timeout=30).status_code == 200)
            body = {"prompt": [process_entry.DIE], "max_tokens": 1}
            assert httpx.post(f"{command.url}/v1/completions", json=body, timeout=60).status_code == 503
        assert command.process.wait(60) == 1
        command._reader.join(30)
        assert "given up" in command.log
        assert "Traceback" not in command.log


def test_an_engine_that_dies_again_and_again_is_started_again_and_again(tiny_model):
    with served(tiny_model, PROCESS_RESTART_WAIT_S=1) as command:
        for _ in range(8):
            reply = httpx.post(
                f"{command.url}/v1/completions", json={"prompt": [process_entry.DIE], "max_tokens": 1}, timeout=120
            )
            assert reply.status_code == 503
            if reply.json()["error"]["code"] == "not_ready":
                wait_for(lambda: httpx.get(f"{command.url}/ready", timeout=30).status_code == 200, 90)
                break
        else:
            raise AssertionError("it died eight times without a pause")
        reply = httpx.post(f"{command.url}/v1/completions", json={"prompt": [5], "max_tokens": 1}, timeout=120)
        assert reply.status_code == 200
