"""The verifier: schemas with formats, explanations, tool calls, patterns, choices; nothing is ever fetched."""

import dataclasses
import json
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gateway.errors import ConstraintError
from gateway.verify import Verdict, Verifier
from gateway.verify.effort import is_explainable

SUITE = Path(__file__).resolve().parents[4] / "shared" / "data" / "json-schema-test-suite"
DRAFTS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}


@dataclasses.dataclass(frozen=True)
class FakeTool:
    name: str
    arguments_schema: dict[str, Any]


@dataclasses.dataclass(frozen=True)
class FakeCall:
    name: str
    arguments: str


@pytest.fixture
def verifier() -> Verifier:
    return Verifier()


SCHEMA = {
    "type": "object",
    "properties": {
        "id": {"anyOf": [{"type": "integer", "minimum": 3}, {"type": "object", "required": ["b"]}]},
        "day": {"$ref": "#/$defs/day"},
        "tags": {"type": "array", "items": {"enum": ["x", "y"]}, "uniqueItems": True},
    },
    "additionalProperties": False,
    "$defs": {"day": {"type": "string", "format": "date"}},
}


@pytest.mark.parametrize(
    ("text", "path", "keyword"),
    [
        ('{"id": 3, "day": "2024-02-29", "tags": ["x"]}', None, None),
        ('{"id": 3.0}', None, None),
        ('{"id": 1}', "/id", "minimum"),
        ('{"id": {"a": 1}}', "/id", "required"),
        ('{"day": "2023-02-29"}', "/day", "format"),
        ('{"tags": ["x", "z"]}', "/tags/1", "enum"),
        ('{"tags": ["x", "x"]}', "/tags", "uniqueItems"),
        ('{"other": 1}', "", "additionalProperties"),
        ("[]", "", "type"),
    ],
)
def test_verify_json_explains(verifier: Verifier, text: str, path: str | None, keyword: str | None) -> None:
    verdict = verifier.verify_json(SCHEMA, text)
    assert (verdict.passed, verdict.path, verdict.keyword) == (path is None, path, keyword)
    assert bool(verdict) == verdict.passed
    assert (verdict.reason is None) == verdict.passed


def test_verify_json_explains_what_is_not_json(verifier: Verifier) -> None:
    verdict = verifier.verify_json(SCHEMA, '{"day": "a", "day": "b"}')
    assert (verdict.check, verdict.passed, verdict.path, verdict.offset) == ("json", False, "/day", 13)


def test_verify_json_without_a_schema_takes_any_json(verifier: Verifier) -> None:
    assert verifier.verify_json(None, "[1]") == Verdict.ok("json")


def test_verify_json_counts_exactly(verifier: Verifier) -> None:
    assert verifier.verify_json({"multipleOf": 0.01}, "19.99")
    assert not verifier.verify_json({"multipleOf": 0.01}, "19.999")
    assert not verifier.verify_json({"const": 12345678901234567890}, "12345678901234567891")


def test_verify_json_shortens_long_reasons(verifier: Verifier) -> None:
    verdict = verifier.verify_json({"type": "integer"}, json.dumps("x" * 10_000))
    assert verdict.reason is not None
    assert len(verdict.reason) == 500


def test_verify_json_bounds_patterns_that_backtrack(verifier: Verifier) -> None:
    schema = {"type": "string", "pattern": "^(?=(a+)+$)(a+)+b$"}
    assert not verifier.verify_json(schema, json.dumps("a" * 5_000))


NODE = {"properties": {"a": {"$ref": "#"}}, "required": ["b"]}
LONG_CHAIN = {f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}, {"$ref": f"#/$defs/d{n + 1}"}]} for n in range(40)}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"anyOf": [NODE, NODE]}, json.loads('{"a":' * 40 + "1" + "}" * 40)),
        ({"$defs": LONG_CHAIN | {"d40": {"type": "string"}}, "$ref": "#/$defs/d0"}, 1),
        ({"anyOf": [{"required": [f"x{n}"]} for n in range(1000)]}, {f"k{n}": n for n in range(1000)}),
        (
            {
                "$id": "http://x/",
                "$defs": {"a": {"$id": "a"}},
                "anyOf": [{"$ref": "a"}, {"$ref": "a"}],
                "type": "string",
            },
            1,
        ),
        ({"$ref": "#/$defs/a%20b~1", "$defs": {"a b/": {"$ref": "#/$defs/a%20b~1/not", "not": {"$ref": "#"}}}}, 1),
        ({"$dynamicRef": "#x", "$defs": {"x": {"$dynamicAnchor": "x", "type": "string"}}}, 1),
    ],
    ids=["recursion", "chain", "wide", "other-documents", "loop", "dynamic"],
)
def test_explaining_is_given_up_where_it_would_take_long(schema: dict[str, Any], value: object) -> None:
    assert not is_explainable(schema, value)


def test_verify_json_decides_what_it_does_not_explain(verifier: Verifier) -> None:
    verdict = verifier.verify_json({"anyOf": [NODE, NODE]}, '{"a":' * 60 + "{}" + "}" * 60)
    assert (verdict.passed, verdict.path) == (False, None)
    records = [{"id": n, "tags": ["x"] * 5} for n in range(500)]
    schema = {"items": {"properties": {"id": {"type": "integer"}, "tags": {"items": {"enum": ["y", "x"]}}}}}
    records[400]["tags"] = ["z"]
    assert verifier.verify_json(schema, json.dumps(records)).path == "/400/tags/0"


@pytest.mark.parametrize(
    ("schema", "where"),
    [
        ({"type": "nope"}, "/type"),
        ({"properties": {"a": {"minLength": -1}}}, "/properties/a/minLength"),
        ({"pattern": "("}, "/pattern"),
        ({"$schema": "http://example.com/unknown"}, None),
    ],
)
def test_check_schema_refuses(verifier: Verifier, schema: dict[str, Any], where: str | None) -> None:
    with pytest.raises(ConstraintError) as caught:
        verifier.check_schema(schema)
    assert where is None or caught.value.where == where


def test_check_schema_refuses_absurd_depth(verifier: Verifier) -> None:
    schema: dict[str, Any] = {}
    for _ in range(100_000):
        schema = {"not": schema}
    with pytest.raises(ConstraintError, match="deep"):
        verifier.check_schema(schema)


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "http://127.0.0.1:9/x.json"},
        {"$ref": "https://example.com/x.json#/a"},
        {"$ref": "file:///etc/hostname"},
        {"$id": "http://127.0.0.1:9/root.json", "properties": {"a": {"$ref": "other.json"}}},
        {"$dynamicRef": "http://127.0.0.1:9/x.json#a"},
    ],
    ids=["http", "https", "file", "relative", "dynamic"],
)
def test_remote_references_are_never_fetched(
    verifier: Verifier, schema: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("something tried to connect")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with pytest.raises(ConstraintError, match="not present in a registry"):
        verifier.check_schema(schema)


def test_references_into_given_resources_are_followed() -> None:
    verifier = Verifier(resources={"http://example.com/x.json": {"$defs": {"a": {"type": "string"}}}})
    schema = {"properties": {"v": {"$ref": "http://example.com/x.json#/$defs/a"}}}
    assert verifier.verify_json(schema, '{"v": "s"}')
    assert not verifier.verify_json(schema, '{"v": 1}')
    with pytest.raises(ConstraintError):
        verifier.check_schema({"$ref": "http://example.com/y.json"})


def test_validators_are_kept_within_bounds() -> None:
    verifier = Verifier(max_validators=2)
    for limit in (1, 2, 3, 1):
        assert verifier.verify_json({"minimum": limit}, str(limit))
        assert not verifier.verify_json({"minimum": limit}, str(limit - 1))
    assert len(verifier._schemas._validators) == 2


def test_verifier_refuses_a_depth_it_cannot_explain() -> None:
    with pytest.raises(ValueError, match="max_depth"):
        Verifier(max_depth=1000)


TOOLS = [
    FakeTool("get", {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}),
    FakeTool("ping", {"type": "object", "additionalProperties": False}),
]


@pytest.mark.parametrize(
    ("calls", "path", "reason"),
    [
        ([], None, None),
        ([FakeCall("get", '{"n": 1}'), FakeCall("ping", "{}")], None, None),
        ([FakeCall("get", '{"n": 1}'), FakeCall("nope", "{}")], "/1/name", "no tool named 'nope' was declared"),
        ([FakeCall("get", '{"n": "1"}')], "/0/arguments/n", '"1" is not of type "integer"'),
        ([FakeCall("ping", "[]")], "/0/arguments", "the arguments are not an object"),
        ([FakeCall("ping", '{"a": 1}')], "/0/arguments", None),
        ([FakeCall("get", '{"n": 1e400}')], "/0/arguments/n", "a number too large to be finite at character 6"),
        ([FakeCall("get", "")], "/0/arguments", "the text ends before the value does at character 0"),
        ([FakeCall("get", '{"n": 1, "n": 2}')], "/0/arguments/n", None),
    ],
)
def test_verify_tool_calls(verifier: Verifier, calls: list[FakeCall], path: str | None, reason: str | None) -> None:
    verdict = verifier.verify_tool_calls(TOOLS, calls)
    assert (verdict.check, verdict.passed, verdict.path) == ("tool_call", path is None, path)
    assert reason is None or verdict.reason == reason


def test_verify_choice_is_exact(verifier: Verifier) -> None:
    assert verifier.verify_choice(["yes", "no"], "no")
    for text in ("No", "no ", "", "yesno"):
        assert not verifier.verify_choice(["yes", "no"], text)


def test_verify_regex_is_a_full_match(verifier: Verifier) -> None:
    assert verifier.verify_regex(r"\d{3}-[a-z]+", "123-ab")
    assert not verifier.verify_regex(r"\d{3}-[a-z]+", "123-ab ")
    assert not verifier.verify_regex("(", "(")


@pytest.mark.parametrize("pattern", ["(", r"(a)\1", "(?=a)a"])
def test_check_pattern_refuses_what_cannot_be_verified(verifier: Verifier, pattern: str) -> None:
    with pytest.raises(ConstraintError):
        verifier.check_pattern(pattern)


def test_verify_never_imports_the_compiler() -> None:
    code = (
        "import sys, gateway.verify; print(sorted(m for m in sys.modules if m.split('.')[0] in ('grammars', 'tools')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def suite_cases(draft: str) -> list[tuple[str, dict[str, Any] | bool, Any, bool]]:
    cases = []
    for file in sorted((SUITE / "tests" / draft).glob("*.json")):
        for group in json.loads(file.read_text()):
            schema = group["schema"]
            if isinstance(schema, dict) and "$schema" not in schema:
                schema = {"$schema": DRAFTS[draft], **schema}
            title = f"{file.stem}: {group['description']}"
            cases += [
                (f"{title}: {test['description']}", schema, test["data"], test["valid"]) for test in group["tests"]
            ]
    return cases


@pytest.mark.skipif(not SUITE.exists(), reason="the official suite is not here")
@pytest.mark.parametrize("draft", DRAFTS)
def test_verify_json_agrees_with_the_official_suite(draft: str) -> None:
    verifier = Verifier()
    wrong, refused, num_checked = [], [], 0
    for title, schema, data, valid in suite_cases(draft):
        try:
            verdict = verifier.verify_json(schema, json.dumps(data))
        except ConstraintError:
            refused.append(title)
            continue
        num_checked += 1
        # Where the suite treats `format` as a comment, we assert it.
        if verdict.passed != valid and not title.startswith("format: "):
            wrong.append(title)
    assert not wrong
    assert num_checked > 600
    # Only what refers to documents that are elsewhere, or to meta-schemas of its own.
    about_others = ("refRemote", "vocabulary", "remote ref", "metaschema", "$ref to", "dynamicRef", "defs", "ref:")
    assert [title for title in refused if not any(word in title for word in about_others)] == []


@pytest.mark.skipif(not SUITE.exists(), reason="the official suite is not here")
def test_verify_json_explains_where_jsonschema_does() -> None:
    verifier = Verifier()
    cls = jsonschema.Draft202012Validator
    num_compared = num_same = 0
    for title, schema, data, valid in suite_cases("draft2020-12"):
        if valid or title.split(":")[0] in ("refRemote", "vocabulary", "format", "dynamicRef", "ref", "anchor"):
            continue
        try:
            expected = jsonschema.exceptions.best_match(cls(schema).iter_errors(data))
        except re.error:  # a pattern that ECMA-262 knows and Python does not
            continue
        if expected is None:
            continue
        verdict = verifier.verify_json(schema, json.dumps(data))
        num_compared += 1
        num_same += verdict.path == "".join(f"/{part}" for part in expected.absolute_path)
    assert num_compared > 250
    assert num_same / num_compared > 0.95


@pytest.mark.parametrize(
    ("text", "is_valid"),
    [('{"a": 1, "b": 2}', True), ('{"a": 1, "b": 2, "b": 3}', False), ('{"a": 1, "b": {"c": 1, "c": 2}}', False)],
)
def test_verify_json_takes_no_name_twice(text: str, is_valid: bool) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": {"type": "number"}}
    assert bool(Verifier().verify_json(schema, text)) == is_valid
    assert bool(Verifier().verify_tool_calls([FakeTool("f", schema)], [FakeCall("f", text)])) == is_valid
