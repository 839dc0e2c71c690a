"""What was checked of an answer is told to whoever asks, and logged of each; never what it says."""

import json
import logging
from hashlib import sha256

import pytest
from guarded_dialects import KEY, MESSAGES, VERDICT, data_of, policy_of
from scripted import policies, scripted
from sdk_types import strictly

SCHEMA = {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"], "additionalProperties": False}
FUNCTION = {"name": "f", "parameters": SCHEMA}
LARK = 'start: "yes" | "no"'
GBNF = 'root ::= "yes" | "no"'
TAGS = {"type": "tag", "begin": "<a>", "content": {"type": "const_string", "value": "x"}, "end": "</a>"}


def digest(asked):
    text = asked if isinstance(asked, str) else json.dumps(asked, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def ask(live, headers=VERDICT, **fields):
    body = {"model": "test-model", "messages": MESSAGES, "max_tokens": 60, **fields}
    reply = live.post("/v1/chat/completions", json=body, headers=headers)
    assert reply.status_code == 200, reply.text
    return reply


@pytest.mark.parametrize(
    ("fields", "what", "by", "asked"),
    [
        ({"structured_outputs": {"json": SCHEMA}}, "schema", "jsonschema-rs", SCHEMA),
        ({"structured_outputs": {"regex": "[ab]+"}}, "pattern", "automaton", "[ab]+"),
        ({"structured_outputs": {"choice": ["a", "b"]}}, "choice", "equality", ["a", "b"]),
        ({"structured_outputs": {"grammar": LARK}}, "grammar", "earley", LARK),
        ({"structured_outputs": {"grammar": GBNF}}, "grammar", "earley", GBNF),
        (
            {"response_format": {"type": "structural_tag", "format": TAGS}},
            "tags",
            "pieces",
            {
                "segments": [{"begin": "<a>", "content": {"options": ["x"]}, "end": "</a>"}],
                "triggers": [],
                "at_least_one": True,
                "stop_after_first": True,
                "separator": "",
                "free_text": False,
            },
        ),
        (
            {"tools": [{"type": "function", "function": FUNCTION}], "tool_choice": "required"},
            "tools",
            "jsonschema-rs",
            [["f", SCHEMA]],
        ),
    ],
    ids=["schema", "pattern", "choice", "grammar", "gbnf", "tags", "tools"],
)
def test_each_kind_of_constraint_is_told_with_its_digest(tiny_live, fields, what, by, asked):
    reply = ask(tiny_live, **fields).json()
    expected = {"what": what, "where": "answer", "by": by, "result": "passed", "constraint": digest(asked)}
    assert reply["verdict"]["checks"] == [{"index": 0, **expected}]
    assert 0 < reply["verdict"]["seconds"] < 60
    strictly("chat", json.dumps(reply))
    *_, last = data_of(ask(tiny_live, stream=True, **fields))[0]
    assert last["choices"] == []
    assert last["verdict"]["checks"] == [{"index": 0, **expected}]
    strictly("chat_chunk", json.dumps(last))


def test_every_answer_that_is_told_has_its_checks(tiny_live):
    told = ask(tiny_live, n=2, best_of=3, structured_outputs={"choice": ["a", "b"]}).json()["verdict"]
    assert [(check["index"], check["what"]) for check in told["checks"]] == [(0, "choice"), (1, "choice")]


@pytest.mark.parametrize("headers", [{}, {"x-portcullis-verdict": "0"}], ids=["nothing", "no"])
def test_nobody_else_is_told(tiny_live, headers):
    assert "verdict" not in ask(tiny_live, headers, structured_outputs={"choice": ["a"]}).json()
    assert "verdict" not in ask(tiny_live, headers, structured_outputs={"choice": ["a"]}, stream=True).text


def test_a_header_that_is_neither_yes_nor_no_is_refused(tiny_live):
    body = {"model": "test-model", "messages": MESSAGES}
    reply = tiny_live.post("/v1/chat/completions", json=body, headers={"x-portcullis-verdict": "maybe"})
    assert reply.status_code == 400
    assert reply.json()["error"]["param"] == "x-portcullis-verdict"


def test_an_answer_that_its_policy_ends_is_not_verified(tiny_live, tmp_path):
    text = json.dumps({"a": KEY})
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    with policies(tiny_live, tmp_path, policy_of("secrets", 'kinds = ["aws"]', "block")), scripted(tiny_live, text):
        told = ask(tiny_live, structured_outputs={"json": schema}).json()["verdict"]
    assert [(check["what"], check["result"]) for check in told["checks"]] == [
        ("schema", "skipped"),
        ("secrets", "blocked"),
    ]


def test_what_a_policy_made_of_the_prompt_is_told(tiny_live, tmp_path):
    policy = policy_of("secrets", 'kinds = ["aws"]', "redact", side="input")
    with policies(tiny_live, tmp_path, policy), scripted(tiny_live, "ok"):
        for said, result in ((KEY, "redacted"), ("hello", "passed")):
            told = ask(tiny_live, messages=[{"role": "user", "content": said}]).json()["verdict"]
            (check,) = told["checks"]
            assert (check["what"], check["where"], check["result"]) == ("secrets", "prompt", result)


def test_each_answer_is_one_line_of_the_log_without_its_text(tiny_live, caplog):
    with caplog.at_level(logging.INFO, "gateway.service.answers.verification"):
        ask(tiny_live, {}, structured_outputs={"json": {"const": "hidden words"}})
        ask(tiny_live, {}, max_tokens=2)
    first, second = [
        record.getMessage() for record in caplog.records if record.name == "gateway.service.answers.verification"
    ]
    assert first.startswith("answer leaves; checked in ")
    assert first.endswith(f"schema passed (jsonschema-rs) {digest({'const': 'hidden words'})[:12]}")
    assert second.endswith("nothing is asked of it")
    assert "hidden" not in caplog.text


def test_an_answer_that_is_withheld_is_logged_with_the_check_that_failed(tiny_live, caplog):
    with scripted(tiny_live, '{"a": 1}'), caplog.at_level(logging.INFO, "gateway.service.answers.verification"):
        body = {"model": "test-model", "messages": MESSAGES, "structured_outputs": {"json": SCHEMA}}
        reply = tiny_live.post("/v1/chat/completions", json=body, headers=VERDICT)
    assert reply.json()["error"]["code"] == "verification_failed"
    assert "answer withheld: the answer failed the check 'schema' (type);" in caplog.text
    assert "/a" not in reply.json()["error"]["message"]
    assert f"schema failed (jsonschema-rs) {digest(SCHEMA)[:12]}" in caplog.text
