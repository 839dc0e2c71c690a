"""Agents that people run in a terminal, each through a whole loop: it reads a file, edits it, looks at it, and says so.

The model plays its part (see `playing.py`); the agent, its tools and the file are real. See README.md for where they
are looked for.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from coding_agents import AGENTS, SAID, Place
from playing import THOUGHTS, Play

pytestmark = pytest.mark.agents

PATH = os.environ["PATH"]
FOLDERS = os.environ.get("PORTCULLIS_AGENTS", "")
"""Of executables, before `PATH`."""


def found(name: str) -> str:
    """The agent's executable."""
    command = shutil.which(AGENTS[name].command, path=f"{FOLDERS}:{PATH}")
    if command is None:
        pytest.skip(f"{AGENTS[name].command} is not installed")
    return command


def at_work(name: str, command: str, play: Play, folder: Path) -> Path:
    """The file that the agent has edited, as it says."""
    agent, place = AGENTS[name], Place(play.url, folder / "home", folder / "work")
    place.home.mkdir()
    place.work.mkdir()
    place.file.write_text("hello\n")
    agent.configure(command, place)
    play.turns, play.by_tools = iter(agent.turns(place)), agent.has_tools
    done = subprocess.run(
        [command, *agent.arguments(place)],
        cwd=place.work,
        env={"PATH": PATH, **place.environment, **agent.settings(place)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert SAID in done.stdout, done.stdout + done.stderr
    assert play.is_over
    assert [each.status for each in play.asked] == [200] * len(play.asked), play.asked
    return place.file


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_ends_a_whole_loop(request: pytest.FixtureRequest, tmp_path: Path, name: str) -> None:
    agent, command = AGENTS[name], found(name)
    with request.getfixturevalue("stage").playing() as play:
        assert at_work(name, command, play, tmp_path).read_text() == "goodbye\n"
        calling = [each for each in play.asked if each.body.get("tools")]
        if agent.has_tools:
            assert len(calling) >= 4
            assert "goodbye" in play.prompt, "the model reads what the tools bring"
        for each in calling:
            assert set(agent.told) <= set(each.headers.get("x-portcullis-ignored", "").split(", "))


@pytest.mark.parametrize("name", ["Claude Code", "Codex"])
def test_a_model_reads_what_it_thought_between_calls(request: pytest.FixtureRequest, tmp_path: Path, name: str) -> None:
    command = found(name)
    with request.getfixturevalue("thinking_stage").playing() as play:
        assert at_work(name, command, play, tmp_path).read_text() == "goodbye\n"
        assert play.prompt.count(f"<think>{THOUGHTS}") == 3
