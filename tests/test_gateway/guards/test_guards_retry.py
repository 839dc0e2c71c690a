"""Answers that are given up and written anew: how often, with which seed, what the model is told, what it costs."""

import json

import pytest
from guarded_dialects import MESSAGES, VERDICT, data_of
from scripted import policies, scripted

CLEAN, DIRTY = "all fine", "see Project X now"
TOOL = {"type": "function", "function": {"name": "find", "parameters": {"properties": {"q": {"type": "string"}}}}}


def policy(**fields):
    told = "".join(f", {name} = {json.dumps(value)}" for name, value in fields.items())
    rule = '{ guard = "terms", terms = ["Project X"], action = "retry"' + told + " }"
    return f'default = "p"\n[policies.p]\noutput = [{rule}]\n'


def ask(live, path="/v1/chat/completions", **fields):
    said = {"prompt": "Say"} if path == "/v1/completions" else {"messages": MESSAGES}
    reply = live.post(path, json={"model": "test-model", **said, **fields}, headers=VERDICT)
    assert reply.status_code == 200, reply.text
    return reply


@pytest.mark.parametrize(
    ("fields", "tries", "text", "reason", "results"),
    [
        ({}, [DIRTY, CLEAN], CLEAN, "stop", "retried"),
        ({}, [DIRTY, DIRTY, CLEAN], "see ", "content_filter", "blocked"),
        ({"retries": 2}, [DIRTY, DIRTY, CLEAN], CLEAN, "stop", "retried"),
        ({"retries": 5}, [*[DIRTY] * 5, CLEAN], CLEAN, "stop", "retried"),
        ({"retries": 5}, [*[DIRTY] * 6, CLEAN], "see ", "content_filter", "blocked"),
        ({"otherwise": "redact", "replacement": "***"}, [DIRTY], "see *** now", "stop", "redacted"),
        ({"otherwise": "annotate"}, [DIRTY], DIRTY, "stop", "annotated"),
        ({"otherwise": "pass"}, [DIRTY], DIRTY, "stop", "retried"),
    ],
)
def test_tries_are_bounded_and_then_something_else_is_done(tiny_live, tmp_path, fields, tries, text, reason, results):
    with policies(tiny_live, tmp_path, policy(**fields)), scripted(tiny_live, tries) as script:
        reply = ask(tiny_live).json()
        (choice,) = reply["choices"]
        assert (choice["message"]["content"], choice["finish_reason"]) == (text, reason)
        assert [check["result"] for check in reply["verdict"]["checks"]] == [results]
        num_tries = len(script.requests)
        assert num_tries == min(fields.get("retries", 1) + 1, len(tries) if text == CLEAN else 9)
        assert sum(each["count"] for each in choice["guards"] if each["action"] == "retry") == num_tries - 1
        # All tries are paid for, each with its prompt.
        prompts = sum(len(request.prompt_ids) for request in script.requests)
        assert (reply["usage"]["prompt_tokens"], reply["usage"]["completion_tokens"]) == (
            prompts,
            script.num_written[0],
        )
        *chunks, last = data_of(ask(tiny_live, stream=True, stream_options={"include_usage": True}))[0]
        assert "".join(chunk["choices"][0]["delta"].get("content") or "" for chunk in chunks) == text
        assert chunks[-1]["choices"][0]["finish_reason"] == reason
        assert last["usage"]["completion_tokens"] == script.num_written[0]


def test_each_try_has_a_seed_of_its_own_that_the_request_fixes(tiny_live, tmp_path):
    seeds = []
    for _ in range(2):
        with policies(tiny_live, tmp_path, policy(retries=3)), scripted(tiny_live, [DIRTY]) as script:
            ask(tiny_live, seed=7, n=2)
            seeds.append(sorted(request.sampling.seed for request in script.requests))
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 8
    assert 7 in seeds[0]


def test_one_of_several_answers_is_written_anew(tiny_live, tmp_path):
    with policies(tiny_live, tmp_path, policy()), scripted(tiny_live, [CLEAN], [DIRTY, "fine too"]) as script:
        reply = ask(tiny_live, n=2).json()
        assert [choice["message"]["content"] for choice in reply["choices"]] == [CLEAN, "fine too"]
        assert [check["result"] for check in reply["verdict"]["checks"]] == ["passed", "retried"]
        assert len(script.requests) == 3
        assert reply["usage"]["prompt_tokens"] == 2 * len(script.requests[0].prompt_ids)


def test_the_model_is_told_why(tiny_live, tmp_path):
    why = "Answer again, without names."
    with policies(tiny_live, tmp_path, policy(feedback=why, retries=2)), scripted(tiny_live, [DIRTY]) as script:
        reply = ask(tiny_live).json()
        prompts = [tiny_live.service.decode(request.prompt_ids) for request in script.requests]
        assert [prompt.count(why) for prompt in prompts] == [0, 1, 1]
        assert MESSAGES[0]["content"] in prompts[2]
        assert reply["usage"]["prompt_tokens"] == sum(len(request.prompt_ids) for request in script.requests)


@pytest.mark.parametrize(("path", "why"), [("/v1/completions", "why"), ("/v1/chat/completions", "why " * 3000)])
def test_where_there_is_no_place_for_it_the_next_try_is_made_without(tiny_live, tmp_path, path, why):
    with policies(tiny_live, tmp_path, policy(feedback=why)), scripted(tiny_live, [DIRTY, CLEAN]) as script:
        (choice,) = ask(tiny_live, path).json()["choices"]
        assert CLEAN in (choice.get("text"), choice.get("message", {}).get("content"))
        first, second = script.requests
        assert first.prompt_ids == second.prompt_ids


def test_nothing_of_a_try_that_is_given_up_leaves(tiny_live, tmp_path):
    call = '<tool_call>\n{"name": "find", "arguments": {"q": "Project X"}}\n</tool_call>'
    with policies(tiny_live, tmp_path, policy()), scripted(tiny_live, ["Wait. " + call, CLEAN]):
        chunks, _ = data_of(ask(tiny_live, tools=[TOOL], stream=True))
        deltas = [choice["delta"] for chunk in chunks for choice in chunk["choices"]]
        assert not any(delta.get("tool_calls") for delta in deltas)
        assert "".join(delta.get("content") or "" for delta in deltas) == CLEAN
