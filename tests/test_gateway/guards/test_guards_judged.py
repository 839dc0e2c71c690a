"""Judges beside all else that a policy does: tries, verdicts, masks, what is replaced, texts without a model."""

import json

import pytest
from guard_server import guard_server
from guarded_dialects import data_of
from scripted import policies, scripted
from test_guards_answers import ask as asked
from test_guards_retry import ask

CLEAN, DIRTY = "all good, and more of it", "so evil that no more is said"
MAIL = '{ guard = "pii", kinds = ["email"], action = "redact" }'
TERMS = '{ guard = "terms", terms = ["Project X"], action = "retry" }'


@pytest.fixture(scope="module")
def server():
    with guard_server() as server:
        yield server


def rule_of(server, action="retry", **fields):
    told = "".join(f", {name} = {json.dumps(value)}" for name, value in fields.items())
    told += f', url = "{server.url}", model = "guard", format = "llama_guard"'
    return f'{{ guard = "guard_model", action = "{action}"{told} }}'


def policy(*rules):
    return f'default = "p"\n[policies.p]\noutput = [{", ".join(rules)}]\n'


@pytest.mark.parametrize(
    ("fields", "tries", "text", "reason", "result"),
    [
        ({}, [DIRTY, CLEAN], CLEAN, "stop", "retried"),
        ({"hold_characters": 8}, [DIRTY, CLEAN], CLEAN, "stop", "retried"),
        ({}, [DIRTY, DIRTY, CLEAN], "", "content_filter", "blocked"),
        ({"hold_characters": 8}, [CLEAN + DIRTY], CLEAN[:24], "content_filter", "blocked"),
        ({"retries": 3}, [DIRTY, DIRTY, DIRTY, CLEAN], CLEAN, "stop", "retried"),
        ({"otherwise": "annotate"}, [DIRTY], DIRTY, "stop", "annotated"),
        ({"otherwise": "pass"}, [DIRTY], DIRTY, "stop", "retried"),
    ],
)
def test_what_a_judge_gives_up_is_written_anew(tiny_live, tmp_path, server, fields, tries, text, reason, result):
    with policies(tiny_live, tmp_path, policy(rule_of(server, **fields))), scripted(tiny_live, tries) as script:
        reply = ask(tiny_live).json()
        (choice,) = reply["choices"]
        assert (choice["message"]["content"] or "", choice["finish_reason"]) == (text, reason)
        assert [check["result"] for check in reply["verdict"]["checks"]] == [result]
        assert reply["verdict"]["seconds"] > 0
        given_up = len(script.requests) - 1
        assert given_up == (tries.index(CLEAN) if result == "retried" and CLEAN in tries else fields.get("retries", 1))
        assert sum(each["count"] for each in choice["guards"] if each["action"] == "retry") == given_up
        assert reply["usage"]["completion_tokens"] == script.num_written[0]
        *chunks, last = data_of(ask(tiny_live, stream=True, stream_options={"include_usage": True}))[0]
        assert "".join(chunk["choices"][0]["delta"].get("content") or "" for chunk in chunks) == text
        assert chunks[-1]["choices"][0]["finish_reason"] == reason
        assert last["usage"]["completion_tokens"] == script.num_written[0]


def test_it_is_asked_about_each_try_with_what_the_request_said(tiny_live, tmp_path):
    why = "Say something else."
    with guard_server() as server:
        rules = policy(rule_of(server, feedback=why))
        with policies(tiny_live, tmp_path, rules), scripted(tiny_live, [DIRTY, CLEAN]) as script:
            ask(tiny_live, messages=[{"role": "user", "content": "Tell."}])
            assert why in tiny_live.service.decode(script.requests[1].prompt_ids)
        conversations = [[message["content"] for message in body["messages"]] for _, _, body in server.asked]
        assert conversations == [["Tell.", DIRTY], ["Tell.", CLEAN]]


def test_what_automata_give_up_no_judge_reads(tiny_live, tmp_path):
    text = "all of Project X"
    with guard_server() as server:
        rules = policy(TERMS, rule_of(server, "block"))
        with policies(tiny_live, tmp_path, rules), scripted(tiny_live, [text, CLEAN]):
            reply = ask(tiny_live).json()
        assert reply["choices"][0]["message"]["content"] == CLEAN
        assert [(check["what"], check["result"]) for check in reply["verdict"]["checks"]] == [
            ("terms", "retried"),
            ("guard_model", "passed"),
        ]
        assert [body["messages"][-1]["content"] for _, _, body in server.asked] == [CLEAN]


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize(
    ("word", "action", "left", "results"),
    [
        ("good", "block", '{"q": "good [EMAIL]"}', ["passed", "redacted", "passed"]),
        ("evil", "annotate", '{"q": "evil [EMAIL]"}', ["passed", "redacted", "annotated"]),
        ("evil", "block", "", ["skipped", "redacted", "blocked"]),
        ("\\u0065vil", "block", "", ["skipped", "redacted", "blocked"]),
    ],
)
def test_records_are_judged_as_they_leave(tiny_live, tmp_path, server, word, action, left, results, is_streamed):
    schema = {"type": "object", "properties": {"q": {"type": "string"}}}
    rules = policy(MAIL, rule_of(server, action))
    text = f'{{"q": "{word} ann@example.org"}}'
    with policies(tiny_live, tmp_path, rules), scripted(tiny_live, text):
        fields = {"structured_outputs": {"json": schema}}
        if is_streamed:
            *chunks, last = data_of(ask(tiny_live, stream=True, stream_options={"include_usage": True}, **fields))[0]
            told = "".join(chunk["choices"][0]["delta"].get("content") or "" for chunk in chunks)
        else:
            last = ask(tiny_live, **fields).json()
            told = last["choices"][0]["message"]["content"] or ""
        assert told == left
        assert [check["result"] for check in last["verdict"]["checks"]] == results


def test_texts_that_were_promised_a_shape_are_judged_as_they_are_meant(tiny_live, tmp_path, server):
    with policies(tiny_live, tmp_path, policy(rule_of(server))):
        for text, passed in (('"\\u0065vil"', False), ('"good"', True)):
            body = {"schema": {"type": "string"}, "text": text, "policy": "p"}
            reply = tiny_live.post("/v1/verify", json=body).json()
            assert (reply["passed"], reply["check"]) == (passed, "schema" if passed else "policy")


def test_a_judge_that_cannot_be_asked_gives_up_every_try(tiny_live, tmp_path):
    with guard_server() as gone:
        pass
    with policies(tiny_live, tmp_path, policy(rule_of(gone, retries=2))), scripted(tiny_live, [CLEAN]) as script:
        (choice,) = asked(tiny_live).json()["choices"]
        assert choice["finish_reason"] == "content_filter"
        assert len(script.requests) == 3
