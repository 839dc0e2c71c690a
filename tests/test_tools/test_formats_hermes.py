"""The hermes format: golden texts, tolerated variants, and the same events however the text is cut."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import TOOLS, merged, read

from tools import (
    ArgumentsDelta,
    CallBroken,
    CallEnd,
    CallStart,
    ContentDelta,
    ToolChoice,
    Transcript,
    detect_format,
    get_format,
    seeded_ids,
)

HERMES = get_format("hermes")
B, E = "<tool_call>", "</tool_call>"

CUT = "the text ended inside a tool call"
BAD = "malformed tool call: brackets that do not match"
AS_WRITTEN = '{ "x" :1e400,"n":12345678901234567890 , "é":"\\u00e9\\n😀", "x": -0.0}'
F, FG = [("f", "{}")], [("f", "{}"), ("g", "{}")]

# (id, text, content, calls as (name, arguments), reasons of broken calls)
GOLDEN: list[tuple[str, str, str, list[tuple[str, str]], list[str]]] = [
    ("native", f'{B}\n{{"name": "f", "arguments": {{"a": 1}}}}\n{E}', "", [("f", '{"a": 1}')], []),
    ("content", f'Let me see.\n\n{B}\n{{"name": "f", "arguments": {{}}}}\n{E}\n', "Let me see.", F, []),
    (
        "parallel",
        f'{B}\n{{"name": "f", "arguments": {{"a": 1}}}}\n{E}\n{B}\n{{"name": "g", "arguments": {{"b": [2]}}}}\n{E}',
        "",
        [("f", '{"a": 1}'), ("g", '{"b": [2]}')],
        [],
    ),
    (
        "wrapped",
        f'{B}[{{"id": "1", "type": "function", "function": {{"name": "f", "arguments": {{}}}}}}]{E}',
        "",
        F,
        [],
    ),
    ("wrapped-twice", f'{B}{{"function": {{"function": {{"name": "g"}}, "name": "f"}}}}{E}', "", F, []),
    ("wrapped-late", f'{B}{{"name": "f", "arguments": {{}}, "function": {{"name": "g"}}}}{E}', "", F, []),
    (
        "content-between",
        f' one {B}{{"name": "f", "arguments": {{}}}}{E} two  three {B}{{"name": "g", "arguments": {{}}}}{E} \n',
        " onetwo  three",
        FG,
        [],
    ),
    ("as-written", f'{B}\n{{"name": "f", "arguments": {AS_WRITTEN}}}\n{E}', "", [("f", AS_WRITTEN)], []),
    (
        "markers-in-strings",
        f'{B}\n{{"name": "f", "arguments": {{"a": "{E}", "b": "{B}\\n{{\\"", "c": "}}]\\\\"}}}}\n{E}',
        "",
        [("f", f'{{"a": "{E}", "b": "{B}\\n{{\\"", "c": "}}]\\\\"}}')],
        [],
    ),
    ("no-newlines", f'{B}{{"name":"f","arguments":{{}}}}{E}', "", F, []),
    ("more-space", f'{B} \r\n\t{{ "name" : "f" , "arguments" : {{}} }} \n\n {E}', "", F, []),
    ("arguments-first", f'{B}\n{{"arguments": {{"a": 1}}, "name": "f"}}\n{E}', "", [("f", '{"a": 1}')], []),
    ("parameters", f'{B}\n{{"name": "f", "parameters": {{"a": 1}}}}\n{E}', "", [("f", '{"a": 1}')], []),
    ("other-keys", f'{B}\n{{"id": [1, {{}}], "name": "f", "x": "}}", "arguments": {{}}}}\n{E}', "", F, []),
    ("first-wins", f'{B}{{"name":"f","arguments":{{"a":1}},"parameters":2,"name":"g"}}{E}', "", [("f", '{"a":1}')], []),
    (
        "encoded",
        f'{B}{{"name":"f","arguments":"{{\\"a\\": \\"\\\\n\\u00e9\\ud83d\\ude00\\"}}"}}{E}',
        "",
        [("f", '{"a": "\\né😀"}')],
        [],
    ),
    ("encoded-first", f'{B}{{"arguments":"{{\\"a\\":1}}","name":"f"}}{E}', "", [("f", '{"a":1}')], []),
    (
        "encoded-half-pair",
        f'{B}{{"name":"f","arguments":"\\ud83d\\u0041\\ude00"}}{E}',
        "",
        [("f", "\ufffdA\ufffd")],
        [],
    ),
    ("array", f'{B}\n[{{"name": "f", "arguments": {{}}}}, {{"name": "g"}}]\n{E}', "", FG, []),
    ("surplus-brace", f'{B}{{"name":"f","arguments":{{}}}}}}\n}}{E} done', "done", F, []),
    ("not-declared", f'{B}\n{{"name": "other", "arguments": {{}}}}\n{E}', "", [("other", "{}")], []),
    ("escaped-name", f'{B}\n{{"name": "g\\u0065t_weather", "arguments": {{}}}}\n{E}', "", [("get_weather", "{}")], []),
    ("no-end", f'{B}\n{{"name": "f", "arguments": {{}}}}\n{B}\n{{"name": "g", "arguments": {{}}}}', "", FG, []),
    ("half-end", f'{B}\n{{"name": "f", "arguments": {{}}}}\n{E[:-4]}', "", F, []),
    ("no-end-then-text", f'{B}{{"name":"f","arguments":{{}}}} so', "so", F, []),
    ("scalar-arguments", f'{B}{{"name":"f","arguments":17}}{E}', "", [("f", "17")], []),
    ("text-only", " plain text\n", " plain text\n", [], []),
    ("space-only", " \n", " \n", [], []),
    ("empty", "", "", [], []),
    ("marker-as-word", f"Use the {B} tag, then {E}.", f"Use the {B} tag, then {E}.", [], []),
    ("marker-begun", "a <tool_ca", "a <tool_ca", [], []),
    ("marker-twice", f'{B} {B}{{"name":"f"}}{E}', B, F, []),
    ("not-an-object", f"{B}17{E}", f"{B}17{E}", [], []),
    ("no-name", f'x {B}{{"arguments": {{"a": 1}}}}{E}', f'x {B}{{"arguments": {{"a": 1}}}}{E}', [], []),
    ("empty-name", f'{B}{{"name": ""}}{E}', f'{B}{{"name": ""}}{E}', [], []),
    ("name-no-string", f'{B}{{"name": 5}}{E}', f'{B}{{"name": 5}}{E}', [], []),
    ("empty-array", f"{B}[]{E}", f"{B}[]{E}", [], []),
    ("bad-brackets", f'{B}{{"name":"f","arguments":{{"a":[1}}}}{E} so', "so", [], [BAD]),
    ("bad-then-good", f'{B}{{"name":"f","arguments":{{]{B}{{"name":"g"}}{E}', "", [("g", "{}")], [BAD]),
    ("cut-in-marker", f"a {B}", "a", [], [CUT]),
    ("cut-in-name", f'a\n{B}\n{{"na', "a", [], [CUT]),
    ("cut-in-arguments", f'a\n{B}\n{{"name": "f", "arguments": {{"a": "x', "a", [], [CUT]),
    ("cut-after-arguments", f'{B}\n{{"name": "f", "arguments": {{}}', "", [], [CUT]),
    ("cut-in-array", f'{B}[{{"name": "f"}}, ', "", F, []),
    ("cut-in-second", f'{B}{{"name": "f"}}{E}\n{B}\n{{"name": "g", "arguments": ', "", F, [CUT]),
]

golden = pytest.mark.parametrize(
    ("text", "content", "calls", "reasons"), [case[1:] for case in GOLDEN], ids=[case[0] for case in GOLDEN]
)
golden_texts = pytest.mark.parametrize("text", [case[1] for case in GOLDEN], ids=[case[0] for case in GOLDEN])


@golden
def test_hermes_reads(text: str, content: str, calls: list[tuple[str, str]], reasons: list[str]) -> None:
    transcript = Transcript.of(read(HERMES, [text]))
    assert transcript.content == content
    assert [(call.name, call.arguments) for call in transcript.calls] == calls
    assert [broken.reason for broken in transcript.broken] == reasons


@golden_texts
def test_hermes_events_do_not_depend_on_cuts(text: str) -> None:
    whole = read(HERMES, [text])
    assert read(HERMES, list(text)) == whole
    for cut in range(len(text) + 1):
        assert read(HERMES, [text[:cut], text[cut:]]) == whole, cut
    pairs = list(itertools.combinations(range(len(text) + 1), 2))
    for a, b in random.Random(1).sample(pairs, min(60, len(pairs))):
        assert read(HERMES, [text[:a], text[a:b], text[b:]]) == whole, (a, b)


@golden_texts
def test_hermes_every_prefix_ends_in_order(text: str) -> None:
    for end in range(len(text) + 1):
        check_order(read(HERMES, [text[:end]]))


def check_order(events: list[object]) -> None:
    """Calls are numbered in order, do not interleave, and each is ended or broken exactly once."""
    open_call: int | None = None
    following = 0
    for event in events:
        match event:
            case CallStart(index):
                assert open_call is None
                assert index == following
                open_call = index
            case ArgumentsDelta(index):
                assert index == open_call
            case CallEnd(index):
                assert index == open_call
                open_call, following = None, index + 1
            case CallBroken(index):
                assert index == following
                assert open_call in (None, index)
                open_call, following = None, index + 1
            case ContentDelta():
                assert open_call is None
    assert open_call is None


FRAGMENTS = [
    *(B, E, "<tool_", "call>", "{", "}", "[", "]", '"name"', ":", '"f"', ",", '"arguments"', '"', "\\", "\\ud83d"),
    *(
        "\\u",
        "00e9",
        " ",
        "\n",
        "x",
        "null",
        "12",
        '{"name": "f", "arguments": {',
        f'{B}\n{{"name": "f"',
        "}}\n",
        "é😀",
    ),
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=24), st.lists(st.integers(0, 120), max_size=4))
def test_hermes_survives_any_text(fragments: list[str], cuts: list[int]) -> None:
    text = "".join(fragments)
    whole = read(HERMES, [text])
    check_order(whole)
    borders = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    assert read(HERMES, [text[a:b] for a, b in itertools.pairwise(borders)]) == whole
    assert read(HERMES, list(text)) == whole
    if B not in text:
        assert whole == ([ContentDelta(text)] if text else [])


def test_hermes_streams_arguments_as_they_come() -> None:
    parser = HERMES.parser(TOOLS, ids=seeded_ids(1))
    assert parser.feed('Hi \n<tool_call>\n{"name": "f", "argu') == [ContentDelta("Hi")]
    start, delta = parser.feed('ments": {"a": "x')
    assert isinstance(start, CallStart)
    assert delta == ArgumentsDelta(0, '{"a": "x')
    assert parser.feed("yz") == [ArgumentsDelta(0, "yz")]
    assert parser.feed('"}') == [ArgumentsDelta(0, '"}')]
    assert parser.feed("}") == [CallEnd(0)]
    assert parser.feed("\n</tool_call>\n") == []
    assert parser.finish() == []


def test_hermes_holds_content_back_only_for_a_marker_or_space() -> None:
    parser = HERMES.parser(TOOLS)
    assert parser.feed("a <tool") == [ContentDelta("a")]
    assert parser.feed("box> b") == [ContentDelta(" <toolbox> b")]
    assert parser.feed(" ") == []
    assert parser.finish() == [ContentDelta(" ")]


def test_hermes_passes_text_through_without_tools_or_under_none() -> None:
    text = f'{B}\n{{"name": "f"}}\n{E} '
    for parser in (HERMES.parser(None), HERMES.parser(TOOLS, ToolChoice("none"))):
        assert merged([*parser.feed(text), *parser.finish()]) == [ContentDelta(text)]


def test_hermes_gives_what_it_read_of_a_call_that_broke_before_its_name() -> None:
    text = f'{B}\n{{"arguments": {{"a": 1}}, "na'
    assert read(HERMES, [text]) == [CallBroken(0, "the text ended inside a tool call", text, True)]


def test_hermes_is_detected_in_its_templates() -> None:
    template = (
        '... within <tool_call></tool_call>:\\n<tool_call>\\n{"name": <name>, "arguments": <json>}\\n</tool_call>'
    )
    assert detect_format(template) is HERMES
