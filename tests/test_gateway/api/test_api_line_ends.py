"""A streamed line is one line to readers that split where `str.splitlines` does, as httpx and clients upon it do."""

import json

import pytest
from huggingface_hub import InferenceClient
from msgspec import Raw

from gateway.api.http.sse import encode_line
from gateway.api.ollama.envelope import error_line
from gateway.api.ollama.reply import Reply
from gateway.core.answer import ArgumentsDelta, CallDelta, Finish, Usage
from gateway.errors import EngineError

ENDS = "a\x85b\u2028c\u2029d\x1ce"
SCHEMA = {
    "type": "object",
    "properties": {"text": {"const": ENDS}},
    "required": ["text"],
    "additionalProperties": False,
}
HELLO = [{"role": "user", "content": "hi"}]
FORMAT = {"type": "json_schema", "json_schema": {"name": "n", "schema": SCHEMA}}
FUNCTION = {"name": "f", "parameters": SCHEMA}
CALL = {"tools": [{"type": "function", "function": FUNCTION}], "tool_choice": "required"}
FEW = {"model": "test-model", "max_tokens": 120, "stream": True}

BODIES = {
    "chat": ("/v1/chat/completions", {**FEW, "messages": HELLO, "response_format": FORMAT}),
    "chat call": ("/v1/chat/completions", {**FEW, "messages": HELLO, **CALL}),
    "completion": ("/v1/completions", {**FEW, "prompt": "hi", "response_format": FORMAT}),
    "echo": ("/v1/completions", {**FEW, "prompt": ENDS, "echo": True, "response_format": FORMAT}),
    "response": (
        "/v1/responses",
        {
            "model": "test-model",
            "input": "hi",
            "max_output_tokens": 120,
            "stream": True,
            "text": {"format": {"type": "json_schema", "name": "n", "schema": SCHEMA}},
        },
    ),
    "message": (
        "/v1/messages",
        {**FEW, "messages": HELLO, "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}},
    ),
    "message call": (
        "/v1/messages",
        {**FEW, "messages": HELLO, "tools": [{"name": "f", "input_schema": SCHEMA}], "tool_choice": {"type": "any"}},
    ),
    "Ollama's chat": ("/api/chat", {"model": "test-model", "messages": HELLO, "format": SCHEMA}),
    "Ollama's prompt": ("/api/generate", {"model": "test-model", "prompt": "hi", "format": SCHEMA}),
    "TGI": (
        "/generate_stream",
        {"inputs": "hi", "parameters": {"max_new_tokens": 120, "grammar": {"type": "json", "value": SCHEMA}}},
    ),
}


def strings_of(value):
    if isinstance(value, dict | list):
        return "".join(map(strings_of, value.values() if isinstance(value, dict) else value))
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize("name", BODIES)
def test_every_line_is_json_and_nothing_is_lost(tiny_live, name):
    path, body = BODIES[name]
    with tiny_live.http.stream("POST", path, json=body) as reply:
        lines = [line for line in reply.iter_lines() if line and not line.startswith(("event: ", ": "))]
    assert reply.status_code == 200, lines
    found = [json.loads(line.removeprefix("data:")) for line in lines if line != "data: [DONE]"]
    told = "".join(map(strings_of, found))
    assert all(end in told for end in "\x85\u2028\u2029"), told


def test_a_value_that_is_told_as_it_was_written_is_one_line():
    written = '{"a": [1,\r\n\t2],\n"b": "\\n"}'
    (line,) = encode_line([Raw(written.encode())]).decode().splitlines()
    assert json.loads(line) == [json.loads(written)]


def test_an_error_within_a_stream_is_one_line():
    (line,) = error_line(EngineError(ENDS)).decode().splitlines()
    assert json.loads(line)["error"] == ENDS


@pytest.mark.anyio
async def test_a_call_in_lines_of_json_is_one_line():
    arguments = json.dumps({"text": ENDS}, ensure_ascii=False)

    async def deltas():
        yield [CallDelta(0, 0, "call_1", "f"), ArgumentsDelta(0, 0, arguments), Finish(0, "tool_calls"), Usage(3, 4)]

    written = b"".join([line async for line in Reply(model="m", kind="chat").lines(deltas())])
    call, end = map(json.loads, written.decode().splitlines())
    assert call["message"]["tool_calls"][0]["function"]["arguments"] == {"text": ENDS}
    assert end["done"] is True


def test_the_hub_client_reads_them(tiny_live):
    client = InferenceClient(base_url=tiny_live.url)
    asked = {"grammar": {"type": "json", "value": SCHEMA}, "max_new_tokens": 120}
    tokens = [event.token for event in client.text_generation("hi", **asked, details=True, stream=True)]
    text = "".join(token.text for token in tokens if not token.special)
    assert json.loads(text) == {"text": ENDS}
    chunks = client.chat_completion(HELLO, response_format=FORMAT, max_tokens=120, stream=True)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert json.loads(text) == {"text": ENDS}
