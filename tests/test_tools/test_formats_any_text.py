"""Whatever the text: events come in order, and are the same however it is cut."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import TOOLS, merged
from test_formats_hermes import check_order
from test_formats_properties import FORMATS

from tests.counts import examples
from tools import Event, Format, Tool, ToolCall, ToolSet

DECLARED = ToolSet((*TOOLS, Tool("code", kind="custom")))
PLAIN = [
    "{",
    "}",
    "[",
    "]",
    '"name"',
    ":",
    '"f"',
    "f",
    "code",
    ",",
    '"arguments"',
    '"',
    "\\",
    "\\ud83d",
    " ",
    "\n",
    "x",
]
PLAIN += ["null", "12", "é😀", "(", ")", "=", "'", ">", "<", "|", "```", "</", "all\n", '{"input": "a', '{"a": {"b": [']


def read(spec: Format, pieces: list[str]) -> list[Event]:
    parser = spec.parser(DECLARED, ids=spec.ids(3))
    events = [event for piece in pieces for event in parser.feed(piece)]
    return merged(events + parser.finish())


@pytest.mark.parametrize("spec", FORMATS, ids=lambda spec: spec.name)
@settings(max_examples=examples(60), deadline=None)
@given(data=st.data(), cuts=st.lists(st.integers(0, 120), max_size=4))
def test_any_text_is_read_in_order_however_it_is_cut(spec: Format, data: st.DataObject, cuts: list[int]) -> None:
    call = spec.render([ToolCall("", "f", "{}"), ToolCall("", "code", "b", "custom")], DECLARED)
    own = [text for text in spec.texts if text] + [call, call[: len(call) // 2], call[len(call) // 2 :]]
    fragments = data.draw(st.lists(st.sampled_from(own) | st.sampled_from(PLAIN), max_size=16))
    text = "".join(fragments)
    whole = read(spec, [text])
    check_order(list(whole))
    borders = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    assert read(spec, [text[a:b] for a, b in itertools.pairwise(borders)]) == whole
    assert read(spec, list(text)) == whole
