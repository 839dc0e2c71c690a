"""The command, serving the model that ships with the package, for the clients that people use.

They fall into two environments that cannot be one: see README.md. What is not installed is skipped.
"""

import gc
import os
import re
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator

import pytest
from playing import THOUGHTS, Stage
from tasks import Server

from tests.test_gateway.tiny_model import TEMPLATE, THINKING_END, write_tiny_model

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else litellm asks the network when it is imported
os.environ.setdefault("OPENAI_AGENTS_DISABLE_TRACING", "1")


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server as people start it, on a free port."""
    command = [sys.executable, "-m", "gateway", "serve", "--port", "0", "--threads", "1"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    timer = threading.Timer(1200, process.kill)  # where no kernel was ever compiled, that comes first
    timer.start()
    lines, reader = [], None
    try:
        for line in process.stderr:
            lines.append(line)
            if found := re.search(r"serving (\S+) on (http://127\.0\.0\.1:\d+)/v1", line):
                break
        else:
            raise AssertionError("".join(lines))
        reader = threading.Thread(target=lambda: lines.extend(process.stderr), daemon=True)
        reader.start()
        yield Server(url=found[2], model=found[1])
    finally:
        timer.cancel()
        process.terminate()
        process.wait(60)
        if reader is not None:
            reader.join()
        process.stderr.close()


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    """A server whose model does what a test tells it to."""
    with Stage() as opened:
        yield opened


@pytest.fixture(scope="session")
def thinking_stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """The same with a model that thinks before each answer, and reads what it thought."""
    past = "{% if message.reasoning_content %}<think>{{ message.reasoning_content }}</think>{% endif %}"
    shown = TEMPLATE.replace("{%- for call in", past + "{%- for call in") + THINKING_END
    folder = write_tiny_model(tmp_path_factory.mktemp("thinker"), template=shown, special=("<think>", "</think>"))
    with Stage(folder, f"{THOUGHTS}\n</think>\n\n") as opened:
        yield opened


def pytest_itemcollected(item: pytest.Item) -> None:
    """What the clients deprecate, or leave open, is no failure of the server's."""
    item.add_marker(pytest.mark.filterwarnings("default"))


@pytest.fixture(scope="session", autouse=True)
def forgiving() -> Iterator[None]:
    """Closes, without a word, what the clients left open."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
