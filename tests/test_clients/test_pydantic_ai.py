"""pydantic-ai: output as a tool and as the model's own format, over three dialects, streamed and not."""

import pytest
from tasks import QUESTION, WEATHER, Weather, check, check_told, get_weather

pydantic_ai = pytest.importorskip("pydantic_ai")
pytestmark = pytest.mark.anyio

from pydantic_ai import Agent, NativeOutput, ToolOutput  # noqa: E402
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel  # noqa: E402
from pydantic_ai.providers.openai import OpenAIProvider  # noqa: E402

SETTINGS = {"temperature": 0, "max_tokens": 80}


@pytest.fixture(params=[OpenAIChatModel, OpenAIResponsesModel])
def model(request, server):
    return request.param(server.model, provider=OpenAIProvider(base_url=server.base_url, api_key="none"))


@pytest.mark.parametrize("output", [ToolOutput, NativeOutput])
async def test_output_is_an_object(model, output):
    agent = Agent(model, output_type=output(Weather), model_settings=SETTINGS)
    check((await agent.run(WEATHER)).output)
    async with agent.run_stream(WEATHER) as result:
        check(await result.get_output())


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
async def test_a_tool_is_called(model, is_streamed):
    called = []

    def tool(city: str) -> str:
        called.append(city)
        return get_weather(city)

    agent = Agent(model, model_settings=SETTINGS)
    agent.tool_plain(tool, name="get_weather", description="Tell the weather in a city.")
    if is_streamed:
        async with agent.run_stream(QUESTION) as result:
            output = await result.get_output()
    else:
        output = (await agent.run(QUESTION)).output
    assert called == ["Lima"]
    check_told(output)
