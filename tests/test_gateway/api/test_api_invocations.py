"""`/invocations`: three requests at one address."""

import json

import jsonschema
import pytest

HELLO = [{"role": "user", "content": "hi"}]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/chat/completions", {"messages": HELLO, "max_tokens": 3, "seed": 1}),
        ("/v1/completions", {"prompt": "The", "max_tokens": 3, "seed": 1}),
        ("/", {"inputs": "The", "parameters": {"max_new_tokens": 3}}),
    ],
)
def test_invocation_answers_what_its_own_address_does(tiny_live, path, body):
    invoked, own = tiny_live.post("/invocations", json=body), tiny_live.post(path, json=body)
    assert invoked.status_code == own.status_code == 200, invoked.text
    once, twice = invoked.json(), own.json()
    for reply in (once, twice):
        for name in ("id", "created", "usage"):
            reply.pop(name, None) if isinstance(reply, dict) else None
    assert once == twice


def test_invocation_streams(tiny_live):
    reply = tiny_live.post("/invocations", json={"inputs": "a", "parameters": {"max_new_tokens": 2}, "stream": True})
    events = [json.loads(line[5:]) for line in reply.text.splitlines() if line.startswith("data:")]
    assert events[-1]["generated_text"] is not None


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [({"messages": [], "max_tokens": 3}, 400, dict), ({}, 400, dict), ({"inputs": ""}, 422, str)],
)
def test_invocation_fails_in_the_envelope_of_its_client(tiny_live, body, status, kind):
    reply = tiny_live.post("/invocations", json=body)
    assert reply.status_code == status
    assert isinstance(reply.json()["error"], kind)
    document = tiny_live.get("/schema/openapi.json").json()
    described = document["paths"]["/invocations"]["post"]["responses"][str(status)]
    schema = described["content"]["application/json"]["schema"] | {"components": document["components"]}
    jsonschema.validate(reply.json(), schema)
