"""The classes of bugs that parsers of tool calls are known for, each held off in every format."""

import json

import pytest
from reading import merged
from test_formats_properties import FORMATS

from grammars import Compiler, Vocabulary
from tests.counts import few_or_all
from tools import (
    CallEnd,
    CallStart,
    ContentDelta,
    Event,
    Format,
    Tool,
    ToolCall,
    ToolChoice,
    ToolSet,
    Transcript,
    get_format,
)
from tools.formats import JsonCall

STRING = {"type": "object", "properties": {"t": {"type": "string"}}, "required": ["t"], "additionalProperties": False}
TOOLS = ToolSet((Tool("f", parameters=STRING), Tool("g")))
VOCABULARY = Vocabulary.from_tokens([*(bytes([value]) for value in range(256)), None], [256])

formats = pytest.mark.parametrize("spec", FORMATS, ids=lambda spec: spec.name)


def read(spec: Format, text: str, size: int = 1 << 20) -> list[Event]:
    parser = spec.parser(TOOLS, ids=spec.ids(3))
    events: list[Event] = []
    for at in range(0, len(text), size):
        events += parser.feed(text[at : at + size])
    return merged(events + parser.finish())


def written(spec: Format, *made: tuple[str, object]) -> str:
    return spec.render([ToolCall("", name, json.dumps(arguments)) for name, arguments in made], TOOLS)


def calls(events: list[Event]) -> list[tuple[str, object]]:
    return [(call.name, json.loads(call.arguments)) for call in Transcript.of(events).calls]


@formats
@pytest.mark.parametrize("size", [1, 7, 64, 1 << 20])
def test_1_pieces_of_any_size_neither_lose_nor_repair_a_brace(spec: Format, size: int) -> None:
    made: list[tuple[str, object]] = [("f", {"t": '{"}}'}), ("g", {}), ("f", {"t": "]}"})]
    assert calls(read(spec, written(spec, *made), size)) == made


@formats
def test_2_a_call_without_arguments_has_an_empty_object(spec: Format) -> None:
    (call,) = Transcript.of(read(spec, written(spec, ("g", {})))).calls
    assert json.loads(call.arguments) == {}


@formats
def test_3_a_call_stays_complete_however_much_of_the_end_is_cut_off(spec: Format) -> None:
    if spec.separates_answers:
        pytest.skip("its end is one token, which is there or not")
    text = written(spec, ("f", {"t": "x"}))
    whole = [any(isinstance(each, CallEnd) for each in read(spec, text[:end])) for end in range(len(text) + 1)]
    first = whole.index(True)
    assert all(whole[first:])
    if isinstance(spec.native.body, JsonCall):
        section = spec.native.section
        ends = "".join((*spec.native.call.end, *(section.end if section else ())))
        assert first == len(text) - len(ends)
    for end in range(first, len(text) + 1):
        transcript = Transcript.of(read(spec, text[:end]))
        assert (transcript.content, transcript.broken) == ("", [])


@formats
def test_4_types_survive_streaming_or_not(spec: Format) -> None:
    for value in ("1", "true", "null", "1.0", " x ", "", '"q"', "{}", "[1]", "é😀", "\\n", "a\nb"):
        text = written(spec, ("f", {"t": value}))
        assert calls(read(spec, text)) == calls(read(spec, text, 1)) == [("f", {"t": value})]


@formats
def test_5_long_arguments_meet_no_limit(spec: Format) -> None:
    value = ("x\\ \n" + "y" * 36) * 2_000
    assert calls(read(spec, written(spec, ("f", {"t": value})), 4096)) == [("f", {"t": value})]


@formats
def test_6_ids_are_told_once_and_differ(spec: Format) -> None:
    starts = [event for event in read(spec, written(spec, *[("g", {})] * 12)) if isinstance(event, CallStart)]
    assert len({start.id for start in starts}) == len(starts) == 12
    assert [start.index for start in starts] == list(range(12))


@pytest.mark.parametrize("name", ["mistral", "mistral_v11", "mistral_v13"])
def test_6_ids_of_mistral_are_nine_letters_and_digits(name: str) -> None:
    spec = get_format(name)
    for ids in (spec.ids(1), spec.ids(None)):
        made = {ids("f", index) for index in range(50)}
        assert len(made) == 50
        assert all(len(id) == 9 and id.isascii() and id.isalnum() for id in made)
    assert spec.ids(1)("f", 0) == spec.ids(1)("f", 0) != spec.ids(2)("f", 0)


def test_6_ids_in_the_text_are_those_that_are_told() -> None:
    text = '[TOOL_CALLS]f[CALL_ID]abcDEF123[ARGS]{"t": ""}[TOOL_CALLS]g[CALL_ID]abcDEF123[ARGS]{}'
    first, second = (event.id for event in read(get_format("mistral_v11"), text) if isinstance(event, CallStart))
    assert first == "abcDEF123" != second
    assert len(second) == 9
    kimi = get_format("kimi_k2")
    text = kimi.render([ToolCall("functions.g:7", "g", "{}"), ToolCall("other", "g", "{}")])
    assert [event.id for event in read(kimi, text) if isinstance(event, CallStart)] == [
        "functions.g:7",
        "functions.g:1",
    ]


@pytest.mark.parametrize(
    "text",
    [
        '[TOOL_CALLS] [{"name": "g", "arguments": {}}]',
        '[TOOL_CALLS][{"name":"g","arguments":"{}","id":"abcdefghi"}]',
        '[TOOL_CALLS]{"name": "g"}',
        "[TOOL_CALLS]g[ARGS]{}",
        "[TOOL_CALLS]g[CALL_ID]abcdefghi[ARGS]{}",
        "[TOOL_CALLS] g [ARGS] {}",
    ],
)
@pytest.mark.parametrize("name", ["mistral_v11", "mistral_v13"])
def test_7_later_parsers_of_mistral_read_what_earlier_models_write(name: str, text: str) -> None:
    assert calls(read(get_format(name), text)) == [("g", {})]


@formats
def test_8_only_complete_calls_count(spec: Format) -> None:
    text = written(spec, ("f", {"t": "x"}))
    for end in range(len(text)):
        transcript = Transcript.of(read(spec, text[:end]))
        assert len(transcript.calls) + len(transcript.broken) <= 1


@formats
def test_9_markup_never_reaches_the_content(spec: Format) -> None:
    before = "" if spec.separates_answers or spec.native.at_start else "Sure."
    text = f"{before}\n{written(spec, ('f', {'t': 'x'}), ('g', {}))}\n"
    for size in (1, 5, len(text)):
        content = [event.text for event in read(spec, text, size) if isinstance(event, ContentDelta)]
        assert content == ([before] if before else [])


@formats
def test_10_required_calls_are_native(spec: Format) -> None:
    constraint = spec.constraint(TOOLS, ToolChoice("required", parallel=False))
    assert constraint is not None
    compiled = Compiler(VOCABULARY).compile(constraint)
    text = written(spec, ("f", {"t": "x"}))
    if spec.separates_answers:
        text = text.removesuffix("".join(spec.native.call.end))  # an end token, which is no text
    assert compiled.matcher().accept_text(text.encode())
    for other in ('{"name": "f", "arguments": {"t": "x"}}', '[{"name": "f", "parameters": {"t": "x"}}]', "Sure."):
        assert not compiled.matcher().accept_text(other.encode()) or other == text


@formats
def test_12_what_was_told_is_never_taken_back(spec: Format) -> None:
    text = written(spec, ("f", {"t": "x"}), ("g", {}))
    parser = spec.parser(TOOLS, ids=spec.ids(3))
    events = [event for char in text for event in parser.feed(char)]
    assert merged(events + parser.finish()) == read(spec, text)


@formats
def test_13_nothing_to_call_is_no_grammar(spec: Format) -> None:
    assert spec.constraint(TOOLS, ToolChoice("none")) is None
    assert spec.constraint(ToolSet(), ToolChoice("auto")) is None
    assert spec.constraint(TOOLS, ToolChoice("auto", allowed=())) is None


@pytest.mark.parametrize("name", ["hermes", "llama3_json", "mistral_v11", "kimi_k2", "generic", "qwen3_coder", "glm4"])
def test_14_many_tools_are_no_problem(name: str) -> None:
    tools = ToolSet(tuple(Tool(f"tool_{number}", parameters=STRING) for number in range(120)))
    spec = get_format(name)
    constraint = spec.constraint(tools, ToolChoice("auto"))
    assert constraint is not None
    compiled = Compiler(VOCABULARY).compile(constraint)
    text = spec.render([ToolCall("", "tool_119", '{"t": "x"}')], tools)
    assert compiled.matcher().accept_text(text.encode())


@formats
def test_15_a_text_that_ends_anywhere_is_no_failure(spec: Format) -> None:
    text = written(spec, ("f", {"t": 'x"\\'}), ("g", {}))
    for end in range(len(text)):
        transcript = Transcript.of(read(spec, text[:end], 3))
        assert all(broken.truncated for broken in transcript.broken)


@formats
def test_16_calls_may_share_a_piece_with_what_surrounds_them(spec: Format) -> None:
    text = written(spec, ("g", {}), ("f", {"t": "x"}))
    whole = read(spec, text)
    for cut in range(1, len(text)):
        parser = spec.parser(TOOLS, ids=spec.ids(3))
        assert merged([*parser.feed(text[:cut]), *parser.feed(text[cut:]), *parser.finish()]) == whole


@formats
@pytest.mark.parametrize("size", few_or_all(1_000, 5_000))
def test_17_hostile_text_is_read_to_its_end(spec: Format, size: int) -> None:
    begin = spec.beginnings(TOOLS)[0]
    opening = written(spec, ("f", {"t": "x"})).split("x")[0]
    for hostile in (
        begin * size,
        begin[:-1] * size,
        opening + "[{" * 4 * size,
        opening + "\\" * (8 * size + 1),
        " " * 20 * size,
    ):
        transcript = Transcript.of(read(spec, hostile, 4096))
        assert len(transcript.calls) + len(transcript.broken) <= size
