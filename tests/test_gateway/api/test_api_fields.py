"""Values are told while an answer is streamed, each when it is complete; ordinary clients read on."""

import json

import pytest
from pydantic import BaseModel
from scripted import policies, scripted
from test_api_constrained import WEATHER

from gateway.core.answer import ArgumentsDelta, CallDelta, CompleteField, TextDelta
from gateway.service.answers.fields import FieldTeller

HELLO = [{"role": "user", "content": "Make an order."}]
ASKED = {"stream_options": {"include_fields": True}}


class Line(BaseModel):
    name: str
    count: int


class Order(BaseModel):
    lines: list[Line]
    note: str


ORDER = {"lines": [{"name": 'a"é😀', "count": 12}, {"name": "b", "count": 10**30}], "note": ""}
TEXT = json.dumps(ORDER)
TOLD = [
    ("/lines/0/name", 'a"é😀'), ("/lines/0/count", 12), ("/lines/0", ORDER["lines"][0]),
    ("/lines/1/name", "b"), ("/lines/1/count", 10**30), ("/lines/1", ORDER["lines"][1]),
    ("/lines", ORDER["lines"]), ("/note", ""),
]  # fmt: skip
SCHEMA = {
    "type": "object",
    "properties": {"lines": {"type": "array"}, "note": {"type": "string"}},
    "required": ["lines", "note"],
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "order", "schema": SCHEMA}}


def stream(live, **fields):
    body = {"model": "test-model", "messages": HELLO, "stream": True, "max_tokens": 300, "seed": 3, **ASKED, **fields}
    lines = live.post("/v1/chat/completions", json=body).text.splitlines()
    return [choice for line in lines if line.startswith("data: {") for choice in json.loads(line[6:])["choices"]]


def told(choices):
    return [(each["path"], each["value"]) for choice in choices for each in choice.get("fields", ())]


def test_each_value_comes_with_the_text_that_completes_it(live):
    with scripted(live, TEXT):
        choices = stream(live, response_format=FORMAT)
    assert told(choices) == TOLD
    written = ""
    for choice in choices:
        before, written = written, written + (choice["delta"].get("content") or "")
        for each in choice.get("fields", ()):
            text = json.dumps(each["value"])
            assert text in written
            assert text not in before or text.isdecimal(), "a number ends with what follows it"
    assert json.loads(written) == ORDER
    paths = [[each["path"] for each in choice["fields"]] for choice in choices if "fields" in choice]
    assert len(paths) > 3, "they come as they are written"


def test_nothing_is_told_unasked_or_of_free_text(live):
    with scripted(live, TEXT):
        assert not told(stream(live, response_format=FORMAT, stream_options={}))
        assert not told(stream(live))


@pytest.mark.parametrize("n", [1, 3])
def test_arguments_of_calls(tiny_live, n):
    choices = stream(tiny_live, tools=[WEATHER], tool_choice="required", n=n, temperature=1)
    for index in range(n):
        arguments: dict[int, str] = {}
        values: dict[int, dict] = {}
        for choice in choices:
            if choice["index"] == index:
                for call in choice["delta"].get("tool_calls") or ():
                    arguments[call["index"]] = arguments.get(call["index"], "") + call["function"]["arguments"]
                for each in choice.get("fields", ()):
                    values.setdefault(each["tool_call"], {})[each["path"]] = each["value"]
        assert arguments
        for number, text in arguments.items():
            assert values[number] == {f"/{name}": value for name, value in json.loads(text).items()}


def test_the_client_of_openai_survives_it_and_finds_them(live):
    asked = {"model": "test-model", "messages": HELLO, "max_tokens": 300, "stream_options": {"include_fields": True}}
    with scripted(live, TEXT):
        found, text = [], ""
        for chunk in live.client.chat.completions.create(**asked, response_format=FORMAT, stream=True):
            for choice in chunk.choices:
                text += choice.delta.content or ""
                found += [(each["path"], each["value"]) for each in getattr(choice, "fields", None) or ()]
    assert (found, json.loads(text)) == (TOLD, ORDER)
    with scripted(live, TEXT), live.client.chat.completions.stream(**asked, response_format=Order) as events:
        parsed = events.get_final_completion().choices[0].message.parsed
    assert parsed == Order(**ORDER)


def test_responses_and_completions_tell_them_too(live):
    form = {"format": {"type": "json_schema", "name": "order", "schema": SCHEMA}}
    with scripted(live, TEXT):
        found = []
        for event in live.client.responses.create(
            model="test-model", input="Make an order.", text=form, stream=True, stream_options={"include_fields": True}
        ):
            if event.type == "response.output_text.delta":
                found += [(each["path"], each["value"]) for each in getattr(event, "fields", None) or ()]
        assert event.response.output_text.startswith('{"lines"')
    assert found == TOLD
    with scripted(live, TEXT):
        body = {"guided_json": SCHEMA}
        chunks = live.client.completions.create(
            model="test-model", prompt="a", stream=True, max_tokens=300, extra_body=body, **ASKED
        )
        found = [
            (each["path"], each["value"])
            for chunk in chunks
            for choice in chunk.choices
            for each in getattr(choice, "fields", None) or ()
        ]
    assert found == TOLD


def test_what_a_policy_holds_back_is_not_told(live, tmp_path):
    policy = 'default = "p"\n[policies.p]\noutput = [{guard = "terms", terms = ["hush"], action = "block"}]\n'
    text = '{"lines": ["x"], "note": "hush"}'
    with policies(live, tmp_path, policy), scripted(live, text):
        choices = stream(live, response_format=FORMAT)
    assert told(choices) == [("/lines/0", "x"), ("/lines", ["x"])]
    assert choices[-1]["finish_reason"] == "content_filter"


def test_custom_tools_have_no_fields():
    teller = FieldTeller(is_json=False)
    deltas = [
        CallDelta(0, 0, "1", "run", "custom"), ArgumentsDelta(0, 0, '{"a": 1}'),
        CallDelta(0, 1, "2", "go"), ArgumentsDelta(0, 1, '{"a": 1, "b'), ArgumentsDelta(0, 1, '": 2}'),
        TextDelta(0, '{"a": 1}'),
    ]  # fmt: skip
    fields = [getattr(delta, "fields", ()) for delta in teller.feed(deltas)]
    assert fields == [(), (), (), (CompleteField("/a", "1"),), (CompleteField("/b", "2"),), ()]
