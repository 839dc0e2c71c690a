"""Random schemas of the supported subset: the network accepts an instance exactly when `jsonschema` calls it valid."""

from __future__ import annotations

import itertools
import json

import jsonschema
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grammars.errors import UnsatisfiableError, UnsupportedError
from grammars.frontends.json import JsonSchema
from tests.counts import examples
from tests.test_grammars.simulator import Simulator

_NAMES = st.sampled_from(["a", "b", "ab"])
_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-12, 12),
    st.sampled_from(["", "a", "ab", "b1", "é"]),
    st.sampled_from([0.5, -2.25, 11.125]),
)
_PATTERNS = st.sampled_from(["a", "^a", "b$", "^[ab]*$", "^(a|b1)$"])
_NUMBERS = st.one_of(st.integers(-11, 11), st.sampled_from([0.5, -2.25, 2.5]))


def _values(scalars=_SCALARS):
    return st.recursive(
        scalars,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["a", "b", "ab", "c"]), inner, max_size=3)
        ),
        max_leaves=4,
    )


def _objects():
    return st.dictionaries(st.sampled_from(["a", "b", "ab", "c"]), _values(), max_size=3)


def _leaves():
    string = st.fixed_dictionaries(
        {"type": st.just("string")},
        optional={
            "minLength": st.integers(0, 2), "maxLength": st.integers(0, 3), "pattern": _PATTERNS,
        },
    )  # fmt: skip
    number = st.fixed_dictionaries(
        {"type": st.sampled_from(["number", "integer"])},
        optional={
            "minimum": _NUMBERS, "maximum": _NUMBERS, "exclusiveMinimum": _NUMBERS, "exclusiveMaximum": _NUMBERS,
            "multipleOf": st.sampled_from([2, 3]),
        },
    )  # fmt: skip
    return st.one_of(
        string, number, st.booleans(), st.just({}),
        st.builds(lambda t: {"type": t}, st.sampled_from(["null", "boolean", ["string", "null"], "array", "object"])),
        st.builds(lambda v: {"enum": v}, st.lists(_values(), min_size=1, max_size=3)),
        st.builds(lambda v: {"const": v}, _values()), st.builds(lambda v: {"not": {"const": v}}, _values()),
    )  # fmt: skip


def _composed(inner):
    objects = st.fixed_dictionaries(
        {},
        optional={
            "type": st.just("object"), "properties": st.dictionaries(_NAMES, inner, max_size=2),
            "required": st.lists(_NAMES, max_size=2, unique=True), "additionalProperties": inner,
            "patternProperties": st.dictionaries(st.sampled_from(["a", "^b", "^[ac]$"]), inner, max_size=2),
            "minProperties": st.integers(0, 3), "maxProperties": st.integers(0, 2),
            "propertyNames": st.sampled_from([{"maxLength": 1}, {"pattern": "a"}, {"enum": ["a", "c"]}]),
            "dependentRequired": st.dictionaries(_NAMES, st.lists(_NAMES, max_size=1), max_size=1),
            "dependentSchemas": st.dictionaries(_NAMES, inner, max_size=1),
        },
    )  # fmt: skip
    arrays = st.fixed_dictionaries(
        {},
        optional={
            "type": st.just("array"), "items": inner, "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "minItems": st.integers(0, 2), "maxItems": st.integers(0, 3), "contains": inner,
            "uniqueItems": st.booleans(), "minContains": st.integers(0, 2), "maxContains": st.integers(0, 2),
        },
    )  # fmt: skip
    choices = st.lists(inner, min_size=1, max_size=3)
    combined = st.fixed_dictionaries(
        {},
        optional={
            "anyOf": choices,
            "allOf": choices,
            "oneOf": choices,
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
        },
    )
    return st.one_of(objects, arrays, combined, st.builds(lambda a, b: {**a, **b}, objects, combined))


_SCHEMAS = st.recursive(_leaves(), _composed, max_leaves=6)


def _orders(value):
    """The value with the members of each object in every order."""
    if isinstance(value, dict):
        for names in itertools.permutations(value):
            for members in itertools.product(*(list(_orders(value[name])) for name in names)):
                yield dict(zip(names, members, strict=True))
    elif isinstance(value, list):
        for items in itertools.product(*map(list, map(_orders, value))):
            yield list(items)
    else:
        yield value


def _discriminated(inner):
    """A `oneOf` as people write it: branches that share members and are told apart by one of them, or nearly so."""
    branch = st.builds(
        lambda kind, others, required, is_closed: {
            "properties": {"a": {"enum": kind}, **others},
            "required": required,
            **({"additionalProperties": False} if is_closed else {}),
        },
        st.lists(st.sampled_from(["a", "ab", 1]), min_size=1, max_size=2, unique=True),
        st.dictionaries(st.sampled_from(["b", "c"]), inner, max_size=2),
        st.lists(_NAMES, max_size=2, unique=True),
        st.booleans(),
    )
    return st.builds(
        lambda keyword, branches, base: {**base, keyword: branches},
        st.sampled_from(["oneOf", "anyOf"]),
        st.lists(branch, min_size=2, max_size=4),
        st.sampled_from([{}, {"required": ["a"]}, {"type": "object", "minProperties": 1}, {"not": {"const": {}}}]),
    )


@settings(max_examples=examples(250), deadline=None)
@given(_SCHEMAS, st.lists(_values(), min_size=4, max_size=10))
def test_networks_agree_with_jsonschema(schema, values):
    _assert_agreement(schema, values)


@settings(max_examples=examples(250), deadline=None)
@given(_SCHEMAS, st.lists(_values(), min_size=4, max_size=10))
def test_complements_agree_with_jsonschema(schema, values):
    _assert_agreement({"not": schema}, values)


@settings(max_examples=examples(150), deadline=None)
@given(_discriminated(_leaves()), st.lists(_objects(), min_size=4, max_size=10))
def test_discriminated_choices_agree_with_jsonschema(schema, values):
    _assert_agreement(schema, values)


def _assert_agreement(schema, values):
    validator = jsonschema.Draft202012Validator(schema)
    try:
        network = Simulator.of(JsonSchema(schema))
    except UnsupportedError:
        assume(False)
    except UnsatisfiableError:
        assert not any(validator.is_valid(value) for value in values)
        return
    for value in values:
        texts = [json.dumps(other, ensure_ascii=False) for other in _orders(value)]
        accepted = [text for text in texts if network.accepts(text)]
        assert bool(accepted) == validator.is_valid(value), value
