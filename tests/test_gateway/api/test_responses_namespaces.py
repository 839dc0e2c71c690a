"""Tools in namespaces, as Codex and the clients of MCP declare them to Responses."""

import json

import pytest
from sdk_types import sse, strictly

from gateway.api.openai.responses.tool_search import shown_tools
from gateway.api.openai.responses.tools import joined, response_tools_of

PLACE = {
    "type": "object",
    "properties": {"city": {"enum": ["Paris", "Rome"]}},
    "required": ["city"],
    "additionalProperties": False,
}


def function(name, **fields):
    return {"type": "function", "name": name, "parameters": PLACE, **fields}


SPACE = {
    "type": "namespace",
    "name": "weather",
    "description": "Of today.",
    "tools": [function("get", description="Gets it.", strict=True), {"type": "custom", "name": "note"}],
}
TOOLS = [function("get"), SPACE, {"type": "namespace", "name": "mcp__w__", "tools": [function("get")]}]
ASKED = {"role": "user", "content": "What is the weather in Paris?"}


@pytest.mark.parametrize(
    ("namespace", "name", "whole"),
    [
        (None, "f", "f"),
        ("", "f", "f"),
        ("a", "f", "a__f"),
        ("mcp__a__", "f", "mcp__a__f"),
        ("mcp__a", "_f", "mcp__a_f"),
    ],
)
def test_a_namespace_and_a_name_are_one_name(namespace, name, whole):
    assert joined(namespace, name) == whole


def test_tools_in_namespaces_are_declared_under_their_whole_names():
    tools, _ = response_tools_of(shown_tools(TOOLS, ()), None, None)
    assert tools.names == ("get", "weather__get", "weather__note", "mcp__w__get")
    assert [tool.place for tool in tools] == ["tools[0]", "tools[1].tools[0]", "tools[1].tools[1]", "tools[2].tools[0]"]
    assert tools.get("weather__get").description == "weather: Of today.\n\nGets it."
    assert tools.get("weather__get").strict
    assert tools.get("weather__note").description is None


def asked(live, streams, **fields):
    body = {"model": "test-model", "seed": 1, "temperature": 0, "max_output_tokens": 60, "tools": TOOLS, **fields}
    reply = live.post("/v1/responses", json={"input": [ASKED], **body, "stream": streams})
    assert reply.status_code == 200, reply.text
    if not streams:
        strictly("response", reply.content)
        return reply.json()
    events = [data for _, data in sse(reply.text)]
    for event in events:
        strictly("event", event)
    return json.loads(events[-1])["response"]


@pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    ("whole", "kind", "namespace", "name"),
    [
        ("weather__get", "function", "weather", "get"),
        ("weather__note", "custom", "weather", "note"),
        ("mcp__w__get", "function", "mcp__w__", "get"),
        ("get", "function", None, "get"),
    ],
)
def test_a_call_comes_back_with_its_namespace(live, whole, kind, namespace, name, streams):
    response = asked(live, streams, tool_choice={"type": kind, "name": whole})
    (call,) = response["output"]
    assert (call["name"], call.get("namespace")) == (name, namespace)
    assert response["tools"][1]["tools"][0]["name"] == "get"
    again = asked(
        live,
        streams,
        input=[{"type": call["type"] + "_output", "call_id": call["call_id"], "output": "21 degrees"}],
        previous_response_id=response["id"],
        tool_choice="none",
    )
    assert again["status"] in ("completed", "incomplete")


def test_the_model_reads_calls_of_a_history_under_their_whole_names(live):
    call = {"type": "function_call", "call_id": "c1", "name": "get", "arguments": json.dumps({"city": "Rome"})}
    output = {"type": "function_call_output", "call_id": "c1", "output": "21 degrees"}

    def count(**fields):
        body = {"model": "test-model", "tools": TOOLS, "input": [ASKED, {**call, **fields}, output]}
        return live.post("/v1/responses/input_tokens", json=body).json()["input_tokens"]

    assert count(namespace="weather") == count(name="weather__get") > count()
