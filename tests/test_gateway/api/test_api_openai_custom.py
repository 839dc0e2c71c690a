"""Custom tools on the wire: declared nested in chats, flat in Responses, called with text."""

import json
import re

import pytest
from sdk_types import sse, strictly

ASKED = [{"role": "user", "content": "Set the clock."}]
PATTERN = "[0-9]{2}:[0-9]{2}"
LARK = 'start: "tick" | "tock"\n'


def nested(syntax, definition, name="clock"):
    format = {"type": "grammar", "grammar": {"syntax": syntax, "definition": definition}}
    return {"type": "custom", "custom": {"name": name, "description": "Sets it.", "format": format}}


def flat(syntax, definition, name="clock"):
    return {"type": "custom", "name": name, "format": {"type": "grammar", "syntax": syntax, "definition": definition}}


TEXT = {"type": "custom", "custom": {"name": "clock", "format": {"type": "text"}}}
FUNCTION = {"type": "function", "function": {"name": "stop", "parameters": {"type": "object", "properties": {}}}}
CHOICES = {
    "required": "required",
    "named": {"type": "custom", "custom": {"name": "clock"}},
    "allowed": {
        "type": "allowed_tools",
        "allowed_tools": {"mode": "required", "tools": [{"type": "custom", "custom": {"name": "clock"}}]},
    },
}


def chat(live, **fields):
    body = {"messages": ASKED, "temperature": 1.2, "max_tokens": 200, "parallel_tool_calls": False, **fields}
    response = live.post("/v1/chat/completions", json=body)
    assert response.status_code == 200, response.text
    return response.text


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize(
    ("tool", "check"),
    [(nested("regex", PATTERN), re.compile(PATTERN).fullmatch), (nested("lark", LARK), {"tick", "tock"}.__contains__)],
    ids=["regex", "lark"],
)
def test_a_custom_tool_is_called_with_text_of_its_grammar(tiny_live, tool, check, choice):
    for seed in range(3):
        fields = {"tools": [tool, FUNCTION] if choice != "required" else [tool], "tool_choice": CHOICES[choice]}
        read = strictly("chat", chat(tiny_live, seed=seed, **fields))
        (call,) = read.choices[0].message.tool_calls
        assert (call.type, call.custom.name) == ("custom", "clock")
        assert check(call.custom.input)
        assert read.choices[0].finish_reason == ("stop" if choice == "named" else "tool_calls")
        *chunks, _ = sse(chat(tiny_live, seed=seed, stream=True, **fields))
        deltas = [
            delta
            for _, data in chunks
            for choice_ in json.loads(data)["choices"]
            for delta in choice_["delta"].get("tool_calls", ())
        ]
        assert deltas[0] == {"index": 0, "id": call.id, "type": "custom", "custom": {"name": "clock", "input": ""}}
        assert all(set(delta) == {"index", "custom"} and set(delta["custom"]) == {"input"} for delta in deltas[1:])
        assert "".join(delta["custom"]["input"] for delta in deltas) == call.custom.input


def test_a_custom_tool_takes_any_text(tiny_live):
    read = strictly("chat", chat(tiny_live, tools=[TEXT], tool_choice="required", seed=2, max_tokens=60))
    assert isinstance(read.choices[0].message.tool_calls[0].custom.input, str)


def test_responses_call_custom_tools_with_their_own_items_and_events(tiny_live):
    body = {
        "input": ASKED,
        "tools": [flat("regex", PATTERN)],
        "tool_choice": {"type": "custom", "name": "clock"},
        "parallel_tool_calls": False,
        "seed": 1,
        "max_output_tokens": 200,
    }
    response = tiny_live.post("/v1/responses", json=body)
    assert response.status_code == 200, response.text
    whole = strictly("response", response.text)
    (item,) = whole.output
    assert item.type == "custom_tool_call"
    assert re.fullmatch(PATTERN, item.input)
    assert whole.tools[0].format.definition == PATTERN
    text = tiny_live.post("/v1/responses", json=body | {"stream": True}).text
    found = [strictly("event", data) for _, data in sse(text)]
    kinds = [event.type.removeprefix("response.") for event in found]
    num_deltas = kinds.count("custom_tool_call_input.delta")
    assert kinds == [
        "created",
        "in_progress",
        "output_item.added",
        *["custom_tool_call_input.delta"] * num_deltas,
        "custom_tool_call_input.done",
        "output_item.done",
        "completed",
    ]
    assert "".join(event.delta for event in found if event.type.endswith("input.delta")) == item.input
    output = {"type": "custom_tool_call_output", "call_id": item.call_id, "output": "done"}
    body = {"input": [output], "previous_response_id": whole.id, "max_output_tokens": 5}
    assert tiny_live.post("/v1/responses", json=body).status_code == 200


def test_earlier_custom_calls_are_read_as_they_are_written(tiny_live):
    def count(*messages):
        return tiny_live.client.chat.completions.create(
            model="test-model", messages=[*ASKED, *messages], max_tokens=1
        ).usage.prompt_tokens

    calls = [
        {"id": "c", "type": "custom", "custom": {"name": "clock", "input": "12:30"}},
        {"id": "c", "type": "function", "function": {"name": "clock", "arguments": '{"input": "12:30"}'}},
    ]
    result = {"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "ok"}]}
    counts = [count({"role": "assistant", "content": None, "tool_calls": [call]}, result) for call in calls]
    assert counts[0] == counts[1] > count({"role": "user", "content": "ok"})


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"tools": [{"type": "custom", "custom": {}}]}, "tools[0].custom.name"),
        ({"tools": [nested("gbnf", "x")]}, "tools[0].custom.format.grammar.syntax"),
        ({"tools": [nested("lark", "start: (")], "tool_choice": "required"}, "tools[0].custom.format"),
        ({"tools": [TEXT], "tool_choice": {"type": "custom", "custom": {"name": "x"}}}, "tool_choice.custom.name"),
    ],
    ids=["name", "syntax", "grammar", "choice"],
)
def test_what_is_wrong_with_a_custom_tool_is_said(live, fields, param):
    response = live.post("/v1/chat/completions", json={"messages": ASKED, **fields})
    assert response.status_code == 400, response.text
    assert response.json()["error"]["param"] == param
