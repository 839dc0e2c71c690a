"""From a source tree to the first answer: where the time goes, and the memory of each process afterwards.

Run: python tests/bench/bench_start.py [--installed FOLDER] [--starts 3] [--out FILE]

Without --installed the tree is copied, and installed as README says, into a new environment with empty caches; that
takes minutes. With it only starts are measured, of the environment in that folder.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[2]
SETTLED_S = 2.0
QUESTION = {
    "messages": [{"role": "user", "content": "It is 21 degrees in Lima."}],
    "response_format": {
        "type": "json_schema",
        "json_schema": {
            "name": "weather",
            "schema": {
                "type": "object",
                "properties": {"city": {"type": "string"}, "degrees": {"type": "integer"}},
                "required": ["city", "degrees"],
                "additionalProperties": False,
            },
        },
    },
    "max_tokens": 60,
}


def install(folder: Path) -> dict[str, Any]:
    """Seconds of each step, and bytes of the wheel. The environment is in `.venv` below the folder."""
    source, home = folder / "source", folder / "home"
    home.mkdir()
    subprocess.run(["git", "clone", "--quiet", ROOT, source], check=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PORTCULLIS_"))}
    # Empty caches; pip's own settings, which say where packages come from, stay under home.
    environment |= {"XDG_CACHE_HOME": str(home), "PIP_NO_CACHE_DIR": "1"}
    steps: dict[str, Any] = {}
    begin = time.monotonic()
    subprocess.run(["python3.11", "-m", "venv", folder / ".venv"], check=True, env=environment)
    steps["venv_s"] = time.monotonic() - begin
    began, name = time.monotonic(), "resolve_s"
    command = [folder / ".venv/bin/pip", "install", "-v", "."]
    with subprocess.Popen(
        command, cwd=source, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        for line in process.stdout or ():
            if found := re.search(r"filename=\S+ size=(\d+)", line):
                steps["wheel_bytes"] = int(found[1])
            following = next((key for text, key in STEPS if text in line), None)
            if following is not None:
                steps[name] = steps.get(name, 0.0) + time.monotonic() - began
                began, name = time.monotonic(), following
    assert process.returncode == 0, "pip failed"
    steps[name] = steps.get(name, 0.0) + time.monotonic() - began
    return steps


STEPS = (
    ("Building wheel for portcullis (pyproject.toml): started", "build_s"),
    ("compiling the kernels: finding", "compile_s"),
    ("Building wheel for portcullis (pyproject.toml): finished", "resolve_s"),
    ("Installing collected packages: mpmath", "copy_s"),
)
"""What pip says where a step begins."""


def start(command: Path, folder: Path) -> dict[str, Any]:
    """Seconds until each stage and until it serves, and of the first answer; memory by process, before it and after."""
    began = time.monotonic()
    stages: dict[str, float] = {}
    with subprocess.Popen([command, "serve", "--port", "0"], cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        url = ""
        for line in process.stderr or ():
            stages[re.sub(r"^\[.*?\] ", "", line).strip()[:60]] = round(time.monotonic() - began, 2)
            if found := re.search(r"serving \S+ on (http://\S+)/v1", line):
                url = found[1]
                break
        assert url, stages
        ready_s = time.monotonic() - began
        time.sleep(SETTLED_S)
        idle = memory_of(process.pid)
        began = time.monotonic()
        reply = httpx.post(f"{url}/v1/chat/completions", json=QUESTION, timeout=60)
        answer_s = time.monotonic() - began
        assert json.loads(reply.json()["choices"][0]["message"]["content"]).keys() == {"city", "degrees"}
        answered = memory_of(process.pid)
        process.send_signal(signal.SIGTERM)
    return {
        "ready_s": round(ready_s, 2),
        "first_answer_s": round(answer_s, 2),
        "stages_s": stages,
        "idle_pss_mb": idle,
        "idle_pss_all_mb": sum(idle.values()),
        "answered_pss_mb": answered,
    }


def memory_of(pid: int) -> dict[str, int]:
    """PSS in MB of a process and all below it."""
    return {f"{each} {name_of(each)}": pss_mb(each) for each in [pid, *descendants(pid)]}


def descendants(pid: int) -> list[int]:
    """All processes below one."""
    own = [
        int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]
    return own + [each for child in own for each in descendants(child)]


def name_of(pid: int) -> str:
    """What it runs, in a word."""
    return Path(f"/proc/{pid}/cmdline").read_text().split("\0")[-4:][0] or "python"


def pss_mb(pid: int) -> int:
    """Its memory, what is shared by several divided among them."""
    found = re.search(r"^Pss: +(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    assert found
    return int(found[1]) // 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--installed", type=Path, help="folder with the environment, .venv")
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    folder = arguments.installed or Path(tempfile.mkdtemp())
    results: dict[str, Any] = {"cores": len(os.sched_getaffinity(0))}
    try:
        if arguments.installed is None:
            results["install"] = install(folder)
        results["starts"] = [start(folder / ".venv/bin/portcullis", folder) for _ in range(arguments.starts)]
    finally:
        if arguments.installed is None:
            shutil.rmtree(folder)
    text = json.dumps(results, indent=1)
    print(text)
    if arguments.out is not None:
        arguments.out.write_text(text)


if __name__ == "__main__":
    main()
