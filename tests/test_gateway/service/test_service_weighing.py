"""Tools weighed by the user's words: who is asked what, what is chosen, and what becomes of the request."""

import asyncio
import math
from dataclasses import replace

import pytest
from serving import config_for
from test_service_tools import PLAIN_TEMPLATE
from tiny_model import write_tiny_model

from gateway.core.constraints import JsonConstraint
from gateway.core.request import ChatRequest, CompletionRequest, Options, Sampling
from gateway.errors import OverloadedError
from gateway.service import Service
from gateway.service.request.tool_weights import MAX_TOOLS, ToolWeights
from gateway.service.request.tools_in_prompt import ask_for_call
from tools import Tool, ToolChoice, ToolSet, get_format

CITY = {"type": "object", "properties": {"city": {"enum": ["Bern", "Oslo"]}}, "required": ["city"]}
TOOLS = ToolSet((Tool("get_weather", "Weather.", CITY), Tool("get_time", "Time of day.", CITY), Tool("stop")))
GO = {"role": "user", "content": "Go."}
NO_TOOL = "Write a question."
RESULT = {"role": "tool", "tool_call_id": "a", "content": "mild"}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    config = config_for(write_tiny_model(tmp_path_factory.mktemp("untaught"), template=PLAIN_TEMPLATE))
    service = Service.load(replace(config, model=replace(config.model, tool_weighing="on", schema_telling="on")))
    yield service
    service.close()


def asked(choice=None, tools=TOOLS, messages=(GO,)) -> ChatRequest:
    options = Options(sampling=Sampling(temperature=1.0, seed=5), max_tokens=300)
    return ChatRequest(messages=messages, tools=tools, tool_choice=choice or ToolChoice("auto"), options=options)


def prepared(service, request):
    return asyncio.run(service.prepare_chat(request))


def prompt_of(service, request):
    return service._loaded.tokenizer.decode(prepared(service, request).prompts[0].ids, skip_special_tokens=False)


@pytest.fixture
def weighed(monkeypatch):
    """Purposes that were weighed; the one that holds `wins` is the likeliest."""
    seen: list[str] = []

    async def logprob(self, purpose, said, context):
        seen.append(purpose)
        return 0.0 if weighed.wins in purpose else -1.0

    def weighed(wins):
        weighed.wins = wins
        return seen

    monkeypatch.setattr(ToolWeights, "_logprob", logprob)
    return weighed


def test_the_tool_that_is_meant_is_called_once(service, weighed):
    purposes = weighed("get_time")

    async def run():
        plan = await service.prepare_chat(asked())
        return await service.answer(plan)

    (answer,) = asyncio.run(run()).choices
    assert [call.name for call in answer.calls] == ["get_time"]
    assert answer.text == ""
    assert purposes == [
        "Write a request that the tool get_weather serves: Weather.",
        "Write a request that the tool get_time serves: Time of day.",
        "Write a request that the tool stop serves.",
        NO_TOOL,
    ]


def test_the_call_that_is_meant_is_asked_for_behind_examples(service, weighed):
    weighed("get_time")
    prompt = prompt_of(service, asked(messages=({"role": "system", "content": "Be kind."}, GO)))
    assert prompt.startswith("[system]Be kind.\n[user]Call set_volume with")
    assert prompt.endswith(
        "[user]Call get_time with these arguments as JSON: city (string)\n\nRequest: Go.\n[assistant]"
    )
    assert "get_weather" not in prompt


def test_where_no_tool_is_meant_nothing_is_told_of_tools(service, weighed):
    weighed(NO_TOOL)
    plan = prepared(service, asked()).plan
    assert plan.tool_plan is None
    assert prompt_of(service, asked()) == "[user]Go.\n[assistant]"


def test_a_call_that_is_required_is_weighed_without_none(service, weighed):
    purposes = weighed("stop")
    plan = prepared(service, asked(ToolChoice("required"))).plan
    assert plan.tool_plan.tools.names == ("stop",)
    assert NO_TOOL not in purposes


@pytest.mark.parametrize(
    "request_",
    [
        asked(ToolChoice("named", "stop", True, ("stop",))),
        asked(ToolChoice("required"), ToolSet(TOOLS.tools[:1])),
        asked(messages=(GO, {"role": "assistant", "content": "On it."}, RESULT)),
        asked(tools=ToolSet(tuple(Tool(f"tool_{number}") for number in range(MAX_TOOLS + 1)))),
    ],
    ids=["named", "one", "after a result", "many"],
)
def test_what_is_not_open_is_not_weighed(service, weighed, request_):
    purposes = weighed("get_time")
    plan = prepared(service, request_).plan
    assert purposes == []
    assert plan.tool_plan.choice == request_.tool_choice


def test_a_purpose_weighs_what_the_model_finds_of_the_words_behind_it(service):
    said = service._loaded.encode("Go.", False)
    context = prepared(service, asked()).context
    weight = asyncio.run(service._preparer._weighing._logprob(NO_TOOL, said, context))
    head = service._loaded.encode(f"[user]{NO_TOOL}\n[assistant]", False)
    ids = (*head, *said, service._loaded.engine.eos_token_ids[0])
    request = CompletionRequest(
        prompts=(ids,), options=Options(sampling=Sampling(temperature=0.0), max_tokens=1, prompt_logprobs=0)
    )

    async def run():
        plan = await service.prepare_completion(request)
        return await service.answer(plan)

    (answer,) = asyncio.run(run()).choices
    told = [token.drawn.logprob for token in answer.prompt_logprobs]
    assert weight == pytest.approx(math.fsum(told[len(head) - len(ids) :]), abs=1e-3)


def test_a_failure_of_the_engine_is_the_requests_own(service, monkeypatch):
    async def fails(self, purpose, said, context):
        raise OverloadedError("full")

    monkeypatch.setattr(ToolWeights, "_logprob", fails)
    with pytest.raises(OverloadedError):
        prepared(service, asked())


def test_the_likeliest_words_choose_the_tool(service):
    """Nothing patched: the choice is that of the weights, whatever the model."""
    context = prepared(service, asked()).context
    weighing, said = service._preparer._weighing, service._loaded.encode("Go.", False)
    purposes = ["get_weather serves: Weather.", "get_time serves: Time of day.", "stop serves."]
    asks = [f"Write a request that the tool {each}" for each in purposes]
    weights = [asyncio.run(weighing._logprob(each, said, context)) for each in asks]
    plan = prepared(service, asked(ToolChoice("required"))).plan
    assert plan.tool_plan.tools.names == (TOOLS.names[weights.index(max(weights))],)


def test_ask_for_call_keeps_the_conversation_and_shows_calls_in_the_format():
    tool = Tool("f", None, {"properties": {"a": {"type": "string", "description": "an A"}, "b": {"type": "array"}}})
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}, GO]
    plain = ask_for_call(messages, tool, get_format("smollm2"))
    assert [each["role"] for each in plain] == ["user", "assistant"] * 3 + ["user"]
    assert plain[1]["content"] == '<tool_call>[{"name": "set_volume", "arguments": {"percent": 30}}]</tool_call>'
    assert plain[4:6] == messages[:2]
    assert (
        plain[-1]["content"]
        == "Call f with these arguments as JSON: a (string, an A), b (array of anything)\n\nRequest: Go."
    )


RECORD = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}


@pytest.mark.parametrize(
    ("schema", "messages", "is_told"),
    [
        (RECORD, (GO,), True),
        (RECORD, (GO, {"role": "assistant", "content": "On it."}), False),
        ({"type": "string"}, (GO,), False),
    ],
    ids=["record", "the user did not speak last", "no fields"],
)
def test_a_schema_is_told_in_words_behind_examples(service, schema, messages, is_told):
    constraint = JsonConstraint(schema=schema, origin="response_format")
    request = ChatRequest(messages=messages, options=Options(constraint=constraint, max_tokens=300))
    prompt = prompt_of(service, request)
    assert prompt.endswith("[user]Reply in JSON: city (string), days (integer)\n\nGo.\n[assistant]") is is_told
    assert ('[assistant]{"room": "Alpha", "floor": 3}\n' in prompt) is is_told
    assert "array" not in prompt


def test_a_schema_with_an_array_is_told_behind_an_example_of_one(service):
    schema = {"type": "object", "properties": {"names": {"type": "array", "items": {"type": "string"}}}}
    constraint = JsonConstraint(schema=schema, origin="response_format")
    prompt = prompt_of(service, ChatRequest(messages=(GO,), options=Options(constraint=constraint, max_tokens=300)))
    assert "fruits (array of string)" in prompt
    assert prompt.endswith("[user]Reply in JSON: names (array of string)\n\nGo.\n[assistant]")


@pytest.mark.parametrize(
    ("wished", "name", "helps"),
    [("auto", "generic", False), ("auto", "smollm2", True), ("on", "generic", True), ("off", "smollm2", False)],
)
def test_small_models_are_helped_unasked(service, wished, name, helps):
    config = service._loaded.config
    model = replace(config.model, schema_telling=wished, tool_weighing=wished)
    loaded = replace(service._loaded, tool_format=get_format(name), config=replace(config, model=model))
    assert loaded.describes_schemas is loaded.weighs_tools is helps
