"""Deferred tools of Anthropic's API, which the client's own search finds: the model is shown those that were found."""

import pytest

SCHEMA = {"type": "object", "properties": {"x": {"enum": ["a", "b"]}}, "required": ["x"], "additionalProperties": False}
SEARCH = {"name": "search", "description": "Find tools", "input_schema": SCHEMA}
DEFERRED = [
    {"name": name, "description": f"Do {name}", "input_schema": SCHEMA, "defer_loading": True}
    for name in ("first", "second")
]
HELLO = {"role": "user", "content": "hi"}
IGNORED = "x-portcullis-ignored"


def found(*names):
    """A conversation in which a search has found these tools."""
    use = {"type": "tool_use", "id": "toolu_1", "name": "search", "input": {"x": "a"}}
    blocks = [{"type": "tool_reference", "tool_name": name} for name in names]
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": blocks}
    return [HELLO, {"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]


def ask(live, messages, tools, choice):
    body = {"model": "test-model", "max_tokens": 100, "messages": messages, "tools": tools, "tool_choice": choice}
    return live.post("/v1/messages", json=body)


def called(live, messages, tools):
    """The tool that is called, of those that the model was shown."""
    reply = ask(live, messages, tools, {"type": "any", "disable_parallel_tool_use": True})
    assert reply.status_code == 200, reply.text
    (block,) = reply.json()["content"]
    return block["name"], reply


def num_tokens(live, messages, tools):
    body = {"model": "test-model", "messages": messages, "tools": tools}
    return live.post("/v1/messages/count_tokens", json=body).json()["input_tokens"]


def test_deferred_tools_are_neither_shown_nor_called_until_they_are_found(tiny_live):
    tools = [SEARCH, *DEFERRED]
    assert num_tokens(tiny_live, [HELLO], tools) == num_tokens(tiny_live, [HELLO], [SEARCH])
    name, reply = called(tiny_live, [HELLO], tools)
    assert name == "search"
    assert IGNORED not in reply.headers
    refused = ask(tiny_live, [HELLO], tools, {"type": "tool", "name": "first"})
    assert (refused.status_code, refused.json()["error"]["type"]) == (400, "invalid_request_error")


@pytest.mark.parametrize("name", ["first", "second"])
def test_what_was_found_can_be_called(tiny_live, name):
    reply = ask(tiny_live, found(name), [SEARCH, *DEFERRED], {"type": "tool", "name": name})
    assert reply.status_code == 200, reply.text
    assert reply.json()["content"][-1]["name"] == name
    both = num_tokens(tiny_live, found("first", "second"), [SEARCH, *DEFERRED])
    assert both > num_tokens(tiny_live, found("first", "first"), [SEARCH, *DEFERRED])


@pytest.mark.parametrize("more", [[], [{"type": "tool_search_tool_regex_20251119", "name": "tool_search"}]])
def test_without_a_search_of_the_client_all_are_shown(tiny_live, more):
    name, reply = called(tiny_live, [HELLO], [*more, *DEFERRED])
    assert name in ("first", "second")
    assert f"tools[{len(more)}].defer_loading" in reply.headers[IGNORED]


def test_a_reference_without_a_name_is_refused(tiny_live):
    messages = found("first")
    messages[2]["content"][0]["content"] = [{"type": "tool_reference"}]
    reply = ask(tiny_live, messages, [SEARCH, *DEFERRED], {"type": "auto"})
    assert reply.status_code == 400
    assert "messages[2].content[0].content[0].tool_name" in reply.json()["error"]["message"]
