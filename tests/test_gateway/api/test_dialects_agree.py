"""The same prompt, sampling and seed give the same answer in every dialect."""

import json

import pytest

SAMPLING = {"temperature": 0.9, "top_p": 0.95, "top_k": 50}
SYSTEM = "Be brief."
WEATHER = "What is the weather in Paris?"
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string", "maxLength": 20}}, "required": ["city"]}
SCHEMA = {"type": "object", "properties": {"mood": {"enum": ["good", "bad"]}, "n": {"type": "integer"}}}


def openai(live, seed, **fields):
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": WEATHER}]
    body = {"model": "test-model", "messages": messages, "max_tokens": 60, "seed": seed, **SAMPLING, **fields}
    message = live.post("/v1/chat/completions", json=body).json()["choices"][0]["message"]
    calls = [call["function"] for call in message.get("tool_calls") or []]
    return message["content"] or "", [(call["name"], json.loads(call["arguments"])) for call in calls]


def anthropic(live, seed, **fields):
    messages = [{"role": "user", "content": WEATHER}]
    body = {"model": "test-model", "system": SYSTEM, "messages": messages, "max_tokens": 60, "seed": seed}
    blocks = live.post("/v1/messages", json={**body, **SAMPLING, **fields}).json()["content"]
    text = "".join(block["text"] for block in blocks if block["type"] == "text")
    return text, [(block["name"], block["input"]) for block in blocks if block["type"] == "tool_use"]


def ollama(live, seed, **fields):
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": WEATHER}]
    options = {"num_predict": 60, "seed": seed, **SAMPLING}
    body = {"model": "test-model", "messages": messages, "stream": False, "options": options, **fields}
    message = live.post("/api/chat", json=body).json()["message"]
    calls = [call["function"] for call in message.get("tool_calls", [])]
    return message["content"], [(call["name"], call["arguments"]) for call in calls]


@pytest.mark.parametrize("seed", range(3))
def test_texts_agree(live, seed):
    answers = [dialect(live, seed) for dialect in (openai, anthropic, ollama)]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][0]


def test_log_probabilities_agree(live):
    body = {"model": "test-model", "temperature": 0}
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": "Who are you?"}]
    chat: list[dict] = []
    for _ in range(2):  # the second finds what the first has read, as those after it do
        chat = live.post(
            "/v1/chat/completions",
            json={**body, "messages": messages, "max_tokens": 16, "logprobs": True, "top_logprobs": 3},
        ).json()["choices"][0]["logprobs"]["content"]
    include = ["message.output_text.logprobs"]
    asked = {**body, "input": messages, "max_output_tokens": 16, "include": include, "top_logprobs": 3}
    response = live.post("/v1/responses", json=asked).json()
    told = live.post(
        "/api/chat",
        json={
            "model": "test-model",
            "messages": messages,
            "stream": False,
            "logprobs": True,
            "top_logprobs": 3,
            "options": {"temperature": 0, "num_predict": 16},
        },
    ).json()["logprobs"]
    assert chat == response["output"][0]["content"][0]["logprobs"] == told
    assert len(chat) > 1
    assert all(len(entry["top_logprobs"]) == 3 and entry["logprob"] <= 0 for entry in chat)


@pytest.mark.parametrize("seed", range(3))
def test_answers_in_a_schema_agree(live, seed):
    format = {"type": "json_schema", "json_schema": {"name": "s", "schema": SCHEMA}}
    texts = {
        openai(live, seed, response_format=format)[0],
        anthropic(live, seed, output_config={"format": {"type": "json_schema", "schema": SCHEMA}})[0],
        ollama(live, seed, format=SCHEMA)[0],
    }
    assert len(texts) == 1
    assert isinstance(json.loads(texts.pop()), dict)


@pytest.mark.parametrize("seed", range(3))
def test_calls_agree(tiny_live, seed):
    function = {"name": "get_weather", "description": "Weather.", "parameters": PARAMETERS}
    tool = {"name": "get_weather", "description": "Weather.", "input_schema": PARAMETERS}
    declared = [{"type": "function", "function": function}]
    forced = (
        openai(tiny_live, seed, tools=declared, tool_choice="required"),
        anthropic(tiny_live, seed, tools=[tool], tool_choice={"type": "any"}),
    )
    assert forced[0] == forced[1]
    assert forced[0][1]
    free = (
        openai(tiny_live, seed, tools=declared),
        anthropic(tiny_live, seed, tools=[tool]),
        ollama(tiny_live, seed, tools=declared),
    )
    assert free[0] == free[1] == free[2]
