"""Random schemas of every dialect and random instances: the verdict is that of two other validators."""

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grammars.errors import GrammarError
from tests.counts import examples
from tests.test_grammars.validation_cases import URIS, validator

PEERS = {
    4: (jsonschema.Draft4Validator, jsonschema_rs.Draft4Validator),
    6: (jsonschema.Draft6Validator, jsonschema_rs.Draft6Validator),
    7: (jsonschema.Draft7Validator, jsonschema_rs.Draft7Validator),
    2019: (jsonschema.Draft201909Validator, jsonschema_rs.Draft201909Validator),
    2020: (jsonschema.Draft202012Validator, jsonschema_rs.Draft202012Validator),
}
NAMES = st.sampled_from(["a", "b", "ab", "ba"])
PATTERNS = st.sampled_from(["a", "^a", "b$", "^[ab]*$", "^(a|b1)$"])
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-6, 6), st.sampled_from([0.5, -2.25, 1.5]), st.sampled_from(["", "a", "ab",
    "b1", "é😀"])
)  # fmt: skip
NUMBERS = st.one_of(st.integers(-5, 5), st.sampled_from([0.5, -2.25]))
COUNTS = st.integers(0, 3)
TYPES = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
INSTANCES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=6,
)


def keywords(dialect, inner):
    """Each keyword of the dialect with its values."""
    named, listed = st.dictionaries(NAMES, inner, max_size=2), st.lists(inner, min_size=1, max_size=2)
    references = ["#", "#/definitions/x", "#/definitions/y"]
    table = {
        "type": st.one_of(TYPES, st.lists(TYPES, min_size=1, max_size=3, unique=True)),
        "enum": st.lists(INSTANCES, min_size=1, max_size=3),
        "minimum": NUMBERS, "maximum": NUMBERS, "multipleOf": st.sampled_from([2, 3, 0.5]),
        "minLength": COUNTS, "maxLength": COUNTS, "pattern": PATTERNS,
        "minItems": COUNTS, "maxItems": COUNTS, "uniqueItems": st.booleans(), "items": inner,
        "minProperties": COUNTS, "maxProperties": COUNTS, "required": st.lists(NAMES, min_size=1, max_size=2,
        unique=True),
        "properties": named, "patternProperties": st.dictionaries(PATTERNS, inner, max_size=2),
        "additionalProperties": inner,
        "allOf": listed, "anyOf": listed, "oneOf": listed, "not": inner,
        # Below a member, so that no reference can lead to itself.
        "properties ": st.dictionaries(NAMES, st.builds(lambda r: {"$ref": r}, st.sampled_from(references)),
        max_size=2),
    }  # fmt: skip
    if dialect >= 6:
        table |= {"const": INSTANCES, "contains": inner, "propertyNames": inner}
        table |= {"exclusiveMinimum": NUMBERS, "exclusiveMaximum": NUMBERS}
    if dialect >= 7:
        table |= {"if": inner, "then": inner, "else": inner}
    if dialect >= 2019:
        table |= {"minContains": COUNTS, "maxContains": COUNTS, "dependentSchemas": named}
        table |= {"dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True), max_size=2)}
        table |= {"unevaluatedProperties": inner, "unevaluatedItems": inner}
    else:
        table |= {
            "dependencies": st.dictionaries(
                NAMES, st.one_of(st.lists(NAMES, min_size=1, unique=True), inner), max_size=2
            )
        }
    if dialect == 2020:
        table |= {"prefixItems": listed}
    else:
        table |= {"items": st.one_of(inner, listed), "additionalItems": inner}
    return table


def schemas(dialect):
    leaf = st.one_of(st.just({}), st.builds(lambda t: {"type": t}, TYPES), st.builds(lambda v: {"enum": [v]}, SCALARS))
    if dialect >= 6:
        leaf = st.one_of(leaf, st.booleans())

    def composed(inner):
        table = keywords(dialect, inner)
        pairs = [st.tuples(st.just(name.strip()), values) for name, values in table.items()]
        return st.lists(st.one_of(pairs), min_size=1, max_size=4).map(dict)

    inner = st.recursive(leaf, composed, max_leaves=6)
    definitions = st.fixed_dictionaries({"x": inner, "y": inner})
    return st.builds(
        lambda root, defined: {"$schema": URIS[dialect], "definitions": defined, **root}, composed(inner), definitions
    )


@pytest.mark.parametrize("dialect", PEERS)
@given(data=st.data())
@settings(max_examples=examples(60), deadline=None)
def test_verdict_is_that_of_other_validators(dialect, data):
    schema = data.draw(schemas(dialect))
    is_valid = validator(schema, dialect=dialect)
    python, rust = PEERS[dialect]
    has_unevaluated = "unevaluated" in (text := json.dumps(schema))
    # To jsonschema_rs `contains` evaluates items from 2019-09 on; the specification says so from 2020-12 on.
    assume(dialect != 2019 or "unevaluatedItems" not in text or '"contains"' not in text)
    other = rust(schema)
    for instance in data.draw(st.lists(INSTANCES, min_size=1, max_size=6)):
        verdict = is_valid(json.dumps(instance))
        assert verdict == other.is_valid(instance), (instance, "jsonschema_rs")
        if not has_unevaluated:  # which jsonschema approximates
            assert verdict == python(schema).is_valid(instance), (instance, "jsonschema")


WORDS = [
    "$ref", "$id", "$schema", "$anchor", "$dynamicRef", "$dynamicAnchor", "$defs", "type", "items", "not", "allOf",
    "if",
    "properties", "enum", "multipleOf", "pattern", "format", "required", "contains", "#", "a",
]  # fmt: skip
VALUES = st.sampled_from(["#", "#a", "a", "#/a", "urn:a", "#/$defs/a", "object", "integer", URIS[4], URIS[2019]])
ANY_JSON = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(WORDS), st.one_of(inner, VALUES), max_size=4)
    ),
    max_leaves=12,
)


@given(ANY_JSON, INSTANCES)
@settings(max_examples=examples(200), deadline=None)
def test_any_json_as_a_schema_gives_a_verdict_or_a_named_error(schema, instance):
    try:
        verdict = validator(json.dumps(schema), formats="assert")(json.dumps(instance))
    except GrammarError as error:
        verdict = error.code
    assert verdict in (True, False, "invalid_grammar", "unsupported")


SUITE = Path(os.environ.get("JSON_SCHEMA_TEST_SUITE", "JSON-Schema-Test-Suite"))
FOLDERS = {4: "draft4", 6: "draft6", 7: "draft7", 2019: "draft2019-09", 2020: "draft2020-12"}


@pytest.mark.skipif(
    not SUITE.joinpath("tests").is_dir(), reason="JSON_SCHEMA_TEST_SUITE names no copy of the official suite"
)
@pytest.mark.parametrize("dialect", FOLDERS)
@pytest.mark.parametrize(("folder", "formats"), [("", "annotate"), ("optional/format", "assert")])
def test_official_suite(dialect, folder, formats):
    remotes = SUITE / "remotes"
    resources = {
        f"http://localhost:1234/{path.relative_to(remotes).as_posix()}": path.read_text("utf-8")
        for path in remotes.rglob("*.json")
        if not path.is_relative_to(remotes / "draft3") and not path.is_relative_to(remotes / "v1")
    }
    wrong = []
    for path in sorted(SUITE.joinpath("tests", FOLDERS[dialect], folder).glob("*.json")):
        for group in json.loads(path.read_text("utf-8")):
            is_valid = validator(group["schema"], dialect=dialect, formats=formats, resources=resources)
            for test in group["tests"]:
                if is_valid(json.dumps(test["data"])) != test["valid"]:
                    wrong.append((path.stem, group["description"], test["description"]))
    assert wrong == []
