"""Templates that do not show all that a conversation has of tools, or fail on it: whatever it is, it is told."""

from __future__ import annotations

from typing import Any

import pytest
from family_shapes import SHAPES, template_of
from histories import CALLING, HISTORIES, RESULT, SPECIAL, THOUGHTFUL, USER, WEATHER, call, wired

from gateway.core.request import ChatRequest
from gateway.service.request.rendering import template_input, text_of
from gateway.text import ChatTemplate
from gateway.text.message_text import plain_messages, plain_tools
from tools import Transcript, get_format
from tools.toolset import ToolSet

QWEN = template_of(SHAPES["qwen2.5"])
HERMES = get_format("hermes")
TOOLS = ToolSet.from_openai([WEATHER])

CALLS = "m.tool_calls or []"
ROLES = "{%- for m in messages %}{{- turn(m.role) }}"
DECLARED = "{%- for tool in tools or [] %}"
DESCRIBED = "{%- for each in tool.function.parameters.properties.values() %}{{- each.description + '' }}{%- endfor %}"
assert all(QWEN.count(part) == 1 for part in (CALLS, ROLES, DECLARED))


def refusing(condition: str, source: str = QWEN) -> str:
    """The template, which now fails on a message of which something is true."""
    return source.replace(ROLES, f"{ROLES}{{%- if {condition} %}}{{{{- raise_exception('no') }}}}{{%- endif %}}")


UNSHOWN = {
    "no calls": QWEN.replace(CALLS, "[]"),
    "no results": QWEN.replace(ROLES, ROLES.replace("messages", "messages if m.role != 'tool'")),
    "neither": QWEN.replace(CALLS, "[]").replace(ROLES, ROLES.replace("messages", "messages if m.role != 'tool'")),
    "calls refused": refusing("m.tool_calls"),
    "results refused": refusing("m.role == 'tool'"),
    "one call of several": QWEN.replace(CALLS, "(m.tool_calls or [])[:1]"),
    "no tools": QWEN.replace(DECLARED, "{%- for tool in [] %}"),
    "tools refused": "{%- if tools %}{{ raise_exception('no') }}{%- endif %}" + QWEN,
    "thoughts or content": refusing("m.tool_calls and m.content and m.thinking"),
    "thoughts over content": QWEN.replace("{%- if m.content %}", "{%- if m.content and not m.reasoning_content %}"),
    "nothing empty": refusing("m.role == 'assistant' and not (m.content or m.tool_calls)"),
    "functions": QWEN.replace("(tool | tojson)", "(tool.description + (tool | tojson))"),
    "described": QWEN.replace(DECLARED, DECLARED + DESCRIBED),
}  # fmt: skip


def prompt_of(source: str, messages: list[dict[str, Any]], tools: ToolSet | None = TOOLS) -> str:
    template = ChatTemplate(source, SPECIAL)
    return text_of(HERMES, template, ChatRequest(messages=tuple(wired(messages)), tools=tools), tools, {})


@pytest.mark.parametrize("history", HISTORIES)
@pytest.mark.parametrize("name", UNSHOWN)
def test_everything_said_is_shown(name: str, history: str) -> None:
    messages, tools, texts = HISTORIES[history]
    prompt = prompt_of(UNSHOWN[name], messages, ToolSet.from_openai(tools) if tools else None)
    for text in texts:
        assert text in prompt
    assert "None" not in prompt


@pytest.mark.parametrize("name", UNSHOWN)
def test_what_is_told_of_a_call_is_read_as_that_call(name: str) -> None:
    prompt = prompt_of(UNSHOWN[name], [USER, CALLING, RESULT])
    parser = HERMES.parser(TOOLS)
    found = Transcript.of([*parser.feed(prompt[prompt.index("Bern") :]), *parser.finish()])
    assert [(made.name, made.arguments) for made in found.calls] == [("get_weather", '{"city": "Bern"}')]


def test_several_calls_of_which_one_would_be_shown_are_told_one_by_one() -> None:
    both = {**CALLING, "tool_calls": [call(), call("call_2", "Lima")]}
    wants = ChatTemplate(UNSHOWN["one call of several"], SPECIAL).requirements
    assert wants.calls_alone
    told_apart = plain_messages([both, RESULT, {**RESULT, "tool_call_id": "call_2"}], wants)
    assert [len(each.get("tool_calls", ())) for each in told_apart] == [1, 0, 1, 0]


def test_content_joins_the_thoughts_where_a_call_has_but_one_of_both() -> None:
    wants = ChatTemplate(UNSHOWN["thoughts or content"], SPECIAL).requirements
    (plain,) = plain_messages([THOUGHTFUL], wants)
    assert (plain["reasoning_content"], plain["content"]) == ("A tool.\n\nLet me look.", "")


def test_thoughts_are_not_told_where_what_was_said_would_be_lost() -> None:
    wants = ChatTemplate(UNSHOWN["thoughts over content"], SPECIAL).requirements
    said = {"role": "assistant", "content": "Mild.", "reasoning_content": "Hm."}
    assert plain_messages([said], wants) == [{"role": "assistant", "content": "Mild."}]


def test_declarations_are_given_as_the_template_reads_them() -> None:
    functions, described = (ChatTemplate(UNSHOWN[name], SPECIAL).requirements for name in ("functions", "described"))
    assert plain_tools([WEATHER], functions) == [WEATHER["function"]]
    (plain,) = plain_tools([WEATHER], described)
    assert plain["function"]["parameters"]["properties"]["city"] == {"description": "", "type": "string"}


def test_what_is_shown_stays_as_it_is() -> None:
    messages = [USER, CALLING, RESULT]
    assert template_input(messages, TOOLS, HERMES, ChatTemplate(QWEN, SPECIAL)) == (messages, TOOLS.to_openai())
