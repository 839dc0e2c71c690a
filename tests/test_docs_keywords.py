"""The table of keywords in the documentation: each is enforced by the mask or by a run-time check, as it says."""

import re
from pathlib import Path

import pytest

from grammars import Compiler, JsonSchema, Vocabulary

PAGE = Path(__file__).resolve().parents[1] / "gateway" / "docs" / "structured-output.md"
TEXT = PAGE.read_text(encoding="utf-8")
FORMATS = (
    "date", "date-time", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri",
    "uri-reference", "iri", "iri-reference", "uuid", "uri-template", "json-pointer", "relative-json-pointer", "regex",
)  # fmt: skip
NODE = {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}}}
PAIR = {"a": {"type": "integer"}, "b": {"type": "string"}}
ENFORCED = {
    "type": {"type": ["string", "null"]},
    "enum": {"enum": [1, "a", [1]]},
    "const": {"const": {"a": 1}},
    "$ref": {"$ref": "#/$defs/node", "$defs": {"node": NODE}},
    "allOf": {"allOf": [{"type": "integer"}, {"minimum": 3}]},
    "anyOf": {"anyOf": [{"type": "integer"}, {"type": "string", "maxLength": 3}]},
    "oneOf": {"oneOf": [{"type": "integer"}, {"minimum": 3}]},
    "not": {"type": "string", "not": {"const": "a"}},
    "if": {"properties": PAIR, "if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}},
    "minimum": {"type": "number", "minimum": -1.5},
    "maximum": {"type": "integer", "maximum": 12},
    "exclusiveMinimum": {"type": "number", "exclusiveMinimum": 0},
    "exclusiveMaximum": {"type": "number", "exclusiveMaximum": 10},
    "multipleOf": {"type": "number", "multipleOf": 0.01},
    "minLength": {"type": "string", "minLength": 2},
    "maxLength": {"type": "string", "maxLength": 300},
    "pattern": {"type": "string", "pattern": "^[a-z]+(-[0-9]{2})?$"},
    "format": {"anyOf": [{"type": "string", "format": name} for name in FORMATS]},
    "items": {"type": "array", "items": {"type": "integer"}},
    "prefixItems": {"type": "array", "prefixItems": [{"type": "integer"}], "items": False},
    "minItems": {"type": "array", "minItems": 2},
    "maxItems": {"type": "array", "maxItems": 1000},
    "contains": {"type": "array", "contains": {"const": 1}},
    "minContains": {"type": "array", "contains": {"const": 1}, "minContains": 2},
    "maxContains": {"type": "array", "contains": {"const": 1}, "maxContains": 2},
    "properties": {"properties": PAIR},
    "required": {"properties": PAIR, "required": ["a"]},
    "additionalProperties": {"properties": PAIR, "additionalProperties": {"type": "null"}},
    "patternProperties": {"patternProperties": {"^x": {"type": "integer"}, "y$": {"minimum": 3}}},
    "propertyNames": {"propertyNames": {"pattern": "^[a-z]+$"}},
    "minProperties": {"type": "object", "minProperties": 2},
    "maxProperties": {"type": "object", "maxProperties": 3},
    "dependentRequired": {"properties": PAIR, "dependentRequired": {"a": ["b"]}},
    "unevaluatedProperties": {"allOf": [{"properties": PAIR}], "unevaluatedProperties": False},
    "unevaluatedItems": {"prefixItems": [{}], "unevaluatedItems": False},
    "$dynamicRef": {"items": {"$dynamicRef": "#node"}, "$dynamicAnchor": "node"},
    "dependentSchemas": {"properties": PAIR, "dependentSchemas": {"a": {"required": ["b"]}}},
}
NOTED_AS = {"minContains": "contains", "maxContains": "contains", "$ref": "properties"}
"""Keywords that the report names by another: their bounds, or what they lead to."""

CHECKED = {"uniqueItems": {"type": "array", "items": {"type": "number"}, "uniqueItems": True}}


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    return Compiler(Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256]))


def _rows() -> dict[str, set[str]]:
    """Keywords by row of the table."""
    table = TEXT.split("| JSON Schema | |")[1].split("\n\n")[0]
    cells = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("| ")]
    return {row.strip(): set(re.findall(r"`([^`]+)`", text.split("partly for")[0])) for row, text in cells}


def test_page_lists_what_is_tested_here():
    rows = _rows()
    assert rows.pop("by a run-time check") == set(CHECKED)
    assert set.union(*rows.values()) == set(ENFORCED)


@pytest.mark.parametrize("keyword", ENFORCED)
def test_page_keyword_is_enforced_by_the_mask(compiler, keyword):
    report = compiler.compile(JsonSchema(ENFORCED[keyword])).report
    assert any(entry.keyword == NOTED_AS.get(keyword, keyword) for entry in report)
    assert {entry.how for entry in report if entry.keyword != "format"} <= {"mask"}


def test_page_names_the_formats_that_are_held_partly(compiler):
    told = TEXT.split("partly for ")[1].split(")")[0]
    report = {name: compiler.compile(JsonSchema({"type": "string", "format": name})).report for name in FORMATS}
    partly = {name for name, entries in report.items() if "partly" in entries.counts()}
    assert partly == set(re.findall(r"`([^`]+)`", told))


@pytest.mark.parametrize("keyword", CHECKED)
def test_page_keyword_is_enforced_by_a_check(compiler, keyword):
    report = compiler.compile(JsonSchema(CHECKED[keyword])).report
    assert {entry.how for entry in report if entry.keyword == keyword} == {"check"}
