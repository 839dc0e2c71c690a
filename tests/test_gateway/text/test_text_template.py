"""Chat templates: the same text as `tokenizer.apply_chat_template`, bounded, and errors that speak."""

from datetime import datetime
from typing import Any

import pytest

from gateway.errors import ContextLengthError, InvalidRequestError, ModelLoadError
from gateway.text import ChatTemplate, chat_template

CHATML = """\
{%- for message in messages %}
{{- '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
{%- endif %}
"""

CHATML_TOOLS = """\
{%- if tools %}
    {{- '<|im_start|>system\\n' }}
    {%- if messages[0].role == 'system' %}{{- messages[0].content + '\\n\\n' }}{%- endif %}
    {{- "# Tools\\n\\nSignatures are within <tools></tools> XML tags:\\n<tools>" }}
    {%- for tool in tools %}
        {{- "\\n" }}
        {{- tool | tojson }}
    {%- endfor %}
    {{- "\\n</tools>\\n<tool_call>\\n{\\"name\\": <name>, \\"arguments\\": <json>}\\n</tool_call><|im_end|>\\n" }}
{%- elif messages[0].role == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
{%- endif %}
{%- set ns = namespace(last=messages|length - 1, seen=false) %}
{%- for message in messages[::-1] %}
    {%- if message.role == 'user' and not ns.seen %}
        {%- set ns.last = messages|length - 1 - loop.index0 %}
        {%- set ns.seen = true %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.role == 'system' %}{% continue %}{% endif %}
    {%- if message.role in ('user', 'system') %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
    {%- elif message.role == 'assistant' %}
        {%- generation %}
        {{- '<|im_start|>assistant\\n' }}
        {%- if message.reasoning_content is defined and loop.index0 > ns.last %}
            {{- '<think>\\n' + message.reasoning_content.strip('\\n') + '\\n</think>\\n\\n' }}
        {%- endif %}
        {{- message.content or '' }}
        {%- for call in message.tool_calls or [] %}
            {%- set call = call.function if call.function is defined else call %}
            {{- '\\n<tool_call>\\n{"name": "' + call.name + '", "arguments": ' }}
            {{- call.arguments if call.arguments is string else call.arguments | tojson }}
            {{- '}\\n</tool_call>' }}
        {%- endfor %}
        {{- '<|im_end|>\\n' }}
        {%- endgeneration %}
    {%- elif message.role == 'tool' %}
        {{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}
{%- endif %}
"""

HEADERS = """\
{{- bos_token }}
{%- if not date_string is defined %}{%- set date_string = "26 Jul 2024" %}{%- endif %}
{%- macro head(role) %}{{ '<|start_header_id|>' ~ role ~ '<|end_header_id|>\\n\\n' }}{%- endmacro %}
{{- head('system') + 'Today Date: ' + date_string }}
{% for tool in tools or [] %}
{{ tool | tojson(indent=4) }}
{% endfor %}
{%- for message in messages if message.role != 'system' %}
    {%- if loop.first and message.role != 'user' -%}
        {{ raise_exception('the first message must be from a user') }}
    {%- endif %}
    {{- head(message['role']) + message['content'] | trim + eos_token }}
    {%- if loop.index > 20 %}{%- break %}{%- endif %}
{%- endfor %}
"""

TOOLS: list[dict[str, Any]] = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "Wetter für <eine> Stadt & 'mehr'",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        },
    }
]

PLAIN = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Grüße <b>&amp;</b> 😀 \n"},
    {"role": "assistant", "content": "Hi."},
    {"role": "user", "content": "More"},
]

CALLING: list[dict[str, Any]] = [
    {"role": "user", "content": "Weather?"},
    {
        "role": "assistant",
        "content": "",
        "reasoning": "\nI need a tool.\n",
        "tool_calls": [
            {"type": "function", "function": {"name": "get_weather", "arguments": {"city": "Zürich"}}},
            {"type": "function", "function": {"name": "get_weather", "arguments": '{"city":  "X"}'}},
        ],
    },
    {"role": "tool", "content": "12 °C"},
]

SPECIAL = {"bos_token": "<s>", "eos_token": "</s>"}


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel({"a": 0}, unk_token="a")), **SPECIAL)


@pytest.mark.parametrize("prompt", [True, False], ids=["prompt", "no-prompt"])
@pytest.mark.parametrize("tools", [None, TOOLS], ids=["no-tools", "tools"])
@pytest.mark.parametrize(
    ("source", "messages", "variables"),
    [
        (CHATML, PLAIN, {}),
        (CHATML_TOOLS, PLAIN, {}),
        (CHATML_TOOLS, CALLING, {"enable_thinking": False}),
        (CHATML_TOOLS, CALLING, {}),
        (HEADERS, PLAIN, {}),
        (HEADERS, PLAIN, {"date_string": "1 Jan", "bos_token": "[B]"}),
    ],
    ids=["chatml", "chatml-tools", "calling-no-think", "calling", "headers", "headers-variables"],
)
def test_chat_template_equals_transformers(
    tokenizer: Any, source: str, messages: list[Any], variables: dict[str, Any], tools: Any, prompt: bool
) -> None:
    expected = tokenizer.apply_chat_template(
        messages, tools=tools, chat_template=source, tokenize=False, add_generation_prompt=prompt, **variables
    )
    template = chat_template(source, SPECIAL)
    assert template.render(messages, tools, add_generation_prompt=prompt, variables=variables) == expected


def test_chat_template_passes_on_what_the_template_says() -> None:
    with pytest.raises(InvalidRequestError, match="the first message must be from a user") as caught:
        chat_template(HEADERS, SPECIAL).render([{"role": "assistant", "content": "x"}])
    assert caught.value.param == "messages"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("{{ messages[0].content + 1 }}", "TypeError"),
        ("{{ nothing.at.all }}", "UndefinedError"),
        ("{{ ''.__class__.__mro__ }}", "SecurityError"),
        ("{{ messages.append(1) }}", "SecurityError"),
        ("{% set ns = namespace(__class__=1) %}", "SecurityError"),
        ("{% set ns = namespace() %}{% set ns._x = 1 %}", "SecurityError"),
        ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "RecursionError"),
        ("{% for i in range(10000000) %}{% endfor %}", "OverflowError"),
        ("{{ cycler.__init__.__globals__ }}", "SecurityError"),
    ],
)
def test_chat_template_contains_failures(source: str, said: str) -> None:
    with pytest.raises(InvalidRequestError, match=said):
        ChatTemplate(source).render([{"role": "user", "content": "x"}])


def test_chat_template_bounds_its_output() -> None:
    source = "{% for i in range(1000) %}{{ messages[0].content }}{% endfor %}"
    message = {"role": "user", "content": "x" * 100}
    assert len(ChatTemplate(source, max_characters=100_000).render([message])) == 100_000
    with pytest.raises(ContextLengthError):
        ChatTemplate(source, max_characters=99_999).render([message])


ENDLESS = {
    "loops": "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    "a loop within itself": "{% for a in range(99) recursive %}{{ loop(range(99)) if loop.depth < 9 }}{% endfor %}",
    "a loop that leaves out": "{% for a in range(99) %}{% for b in range(99999) if b < 0 %}{% endfor %}{% endfor %}",
    "constants": "{% for a in [1, 2] %}" * 18 + "{% endfor %}" * 18,
    "macros": "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}",
    "a long text": "{{ 'x' * 10 ** 12 }}",
    "a long list": "{% set x = 10 ** 12 * [1] %}",
    "a large number": "{{ 9 ** 99999999 }}",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_chat_template_that_does_not_end_is_stopped(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.text.template.MAX_STEPS", 20_000)
    template = ChatTemplate(ENDLESS[name] + "{{ messages | length }}")
    messages = [{"role": "user", "content": "x"}]
    with pytest.raises(
        InvalidRequestError, match=r"the chat template failed: .*it (takes|makes something of) more than"
    ):
        template.render(messages, [{"type": "function"}])
    with pytest.raises(ModelLoadError, match=r"cannot be used: it (takes|makes something of) more than"):
        template.told(messages, [])
    with pytest.raises(ModelLoadError, match="cannot be used"):
        _ = template.requirements


def test_chat_template_loops_tell_of_themselves_what_they_told_before_they_were_counted() -> None:
    source = (
        "{% for m in messages %}{{ loop.index }}/{{ loop.length }}{{ '.' if loop.last else ',' }}"
        "{% for k, v in m.items() | sort %}{{ k[0] }}{% endfor %}{% else %}none{% endfor %}"
        "{% for m in messages if m.role == 'user' %}{{ loop.revindex }}{% endfor %}"
        "{% for m in messages | selectattr('role') %}{{ loop.length }}{{ loop.first }}{% endfor %}"
        "{% for a in [[1, []], [2, [[3, []]]]] recursive %}{{ loop.depth }}{{ a[0] }}{{ loop(a[1]) }}{% endfor %}"
    )
    messages = [{"role": role, "content": "x"} for role in ("user", "tool")]
    assert ChatTemplate(source).render(messages) == "1/2,cr2/2.cr12True2False111223"


def test_chat_template_refuses_bad_syntax_with_the_line() -> None:
    with pytest.raises(ModelLoadError, match="line 2"):
        ChatTemplate("a\n{% if %}")


@pytest.mark.parametrize("name", ["messages", "tools", "add_generation_prompt"])
def test_chat_template_variables_replace_nothing_of_ours(name: str) -> None:
    with pytest.raises(InvalidRequestError, match=name):
        ChatTemplate(CHATML).render(PLAIN, variables={name: []})


def test_chat_template_knows_its_variables() -> None:
    assert "tools" in ChatTemplate(CHATML_TOOLS).variables
    assert "tools" not in ChatTemplate(CHATML).variables


def test_chat_template_reads_the_clock() -> None:
    template = ChatTemplate("{{ strftime_now('%Y-%m') }}", now=lambda: datetime(2031, 5, 1))
    assert template.render([]) == "2031-05"


def test_chat_template_is_compiled_once() -> None:
    assert chat_template(CHATML, SPECIAL) is chat_template(CHATML, dict(SPECIAL))
    assert chat_template(CHATML) is not chat_template(CHATML, SPECIAL)
