"""Validation keyword by keyword: what is valid and what is not."""

from __future__ import annotations

import json

import pytest

from grammars.errors import InvalidGrammarError, TooComplexError
from grammars.limits import Limits
from tests.test_grammars.validation_cases import validator, verdicts

ALL = (4, 6, 7, 2019, 2020)
FROM_6, FROM_7, FROM_2019 = ALL[1:], ALL[2:], ALL[3:]

# name, dialects, schema (JSON text), valid instances, invalid instances
CASES = [
    ("null", ALL, '{"type": "null"}', ["null"], ["0", "false", '""']),
    ("boolean", ALL, '{"type": "boolean"}', ["true", "false"], ["0", "1", "null"]),
    ("number", ALL, '{"type": "number"}', ["0", "1.5", "1e400"], ['"1"', "true"]),
    ("integer", ALL, '{"type": "integer"}', ["0", "-3", "12345678901234567890"], ["1.5", "true", "1e-999999999"]),
    ("whole fraction", FROM_6, '{"type": "integer"}', ["1.0", "-2.50e1", "1e999999999", "0.000"], ["2.50"]),
    ("draft 4 integer", (4,), '{"type": "integer"}', ["1"], ["1.0", "1e2"]),
    ("types", ALL, '{"type": ["integer", "string"]}', ["1", '"a"'], ["1.5", "[]", "null"]),
    ("types with number", ALL, '{"type": ["integer", "number"]}', ["1", "1.5"], ['"a"']),
    ("array", ALL, '{"type": "array"}', ["[]", "[1]"], ["{}"]),
    ("object", ALL, '{"type": "object"}', ["{}"], ["[]"]),
    ("enum", ALL, '{"enum": [1, "a", [1.0], {"b": null}]}', ["1", "1.0", '"a"', "[1]", '{"b": null}'],
     ["true", "[true]", "2", '{"b": 0}', "{}", "null"]),
    ("enum of booleans", ALL, '{"enum": [true, [false]]}', ["true", "[false]"], ["1", "[0]", "false"]),
    ("const", FROM_6, '{"const": {"a": [0, 1]}}', ['{"a": [0.0, 1]}'], ['{"a": [false, true]}', '{"a": [1, 0]}']),
    ("const is unknown", (4,), '{"const": 1}', ["2"], []),
    ("minimum", ALL, '{"minimum": 1.1}', ["1.1", "1.10", "2", '"0"'], ["1.09999999999999999999", "-1e999999999"]),
    ("maximum", ALL, '{"maximum": 100}', ["100.0", "1e2"], ["100.0000000000000000000000001", "1e999999999"]),
    ("open minimum", FROM_6, '{"exclusiveMinimum": 3}', ["3.0000000000000000000001"], ["3", "3.0"]),
    ("open maximum", FROM_6, '{"exclusiveMaximum": 3}', ["2.9"], ["3", "4"]),
    ("open bounds of draft 4", (4,), '{"minimum": 1, "exclusiveMinimum": true, "maximum": 3, "exclusiveMaximum": true}',
     ["2"], ["1", "3"]),
    ("closed bound of draft 4", (4,), '{"minimum": 1, "exclusiveMinimum": false}', ["1"], ["0"]),
    ("multiple", ALL, '{"multipleOf": 3}', ["0", "-9", "9.0", "3e50"], ["4", "9.1", "1e50"]),
    ("decimal multiple", ALL, '{"multipleOf": 0.01}', ["0.29", "19.99", "1e300", "4"], ["0.075", "1e-300"]),
    ("far multiple", ALL, '{"multipleOf": 1.5e3}', ["4500", "3e999999999"], ["1000", "1e-999999999"]),
    ("length", ALL, '{"minLength": 2, "maxLength": 3}', ['"ab"', '"😀é"', '"\\ud83d\\ude00ab"', "1"],
     ['"a"', '"😀"', '"abcd"']),
    ("whole length", ALL, '{"maxLength": 2.0}', ['"ab"'], ['"abc"']),
    ("pattern", ALL, r'{"pattern": "b+c$"}', ['"abbc"', "7"], ['"abbcd"', '"bc\\n"']),
    ("pattern of ASCII digits", ALL, r'{"pattern": "^\\d$"}', ['"7"'], ['"߀"', '"77"']),
    ("items", ALL, '{"items": {"type": "integer"}}', ["[]", "[1, 2]", "{}"], ['[1, "a"]']),
    ("items by position", ALL[:4], '{"items": [{"type": "integer"}, {"type": "string"}]}', ["[]", "[1]",
     '[1, "a", null]'],
     ['["a"]', "[1, 2]"]),
    ("additional items", ALL[:4], '{"items": [{}], "additionalItems": {"type": "integer"}}', ['["a"]', '["a", 1]'],
     ['["a", "b"]']),
    ("additional items alone", ALL[:4], '{"additionalItems": false}', ["[1]"], []),
    ("additional items of a schema", ALL[:4], '{"items": {}, "additionalItems": false}', ["[1]"], []),
    ("prefix items", (2020,), '{"prefixItems": [{"type": "integer"}], "items": false}', ["[]", "[1]"], ["[1, 2]",
     '["a"]']),
    ("prefix items alone", (2020,), '{"prefixItems": [{"type": "integer"}]}', ['[1, "a"]'], ['["a"]']),
    ("prefix items are unknown", ALL[:4], '{"prefixItems": [false]}', ["[1]"], []),
    ("contains", FROM_6, '{"contains": {"minimum": 5}}', ["[1, 5]", "{}"], ["[]", "[4]"]),
    ("counted contains", FROM_2019, '{"contains": {"const": 1}, "minContains": 2, "maxContains": 3}', ["[1, 0, 1]"],
     ["[1]", "[1, 1, 1, 1]"]),
    ("no contains needed", FROM_2019, '{"contains": false, "minContains": 0}', ["[]", "[1]"], []),
    ("counts without contains", FROM_2019, '{"minContains": 2, "maxContains": 0}', ["[1]"], []),
    ("counts are unknown", (6, 7), '{"contains": {"const": 1}, "minContains": 2}', ["[1]"], ["[0]"]),
    ("item count", ALL, '{"minItems": 1, "maxItems": 2}', ["[1]", "[1, 2]", '""'], ["[]", "[1, 2, 3]"]),
    ("unique", ALL, '{"uniqueItems": true}', ["[1, true, 0, false]", '["1", 1]', '[{"a": 1}, {"a": 2}]',
     "[[1], [true]]"],
     ["[1, 1.0]", '[{"a": 1, "b": 2}, {"b": 2.0, "a": 1}]', "[[[0]], [[0.0]]]", "[null, null]"]),
    ("not unique", ALL, '{"uniqueItems": false}', ["[1, 1]"], []),
    ("properties", ALL, '{"properties": {"a": {"type": "integer"}}}', ["{}", '{"a": 1, "b": ""}', "[]"], ['{"a": ""}']),
    ("pattern properties", ALL, '{"patternProperties": {"^a": {"type": "integer"}, "b$": {"minimum": 3}}}',
     ['{"a": 1}', '{"ab": 3}', '{"c": null}'], ['{"a": ""}', '{"ab": 2}']),
    ("additional properties", ALL,
     '{"properties": {"a": {}}, "patternProperties": {"^b": {}}, "additionalProperties": false}',
     ['{"a": 1, "bc": 2}'], ['{"c": 1}']),
    ("additional schema", ALL, '{"properties": {"a": {}}, "additionalProperties": {"type": "null"}}',
     ['{"a": 1, "b": null}'], ['{"b": 1}']),
    ("names", FROM_6, '{"propertyNames": {"maxLength": 1}}', ['{"a": 1}', "{}"], ['{"ab": 1}']),
    ("required", ALL, '{"required": ["a", "b"]}', ['{"a": 1, "b": null}', "[]"], ['{"a": 1}', "{}"]),
    ("property count", ALL, '{"minProperties": 1, "maxProperties": 2}', ['{"a": 1}'], ["{}",
     '{"a": 1, "b": 1, "c": 1}']),
    ("dependencies", ALL, '{"dependencies": {"a": ["b"], "c": {"maxProperties": 1}}}', ['{"a": 1, "b": 1}',
     '{"c": 1}', "{}"],
     ['{"a": 1}', '{"c": 1, "d": 1}']),
    ("dependent required", FROM_2019, '{"dependentRequired": {"a": ["b"]}}', ['{"b": 1}', '{"a": 1, "b": 1}'],
     ['{"a": 1}']),
    ("dependent schemas", FROM_2019, '{"dependentSchemas": {"a": {"required": ["b"]}}}', ["{}", '{"a": 1, "b": 1}'],
     ['{"a": 1}']),
    ("dependents are unknown", ALL[:3], '{"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"a": false}}',
     ['{"a": 1}'], []),
    ("all of", ALL, '{"allOf": [{"minimum": 1}, {"maximum": 2}]}', ["1", "2"], ["0", "3"]),
    ("any of", ALL, '{"anyOf": [{"type": "string"}, {"minimum": 2}]}', ['"a"', "2"], ["1"]),
    ("one of", ALL, '{"oneOf": [{"minimum": 1}, {"maximum": 2}, {"enum": [9]}]}', ["0", "3"], ["1", "9", '"a"']),
    ("not", ALL, '{"not": {"type": "integer"}}', ['"a"', "1.5"], ["1"]),
    ("if", FROM_7, '{"if": {"minimum": 5}, "then": {"multipleOf": 2}, "else": {"multipleOf": 3}}', ["6", "3", "8"],
     ["7", "4"]),
    ("if alone", FROM_7, '{"if": false}', ["1"], []),
    ("then alone", FROM_7, '{"then": false, "else": false}', ["1"], []),
    ("if is unknown", (4, 6), '{"if": true, "then": false}', ["1"], []),
    ("annotations", ALL, '{"title": 1, "default": {"$ref": "x"}, "contentEncoding": "base64", "contentMediaType": "a"}',
     ['"%"'], []),
    ("true", FROM_6, "true", ["1", "{}"], []),
    ("false", FROM_6, "false", [], ["1", "null"]),
    # what is left unevaluated
    ("unevaluated names", FROM_2019, '{"properties": {"a": {}}, "unevaluatedProperties": false}', ['{"a": 1}', "[1]"],
     ['{"b": 1}']),
    ("unevaluated schema", FROM_2019, '{"patternProperties": {"^a": {}}, "unevaluatedProperties": {"type": "null"}}',
     ['{"ab": 1, "c": null}'], ['{"c": 1}']),
    ("names of allOf", FROM_2019, '{"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": false}',
     ['{"a": 1}'],
     ['{"b": 1}']),
    ("names of branches that hold", FROM_2019,
     '{"anyOf": [{"properties": {"a": {"type": "null"}}}, {"required": ["b"], "properties": {"b": {}}}],'
     ' "unevaluatedProperties": false}', ['{"a": null}', '{"b": 1}', '{"a": null, "b": 1}'], ['{"a": 1, "b": 1}']),
    ("names of one of", FROM_2019,
     '{"oneOf": [{"required": ["a"], "properties": {"a": {}}}, {"required": ["b"], "properties": {"b": {}}}],'
     ' "unevaluatedProperties": false}', ['{"a": 1}', '{"b": 1}'], ['{"a": 1, "b": 1}', '{"a": 1, "c": 1}']),
    ("nothing is evaluated by not", FROM_2019,
     '{"not": {"not": {"properties": {"a": {}}}}, "unevaluatedProperties": false}',
     ["{}"], ['{"a": 1}']),
    ("names of conditions", FROM_2019,
     '{"if": {"required": ["a"], "properties": {"a": {}}}, "then": {"properties": {"b": {}}},'
     ' "else": {"properties": {"c": {}}},'
     ' "unevaluatedProperties": false}', ['{"a": 1, "b": 1}', '{"c": 1}'], ['{"a": 1, "c": 1}', '{"b": 1}']),
    ("names of a dependent schema", FROM_2019,
     '{"properties": {"a": {}}, "dependentSchemas": {"a": {"properties": {"b": {}}}}, "unevaluatedProperties": false}',
     ['{"a": 1, "b": 1}'], ['{"b": 1}']),
    ("names of a reference", FROM_2019,
     '{"$ref": "#/$defs/x", "unevaluatedProperties": false, "$defs": {"x": {"properties": {"a": {}}}}}', ['{"a": 1}'],
     ['{"b": 1}']),
    ("cousins do not see each other", FROM_2019,
     '{"allOf": [{"properties": {"a": {}}}, {"unevaluatedProperties": false}]}', ["{}"], ['{"a": 1}']),
    ("an inner one evaluates all", FROM_2019,
     '{"allOf": [{"unevaluatedProperties": true}], "unevaluatedProperties": false}',
     ['{"a": 1}'], []),
    ("additional ones are evaluated", FROM_2019, '{"allOf": [{"additionalProperties": {"type": "null"}}],'
     ' "unevaluatedProperties": false}', ['{"a": null}'], ['{"a": 1}']),
    ("members do not evaluate their parent", FROM_2019,
     '{"properties": {"a": {"properties": {"b": {}}}}, "unevaluatedProperties": false}', ['{"a": {"b": 1}}'],
     ['{"a": {}, "b": 1}']),
    ("unevaluated items", (2019,), '{"items": [{"type": "null"}], "unevaluatedItems": false}', ["[null]", "[]"],
     ["[null, 1]"]),
    ("additional items are evaluated", (2019,), '{"items": [{}], "additionalItems": {}, "unevaluatedItems": false}',
     ["[1, 2]"], []),
    ("contains evaluates nothing", (2019,), '{"contains": {"const": 1}, "unevaluatedItems": {"type": "string"}}',
     [], ['[1, "a"]', '["a"]']),
    ("contains evaluates", (2020,), '{"contains": {"const": 1}, "unevaluatedItems": {"type": "string"}}',
     ['[1, "a", 1]'],
     ["[1, 2]", '["a"]']),
    ("unevaluated rest", (2020,),
     '{"prefixItems": [{}], "allOf": [{"prefixItems": [{}, {}]}], "unevaluatedItems": false}',
     ["[1, 2]"], ["[1, 2, 3]"]),
    ("unevaluated is unknown", ALL[:3], '{"unevaluatedProperties": false, "unevaluatedItems": false}', ['{"a": 1}',
     "[1]"], []),
]  # fmt: skip
EXPANDED = [(f"{name} ({d})", d, schema, good, bad) for name, dialects, schema, good, bad in CASES for d in dialects]


@pytest.mark.parametrize(("dialect", "schema", "good", "bad"), [c[1:] for c in EXPANDED], ids=[c[0] for c in EXPANDED])
def test_keyword_decides(dialect, schema, good, bad):
    assert verdicts(schema, good + bad, dialect=dialect) == good


@pytest.mark.parametrize(
    ("schema", "where"),
    [
        ({"type": "any"}, "/type"),
        ({"enum": 1}, "/enum"),
        ({"minimum": "1"}, "/minimum"),
        ({"multipleOf": 0}, "/multipleOf"),
        ({"minLength": -1}, "/minLength"),
        ({"maxItems": 1.5}, "/maxItems"),
        ({"pattern": "("}, "/pattern"),
        ({"pattern": 1}, "/pattern"),
        ({"required": "a"}, "/required"),
        ({"properties": []}, "/properties"),
        ({"allOf": {}}, "/allOf"),
        ({"uniqueItems": 1}, "/uniqueItems"),
        ({"properties": {"a": {"not": 3}}}, "/properties/a/not"),
        ({"$ref": 3}, "/$ref"),
        ({"$ref": "#/nowhere"}, "/$ref"),
        ({"$ref": "#nothing"}, "/$ref"),
        ({"items": [{}]}, "/items"),
    ],
)
def test_malformed_keyword_is_refused_with_its_place(schema, where):
    is_valid = validator(schema)
    for _ in range(2):  # also when asked again
        with pytest.raises(InvalidGrammarError) as caught:
            is_valid("1")
        assert caught.value.where == where


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}]},
        {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"not": {"$ref": "#"}}}},
        {"$dynamicRef": "#a", "$dynamicAnchor": "a"},
        {"if": {"$ref": "#/$defs/a"}, "$defs": {"a": {"$ref": "#"}}},
    ],
)
def test_references_in_a_circle_are_refused(schema):
    with pytest.raises(InvalidGrammarError, match="back to itself"):
        validator(schema)("1")


def test_recursion_through_the_value_is_no_circle():
    schema = {"type": ["array", "null"], "items": {"$ref": "#"}}
    assert verdicts(schema, ["[[null, []], null]", "[[1]]"]) == ["[[null, []], null]"]


def test_depth_of_values_is_bounded():
    is_valid = validator({"items": {"$ref": "#"}, "type": ["array", "integer"]})
    assert is_valid("[" * 150 + "]" * 150)
    with pytest.raises(TooComplexError) as caught:
        is_valid("[" * 201 + "]" * 201)
    assert caught.value.limit == "max_depth"


def test_long_chains_of_references_are_refused():
    chain = {f"d{i}": {"not": {"$ref": f"#/$defs/d{i + 1}"}} for i in range(3000)}
    with pytest.raises(TooComplexError) as caught:
        validator({"$ref": "#/$defs/d0", "$defs": {**chain, "d3000": True}})("1")
    assert caught.value.limit == "max_depth"


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"items": {"type": "null"}}, json.dumps([None] * 2000)),
        ({"uniqueItems": True}, json.dumps(list(range(2000)))),
        ({"enum": [list(range(2000))]}, json.dumps(list(range(2000)))),
        ({"pattern": "^(a?){500}$"}, json.dumps("a" * 500)),
        ({"required": [f"a{i}" for i in range(2000)]}, "{}"),
        ({"additionalProperties": True}, json.dumps({f"a{i}": 1 for i in range(2000)})),
    ],
)
def test_work_is_bounded(schema, text):
    validator(schema)(text)
    with pytest.raises(TooComplexError) as caught:
        validator(schema, limits=Limits(max_validation_steps=1000))(text)
    assert caught.value.limit == "max_validation_steps"


def test_items_are_looked_at_once_however_deep_they_are_compared():
    schema = {"uniqueItems": True, "items": {"$ref": "#"}}
    is_valid = validator(schema, limits=Limits(max_validation_steps=5_000))
    assert is_valid("[0, " * 190 + "1" + "]" * 190)
    assert not is_valid("[0, " * 190 + "[[1], [1.0]]" + "]" * 190)
    assert not is_valid('[{"a": [true, null], "b": 1}, {"b": 1.0, "a": [true, null]}]')
    assert is_valid('[1, true, "1", [1], {"1": 1}, 0, false, null, [], {}, ""]')


@pytest.mark.parametrize(("rest", "valid"), [({}, ['{"a": null}']), ({"unevaluatedProperties": False}, [])])
def test_shared_references_are_asked_once(rest, valid):
    """Each of 80 steps refers twice to the next: by paths there would be 2 ** 80 answers."""
    steps = {
        f"d{i}": {"oneOf": [{"$ref": f"#/$defs/d{i + 1}"}, {"$ref": f"#/$defs/d{i + 1}"}, True]} for i in range(80)
    }
    schema = {"$ref": "#/$defs/d0", "$defs": {**steps, "d80": {"properties": {"a": {"type": "null"}}}}, **rest}
    assert verdicts(schema, ['{"a": 1}', '{"a": null}']) == valid


def test_long_numbers_take_linear_work():
    long = "1." + "0" * 200_000 + "1"
    assert verdicts({"multipleOf": 3}, [long, "3." + "0" * 200_000]) == ["3." + "0" * 200_000]
    assert verdicts({"type": "integer"}, [long]) == []
