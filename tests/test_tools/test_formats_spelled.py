"""Formats whose arguments are not JSON: golden texts however they are cut, random calls, and what hostile text does."""

import json
import random
import re
from typing import Any

import pytest
import reading
from format_files import DESCRIBED
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from spelled import ARGUMENTS, CITY, GOLDEN, SPELLED, TOOLS, as_written, golden_calls

from tools import (
    CallBroken,
    Event,
    Format,
    Tool,
    ToolCall,
    ToolSet,
    Transcript,
    UnwritableCallError,
    detect_format,
    get_format,
    seeded_ids,
)

formats = pytest.mark.parametrize("spec", SPELLED, ids=lambda spec: spec.name)


def read(spec: Format, pieces: list[str], tools: ToolSet = TOOLS) -> list[Event]:
    return reading.read(spec, pieces, tools)


def transcript(spec: Format, text: str) -> Transcript:
    return Transcript.of(read(spec, [text]))


def made(spec: Format, text: str) -> list[tuple[str, str]]:
    return [(call.name, call.arguments) for call in transcript(spec, text).calls]


def json_items(text: str) -> Any:
    """What JSON text says, numbers as they are spelled and members in their order."""
    return json.loads(text, parse_float=str, parse_int=str, object_pairs_hook=list)


def test_every_family_has_a_golden_text() -> None:
    assert set(GOLDEN) == {spec.name for spec in SPELLED}


@formats
def test_golden_text_is_read_and_written(spec: Format) -> None:
    found = transcript(spec, GOLDEN[spec.name])
    assert made(spec, GOLDEN[spec.name]) == golden_calls(spec)
    assert (found.content, found.broken) == ("", [])
    calls = [ToolCall(f"id{index}", name, text) for index, (name, text) in enumerate(golden_calls(spec))]
    assert spec.render(calls, TOOLS) == GOLDEN[spec.name]


@formats
def test_golden_text_says_the_same_however_it_is_cut(spec: Format) -> None:
    text = ("" if spec.native.at_start else "Well:\n") + GOLDEN[spec.name] + "\n"
    whole = read(spec, [text])
    for at in range(0, len(text) + 1, 2):
        assert read(spec, [text[:at], text[at:]]) == whole
    source = random.Random(5)
    for _ in range(20):
        first, second = sorted(source.sample(range(len(text) + 1), 2))
        assert read(spec, [text[:first], text[first:second], text[second:]]) == whole
    assert read(spec, list(text)) == whole


@formats
def test_a_prefix_never_says_more_than_the_whole(spec: Format) -> None:
    text = GOLDEN[spec.name]
    whole = golden_calls(spec)
    for size in range(len(text)):
        found = Transcript.of(read(spec, [text[:size]]))
        finished = [(call.name, call.arguments) for call in found.calls]
        assert finished == whole[: len(finished)]
        assert all(broken.truncated for broken in found.broken)
        # The text may end within a marker that would begin another call.
        marks = (*spec.beginnings(TOOLS), *spec.marks(TOOLS))
        assert any(mark.startswith(found.content) for mark in marks)


names = st.from_regex(r"[a-z_][a-z0-9_]{0,6}", fullmatch=True)
MARKUP = [
    "</parameter>", "\n</parameter>\n", "<parameter=x>", "</tool_call>", "</arg_value>", "<arg_key>", "<|close|>", "'",
    '"', "\\", "\\n", "null", "true", "1", " 5 ", "[", "{}", '{"a": 1}', "None", "<escape>x", '<|"|>', "</cofl:value>",
    "</｜DSML｜parameter>", "\n", "\u2028", "é", "\U0001f600", "\x00", "[f(a=1)]", "f(", ")",
]  # fmt: skip
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=10) | st.lists(
    st.sampled_from(MARKUP), max_size=4
).map("".join)
numbers = st.sampled_from(["0", "-1", "12345678901234567890123", "1.10", "-2.5e-7", "1E400", "0.1000000000000000055"])


@st.composite
def json_texts(draw: st.DrawFn, depth: int = 2) -> str:
    kind = draw(st.integers(0, 5 if depth else 3))
    if kind == 0:
        return draw(numbers)
    if kind == 1:
        return draw(st.sampled_from(["null", "true", "false"]))
    if kind in (2, 3):
        return json.dumps(draw(texts), ensure_ascii=draw(st.booleans()))
    if kind == 4:
        return f"[{', '.join(draw(st.lists(json_texts(depth - 1), max_size=3)))}]"
    members = draw(st.dictionaries(names, json_texts(depth - 1), max_size=3))
    return "{" + ", ".join(f'"{name}": {value}' for name, value in members.items()) + "}"


typed = st.fixed_dictionaries(
    {"city": texts.map(json.dumps)},
    optional={
        "days": st.sampled_from(["0", "12345678901234567890123"]),
        "unit": st.sampled_from(['"celsius"', "null", "5"]),
        "exact": st.sampled_from(["true", "false"]),
    },
)
arguments_made = st.one_of(
    st.tuples(st.just("get_weather"), typed),
    st.tuples(st.just("any"), st.dictionaries(names, json_texts(), max_size=4)),
    st.tuples(st.just("undeclared"), st.dictionaries(names, json_texts(), max_size=4)),
)


@formats
@settings(max_examples=12, deadline=None)
@given(wanted=st.lists(arguments_made, min_size=1, max_size=3), size=st.integers(1, 40))
def test_format_reads_what_it_writes(spec: Format, wanted: list[tuple[str, dict[str, str]]], size: int) -> None:
    objects = ["{" + ", ".join(f'"{name}": {value}' for name, value in each.items()) + "}" for _, each in wanted]
    calls = [ToolCall("", name, text) for (name, _), text in zip(wanted, objects, strict=True)]
    try:
        text = spec.render(calls, TOOLS)
    except UnwritableCallError:
        # Only text in which a string would end early cannot be written.
        assert any(mark in each for mark in ("<", "|") for each in objects)
        assume(False)
    events = read(spec, [text[at : at + size] for at in range(0, len(text), size)])
    found = Transcript.of(events)
    assert [call.name for call in found.calls] == [name for name, _ in wanted]
    assert [json_items(call.arguments) for call in found.calls] == [
        json_items(as_written(spec, each)) for each in objects
    ]
    assert (found.content, found.broken) == ("", [])
    assert read(spec, [text]) == events


@pytest.mark.parametrize("number", ["12345678901234567890123", "1.10", "1E400", "-0.0", "0.1000000000000000055"])
@formats
def test_numbers_stay_as_they_are_written(spec: Format, number: str) -> None:
    arguments = f'{{"x": {number}, "y": [{number}]}}'
    assert made(spec, spec.render([ToolCall("", "any", arguments)], TOOLS)) == [("any", arguments)]


@formats
def test_the_first_of_two_members_of_one_name_counts(spec: Format) -> None:
    text = spec.render([ToolCall("", "any", '{"a": 1, "b": [2], "a": {"c": 3, "c": 4}}')], TOOLS)
    ((_, arguments),) = made(spec, text)
    assert arguments == '{"a": 1, "b": [2]}'


@formats
def test_a_string_arrives_before_its_end(spec: Format) -> None:
    text = spec.render([ToolCall("", "get_weather", json.dumps({"city": "x" * 500}))], TOOLS)
    parser = spec.parser(TOOLS, ids=seeded_ids(1))
    events = parser.feed(text[: text.index("x" * 400) + 400])
    assert "x" * 300 in "".join(getattr(event, "text", "") for event in events)


@formats
def test_a_broken_call_leaks_no_markup(spec: Format) -> None:
    text = GOLDEN[spec.name]
    cut = text[: text.index("days")]
    for broken in (cut + "\x00 \x00", cut, cut + "<<<>>>[[("):
        for after in ("", "\n" + spec.render([ToolCall("", "now", "{}")])):
            found = transcript(spec, broken + ("" if spec.native.at_start else after))
            assert found.broken
            assert not re.search(r"[<>\[(]|call:|city", found.content)


@formats
def test_reading_is_linear(spec: Format) -> None:
    """No length of hostile text takes steps that multiply: what takes seconds here would take days."""
    begin = GOLDEN[spec.name][: GOLDEN[spec.name].index("city")]
    value = spec.native.body.write('{"city": "x"}', TOOLS.get("get_weather"))
    member, _, ending = value.partition("x")
    size = 10_000
    for hostile in (
        begin + "a" * size,
        begin + member + ending[:1] * size,
        begin + member + ending[:-1] * (size // 10),
        begin + member + (ending + " ") * (size // 20),
        begin + member + "\n" * size,
        begin + "[" * size,
        begin + "a=" + "[" * size,
        begin + "a:" + "{" * size,
        begin + "days=" + "9" * size,
    ):
        found = Transcript.of(read(spec, [hostile[at : at + 7] for at in range(0, len(hostile), 7)]))
        assert all(isinstance(broken, CallBroken) for broken in found.broken)


@pytest.mark.parametrize(
    ("value", "arguments"),
    [
        ("1", '{"city": "1"}'),
        ("true", '{"city": "true"}'),
        ('"quoted"', '{"city": "\\"quoted\\""}'),
        ("{}", '{"city": "{}"}'),
        (" x ", '{"city": " x "}'),
        ("a</parameter>b", '{"city": "a</parameter>b"}'),
        ("a\n</parameter>\nb", '{"city": "a\\n</parameter>\\nb"}'),
        ("\n</parameter>", '{"city": "\\n</parameter>"}'),
        ("\n\nx\n\n", '{"city": "\\n\\nx\\n\\n"}'),
    ],
)
def test_a_parameter_that_is_a_string_is_text(value: str, arguments: str) -> None:
    text = f"<tool_call>\n<function=get_weather>\n<parameter=city>\n{value}\n</parameter>\n</function>\n</tool_call>"
    assert made(get_format("qwen3_coder"), text) == [("get_weather", arguments)]


@pytest.mark.parametrize(
    ("name", "value", "arguments"),
    [
        ("days", "1", '{"days": 1}'),
        ("days", " 1 ", '{"days": 1}'),
        ("days", "one", '{"days": "one"}'),
        ("exact", "True", '{"exact": true}'),
        ("near", "{'x': [True, 'y']}", '{"near": {"x": [true, "y"]}}'),
        ("near", '{"x": ["</parameter>\\n<parameter=q>"]}', '{"near": {"x": ["</parameter>\\n<parameter=q>"]}}'),
        ("near", "{'x': __import__('os')}", "{\"near\": \"{'x': __import__('os')}\"}"),
        ("unit", "celsius", '{"unit": "celsius"}'),
        ("unit", '"celsius"', '{"unit": "celsius"}'),
        ("unit", "5", '{"unit": 5}'),
        ("unit", "true", '{"unit": "true"}'),
        ("unit", "[1]", '{"unit": "[1]"}'),
        ("unit", '["half', '{"unit": "[\\"half"}'),
    ],
)
def test_the_schema_says_what_a_parameter_is(name: str, value: str, arguments: str) -> None:
    text = f"<tool_call>\n<function=get_weather>\n<parameter={name}>\n{value}\n</parameter>\n</function>\n</tool_call>"
    for pieces in ([text], list(text)):
        (call,) = Transcript.of(read(get_format("qwen3_coder"), pieces)).calls
        assert call.arguments == arguments


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("'it\\'s'", '"it\'s"'),
        ('"\\x41\\u00e9\\U0001F600\\101\\q"', '"Aé\U0001f600A\\\\q"'),
        ('"\\ud83d\\ude00\\ud83d"', '"\U0001f600\ufffd"'),
        ("'''a\n'b\"'''", '"a\\n\'b\\""'),
        ("''", '""'),
        ("(1, 2,)", "[1, 2]"),
        ("[1, [], {}]", "[1, [], {}]"),
        ("{'a': None, \"b\": -1.5e3,}", '{"a": null, "b": -1.5e3}'),
        ("1_000", "1000"),
        (".5", "0.5"),
        ("5.", "5.0"),
        ("+0x1F", "31"),
        ("true", "true"),
    ],
)
def test_literals_of_python_become_json(literal: str, value: str) -> None:
    for pieces in ([f"[any(a={literal})]"], list(f"[any(a={literal}, )]")):
        (call,) = Transcript.of(read(get_format("pythonic"), pieces)).calls
        assert call.arguments == f'{{"a": {value}}}'


@pytest.mark.parametrize(
    "literal",
    ["__import__('os')", "1+1", "[x for x in y]", "f'{x}'", "lambda: 0", "a.b", "", "{1: 2}", "[" * 102 + "]" * 102],
)
def test_what_is_no_literal_breaks_the_call(literal: str) -> None:
    found = transcript(get_format("pythonic"), f"[any(a={literal})]")
    assert not found.calls
    assert len(found.broken) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("qwen3_coder", "<function=now>\n</function>\n</tool_call>"),
        ("qwen3_coder", "<tool_call><function=now></function></tool_call>"),
        ("qwen3_coder", "<tool_call>\n<function=now>\n</function>"),
        ("qwen3_coder", "<tool_call>\n<function=now>\n</tool_call>"),
        ("minimax_m2", "<minimax:tool_call><invoke name='now'></invoke></minimax:tool_call>"),
        ("deepseek_v32", "<｜DSML｜function_calls><｜DSML｜invoke name=now></｜DSML｜invoke></｜DSML｜function_calls>"),
        ("glm47", "<tool_call>\nnow\n</tool_call>"),
        ("kimi_k3", '<|open|>tools<|sep|><|open|>call tool="now"<|sep|><|close|>call<|sep|>'),
        ("llama4_pythonic", "<|python_start|>[now()]<|python_end|>"),
        ("pythonic", " [ now ( ) ] "),
        ("gemma4", "<|tool_call>call: now {  }<tool_call|>"),
    ],
)
def test_tolerated_spellings(name: str, text: str) -> None:
    for pieces in ([text], list(text)):
        found = Transcript.of(read(get_format(name), pieces))
        assert [(call.name, call.arguments) for call in found.calls] == [("now", "{}")]
        assert (found.content, found.broken) == ("", [])


def test_nested_tags_become_objects_and_lists() -> None:
    def value(head: str, *inner: str) -> str:
        return f"<cofl:value {head}>{''.join(inner)}</cofl:value>"

    nested = value(
        'name="o" type="dict"',
        value('name="s" type="raw"', "1"),
        value(
            'name="l" type="list"',
            value('type="raw"', "x</cofl:value"),
            value('type="json"', "[1]"),
            value('type="list"'),
        ),
        value('name="e" type="dict"'),
    )
    number = value('name="n" type="json"', " 5 ")
    call = f'<cofl:tool_call id="7" name="any">{nested}{number}</cofl:tool_call>'
    text = f"<cofl:tool_calls>{call}</cofl:tool_calls>"
    for pieces in ([text], list(text)):
        found = Transcript.of(read(get_format("cohere_command4"), pieces))
        (made,) = found.calls
        assert made.arguments == '{"o": {"s": "1", "l": ["x</cofl:value", [1], []], "e": {}}, "n": 5}'
        assert (found.content, found.broken) == ("", [])
    for end in range(len(text)):
        assert all(broken.truncated for broken in transcript(get_format("cohere_command4"), text[:end]).broken)


TEMPLATES = {
    "qwen3_coder": "<tool_call>\\n<function=example_function_name>\\n<parameter=example_parameter_1>\\nvalue_1\\n",
    "frog": "use this XML format:\n\n<function=function_name>\n  <parameter=param1>value1</parameter>\n</function>",
    "seed_oss": "<seed:tool_call>\n<function=example_function_name>\n<parameter=example_parameter_1>value_1",
    "hy3": "<tool_calls>\n<tool_call>{function-name}<tool_sep>\n<arg_key>{arg-key-1}</arg_key>\n",
    "hy3_opensource": "{%- set s = ':opensource' %}{{ '<tool_sep' + s + '>' }}{{ '<arg_key' + s + '>' }}",
    "glm45": "<tool_call>{function-name}\n<arg_key>{arg-key-1}</arg_key>\n<arg_value>{arg-value-1}</arg_value>\n",
    "glm47": "<tool_call>{function-name}<arg_key>{arg-key-1}</arg_key><arg_value>{arg-value-1}</arg_value></tool_call>",
    "minimax_m2": "{% set toolcall_begin_token = '<minimax:tool_call>' %} '<invoke name=\"' + tool_call.name",
    "minimax_m3": "{%- set ns_token = ']<]minimax[>[' -%}{%- set toolcall_begin_token = ns_token ~ '<tool_call>' -%}",
    "dots": "{{ '<dots_function_call>\\n<invoke name=\"' + tool_call.name + '\">\\n' }}",
    "minicpm5": "{{- '<function name=\"' ~ tool_call.name ~ '\">' }}{{- '<param name=\"' ~ param_name ~ '\">' }}",
    "gigachat35": "{{- '<｜GCML｜tool_calls>\\n' -}}{{- '<｜GCML｜invoke name=\"' ~ inner['name'] ~ '\">\\n' -}}",
    "glimmer": "{{- '<atem:function_calls>\\n<atem:invoke name=\"' + tc.function.name + '\">\\n' -}}",
    "ling3": "<tool_call>{function-name}\n<arg_key>{arg-key-1}</arg_key>{{ '<|role_end|>' }}",
    "hy4": "{% set mark = ':6124c78e' %}{{ '<arg_key{}>'.format(mark) }}{{ '<arg_value{}>'.format(mark) }}",
    "step_dr": '<steptml:toolcall>\n<steptml:invoke name="tool_name">',
    "zaya": "{{ '<zyphra_tool_call>\n<function=' + call.name + '>\n' }}",
    "longcat_tags": "<longcat_tool_call>{function-name}\n<longcat_arg_key>{arg-key-1}</longcat_arg_key>\n",
    "xingchen4": "<tool_call>{function-name}<param_key>{param-key-1}</param_key><param_value>...</tool_call>",
    "iquest": "{{ '<iquest_tool_call>' + tc.name }}<arg_key>{{ k }}</arg_key><arg_value>{{ v }}</arg_value>",
    "iquest_coder_v2": "{{ '<iquestcoder_tool_call>' + tc.name }}<arg_key>{{ k }}</arg_key><arg_value>{{ v }}",
    "minicpm3": "{{- '<|tool_call_start|>\n```python\n' }}{{- call.name + '(' }}",
    "k2_horizon": "{{ '\\n<ifm|tool_call>' + tool_call.name }}{{ '<ifm|arg_key>' + key }}",
    "solar_open2": "{{ '<|tool_call:start|>' + name }}{{ '<|tool_arg:start|>' + key }}",
    "step3": "{{ '<｜tool_calls_begin｜>' }}{{ '<steptml:invoke name=\"' + name + '\">' }}",
    "deepseek_v32": "<｜DSML｜function_calls>{% for call in message.tool_calls %}<｜DSML｜invoke name=",
    "deepseek_v4": "<｜DSML｜tool_calls>{% for call in message.tool_calls %}<｜DSML｜invoke name=",
    "deepseek_v41": "<｜DSML｜ calls>{% for call in message.tool_calls %}<｜DSML｜ invoke name=",
    "kimi_k3": "{% macro open_tag(t) %}<|open|>{{ t }}<|sep|>{% endmacro %}<|close|>",
    "cohere_command4": "<cofl:tool_calls>{% for call in calls %}<cofl:tool_call id=",
    "gemma4": "{{ '<|tool_call>call:' + function['name'] + '{' }}{{ '}<tool_call|>' }}",
    "functiongemma": "{{ '<start_function_call>call:' + function['name'] + '{' }}",
    "lfm2": '{% set ns.system_prompt = "List of tools: <|tool_list_start|>[" %}',
    "olmo3": "{{ '<function_calls>' + message['function_calls'] + '</function_calls>' }}",
    "llama4_pythonic": "{{ '<|python_start|>' }}{{ message['content'] }}{{ '<|python_end|>' }}",
    "pythonic": "put it in the format of [func_name1(params_name1=params_value1, params_name2=params_value2...)]",
}


NESTED = {
    "type": "object",
    "properties": {
        "to": {"$ref": "#/$defs/Place"},
        "items": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}},
        "tags": {"type": "array", "items": {"type": "string"}},
        "more": {"type": "object", "additionalProperties": {"type": "string"}},
        "any": {},
        "none": {"type": "array"},
    },
    "$defs": {"Place": {"type": "object", "properties": {"city": {"type": "string"}, "zip": {"type": "integer"}}}},
}


def test_tags_within_tags_are_objects_and_arrays() -> None:
    spec, tools = get_format("minimax_m3"), ToolSet((Tool("order", parameters=NESTED),))
    text = """<tool_call>
<invoke name="order"><to><city>Bern</city><zip>3000</zip></to>
<items><item><sku>1</sku><qty>2</qty></item><item><sku>x</sku></item></items><tags><item>7</item><item></item></tags>
<more><a>1</a></more><any><b><item>1</item></b></any><none></none></invoke>
</tool_call>"""
    text = text.replace("<", "]<]minimax[>[<")
    whole = read(spec, [text], tools)
    (call,) = Transcript.of(whole).calls
    assert json.loads(call.arguments) == {
        "to": {"city": "Bern", "zip": 3000},
        "items": [{"sku": "1", "qty": 2}, {"sku": "x"}],
        "tags": ["7", ""],
        "more": {"a": "1"},
        "any": {"b": [1]},
        "none": [],
    }
    for cut in range(len(text)):
        assert read(spec, [text[:cut], text[cut:]], tools) == whole
    for size in range(len(text) - len("]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>")):
        assert not Transcript.of(read(spec, [text[:size]], tools)).calls
    deep = text[: text.index("]<]minimax[>[<to>")] + "]<]minimax[>[<any>" * 200
    assert Transcript.of(read(spec, [deep], tools)).broken


def test_arguments_of_kimi_k3_may_be_one_object_of_json() -> None:
    spec = get_format("kimi_k3")
    text = (
        '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>json type="object"<|sep|>'
        f"{ARGUMENTS}<|close|>json<|sep|><|close|>call<|sep|>"
        '<|open|>call tool="now" index="2"<|sep|><|close|>call<|sep|><|close|>tools<|sep|>'
    )
    whole = read(spec, [text])
    assert [(call.name, call.arguments) for call in Transcript.of(whole).calls] == [
        ("get_weather", ARGUMENTS),
        ("now", "{}"),
    ]
    for cut in range(len(text)):
        assert read(spec, [text[:cut], text[cut:]]) == whole


def test_what_is_quoted_in_markup_is_raw() -> None:
    spec, quoted = get_format("minicpm5"), f"<![CDATA[{CITY}]]>"
    text = GOLDEN[spec.name].replace(CITY, quoted).replace('"days">3<', '"days"><![CDATA[3]]><')
    whole = read(spec, [text])
    assert [(call.name, call.arguments) for call in Transcript.of(whole).calls] == golden_calls(spec)
    for cut in range(len(text)):
        assert read(spec, [text[:cut], text[cut:]]) == whole
    with pytest.raises(UnwritableCallError):
        spec.render([ToolCall("", "get_weather", json.dumps({"city": quoted}))], TOOLS)


def test_signs_tell_every_family_but_those_that_differ_in_line_feeds() -> None:
    told = {spec.name for spec in SPELLED if spec not in DESCRIBED}
    assert told - set(TEMPLATES) == {"step3p5", "mimo"}


@pytest.mark.parametrize("name", TEMPLATES)
def test_formats_are_found_in_chat_templates(name: str) -> None:
    assert detect_format(TEMPLATES[name]).name == name


@formats
@pytest.mark.parametrize("text", ["[1] Source", "see <tool_call> tags", "call:f is", "<function= x", "a < b", "{"])
def test_text_that_is_no_call_is_content(spec: Format, text: str) -> None:
    found = transcript(spec, text)
    assert not found.calls
    if not found.broken:
        assert found.content == text
