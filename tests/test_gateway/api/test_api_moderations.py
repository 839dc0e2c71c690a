"""Texts under a policy, without a model: `/v1/moderations` and `/v1/verify`."""

import logging

import openai
import pytest
from scripted import policies

from gateway.api.openai.moderations import CATEGORIES

KEY = "AKIAIOSFODNN7EXAMPLE"
POLICY = """default = "p"
allowed = ["p", "open"]
[policies.p]
input = [
  { guard = "secrets", kinds = ["aws"], action = "block" },
  { guard = "terms", name = "hate", terms = ["rotter"], action = "redact" },
]
output = [
  { guard = "pii", kinds = ["email"], action = "redact" },
  { guard = "terms", terms = ["nightingale"], action = "block" },
  { guard = "terms", name = "noted", terms = ["lamp"], action = "pass" },
  { guard = "secrets", kinds = ["aws"], action = "annotate" },
]
[policies.open]
[policies.kept]
"""
OWN = ["pii/email", "secrets/aws", "terms/noted", "terms/terms"]


@pytest.fixture
def screened(tiny_live, tmp_path):
    with policies(tiny_live, tmp_path, POLICY):
        yield tiny_live


def found(result):
    categories = dict(result.categories.to_dict())
    assert dict(result.category_scores.to_dict()) == {name: float(value) for name, value in categories.items()}
    assert result.flagged == any(categories.values())
    return {name for name, value in categories.items() if value}


TEXTS = {
    "nothing": ("a text about the weather", set()),
    "one": ("write to ann@example.org", {"pii/email"}),
    # A rule that blocks ends nothing here: what stands behind is found too.
    "behind": (f"{KEY} and nightingale, rotter, ann@example.org", {"secrets/aws", "terms/terms", "hate", "pii/email"}),
    "passed": ("a lamp", {"terms/noted"}),
}


def test_openais_client_reads_the_reply(screened):
    reply = screened.client.moderations.create(input=[text for text, _ in TEXTS.values()])
    assert reply.id.startswith("modr-")
    assert reply.model == "p"
    assert [found(result) for result in reply.results] == [names for _, names in TEXTS.values()]
    assert reply.results[2].categories.hate is True
    assert reply.results[2].categories.self_harm_intent is False
    applied = reply.results[0].category_applied_input_types.to_dict()
    assert set(applied) == set(reply.results[0].categories.to_dict()) == {*CATEGORIES, *OWN}
    # Nobody looks for what no rule is named after.
    assert {name for name, kinds in applied.items() if kinds == ["text"]} == {*OWN, "hate"}


def test_parts_are_one_text(screened):
    parts = [{"type": "text", "text": "a lamp"}, {"type": "text", "text": "ann@example.org"}]
    (result,) = screened.client.moderations.create(input=parts, model="omni-moderation-latest").results
    assert found(result) == {"pii/email", "terms/noted"}
    # Nothing is found across them.
    parts = [{"type": "text", "text": "nightin"}, {"type": "text", "text": "gale"}]
    assert not screened.client.moderations.create(input=parts).results[0].flagged


def test_the_model_is_a_policy(screened):
    text = TEXTS["behind"][0]
    reply = screened.client.moderations.create(input=text, model="open")
    assert (reply.model, reply.results[0].flagged) == ("open", False)
    assert set(reply.results[0].categories.to_dict()) == set(CATEGORIES)
    for name in ("omni-moderation-latest", "omni-moderation-2024-09-26", "text-moderation-stable", "p"):
        assert screened.client.moderations.create(input=text, model=name).model == "p"
    headers = {"x-portcullis-policy": "open"}
    assert screened.client.moderations.create(input=text, extra_headers=headers).model == "open"
    for name in ("kept", "gpt-4"):
        with pytest.raises(openai.BadRequestError) as raised:
            screened.client.moderations.create(input=text, model=name)
        assert raised.value.param == "model"
    with pytest.raises(openai.BadRequestError, match="ask for different policies"):
        screened.client.moderations.create(input=text, model="p", extra_headers=headers)


IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,xx"}}
REFUSED = {
    "image": ([{"type": "text", "text": "a"}, IMAGE], "input[1].type", "unsupported_parameter", "'image_url'"),
    "empty": ([], "input", "invalid_value", "empty"),
    "many": (["a"] * 33, "input", "invalid_value", "at most 32"),
    "mixed": (["a", {"type": "text", "text": "b"}], "input[0]", "invalid_value", "beside parts"),
    "no text": ([{"type": "text"}], "input[0].text", "invalid_value", "missing"),
    "a number": (5, "input", "invalid_value", "int"),
}


@pytest.mark.parametrize(("given", "param", "code", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_looked_at_is_refused_by_name(screened, given, param, code, said):
    reply = screened.post("/v1/moderations", json={"input": given})
    error = reply.json()["error"]
    assert (reply.status_code, error["param"], error["code"]) == (400, param, code)
    assert said in error["message"]


def test_without_policies_nothing_is_pretended(tiny_live):
    for path, body in (("moderations", {"input": "a"}), ("verify", {"regex": "a", "text": "a", "policy": "p"})):
        reply = tiny_live.post(f"/v1/{path}", json=body)
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, "not_served")
    assert tiny_live.post("/v1/verify", json={"regex": "a", "text": "a"}).json()["passed"]


def test_texts_that_take_too_long_are_given_up(screened, monkeypatch):
    monkeypatch.setattr(screened.service.moderator, "_max_seconds", -1.0)
    reply = screened.post("/v1/moderations", json={"input": "a"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (504, "deadline_exceeded")


def test_the_log_tells_what_the_policy_would_do(screened, caplog):
    with caplog.at_level(logging.INFO, "gateway"):
        screened.client.moderations.create(input=f"{KEY} ann@example.org ann@example.org")
    (line,) = [record.message for record in caplog.records if "policy p" in record.message]
    assert line == "policy p: input secrets/aws block 1, content pii/email redact 2, content secrets/aws annotate 1"


SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
VERIFIED = {
    "passes": ('{"a": "b"}', True, "schema", []),
    "a shape is not replaced in": ('{"a": "ann@example.org"}', False, "policy", [("pii", "block", 1)]),
    "escapes are read": ('{"a": "nightin\\u0067ale"}', False, "policy", [("terms", "block", 1)]),
    "annotated": (f'{{"a": "{KEY}"}}', True, "schema", [("secrets", "annotate", 1)]),
    "neither": ('{"b": "nightingale"}', False, "schema", [("terms", "block", 1)]),
    "passed over": ('{"a": "lamp"}', True, "schema", []),
}


@pytest.mark.parametrize(("text", "passed", "check", "guards"), VERIFIED.values(), ids=VERIFIED)
def test_verify_takes_a_policy(screened, text, passed, check, guards):
    for policy, headers in (("p", {}), (None, {"x-portcullis-policy": "p"})):
        body = {"schema": SCHEMA, "text": text, "policy": policy}
        told = screened.post("/v1/verify", json=body, headers=headers).json()
        assert (told["passed"], told["check"]) == (passed, check)
        told_guards = told.get("guards", [])
        assert [(each["guard"], each["action"], each["count"]) for each in told_guards] == guards
        assert (told["reason"] is None) == passed
    # Who asks for none gets none.
    plain = screened.post("/v1/verify", json={"schema": SCHEMA, "text": text}).json()
    assert "guards" not in plain
    assert plain["passed"] == (check != "schema" or passed)


def test_verify_screens_plain_texts_as_they_stand(screened):
    body = {"regex": "[ -~]*", "text": "nightin\\u0067ale", "policy": "p"}
    assert screened.post("/v1/verify", json=body).json()["passed"]
    told = screened.post("/v1/verify", json=body | {"text": "a nightingale"}).json()
    assert told["reason"] == "the policy does not let it leave (terms: terms)"
    assert screened.post("/v1/verify", json=body | {"policy": "kept"}).json()["error"]["param"] == "policy"
