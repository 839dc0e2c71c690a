"""Nothing that a policy holds back leaves by any way: dialects, streamed or not, actions, parts of an answer."""

import json
import logging
import re
from collections import defaultdict

import pytest
from scripted import policies, scripted
from test_screening_channels import EMAIL, VERDICT, policy_of

MESSAGES = [{"role": "user", "content": "Say something."}]
NOTE = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
OPEN = {"type": "object", "additionalProperties": {"type": "string"}}
SHAPES = {
    "content": f"write to {EMAIL} now",
    "schema": json.dumps({"text": f"to {EMAIL}"}),
    "names": json.dumps({EMAIL: "a", "b": "c"}),
    "call": f'<tool_call>\n{{"name": "note", "arguments": {{"text": "to {EMAIL}"}}}}\n</tool_call>',
}
"""What the model writes, by where a secret stands in it."""


def schema_of(shape):
    return {"schema": NOTE, "names": OPEN}.get(shape)


def function(shape):
    return {"name": "note", "parameters": NOTE} if shape == "call" else None


def chat(shape, is_streamed):
    body = {"messages": MESSAGES, "logprobs": True, "top_logprobs": 2, "include_fields": True, "confidence": True}
    if schema := schema_of(shape):
        body["structured_outputs"] = {"json": schema}
    elif tool := function(shape):
        body |= {"tools": [{"type": "function", "function": tool}], "tool_choice": "required"}
        del body["confidence"]
    else:
        del body["confidence"], body["include_fields"]
    return "/v1/chat/completions", {**body, "stream": is_streamed}


def completion(shape, is_streamed):
    body = {"prompt": "Say", "logprobs": 2, "echo": False, "stream": is_streamed}
    if schema := schema_of(shape):
        body["structured_outputs"] = {"json": schema}
    return None if shape == "call" else ("/v1/completions", body)


def responses(shape, is_streamed):
    body = {"input": "Say something.", "store": True, "include": ["message.output_text.logprobs"], "top_logprobs": 2}
    if schema := schema_of(shape):
        body["text"] = {"format": {"type": "json_schema", "name": "s", "schema": schema}}
    elif tool := function(shape):
        body |= {"tools": [{"type": "function", **tool}], "tool_choice": "required"}
    return "/v1/responses", {**body, "stream": is_streamed}


def messages(shape, is_streamed):
    body = {"messages": MESSAGES, "max_tokens": 100, "stream": is_streamed}
    if schema := schema_of(shape):
        body["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
    elif tool := function(shape):
        body |= {"tools": [{"name": "note", "input_schema": tool["parameters"]}], "tool_choice": {"type": "any"}}
    return "/v1/messages", body


def ollama(shape, is_streamed):
    body = {"messages": MESSAGES, "stream": is_streamed, "logprobs": True, "top_logprobs": 2}
    if schema := schema_of(shape):
        body["format"] = schema
    elif tool := function(shape):
        body["tools"] = [{"type": "function", "function": tool}]
    return "/api/chat", body


def tgi(shape, is_streamed):
    parameters = {"details": True, "top_n_tokens": 2, "max_new_tokens": 100}
    if schema := schema_of(shape):
        parameters["grammar"] = {"type": "json", "value": schema}
    path = "/generate_stream" if is_streamed else "/generate"
    return None if shape == "call" else (path, {"inputs": "Say", "parameters": parameters})


def texts_in(value, path=""):
    """All texts of a reply with their places, those included that are spelled as the numbers of their bytes."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for name, member in value.items():
            yield path, name
            yield from texts_in(member, f"{path}/{name}")
    elif isinstance(value, list):
        if value and all(isinstance(each, int) and 0 <= each < 256 for each in value):
            yield path, bytes(value).decode("utf-8", "replace")
        for item in value:
            yield from texts_in(item, path)


def said_in(reply):
    """Everything that a reply tells; what one place of it tells piece by piece is one text."""
    lines = (line.removeprefix("data:").strip() for line in reply.text.splitlines())
    found = defaultdict(list)
    for line in lines:
        if line.startswith("{"):
            for path, text in texts_in(json.loads(line)):
                found[path].append(text)
    return "\n".join("".join(pieces) for pieces in found.values())


ASKED = [chat, completion, responses, messages, ollama, tgi]


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("action", ["redact", "block", "retry"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ask", ASKED, ids=lambda ask: ask.__name__)
def test_what_is_held_back_leaves_by_no_way(tiny_live, tmp_path, caplog, ask, shape, action, is_streamed):
    asked = ask(shape, is_streamed)
    if asked is None:
        pytest.skip("there are no calls")
    path, body = asked
    with (
        caplog.at_level(logging.DEBUG, logger="gateway"),
        policies(tiny_live, tmp_path, policy_of(action)),
        scripted(tiny_live, SHAPES[shape]),
    ):
        reply = tiny_live.post(path, json={"model": "test-model", **body}, headers=VERDICT)
        said = said_in(reply)
        kept = re.search(r"resp_[0-9a-zA-Z]+", reply.text)
        if ask is responses and kept:
            said += said_in(tiny_live.get(f"/v1/responses/{kept[0]}"))
            said += said_in(tiny_live.get(f"/v1/responses/{kept[0]}/input_items"))
    assert reply.status_code in (200, 500), reply.text
    for text in (said, caplog.text, str(dict(reply.headers))):
        assert EMAIL not in text
        assert "ann@example" not in text
        assert "@example.org" not in text


@pytest.mark.parametrize("action", ["pass", "annotate"])
@pytest.mark.parametrize("ask", ASKED, ids=lambda ask: ask.__name__)
def test_what_is_let_through_is_found_by_the_same_look(tiny_live, tmp_path, ask, action):
    path, body = ask("content", True)
    with policies(tiny_live, tmp_path, policy_of(action)), scripted(tiny_live, SHAPES["content"]):
        assert "@example.org" in said_in(tiny_live.post(path, json={"model": "test-model", **body}))
