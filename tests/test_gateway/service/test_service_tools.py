"""Calls in every format and of custom tools, through the service; tools told in words where a template knows none."""

import asyncio
import json
import re
from contextlib import nullcontext
from dataclasses import replace

import pytest
from serving import config_for
from tiny_model import NO_PAST_CALLS, TEMPLATE, write_tiny_model

from gateway.core.answer import ArgumentsDelta, Call, CallDelta
from gateway.core.request import ChatRequest, Options, Sampling
from gateway.errors import ConstraintError, VerificationError
from gateway.service import Service
from gateway.service.answers.verification import verify
from gateway.service.constraints.jobs import JobContext
from gateway.service.request.plan import Plan, ToolPlan
from gateway.service.request.tools_in_prompt import instructions, with_tools_as_text
from gateway.verify import Verifier
from grammars import Compiler, Vocabulary
from tools import Tool, ToolChoice, ToolSet, get_format
from tools.formats.ids import with_known_ids
from tools.tool import InputGrammar

PATTERN = r'say "[a-z\\\n]{1,6}"!?'
SHELL = Tool("shell", "Runs it.", kind="custom", grammar=InputGrammar("regex", PATTERN))
NEST = Tool("nest", kind="custom", grammar=InputGrammar("lark", 'start: "(" start ")" | "\\"\\n"'))
CITY = {"type": "object", "properties": {"city": {"enum": ["Bern", "Oslo"]}}, "required": ["city"]}
WEATHER = Tool("get_weather", "Weather.", {**CITY, "additionalProperties": False})
TOOLS = ToolSet((SHELL, NEST, WEATHER))
BYTES = Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256])
PLAIN_TEMPLATE = "{% for m in messages %}[{{ m.role }}]{{ m.content }}\n{% endfor %}[assistant]"


def asked(choice: ToolChoice, **options) -> ChatRequest:
    wanted = Options(sampling=Sampling(temperature=1.0, seed=5), max_tokens=600, **options)
    return ChatRequest(messages=({"role": "user", "content": "Go."},), tools=TOOLS, tool_choice=choice, options=wanted)


def answered(service: Service, request: ChatRequest):
    async def run():
        prepared = await service.prepare_chat(request)
        return (await service.answer(prepared)).choices

    return asyncio.run(run())


def streamed(service: Service, request: ChatRequest):
    async def run():
        prepared = await service.prepare_chat(request)
        return [delta async for deltas in service.stream(prepared) for delta in deltas]

    return asyncio.run(run())


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The tiny model, and the same with a template that knows nothing of tools."""
    known = write_tiny_model(tmp_path_factory.mktemp("known"))
    unknown = write_tiny_model(tmp_path_factory.mktemp("unknown"))
    settings = json.loads((unknown / "tokenizer_config.json").read_text())
    assert settings["chat_template"] == TEMPLATE
    (unknown / "tokenizer_config.json").write_text(json.dumps({**settings, "chat_template": PLAIN_TEMPLATE}))
    return known, unknown


@pytest.fixture(scope="module")
def service(folders):
    service = Service.load(config_for(folders[0]))
    yield service
    service.close()


@pytest.fixture(scope="module")
def untaught(folders):
    service = Service.load(config_for(folders[1]))
    yield service
    service.close()


@pytest.mark.parametrize("name", ["shell", "nest"])
def test_custom_calls_hold_their_grammar_streamed_or_not(service, name):
    request = asked(ToolChoice("named", name, False, (name,)))
    (answer,) = answered(service, request)
    (call,) = answer.calls
    assert (call.name, call.kind) == (name, "custom")
    assert re.fullmatch(PATTERN if name == "shell" else r'\(*"\n\)*', call.arguments)
    deltas = streamed(service, request)
    assert [delta.kind for delta in deltas if isinstance(delta, CallDelta)] == ["custom"]
    assert "".join(delta.text for delta in deltas if isinstance(delta, ArgumentsDelta)) == call.arguments


@pytest.mark.parametrize("syntax", ["lark", "regex"])
def test_a_malformed_grammar_of_a_custom_tool_is_blamed(service, syntax):
    tools = ToolSet((WEATHER, Tool("bad", kind="custom", grammar=InputGrammar(syntax, "start: (("), place="tools[1]")))
    request = replace(asked(ToolChoice("required")), tools=tools)
    with pytest.raises(ConstraintError) as caught:
        answered(service, request)
    assert caught.value.param == "tools[1].custom.format"


def plan(*tools: Tool) -> Plan:
    declared = ToolSet(tools)
    calls = ToolPlan(tools=declared, choice=ToolChoice("auto"), format=get_format("hermes"))
    return Plan(tool_plan=calls)


@pytest.mark.parametrize(
    ("call", "holds"),
    [
        (Call("1", "shell", 'say "a"!', "custom"), True),
        (Call("1", "shell", 'say "A"', "custom"), False),
        (Call("1", "nest", '("\n)', "custom"), True),
        (Call("1", "nest", "()", "custom"), False),
        (Call("1", "get_weather", '{"city": "Bern"}'), True),
        (Call("1", "get_weather", '{"city": "Rome"}'), False),
    ],
)
def test_inputs_are_verified(call, holds):
    bench = JobContext(Compiler(BYTES), Verifier())

    async def ask(job):
        return job.do(bench)

    with nullcontext() if holds else pytest.raises(VerificationError):
        asyncio.run(verify(ask, plan(*TOOLS), "", [call]))


def test_a_model_that_is_told_of_tools_in_words_calls_them(untaught):
    assert untaught._loaded.tool_format is get_format("generic")
    (answer,) = answered(untaught, asked(ToolChoice("named", "get_weather", False, ("get_weather",))))
    (call,) = answer.calls
    assert json.loads(call.arguments)["city"] in ("Bern", "Oslo")
    prompt = asyncio.run(untaught.render(asked(ToolChoice("auto")))).text
    assert '"get_weather"' in prompt
    assert '{"tool_calls": [' in prompt
    assert '{"response": ...}' in prompt


def test_a_model_that_is_told_of_tools_in_words_may_answer(untaught):
    request = asked(ToolChoice("auto"), n=12)
    hot = replace(request.options, sampling=Sampling(temperature=4.0, seed=2), max_tokens=200)
    answers = answered(untaught, replace(request, options=hot))
    assert 0 < sum(bool(answer.calls) for answer in answers) < 12
    assert all('{"response"' not in answer.text for answer in answers)
    assert all(not answer.text for answer in answers if answer.calls)


@pytest.mark.parametrize("name", ["llama3_json", "mistral", "kimi_k2", "functionary_v32", "deepseek_v3", "qwen3_coder"])
def test_the_format_that_is_configured_is_spoken(tmp_path, name):
    config = config_for(write_tiny_model(tmp_path, template=NO_PAST_CALLS))
    service = Service.load(replace(config, model=replace(config.model, tool_format=name)))
    try:
        (answer,) = answered(service, asked(ToolChoice("named", "get_weather", False, ("get_weather",))))
        (call,) = answer.calls
        assert json.loads(call.arguments)["city"] in ("Bern", "Oslo")
        if name == "mistral":
            assert re.fullmatch("[0-9A-Za-z]{9}", call.id)
        if name == "kimi_k2":
            assert re.fullmatch("functions.get_weather:[0-9]+", call.id)
        again = answered(service, asked(ToolChoice("named", "get_weather", False, ("get_weather",))))
        assert again[0].calls == answer.calls
    finally:
        service.close()


HISTORY = [
    {"role": "user", "content": "Weather?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "get_weather", "arguments": {"city": "Bern"}}}
        ],
    },
    {"role": "tool", "tool_call_id": "a", "content": "mild"},
    {"role": "tool", "tool_call_id": "b", "content": "wet"},
    {"role": "user", "content": "So?"},
]


def test_tell_turns_calls_and_results_into_text():
    spec = get_format("generic")
    plain = with_tools_as_text(HISTORY, None, spec)
    assert [message["role"] for message in plain] == ["user", "assistant", "user"]
    assert plain[1]["content"] == '{"tool_calls": [{"name": "get_weather", "arguments": {"city": "Bern"}}]}'
    assert plain[2]["content"] == "Result of get_weather:\nmild\n\nResult of the call:\nwet\n\nSo?"
    assert HISTORY[0]["content"] == "Weather?"


@pytest.mark.parametrize("name", ["generic", "tgi", "smollm2"])
def test_models_are_told_of_tools_without_a_text_to_copy(name):
    told = instructions(TOOLS, get_format(name))
    assert "{tools}" not in told
    assert all(f'"name": "{tool.name}"' in told for tool in TOOLS)
    assert not re.search(r"your answer|tool_name|func_name|\bvalue\b|\"\.\.\.", told)


@pytest.mark.parametrize(
    ("messages", "role"),
    [
        ([{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}], "system"),
        ([{"role": "user", "content": "Hi"}], "user"),
        ([{"role": "assistant", "content": "Hi"}], "user"),
    ],
)
def test_tell_puts_tools_where_every_template_shows_them(messages, role):
    told = instructions(TOOLS, get_format("generic"))
    plain = with_tools_as_text(messages, TOOLS, get_format("generic"))
    (holder,) = [message for message in plain if told in message["content"]]
    assert holder["role"] == role
    assert [message["content"] for message in messages] == [
        "Be kind." if each["role"] == "system" else "Hi" for each in messages
    ]


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("hermes", ["call_1", "functions.g:5", "call_1", "other"]),
        ("kimi_k2", ["functions.f:0", "functions.g:5", "functions.f:0", "other"]),
    ],
)
def test_earlier_calls_keep_their_ids_or_get_known_ones(name, ids):
    calls = [("f", "call_1"), ("g", "functions.g:5")]
    made = [{"id": id, "type": "function", "function": {"name": name, "arguments": {}}} for name, id in calls]
    messages = [
        {"role": "assistant", "content": None, "tool_calls": made},
        {"role": "tool", "tool_call_id": "call_1", "content": ""},
        {"role": "tool", "tool_call_id": "other", "content": ""},
    ]
    (first, *results) = with_known_ids(messages, get_format(name).known_id)
    assert [*(call["id"] for call in first["tool_calls"]), *(each["tool_call_id"] for each in results)] == ids
    assert made[0]["id"] == "call_1"


def test_earlier_calls_have_nine_characters_where_a_family_wants_them():
    (answer, result, _, _) = with_known_ids(HISTORY[1:], get_format("mistral").known_id)
    (call,) = answer["tool_calls"]
    assert re.fullmatch("[0-9A-Za-z]{9}", call["id"])
    assert result["tool_call_id"] == call["id"]
