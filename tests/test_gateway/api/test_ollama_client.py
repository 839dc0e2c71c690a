"""Ollama's own client over a real socket; skipped where it is not installed (the extra `clients`)."""

import json

import pytest
from pydantic import BaseModel
from strict_types import strictly

ollama = pytest.importorskip("ollama")

HELLO = [{"role": "user", "content": "Say hello."}]
WEATHER = [{"role": "user", "content": "What is the weather in Paris?"}]
FEW = {"num_predict": 12, "seed": 4}


class Mood(BaseModel):
    is_polite: bool
    number: int


def get_weather(city: str) -> str:
    """The weather of a city.

    Args:
        city: Its name.
    """
    return f"mild in {city}"


@pytest.fixture(scope="module")
def client(live):
    with ollama.Client(live.url) as made:
        yield made


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
def test_chats(client, is_streamed):
    found = client.chat(model="test-model:latest", messages=HELLO, options=FEW, stream=is_streamed)
    replies = list(found) if is_streamed else [found]
    assert "".join(reply.message.content for reply in replies)
    assert replies[-1].done
    assert replies[-1].eval_count <= 12


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
def test_chats_in_a_format(client, is_streamed):
    asked = {"model": "test-model", "messages": HELLO, "format": Mood.model_json_schema(), "options": {"seed": 1}}
    found = client.chat(**asked, stream=is_streamed)
    replies = list(found) if is_streamed else [found]
    Mood.model_validate_json("".join(reply.message.content for reply in replies))


def test_reads_line_ends_of_other_writers(client):
    """The client splits lines where `str.splitlines` does."""
    asked = {"model": "test-model", "messages": HELLO, "format": {"const": "a\x85b\u2028c\u2029"}}
    text = "".join(reply.message.content for reply in client.chat(**asked, stream=True))
    assert json.loads(text) == asked["format"]["const"]


def test_generates(client):
    whole = client.generate(model="test-model", prompt="Say hello.", options=FEW)
    streamed = list(client.generate(model="test-model", prompt="Say hello.", options=FEW, stream=True))
    assert "".join(reply.response for reply in streamed) == whole.response
    assert client.generate(model="test-model", prompt="a", raw=True, options=FEW).done


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
def test_calls_tools_and_takes_their_results(client, is_streamed):
    turns = list(WEATHER)
    for seed in range(20):
        asked = {"model": "test-model", "messages": turns, "tools": [get_weather], "options": {"seed": seed}}
        found = client.chat(**asked, stream=is_streamed)
        replies = list(found) if is_streamed else [found]
        calls = [call for reply in replies for call in reply.message.tool_calls or []]
        if calls:
            assert all(call.function.name == "get_weather" for call in calls)
            assert all(set(call.function.arguments) == {"city"} for call in calls)
            turns += [reply.message for reply in replies if reply.message.tool_calls]
            results = [get_weather(**call.function.arguments) for call in calls]
            turns += [{"role": "tool", "tool_name": "get_weather", "content": result} for result in results]
            assert client.chat(model="test-model", messages=turns, tools=[get_weather], options=FEW).done
            return
    pytest.fail("none of the seeds makes a call")


def test_lists_and_shows(client):
    names = [model.model for model in client.list().models]
    assert names == ["test-model:latest", "gpt-test:latest", "org/name:latest"]
    for name in names:
        assert "completion" in client.show(name).capabilities
    assert client.ps().models[0].context_length > 0


def test_bodies_are_of_the_librarys_types(live):
    body = {"model": "test-model", "messages": HELLO, "prompt": "x", "options": FEW, "logprobs": True}
    for path, kind in (("chat", ollama.ChatResponse), ("generate", ollama.GenerateResponse)):
        for line in live.post(f"/api/{path}", json=body).text.splitlines():
            read(kind, line)
        read(kind, live.post(f"/api/{path}", json={**body, "stream": False}).text)
    read(ollama.ListResponse, live.get("/api/tags").text)
    read(ollama.ProcessResponse, live.get("/api/ps").text)
    read(ollama.ShowResponse, live.post("/api/show", json={"model": "test-model"}).text)


def read(kind, text):
    """The body as the library's type. Its types ignore what they do not know, so nothing more is asked of them."""
    assert json.loads(text)
    return strictly(kind, text)


@pytest.mark.parametrize(
    ("call", "status"),
    [
        (lambda client: client.chat(model="nope", messages=HELLO), 404),
        (lambda client: list(client.chat(model="nope", messages=HELLO, stream=True)), 404),
        (lambda client: client.show("nope"), 404),
        (lambda client: client.chat(model="test-model", messages=HELLO, think=True), 400),
        (lambda client: client.generate(model="test-model", prompt="x", suffix="y"), 400),
        (lambda client: client.embed("test-model", "x"), 400),
        (lambda client: client.pull("test-model"), 400),
        (lambda client: client.delete("test-model"), 400),
    ],
)
def test_failures_are_the_librarys_errors(client, call, status):
    with pytest.raises(ollama.ResponseError) as caught:
        call(client)
    assert caught.value.status_code == status
    assert caught.value.error
