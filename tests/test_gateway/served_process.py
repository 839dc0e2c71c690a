"""`portcullis serve` as a process of its own."""

import fcntl
import json
import os
import re
import subprocess
import sys
import termios
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import process_entry

FAKE = (
    "import sys; from {module} import main; from gateway.service.model import start_worker; "
    "start_worker.WORKER = (sys.executable, sys.argv.pop(1)); sys.exit(main())"
)
"""A command, with an engine that is no model, and there at once."""


class Served:
    """A command that serves."""

    def __init__(
        self,
        model,
        is_fake,
        folder=None,
        terminal=None,
        log_level="info",
        port=0,
        module="gateway.cli",
        flags=None,
        **variables,
    ):
        if is_fake:
            command = ["-c", FAKE.format(module=module), str(Path(process_entry.__file__))]
        else:
            command = ["-P", "-m", "gateway" if module == "gateway.cli" else module]
        variables = ({} if model is None else {"MODEL_PATH": model}) | {"ENGINE_NUM_THREADS": 1} | variables
        environment = os.environ | {f"PORTCULLIS_{name}": str(value) for name, value in variables.items()}
        self.process = subprocess.Popen(
            [sys.executable, *command, *(flags or ["serve", "--port", str(port), "--log-level", log_level])],
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=folder,
            stdin=terminal,
            preexec_fn=None if terminal is None else own_terminal,
        )
        self.lines = []
        self._timer = threading.Timer(1800, self.process.kill)
        self._timer.daemon = True
        self._timer.start()
        for line in self.process.stderr:
            self.lines.append(line)
            if found := re.search(r"(?:serving .+|Running|Uvicorn running) on (https?://127\.0\.0\.1:\d+)", line):
                self.url = found[1]
                break
        else:
            raise AssertionError("".join(self.lines))
        self._reader = threading.Thread(target=lambda: self.lines.extend(self.process.stderr), daemon=True)
        self._reader.start()

    @property
    def log(self):
        return "".join(self.lines)

    def engine_pids(self):
        """The forkserver and its children, the engine's worker first."""
        # The command may have short-lived children beside it, such as compile kernels that are not on the disk.
        wait_for(lambda: len(children(self.process.pid)) == 1)
        (forkserver,) = children(self.process.pid)
        return [forkserver, *children(forkserver)]

    def end(self):
        self.process.kill()
        self.process.wait()
        self._timer.cancel()
        self._reader.join()
        self.process.stderr.close()


def own_terminal():
    """Make the terminal at stdin this process's, whose end it is told of."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()] or [
        int(child) for path in Path(f"/proc/{pid}/task").iterdir() for child in (path / "children").read_text().split()
    ]


def wait_for(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.01)


@contextmanager
def served(model, is_fake=True, folder=None, terminal=None, **options):
    command = Served(model, is_fake, folder, terminal, **options)
    try:
        yield command
    finally:
        command.end()


LONG = {"prompt": [process_entry.SLOW, 70], "max_tokens": 700, "ignore_eos": True, "temperature": 0}


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


@contextmanager
def streaming(command, headers=None, **fields):
    """A stream that has begun: its further lines."""
    body = LONG | {"stream": True} | fields
    with httpx.stream("POST", f"{command.url}/v1/completions", json=body, headers=headers, timeout=120) as it:
        lines = it.iter_lines()
        assert next(lines).startswith("data: ")
        yield lines


def tokens_of_stream(command, have_begun, **fields):
    """Tokens that a stream says it had, after all have begun."""
    with streaming(command, stream_options={"include_usage": True}, **fields) as lines:
        have_begun.wait(120)
        told = [line for line in lines if line]
    assert told[-1] == "data: [DONE]"
    return json.loads(told[-2][6:])["usage"]["completion_tokens"]
