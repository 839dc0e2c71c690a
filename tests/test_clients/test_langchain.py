"""LangChain's models: `with_structured_output` by each of its methods, and `bind_tools`."""

import pytest
from tasks import QUESTION, TOOL, WEATHER, Weather, check, check_told, get_weather


def openai(server, *, responses=False):
    found = pytest.importorskip("langchain_openai")
    return found.ChatOpenAI(
        model=server.model,
        base_url=server.base_url,
        api_key="none",
        temperature=0,
        max_tokens=80,
        use_responses_api=responses,
    )


def openai_responses(server):
    return openai(server, responses=True)


def anthropic(server):
    found = pytest.importorskip("langchain_anthropic")
    return found.ChatAnthropic(
        model=server.model, base_url=server.url, api_key="none", temperature=0, max_tokens=80, max_retries=0
    )


def ollama(server):
    found = pytest.importorskip("langchain_ollama")
    return found.ChatOllama(model=server.model, base_url=server.url, temperature=0, num_predict=80)


@pytest.fixture(params=[openai, openai_responses, anthropic, ollama], ids=lambda build: build.__name__)
def model(request, server):
    return request.param(server)


@pytest.mark.parametrize("method", ["json_schema", "function_calling"])
def test_structured_output(model, method):
    chain = model.with_structured_output(Weather, method=method)
    check(chain.invoke(WEATHER))
    check(list(chain.stream(WEATHER))[-1])


@pytest.mark.parametrize("choice", [{}, {"tool_choice": "any"}], ids=["free", "any"])
def test_bound_tools(model, choice):
    bound = model.bind_tools([TOOL], **choice)
    (call,) = bound.invoke(QUESTION).tool_calls
    assert (call["name"], call["args"]) == ("get_weather", {"city": "Lima"})
    whole = None
    for chunk in bound.stream(QUESTION):
        whole = chunk if whole is None else whole + chunk
    assert [(call["name"], call["args"]) for call in whole.tool_calls] == [("get_weather", {"city": "Lima"})]
    result = {"role": "tool", "content": get_weather("Lima"), "tool_call_id": whole.tool_calls[0]["id"]}
    if not choice:
        check_told(bound.invoke([("human", QUESTION), whole, result]).text)
