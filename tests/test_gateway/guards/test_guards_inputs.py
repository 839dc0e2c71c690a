"""All that a request brings into a prompt is screened: each text of each dialect, unless a policy says otherwise."""

import json

import pytest
from scripted import policies

KEY = "AKIAIOSFODNN7EXAMPLE"
HI = {"role": "user", "content": "hi"}
TOOL = {"name": "f", "description": "about", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}}
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "ok"}


def policy_of(action="block", **fields):
    more = "".join(f"{name} = {json.dumps(value)}\n" for name, value in fields.items())
    return f'default = "p"\n[policies.p]\n{more}input = [{{ guard = "secrets", action = "{action}" }}]\n'


def chat(*messages, **fields):
    return "/v1/chat/completions", {
        "model": "test-model",
        "max_tokens": 8,
        "messages": list(messages or [HI]),
        **fields,
    }


def turn(**fields):
    return {"role": "assistant", "content": None, "tool_calls": [{**CALL, **fields}]}


def function(**fields):
    return turn(function={**CALL["function"], **fields})


def anthropic(*content, **fields):
    messages = [{"role": "user", "content": list(content)}] if content else [HI]
    return "/v1/messages", {"model": "test-model", "max_tokens": 8, "messages": messages, **fields}


def responses(given, **fields):
    return "/v1/responses", {"model": "test-model", "max_output_tokens": 16, "input": given, "store": False, **fields}


def ollama(*messages, **fields):
    return "/api/chat", {"model": "test-model", "stream": False, "messages": list(messages or [HI]), **fields}


def text(value):
    return {"type": "text", "text": value}


def described(schema):
    return {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}


CASES = {
    "chat user": chat({"role": "user", "content": f"key {KEY}"}),
    "chat system": chat({"role": "system", "content": KEY}, HI),
    "chat parts": chat({"role": "user", "content": [text("see"), text(KEY)]}),
    "chat split parts": chat({"role": "user", "content": [text(KEY[:7]), text(KEY[7:])]}),
    "chat name": chat({**HI, "name": KEY}),
    "chat call name": chat(HI, function(name=KEY), RESULT),
    "chat call id": chat(HI, turn(id=KEY), {**RESULT, "tool_call_id": KEY}),
    "chat argument": chat(HI, function(arguments=json.dumps({"a": [KEY]})), RESULT),
    "chat argument name": chat(HI, function(arguments=json.dumps({KEY: 1})), RESULT),
    "chat result": chat(HI, turn(), {**RESULT, "content": KEY}),
    "chat thought": chat(HI, {"role": "assistant", "content": "a", "reasoning_content": KEY}, HI),
    "chat refusal": chat(HI, {"role": "assistant", "refusal": KEY}, HI),
    "chat variables": chat(chat_template_kwargs={"about": {"title": [KEY]}}),
    "chat variable name": chat(chat_template_kwargs={"about": {KEY: 1}}),
    "chat tool": chat(tools=[{"type": "function", "function": {**TOOL, "description": KEY}}]),
    "chat tool name": chat(tools=[{"type": "function", "function": {**TOOL, "name": KEY}}]),
    "chat parameter": chat(
        tools=[{"type": "function", "function": {**TOOL, "parameters": {"properties": {KEY: {"type": "null"}}}}}]
    ),
    "chat schema": chat(response_format=described({"type": "object", "description": KEY})),
    "chat choice": chat(structured_outputs={"choice": [KEY, "no"]}),
    "chat pattern": chat(structured_outputs={"regex": KEY}),
    "completion": ("/v1/completions", {"model": "test-model", "prompt": f"key {KEY}", "max_tokens": 4}),
    "completions": ("/v1/completions", {"model": "test-model", "prompt": ["a", KEY], "max_tokens": 4}),
    "completion schema": (
        "/v1/completions", {"model": "test-model", "prompt": "a", "structured_outputs": {"json": {"const": KEY}}},
    ),
    "responses": responses(KEY),
    "responses instructions": responses("hi", instructions=KEY),
    "responses split parts": responses(
        [{"role": "user", "content": [{"type": "input_text", "text": part} for part in (KEY[:9], KEY[9:])]}]
    ),
    "responses result": responses(
        [HI, {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
         {"type": "function_call_output", "call_id": "c", "output": KEY}]
    ),
    "responses call name": responses(
        [HI, {"type": "function_call", "call_id": "c", "name": KEY, "arguments": "{}"},
         {"type": "function_call_output", "call_id": "c", "output": "ok"}]
    ),
    "responses tool": responses("hi", tools=[{"type": "function", **TOOL, "description": KEY}]),
    "anthropic": anthropic(text(KEY)),
    "anthropic split parts": anthropic(text(KEY[:5]), text(KEY[5:])),
    "anthropic system": anthropic(system=[text("a"), text(KEY)]),
    "anthropic split system": anthropic(system=[text(KEY[:5]), text(KEY[5:])]),
    "anthropic tool": anthropic(tools=[{"name": "f", "description": KEY, "input_schema": {"type": "object"}}]),
    "anthropic schema": anthropic(
        output_config={"format": {"type": "json_schema", "schema": {"type": "object", "title": KEY}}}
    ),
    "tgi": ("/generate", {"inputs": f"key {KEY}", "parameters": {"max_new_tokens": 4}}),
    "ollama": ollama({"role": "user", "content": KEY}),
    "ollama tool": ollama(tools=[{"type": "function", "function": {**TOOL, "description": KEY}}]),
    "ollama thought": ollama(HI, {"role": "assistant", "content": "b", "thinking": KEY}, HI),
    "ollama tool name": ollama(
        HI, {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": KEY, "arguments": {}}}]},
        {"role": "tool", "content": "x", "tool_name": KEY},
    ),
    "ollama schema": ollama(format={"type": "object", "description": KEY}),
    "ollama prompt": ("/api/generate", {"model": "test-model", "prompt": KEY, "stream": False}),
    "decisions": (
        "/v1/decisions",
        {"model": "test-model", "input": KEY, "questions": [{"type": "predicate", "instructions": "is it?"}]},
    ),
    "decisions instructions": (
        "/v1/decisions",
        {"model": "test-model", "input": "x", "questions": [{"type": "predicate", "instructions": KEY}]},
    ),
    "decisions choice": (
        "/v1/decisions",
        {"model": "test-model", "input": "x", "questions": [
            {"type": "choice", "instructions": "which", "choices": [{"value": "a", "description": KEY}, {"value": "b"}]}
        ]},
    ),
}  # fmt: skip
SHAPES = {
    "tools": ["chat tool", "chat tool name", "chat parameter", "responses tool", "anthropic tool", "ollama tool"],
    "schemas": ["chat schema", "chat choice", "chat pattern", "completion schema", "anthropic schema", "ollama schema"],
}


@pytest.fixture(scope="module")
def screening(tiny_live, tmp_path_factory):
    """The server, which blocks keys; those that stand in their tests would come in alone."""
    with policies(tiny_live, tmp_path_factory.mktemp("policies"), policy_of()):
        yield tiny_live


@pytest.mark.parametrize("case", CASES)
def test_whatever_comes_into_a_prompt_is_screened(screening, case):
    path, body = CASES[case]
    reply = screening.post(path, json=body)
    assert reply.status_code == (422 if path == "/generate" else 400), reply.text
    assert "blocks what the request holds (secrets: aws)" in reply.text
    assert KEY not in reply.text


@pytest.mark.parametrize("case", CASES)
def test_the_same_without_the_secret_is_served(screening, case):
    path, body = CASES[case]
    said = json.dumps(body).replace(KEY, "plain")
    for size in (5, 7, 9):
        said = said.replace(KEY[:size], "pl").replace(KEY[size:], "ain")
    reply = screening.post(path, content=said, headers={"content-type": "application/json"})
    assert reply.status_code == 200, reply.text


@pytest.mark.parametrize("scope", SHAPES)
def test_an_operator_leaves_out_what_is_declared(tiny_live, tmp_path, scope):
    with policies(tiny_live, tmp_path, policy_of(input_scope=[each for each in SHAPES if each != scope])):
        for name, cases in SHAPES.items():
            for case in cases:
                path, body = CASES[case]
                reply = tiny_live.post(path, json=body)
                assert ("blocks what the request holds" in reply.text) is (name != scope), (case, reply.text)


def test_what_cannot_be_replaced_is_blocked_where_contents_are_redacted(tiny_live, tmp_path):
    with policies(tiny_live, tmp_path, policy_of("redact")):
        assert tiny_live.post(CASES["chat user"][0], json=CASES["chat user"][1]).status_code == 200
        for case in ("chat name", "chat call name", "chat tool", "chat schema", "chat split parts", "chat variables"):
            path, body = CASES[case]
            assert tiny_live.post(path, json=body).status_code == 400, case


def test_a_prompt_that_no_context_holds_is_refused_before_it_is_read(tiny_live, tmp_path):
    most = tiny_live.service._loaded.max_prompt_characters
    path, body = chat({"role": "user", "content": KEY + "x" * (most or 10_000_000)})
    with policies(tiny_live, tmp_path, policy_of()):
        reply = tiny_live.post(path, json=body)
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "context_length_exceeded")


def test_what_is_nested_too_deeply_to_be_screened_is_refused(tiny_live, tmp_path):
    deep = "[" * 900 + json.dumps(KEY) + "]" * 900
    path, body = chat(HI, function(arguments=f'{{"a": {deep}}}'), RESULT)
    with policies(tiny_live, tmp_path, policy_of()):
        reply = tiny_live.post(path, json=body)
    assert reply.status_code == 400, reply.text
    assert KEY not in reply.text
