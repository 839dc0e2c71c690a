"""A hundred random requests on sixteen connections: every answer has its shape."""

import json
import random
import re
from concurrent.futures import ThreadPoolExecutor

import httpx
import jsonschema
import pytest
from openai.types import Completion
from openai.types.chat import ChatCompletion, ChatCompletionChunk

NUM_REQUESTS = 100
NUM_CONNECTIONS = 16
WORDS = ("name", "city", "total", "größe", "a b", "x", "is_open", "tags", "note")
PATTERNS = (r"\d{3}-\d{4}", r"[a-f]{2,5}(!|\?)", r"(ab|cd){1,3}", r"[A-Z][a-z]+ \d\d?")


def random_schema(source: random.Random, depth: int = 0) -> dict[str, object]:
    kinds = ["integer", "string", "enum", "boolean", "pattern", "null", "number"]
    kind = source.choice(kinds if depth > 2 else [*kinds, "object", "object", "array", "anyOf"])
    match kind:
        case "integer":
            low = source.randint(-50, 50)
            return {"type": "integer", "minimum": low, "maximum": low + source.randint(0, 1000)}
        case "number":
            return {"type": "number", "minimum": 0, "maximum": 10}
        case "string":
            return {"type": "string", "minLength": source.randint(0, 2), "maxLength": source.randint(2, 12)}
        case "pattern":
            return {"type": "string", "pattern": "^[a-c]{1,4}$"}
        case "enum":
            return {"enum": source.sample([1, "one", None, True, "zwei €", 2.5, ["l"]], 3)}
        case "object":
            names = source.sample(WORDS, source.randint(1, 4))
            return {
                "type": "object",
                "properties": {name: random_schema(source, depth + 1) for name in names},
                "required": source.sample(names, source.randint(0, len(names))),
                "additionalProperties": False,
            }
        case "array":
            return {"type": "array", "items": random_schema(source, depth + 1), "maxItems": source.randint(1, 3)}
        case "anyOf":
            return {"anyOf": [random_schema(source, depth + 1) for _ in range(2)]}
    return {"type": kind}


def random_tool(source: random.Random, index: int) -> dict[str, object]:
    schema = random_schema(source)
    while schema.get("type") != "object":
        schema = random_schema(source)
    return {"type": "function", "function": {"name": f"tool_{index}", "parameters": schema}}


def random_request(seed: int) -> tuple[str, dict[str, object]]:
    source = random.Random(seed)
    body: dict[str, object] = {
        "max_tokens": source.choice([300, 400]),
        "temperature": source.choice([0, 0.7, 1.5]),
        "top_p": source.choice([1, 0.9]),
        "seed": seed,
        "stream": source.random() < 0.5,
        "n": source.choice([1, 1, 2]),
    }
    kind = source.choice(["json", "json", "regex", "choice", "required", "named", "auto", "either", "completion"])
    if kind == "completion":
        return kind, {**body, "prompt": "Go:", "guided_json": random_schema(source)}
    body["messages"] = [{"role": "user", "content": f"Please {source.choice(WORDS)}."}]
    if kind == "regex":
        return kind, {**body, "guided_regex": source.choice(PATTERNS)}
    if kind == "choice":
        return kind, {**body, "structured_outputs": {"choice": source.sample(WORDS, 4)}}
    if kind in ("json", "either"):
        schema = random_schema(source)
        body["response_format"] = {"type": "json_schema", "json_schema": {"name": "s", "schema": schema}}
    if kind != "json":
        body["tools"] = [random_tool(source, index) for index in range(source.randint(1, 3))]
        body["parallel_tool_calls"] = source.random() < 0.3
        if kind == "auto":
            body["max_tokens"] = 60
        elif kind == "required":
            body["tool_choice"] = "required"
        elif kind == "named":
            body["tool_choice"] = {"type": "function", "function": {"name": "tool_0"}}
    return kind, body


def collected(text: str, kind: str, num_choices: int) -> list[dict[str, object]]:
    """The choices of a stream, put together; every event must be of the client's own type."""
    *events, done, end = text.split("\n\n")
    assert (done, end) == ("data: [DONE]", ""), text[-300:]
    choices = [{"text": "", "calls": {}, "finish": None} for _ in range(num_choices)]
    for event in events:
        if event == ": ping":
            continue
        if kind == "completion":
            (part,) = json.loads(event[6:])["choices"]
            finish = part["finish_reason"]
            # The client's type does not know that the reason is null until the last event.
            stated = event[6:].replace('"finish_reason":null', '"finish_reason":"stop"')
            (part,) = Completion.model_validate_json(stated, strict=True).choices
            part.finish_reason = finish
            choices[part.index]["text"] += part.text
        else:
            (part,) = ChatCompletionChunk.model_validate_json(event[6:], strict=True).choices
            choices[part.index]["text"] += part.delta.content or ""
            for call in part.delta.tool_calls or []:
                calls = choices[part.index]["calls"]
                name, arguments = calls.get(call.index, (call.function.name, ""))
                calls[call.index] = (name, arguments + call.function.arguments)
        choices[part.index]["finish"] = part.finish_reason or choices[part.index]["finish"]
    return [{**choice, "calls": list(choice["calls"].values())} for choice in choices]


def whole(text: str, kind: str) -> list[dict[str, object]]:
    if kind == "completion":
        parsed = Completion.model_validate_json(text, strict=True)
        return [{"text": choice.text, "calls": [], "finish": choice.finish_reason} for choice in parsed.choices]
    return [
        {
            "text": choice.message.content or "",
            "calls": [(call.function.name, call.function.arguments) for call in choice.message.tool_calls or []],
            "finish": choice.finish_reason,
        }
        for choice in ChatCompletion.model_validate_json(text, strict=True).choices
    ]


def check(kind: str, body: dict[str, object], choice: dict[str, object]) -> None:
    text, calls, finish = choice["text"], choice["calls"], choice["finish"]
    tools = {tool["function"]["name"]: tool["function"]["parameters"] for tool in body.get("tools", [])}
    for name, arguments in calls:
        jsonschema.validate(json.loads(arguments), tools[name])
    if kind in ("required", "named"):
        assert calls
        assert not text
        assert kind == "required" or {name for name, _ in calls} == {"tool_0"}
    if tools and not body["parallel_tool_calls"]:
        assert len(calls) <= 1
    if calls:
        assert finish in ("stop" if kind == "named" else "tool_calls", "length")
        return
    assert finish in ("stop", "length")
    if kind == "regex":
        assert re.fullmatch(body["guided_regex"], text)
    elif kind == "choice":
        assert text in body["structured_outputs"]["choice"]
    elif kind == "completion":
        jsonschema.validate(json.loads(text), body["guided_json"])
    elif kind in ("json", "either"):
        jsonschema.validate(json.loads(text), body["response_format"]["json_schema"]["schema"])


def run(client: httpx.Client, url: str, seed: int) -> str:
    kind, body = random_request(seed)
    path = "/v1/completions" if kind == "completion" else "/v1/chat/completions"
    reply = client.post(url + path, json=body)
    assert reply.status_code == 200, (seed, kind, reply.text, body)
    choices = collected(reply.text, kind, body["n"]) if body["stream"] else whole(reply.text, kind)
    assert len(choices) == body["n"]
    for choice in choices:
        check(kind, body, choice)
    return kind


@pytest.mark.parametrize("server", ["tiny_live", "live"])
def test_random_requests_all_hold_their_shape(request, server):
    live = request.getfixturevalue(server)
    if server == "live" and live is request.getfixturevalue("tiny_live"):
        pytest.skip("the weights of the embedded model are not there")
    # Random weights wander: they are the harder test of the masks, and the faster model.
    num_requests = NUM_REQUESTS if server == "tiny_live" else NUM_REQUESTS // 2
    with (
        httpx.Client(timeout=120, limits=httpx.Limits(max_connections=NUM_CONNECTIONS)) as client,
        ThreadPoolExecutor(NUM_CONNECTIONS) as threads,
    ):
        kinds = list(threads.map(lambda seed: run(client, live.url, seed), range(num_requests)))
    assert set(kinds) == {"json", "regex", "choice", "required", "named", "auto", "either", "completion"}
    live.wait_until_idle()
    live.service._loaded.engine._engine.check_integrity()
