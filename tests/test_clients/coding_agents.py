"""Agents that people run in a terminal: how each is told of a server, and what a model calls to edit a file with it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playing import Call, Turn

TASK = "Change hello to goodbye in notes.txt."
SAID = "The file says goodbye now."
KEY = "none"
MODEL = "portcullis"
DEAD = "http://127.0.0.1:9"
"""A proxy that is not there: what an agent would tell others goes nowhere."""


@dataclass(frozen=True)
class Place:
    """Where an agent is at work.

    Attributes:
        url: The server's, without a path.
        home: Its home, with nothing of anybody else's.
        work: The folder with the file.
    """

    url: str
    home: Path
    work: Path

    @property
    def file(self) -> Path:
        return self.work / "notes.txt"

    @property
    def environment(self) -> dict[str, str]:
        proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), DEAD)
        here = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost")
        return {"HOME": str(self.home), "TERM": "dumb", **proxies, **here}


def nothing(command: str, place: Place) -> None:
    """There is nothing to write before."""


@dataclass(frozen=True, kw_only=True)
class Agent:
    """One of them.

    Attributes:
        command: Its executable.
        arguments: What it is told.
        turns: What the model does: three calls, the edit among them, and a last word.
        settings: What it finds in its environment.
        configure: Writes its own files, before it runs.
        told: Some of what the server tells to have left out of its requests.
        has_tools: It has the model call tools; or else it reads edits out of texts.
    """

    command: str
    arguments: Callable[[Place], list[str]]
    turns: Callable[[Place], list[Turn]]
    settings: Callable[[Place], dict[str, str]] = lambda place: {}
    configure: Callable[[str, Place], None] = nothing
    told: tuple[str, ...] = ()
    has_tools: bool = True


PATCH = """apply_patch <<'EOF'
*** Begin Patch
*** Update File: notes.txt
@@
-hello
+goodbye
*** End Patch
EOF"""
BLOCK = """notes.txt
```
<<<<<<< SEARCH
hello
=======
goodbye
>>>>>>> REPLACE
```
"""


def edits(read: Call, edit: Call, look: Call) -> list[Turn]:
    return [[read], [edit], [look], SAID]


def configure_codex(command: str, place: Place) -> None:
    folder = place.home / ".codex"
    folder.mkdir()
    (folder / "config.toml").write_text(
        f"""model = "{MODEL}"
model_provider = "here"
check_for_update_on_startup = false
analytics.enabled = false
[model_providers.here]
name = "here"
base_url = "{place.url}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
"""
    )


def configure_opencode(command: str, place: Place) -> None:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{place.url}/v1", "apiKey": KEY},
        "models": {MODEL: {"limit": {"context": 200_000, "output": 32_000}}},
    }
    settings = {"provider": {"here": provider}, "small_model": f"here/{MODEL}", "autoupdate": False}
    (place.work / "opencode.json").write_text(json.dumps(settings))


def configure_continue(command: str, place: Place) -> None:
    (place.home / "config.yaml").write_text(
        f"""name: here
version: 1.0.0
schema: v1
models:
  - name: {MODEL}
    provider: openai
    model: {MODEL}
    apiBase: {place.url}/v1
    apiKey: {KEY}
    roles: [chat, edit, apply]
    capabilities: [tool_use]
"""
    )


def configure_cline(command: str, place: Place) -> None:
    arguments = ["auth", "-p", "openai-compatible", "-k", KEY, "-m", MODEL, "-b", f"{place.url}/v1"]
    environment = {"HOME": str(place.home), "CLINE_TELEMETRY_DISABLED": "1"}
    subprocess.run([command, *arguments], env=environment, stdin=subprocess.DEVNULL, check=True, timeout=60)


AGENTS = {
    "Claude Code": Agent(
        command="claude",
        arguments=lambda place: ["-p", TASK, "--model", MODEL, "--allowedTools", "Read Edit Bash"],
        turns=lambda place: edits(
            Call("Read", {"file_path": str(place.file)}),
            Call("Edit", {"file_path": str(place.file), "old_string": "hello", "new_string": "goodbye"}),
            Call("Bash", {"command": "cat notes.txt", "description": "Show it"}),
        ),
        settings=lambda place: {
            "ANTHROPIC_BASE_URL": place.url,
            "ANTHROPIC_API_KEY": KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_MAX_RETRIES": "0",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
        },
        told=("system[0] (billing header)", "context_management", "metadata", "cache_control", "output_config.effort"),
    ),
    "Codex": Agent(
        command="codex",
        arguments=lambda place: ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", TASK],
        turns=lambda place: edits(
            Call("exec_command", {"cmd": "cat notes.txt"}),
            Call("exec_command", {"cmd": PATCH}),
            # In a namespace, where Codex looks for it: there is no such agent, as it tells the model.
            Call("multi_agent_v1__close_agent", {"target": "nobody"}),
        ),
        configure=configure_codex,
        told=("include[0]", "client_metadata", "tools[8] (web_search)", "prompt_cache_key"),
    ),
    "opencode": Agent(
        command="opencode",
        arguments=lambda place: ["run", "-m", f"here/{MODEL}", TASK],
        turns=lambda place: edits(
            Call("read", {"filePath": str(place.file)}),
            Call("edit", {"filePath": str(place.file), "oldString": "hello", "newString": "goodbye"}),
            Call("bash", {"command": "cat notes.txt"}),
        ),
        settings=lambda place: {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"},
        configure=configure_opencode,
    ),
    "Continue": Agent(
        command="cn",
        arguments=lambda place: ["-p", "--auto", "--config", str(place.home / "config.yaml"), TASK],
        turns=lambda place: edits(
            Call("Read", {"filepath": str(place.file)}),
            Call("Edit", {"file_path": str(place.file), "old_string": "hello", "new_string": "goodbye"}),
            Call("Bash", {"command": "cat notes.txt"}),
        ),
        settings=lambda place: {"CONTINUE_TELEMETRY_ENABLED": "0", "CONTINUE_ALLOW_ANONYMOUS_TELEMETRY": "0"},
        configure=configure_continue,
    ),
    "Qwen Code": Agent(
        command="qwen",
        arguments=lambda place: [
            *("-y", "--auth-type", "openai", "--openai-api-key", KEY, "--openai-base-url", f"{place.url}/v1"),
            *("-m", MODEL, TASK),
        ],
        turns=lambda place: edits(
            Call("read_file", {"file_path": str(place.file)}),
            Call("edit", {"file_path": str(place.file), "old_string": "hello", "new_string": "goodbye"}),
            Call("run_shell_command", {"command": "cat notes.txt", "is_background": False}),
        ),
        # It asks its proxy for addresses of this machine, too.
        settings=lambda place: dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), ""),
    ),
    "Cline": Agent(
        command="cline",
        arguments=lambda place: [TASK],
        turns=lambda place: edits(
            Call("read_files", {"files": [{"path": str(place.file)}]}),
            Call("editor", {"path": str(place.file), "old_text": "hello", "new_text": "goodbye"}),
            Call("run_commands", {"commands": ["cat notes.txt"]}),
        ),
        settings=lambda place: {
            **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), ""),
            "CLINE_TELEMETRY_DISABLED": "1",
            "CLINE_SESSION_BACKEND_MODE": "local",  # no process that stays
        },
        configure=configure_cline,
    ),
    "aider": Agent(
        command="aider",
        arguments=lambda place: [
            *("--model", f"openai/{MODEL}", "--edit-format", "diff", "--message", TASK, "--yes-always", "--no-git"),
            *("--no-analytics", "--no-check-update", "--no-show-release-notes", "--no-show-model-warnings"),
            *("--no-gitignore", "--no-pretty", "--no-detect-urls", "notes.txt"),
        ],
        turns=lambda place: [f"{SAID}\n\n{BLOCK}"],
        settings=lambda place: {
            "OPENAI_API_BASE": f"{place.url}/v1",
            "OPENAI_API_KEY": KEY,
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        },
        has_tools=False,
    ),
}
