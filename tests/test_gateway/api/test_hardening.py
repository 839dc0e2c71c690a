"""What once went wrong under attack and belongs to no part alone, case by case."""

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "gateway" / "docs").glob("*.md"))]

ZZ_ALONE = {"type": "object", "properties": {"zz": {}}, "unevaluatedProperties": False}
DEAD_BEGINNINGS = {
    "one member at most": ({"type": "object", "maxProperties": 1}, 8),
    "another member": ({"type": "object", "properties": {"a": {}}, "additionalProperties": False}, 2),
    "names that are listed": ({"type": "object", "propertyNames": {"enum": ["zz"]}}, 8),
    "nothing is unevaluated": (ZZ_ALONE, 8),
    "a pattern of names": ({"type": "object", "patternProperties": {"^zz$": {}}, "additionalProperties": False}, 8),
}


@pytest.mark.parametrize("name", DEAD_BEGINNINGS)
def test_what_nothing_can_complete_is_no_beginning(tiny_live, name):
    schema, offset = DEAD_BEGINNINGS[name]
    reply = tiny_live.post("/v1/grammars/accept", json={"schema": schema, "text": '{"zz": 1,'}).json()
    assert (reply["accepted"], reply["is_prefix"], reply["byte_offset"]) == (False, False, offset)


REFUSED = {
    "a number of 401 digits": (
        b'{"prompt": "a", "max_tokens": ' + b"1" * 401 + b"}",
        400,
        "max_tokens must be at most",
    ),
    "a number beyond 64 bits": (b'{"prompt": "a", "max_tokens": 18446744073709551616}', 400, "max_tokens must be at"),
    "a packed body": (b"\x1f\x8b\x08", 415, "the body is packed"),
    "another type": (b"<a/>", 415, "the content type is"),
}
HEADERS = {"a packed body": {"content-encoding": "gzip"}, "another type": {"content-type": "text/xml"}}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_name_what_is_wrong(tiny_live, name):
    body, status, says = REFUSED[name]
    reply = tiny_live.post("/v1/completions", content=body, headers=HEADERS.get(name))
    assert reply.status_code == status
    assert says in reply.json()["error"]["message"]


@pytest.mark.parametrize("pattern", [r"\w{0,20}", r"[^a-c]{0,20}"])
def test_many_alternatives_of_large_classes_are_a_pattern(tiny_live, pattern):
    many = "|".join(f"{pattern}{number}" for number in range(300))
    body = {"prompt": "a", "max_tokens": 60, "structured_outputs": {"regex": many}}
    reply = tiny_live.post("/v1/completions", json=body)
    assert reply.status_code == 200, reply.text
    assert re.fullmatch(many, reply.json()["choices"][0]["text"])


def test_addresses_that_the_documentation_names_are_served(tiny_live):
    paths = {re.sub(r"\{\w+\}", "{}", path) for path in tiny_live.get("/schema/openapi.json").json()["paths"]}
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    named = set(re.findall(r"`(?:[A-Z]+ )?(/(?:v1|api|health|ready|info|tokenize|generate)[\w/{}-]*)`", text))
    named = {re.sub(r"\{\w+\}", "{}", path) for path in named}
    assert len(named) > 15
    assert named <= paths


def test_an_open_server_for_everyone_says_so(tiny_model):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-P", "-m", "gateway", "serve", "--model", str(tiny_model)]
    command += ["--host", "0.0.0.0", "--port", str(port), "--threads", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        lines = []
        for line in process.stderr:
            lines.append(line)
            if "serving" in line and "/v1" in line:
                break
        process.terminate()
        process.stderr.read()
    assert any("everyone who reaches this address is let in: no API key is set" in line for line in lines)
