"""Schemas that combine others, by table: what is accepted, what is refused."""

from __future__ import annotations

import pytest

from grammars.frontends.json import JsonSchema
from tests.test_grammars.simulator import Simulator

KINDS = [
    {"type": "string", "pattern": "^a$"}, {"const": "b"}, {"enum": ["c", "d"]},
    {"type": "string", "pattern": "^(e|f)$"}, {"const": 1}, {"const": "h"},
]  # fmt: skip
TABLE = {
    "names that are refused one by one": (
        {
            "type": "object",
            "patternProperties": {"^id$": {"type": "integer"}, "^(en|nl)$": {"type": "string"}},
            "additionalProperties": {"type": "null"},
        },
        [{"id": 1, "en": "a", "x": None}, {"i": None, "e": None, "nl2": None}],
        [{"id": None}, {"nl": 1}, {"x": 1}],
    ),
    "options told apart by a pattern": (
        {
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"kind": kind, "v": {"const": number}},
                    "required": ["kind"],
                    "additionalProperties": False,
                }
                for number, kind in enumerate(KINDS)
            ]
        },
        [{"kind": "a", "v": 0}, {"kind": "d", "v": 2}, {"kind": "f", "v": 3}, {"kind": 1, "v": 4}],
        [{"kind": "a", "v": 1}, {"kind": "g", "v": 0}, {"kind": "c", "v": 3}],
    ),
    "options that one member does not tell apart": (
        {
            "oneOf": [
                {"type": "object", "properties": {"k": {"enum": kinds}, "v": True}, "required": ["k"]}
                for kinds in (["a"], ["b"], ["c", "d"], ["e"], ["d", "f"], ["g"])
            ]
        },
        [{"k": "a"}, {"k": "c", "v": 1}, {"k": "f"}],
        [{"k": "d"}, {"k": "x"}, {}],
    ),
    "conditions one after the other": (
        {
            "type": "object",
            "properties": {"k": {"enum": ["a", "b", "c", "d"]}, "v": {"type": "integer"}},
            "required": ["k", "v"],
            "additionalProperties": False,
            "allOf": [
                {
                    "if": {"properties": {"k": {"const": kind}}},
                    "then": {"properties": {"v": {"minimum": number}}},
                    "else": {"properties": {"v": {"maximum": 100 + number}}},
                }
                for number, kind in enumerate("abc", 1)
            ],
        },
        [{"k": "a", "v": 102}, {"k": "b", "v": 2}, {"k": "c", "v": 101}, {"k": "d", "v": -5}],
        [{"k": "a", "v": 0}, {"k": "b", "v": 1}, {"k": "c", "v": 102}, {"k": "d", "v": 102}, {"k": "a", "v": 103}],
    ),
    "several patterns refused": (
        {"type": "string", "pattern": "^a", "allOf": [{"not": {"pattern": name}} for name in ("b", "c$", "^ad")]},
        ["a", "axe", "acx"],
        ["ab", "ac", "ad", "x"],
    ),
    "multiples of several": (
        {"type": "number", "allOf": [{"multipleOf": 4}, {"multipleOf": 6}, {"multipleOf": 0.5}]},
        [0, 12, -24],
        [4, 6, 0.5, 8],
    ),
    "multiple of one and of no other": (
        {"type": "number", "multipleOf": 4, "allOf": [{"not": {"multipleOf": 3}}, {"not": {"multipleOf": 9}}]},
        [4, 8, -20],
        [0, 12, 36, 2, 4.5],
    ),
    "multiple that is refused": (
        {"anyOf": [{"multipleOf": 4, "not": {"multipleOf": 2}}, {"type": "null"}], "type": ["integer", "null"]},
        [None],
        [4, 2, 3, 0],
    ),
}


@pytest.mark.parametrize("name", TABLE)
def test_choices_table(name):
    schema, accepted, refused = TABLE[name]
    Simulator.of(JsonSchema(schema)).must_tell_apart(accepted, refused)
