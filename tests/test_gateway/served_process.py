"""`portcullis serve` as a process of its own."""

import fcntl
import os
import re
import subprocess
import sys
import termios
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import process_entry

FAKE = (
    "import sys; from gateway.cli import main; from gateway.service.model import start_worker; "
    "start_worker.WORKER = (sys.executable, sys.argv.pop(1)); sys.exit(main())"
)
"""The command, with an engine that is no model, and there at once."""


class Served:
    """A command that serves."""

    def __init__(self, model, is_fake, folder=None, terminal=None, log_level="info", port=0, **variables):
        command = ["-c", FAKE, str(Path(process_entry.__file__))] if is_fake else ["-P", "-m", "gateway"]
        environment = os.environ | {f"PORTCULLIS_{name}": str(value) for name, value in variables.items()}
        self.process = subprocess.Popen(
            [
                sys.executable,
                *command,
                "serve",
                "--model",
                str(model),
                "--port",
                str(port),
                "--threads",
                "1",
                "--log-level",
                log_level,
            ],
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=folder,
            stdin=terminal,
            preexec_fn=None if terminal is None else own_terminal,
        )
        self.lines = []
        self._timer = threading.Timer(600, self.process.kill)
        self._timer.start()
        for line in self.process.stderr:
            self.lines.append(line)
            if found := re.search(r"serving \S+ on (https?://127\.0\.0\.1:\d+)/v1", line):
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
def served(model, is_fake=True, folder=None, terminal=None, **variables):
    command = Served(model, is_fake, folder, terminal, **variables)
    try:
        yield command
    finally:
        command.end()
