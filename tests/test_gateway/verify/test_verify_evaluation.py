"""Values under schemas whose references multiply: decided at all, quickly, and as the deciding library does."""

import json
import random
from typing import Any

import jsonschema_rs
import pytest
from referencing.exceptions import Unresolvable
from test_verify_verifier import DRAFTS, SUITE, suite_cases

from gateway.verify import Verifier
from gateway.verify.effort import multiplies
from gateway.verify.evaluation import Evaluation
from gateway.verify.schema import SchemaCache

DIALECT = "https://json-schema.org/draft/2020-12/schema"
LEVELS = 200


def evaluation(schema: Any) -> Evaluation:
    return Evaluation(schema, {}, lambda leaf: jsonschema_rs.validator_for(leaf, offline=True))


def diamond(level: Any, last: Any) -> dict[str, Any]:
    """A schema in which each level refers to the next one as often as `level` says."""
    levels = {f"a{i}": level(f"#/$defs/a{i + 1}") for i in range(LEVELS)}
    return {"$ref": "#/$defs/a0", "$defs": {**levels, f"a{LEVELS}": last}}


TWICE = {
    "all": lambda ref: {"allOf": [{"$ref": ref}, {"$ref": ref}]},
    "any": lambda ref: {"anyOf": [{"allOf": [{"$ref": ref}, False]}, {"$ref": ref}]},
    "one": lambda ref: {"oneOf": [{"allOf": [{"$ref": ref}, False]}, {"$ref": ref}]},
    "condition": lambda ref: {"if": {"$ref": ref}, "then": {"$ref": ref}, "else": False},
    "names": lambda ref: {"$ref": ref, "dependentSchemas": {"a": {"$ref": ref}}},
    "unevaluated": lambda ref: {"allOf": [{"$ref": ref}, {"$ref": ref}], "unevaluatedProperties": False},
    "dynamic": lambda ref: {"allOf": [{"$dynamicRef": ref}, {"$ref": ref}]},
}


@pytest.mark.parametrize("name", TWICE)
def test_what_refers_twice_at_each_level_is_decided(name: str) -> None:
    schema = diamond(TWICE[name], {"properties": {"a": {"type": "integer"}}, "required": ["a"]})
    verifier = Verifier()
    assert verifier.verify_json(schema, '{"a": 1}')
    assert not verifier.verify_json(schema, '{"a": "1"}')
    if name == "unevaluated":
        assert not verifier.verify_json(schema, '{"a": 1, "b": 2}')


def test_what_refers_twice_for_each_level_of_the_value_is_decided() -> None:
    schema = {"type": "array", "allOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}]}
    text = "[" * 60 + "]" * 60
    assert multiplies(schema, json.loads(text))
    assert Verifier().verify_json(schema, text)
    assert not Verifier().verify_json(schema, "[" * 60 + "1" + "]" * 60)


@pytest.mark.skipif(not SUITE.exists(), reason="the official suite is not here")
@pytest.mark.parametrize("draft", DRAFTS)
def test_evaluation_agrees_with_the_official_suite(draft: str) -> None:
    wrong, elsewhere, num_checked = [], [], 0
    for title, schema, data, valid in suite_cases(draft):
        try:
            if evaluation(schema).is_valid(data) != valid:
                wrong.append(title)
            num_checked += 1
        except Unresolvable:
            elsewhere.append(title)
    # What is elsewhere is given to no verifier, nor are meta-schemas of one's own.
    assert not [title for title in wrong if "vocabulary" not in title]
    assert not [
        title for title in elsewhere if not any(word in title for word in ("emote", "vocabulary", "dynamicRef"))
    ]
    assert num_checked > 550


KEYWORDS = ("allOf", "anyOf", "oneOf", "not", "if", "properties", "additionalProperties", "items", "prefixItems",
            "contains", "dependentSchemas", "patternProperties", "propertyNames", "unevaluatedProperties",
            "unevaluatedItems", "type", "required", "minimum", "maxItems")  # fmt: skip


def random_schema(draw: random.Random, depth: int) -> Any:
    """A schema over a few names that refers to the definitions d0 and d1."""
    if depth == 0 or draw.random() < 0.3:
        return draw.choice([True, False, {"$ref": "#/$defs/d0"}, {"$ref": "#/$defs/d1"}, {"type": "integer"}])

    def another() -> Any:
        return random_schema(draw, depth - 1)

    made: dict[str, Any] = {}
    for keyword in draw.sample(KEYWORDS, 2):
        if keyword in ("allOf", "anyOf", "oneOf", "prefixItems"):
            made[keyword] = [another(), another()]
        elif keyword in ("properties", "dependentSchemas", "patternProperties"):
            made[keyword] = {name: another() for name in draw.sample("abc", 2)}
        elif keyword in ("type", "required", "minimum", "maxItems"):
            values = {"type": draw.choice(["object", "array"]), "required": ["a"], "minimum": 1, "maxItems": 2}
            made[keyword] = values[keyword]
        else:
            made[keyword] = another()
    if "if" in made:
        made |= {"then": another(), "else": another()}
    return made


def random_value(draw: random.Random, depth: int) -> Any:
    if depth == 0 or draw.random() < 0.3:
        return draw.choice([0, 1, 2, "a", None])
    if draw.random() < 0.5:
        return [random_value(draw, depth - 1) for _ in range(draw.randrange(4))]
    return {name: random_value(draw, depth - 1) for name in draw.sample("abc", draw.randrange(4))}


@pytest.mark.parametrize("seed", range(4))
def test_evaluation_agrees_with_the_deciding_library(seed: int) -> None:
    draw = random.Random(seed)
    verdicts = []
    for _ in range(400):
        # Definitions refer below the value, so that none leads back to itself at one place.
        below = {
            f"d{i}": {"properties": {"a": random_schema(draw, 1)}, "items": random_schema(draw, 1)} for i in (0, 1)
        }
        schema = random_schema(draw, 3)
        schema = {"$schema": DIALECT, "$defs": below, "allOf": [schema]}
        decided = jsonschema_rs.validator_for(schema, offline=True)
        for _ in range(5):
            value = random_value(draw, 3)
            verdicts.append(decided.is_valid(value))
            assert evaluation(schema).is_valid(value) == verdicts[-1], (schema, value)
    assert 0.1 < sum(verdicts) / len(verdicts) < 0.9


def test_validators_are_kept_while_their_texts_are_short_together() -> None:
    cache = SchemaCache()
    first = cache.keep({"type": "string"})
    assert cache.keep({"type": "string"}) is first
    for number in range(4):
        cache.keep({"enum": [f"{number} {value}" for value in range(10_000)]})
    assert cache.keep({"type": "string"}) is not first
