"""What is told beside an answer tells nothing that its policy took out of it."""

import asyncio
import json
from types import SimpleNamespace

import pytest
from scripted import policies, scripted

from gateway.core.answer import Alternative, FieldConfidence, Finish, TextDelta
from gateway.core.constraints import JsonConstraint
from gateway.guards.policy import read_policies
from gateway.service.policy.output_screening import OutputScreening

EMAIL = "ann@example.org"
VERDICT = {"x-portcullis-verdict": "1"}
ANY = {"type": "object", "additionalProperties": {"type": "integer"}}
NAMED = {
    "type": "object",
    "properties": {EMAIL: {"type": "integer"}},
    "required": [EMAIL],
    "additionalProperties": False,
}
MESSAGES = [{"role": "user", "content": "Say something."}]


def chat(schema):
    return "/v1/chat/completions", {"messages": MESSAGES, "structured_outputs": {"json": schema}}


def completion(schema):
    return "/v1/completions", {"prompt": "Say", "structured_outputs": {"json": schema}}


def responses(schema):
    text = {"format": {"type": "json_schema", "name": "s", "schema": schema}}
    return "/v1/responses", {"input": "Say something.", "text": text, "store": False}


def policy_of(action):
    guard = f'{{ guard = "pii", kinds = ["email"], action = "{action}" }}'
    return f'default = "p"\n[policies.p]\noutput = [{guard}]\n'


def told_of(live, route, fields, is_streamed):
    """What the reply says, but for the request that Responses repeat, and its confidence."""
    body = {"model": "test-model", "confidence": True, "stream": is_streamed, **fields}
    reply = live.post(route, json=body, headers=VERDICT)
    lines = [line[6:] for line in reply.text.splitlines() if line.startswith("data: {")]
    said = [json.loads(line) for line in lines] if is_streamed else [reply.json()]
    found = []

    def without_request(value):
        if isinstance(value, list):
            return [without_request(each) for each in value]
        if not isinstance(value, dict):
            return value
        found.extend(value.get("confidence") or ())
        is_response = value.get("object") == "response"
        return {name: without_request(each) for name, each in value.items() if not (is_response and name == "text")}

    return json.dumps(without_request(said)), found


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("action", ["redact", "block", "retry"])
@pytest.mark.parametrize("schema", [ANY, NAMED], ids=["any name", "promised name"])
@pytest.mark.parametrize("dialect", [chat, completion, responses])
def test_a_name_that_is_held_back_is_told_nowhere(tiny_live, tmp_path, dialect, schema, action, is_streamed):
    text = json.dumps({EMAIL: 1} if schema is NAMED else {EMAIL: 1, "b": 2})
    with policies(tiny_live, tmp_path, policy_of(action)), scripted(tiny_live, text):
        said, confidence = told_of(tiny_live, *dialect(schema), is_streamed)
    assert EMAIL not in said
    is_left = action == "redact" and schema is ANY
    assert [each["path"] for each in confidence] == (["/b"] if is_left else [])


@pytest.mark.parametrize("action", ["pass", "annotate"])
def test_a_name_that_leaves_is_told(tiny_live, tmp_path, action):
    with policies(tiny_live, tmp_path, policy_of(action)), scripted(tiny_live, json.dumps({EMAIL: 1})):
        said, confidence = told_of(tiny_live, *chat(NAMED), False)
    assert EMAIL in said
    assert [each["path"] for each in confidence] == ["/" + EMAIL]


def test_an_error_of_a_withheld_answer_names_nothing_of_it(tiny_live, tmp_path):
    with policies(tiny_live, tmp_path, policy_of("redact")), scripted(tiny_live, json.dumps({EMAIL: "x"})):
        said, _ = told_of(tiny_live, *chat(ANY), False)
    assert "verification_failed" in said
    assert EMAIL not in said


@pytest.mark.parametrize("action", ["pass", "annotate", "redact", "block", "retry"])
def test_an_alternative_is_told_if_nothing_in_it_is_held_back(tiny_live, tmp_path, action):
    asked = JsonConstraint(schema={"enum": ["ok", EMAIL]}, origin="")
    plan = SimpleNamespace(constraint=asked, tool_plan=None, inputs={}, confidence=True)
    (tmp_path / "p.toml").write_text(policy_of(action))
    policy = read_policies(tmp_path / "p.toml").of("", None)
    tokens = tiny_live.service._loaded.vocabulary.tokens
    screen = OutputScreening(policy, plan, 0, tokens)
    other = Alternative(values=(EMAIL,), probability=0.2)
    told = FieldConfidence(path="", call=None, logprob=-1.0, num_tokens=1, num_forced=0, alternative=other)
    asyncio.run(screen.pass_on([TextDelta(0, '"ok"'), end := Finish(0, "stop", confidence=(told,))]))
    (left,) = screen.confidence(end)
    assert (left.alternative is not None) is (action in ("pass", "annotate"))
