"""What policies do besides ending or changing a content: thoughts, calls, many answers, log-probabilities, prompts."""

import hashlib
import json
import logging
import re
from pathlib import Path

import openai
import pytest
from guarded_dialects import KEY, MESSAGES, data_of, policy_of
from scripted import policies, scripted

AWS = 'kinds = ["aws"]'
FUNCTION = {"name": "find", "parameters": {"type": "object", "properties": {"q": {"type": "string"}}}}
QUESTION = {"type": "predicate", "instructions": "Is it a key?"}
TOOLS = [{"type": "function", "function": FUNCTION}]
ANTHROPIC_TOOLS = [{"name": "find", "input_schema": FUNCTION["parameters"]}]


def call(text):
    return f'<tool_call>\n{{"name": "find", "arguments": {{"q": {text}}}}}\n</tool_call>'


def ask(live, **fields):
    reply = live.post("/v1/chat/completions", json={"model": "test-model", "messages": MESSAGES, **fields})
    assert reply.status_code == 200, reply.text
    return reply


def chunks(live, **fields):
    return data_of(ask(live, stream=True, **fields))[0]


def arguments_in(told):
    deltas = [each["choices"][0]["delta"] for each in told]
    return "".join(call["function"]["arguments"] for each in deltas for call in each.get("tool_calls", ()))


@pytest.mark.parametrize("written", [KEY, f"\\u0041{KEY[1:]}", f"x {KEY[:8]}\\u0049{KEY[9:]}"])
def test_arguments_are_read_as_they_are_meant(tiny_live, tmp_path, written):
    text = "Wait. " + call(f'"{written}"')
    with policies(tiny_live, tmp_path, policy_of("secrets", AWS, "block")), scripted(tiny_live, text) as script:
        (choice,) = ask(tiny_live, tools=TOOLS).json()["choices"]
        assert choice["finish_reason"] == "content_filter"
        # A call that was cut is none.
        assert "tool_calls" not in choice["message"]
        assert choice["message"]["content"].strip() == "Wait."
        assert choice["guards"] == [
            {"guard": "secrets", "kind": "aws", "action": "block", "where": "arguments", "count": 1}
        ]
        told = chunks(tiny_live, tools=TOOLS)
        assert (
            arguments_in(told) == '{"q": "' + written[: written.find("\\") if written[0] == "\\" else written.find("A")]
        )
        assert told[-1]["choices"][0]["finish_reason"] == "content_filter"
        assert script.num_written[0] < script.num_tokens()


def test_harmless_arguments_arrive_as_they_were_written(tiny_live, tmp_path):
    text = call('"a \\u0041KI \\/ \\"b\\""')
    with policies(tiny_live, tmp_path, policy_of("secrets", AWS, "block")), scripted(tiny_live, text):
        (choice,) = ask(tiny_live, tools=TOOLS).json()["choices"]
        assert choice["message"]["tool_calls"][0]["function"]["arguments"] == '{"q": "a \\u0041KI \\/ \\"b\\""}'
        assert choice["finish_reason"] == "tool_calls"
        assert arguments_in(chunks(tiny_live, tools=TOOLS)) == '{"q": "a \\u0041KI \\/ \\"b\\""}'


def test_calls_that_were_cut_are_well_formed_in_other_dialects(tiny_live, tmp_path):
    text = "Wait. " + call(f'"{KEY}"')
    with policies(tiny_live, tmp_path, policy_of("secrets", AWS, "block")), scripted(tiny_live, text):
        body = {"model": "test-model", "messages": MESSAGES, "max_tokens": 99}
        told = tiny_live.post("/v1/messages", json={**body, "tools": ANTHROPIC_TOOLS}).json()
        assert [block["type"] for block in told["content"]] == ["text"]
        assert told["stop_reason"] == "refusal"
        events, _ = data_of(tiny_live.post("/v1/messages", json={**body, "tools": ANTHROPIC_TOOLS, "stream": True}))
        kinds = [event["type"] for event in events if event["type"] != "ping"]
        assert kinds[-3:] == ["content_block_stop", "message_delta", "message_stop"]
        assert KEY not in json.dumps(events)
        for is_streamed in (False, True):
            reply = tiny_live.post("/api/chat", json={**body, "tools": TOOLS, "stream": is_streamed})
            lines = [json.loads(line) for line in reply.text.splitlines()]
            assert lines[-1]["done_reason"] == "content_filter"
            assert not any("tool_calls" in line["message"] for line in lines)
        reply = tiny_live.post("/v1/responses", json={"model": "test-model", "input": "x", "tools": TOOLS_FLAT}).json()
        assert reply["incomplete_details"] == {"reason": "content_filter"}
        assert [item["status"] for item in reply["output"]] == ["completed", "incomplete"]
        assert KEY not in json.dumps(reply)


TOOLS_FLAT = [{"type": "function", **FUNCTION}]


def test_thoughts_are_screened_too(thinker, tmp_path):
    text = f"is it {KEY} ?</think>\n\nIt is {KEY}."
    with policies(thinker, tmp_path, policy_of("secrets", AWS, "redact")), scripted(thinker, text):
        message = ask(thinker).json()["choices"][0]["message"]
        assert message["reasoning"].strip() == "is it [AWS] ?"
        assert message["content"].strip() == "It is [AWS]."
        told = chunks(thinker)
        deltas = [each["choices"][0]["delta"] for each in told]
        assert "".join(each.get("reasoning") or "" for each in deltas) == message["reasoning"]
        assert "".join(each.get("content") or "" for each in deltas) == message["content"]
        assert [(each["where"], each["count"]) for each in told[-1]["choices"][0]["guards"]] == [
            ("content", 1), ("reasoning", 1)
        ]  # fmt: skip
    with policies(thinker, tmp_path, policy_of("secrets", AWS, "block")), scripted(thinker, text):
        for is_streamed in (False, True):
            reply = ask(thinker, stream=is_streamed)
            assert "content_filter" in reply.text
            assert KEY not in reply.text


@pytest.mark.parametrize("is_streamed", [False, True])
def test_nothing_leaves_behind_a_text_that_is_blocked_at_its_end(thinker, tmp_path, is_streamed):
    words = 'terms = ["wait"], whole_words = true'
    with policies(thinker, tmp_path, policy_of("terms", words, "block")):
        with scripted(thinker, "I wait</think>And more."):
            assert "more" not in ask(thinker, stream=is_streamed).text
        with scripted(thinker, f"</think>I wait{call('1')}"):
            reply = ask(thinker, stream=is_streamed, tools=TOOLS).text
            assert "content_filter" in reply
            assert "find" not in reply
    with policies(thinker, tmp_path, policy_of("terms", words, "annotate")), scripted(thinker, "I wait</think>I wait"):
        assert ask(thinker, stream=is_streamed).text.count('"count":1') == 2


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize("stop", ["he wea", "The wea"])
def test_a_token_that_a_stop_string_cuts_is_not_told(tiny_live, tmp_path, stop, is_streamed):
    rule = policy_of("terms", 'terms = ["x"]', "redact")
    with policies(tiny_live, tmp_path, rule), scripted(tiny_live, "The weather"):
        body = {"model": "test-model", "prompt": "x", "logprobs": 1, "stop": [stop], "stream": is_streamed}
        tgi = {"inputs": "x", "parameters": {"details": True, "stop": [stop], "top_n_tokens": 2}}
        replies = [
            tiny_live.post("/v1/completions", json=body),
            ask(tiny_live, logprobs=True, top_logprobs=1, stop=[stop], stream=is_streamed),
            tiny_live.post("/generate_stream" if is_streamed else "/generate", json=tgi),
        ]
    for reply in replies:
        assert reply.status_code == 200
        assert "ather" not in reply.text


def test_each_of_several_answers_is_screened_by_itself(tiny_live, tmp_path):
    texts = (f"my key is {KEY}, yes", "no key here", "AKIA is no key")
    with policies(tiny_live, tmp_path, policy_of("secrets", AWS, "block")), scripted(tiny_live, *texts) as script:
        reply = ask(tiny_live, n=3).json()
        assert [(each["message"]["content"], each["finish_reason"]) for each in reply["choices"]] == [
            ("my key is ", "content_filter"), (texts[1], "stop"), (texts[2], "stop")
        ]  # fmt: skip
        assert reply["usage"]["completion_tokens"] == sum(script.num_written.values())
        found = {0: "", 1: "", 2: ""}
        for chunk in chunks(tiny_live, n=3):
            (choice,) = chunk["choices"]
            found[choice["index"]] += choice["delta"].get("content") or ""
        assert tuple(found.values()) == ("my key is ", *texts[1:])


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize(("action", "text"), [("redact", "key [AWS] now"), ("block", "key ")])
def test_tokens_tell_no_more_than_the_text(tiny_live, tmp_path, action, text, is_streamed):
    fields = {"logprobs": True, "top_logprobs": 1}
    written = f"key {KEY} now"
    with policies(tiny_live, tmp_path, policy_of("secrets", AWS, action)), scripted(tiny_live, written):
        choices = (
            [each["choices"][0] for each in chunks(tiny_live, **fields)]
            if is_streamed
            else ask(tiny_live, **fields).json()["choices"]
        )
        entries = [entry for choice in choices if choice["logprobs"] for entry in choice["logprobs"]["content"]]
        assert bytes(byte for entry in entries for byte in entry["bytes"]).decode() == text
        shown = [top["token"] for entry in entries for top in entry["top_logprobs"]]
        assert not [token for token in shown if token not in text]
        completion = tiny_live.post(
            "/v1/completions", json={"model": "test-model", "prompt": "x", "logprobs": 1}
        ).json()
        assert "".join(completion["choices"][0]["logprobs"]["tokens"]) == text


def test_most_tokens_wait_for_nothing(tiny_live, tmp_path):
    text = "The weather in Paris is mild today. " * 4
    with (
        policies(tiny_live, tmp_path, policy_of("secrets", 'kinds = ["aws", "github", "jwt"]', "block")),
        scripted(tiny_live, text) as script,
    ):
        told = chunks(tiny_live)
    assert len(told) > 0.9 * script.num_tokens()


def test_what_comes_in_is_blocked_or_replaced(tiny_live, tmp_path):
    messages = [
        {"role": "system", "content": f"Use {KEY}."},
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": "find", "arguments": json.dumps({"q": [KEY, 1]})}}
        ]},
        {"role": "tool", "tool_call_id": "call_1", "content": "nothing"},
    ]  # fmt: skip
    seen = []
    preparer = tiny_live.service._preparer
    real = type(preparer).chat

    async def chat(self, request, terms, policy):
        seen.append(request)
        return await real(self, request, terms, policy)

    type(preparer).chat = chat
    try:
        with policies(tiny_live, tmp_path, policy_of("secrets", AWS, "redact", "input")), scripted(tiny_live, "Yes."):
            (choice,) = ask(tiny_live, messages=messages).json()["choices"]
            told = chunks(tiny_live, messages=messages)
    finally:
        type(preparer).chat = real
    system, called, _ = seen[0].messages
    assert system["content"] == "Use [AWS]."
    assert called["tool_calls"][0]["function"]["arguments"] == {"q": ["[AWS]", 1]}
    expected = [{"guard": "secrets", "kind": "aws", "action": "redact", "where": "input", "count": 2}]
    assert choice["guards"] == told[-1]["choices"][0]["guards"] == expected
    with policies(tiny_live, tmp_path, policy_of("secrets", AWS, "block", "input")):
        bodies = {
            "/v1/chat/completions": {"model": "test-model", "messages": messages},
            "/v1/completions": {"model": "test-model", "prompt": ["fine", f"x {KEY}"]},
            "/v1/responses": {"model": "test-model", "input": KEY},
            "/v1/messages": {"model": "test-model", "messages": [{"role": "user", "content": KEY}], "max_tokens": 9},
            "/api/chat": {"model": "test-model", "messages": [{"role": "user", "content": KEY}]},
            "/generate": {"inputs": KEY},
            "/v1/decisions": {"model": "test-model", "input": KEY, "questions": [QUESTION]},
        }
        for path, body in bodies.items():
            reply = tiny_live.post(path, json=body)
            assert reply.status_code == (422 if path == "/generate" else 400), path
            assert KEY not in reply.text
        ids = tiny_live.service.encode(f"hello {KEY}", add_special_tokens=False)
        with pytest.raises(openai.BadRequestError) as caught:
            tiny_live.client.completions.create(model="test-model", prompt=ids)
        assert caught.value.code == "content_filter"


def test_a_prompt_that_takes_too_long_is_given_up(tiny_live, tmp_path, monkeypatch):
    monkeypatch.setattr(tiny_live.service._input_screener, "_max_seconds", 0.0)
    with policies(tiny_live, tmp_path, policy_of("secrets", AWS, "block", "input")):
        reply = tiny_live.post("/v1/completions", json={"model": "test-model", "prompt": "x"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (504, "deadline_exceeded")


def test_annotations_are_told_and_passes_are_only_logged(tiny_live, tmp_path, caplog):
    rules = (
        f'{{ guard = "secrets", action = "annotate", {AWS} }}, {{ guard = "terms", action = "pass", terms = ["key"] }}'
    )
    with (
        policies(tiny_live, tmp_path, f'default = "p"\n[policies.p]\noutput = [{rules}]\n'),
        scripted(tiny_live, f"key {KEY} and {KEY}"),
        caplog.at_level(logging.INFO, "gateway"),
    ):
        (choice,) = ask(tiny_live).json()["choices"]
    assert choice["guards"] == [
        {"guard": "secrets", "kind": "aws", "action": "annotate", "where": "content", "count": 2}
    ]
    assert "policy p: content secrets/aws annotate 2, content terms/terms pass 1" in caplog.text
    assert KEY not in caplog.text


def test_example_of_the_page_does_what_it_says(tiny_live, tmp_path):
    page = (Path(__file__).resolve().parents[3] / "gateway" / "docs" / "policies.md").read_text(encoding="utf-8")
    section = page.split("## Example")[1].split("## ")[0]
    file = section.split("```toml\n")[1].split("```")[0]
    written, left = re.findall(r"`(Write to [^`]+)`", section)
    with policies(tiny_live, tmp_path, file):
        with scripted(tiny_live, written):
            assert ask(tiny_live).json()["choices"][0]["message"]["content"] == left
            headers = {"x-portcullis-policy": "open"}
            reply = tiny_live.http.post("/v1/completions", json={"model": "test-model", "prompt": "x"}, headers=headers)
            assert reply.json()["choices"][0]["text"] == written
        with scripted(tiny_live, "It is project nightingale, of course."):
            (choice,) = ask(tiny_live).json()["choices"]
            assert (choice["message"]["content"], choice["finish_reason"]) == ("It is ", "content_filter")
        assert tiny_live.post("/v1/completions", json={"model": "test-model", "prompt": KEY}).status_code == 400


@pytest.mark.parametrize("action", ["redact", "block"])
def test_what_a_model_really_writes_is_screened(live, tmp_path, action):
    fields = {"messages": [{"role": "user", "content": "What is the weather in Paris?"}], "temperature": 0}
    text = ask(live, max_tokens=40, **fields).json()["choices"][0]["message"]["content"]
    term = text[len(text) // 2 : len(text) // 2 + 4]
    before = text.split(term, 1)[0]
    expected = before if action == "block" else text.replace(term, "[TERMS]")
    rule = policy_of("terms", f"terms = [{json.dumps(term)}], ignore_case = false", action)
    with policies(live, tmp_path, rule):
        choice = ask(live, max_tokens=40, **fields).json()["choices"][0]
        told = "".join(
            each["choices"][0]["delta"].get("content") or "" for each in chunks(live, max_tokens=40, **fields)
        )
        assert choice["message"]["content"] == told == expected
    live.wait_until_idle()


def test_a_call_that_was_cut_is_no_part_of_later_turns(tiny_live, tmp_path):
    body = {"model": "test-model", "tools": TOOLS_FLAT}
    with policies(tiny_live, tmp_path, policy_of("secrets", AWS, "block")):
        with scripted(tiny_live, "Wait. " + call(f'"{KEY}"')):
            first = tiny_live.post("/v1/responses", json={**body, "input": "x"}).json()
        with scripted(tiny_live, "Yes."):
            again = {**body, "input": "y", "previous_response_id": first["id"]}
            reply = tiny_live.post("/v1/responses", json=again)
            assert reply.status_code == 200, reply.text


CHOICE = """
default = "open"
allowed = ["open", "strict"]
[policies.open]
[policies.strict]
output = [{ guard = "secrets", action = "redact" }]
[policies.closed]
output = [{ guard = "terms", terms = ["key"], action = "redact" }]
[[keys]]
sha256 = "DIGEST"
default = "closed"
"""


def test_a_request_chooses_what_the_operator_allows(tiny_live, tmp_path, monkeypatch):
    text = f"key {KEY}"

    def told(headers=None, **fields):
        reply = tiny_live.http.post(
            "/v1/chat/completions", json={"model": "test-model", "messages": MESSAGES, **fields}, headers=headers or {}
        ).json()
        return reply["choices"][0]["message"]["content"] if "choices" in reply else reply["error"]

    file = CHOICE.replace("DIGEST", hashlib.sha256(b"sesame").hexdigest())
    with policies(tiny_live, tmp_path, file), scripted(tiny_live, text):
        assert told() == text
        assert told({"x-portcullis-policy": "strict"}) == "key [AWS]"
        assert told(guardrails={"config_id": "strict"}) == "key [AWS]"
        assert told({"x-portcullis-policy": "strict"}, guardrails={"config_id": "strict"}) == "key [AWS]"
        assert "different" in told({"x-portcullis-policy": "open"}, guardrails={"config_id": "strict"})["message"]
        refused = told({"x-portcullis-policy": "closed"})
        assert refused["param"] == "x-portcullis-policy"
        assert refused["message"].endswith("may be chosen here: open, strict")
        monkeypatch.setattr("gateway.api.http.caller.tenant_in", lambda *_: hashlib.sha256(b"sesame").hexdigest()[:32])
        assert told() == f"[TERMS] {KEY}"
        assert told(guardrails={"config_id": "open"})["param"] == "guardrails.config_id"
    assert "no policies" in told({"x-portcullis-policy": "open"})["message"]
