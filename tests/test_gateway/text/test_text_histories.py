"""Histories as clients send them, through a template of each family: all are rendered, nothing absent is printed."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from family_templates import (
    CHATML,
    FAMILIES,
    FUNCTIONARY,
    GEMMA2,
    GPT_OSS,
    HERMES_TOOLS,
    LLAMA31,
    MISTRAL,
    QWEN3,
    QWEN35,
)
from histories import CALLING, FORMATS, HISTORIES, SPECIAL, TEMPLATES, THOUGHTFUL, USER, call, made, wired

from gateway.errors import InvalidRequestError
from gateway.service.request.tools_in_prompt import with_tools_as_text
from gateway.text import ChatTemplate
from gateway.text.message_text import plain_messages, plain_tools
from tools import get_format
from tools.formats.ids import with_known_ids
from tools.toolset import ToolSet

ABSENT = re.compile(r"\bNone\b|\bnull\b|Undefined|&#?\w+;")


@pytest.fixture(scope="module")
def render_with_transformers() -> Callable[..., str]:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from transformers import PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel({"a": 0}, unk_token="a")), **SPECIAL)

    def render(source: str, messages: list[Any], tools: list[Any], **variables: Any) -> str:
        rendered = tokenizer.apply_chat_template(
            messages,
            tools=tools or None,
            # Its `safe` escapes what is joined to the text.
            chat_template=source.replace("| safe", ""),
            tokenize=False,
            add_generation_prompt=True,
            **variables,
        )
        return str(rendered)

    return render


def told(source: str, name: str, history: str) -> tuple[ChatTemplate, list[Any], list[dict[str, Any]]]:
    """The template, and what of a history reaches it."""
    given, declared, _ = HISTORIES[history]
    messages = wired(given)
    tools = ToolSet.from_openai(declared)
    template = made(source)
    spec = get_format(FORMATS.get(name, "hermes"))
    messages = list(with_known_ids(messages, spec.known_id))
    if not spec.is_known_to(template.variables):
        return template, with_tools_as_text(messages, tools, spec), []
    return template, messages, tools.to_openai()


EVERY = [
    pytest.param(name, history, marks=() if (number + place) % 3 == 0 else pytest.mark.slow, id=f"{name}-{history}")
    for number, name in enumerate(TEMPLATES)
    for place, history in enumerate(HISTORIES)
]
"""A third of all pairs in the ordinary run, in which every template and every history is there."""


@pytest.mark.parametrize(("name", "history"), EVERY)
def test_every_family_renders_every_history(
    name: str, history: str, render_with_transformers: Callable[..., str]
) -> None:
    source = TEMPLATES[name]
    template, messages, tools = told(source, name, history)
    prompt = template.prompt(messages, tools)
    assert not ABSENT.search(prompt), prompt
    for text in HISTORIES[history][2]:
        assert text in prompt
    plain, full = plain_messages(messages, template.requirements), plain_tools(tools)
    words = template._words(full)
    if name != "functiongemma":
        # Both names of what was thought are told to a template.
        plain = [{**m, "thinking": m["reasoning_content"]} if "reasoning_content" in m else m for m in plain]
    assert prompt == render_with_transformers(source, plain, full, **words)


@pytest.mark.parametrize("history", [name for name, (_, tools, _) in HISTORIES.items() if tools])
def test_a_template_for_requests_with_tools_renders_them(history: str) -> None:
    template, messages, tools = told(HERMES_TOOLS, "hermes", history)
    prompt = template.prompt(messages, tools)
    assert not ABSENT.search(prompt), prompt
    assert all(text in prompt for text in HISTORIES[history][2])


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (CHATML, {}),
        (QWEN3, {}),
        (QWEN35, {"system": "first", "user": "needed"}),
        (GPT_OSS, {"system": "first"}),
        (LLAMA31, {"calls_alone": True}),
        (MISTRAL, {"system": "first", "takes_turns": True, "answers_results": True, "user": "first"}),
        (GEMMA2, {"system": "none", "takes_turns": True, "user": "first"}),
        (FUNCTIONARY, {"arguments": "text"}),
        (FAMILIES["parts"], {"content": "parts"}),
        (FAMILIES["functiongemma"], {"names_results": True}),
    ],
)
def test_what_a_template_wants_is_found_out(source: str, wanted: dict[str, Any]) -> None:
    wants = made(source).requirements
    usual = {
        "arguments": "objects",
        "content": "text",
        "system": "anywhere",
        "takes_turns": False,
        "names_results": False,
        "calls_alone": False,
        "answers_results": False,
        "user": "optional",
    }
    assert {name: getattr(wants, name) for name in usual} == {**usual, **wanted}


# Adds the system's message to a text without looking whether there is one; the other counts tools that there are not.
SYSTEM_NEEDED = """\
{% if messages[0]['role'] == 'system' %}{% set told = messages[0]['content'] %}{% endif %}{{ '<s>' + told }}
{% for m in messages if m['role'] != 'system' %}{{ '[' + m['role'] + ']' + m['content'] }}{% endfor %}
"""
TOOLS_NEEDED = """\
{% if tools | length > 0 %}{{ tools | tojson }}{% endif %}
{% for m in messages %}{{ '[' + m['role'] + ']' + m['content'] }}{% endfor %}
"""


@pytest.mark.parametrize("source", [SYSTEM_NEEDED, TOOLS_NEEDED], ids=["system", "tools"])
@pytest.mark.parametrize("history", ["plain", "system", "turns", "system-alone", "greeting", "assistants", "users"])
def test_what_a_template_takes_for_granted_is_given(source: str, history: str) -> None:
    given, declared, texts = HISTORIES[history]
    prompt = made(source).prompt(wired(given), declared)
    assert not ABSENT.search(prompt), prompt
    assert all(text in prompt for text in texts)


def test_several_calls_are_told_one_by_one_each_with_its_result() -> None:
    messages = [
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": "Both.", "tool_calls": [call("a"), call("b")]},
        {"role": "tool", "tool_call_id": "b", "content": "of b"},
        {"role": "tool", "tool_call_id": "a", "content": "of a"},
        {"role": "assistant", "content": "Done."},
    ]
    plain = plain_messages(messages, ChatTemplate(LLAMA31, SPECIAL).requirements)
    assert [(m["role"], m["content"]) for m in plain[1:]] == [
        ("assistant", "Both."),
        ("tool", "of a"),
        ("assistant", ""),
        ("tool", "of b"),
        ("assistant", "Done."),
    ]


def test_neighbours_of_one_role_are_one_message_with_names_or_without() -> None:
    messages = [{**USER, "name": "bob"}, {"role": "user", "content": "Please."}]
    (plain,) = plain_messages(messages, ChatTemplate(MISTRAL, SPECIAL).requirements)
    assert plain == {"role": "user", "content": f"{USER['content']}\n\nPlease."}


def test_a_refusal_of_the_template_is_told_in_its_words() -> None:
    with pytest.raises(InvalidRequestError, match="nine characters") as caught:
        ChatTemplate(MISTRAL, SPECIAL).prompt([USER, CALLING])
    assert caught.value.param == "messages"


def test_safe_text_is_joined_as_it_is() -> None:
    template = ChatTemplate("""{{ (messages[0].content | tojson | safe) + '[{"name": "<f>"}]' }}""")
    assert template.prompt([{"role": "user", "content": "a"}]) == '"a"[{"name": "<f>"}]'


@pytest.mark.parametrize("name", ["reasoning_content", "thinking", "tool_plan", "thought"])
def test_earlier_thoughts_are_told_by_the_name_that_a_template_has_for_them(name: str) -> None:
    template = ChatTemplate(f"{{% for m in messages %}}<{{{{ m.{name} }}}}>{{% endfor %}}")
    assert template.prompt([USER, THOUGHTFUL]) == "<><A tool.>"
