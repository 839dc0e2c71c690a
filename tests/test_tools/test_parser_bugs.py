"""The classes of bugs that tool-call parsers are known for, each held off by a test."""

import ast
import json
from pathlib import Path

import pytest
from reading import TOOLS, declare, read

import tools
from tools import CallEnd, CallStart, ContentDelta, ToolCall, Transcript, get_format, seeded_ids
from tools.formats.parser import StreamParser

HERMES = get_format("hermes")


def call(arguments: str, name: str = "f") -> str:
    return HERMES.render([ToolCall("", name, arguments)])


def arguments_of(*pieces: str) -> list[str]:
    return [each.arguments for each in Transcript.of(read(HERMES, pieces)).calls]


def test_braces_are_neither_closed_early_nor_dropped_nor_doubled() -> None:
    nested = '{"a": {"b": {}}, "c": "}}"}'
    assert arguments_of(call(nested)) == [nested]
    assert arguments_of(*call(nested)) == [nested]


def test_pieces_may_carry_the_end_of_one_call_and_the_start_of_the_next() -> None:
    text = call('{"a": 1}') + "\n" + call('{"b": 2}', "g")
    middle = text.index("}}") + 1
    assert arguments_of(text[:middle], text[middle:]) == ['{"a": 1}', '{"b": 2}']


@pytest.mark.parametrize("arguments", [', "arguments": {}', ', "arguments": null', ', "arguments": ""', "", ","])
def test_calls_without_arguments_are_kept_as_empty_objects(arguments: str) -> None:
    assert arguments_of(f'<tool_call>\n{{"name": "f"{arguments}}}\n</tool_call>') == ["{}"]


@pytest.mark.parametrize("kept", range(len("\n</tool_call>")))
def test_an_end_marker_cut_off_by_a_stop_leaves_the_call_complete(kept: int) -> None:
    text = call('{"a": 1}')
    transcript = Transcript.of(read(HERMES, [text[: len(text) - len("\n</tool_call>") + kept]]))
    assert [each.arguments for each in transcript.calls] == ['{"a": 1}']
    assert (transcript.content, transcript.broken) == ("", [])


def test_types_and_spelling_survive_streaming_or_not() -> None:
    arguments = '{"s": "1", "n": 1, "f": 1.0, "big": 1e400, "dup": 1, "dup": 2, "t": true, "z": null, "u": "\\u00e9é"}'
    assert arguments_of(call(arguments)) == arguments_of(*call(arguments)) == [arguments]


def test_long_arguments_meet_no_limit_and_leave_nothing_unread() -> None:
    arguments = json.dumps({"text": "x\\\n</tool" * 40_000})
    text = call(arguments)
    parser = HERMES.parser(TOOLS)
    assert isinstance(parser, StreamParser)
    events = []
    for at in range(0, len(text), 1000):
        events += parser.feed(text[at : at + 1000])
        assert len(parser._cursor._text) - parser._cursor._at < len("</tool_call>")
    assert [each.arguments for each in Transcript.of(events + parser.finish()).calls] == [arguments]


def test_ids_are_told_once_and_differ() -> None:
    text = "\n".join(call("{}") for _ in range(50))
    starts = [event for event in read(HERMES, [text]) if isinstance(event, CallStart)]
    assert len({start.id for start in starts}) == 50
    assert [start.index for start in starts] == list(range(50))
    with_own_ids = HERMES.parser(TOOLS, ids=lambda name, index: f"functions.{name}:{index}")
    assert with_own_ids.feed(call("{}"))[0] == CallStart(0, "functions.f:0", "f")


def test_only_complete_calls_count_as_calls() -> None:
    complete = Transcript.of(read(HERMES, [call("{}")]))
    cut = Transcript.of(read(HERMES, [call("{}")[:-15]]))
    assert (len(complete.calls), len(complete.broken)) == (1, 0)
    assert (len(cut.calls), len(cut.broken)) == (0, 1)


@pytest.mark.parametrize("around", ["", "\n", "\n\n", " \n"])
def test_markup_and_its_whitespace_never_reach_the_content(around: str) -> None:
    text = f"Sure.{around}{call('{}')}{around}{call('{}', 'g')}{around}"
    events = read(HERMES, list(text))
    assert [event.text for event in events if isinstance(event, ContentDelta)] == ["Sure."]


def test_calls_end_as_soon_as_they_are_complete() -> None:
    parser = HERMES.parser(TOOLS, ids=seeded_ids(1))
    text = call('{"a": 1}')
    end = text.index("}}") + 2
    assert parser.feed(text[:end])[-1] == CallEnd(0)


@pytest.mark.parametrize("count", [200])
def test_many_tools_and_calls_are_no_problem(count: int) -> None:
    names = [f"tool_{number}" for number in range(count)]
    made = [ToolCall("", name, '{"a": 1}') for name in names]
    parser = HERMES.parser(declare(*names))
    transcript = Transcript.of(parser.feed(HERMES.render(made)) + parser.finish())
    assert [each.name for each in transcript.calls] == names


@pytest.mark.parametrize(
    "hostile",
    [
        '{"a": ' + "[" * 200_000,
        '{"a": "' + "\\" * 200_001,
        '{"a": ' + '"' * 100_001,
        "{" + " " * 200_000,
        '{"a": ' + "1" * 200_000,
        '"' + "\\ud83d" * 50_000,
        "{" + "<tool_call>" * 20_000,
    ],
    ids=["nesting", "backslashes", "quotes", "spaces", "digits", "half-pairs", "markers"],
)
def test_hostile_arguments_break_one_call_and_nothing_else(hostile: str) -> None:
    text = f'<tool_call>\n{{"name": "f", "arguments": {hostile}'
    transcript = Transcript.of(read(HERMES, [text[at : at + 4096] for at in range(0, len(text), 4096)]))
    assert len(transcript.calls) + len(transcript.broken) == 1


@pytest.mark.parametrize("text", [" " * 300_000, "<tool_call" * 30_000, "<tool_call> " * 30_000, "\n<" * 100_000])
def test_hostile_content_stays_content(text: str) -> None:
    pieces = [text[at : at + 4096] for at in range(0, len(text), 4096)]
    transcript = Transcript.of(read(HERMES, [*pieces, "x"]))
    assert transcript.content == text + "x"


def test_nothing_in_the_package_evaluates_text() -> None:
    for file in Path(tools.__file__).parent.rglob("*.py"):
        called = {node.id for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Name)}
        imported = {
            alias.name
            for node in ast.walk(ast.parse(file.read_text()))
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        assert not called & {"eval", "exec", "literal_eval", "compile"}, file
        assert not imported & {"ast", "pickle"}, file


def test_a_marker_within_a_longer_one_is_waited_for() -> None:
    spec = get_format("command_r")
    text = 'Action: ```json\n[\n    {"tool_name": "f", "parameters": {}},\nAction: ```json'
    whole = read(spec, [text])
    assert len(Transcript.of(whole).broken) == 2
    assert read(spec, list(text)) == whole
    assert Transcript.of(read(spec, list("Action: ```jam```"))).content == "Action: ```jam```"
