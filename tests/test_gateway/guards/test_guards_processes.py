"""The process of a guard's model: what it dies of, and that it ends for good."""

import os
import subprocess
import time
from threading import Thread

import pytest
from held_engine import wait_for

from gateway.errors import ConfigError
from gateway.guards import JudgeError, Policies
from gateway.guards.policy import Choice
from gateway.guards.processes import ModelProcess

PROGRAM = """
import json, os, sys
from pathlib import Path

folder = Path(sys.argv[1])
with (folder / "starts").open("a") as file:
    file.write("x")
if (folder / "broken").exists():
    print(json.dumps({"error": "it is broken"}), flush=True)
    sys.exit(1)
print(json.dumps({}), flush=True)
for line in sys.stdin:
    (text,) = json.loads(line)["texts"]
    if text == "half":
        sys.stdout.write('{"said": [[0.')
        sys.stdout.flush()
        os._exit(9)
    if text == "for ever":
        (folder / "asked").write_text("x")
        sys.stdin.readline()
    print(json.dumps({"said": text}), flush=True)
"""


class Fake(ModelProcess):
    module = "a_model"
    name = "fake"

    def num_starts(self):
        return os.path.getsize(f"{self.folder}/starts")

    def said(self, text):
        return self.ask([text], 20)["said"]


@pytest.fixture
def process(tmp_path, monkeypatch):
    (tmp_path / "a_model.py").write_text(PROGRAM)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    process = Fake.of(str(tmp_path))
    process.open()
    yield process
    process.close()


def asked(process, text):
    """A thread that asks, and what came of it."""
    came = []

    def ask():
        try:
            came.append(process.said(text))
        except JudgeError as error:
            came.append(str(error))

    thread = Thread(target=ask)
    thread.start()
    return thread, came


def test_one_that_dies_while_it_answers_has_not_answered(process):
    with pytest.raises(JudgeError, match="ended"):
        process.said("half")
    assert process.said("again") == "again"


def test_it_ends_for_good_while_it_is_asked_and_others_wait(process, tmp_path):
    os.mkfifo(tmp_path / "asked")
    threads = [asked(process, "for ever")]
    (tmp_path / "asked").read_text()
    threads += [asked(process, "next") for _ in range(3)]
    process.close()
    for thread, _ in threads:
        thread.join()
    with pytest.raises(JudgeError):
        process.said("late")
    assert all("fake" in said for _, (said,) in threads)
    assert (process.num_starts(), process._process) == (1, None)
    process.open()
    assert process.said("anew") == "anew"


def test_one_that_is_closed_while_it_starts_ends(process, monkeypatch):
    process.close()
    process._is_closed = False
    real, started, closers = subprocess.Popen, [], []

    def begin(*args, **kwargs):
        started.append(real(*args, **kwargs))
        closers.append(Thread(target=process.close))
        closers[0].start()
        wait_for(lambda: process._is_closed, 20)
        return started[0]

    monkeypatch.setattr(subprocess, "Popen", begin)
    with pytest.raises(JudgeError, match="was closed"):
        process.said("x")
    closers[0].join()
    assert started[0].poll() is not None
    assert process._process is None


def test_after_a_start_that_failed_there_is_a_pause(process, tmp_path, monkeypatch):
    (tmp_path / "broken").touch()
    with pytest.raises(JudgeError, match="ended"):
        process.said("half")
    with pytest.raises(JudgeError, match="it is broken"):
        process.said("x")
    with pytest.raises(JudgeError, match="a moment ago"):
        process.said("x")
    assert process.num_starts() == 2
    (tmp_path / "broken").unlink()
    process._pause_end = time.monotonic()
    assert process.said("x") == "x"


def test_one_that_cannot_be_forked_has_not_answered(process, monkeypatch):
    def refuse(*args, **kwargs):
        raise OSError(11, "Resource temporarily unavailable")

    with pytest.raises(JudgeError):
        process.said("half")
    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(JudgeError, match="temporarily unavailable"):
        process.said("x")


def test_it_ends_with_the_last_that_holds_it(process, tmp_path):
    (tmp_path / "other").mkdir()
    other = Fake.of(str(tmp_path / "other"))
    other.open()
    begun = other._process
    del other
    assert begun.poll() is not None
    assert process.said("still there") == "still there"
    # Its name is free again.
    other = Fake.of(str(tmp_path / "other"))
    other.open()
    assert other.num_starts() == 2
    other.close()


def test_policies_one_of_whose_judges_fails_close_none(process, tmp_path, monkeypatch):
    class Judge:
        def __init__(self, folder):
            self.process = Fake.of(str(folder))

        def open(self):
            self.process.open()

    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "broken").touch()
    judges = [Judge(tmp_path), Judge(tmp_path / "other")]
    monkeypatch.setattr(Policies, "_judges", judges)
    with pytest.raises(ConfigError, match="it is broken"):
        Policies(named={}, everyone=Choice(default="p", allowed=())).open()
    assert (process.said("still there"), process.num_starts()) == ("still there", 1)
