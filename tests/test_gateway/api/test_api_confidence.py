"""How sure the model was of its values, over a real socket."""

import json
import math

import pytest
from scripted import scripted
from test_api_constrained import WEATHER

SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"enum": ["Rome", "Oslo", "Riga"]}, "sunny": {"type": "boolean"}, "degrees": {"type": "integer"},
    },
    "required": ["city", "sunny", "degrees"],
    "additionalProperties": False,
}  # fmt: skip
FORMAT = {"type": "json_schema", "json_schema": {"name": "weather", "schema": SCHEMA}}
HELLO = [{"role": "user", "content": "How is the weather?"}]


def ask(live, **fields):
    body = {"model": "test-model", "messages": HELLO, "max_tokens": 80, "seed": 3, "confidence": True, **fields}
    reply = live.post("/v1/chat/completions", json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()["choices"][0]


@pytest.mark.parametrize("top", [None, 0, 2])
def test_values_of_an_answer(live, top):
    fields = {} if top is None else {"logprobs": True, "top_logprobs": top}
    choice = ask(live, response_format=FORMAT, **fields)
    value = json.loads(choice["message"]["content"])
    told = {each["path"]: each for each in choice["confidence"]}
    assert list(told) == ["/city", "/sunny", "/degrees"]
    for name, each in told.items():
        assert each["logprob"] <= 0
        assert each["mean_logprob"] * each["num_tokens"] == pytest.approx(each["logprob"])
        assert each["num_tokens"] + each["num_forced"] > 0, name
    assert told["/city"]["alternative"]["values"] != [value["city"]]
    assert told["/sunny"]["alternative"]["values"] == [not value["sunny"]]
    assert math.exp(told["/sunny"]["logprob"]) + told["/sunny"]["alternative"]["probability"] <= 1.001
    assert "alternative" not in told["/degrees"]
    if top is None:
        assert choice["logprobs"] is None
        assert "confidence" not in ask(live, response_format=FORMAT, confidence=False)
    else:
        assert {len(entry["top_logprobs"]) for entry in choice["logprobs"]["content"]} == {top}


def test_known_probabilities_of_known_tokens(live):
    text = '{"city": "Rome", "sunny": true, "degrees": 12}'
    with scripted(live, text) as script:
        choice = ask(live, response_format=FORMAT, logprobs=True)
    data, at, touched = text.encode(), 0, {}
    spans = {"/city": (9, 15), "/sunny": (26, 30), "/degrees": (43, 46)}
    for token in script._texts[0][0]:
        piece = live.service.token_bytes(token)
        for path, (begin, end) in spans.items():
            touched[path] = touched.get(path, 0) + (at < end and at + len(piece) > begin)
        at += len(piece)
    assert data[43:46] == b"12}"
    told = {each["path"]: (each["logprob"], each["num_tokens"]) for each in choice["confidence"]}
    assert told == {path: (-0.5 * count, count) for path, count in touched.items()}
    assert {entry["logprob"] for entry in choice["logprobs"]["content"]} == {-1.0}


def test_arguments_of_calls_streamed_or_not(tiny_live):
    fields = {"tools": [WEATHER], "tool_choice": "required", "max_tokens": 200}
    choice = ask(tiny_live, **fields)
    calls = choice["message"]["tool_calls"]
    paths = [(index, path) for index in range(len(calls)) for path in ("/city", "/unit")]
    assert [(each["tool_call"], each["path"]) for each in choice["confidence"]] == paths
    unit = json.loads(calls[0]["function"]["arguments"])["unit"]
    assert choice["confidence"][1]["alternative"]["values"] == [{"C": "F", "F": "C"}[unit]]
    body = {"model": "test-model", "messages": HELLO, "seed": 3, "confidence": True, "stream": True, **fields}
    lines = tiny_live.post("/v1/chat/completions", json=body).text.splitlines()
    chunks = [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
    (last,) = [each for chunk in chunks for each in chunk["choices"] if "confidence" in each]
    assert last["finish_reason"] == "tool_calls"
    assert [(each["tool_call"], each["path"]) for each in last["confidence"]] == paths
    assert last["confidence"][0]["logprob"] == pytest.approx(choice["confidence"][0]["logprob"], abs=1e-3)


def test_thoughts_are_no_values(thinker):
    choice = ask(thinker, response_format=FORMAT, max_tokens=200)
    assert [each["path"] for each in choice["confidence"]] == ["/city", "/sunny", "/degrees"]


def test_the_client_of_openai_finds_it(live):
    reply = live.client.chat.completions.create(
        model="test-model", messages=HELLO, response_format=FORMAT, max_tokens=80, extra_body={"confidence": True}
    )
    assert [each["path"] for each in reply.choices[0].confidence] == ["/city", "/sunny", "/degrees"]
    text = {"format": {"type": "json_schema", "name": "weather", "schema": SCHEMA, "strict": True}}
    response = live.client.responses.create(
        model="test-model", input="How is the weather?", text=text, extra_body={"confidence": True}
    )
    assert [each["path"] for each in response.confidence] == ["/city", "/sunny", "/degrees"]
    completion = live.client.completions.create(
        model="test-model", prompt="The weather:", max_tokens=80, extra_body={"confidence": True, "guided_json": SCHEMA}
    )
    assert [each["path"] for each in completion.choices[0].confidence] == ["/city", "/sunny", "/degrees"]


def test_free_text_has_no_values(live):
    assert ask(live, max_tokens=5)["confidence"] == []
