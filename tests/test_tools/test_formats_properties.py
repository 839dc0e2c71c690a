"""Properties of every format: reading what was rendered gives the calls back."""

import json
from typing import Any

import pytest
from format_files import DESCRIBED
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import TOOLS, read
from spelled import SPELLED

from tests.counts import examples
from tools import Format, ToolCall, ToolChoice, Transcript, UnknownFormatError, detect_format, format_names, get_format
from tools.formats import Block, Frame, JsonCall

# Families that are not registered: the spec alone must be enough for them.
ARRAY_IN_SECTION = Format(
    name="array-in-section",
    native=Block(section=Frame(("<tool_calls>", "["), ("]", "</tool_calls>")), body=JsonCall(), separator=", "),
)
FRAMED_IN_SECTION = Format(
    name="framed-in-section",
    native=Block(
        section=Frame(("<|begin|>",), ("<|end|>",)),
        call=Frame(("<|call|>", "\n"), ("<|call_end|>",)),
        body=JsonCall(name_key="tool", arguments_key="parameters", tolerated_arguments_keys=()),
    ),
)
FORMATS = [*map(get_format, format_names()), *DESCRIBED, ARRAY_IN_SECTION, FRAMED_IN_SECTION]

formats = pytest.mark.parametrize("spec", FORMATS, ids=lambda spec: spec.name)

MARKUP = ["<tool_call>", "</tool_call>", "\n</tool_call>\n", "]</tool_calls>", "<|end|>", '"}}', "\\", '{"name": "f"']

texts = st.text(max_size=12) | st.sampled_from(MARKUP)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def argument_texts(draw: st.DrawFn) -> str:
    value: dict[str, Any] = draw(st.dictionaries(texts, values, max_size=4))
    separators = draw(st.sampled_from([(", ", ": "), (",", ":"), (" ,\n", " :\t")]))
    return json.dumps(value, ensure_ascii=draw(st.booleans()), separators=separators)


calls_made = st.lists(st.tuples(st.sampled_from(["f", "g", "get_weather"]), argument_texts()), min_size=1, max_size=4)
plain_texts = st.text(max_size=20).filter(lambda text: "<" not in text)


def json_items(text: str) -> object:
    """What JSON text says, numbers as they are spelled and members in their order."""
    return json.loads(text, parse_float=str, parse_int=str, object_pairs_hook=list)


def spells_json(spec: Format) -> bool:
    """Whether the format leaves the text of arguments as it is."""
    return spec.native.body.write('{"a" :1 }', None) == '{"a" :1 }'


# Names and strings that these cannot write are left out in tests of their own.
@pytest.mark.parametrize("spec", [spec for spec in FORMATS if spec not in SPELLED], ids=lambda spec: spec.name)
@settings(max_examples=examples(30), deadline=None)
@given(made=calls_made, content=plain_texts, size=st.integers(1, 40))
def test_format_reads_what_it_renders(spec: Format, made: list[tuple[str, str]], content: str, size: int) -> None:
    calls = [ToolCall(f"id{index}", name, arguments) for index, (name, arguments) in enumerate(made)]
    content = "" if spec.native.at_start or spec.separates_answers else content
    text = content + "\n" + spec.render(calls) + "\n"
    events = read(spec, [text[at : at + size] for at in range(0, len(text), size)])
    transcript = Transcript.of(events)
    assert [call.name for call in transcript.calls] == [name for name, _ in made]
    for call, (_, arguments) in zip(transcript.calls, made, strict=True):
        assert json_items(call.arguments) == json_items(arguments)
        assert call.arguments == arguments or not spells_json(spec)
    assert transcript.content == content.rstrip(" \t\n\r")
    assert not transcript.broken
    assert events == read(spec, [text])


@formats
def test_format_renders_no_calls_as_nothing(spec: Format) -> None:
    assert spec.render([]) == ""


@formats
@pytest.mark.parametrize("end", ["", "\n", "trailing"])
def test_format_reads_every_prefix_without_failing(spec: Format, end: str) -> None:
    if spec.separates_answers:
        pytest.skip("text stands in messages of its own")
    content = "" if spec.native.at_start else "hi"
    text = content + "\n" + spec.render([ToolCall("", "f", '{"a": [1]}'), ToolCall("", "g", "{}")]) + end
    num_calls = [len(Transcript.of(read(spec, [text[:size]])).calls) for size in range(len(text) + 1)]
    assert num_calls == sorted(num_calls)
    assert num_calls[-1] == 2
    assert Transcript.of(read(spec, [text])).content == content + end.strip()


@formats
def test_format_has_no_constraint_where_nothing_may_be_called(spec: Format) -> None:
    assert spec.constraint(TOOLS, ToolChoice("none")) is None


def test_format_drops_an_empty_section() -> None:
    assert Transcript.of(read(ARRAY_IN_SECTION, ["a <tool_calls>[ ]</tool_calls> b"])).content == "a  b"


def test_get_format_knows_aliases_and_refuses_others() -> None:
    assert get_format("qwen3") is get_format("hermes")
    with pytest.raises(UnknownFormatError, match="hermes"):
        get_format("nope")


@pytest.mark.parametrize(
    "template",
    [
        "",
        "{{ messages }}",
        "<tool_call></tool_call> arguments <function=f>",
        "<tool_call></tool_call> <arg_key> arguments",
    ],
)
def test_detect_format_refuses_what_it_does_not_know(template: str) -> None:
    with pytest.raises(UnknownFormatError):
        detect_format(template)
