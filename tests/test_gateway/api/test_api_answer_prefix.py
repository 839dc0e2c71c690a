"""Answers that begin with a text of the client's: `answer_prefix`, `continue_final_message`, Anthropic's prefill."""

import json

import pytest
from scripted import policies, scripted
from serving import config_for, serving
from test_api_constrained import WEATHER

from gateway.config import ProcessConfig

HELLO = [{"role": "user", "content": "How is the weather?"}]
SCHEMA = {
    "type": "object",
    "properties": {"city": {"enum": ["Rome", "Oslo"]}, "sunny": {"type": "boolean"}},
    "required": ["city", "sunny"],
    "additionalProperties": False,
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "weather", "schema": SCHEMA}}
BEGUN = '{"city": "Os'


def chat(live, **fields):
    body = {"model": "test-model", "messages": HELLO, "max_tokens": 60, "temperature": 0} | fields
    reply = live.post("/v1/chat/completions", json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()


def streamed(live, **fields):
    body = {"model": "test-model", "messages": HELLO, "max_tokens": 60, "temperature": 0, "stream": True} | fields
    lines = live.post("/v1/chat/completions", json=body).text.splitlines()
    chunks = [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
    return "".join(choice["delta"].get("content") or "" for chunk in chunks for choice in chunk["choices"])


def text_of(reply):
    return reply["choices"][0]["message"]["content"]


def refusal(live, path="/v1/chat/completions", **fields):
    body = {"model": "test-model", "messages": HELLO, "max_tokens": 60} | fields
    reply = live.post(path, json=body)
    assert reply.status_code == 400, reply.text
    return reply.json()["error"]


@pytest.fixture(scope="module")
def isolated(tiny_model):
    with serving(config_for(tiny_model, process=ProcessConfig(mode="process"))) as live:
        yield live


@pytest.mark.parametrize("server", ["live", "isolated"])
def test_a_constrained_answer_goes_on_from_its_prefix(server, request):
    live = request.getfixturevalue(server)
    reply = chat(live, response_format=FORMAT, answer_prefix=BEGUN)
    assert text_of(reply).startswith(BEGUN)
    assert json.loads(text_of(reply))["city"] == "Oslo"
    plain = chat(live, response_format=FORMAT)
    assert reply["usage"]["prompt_tokens"] > plain["usage"]["prompt_tokens"]
    assert reply["usage"]["completion_tokens"] < plain["usage"]["completion_tokens"]
    assert streamed(live, response_format=FORMAT, answer_prefix=BEGUN) == text_of(reply)


def test_a_free_answer_goes_on_as_without_the_cut(live):
    asked = {"messages": [{"role": "user", "content": "Who are you?"}], "logprobs": True}
    whole = chat(live, max_tokens=12, **asked)
    tokens = [bytes(entry["bytes"]) for entry in whole["choices"][0]["logprobs"]["content"]]
    half = len(tokens) // 2
    assert 0 < half < len(tokens)
    again = chat(live, max_tokens=12 - half, answer_prefix=b"".join(tokens[:half]).decode(), **asked)
    assert text_of(again) == text_of(whole)
    assert [bytes(entry["bytes"]) for entry in again["choices"][0]["logprobs"]["content"]] == tokens[half:]


def test_each_of_several_answers_begins_with_it(live):
    replies = chat(live, response_format=FORMAT, answer_prefix=BEGUN, n=3, temperature=1, seed=1)["choices"]
    assert [json.loads(each["message"]["content"])["city"] for each in replies] == ["Oslo"] * 3


def test_an_argument_may_be_begun(tiny_live):
    forced = {"tools": [WEATHER], "tool_choice": "required", "max_tokens": 200}
    text = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo'
    (call,) = chat(tiny_live, answer_prefix=text, **forced)["choices"][0]["message"]["tool_calls"]
    assert json.loads(call["function"]["arguments"])["city"].startswith("Oslo")


def test_a_stop_string_may_begin_in_the_prefix(live):
    with scripted(live, "rld and more"):
        assert text_of(chat(live, answer_prefix="Hello wo", stop=["world"])) == "Hello "
        assert streamed(live, answer_prefix="Hello wo", stop=["world"]) == "Hello "


def test_a_policy_sees_the_prefix(live, tmp_path):
    rules = 'default = "p"\n[policies.p]\noutput = [{guard = "terms", terms = ["secret"], action = "redact"}]\n'
    with policies(live, tmp_path, rules), scripted(live, "cret is out"):
        for text in (text_of(chat(live, answer_prefix="The se")), streamed(live, answer_prefix="The se")):
            assert text.startswith("The ")
            assert text.endswith(" is out")
            assert "secret" not in text


def test_confidence_counts_the_prefix_as_forced(live):
    told = chat(live, response_format=FORMAT, answer_prefix='{"city": "Oslo", ', confidence=True)["choices"][0]
    city, sunny = told["confidence"]
    assert (city["path"], city["num_tokens"]) == ("/city", 0)
    assert sunny["path"] == "/sunny"


def test_a_completion_begins_with_it(live):
    body = {"model": "test-model", "prompt": "Say:", "max_tokens": 20, "guided_regex": "abc[0-9]{3}", "logprobs": 1}
    choice = live.post("/v1/completions", json=body | {"answer_prefix": "abc1"}).json()["choices"][0]
    assert choice["text"].startswith("abc1")
    assert len(choice["text"]) == 6
    assert choice["logprobs"]["text_offset"][0] == 4


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"response_format": FORMAT, "answer_prefix": '{"city": "Paris'}, "does not allow 'Paris' after"),
        ({"response_format": FORMAT, "answer_prefix": "Sure"}, "does not allow an answer that begins 'Sure'"),
        ({"guided_choice": ["yes", "no"], "answer_prefix": "yes"}, "already a whole answer"),
        ({"stop": ["END"], "answer_prefix": "the END is"}, "contains the stop string 'END'"),
    ],
)
def test_a_prefix_that_cannot_be_continued_is_refused(live, fields, says):
    error = refusal(live, **fields)
    assert error["param"] == "answer_prefix"
    assert says in error["message"]


def test_a_prefix_beyond_the_context_is_refused(live):
    assert refusal(live, answer_prefix="x " * 100_000)["code"] == "context_length_exceeded"


def test_a_prefix_turns_reasoning_off(thinker):
    message = chat(thinker, answer_prefix="It is", max_tokens=8)["choices"][0]["message"]
    assert message["content"].startswith("It is")
    assert "reasoning" not in message


def test_the_last_message_is_continued(live):
    messages = [*HELLO, {"role": "assistant", "content": BEGUN}]
    fields = {"messages": messages, "continue_final_message": True, "add_generation_prompt": False}
    rest = text_of(chat(live, response_format=FORMAT, **fields))
    whole = text_of(chat(live, response_format=FORMAT, answer_prefix=BEGUN))
    assert BEGUN + rest == whole
    assert streamed(live, response_format=FORMAT, **fields) == rest


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "needs add_generation_prompt: false"),
        ({"add_generation_prompt": False}, "must be the assistant's"),
        ({"add_generation_prompt": False, "answer_prefix": "a"}, "not both"),
    ],
)
def test_what_cannot_be_continued_is_refused(live, fields, says):
    assert says in refusal(live, continue_final_message=True, **fields)["message"]


def test_a_prefill_of_anthropic_is_continued(live):
    messages = [*HELLO, {"role": "assistant", "content": BEGUN}]
    body = {"model": "test-model", "max_tokens": 60, "messages": messages, "temperature": 0}
    body["output_config"] = {"format": {"type": "json_schema", "schema": SCHEMA}}
    reply = live.post("/v1/messages", json=body)
    assert reply.status_code == 200, reply.text
    (block,) = reply.json()["content"]
    assert json.loads(BEGUN + block["text"])["city"] == "Oslo"
    asked = {name: body[name] for name in ("model", "messages", "output_config")}
    counted = live.post("/v1/messages/count_tokens", json=asked).json()
    usage = reply.json()["usage"]
    assert counted["input_tokens"] == usage["input_tokens"] + usage["cache_read_input_tokens"]
    lines = live.post("/v1/messages", json=body | {"stream": True}).text.splitlines()
    events = [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
    assert "".join(event["delta"].get("text", "") for event in events if "delta" in event) == block["text"]


def test_a_prefill_excludes_reasoning(thinker):
    messages = [*HELLO, {"role": "assistant", "content": "It is"}]
    body = {"messages": messages, "max_tokens": 2000, "thinking": {"type": "enabled", "budget_tokens": 1024}}
    error = refusal(thinker, "/v1/messages", **body)
    assert "cannot begin with reasoning" in error["message"]
