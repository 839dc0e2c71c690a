"""Golden texts: what they say, and the same events however they are cut; templates and their formats."""

import itertools
import random

import pytest
from format_files import DESCRIBED
from golden import GOLDEN, TEMPLATES
from reading import read
from spelled import SPELLED
from test_formats_hermes import check_order

from tools import Transcript, detect_format, format_names, get_format

CASES = [(name, *case) for name, cases in GOLDEN.items() for case in cases]
cases = pytest.mark.parametrize(
    ("name", "text", "content", "calls"), CASES, ids=[f"{case[0]}-{number}" for number, case in enumerate(CASES)]
)


@cases
def test_format_reads_golden_texts(name: str, text: str, content: str, calls: list[tuple[str, str]]) -> None:
    transcript = Transcript.of(read(get_format(name), [text]))
    assert not transcript.broken
    assert [(call.name, call.arguments) for call in transcript.calls] == calls
    assert transcript.content == content


@cases
def test_format_events_do_not_depend_on_cuts(name: str, text: str, content: str, calls: list[tuple[str, str]]) -> None:
    spec = get_format(name)
    whole = read(spec, [text])
    assert read(spec, list(text)) == whole
    for cut in range(1, len(text)):
        assert read(spec, [text[:cut], text[cut:]]) == whole, cut
    pairs = list(itertools.combinations(range(1, len(text)), 2))
    for a, b in random.Random(1).sample(pairs, min(40, len(pairs))):
        assert read(spec, [text[:a], text[a:b], text[b:]]) == whole, (a, b)


@cases
def test_format_ends_in_order_wherever_a_text_ends(
    name: str, text: str, content: str, calls: list[tuple[str, str]]
) -> None:
    for end in range(len(text)):
        check_order(list(read(get_format(name), [text[:end]])))


def test_every_format_has_golden_texts() -> None:
    in_other_files = {"harmony", *(spec.name for spec in SPELLED if spec not in DESCRIBED)}
    assert set(GOLDEN) | in_other_files == set(format_names())


@pytest.mark.parametrize(("name", "template"), [(name, part) for name, parts in TEMPLATES.items() for part in parts])
def test_detect_format_knows_templates(name: str, template: str) -> None:
    assert detect_format(template).name == name
