"""`portcullis check-schema`: how each keyword is held, and what is wrong with a schema."""

import json
import re

import pytest

from gateway.cli import main

PERSON = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def write(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(path)


def test_check_schema_prints_how_each_keyword_is_held(tmp_path, capsys):
    assert main(["check-schema", write(tmp_path / "s.json", PERSON)]) == 0
    out = capsys.readouterr().out
    assert re.search(r"mask\s+/\S*\s*properties", out)
    assert "accepted" in out


def test_check_schema_reports_as_json(tmp_path, capsys):
    assert main(["check-schema", write(tmp_path / "s.json", PERSON), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["accepted"] is True
    assert report["shortest_bytes"] == len('{"name":""}')
    assert {"properties", "required", "type"} <= {entry["keyword"] for entry in report["keywords"]}


def test_check_schema_names_members_that_no_value_fits(tmp_path, capsys):
    path = write(tmp_path / "s.json", {"type": "object", "properties": {"a": {"enum": []}}})
    assert main(["check-schema", path]) == 0
    assert "never written, since no value fits: /properties/a\n" in capsys.readouterr().out
    assert main(["check-schema", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["never_written"] == ["/properties/a"]


@pytest.mark.parametrize(
    ("schema", "code", "pointer"),
    [
        ({"properties": {"a": {"type": "strong"}}}, "invalid_grammar", "/properties/a"),
        (False, "unsatisfiable", None),
        (
            {"properties": {"a": {"enum": []}}, "required": ["a"], "type": "object"},
            "unsatisfiable",
            "/properties/a/enum",
        ),
        ({"type": "string", "pattern": "(a)\\1"}, "unsupported", "/pattern"),
    ],
    ids=str,
)
def test_check_schema_fails_with_the_place(tmp_path, capsys, schema, code, pointer):
    path = write(tmp_path / "s.json", schema)
    assert main(["check-schema", path]) == 1
    line = capsys.readouterr().out
    assert line.startswith(path)
    assert f"[{code}]" in line
    assert pointer is None or pointer in line
    assert main(["check-schema", path, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["accepted"], report["code"]) == (False, code)
    assert pointer is None or pointer in report["pointer"]


@pytest.mark.parametrize("content", ["{", "[1]", "5", None])
def test_check_schema_names_a_file_that_is_no_schema(tmp_path, capsys, content):
    path = tmp_path / "s.json"
    if content is not None:
        path.write_text(content)
    assert main(["check-schema", str(path)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("portcullis: ")
    assert str(path) in captured.err
