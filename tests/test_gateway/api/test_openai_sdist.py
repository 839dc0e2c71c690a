"""The tests that OpenAI generates for its own client, on a server of ours.

They are in the client's source distribution, not in its wheel: `PORTCULLIS_OPENAI_SDIST` names the unpacked folder, and
`PORTCULLIS_OPENAI_SDIST_PYTHON` an interpreter that has what they need; see `tests/test_clients/README.md`.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from serving import config_for, serving
from tiny_model import write_tiny_model

from gateway.api.openai.responses import mapping
from gateway.config import LimitsConfig, ModelConfig

SDIST = os.environ.get("PORTCULLIS_OPENAI_SDIST")
PYTHON = os.environ.get("PORTCULLIS_OPENAI_SDIST_PYTHON", sys.executable)

FILES = [
    "chat/test_completions.py",
    "test_completions.py",
    "test_models.py",
    "test_responses.py",
    "responses/test_input_items.py",
    "responses/test_input_tokens.py",
]
SELECTED = (
    "create or (test_models and not delete) or (test_responses and retrieve)"
    " or ((test_input_items or test_input_tokens) and not all_params)"
)
"""What a server without stored chats, fine-tuned models, background responses and compaction has to answer.

Of the last two files, which are more than the bar, not what asks for a conversation, or for what follows no item."""

DESELECTED = {
    "chat/test_completions.py": {
        "test_method_create_with_all_params_overload_1": "web_search_options asks for the web, moderation for scores",
        "test_method_create_with_all_params_overload_2": "the same, streamed",
    },
    "test_responses.py": {
        "test_method_create_with_all_params_overload_1": "background, conversation and prompt ask for what is not kept",
        "test_method_create_with_all_params_overload_2": "the same, streamed",
    },
}
"""The tests that demand what is refused here, each with the reason. Every one is run by several clients."""

KEPT = ("resp_677efb5139a88190b512bc3fef8e535d", "response_id")
"""Ids that the tests read, as if responses had been made under them."""


def test_no_more_is_left_out_than_is_allowed():
    assert sum(map(len, DESELECTED.values())) <= 5


@pytest.mark.skipif(SDIST is None, reason="PORTCULLIS_OPENAI_SDIST names no unpacked source distribution of openai")
def test_openais_generated_tests_pass(tmp_path, monkeypatch):
    tests = Path(SDIST) / "tests" / "api_resources"
    config = config_for(
        write_tiny_model(tmp_path, special=["<fim_prefix>", "<fim_suffix>", "<fim_middle>"]),
        model=ModelConfig(path=str(tmp_path), name="model", aliases=("gpt-6-astra", "gpt-3.5-turbo-instruct")),
        limits=LimitsConfig(default_max_tokens=8),
    )
    left_out = [
        f"--deselect=tests/api_resources/{file}::{prefix}{kind}::{name}"
        for file, names in DESELECTED.items()
        for name in names
        for prefix in ("Test", "TestAsync")
        for kind in ("Completions", "Responses")
    ]
    with serving(config) as live:
        for name in KEPT:
            with monkeypatch.context() as patch:
                patch.setattr(mapping, "new_id", lambda prefix, name=name: name)
                assert live.post("/v1/responses", json={"input": "x"}).json()["id"] == name
        command = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=", "-k", SELECTED, *left_out]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run(
            [*command, *(str(tests / file) for file in FILES)],
            cwd=SDIST,
            env=environment | {"TEST_API_BASE_URL": f"{live.url}/v1"},
            capture_output=True,
            text=True,
            timeout=900,
        )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None
    assert int(passed[1]) > 200, done.stdout[-400:]
