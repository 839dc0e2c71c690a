"""Objects and arrays that run out of names or values: no text is begun that cannot be ended."""

import json

import jsonschema
import numpy as np
import pytest

from grammars import Compiler, JsonSchema, Vocabulary
from tests.oracles import allowed

TOKENS = [
    *(bytes([byte]) for byte in range(256)),
    *(b'"a', b"ab", b"abc", b'","', b', "', b'["', b'{"', b'":', b'"b', b'"ab"', b"aaa", b"bb"),
]
SCHEMAS = [
    {"type": "array", "uniqueItems": True, "items": {"enum": ["xa", "xb", "y"]}},
    {"type": "array", "uniqueItems": True, "minItems": 3, "items": {"enum": ["xa", "xb", "y", "zz"]}},
    {"type": "array", "uniqueItems": True, "items": {"type": "string", "pattern": "^[ab]{1,2}$"}},
    {"type": "array", "uniqueItems": True, "items": {"type": ["string", "null"], "maxLength": 1, "pattern": "[a-f]"}},
    {"type": "array", "uniqueItems": True, "items": {"type": "integer", "minimum": 0, "maximum": 11}},
    {"patternProperties": {"^[a-e]$": {"type": "integer"}}, "additionalProperties": False},
    {"patternProperties": {"^[a-e]$": {"type": "integer"}}, "additionalProperties": False, "minProperties": 4},
    {"patternProperties": {"^[a-e]$": {"type": "integer"}, "^x": {"type": "null"}}, "additionalProperties": False},
    {"patternProperties": {"^(ab?|b|c{1,3})$": {"type": "null"}}, "additionalProperties": False, "required": ["b"]},
    {"propertyNames": {"maxLength": 1, "pattern": "^[a-c]*$"}, "additionalProperties": {"type": "null"}},
    {"type": "object", "propertyNames": {"maxLength": 0}, "properties": {"a": {"type": "integer"}}},
    {"propertyNames": {"enum": ["aa", "ab", "b"]}, "additionalProperties": {"type": "null"}},
    {"patternProperties": {"^[ab]{7}$": {"type": "null"}}, "additionalProperties": False},
    {"patternProperties": {"^([ab]|\\n)?[ab]{1,6}$": {"type": "null"}}, "additionalProperties": False},
    {"type": "array", "uniqueItems": True, "items": {"type": "string", "pattern": "^[ab]{10}$"}},
    {
        "type": "array",
        "uniqueItems": True,
        "minItems": 3,
        "items": {"type": "string", "pattern": "^a*b?$", "maxLength": 1500},
    },
    {"propertyNames": {"enum": ["aa", "b"]}, "minProperties": 2, "additionalProperties": {"type": "null"}},
    {"type": "object", "propertyNames": {"enum": ["a", "b"]}, "not": {"additionalProperties": False}},
    {
        "type": "array",
        "uniqueItems": True,
        "items": {"anyOf": [{"type": "string", "maxLength": 1, "pattern": "[ab]"}, {"enum": ["a", "c"]}]},
    },
]


@pytest.fixture(scope="module")
def compiler():
    return Compiler(Vocabulary.from_tokens([*TOKENS, None], [len(TOKENS)]))


@pytest.mark.parametrize("schema", SCHEMAS, ids=json.dumps)
def test_whatever_is_written_can_be_ended(compiler, schema):
    compiled = compiler.compile(JsonSchema(schema))
    end = len(TOKENS)
    row = np.zeros(compiled.num_words, dtype=np.uint32)
    for seed in range(30):
        random, matcher, text = np.random.default_rng(seed), compiled.matcher(), b""
        budget = max((12, 40, 90)[seed % 3], compiled.min_tokens)
        for used in range(budget + 1):
            matcher.fill_mask(row, tokens_left=budget - used)
            choices = np.array(sorted(allowed(row, len(TOKENS) + 1)))
            assert len(choices), text
            going_on = choices[(choices != end) & ~np.isin(choices, list(b" \n\t"))]
            token = int(random.choice(going_on if len(going_on) and random.random() < 0.9 else choices))
            if token == end:
                break
            assert matcher.accept(token)
            text += TOKENS[token]
        jsonschema.validate(json.loads(text), schema)
