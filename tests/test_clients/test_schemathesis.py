"""schemathesis: requests made up from our OpenAPI document, and whether every reply is one that it describes."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("schemathesis")

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


@pytest.mark.parametrize(
    ("seconds", "examples"), [(15, 3), pytest.param(600, 100, marks=pytest.mark.slow)], ids=["short", "long"]
)
def test_replies_are_those_of_the_document(server, seconds, examples, tmp_path):
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        *("--config-file", str(Path(__file__).with_name("schemathesis.toml"))),
        *("run", f"{server.url}/schema/openapi.json", "--continue-on-failure"),
        *("--phases", "coverage,fuzzing", "--checks", CHECKS),
        *("--max-examples", str(examples), "--max-time", str(seconds), "--request-timeout", "60"),
    ]
    # It keeps what it found where it is run.
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 120, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-20_000:]
    assert "Selected:" in done.stdout
