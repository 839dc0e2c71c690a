"""ollama: `format` with a schema, and a function as a tool."""

import pytest
from tasks import QUESTION, WEATHER, Weather, check, check_told, get_weather

ollama = pytest.importorskip("ollama")

OPTIONS = {"temperature": 0, "num_predict": 80}


@pytest.fixture(scope="module")
def client(server):
    with ollama.Client(server.url) as made:
        yield made


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
def test_format(client, server, is_streamed):
    messages = [{"role": "user", "content": WEATHER}]
    fields = {"model": server.model, "format": Weather.model_json_schema(), "options": OPTIONS, "stream": is_streamed}
    found = client.chat(messages=messages, **fields)
    replies = list(found) if is_streamed else [found]
    check(Weather.model_validate_json("".join(reply.message.content for reply in replies)))
    found = client.generate(prompt=WEATHER, **fields)
    replies = list(found) if is_streamed else [found]
    check(Weather.model_validate_json("".join(reply.response for reply in replies)))


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
def test_a_tool_is_called(client, server, is_streamed):
    turns = [{"role": "user", "content": QUESTION}]
    fields = {"model": server.model, "tools": [get_weather], "options": OPTIONS}
    found = client.chat(messages=turns, **fields, stream=is_streamed)
    replies = list(found) if is_streamed else [found]
    (message,) = [reply.message for reply in replies if reply.message.tool_calls]
    (call,) = message.tool_calls
    assert (call.function.name, call.function.arguments) == ("get_weather", {"city": "Lima"})
    turns += [message, {"role": "tool", "tool_name": "get_weather", "content": get_weather("Lima")}]
    check_told(client.chat(messages=turns, **fields).message.content)
