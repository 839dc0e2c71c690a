"""JSON Schema by table: what is accepted, what is refused, what is reported."""

from __future__ import annotations

import json

import pytest

from grammars.frontends.json import JsonOptions, JsonSchema
from grammars.frontends.regex import Regex
from tests.test_grammars.simulator import Simulator

DRAFT4 = "http://json-schema.org/draft-04/schema#"
DRAFT7 = "http://json-schema.org/draft-07/schema#"
TREE = {
    "$ref": "#/$defs/node",
    "$defs": {
        "node": {
            "type": "object",
            "properties": {"v": {"type": "integer"}, "next": {"$ref": "#/$defs/node"}},
            "required": ["v"],
            "additionalProperties": False,
        }
    },
}

TABLE = {
    "true": (True, [1, "a", None, [], {}, {"a": [1, {"b": None}]}, 1.5, -3, 1e-05, 1.5e22, "é\n\"\\\x01"], []),
    "typeless": ({"properties": {"a": {"type": "integer"}}}, [1, "a", {"a": 1}, {"b": "x"}], [{"a": "x"}]),
    "types": ({"type": ["string", "null"]}, ["", None], [0, False, []]),
    "integer": ({"type": "integer"}, [0, -1, 10**18], [1.5, "1", True]),
    "properties": (
        {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "integer"}, "c": {}},
            "required": ["b"],
        },
        [{"b": 1}, {"b": 1, "a": "x"}, {"a": "", "b": 1, "c": [], "d": 1, "e": 2}, {"b": 1, "ab": 1, "": 2}],
        [{}, {"a": "x"}, {"b": "1"}, {"a": 1, "b": 1}],
    ),
    "additional false": (
        {"properties": {"a": {}}, "additionalProperties": False},
        [{}, {"a": 1}, 3],
        [{"b": 1}, {"a": 1, "b": 1}],
    ),
    "additional schema": (
        {"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "null"}},
        [{"a": 1, "b": None, "aa": None}],
        [{"b": 1}],
    ),
    "names that are hard to spell": (
        {"type": "object", "properties": {n: {"type": "null"} for n in ["é", "è", 'q"', "\n", "\\", "😀", ""]}},
        [{"é": None, "è": None}, {"ê": 1}, {"é2": 1}, {'q"': None}, {"q": 1}, {"\t": 1}, {"😁": 1}, {"\\x": 1}],
        [{"é": 1}, {"è": 1}, {'q"': 1}, {"\n": 1}, {"\\": 1}, {"😀": 1}, {"": 1}],
    ),
    "required undeclared": (
        {"type": "object", "required": ["a", "b"]},
        [{"a": 1, "b": 2}, {"a": 1, "b": 2, "c": 3}],
        [{}, {"a": 1}, {"c": 1, "b": 1}],
    ),
    "required forbidden value": (
        {"anyOf": [{"type": "object", "required": ["a"], "properties": {"a": False}}, {"type": "null"}]},
        [None],
        [{"a": 1}, {}],
    ),
    "pattern properties": (
        {
            "type": "object",
            "properties": {"x-a": {"maximum": 3}},
            "patternProperties": {"^x-": {"type": "integer"}},
            "additionalProperties": False,
        },
        [{"x-a": 2, "x-b": 7}, {}],
        [{"x-a": 7}, {"y": 1}, {"x-c": "a"}, {"x-a": 1.5}],
    ),
    "pattern properties overlap": (
        {"type": "object", "patternProperties": {"a": {"type": "integer"}, "b": {"minimum": 5}}},
        [{"ab": 6, "a": 1, "b": "x", "c": None}],
        [{"ab": 1}, {"ab": 6.5}, {"a": "x"}, {"b": 3}],
    ),
    "property names": (
        {"type": "object", "propertyNames": {"pattern": "^[a-z]+$", "maxLength": 3}},
        [{"abc": 1, "a": 2}, {}],
        [{"abcd": 1}, {"A": 1}],
    ),
    "min properties": ({"type": "object", "minProperties": 1}, [{"a": 1}], [{}]),
    "max properties": (
        {"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "maxProperties": 2},
        [{}, {"a": 1, "c": 1}, {"b": 1, "x": 1}],
        [{"a": 1, "b": 1, "c": 1}, {"a": 1, "x": 1, "y": 1}],
    ),
    "min properties of declared": (
        {"properties": {"a": {}, "b": {}, "c": {}}, "minProperties": 2, "additionalProperties": False},
        [{"a": 1, "c": 1}, {"a": 1, "b": 1, "c": 1}],
        [{}, {"b": 1}],
    ),
    "dependent required": (
        {"type": "object", "properties": {"a": {}, "b": {}}, "dependentRequired": {"a": ["b"]}},
        [{}, {"b": 1}, {"a": 1, "b": 1}],
        [{"a": 1}, {"a": 1, "c": 1}],
    ),
    "dependencies": (
        {"$schema": DRAFT7, "properties": {"a": {}, "b": {}}, "dependencies": {"a": {"required": ["b"]}, "c": ["a"]}},
        [{}, {"b": 1}, {"a": 1, "b": 1}, {"a": 1, "b": 1, "c": 1}],
        [{"a": 1}, {"b": 1, "c": 1}],
    ),
    "items": ({"type": "array", "items": {"type": "integer"}}, [[], [1], [1, 2]], [["a"], [1, "a"]]),
    "item counts": ({"type": "array", "items": {"type": "null"}, "minItems": 1, "maxItems": 3},
                    [[None], [None] * 3], [[], [None] * 4]),
    "many items": ({"type": "array", "minItems": 30}, [[1] * 30, [1] * 31], [[1] * 29]),
    "prefix items": (
        {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": {"type": "null"}},
        [[], [1], [1, "a"], [1, "a", None, None]],
        [["a"], [1, 1], [1, "a", 1]],
    ),
    "prefix items closed": (
        {"type": "array", "prefixItems": [{}, {}], "items": False, "minItems": 1},
        [[1], [1, 2]],
        [[], [1, 2, 3]],
    ),
    "items array of draft 4": (
        {"$schema": DRAFT4, "type": "array", "items": [{"type": "integer"}], "additionalItems": {"type": "string"}},
        [[], [1], [1, "a"]],
        [["a"], [1, 1]],
    ),
    "unique single": ({"type": "array", "uniqueItems": True, "maxItems": 1}, [[], [1]], [[1, 2]]),
    "enum": ({"enum": ["a", 1, None, {"x": [1, 2.5], "y": {}}, [], 2.0]},
             ["a", 1, None, {"x": [1, 2.5], "y": {}}, [], 2, 2.0], ["b", {}, {"x": [1, 2.5]}]),
    "enum and siblings": ({"enum": ["a", "abc", 1, 7, None], "minLength": 2, "minimum": 5,
                           "type": ["string", "integer"]},
                          ["abc", 7], ["a", 1, None]),
    "const": ({"const": {"a": "é"}}, [{"a": "é"}], [{"a": "e"}, {}]),
    "lengths": ({"type": "string", "minLength": 2, "maxLength": 3}, ["ab", "é\n😀"], ["a", "abcd", ""]),
    "pattern": ({"type": "string", "pattern": "^a+\"?b"}, ["ab", 'a"bz\n'], ["b", "xab"]),
    "pattern and lengths": ({"type": "string", "pattern": "^[a-z](-?[a-z])*$", "maxLength": 4},
                            ["a", "a-b", "abcd", "ab-c"], ["abcde", "a-", "a-b-c"]),
    "two patterns": ({"allOf": [{"pattern": "a"}, {"pattern": "b"}], "type": "string"}, ["ab", "xbxa"], ["a", "b"]),
    "integer bounds": ({"type": "integer", "minimum": 3, "exclusiveMaximum": 120},
                       [3, 9, 10, 99, 100, 119], [2, 120, 0, -5, 1000]),
    "negative bounds": ({"type": "integer", "minimum": -120, "maximum": -7}, [-7, -10, -99, -120], [-6, 0, 7, -121]),
    "draft 4 exclusive": ({"$schema": DRAFT4, "type": "integer", "minimum": 3, "exclusiveMinimum": True}, [4], [3]),
    "number bounds": ({"type": "number", "minimum": -1.5, "exclusiveMaximum": 2.25},
                      [-1.5, -1, 0, 1, 2, 2.2, 2.2499, -0.5, -1.499], [-1.51, 2.25, 2.26, 3, -2]),
    "number minimum": ({"type": "number", "minimum": 0}, [0, 0.1, 1e-05, 1.5e22, 12.75], [-0.1, -1, -1e22]),
    "number above": ({"type": "number", "exclusiveMinimum": 0.05}, [0.06, 0.051, 7, 1e22], [0.05, 0.04, 0, -1, 1e-05]),
    "number narrow": ({"type": "number", "minimum": 1.25, "maximum": 1.5}, [1.25, 1.3, 1.5, 1.49], [1.2, 1.51, 1, 2]),
    "multiple": ({"type": "integer", "multipleOf": 7, "minimum": 0}, [0, 7, 700, 7007], [1, 6, 71, -7]),
    "multiple of hundredths": ({"type": "number", "multipleOf": 0.01}, [0, 1, 0.25, -3.1], [0.125, 1.001]),
    "anyOf": ({"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 3}]}, ["a", 3], [2, None]),
    "anyOf with siblings": (
        {
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {}},
            "anyOf": [{"required": ["a"]}, {"required": ["b"], "properties": {"b": {"type": "null"}}}],
        },
        [{"a": 1}, {"b": None}, {"a": 1, "b": 7}],
        [{}, {"b": 7}, {"a": "x", "b": None}, "a"],
    ),
    "allOf": (
        {"allOf": [{"properties": {"a": {"minimum": 2}}, "required": ["a"]}, {"properties": {"a": {"maximum": 4}}}],
         "type": "object"},
        [{"a": 3}, {"a": "x"}, {"a": 2, "b": 1}],
        [{"a": 5}, {"a": 1}, {}],
    ),
    "allOf with additional": (
        {"type": "object", "allOf": [{"properties": {"a": {}}, "additionalProperties": {"type": "null"}},
                                     {"properties": {"b": {}}}]},
        [{"a": 1, "b": None, "c": None}],
        [{"b": 1}, {"c": 1}],
    ),
    "oneOf overlapping": ({"oneOf": [{"type": "integer", "minimum": 3}, {"type": "integer", "maximum": 5}]},
                          [1, 2, 6, 7], [3, 4, 5, "a"]),
    "oneOf tagged": (
        {
            "oneOf": [
                {"type": "object", "properties": {"k": {"const": k}, k: {"type": "integer"}}, "required": ["k"]}
                for k in ("x", "y")
            ]
        },
        [{"k": "x", "x": 1}, {"k": "y", "y": 1}, {"k": "y", "x": "free"}],
        [{"k": "x", "x": "a"}, {"k": "z"}, {}],
    ),
    "not": ({"not": {"type": ["string", "integer"]}}, [None, [], {}], ["a", 1]),
    "not enum": ({"type": "string", "not": {"enum": ["a", "ab"]}}, ["", "b", "abc"], ["a", "ab"]),
    "not const number": ({"type": "integer", "not": {"const": 5}}, [4, 6, 50, -5], [5]),
    "not integer": ({"type": "number", "not": {"type": "integer"}}, [1.5, -0.25, 1e-07], [1, 0, 1.0, 1e22]),
    "multiple of a fraction": ({"type": "number", "multipleOf": 2.5}, [0, 2.5, -5, 17.5, 100], [1, 2.25, 7, 1.25]),
    "not a large multiple": ({"type": "integer", "not": {"multipleOf": 256}}, [1, 255, 300], [0, 256, -512]),
    "excluded array": ({"type": "array", "not": {"const": [1, {}]}}, [[], [1], [1, {"a": 1}], [{}, 1]], [[1, {}]]),
    "excluded object": (
        {"type": "object", "not": {"enum": [{}, {"a": [1]}]}}, [{"a": 1}, {"b": 1}, {"a": [1], "b": 1}],
        [{}, {"a": [1]}],
    ),
    "not items by position": (
        {"type": "array", "not": {"prefixItems": [{"const": 1}, True], "items": {"type": "null"}}},
        [[2], [1, 2, 3], [1, 2, None, 3], [0, 0]], [[], [1], [1, 2], [1, 2, None]],
    ),
    "not contains with counts": (
        {"type": "array", "not": {"contains": {"const": 1}, "minContains": 2, "maxContains": 3}},
        [[], [1], [1, 2], [1, 1, 1, 1]], [[1, 1], [1, 2, 1], [1, 1, 1]],
    ),
    "not dependent": (
        {"type": "object", "not": {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"maxProperties": 1}}}},
        [{"a": 1}, {"c": 1, "d": 1}], [{}, {"a": 1, "b": 1}, {"c": 1}, {"b": 1, "d": 1}],
    ),
    "branches told apart by what stands beside them": (
        {
            "required": ["type"], "type": "object",
            "oneOf": [
                {"properties": {"type": {"const": name}, "value": {"type": kind}}}
                for name, kind in (("a", "string"), ("b", "number"), ("c", "number"), ("d", "integer"))
            ],
        },
        [{"type": "a", "value": ""}, {"type": "b", "value": 0.5}, {"type": "d"}],
        [{"type": "a", "value": 1}, {"type": "d", "value": 0.5}, {"type": "e"}, {}],
    ),
    "exactly one of many members": (
        {
            "type": "object", "additionalProperties": False,
            "properties": {f"p{i}": True for i in range(12)},
            "oneOf": [{"required": [f"p{i}"], "properties": {f"p{i}": {"type": "integer"}}} for i in range(12)],
        },
        [{"p0": 1}, {"p3": 1, "p7": "x"}, {"p1": None, "p11": 2}], [{}, {"p0": 1, "p1": 1}, {"p4": "x"}],
    ),
    "many patterns": (
        {"patternProperties": {f"^{c}": {"type": "integer"} for c in "abcdefgh"} | {"z$": {"minimum": 5}}},
        [{"a": 1}, {"hz": 6, "x": None}, {"yz": "any"}], [{"a": "x"}, {"hz": 4}, {"yz": 1}],
    ),
    "members counted among finite names": (
        {
            "type": "object", "patternProperties": {"^[ab]$": True, "^c$": {"type": "integer"}},
            "additionalProperties": False, "minProperties": 2, "not": {"propertyNames": {"const": "a"}},
        },
        [{"a": 1, "b": 2}, {"b": 0, "c": 1}], [{"a": 1}, {"a": 1, "c": "x"}, {"b": 1}],
    ),
    "not multiple": ({"type": "number", "not": {"multipleOf": 3}}, [1, 2, 4, -5, 1.5, 100], [0, 3, -9, 300]),
    "contains": ({"type": "array", "contains": {"type": "integer"}}, [[1], ["a", 1, "b"], [1, 2]], [[], ["a"]]),
    "contains with counts": (
        {
            "type": "array",
            "contains": {"type": "integer", "minimum": 5},
            "minContains": 2,
            "maxContains": 3,
            "items": {"type": ["integer", "null"]},
            "maxItems": 5,
        },
        [[5, 6], [1, 5, None, 7], [5, 5, 5, 1, 1]],
        [[], [5], [5, 5, 5, 5], [5, 5, "a"], [1, 1, 1, 1, 5, 5]],
    ),
    "not items": ({"type": "array", "not": {"items": {"type": "integer"}}}, [["a"], [1, "a"]], [[], [1]]),
    "unique of few": (
        {"type": "array", "items": {"enum": ["a", "b", "c"]}, "uniqueItems": True, "minItems": 1},
        [["a"], ["c", "a"], ["b", "c", "a"]],
        [[], ["a", "a"], ["a", "b", "a"], ["a", "b", "c", "a"]],
    ),
    "not required": ({"type": "object", "not": {"required": ["a"]}}, [{}, {"b": 1}, {"aa": 1}],
                     [{"a": 1}, {"b": 1, "a": 1}]),
    "not closed": (
        {"type": "object", "properties": {"b": {}}, "not": {"properties": {"a": {}}, "additionalProperties": False}},
        [{"b": 1}, {"c": 1}, {"a": 1, "c": 2}, {"c": 1, "d": 1}, {"b": 1, "c": 1}],
        [{}, {"a": 1}],
    ),
    "not property names": (
        {"type": "object", "properties": {"ab": {}}, "not": {"propertyNames": {"maxLength": 1}}},
        [{"ab": 1}, {"abc": 1}, {"a": 1, "abc": 2, "b": 3}],
        [{}, {"a": 1}],
    ),
    "not pattern properties": (
        {"type": "object", "not": {"patternProperties": {"^x": False}}},
        [{"x": 1}, {"a": 1, "xx": 2, "b": 3}],
        [{}, {"a": 1}],
    ),
    "oneOf closed and open": (
        {
            "oneOf": [
                {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False},
                {"type": "object", "properties": {"b": {"type": "string"}}},
            ]
        },
        [{"b": "x", "a": 1}, {"c": 1}, {"a": "x"}],
        [{}, {"a": 1}, {"b": 1}],
    ),
    "property names enumerated": (
        {"type": "object", "properties": {"a": {}}, "propertyNames": {"enum": ["a", "c", 3]}},
        [{}, {"a": 1, "c": 1}],
        [{"b": 1}],
    ),
    "not pattern properties by value": (
        {"type": "object", "not": {"patternProperties": {"^x": {"type": "integer"}}}},
        [{"x": "a"}, {"a": 1, "x1": 1, "xx": None}],
        [{}, {"a": "b"}, {"x": 1}],
    ),
    "not additional by value": (
        {
            "type": "object",
            "properties": {"b": {}},
            "not": {"properties": {"a": {}}, "additionalProperties": {"type": "integer"}},
        },
        [{"b": "x"}, {"b": 1, "c": "x"}, {"c": None}],
        [{}, {"b": 1}, {"b": 1, "c": 2}, {"a": "x"}],
    ),
    "several members that must exist": (
        {
            "type": "object",
            "allOf": [{"not": {"propertyNames": {"pattern": "^a"}}}, {"not": {"propertyNames": {"pattern": "b$"}}}],
        },
        [{"x": 1}, {"ab": 1, "x": 2}, {"bb": 1, "a": 2}, {"a": 1, "ab": 2, "b": 3}],
        [{}, {"ab": 1}, {"a": 1}, {"b": 1}],
    ),
    "not pattern": ({"type": "string", "not": {"pattern": "^a"}}, ["", "ba"], ["a", "ab"]),
    "if then else": (
        {
            "type": "object",
            "properties": {"k": {"type": "string"}, "v": {}},
            "required": ["k"],
            "if": {"properties": {"k": {"const": "n"}}},
            "then": {"required": ["v"], "properties": {"v": {"type": "integer"}}},
            "else": {"properties": {"v": {"type": "string"}}},
        },
        [{"k": "n", "v": 1}, {"k": "m", "v": "x"}, {"k": "m"}],
        [{"k": "n"}, {"k": "n", "v": "x"}, {"k": "m", "v": 1}],
    ),
    "recursive": (TREE, [{"v": 1}, {"v": 1, "next": {"v": 2, "next": {"v": 3}}}], [{}, {"v": 1, "next": {}}]),
    "ref with siblings": ({"$defs": {"a": {"type": "integer"}}, "$ref": "#/$defs/a", "minimum": 3}, [3], [2, "x"]),
    "ref of draft 7 hides siblings": (
        {"$schema": DRAFT7, "definitions": {"a": {"type": "integer"}}, "$ref": "#/definitions/a", "minimum": 3},
        [2], ["x"]),
    "ref with escapes": ({"$defs": {"a/b~c d": {"type": "null"}}, "$ref": "#/$defs/a~1b~0c%20d"}, [None], [1]),
    "anchor": ({"$defs": {"x": {"$anchor": "here", "type": "null"}}, "$ref": "#here"}, [None], [1]),
    "id": ({"$id": "http://h/a/b.json", "$defs": {"x": {"$id": "c.json", "type": "null"}}, "$ref": "/a/c.json"},
           [None], [1]),
    "format date": ({"type": "string", "format": "date"},
                    ["2024-02-29", "1999-12-31"], ["2023-02-29", "2024-13-01", "x"]),
    "format unknown": ({"type": "string", "format": "colour"}, ["x"], [1]),
    "annotations": ({"title": 1, "description": "d", "x-any": {"type": "null"}, "default": 3, "unknownWord": False},
                    [1, "a"], []),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_json_schema_table(name):
    schema, accepted, refused = TABLE[name]
    Simulator.of(JsonSchema(schema)).must_tell_apart(accepted, refused)


@pytest.mark.parametrize(
    "text", ['{"a":1,"b":[1,2]}', '{"a": 1, "b": [1, 2]}', '{\n\t"a": 1,\n\t"b": [\n\t\t1,\n\t\t2\n\t]\n}']
)
def test_bounded_whitespace_takes_the_usual_styles(text):
    assert Simulator.of(JsonSchema(True)).accepts(text)


@pytest.mark.parametrize(
    "text", [" 1", "1 ", "[1 ,2]", '{"a" :1}', "[  1]", "[\n\n1]", "[\r\n1]", "[\n" + " " * 21 + "1]"]
)
def test_bounded_whitespace_refuses_the_rest(text):
    assert not Simulator.of(JsonSchema(True)).accepts(text)
    assert Simulator.of(JsonSchema(True, JsonOptions(whitespace="any"))).accepts(text)


def test_compact_whitespace_has_none():
    network = Simulator.of(JsonSchema(True, JsonOptions(whitespace="compact")))
    assert network.accepts('{"a":[1,{}],"b":2}')
    assert not network.accepts('{"a": 1}')
    assert not network.accepts("[1, 2]")


@pytest.mark.parametrize(
    "text", ["01", "-", "1.", ".5", "+1", "1e400", "1e999", "--1", "0x1", "NaN", "Infinity", '"\\x"', '"\n"']
)
def test_only_json_is_accepted(text):
    assert not Simulator.of(JsonSchema(True)).accepts(text)


NUMBERS = [
    "0", "-0", "7", "-12", "1234567890123456789", "0.5", "-0.25", "12.75", "1e5", "1E+05", "1.5e-07", "9e99", "2e299",
    "1e307", "1e308", "123456789012345678901", "5e-324", "1.7976931348623157e308", "-1.7e+308",
    "01", "1.", ".5", "-", "1e", "2e308", "1234567890123456789012", "12e5", "0e1", "1.5e", "1.e5", "+1", "1e+",
    "00.5", "3e310", "1.7976931348623158e308",
]  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS)
def test_plain_numbers_written_by_hand_are_those_of_the_pattern(text):
    plain = Simulator.of(JsonSchema({"type": "number"}))
    bounded = Simulator.of(JsonSchema({"anyOf": [{"type": "number", "minLength": 1, "not": {"const": "x"}}]}))
    tree = Simulator.of(Regex(
        r"-?(0(\.[0-9]{1,22})?|[1-9]([0-9]{1,20}(\.[0-9]{1,22})?"
        r"|(\.[0-9]{1,22})?([eE](\+?([0-9]{1,2}|[12][0-9][0-9]|30[0-7])|-([0-9]{1,2}|[12][0-9][0-9]|3[01][0-9]|32[0-4])))?)"
        r"|1(\.[0-6][0-9]{1,21}|\.7(976931348623157)?)?[eE]\+?308)"
    ))  # fmt: skip
    assert plain.accepts(text) == tree.accepts(text) == bounded.accepts(text)
    assert not plain.accepts(text) or json.loads(text) < float("inf")


HUGE = 2**31 - 1


@pytest.mark.parametrize(
    ("schema", "accepted"),
    [
        ({"type": "string", "maxLength": HUGE}, '"ab"'),
        ({"type": "string", "maxLength": 10**30, "pattern": "a"}, '"ba"'),
        ({"type": "array", "items": {"type": "integer"}, "maxItems": HUGE}, "[1,2]"),
        ({"type": "array", "contains": {"type": "string"}, "maxContains": HUGE, "maxItems": HUGE}, '[1,"a"]'),
        ({"type": "object", "properties": {"a": {}}, "maxProperties": HUGE}, '{"a":1,"b":2}'),
        ({"oneOf": [{"type": "string", "minLength": HUGE}, {"type": ["string", "null"]}]}, '"a"'),
    ],
    ids=str,
)
def test_counts_that_no_text_reaches_bound_nothing(schema, accepted):
    simulator = Simulator.of(JsonSchema(schema))
    assert simulator.accepts(accepted)


NESTED = {"a": 1, "b": [{"c": None, "d": 2.5e-07}], "e": {}}


@pytest.mark.parametrize(
    ("text", "is_ordered"),
    [
        ('{"a":1,"b":[{"c":null,"d":2.5e-07}],"e":{}}', True),
        ('{"a": 1, "b": [{"c": null, "d": 2.5e-7}], "e": {}}', True),
        ('{"e":{},"b":[{"d":2.5e-07,"c":null}],"a":1}', False),
        ('{"a":1,"e":{},"b":[{"c":null,"d":2.5e-07}]}', False),
    ],
)
@pytest.mark.parametrize(
    "schema", [{"const": NESTED}, {"enum": [1, NESTED, []]}, {"properties": {"x": {"const": NESTED}}}]
)
def test_members_of_given_values_come_in_any_order(text, is_ordered, schema):
    text = '{"x":' + text + "}" if "properties" in schema else text
    assert Simulator.of(JsonSchema(schema)).accepts(text)
    assert Simulator.of(JsonSchema(schema, JsonOptions(property_order="schema"))).accepts(text) == is_ordered
    for wrong in (text.replace('"a":', '"e":'), text.replace("null", "0"), text.replace(',"e":{}', "")):
        assert wrong == text or "properties" in schema or not Simulator.of(JsonSchema(schema)).accepts(wrong), wrong


@pytest.mark.parametrize(
    ("schema", "accepted", "refused"),
    [
        ({}, [[1, 1], [1, 2, 1], ["a", {}, "a"], [{"a": 1, "b": 2}, {"b": 2, "a": 1}], [1, 1.0]], [[], [1], [1, "1"]]),
        ({"items": {"type": "integer"}, "maxItems": 2}, [[1, 1]], [[1, 2], [1, 1, 1], ["a", "a"]]),
        ({"prefixItems": [{"const": 1}, {"const": 2}]}, [[1, 2, 2], [1, 2, "a", 1]], [[1, 2], [1, 1], [1, 2, 3]]),
        ({"contains": {"const": 5}, "maxContains": 1}, [[5, 1, 1], [1, 5, 1]], [[5, 5], [5, 1], [1, 1]]),
        ({"oneOf": [{"uniqueItems": True}, {"minItems": 2}]}, [[1, 1]], [[1, 2], [1]]),
    ],
    ids=str,
)
def test_items_that_must_not_all_differ(schema, accepted, refused):
    simulator = Simulator.of(JsonSchema({"type": "array", "not": {"uniqueItems": True}, **schema}))
    simulator.must_tell_apart(accepted, refused)
