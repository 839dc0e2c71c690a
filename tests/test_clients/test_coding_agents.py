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
from playing import Stage

pytestmark = pytest.mark.agents

PATH = os.environ["PATH"]
FOLDERS = os.environ.get("PORTCULLIS_AGENTS", "")
"""Of executables, before `PATH`."""


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_ends_a_whole_loop(request: pytest.FixtureRequest, tmp_path: Path, name: str) -> None:
    agent = AGENTS[name]
    command = shutil.which(agent.command, path=f"{FOLDERS}:{PATH}")
    if command is None:
        pytest.skip(f"{agent.command} is not installed")
    stage: Stage = request.getfixturevalue("stage")
    place = Place(stage.play.url, tmp_path / "home", tmp_path / "work")
    place.home.mkdir()
    place.work.mkdir()
    place.file.write_text("hello\n")
    agent.configure(command, place)
    with stage.playing(*agent.turns(place), by_tools=agent.has_tools) as play:
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
    assert place.file.read_text() == "goodbye\n"
    assert [each.status for each in play.asked] == [200] * len(play.asked), play.asked
    if agent.has_tools:
        calling = [each for each in play.asked if each.body.get("tools")]
        assert len(calling) >= 4
        assert "goodbye" in play.prompt, "the model reads what the tools bring"
        for each in calling:
            assert set(agent.told) <= set(each.headers.get("x-portcullis-ignored", "").split(", "))
