"""openai: chat completions, Responses and the helpers around them, streamed and not."""

import json

import openai
import pydantic
import pytest
from tasks import QUESTION, TOOL, WEATHER, Weather, check, check_told, get_weather

STRICT = {"api_key": "none", "max_retries": 0, "_strict_response_validation": True}
FLAT = {"type": "function", "strict": True, **TOOL["function"]}


@pytest.fixture
def client(server):
    with openai.OpenAI(base_url=server.base_url, **STRICT) as made:
        yield made


def ask(server, text):
    return {"model": server.model, "temperature": 0, "messages": [{"role": "user", "content": text}]}


def test_chat_parse(client, server):
    reply = client.chat.completions.parse(**ask(server, WEATHER), response_format=Weather)
    check(reply.choices[0].message.parsed)


def test_chat_stream_of_a_model(client, server):
    with client.chat.completions.stream(**ask(server, WEATHER), response_format=Weather) as stream:
        kinds = [event.type for event in stream]
        check(stream.get_final_completion().choices[0].message.parsed)
    assert "content.delta" in kinds
    assert kinds[-1] in ("content.done", "chunk")


@pytest.mark.parametrize("choice", ["required", {"type": "function", "function": {"name": "get_weather"}}, "auto"])
def test_chat_calls_a_tool(client, server, choice):
    asked = ask(server, QUESTION) | {"tools": [TOOL], "tool_choice": choice}
    (call,) = client.chat.completions.create(**asked).choices[0].message.tool_calls
    assert (call.function.name, json.loads(call.function.arguments)) == ("get_weather", {"city": "Lima"})
    with client.chat.completions.stream(**asked) as stream:
        streamed = stream.get_final_completion().choices[0].message.tool_calls[0]
    assert streamed.function.arguments == call.function.arguments


def test_a_tool_loop_ends_with_an_answer(client, server):
    messages = [{"role": "user", "content": QUESTION}]
    asked = {"model": server.model, "temperature": 0, "tools": [TOOL]}
    message = client.chat.completions.create(**asked, messages=messages).choices[0].message
    messages.append(message)
    messages += [
        {"role": "tool", "tool_call_id": call.id, "content": get_weather("Lima")} for call in message.tool_calls
    ]
    last = client.chat.completions.create(**asked, messages=messages).choices[0].message
    check_told(last.content)
    assert not last.tool_calls


def test_responses_parse(client, server):
    reply = client.responses.parse(model=server.model, temperature=0, input=WEATHER, text_format=Weather)
    check(reply.output_parsed)


def test_responses_stream_of_a_model(client, server):
    with client.responses.stream(model=server.model, temperature=0, input=WEATHER, text_format=Weather) as stream:
        kinds = [event.type for event in stream]
        check(stream.get_final_response().output_parsed)
    assert kinds[0] == "response.created"
    assert kinds[-1] == "response.completed"


def test_responses_call_a_tool_and_go_on(client, server):
    asked = {"model": server.model, "temperature": 0, "tools": [FLAT]}
    first = client.responses.create(**asked, input=QUESTION, tool_choice="required")
    (call,) = first.output
    assert (call.type, call.name, json.loads(call.arguments)) == ("function_call", "get_weather", {"city": "Lima"})
    result = {"type": "function_call_output", "call_id": call.call_id, "output": get_weather("Lima")}
    second = client.responses.create(**asked, input=[result], previous_response_id=first.id, tool_choice="none")
    check_told(second.output_text)
    whole = client.responses.create(
        **asked, input=[{"role": "user", "content": QUESTION}, *first.output, result], tool_choice="none"
    )
    assert whole.output_text == second.output_text


def test_responses_stream_a_call(client, server):
    with client.responses.stream(
        model=server.model, temperature=0, input=QUESTION, tools=[FLAT], tool_choice="required"
    ) as stream:
        kinds = [event.type for event in stream]
        (call,) = stream.get_final_response().output
    assert json.loads(call.arguments) == {"city": "Lima"}
    assert "response.function_call_arguments.delta" in kinds


@pytest.mark.anyio
async def test_the_same_without_waiting(server):
    async with openai.AsyncOpenAI(base_url=server.base_url, **STRICT) as client:
        reply = await client.chat.completions.parse(**ask(server, WEATHER), response_format=Weather)
        check(reply.choices[0].message.parsed)
        stream = await client.chat.completions.create(**ask(server, "Hello."), stream=True, max_tokens=8)
        pieces = [chunk.choices[0].delta.content or "" async for chunk in stream]
        assert "".join(pieces)


@pytest.fixture
def runners():
    return pytest.importorskip("openai.lib.responses_tool_runner", reason="openai 2 has no tool runner")


def run_params(server):
    return {"model": server.model, "temperature": 0, "input": QUESTION}


@pytest.mark.parametrize("how", [{}, {"stream": True}, {"stream": True, "eager": True}], ids=str)
def test_the_tool_runner_runs_a_tool(client, server, runners, how):
    called, kinds = [], []

    def run(arguments):
        called.append(arguments)
        return get_weather(**arguments)

    runner = runners.ResponsesToolRunner(functions=[runners.RegisteredFunction(FLAT, run)])
    first, last = runner.iterate(
        client, run_params(server), max_steps=3, on_event=lambda event: kinds.append(event.type), **how
    )
    assert called == [{"city": "Lima"}]
    assert first.tools_executed is how.get("eager", False)
    check_told(last.response.output_text)
    assert kinds.count("response.completed") == (2 if how else 0)


@pytest.mark.anyio
@pytest.mark.parametrize("stream", [False, True])
async def test_the_tool_runner_runs_a_typed_tool_without_waiting(server, runners, stream):
    called = []

    class GetWeather(pydantic.BaseModel):
        """Tell the weather in a city."""

        city: str

    async def run(asked):
        called.append(asked)
        return get_weather(asked.city)

    tool = openai.pydantic_responses_function_tool(GetWeather, name="get_weather")
    runner = runners.AsyncResponsesToolRunner(functions=[runners.AsyncRegisteredFunction.from_tool(tool, execute=run)])
    async with openai.AsyncOpenAI(base_url=server.base_url, **STRICT) as client:
        reply = await runner.run(client, run_params(server), max_steps=3, stream=stream)
    assert called == [GetWeather(city="Lima")]
    check_told(reply.output_text)


def test_the_tool_runner_of_decisions_runs_what_is_chosen(client, server):
    runners = pytest.importorskip("openai.lib.decisions_tool_runner", reason="openai 2 has no tool runner")
    done = []
    actions = {"get_weather": "Tell the weather in a city.", "send_email": "Send an email."}

    def candidates(_):
        end = {"id": "done", "description": "Nothing is left to do.", "done": True}
        if done:
            return [end]
        # What a small model chooses is chance; that it is one of those that it is offered is not.
        return [
            {"id": name, "description": text, "execute": lambda name=name: done.append(name)}
            for name, text in actions.items()
        ] + [end]

    runner = runners.DecisionsToolRunner(observe=lambda: f"Done so far: {done}.", candidates=candidates)
    found = runner.run(client, {"model": server.model, "input": QUESTION}, max_steps=3)
    assert found["status"] == "unverified"
    (answer,) = found["decisions"][0].answers
    assert [chance.value for chance in answer.probabilities] == [*actions, "done"]
    assert sum(chance.probability for chance in answer.probabilities) == pytest.approx(1)
    assert answer.choice == max(answer.probabilities, key=lambda chance: chance.probability).value
    assert done == [name for name in actions if name == answer.choice]
