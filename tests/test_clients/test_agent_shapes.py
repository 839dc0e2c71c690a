"""Requests in the form of agents that are not run here are answered; they are refused for what they ask of the answer's
shape alone."""

import json
from typing import Any

import httpx
import pytest
from agent_shapes import CHAT, MESSAGES, SHAPES, Shape, called, function
from playing import Call, Stage

SAID = "That is all."


def asked(stage: Stage, shape: Shape, **more: Any) -> httpx.Response:
    url = f"{stage.play.url}{shape.path}"
    return httpx.post(url, json={"model": "portcullis", **shape.body, **more}, timeout=60)


@pytest.mark.parametrize("name", SHAPES)
def test_a_request_in_an_agents_form_is_answered(stage: Stage, name: str) -> None:
    shape = SHAPES[name]
    with stage.playing(SAID, by_tools=shape.tool is not None) as play:
        reply = asked(stage, shape)
        assert reply.status_code == 200, reply.text
        assert play.is_over
        assert shape.seen in play.prompt
        assert reply.headers.get("x-portcullis-ignored", "") == shape.told
    assert reply.headers["content-type"].startswith(
        "application/json" if not shape.body["stream"] else ("text/event-stream", "application/x-ndjson")
    )


@pytest.mark.parametrize("name", [name for name, shape in SHAPES.items() if shape.tool is not None])
def test_its_tools_are_called(stage: Stage, name: str) -> None:
    shape = SHAPES[name]
    assert shape.tool is not None
    tool, arguments = shape.tool
    with stage.playing([Call(tool, arguments)]):
        reply = asked(stage, shape, stream=False)
        assert reply.status_code == 200, reply.text
    body = reply.json()
    if shape.path == MESSAGES:
        calls = [(block["name"], block["input"]) for block in body["content"] if block["type"] == "tool_use"]
    else:
        message = body["message"] if "message" in body else body["choices"][0]["message"]
        calls = [(call["function"]["name"], call["function"]["arguments"]) for call in message["tool_calls"]]
    assert [(each, json.loads(given) if isinstance(given, str) else given) for each, given in calls] == [shape.tool]


USER = {"role": "user", "content": "Go on."}
BASH = function("bash", {"command": {"type": "string"}})


@pytest.mark.parametrize(
    ("path", "fields", "place"),
    [
        (CHAT, {"messages": [USER, {"role": "assistant", "content": "It", "prefix": True}]}, "messages[1].prefix"),
        (CHAT, {"messages": [USER], "modalities": ["text", "audio"], "audio": {"voice": "a"}}, "modalities"),
        (CHAT, {"messages": [USER], "tools": [{"type": "web_search"}], "tool_choice": "required"}, "tool_choice"),
        (
            CHAT,
            {"messages": [USER], "response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "x"}}}},
            "response_format.json_schema.schema",
        ),
        (
            CHAT,
            {"messages": [USER, {"role": "assistant", "tool_calls": [called("bash", '{"command": "ls')]}]},
            "messages[1].tool_calls[0].function.arguments",
        ),
        (
            CHAT,
            {"tools": [BASH], "messages": [USER, {"role": "tool", "tool_call_id": "call_9", "content": "x"}]},
            "messages[1].tool_call_id",
        ),
        (
            MESSAGES,
            {
                "max_tokens": 9,
                "messages": [
                    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_9", "content": "x"}]}
                ],
            },
            "messages[0].content[0].tool_use_id",
        ),
    ],
    ids=[
        *("an answer begun", "an answer as audio", "a call of a tool that is left out"),
        *("no schema", "broken arguments", "the result of no call", "the result of no call for Claude"),
    ],
)
def test_what_cannot_be_answered_as_asked_is_refused_with_its_place(
    stage: Stage, path: str, fields: dict[str, Any], place: str
) -> None:
    reply = asked(stage, Shape(path, fields))
    assert reply.status_code == 400
    assert place in reply.text
