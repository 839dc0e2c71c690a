"""anthropic: `messages.parse`, tools as it declares them, and its tool runner."""

import pytest
from tasks import QUESTION, TOOL, WEATHER, Weather, check, check_told, get_weather

anthropic = pytest.importorskip("anthropic")

FUNCTION = TOOL["function"]
DECLARED = {"name": FUNCTION["name"], "description": FUNCTION["description"], "input_schema": FUNCTION["parameters"]}


@pytest.fixture(scope="module")
def client(server):
    strict = {"api_key": "none", "max_retries": 0, "_strict_response_validation": True}
    with anthropic.Anthropic(base_url=server.url, **strict) as made:
        yield made


def asked(server, content):
    messages = [{"role": "user", "content": content}]
    return {"model": server.model, "max_tokens": 80, "messages": messages, "extra_body": {"temperature": 0}}


def test_parse(client, server):
    check(client.messages.parse(**asked(server, WEATHER), output_format=Weather).parsed_output)


def test_parse_streams(client, server):
    with client.messages.stream(**asked(server, WEATHER), output_format=Weather) as stream:
        check(stream.get_final_message().parsed_output)


def test_a_tool_is_called(client, server):
    fields = {"tools": [DECLARED], "tool_choice": {"type": "any"}}
    whole = client.messages.create(**asked(server, QUESTION), **fields)
    with client.messages.stream(**asked(server, QUESTION), **fields) as stream:
        streamed = stream.get_final_message()
    for message in (whole, streamed):
        (call,) = message.content
        assert (call.name, call.input) == ("get_weather", {"city": "Lima"})


@pytest.fixture
def called():
    return []


@pytest.fixture
def tool(called):
    def run(city: str) -> str:
        called.append(city)
        return get_weather(city)

    return anthropic.beta_tool(run, name="get_weather", description=FUNCTION["description"])


def test_a_tool_is_run(client, server, called, tool):
    runner = client.beta.messages.tool_runner(**asked(server, QUESTION), tools=[tool], max_iterations=4)
    first, last = runner
    assert (first.stop_reason, last.stop_reason) == ("tool_use", "end_turn")
    assert called == ["Lima"]
    check_told(last.content[0].text)


@pytest.mark.parametrize("fields", [{}, {"run_tools_eagerly": True}], ids=str)
def test_a_tool_is_run_of_streams(client, server, called, tool, fields):
    runner = client.beta.messages.tool_runner(
        **asked(server, QUESTION), tools=[tool], max_iterations=4, stream=True, **fields
    )
    kinds, finals = [], []
    for stream in runner:
        kinds.append([event.type for event in stream])
        finals.append(stream.get_final_message())
    assert "input_json" in kinds[0]
    assert "text" in kinds[1]
    assert called == ["Lima"]
    assert [final.stop_reason for final in finals] == ["tool_use", "end_turn"]
    check_told(finals[1].content[0].text)
