"""Agents that people run in a terminal, each through a whole loop: it reads a file, edits it, looks at it, and says so.

The model plays its part (see `playing.py`); the agent, its tools and the file are real. See README.md for where they
are looked for.
"""

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from playing import Call, Play, Stage, Turn

pytestmark = pytest.mark.agents

TASK = "Change hello to goodbye in notes.txt."
SAID = "The file says goodbye now."
KEY = "none"
MODEL = "portcullis"
FOLDER = os.environ.get("PORTCULLIS_AGENTS", "")
"""A folder of executables, before `PATH`."""


@dataclass(frozen=True)
class Agent:
    """One of them.

    Attributes:
        command: Its executable.
        arguments: What it is told.
        settings: What it finds in its environment; it has no other one.
        turns: What the model does with the file that is given: three calls and a last word.
        configure: Writes its own files into its home.
    """

    command: str
    arguments: tuple[str, ...]
    settings: Callable[[Play], dict[str, str]]
    turns: Callable[[Path], list[Turn]]
    configure: Callable[[Path, Play], None] = lambda home, play: None


def claude_turns(file: Path) -> list[Turn]:
    return [
        [Call("Read", {"file_path": str(file)})],
        [Call("Edit", {"file_path": str(file), "old_string": "hello", "new_string": "goodbye"})],
        [Call("Bash", {"command": "cat notes.txt", "description": "Show it"})],
        SAID,
    ]


PATCH = """apply_patch <<'EOF'
*** Begin Patch
*** Update File: notes.txt
@@
-hello
+goodbye
*** End Patch
EOF"""


def codex_turns(file: Path) -> list[Turn]:
    return [
        [Call("exec_command", {"cmd": "cat notes.txt"}), Call("exec_command", {"cmd": "ls"})],
        [Call("exec_command", {"cmd": PATCH})],
        # In a namespace, under which Codex looks for it: there is no such agent, which it says.
        [Call("multi_agent_v1__close_agent", {"target": "nobody"})],
        SAID,
    ]


def configure_codex(home: Path, play: Play) -> None:
    folder = home / ".codex"
    folder.mkdir()
    (folder / "config.toml").write_text(
        f"""model = "{MODEL}"
model_provider = "here"
check_for_update_on_startup = false
analytics.enabled = false
[model_providers.here]
name = "here"
base_url = "{play.url}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
"""
    )


AGENTS = {
    "Claude Code": Agent(
        "claude",
        ("-p", TASK, "--model", MODEL, "--allowedTools", "Read Edit Bash"),
        lambda play: {
            "ANTHROPIC_BASE_URL": play.url,
            "ANTHROPIC_API_KEY": KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_MAX_RETRIES": "0",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
        },
        claude_turns,
    ),
    "Codex": Agent(
        "codex",
        ("exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", TASK),
        lambda play: {},
        codex_turns,
        configure_codex,
    ),
}
TOLD = {
    "Claude Code": ["context_management", "metadata", "cache_control", "output_config.effort"],
    "Codex": ["include[0]", "client_metadata", "tools[8] (web_search)", "prompt_cache_key"],
}
"""What the ones whose wire bodies are known to ask for is left out; they may ask for more of it tomorrow."""


def run(command: str, agent: Agent, play: Play, home: Path, work: Path) -> subprocess.CompletedProcess[str]:
    """The agent at work, in a home of its own; it reaches this server alone."""
    agent.configure(home, play)
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), "http://127.0.0.1:9")
    here = {"NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost"}
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "TERM": "dumb", **proxies, **here}
    return subprocess.run(
        [command, *agent.arguments],
        cwd=work,
        env=environment | agent.settings(play),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=180,
    )


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_ends_a_whole_loop(request: pytest.FixtureRequest, tmp_path: Path, name: str) -> None:
    agent, home, work = AGENTS[name], tmp_path / "home", tmp_path / "work"
    command = shutil.which(agent.command, path=f"{FOLDER}:{os.environ['PATH']}")
    if command is None:
        pytest.skip(f"{agent.command} is not installed")
    stage: Stage = request.getfixturevalue("stage")
    home.mkdir()
    work.mkdir()
    file = work / "notes.txt"
    file.write_text("hello\n")
    with stage.playing(*agent.turns(file)) as play:
        done = run(command, agent, play, home, work)
        assert SAID in done.stdout, done.stdout + done.stderr
        assert play.is_over
    assert file.read_text() == "goodbye\n"
    assert [each.status for each in play.asked] == [200] * len(play.asked), play.asked
    # The model read what the tools brought, the edit among it.
    assert "goodbye" in play.prompt
    with_tools = [each for each in play.asked if each.body.get("tools")]
    assert len(with_tools) >= 4
    for each in with_tools:
        told = each.headers.get("x-portcullis-ignored", "").split(", ")
        assert set(TOLD.get(name, ())) <= set(told)
