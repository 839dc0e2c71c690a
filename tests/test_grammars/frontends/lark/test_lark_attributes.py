"""Attributes of rules, in the form in which guidance writes them: what they name is accepted, what they end, ends."""

import re

import pytest

from grammars import Compiler, InvalidGrammarError, Lark, UnsupportedError, Vocabulary

COMPILER = Compiler(Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256]))
HEAD = "%llguidance {}\n\nstart: a\n"
# As guidance 0.3.1 writes them: gen(regex=...), select(...), gen(stop=...), gen(stop_regex=...), gen(suffix=...), json.
GRAMMARS = {
    "regex": (HEAD + "a[capture]: A\nA: /[0-9]+/\n", ["12"], ["", "a"]),
    "select": (
        '%llguidance {}\n\nstart: "x " b\nb[capture]: B\n\nB: "one"\n     | "two"\n\n', ["x one", "x two"], ["one"],
    ),
    "stop": (HEAD + 'a[capture, stop="\\n"]: A\nA: /(?s:.*)/\n', ["", "ab", "é.x"], ["a\nb", "\n"]),
    "stop of a pattern": (HEAD + 'a[capture, stop="."]: A\nA: /[a-z. ]+/\n', ["ab c"], ["a.b", ".", ""]),
    "stop of brackets": (HEAD + 'a[stop="[]/\\\\"]: A\nA: /(?s:.*)/\n', ["[] /", "a"], ["x[]/\\y"]),
    "stop by a pattern": (HEAD + "a[capture, stop=/x+/]: A\nA: /(?s:.*)/\n", ["ab"], ["axb", "xx"]),
    "stop captured": (HEAD + 'a[capture, stop="x", stop_capture="a_stop"]: A\nA: /(?s:.*)/\n', ["ab"], ["ax"]),
    "stop at the end": (HEAD + 'a[capture, stop=""]: A\nA: /[a-z]+/\n', ["ab"], ["1"]),
    "suffix": (HEAD + 'a[capture, suffix="!"]: A\nA: /[a-z!]+/\n', ["ab!"], ["ab", "a!b!", "!!"]),
    "suffix of any text": (HEAD + 'a[suffix="]"]: A\nA: /(?s:.*)/\n', ["ab]", "]"], ["ab", "a]b]"]),
    "lazy": ('start: a "c"\na[lazy]: /[a-z]+x/\n', ["abxc", "xxc"], ["abxcxc", "ac"]),
    "list": (HEAD + 'a[capture="__LIST_APPEND:a"]: A\nA: /[0-9]/\n', ["1"], ["12"]),
    "json": (
        '%llguidance {}\n\nstart: c\n\nc[capture]: %json {\n  "type": "object",\n  "required": ["a"],\n  "x-guidance": '
        '{"lenient": false}\n}\n', ['{"a": 1}'], ["{}"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "accepted", "refused"), GRAMMARS.values(), ids=GRAMMARS)
def test_what_guidance_writes_is_read(text, accepted, refused):
    compiled = COMPILER.compile(Lark(text))
    for each in accepted:
        assert compiled.matcher().accept_text(each.encode()), each
    for each in refused:
        assert not compiled.matcher().accept_text(each.encode()), each


@pytest.mark.parametrize(
    ("attributes", "definition", "error", "said"),
    [
        ("max_tokens=10", "A", UnsupportedError, "the rule attribute 'max_tokens'"),
        ("temperature=0.5", "A", UnsupportedError, "the rule attribute 'temperature'"),
        ('stop="x"', "b", UnsupportedError, "not defined as one terminal"),
        ('stop="x"', 'A "y"', UnsupportedError, "not defined as one terminal"),
        ('stop="x", lazy', "A", UnsupportedError, "stop and lazy together"),
        ("stop=5", "A", InvalidGrammarError, "'stop' needs a text"),
        ("Capture!", "A", InvalidGrammarError, "is no attribute of a rule"),
    ],
)
def test_what_has_no_meaning_here_is_refused_by_name_and_place(attributes, definition, error, said):
    text = f'start: a\na[{attributes}]: {definition}\nb: "y"\nA: /[0-9]+/\n'
    with pytest.raises(error, match=re.escape(said)) as refused:
        COMPILER.compile(Lark(text))
    assert "line 2" in str(refused.value)
