"""openai-agents: typed output and a tool, over Responses and over chat completions."""

import openai
import pytest
from tasks import QUESTION, WEATHER, Weather, check, check_told
from tasks import get_weather as weather_of

agents = pytest.importorskip("agents")
pytestmark = pytest.mark.anyio


@pytest.fixture(params=["OpenAIResponsesModel", "OpenAIChatCompletionsModel"])
async def model(request, server):
    async with openai.AsyncOpenAI(base_url=server.base_url, api_key="none", max_retries=0) as client:
        yield getattr(agents, request.param)(model=server.model, openai_client=client)


@pytest.fixture(autouse=True)
def untraced():
    agents.set_tracing_disabled(True)


async def test_typed_output(model):
    agent = agents.Agent(name="a", model=model, output_type=Weather, model_settings=agents.ModelSettings(temperature=0))
    check((await agents.Runner.run(agent, WEATHER)).final_output)
    streamed = agents.Runner.run_streamed(agent, WEATHER)
    async for _ in streamed.stream_events():
        pass
    check(streamed.final_output)


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
async def test_a_tool_is_called(model, is_streamed):
    called = []

    @agents.function_tool
    def get_weather(city: str) -> str:
        """Tell the weather in a city."""
        called.append(city)
        return weather_of(city)

    settings = agents.ModelSettings(temperature=0, tool_choice="required")
    agent = agents.Agent(name="a", model=model, tools=[get_weather], model_settings=settings)
    if is_streamed:
        result = agents.Runner.run_streamed(agent, QUESTION, max_turns=3)
        names = [event.name async for event in result.stream_events() if event.type == "run_item_stream_event"]
        assert names == ["tool_called", "tool_output", "message_output_created"]
    else:
        result = await agents.Runner.run(agent, QUESTION, max_turns=3)
    assert called == ["Lima"]
    check_told(result.final_output)
