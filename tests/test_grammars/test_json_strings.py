"""Strings: formats that hold or not, together with patterns and lengths."""

from __future__ import annotations

import json

import jsonschema_rs
import pytest

from grammars.frontends.json import formats
from grammars.frontends.json.options import JsonOptions
from grammars.frontends.json.spec import JsonSchema
from tests.test_grammars.simulator import Simulator

SAMPLES = [
    "",
    "a",
    "*",
    "1",
    "0/a",
    "2024-02-29",
    "2023-02-29",
    "12:30:00Z",
    "23:59:60Z",
    "2024-02-29T12:30:00.5+01:00",
    "2024-02-29T23:59:60z",
    "P1Y2M",
    "P1W",
    "PT5S",
    "a@b.co",
    '"a b"@c.d',
    "a.example.org",
    "-a.org",
    "127.0.0.1",
    "::1",
    "fe80::1:2.3.4.5",
    "http://a/b?c#d",
    "http://[::1]/",
    "a b",
    "a:b c",
    "/a~1b",
    "/a~2",
    "{a}",
    "{a",
    "4f5a3c1e-0000-4000-8000-000000000000",
    "\u00e9",
]


@pytest.mark.parametrize("name", formats.NAMES)
def test_complements_of_formats_have_no_text_of_the_format(name):
    validator = jsonschema_rs.validator_for({"format": name}, validate_formats=True)
    inside, outside = formats.language(name), formats.complement(name)
    held = [text for text in SAMPLES if inside.accepts(text, 20_000)]
    failed = [text for text in SAMPLES if outside.accepts(text, 20_000)]
    assert [text for text in held if not validator.is_valid(text)] == []
    assert [text for text in failed if validator.is_valid(text)] == []
    assert held
    assert failed
    assert [text for text in held if not formats.wide(name).accepts(text, 20_000)] == []


STRINGS = [
    ({"not": {"format": "ipv4"}}, ["a", "1.2.3"], ["1.2.3.4"]),
    ({"anyOf": [{"not": {"format": "colour"}}, {"const": "b"}]}, ["b"], ["a", 1]),
    ({"oneOf": [{"format": "ipv4"}, {"format": "uri"}]}, ["1.2.3.4", "a:b"], ["a b", 1]),
    ({"oneOf": [{"format": "uri"}, {"pattern": r"^http://\[::1\]/$"}]}, ["http://a/"], ["http://[::1]/"]),
    ({"if": {"format": "uri"}, "then": {"pattern": "^a"}, "else": {"const": "x"}}, ["a:b", "x"], ["b:c", "y"]),
    ({"format": "email", "maxLength": 255}, ["a@b.c"], ["a"]),
    ({"format": "uri", "minLength": 1, "maxLength": 65536}, ["http://example.org/a?b#c"], ["a b"]),
    ({"format": "hostname", "maxLength": 9}, ["a.example"], ["an.example"]),
    ({"pattern": r"^(?:\S+\s+){0,49}\S+$", "maxLength": 50}, ["a b c", "a" * 50], ["a " * 26, " ", "a" * 51]),
    ({"pattern": r"^(?!con$)\w+$", "maxLength": 6}, ["conn", "co"], ["con", "console"]),
]


@pytest.mark.parametrize(("schema", "accepted", "refused"), STRINGS, ids=[json.dumps(row[0]) for row in STRINGS])
def test_strings_are_those_of_the_schema(schema, accepted, refused):
    kinds = {"type": ["string", "integer"], **schema}
    network = Simulator.of(JsonSchema(kinds))
    assert [value for value in accepted if not network.accepts(json.dumps(value))] == []
    assert [value for value in refused if network.accepts(json.dumps(value))] == []


def test_formats_that_are_annotations_never_fail():
    options = JsonOptions(formats="annotate")
    schema = {"anyOf": [{"type": "string", "not": {"format": "ipv4"}}, {"const": "1.2.3.4"}]}
    network = Simulator.of(JsonSchema(schema, options=options))
    assert network.accepts('"1.2.3.4"')
    assert not network.accepts('"a"')
