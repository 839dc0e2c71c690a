"""`portcullis keys`."""

import json

import pytest

from gateway.cli import main
from gateway.keys import key_digest


def test_keys_are_created_listed_and_revoked(tmp_path, capsys):
    path = tmp_path / "keys.jsonl"
    where = ["--key-file", str(path)]
    limits = ["--requests-per-minute", "5", "--allow-model", "small", "--expires-in-days", "1"]
    assert main(["keys", "create", "alice", *limits, *where]) == 0
    secret = capsys.readouterr().out.strip()
    assert path.stat().st_mode & 0o777 == 0o600
    assert secret not in path.read_text()
    assert main(["keys", "list", *where]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert (listed["name"], listed["sha256"]) == ("alice", key_digest(secret))
    assert (listed["requests_per_minute"], listed["models"]) == (5, ["small"])
    assert listed["expires"] == listed["created"] + 86_400
    assert main(["keys", "revoke", "alice", *where]) == 0
    assert path.read_text() == ""


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["create", "alice"], "already"),
        (["create", "a b"], "name must be"),
        (["create", "bob", "--max-concurrent", "0"], "max_concurrent must be"),
        (["create", "bob", "--expires-in-days", "nan"], "expires-in-days"),
        (["revoke", "bob"], "no key named"),
    ],
)
def test_wrong_commands_change_nothing(tmp_path, capsys, command, message):
    where = ["--key-file", str(tmp_path / "keys.jsonl")]
    assert main(["keys", "create", "alice", *where]) == 0
    before = (tmp_path / "keys.jsonl").read_text()
    assert main(["keys", *command, *where]) == 1
    assert message in capsys.readouterr().err
    assert (tmp_path / "keys.jsonl").read_text() == before


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ([], "must be a JSON object"),
        ({}, "key None: the field 'name' is missing"),
        ({"name": "a b"}, "key 'a b': name must be 1 to 100 letters, digits or any of '_', '-', '.', '@'"),
        ({"sha256": "SECRET"}, "key 'alice': sha256 must be 64 lower-case hex digits"),
        ({"created": True}, "key 'alice': created must be a Unix time in whole seconds, not True"),
        ({"expires": 1.5}, "key 'alice': expires must be a Unix time in whole seconds, not 1.5"),
        ({"max_concurrent": 0}, "key 'alice': max_concurrent must be a whole number of at least 1, not 0"),
        ({"models": "small"}, "key 'alice': models must be a list, each a text that is not empty, not 'small'"),
        ({"limits": {}}, "key 'alice': unknown field 'limits'; fields are name, sha256, created, expires, "),
    ],
)
def test_a_malformed_line_is_named_with_key_field_and_what_is_allowed(tmp_path, capsys, fields, message):
    path = tmp_path / "keys.jsonl"
    line = {"name": "alice", "sha256": "0" * 64, "created": 1} | fields if fields else fields
    path.write_text(f"\n{json.dumps(line)}\n")
    assert main(["keys", "list", "--key-file", str(path)]) == 1
    shown = capsys.readouterr().err
    assert f"{path}, line 2: {message}" in shown
    assert "SECRET" not in shown


def test_the_key_file_is_to_be_named(monkeypatch, capsys):
    monkeypatch.delenv("PORTCULLIS_CONFIG", raising=False)
    assert main(["keys", "list"]) == 1
    assert "--key-file" in capsys.readouterr().err
