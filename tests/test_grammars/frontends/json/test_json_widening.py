"""Schemas whose choices are too many to multiply out: a mask that allows more, and a check that is exact."""

from __future__ import annotations

import itertools
import json
import random

import jsonschema
import pytest

from grammars import Compiler, JsonSchema, Vocabulary
from grammars.errors import UnsatisfiableError, UnsupportedError
from grammars.network.builder import NetworkBuilder
from tests.test_grammars.simulator import Simulator

# Names in groups of three, of which each schema below wants something.
GROUPS = ("abc", "def", "ghi", "jkl", "mno", "pqr", "stu")
ANY = {"type": "object", "allOf": [{"anyOf": [{"required": [name]} for name in group]} for group in GROUPS]}
ONE = {"type": "object", "allOf": [{"oneOf": [{"required": [name]} for name in group]} for group in GROUPS]}
# Two ways each.
IF = {
    "type": "object",
    "allOf": [
        {"if": {"required": [x], "properties": {x: {"const": 1}}}, "then": {"required": [y]}}
        for x, y in itertools.pairwise("abdeghjkmnp")
    ],
}
SCHEMAS = {
    "anyOf": ANY,
    "oneOf": ONE,
    "if": IF,
    "in an array": {"type": "array", "items": ONE},
    "in a member": {"type": "object", "properties": {"a": ONE, "b": {"not": ANY}}},
    "by reference": {"$defs": {"a/b~c d": ONE}, "items": {"$ref": "#/$defs/a~1b~0c%20d"}},
    "with an enum": {**ONE, "enum": [{}, {"a": 1}, dict.fromkeys("adgjmps", 1), dict.fromkeys("adgjmpst", 1)]},
    "contains": {"type": "array", "contains": ONE, "maxContains": 1},
    "complement": {"type": "object", "not": {"not": ONE}, "properties": {"a": {"type": "integer"}}},
    "unevaluated": {**ONE, "properties": {"a": {}}, "unevaluatedProperties": {"type": "integer"}},
    "dynamic": {**ONE, "properties": {"i": {"$dynamicRef": "#"}}},
}


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    return Compiler(Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256]))


def _object(chance: random.Random) -> dict:
    """One name of each group, and now and then another one more or less."""
    names = [chance.choice(group) for group in GROUPS]
    if chance.random() < 0.4:
        names.append(chance.choice("".join(GROUPS)))
    if chance.random() < 0.2:
        names.pop()
    return {name: chance.choice([1, 1, 1, "x", None]) for name in sorted(set(names))}


def _instances(chance: random.Random) -> list:
    one, other = _object(chance), _object(chance)
    return [one, [one], [one, other], [one, 1], {"a": one}, {"a": one, "b": other}, {**one, "b": other}, {"b": one}]


@pytest.mark.parametrize("name", SCHEMAS)
def test_widened_schemas_are_exact(name, compiler):
    chance = random.Random(name)
    compiled = compiler.compile(JsonSchema(SCHEMAS[name]))
    assert any(check.predicate for check in compiled.network.checks)
    judge = jsonschema.Draft202012Validator(SCHEMAS[name])
    seen = set()
    for _ in range(40):
        for instance in (*_instances(chance), *SCHEMAS[name].get("enum", [])):
            expected = judge.is_valid(instance)
            assert compiled.matcher().accept_text(json.dumps(instance).encode()) == expected, instance
            seen.add(expected)
    assert seen == {True, False}


def test_widened_schemas_tell_what_is_checked():
    builder = NetworkBuilder()
    network = builder.finish(JsonSchema({"type": "array", "items": ONE}).emit(builder))
    checked = {(entry.pointer, entry.keyword) for entry in network.report if entry.how == "check"}
    assert checked == {(f"/items/allOf/{i}", "oneOf") for i in range(len(GROUPS))}


def test_widened_values_are_checked_where_they_end(compiler):
    schema = {"type": "array", "items": ONE, "minItems": 2}
    compiled = compiler.compile(JsonSchema(schema))
    for one in (compiled, compiler.load(compiled.to_bytes())):
        matcher = one.matcher()
        for byte in b'[{"a":1,"d":1,"g":1,"j":1,"m":1,"p":1':
            assert matcher.accept(byte)
        twin = matcher.fork()
        for byte in b',"q":1':
            assert twin.accept(byte)
        assert not matcher.accept(ord("}"))
        assert not twin.accept(ord("}"))
        for byte in b',"s":1':
            assert matcher.accept(byte)
            assert twin.accept(byte)
        assert matcher.accept(ord("}"))
        assert not twin.accept(ord("}"))
        assert matcher.accept(ord(","))


def test_widened_names_are_refused():
    choices = [{"anyOf": [{"pattern": f"{a}"}, {"pattern": f"{a}{a}b"}, {"pattern": f"^{a}"}]} for a in "".join(GROUPS)]
    with pytest.raises(UnsupportedError):
        Simulator.of(JsonSchema({"type": "object", "propertyNames": {"allOf": choices}}))


def test_strings_that_match_one_of_so_many_combinations_are_refused():
    counts = [{"anyOf": [{"pattern": f"^.*{letter}{{{n}}}.*$"} for n in range(1, 5)]} for letter in "abcdefgh"]
    with pytest.raises(UnsupportedError, match="combinations of what a string must match"):
        Simulator.of(JsonSchema({"type": "string", "allOf": counts}))


@pytest.mark.parametrize("more", [{}, {"minProperties": 2}])
@pytest.mark.parametrize("keyword", ["allOf", "anyOf"])
def test_choices_that_references_lead_to_in_many_ways_are_no_combinations(compiler, keyword, more):
    levels = {f"a{i}": {keyword: [{"$ref": f"#/$defs/a{i + 1}", **more}] * 2} for i in range(40)}
    levels["a40"] = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    compiled = compiler.compile(JsonSchema({"$defs": levels, "$ref": "#/$defs/a0"}))
    assert not any(check.predicate for check in compiled.network.checks)
    assert compiled.matcher().accept_text(b'{"a":1,"b":2}')
    assert compiled.matcher().accept_text(b'{"a":1}') == (not more)
    assert not compiled.matcher().accept_text(b'{"a":"1","b":2}')


def test_exactly_one_of_two_that_are_the_same_is_unsatisfiable():
    levels = {f"a{i}": {"oneOf": [{"$ref": f"#/$defs/a{i + 1}"}] * 2} for i in range(40)}
    with pytest.raises(UnsatisfiableError):
        Simulator.of(JsonSchema({"$defs": {**levels, "a40": {"type": "object"}}, "$ref": "#/$defs/a0"}))
