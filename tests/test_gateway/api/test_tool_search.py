"""Deferred tools, which the client's own search finds: the model is shown those that were found."""

import json

import pytest
from sdk_types import sse, strictly

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


CLIENT_SEARCH = {"type": "tool_search", "execution": "client", "description": "Find tools", "parameters": SCHEMA}


def function(name, **fields):
    return {"type": "function", "name": name, "description": f"Do {name}", "parameters": SCHEMA, **fields}


SPACE = {"type": "namespace", "name": "shop", "description": "A shop.", "tools": [function("buy", defer_loading=True)]}
LATER = [CLIENT_SEARCH, function("first", defer_loading=True), SPACE]


def respond(live, *items, **fields):
    body = {"model": "test-model", "input": [HELLO, *items], "tools": LATER, "max_output_tokens": 100, **fields}
    return live.post("/v1/responses", json=body)


def searched(*tools):
    """A search of the model's, and what the client found."""
    call = {"type": "tool_search_call", "call_id": "call_1", "execution": "client", "arguments": {"x": "a"}}
    return call, {"type": "tool_search_output", "call_id": "call_1", "execution": "client", "tools": [*tools]}


@pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])
def test_a_search_of_responses_is_the_clients(tiny_live, streams):
    reply = respond(tiny_live, tool_choice="required", parallel_tool_calls=False, stream=streams)
    assert reply.status_code == 200, reply.text
    if streams:
        events = [data for _, data in sse(reply.text)]
        for event in events:
            strictly("event", event)
        assert [json.loads(each)["type"] for each in events[2:4]] == [
            "response.output_item.added", "response.output_item.done",
        ]  # fmt: skip
        response = json.loads(events[-1])["response"]
    else:
        strictly("response", reply.content)
        response = reply.json()
    (item,) = response["output"]
    assert (item["type"], item["execution"], item["status"]) == ("tool_search_call", "client", "completed")
    assert item["arguments"]["x"] in ("a", "b")
    assert response["tools"][0] == CLIENT_SEARCH


def test_tools_that_a_search_of_responses_found_can_be_called(tiny_live):
    required = {"tool_choice": {"type": "function", "name": "first"}}
    assert respond(tiny_live, **required).status_code == 400
    reply = respond(tiny_live, *searched(function("first", defer_loading=True)), **required)
    assert reply.json()["output"][-1]["name"] == "first"
    reply = respond(tiny_live, *searched(SPACE), tool_choice={"type": "function", "name": "shop__buy"})
    item = reply.json()["output"][-1]
    assert (item["name"], item["namespace"]) == ("buy", "shop")
    # A conversation that the server stores goes on with what its client found.
    first = respond(tiny_live, tool_choice="required", parallel_tool_calls=False).json()
    found = {"type": "tool_search_output", "call_id": first["output"][0]["call_id"], "tools": [function("new")]}
    body = {"previous_response_id": first["id"], "input": [found], "tools": LATER, "max_output_tokens": 100}
    choice = {"type": "function", "name": "new"}
    reply = tiny_live.post("/v1/responses", json={**body, "model": "test-model", "tool_choice": choice})
    assert reply.json()["output"][-1]["name"] == "new"


@pytest.mark.parametrize(
    ("items", "param"),
    [
        ([searched()[1]], "input[1].call_id"),
        ([{**searched()[0], "execution": "server"}], "input[1].execution"),
        (searched({"type": "function"}), "tool_search_output.tools[0].name"),
        (searched({"type": "shell"}), "tool_search_output.tools[0].type"),
    ],
)
def test_searches_that_cannot_be_are_refused_by_place(tiny_live, items, param):
    reply = respond(tiny_live, *items)
    assert (reply.status_code, reply.json()["error"]["param"]) == (400, param)


def test_a_search_that_openai_runs_is_ignored_by_name(tiny_live):
    reply = respond(tiny_live, tools=[{"type": "tool_search"}, function("first", defer_loading=True)])
    assert reply.status_code == 200, reply.text
    assert "tools[0] (tool_search)" in reply.headers[IGNORED]
