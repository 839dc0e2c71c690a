"""Forkservers and their standbys: what becomes of them, and of what they fork, when they die or can fork nothing."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from process_engines import (
    ask,
    assert_serves,
    has_standby,
    is_alive,
    kill,
    make,
    parent_of_the_worker,
    pid_of_standby,
    prepared_pid,
    request,
    wait_for,
)

from gateway.engine.errors import EngineUnavailableError
from gateway.engine.process import EngineProcess, Forkserver, forkserver_client
from gateway.engine.process.channel import ChannelClosedError


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[EngineProcess]:
    """One to be killed."""
    with make(str(tmp_path), restart_wait_s=120.0) as engine:
        yield engine


def recorded_pairs(monkeypatch: pytest.MonkeyPatch) -> list[socket.socket]:
    """The ends of pairs of sockets that the handles on processes make from now on."""
    opened: list[socket.socket] = []

    def socketpair(*arguments: Any) -> tuple[socket.socket, socket.socket]:
        pair = socket.socketpair(*arguments)
        opened.extend(pair)
        return pair

    monkeypatch.setattr(forkserver_client, "socket", SimpleNamespace(**vars(socket) | {"socketpair": socketpair}))
    return opened


def refused(monkeypatch: pytest.MonkeyPatch, name: str) -> list[str]:
    """Have a method of `Forkserver` find no descriptor; returns a list that grows with each call."""
    calls: list[str] = []

    def refuse(_: object) -> Any:
        calls.append(name)
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(Forkserver, name, refuse)
    return calls


def has_restarted(engine: EngineProcess, times: int) -> bool:
    return engine.num_restarts == times


def test_the_forkserver_may_die_too(engine: EngineProcess, tmp_path: Path) -> None:
    pid, parent = map(int, tmp_path.joinpath("pids").read_text().split())
    assert pid == engine.pid
    os.kill(parent, signal.SIGKILL)
    wait_for(lambda: not is_alive(pid))
    assert_serves(engine)
    assert engine.num_restarts == 1


def test_a_standby_takes_the_place_of_a_forkserver_that_died(
    engine: EngineProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(command: Any) -> Any:
        raise AssertionError("a new one was started")

    monkeypatch.setattr(Forkserver, "start", refused)
    dead: list[int] = []
    for expected in (1, 2, 3):
        wait_for(lambda: has_standby(engine))
        dead.append(parent_of_the_worker(tmp_path))
        os.kill(dead[-1], signal.SIGKILL)
        wait_for(partial(has_restarted, engine, expected))
        assert_serves(engine)
        assert parent_of_the_worker(tmp_path) not in dead
    # Whoever was orphaned is a child of this process, and was reaped.
    last = parent_of_the_worker(tmp_path)
    assert is_alive(last)
    engine.close()
    wait_for(lambda: not is_alive(last))
    # Nobody of their process group is left, not even to be reaped.
    with pytest.raises(ChildProcessError):
        os.waitpid(-dead[0], 0)


def test_a_standby_that_died_is_replaced(engine: EngineProcess) -> None:
    wait_for(lambda: has_standby(engine))
    servers = engine._forkservers
    first, pid = servers.standby, engine.pid
    os.kill(prepared_pid(first), signal.SIGKILL)
    wait_for(lambda: servers.standby not in (first, None))
    assert engine.pid == pid
    assert_serves(engine)


def test_what_forkservers_leave_is_reaped_whenever_it_ends(engine: EngineProcess, tmp_path: Path) -> None:
    left = []
    with engine.fork_helper() as helper:
        for _ in range(2):
            helper.sendall(b"x")
            left.append(int(helper.recv(20)))
        for pid in (pid_of_standby(engine), parent_of_the_worker(tmp_path)):
            os.kill(pid, signal.SIGKILL)
        wait_for(lambda: engine.num_restarts == 1)
        os.kill(left[0], signal.SIGKILL)
        # What ended is looked for when there is to be a standby.
        os.kill(pid_of_standby(engine), signal.SIGKILL)
        wait_for(lambda: not Path(f"/proc/{left[0]}").exists())
        assert is_alive(left[1])
    engine.close()
    assert not Path(f"/proc/{left[1]}").exists()


def test_a_helper_that_is_asked_for_at_the_end_finds_its_socket_closed(
    engine: EngineProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    helpers: list[socket.socket] = []
    close = engine._forkservers.close
    monkeypatch.setattr(engine._forkservers, "close", lambda: (helpers.append(engine.fork_helper()), close()))
    engine.close()
    with helpers[0] as helper:
        helper.settimeout(60)
        assert helper.recv(1) == b""


def test_before_there_is_a_standby_orphans_are_not_adopted() -> None:
    code = (
        "import os, subprocess, sys; from gateway.engine.process import Forkserver\n"
        "server = Forkserver.start((sys.executable, '-c', 'import time; time.sleep(600)'))\n"
        "left = int(subprocess.check_output(['sh', '-c', 'sleep 600 > /dev/null 2>&1 & echo $!']))\n"
        "state = open(f'/proc/{left}/stat').read()\n"
        "os.kill(left, 9)\n"
        "assert int(state.rsplit(')', 1)[1].split()[1]) != os.getpid()\n"
        "server.close()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_fork_that_fails_ends_only_what_was_asked_for(
    engine: EngineProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Forkserver] = []
    fork_standby, pid, standby_pid = Forkserver.fork_standby, engine.pid, pid_of_standby(engine)
    monkeypatch.setattr(Forkserver, "fork_standby", lambda server: asked.append(server) or fork_standby(server))
    tmp_path.joinpath("full").touch()
    with engine.fork_helper() as helper:
        assert helper.recv(1) == b""
    os.kill(standby_pid, signal.SIGKILL)
    wait_for(lambda: len(asked) > 1)
    tmp_path.joinpath("full").unlink()
    wait_for(lambda: has_standby(engine))
    with engine.fork_helper() as helper:
        helper.sendall(b"x")
        os.kill(int(helper.recv(20)), signal.SIGKILL)
    assert_serves(engine)
    assert (engine.pid, engine.num_restarts) == (pid, 0)


def test_a_worker_that_cannot_be_forked_is_a_death(
    engine: EngineProcess, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tmp_path.joinpath("full").touch()
    kill(engine)
    wait_for(lambda: os.strerror(errno.EAGAIN) in caplog.text)
    tmp_path.joinpath("full").unlink()
    assert_serves(engine)
    assert engine.num_restarts == 1


@pytest.mark.parametrize("name", ["fork", "start"])
def test_a_start_without_a_descriptor_left_is_a_death(
    engine: EngineProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    forkserver, pid, standby = parent_of_the_worker(tmp_path), engine.pid, pid_of_standby(engine)
    standbys = refused(monkeypatch, "fork_standby")
    os.kill(standby, signal.SIGKILL)
    wait_for(lambda: len(standbys) > 1)
    assert engine.pid == pid
    calls = refused(monkeypatch, name)
    os.kill(forkserver, signal.SIGKILL)
    wait_for(lambda: len(calls) > 1)
    assert engine.trouble == "the engine is starting again"
    monkeypatch.undo()
    assert_serves(engine)
    assert engine.num_restarts == 1


@pytest.mark.parametrize("ask_for", [Forkserver.fork, Forkserver.fork_standby])
def test_asking_a_forkserver_that_is_gone_leaves_nothing_open(
    ask_for: Callable[[Forkserver], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Forkserver.start((sys.executable, "-c", "pass"))
    wait_for(lambda: server.is_gone)
    opened = recorded_pairs(monkeypatch)
    with pytest.raises(ChannelClosedError) as caught:
        ask_for(server)
    # The traceback keeps what the call held.
    assert caught.traceback
    assert [end.fileno() for end in opened] == [-1, -1]
    server.close()


def test_a_forkserver_that_cannot_be_started_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = recorded_pairs(monkeypatch)
    with pytest.raises(OSError, match="no such command") as caught:
        Forkserver.start(("/no such command",))
    assert caught.traceback
    assert [end.fileno() for end in opened] == [-1, -1]


def test_requests_do_not_wait_longer_than_they_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with make(str(tmp_path), restart_wait_s=0.0) as engine:
        refused(monkeypatch, "fork")
        kill(engine)
        with pytest.raises(EngineUnavailableError, match="starting again"):
            ask(engine, request("1", [5]))
        monkeypatch.undo()
        wait_for(lambda: engine.is_running)
        assert_serves(engine)
