"""Odd numbers in every field that the OpenAPI document says may hold one: answered or refused, never a fault."""

import json
import math

import pytest

from tests.counts import few_or_all

MESSAGES = [{"role": "user", "content": "hi"}]
BODIES = {
    "/v1/chat/completions": {"messages": MESSAGES, "max_tokens": 2, "top_logprobs": 1, "logprobs": True},
    "/v1/completions": {"prompt": "a", "max_tokens": 2},
    "/v1/responses": {"input": "hi", "max_output_tokens": 2},
    "/v1/messages": {"model": "test-model", "messages": MESSAGES, "max_tokens": 2},
    "/api/chat": {"model": "test-model", "messages": MESSAGES, "options": {"num_predict": 2}, "stream": False},
    "/api/generate": {"model": "test-model", "prompt": "hi", "options": {"num_predict": 2}, "stream": False},
    "/generate": {"inputs": "hi", "parameters": {"max_new_tokens": 2}},
    "/v1/grammars/next-tokens": {"choice": ["ab"], "text": "a"},
}
ODD = [
    10**400,
    -(10**400),
    2**64,
    2**63,
    -(2**63),
    2**31,
    -1,
    0,
    1e308,
    -1e308,
    5e-324,
    math.inf,
    -math.inf,
    math.nan,
    10.5,
]


def numeric_fields(document, schema, depth=0):
    """Paths of properties that may be numbers, through objects."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    for part in (*schema.get("oneOf", ()), *schema.get("anyOf", ()), *schema.get("allOf", ())):
        yield from numeric_fields(document, part, depth)
    if schema.get("type") in ("integer", "number"):
        yield ()
    for name, inner in schema.get("properties", {}).items() if depth < 3 else ():
        yield from ((name, *path) for path in numeric_fields(document, inner, depth + 1))


def with_field(body, path, value):
    first, *rest = path
    inner = body.get(first)
    return {**body, first: with_field(inner if isinstance(inner, dict) else {}, rest, value) if rest else value}


@pytest.mark.parametrize("step", few_or_all(3, 1))
@pytest.mark.parametrize("path", BODIES)
def test_odd_numbers_are_answered_or_refused(tiny_live, path, step):
    document = tiny_live.get("/schema/openapi.json").json()
    schema = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    fields = sorted(set(numeric_fields(document, schema)))
    assert fields
    plain = tiny_live.post(path, json=BODIES[path])
    assert plain.status_code == 200, plain.text
    for place, field in enumerate(fields):
        for number in ODD[place % step :: step]:
            content = json.dumps(with_field(BODIES[path], field, number)).encode()
            reply = tiny_live.post(path, content=content, headers={"content-type": "application/json"})
            # 504: a time that is over before anything can be done.
            assert reply.status_code in (200, 400, 422, 504), (field, number, reply.text[:300])
            assert reply.is_success or len(reply.content) < 1_000
