"""Formats described in TOML: what the files of tools/README.md make, and what is wrong with others."""

from pathlib import Path

import pytest
from format_files import DESCRIBED, FOUND, REASONING, TEXTS, THOUGHTS
from reading import read

from tools import InvalidFormatError, ToolCall, Transcript
from tools.format_file import load_format, load_reasoning, parse_format, parse_reasoning
from tools.formats.ids import is_nine_characters

ACME, LINES = TEXTS
IN_SECTION = 'call = {}\n[section]\nbegin = "[["\nend = "]]"\n[tool]\n'
CALL = ToolCall("", "f", '{"city": "Bern"}')


def test_readme_shows_what_the_formats_write() -> None:
    readme = (Path(__file__).resolve().parents[2] / "tools" / "README.md").read_text(encoding="utf-8")
    for spec in DESCRIBED:
        assert f"`{spec.render([CALL]).replace(chr(10), '⏎')}`" in readme


def test_ids_signs_and_thoughts_are_as_described() -> None:
    acme, lines = FOUND
    assert is_nine_characters(acme.format.ids(None)("f", 0))
    assert acme.format.matches_template("{{ '<acme:call>' }}")
    assert acme.reasoning is not None
    assert acme.reasoning.opening("<acme:thought>") == "open"
    assert lines.reasoning is None


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ('{"tool": "f", "arguments": {"a": 1}}', '{"a": 1}'),
        ('{"input": {"a": 1}, "tool": "f"}', '{"a": 1}'),
        ('{"tool": "f"}', "{}"),
    ],
)
def test_what_is_tolerated_is_read(text: str, arguments: str) -> None:
    (call,) = Transcript.of(read(DESCRIBED[0], [f"<acme:calls> <acme:call>{text}</acme:call></acme:calls>"])).calls
    assert (call.name, call.arguments) == ("f", arguments)


@pytest.mark.parametrize(
    ("text", "old", "new", "says"),
    [
        (ACME, 'key = "tool"', 'kye = "tool"', "f.toml:14: tool.kye: Object contains unknown field"),
        (ACME, '"nine"', '"ten"', "f.toml:22: ids.shape: Invalid enum value 'ten'"),
        (ACME, '["<acme:call>", "\\n"]\nend', "3\nend", "f.toml:9: call.begin: Expected `str | array`, got `int`"),
        (ACME, 'encoding = "json"\n', "", "f.toml:16: arguments: Object missing required field `encoding`"),
        (ACME, "[ids]", "[ids", "f.toml: Expected ']' at the end of a table declaration (at line 21, column 5)"),
        (ACME, 'key = "tool"\n', "", "f.toml:13: tool: one of `key`"),
        (ACME, 'key = "tool"\n', 'key = "a"\nafter = "b"\n', "f.toml:13: tool: one of `key`"),
        (ACME, '"acme"', '"Ac me"', "f.toml:1: name: Expected `str` matching regex"),
        (ACME, "[reasoning]", "[colour]", "f.toml:24: colour: Object contains unknown field"),
        (
            LINES,
            LINES[LINES.index("begin") : LINES.index("after = ")],
            "[tool]\n",
            "f.toml:3: call.begin: calls without",
        ),
        (LINES, LINES[LINES.index("[call]") : LINES.index("after = ")], IN_SECTION, "f.toml:7: tool.before: a marker"),
        (LINES, 'after = ";\\n"\n', "", "f.toml:8: tool.after: a marker or whitespace expected"),
        (LINES, 'before = "- "', "pattern = '('\nbefore = '- '", "f.toml:14: arguments.pattern: no regular expression"),
        (LINES, 'before = "- "', "pattern = 'x'\nbefore = '- '", "f.toml:14: arguments.pattern: a group `(?P<name>"),
        (LINES, 'before = "- "', "text_between = ':'\nbefore = '- '", "f.toml:12: arguments.text_type: the type"),
        (LINES, 'before = "- "', "text_type = 's'\nbefore = '- '", "f.toml:12: arguments.pattern: a regular"),
        (LINES, '"<end>\\n"', '";;\\n"', "f.toml:16: arguments.after: a marker that begins as it ends"),
        (LINES, '"<end>\\n"', '" <end>\\n"', "f.toml:16: arguments.after: beside a value no whitespace"),
        (LINES, '"tagged"', '"delimited"', "f.toml:12: arguments.delimiter: a marker expected"),
        (ACME, 'separator = "\\n"', 'separator = "x"', "f.toml: a call that is written as"),
        (THOUGHTS, "begin", "bigin", "f.toml:2: bigin: Object contains unknown field"),
        (THOUGHTS, '"low"', '"lowest"', "f.toml:6: efforts: Invalid enum value 'lowest'"),
        (THOUGHTS, '"<ponder>"', '""', "f.toml:2: begin: Expected `str` of length >= 1"),
        (THOUGHTS, '"<ponder>"', '" "', "are not read back"),
        (THOUGHTS, "end = ", "after = '<sep>'\nend = ", "are not read back"),
        (THOUGHTS, "name = ", "# ", "f.toml: Object missing required field `name`"),
    ],
)
def test_a_malformed_file_is_reported_with_line_and_key(text: str, old: str, new: str, says: str) -> None:
    assert old in text
    parse = parse_reasoning if text is THOUGHTS else parse_format
    with pytest.raises(InvalidFormatError) as caught:
        parse(text.replace(old, new, 1), "f.toml")
    assert says in str(caught.value)


def test_a_file_is_read_or_named(tmp_path: Path) -> None:
    path = tmp_path / "acme.toml"
    with pytest.raises(InvalidFormatError, match=r"acme\.toml"):
        load_format(path)
    path.write_text(ACME)
    assert load_format(path).format == DESCRIBED[0]
    path.write_text(THOUGHTS)
    assert load_reasoning(path) == REASONING


def test_readme_shows_what_the_reasoning_writes() -> None:
    readme = (Path(__file__).resolve().parents[2] / "tools" / "README.md").read_text(encoding="utf-8")
    answer = "".join((*REASONING.answer.begin, "Yes.", *REASONING.answer.end))
    assert f"`{REASONING.begin}Well.{REASONING.end}{answer}`" in readme
    assert REASONING.opening("<quick>") == "undecided"
    assert REASONING.begun_by("<quick>").opening("<quick>") == "open"
