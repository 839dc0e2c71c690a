"""Answers whose end the budget steered: whole and valid, and told as cut in each dialect's words."""

import json
from dataclasses import replace

import pytest

from gateway.service.answers.generation import Generation

HELLO = [{"role": "user", "content": "Say hello."}]
NOTE = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
TOOL = {"name": "write_file", "parameters": NOTE}


@pytest.fixture(params=["whole", "streamed"])
def streams(request):
    return request.param == "streamed"


@pytest.fixture
def writes(tiny_live, monkeypatch):
    """Has the model write these letters wherever it may, the first sooner, in whatever words it is asked."""

    def favour(letters):
        tokens = [tiny_live.service.encode(letter, add_special_tokens=False)[0] for letter in letters]
        biases = {token: 90.0 - 10 * place for place, token in enumerate(tokens)}
        plain = Generation._request

        def biased(self, one):
            request = plain(self, one)
            return replace(request, sampling=replace(request.sampling, logit_bias=biases))

        monkeypatch.setattr(Generation, "_request", biased)

    return favour


def events_of(reply):
    """The JSON objects of a stream of events or lines."""
    lines = (line.removeprefix("data: ") for line in reply.text.splitlines())
    return [json.loads(line) for line in lines if line.startswith("{")]


def post(live, path, streams, **body):
    reply = live.post(path, json={"model": "test-model", "stream": streams, **body})
    assert reply.status_code == 200, reply.text
    return events_of(reply) if streams else [reply.json()]


def chat(live, streams, *, tools, budget=60):
    shape = (
        {"tools": [{"type": "function", "function": TOOL}], "tool_choice": "required", "parallel_tool_calls": False}
        if tools
        else {"response_format": {"type": "json_schema", "json_schema": {"name": "note", "schema": NOTE}}}
    )
    body = {"messages": HELLO, "max_tokens": budget, **shape}
    choices = [choice for told in post(live, "/v1/chat/completions", streams, **body) for choice in told["choices"]]
    texts = []
    for choice in choices:
        message = choice["delta" if streams else "message"]
        texts += [call["function"]["arguments"] for call in message.get("tool_calls") or ()]
        texts.append(message.get("content") or "")
    return "".join(texts), choices[-1]["finish_reason"], choices[-1].get("budget_steered")


def responses(live, streams, *, tools, budget=60):
    shape = (
        {"tools": [{"type": "function", **TOOL}], "tool_choice": "required", "parallel_tool_calls": False}
        if tools
        else {"text": {"format": {"type": "json_schema", "name": "note", "schema": NOTE}}}
    )
    body = {"input": HELLO, "max_output_tokens": budget, **shape}
    told = post(live, "/v1/responses", streams, **body)[-1]
    answer = told["response"] if streams else told
    (item,) = answer["output"]
    assert item["status"] == "completed"
    text = item["arguments"] if tools else item["content"][0]["text"]
    details = answer["incomplete_details"] or {}
    assert (answer["status"] == "incomplete") == bool(details)
    return text, details.get("reason"), details.get("budget_steered")


def messages(live, streams, *, tools, budget=60):
    shape = (
        {
            "tools": [{"name": "write_file", "input_schema": NOTE}],
            "tool_choice": {"type": "any", "disable_parallel_tool_use": True},
        }
        if tools
        else {"output_config": {"format": {"type": "json_schema", "schema": NOTE}}}
    )
    body = {"messages": HELLO, "max_tokens": budget, **shape}
    told = post(live, "/v1/messages", streams, **body)
    if not streams:
        (block,) = told[0]["content"]
        text = json.dumps(block["input"]) if tools else block["text"]
        return text, told[0]["stop_reason"], told[0].get("budget_steered")
    deltas = [each["delta"] for each in told if each["type"] == "content_block_delta"]
    stop = next(each["delta"] for each in told if each["type"] == "message_delta")
    text = "".join(delta.get("partial_json", "") + delta.get("text", "") for delta in deltas)
    return text, stop["stop_reason"], stop.get("budget_steered")


def ollama(live, streams, *, tools, budget=60):
    told = post(live, "/api/chat", streams, messages=HELLO, format=NOTE, options={"num_predict": budget})
    text = "".join(each["message"]["content"] for each in told)
    return text, told[-1]["done_reason"], told[-1].get("budget_steered")


def tgi(live, streams, *, tools, budget=60):
    parameters = {"grammar": {"type": "json", "value": NOTE}, "max_new_tokens": budget, "details": True, "seed": 1}
    path = "/generate_stream" if streams else "/generate"
    reply = live.post(path, json={"inputs": "Say hello.", "parameters": parameters})
    assert reply.status_code == 200, reply.text
    told = [json.loads(line.removeprefix("data:")) for line in reply.text.splitlines() if line][-1]
    return told["generated_text"], told["details"]["finish_reason"], told["details"].get("budget_steered")


REASONS = {chat: "length", responses: "max_output_tokens", messages: "max_tokens", ollama: "length", tgi: "length"}
SHAPES = [(ask, tools) for ask in REASONS for tools in (False, True) if not tools or ask not in (ollama, tgi)]


@pytest.mark.parametrize(("ask", "tools"), SHAPES, ids=lambda each: getattr(each, "__name__", f"tools={each}"))
def test_an_end_that_the_budget_steered_is_told(tiny_live, streams, writes, ask, tools):
    writes("ab")
    text, reason, is_steered = ask(tiny_live, streams, tools=tools)
    assert len(json.loads(text)["text"]) > 1
    assert (reason, is_steered) == (REASONS[ask], True)


ENDS = {
    chat: ("stop", "tool_calls"),
    responses: (None, None),
    messages: ("end_turn", "tool_use"),
    ollama: ("stop",),
    tgi: ("eos_token",),
}


@pytest.mark.parametrize(("ask", "tools"), SHAPES, ids=lambda each: getattr(each, "__name__", f"tools={each}"))
def test_an_end_of_the_model_is_told_as_before(tiny_live, streams, writes, ask, tools):
    writes('"}')
    # Where the shape lets it, it writes blanks: more room than these may take.
    text, reason, is_steered = ask(tiny_live, streams, tools=tools, budget=160)
    assert json.loads(text)["text"] == ""
    assert (reason, is_steered) == (ENDS[ask][tools], None)


@pytest.mark.parametrize(
    ("shape", "letters", "budget", "content"),
    [
        ({"choice": ["a", "a" * 30]}, "a", 9, "a"),
        ({"regex": "a+b?"}, "a", 9, "aaaaaaaaa"),
        ({"regex": "(a+|c)b"}, "a", 9, "aaaaaaaab"),
        ({"grammar": 'root ::= "[" root* "]"'}, "[]", 6, "[[[]]]"),
    ],
    ids=["choice", "cut where it might go on", "regex", "grammar"],
)
def test_the_end_of_any_shape_is_told(tiny_live, writes, shape, letters, budget, content):
    writes(letters)
    (told,) = post(
        tiny_live, "/v1/chat/completions", False, messages=HELLO, max_tokens=budget, structured_outputs=shape
    )
    (choice,) = told["choices"]
    assert (choice["message"]["content"], choice["finish_reason"]) == (content, "length")
    assert choice["budget_steered"] is True


@pytest.mark.parametrize(
    ("shape", "letters", "content"),
    [({"regex": "a{9}"}, "a", "a" * 9), ({"regex": "a{3,9}"}, "a", "a" * 9), ({"choice": ["aab", "c"]}, "a", "aab")],
    ids=["as long as the budget", "as long as it may be", "one way"],
)
def test_an_end_that_needs_the_whole_budget_is_not_steered(tiny_live, writes, shape, letters, content):
    writes(letters)
    (told,) = post(
        tiny_live, "/v1/chat/completions", False, messages=HELLO, max_tokens=len(content), structured_outputs=shape
    )
    (choice,) = told["choices"]
    assert (choice["message"]["content"], choice["finish_reason"]) == (content, "stop")
    assert "budget_steered" not in choice


def test_log_probabilities_of_calls_are_told(tiny_live, streams, writes):
    writes('"}')
    shape = {"tools": [{"type": "function", "function": TOOL}], "tool_choice": "required", "parallel_tool_calls": False}
    body = {"messages": HELLO, "max_tokens": 90, "logprobs": True, "top_logprobs": 2, **shape}
    told = post(tiny_live, "/v1/chat/completions", streams, **body, stream_options={"include_usage": True})
    entries = [
        entry
        for each in told
        for choice in each["choices"]
        for entry in (choice.get("logprobs") or {"content": []})["content"]
    ]
    text = b"".join(bytes(entry["bytes"]) for entry in entries).decode()
    assert '"name":"write_file"' in text.replace(" ", "")
    assert '{"text":""}' in text.replace(" ", "")
    assert all(len(entry["top_logprobs"]) == 2 for entry in entries)
