"""Differential fuzzing of regular expressions: Python's dialect against `re`, ECMA-262's against node's engine.

A text of `Regex` matches as a whole; `pattern` of a JSON Schema is searched for, alone or with another pattern, a
complement and bounds on the length. Where interegular reads a pattern of Python's dialect, its shortest texts are asked
about as well, and it judges beside `re`. What is done with each pattern: see `fuzzing`.

    python -m tests.bench.fuzz_regex --seed 1 --count 2000
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import random
import re
import subprocess
import sys
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import interegular

from grammars import JsonSchema, Regex
from tests.bench.fuzzing import Case, in_time, main, mutated

# How an atom is written, and some characters that it may stand for.
_COMMON_ATOMS = [
    *[(letter, letter) for letter in "aabbcA1_- é"], (".", "ab\n"), ("[ab]", "ab"), ("[^a]", "b\n"), ("[a-c]", "abc"),
    ("ß", "ß"), (r"\d", "1٣"), (r"\D", "a"), (r"\w", "a_éλ"), (r"\W", " -"), (r"\s", " \n\u00a0"), (r"\S", "a"),
    (r"\n", "\n"), (r"\t", "\t"), (r"[^\W\d]", "a_"), (r"[\w.]", "a."), (r"[\d_]", "1_"), (r"[a\-]", "-a"),
    (r"[^\sa]", "b"), (r"\x61", "a"), (r"\u00e9", "é"), (r"\.", "."), ("[a-]", "-a"), ("[k-s]", "ks"), ("k", "k\u212a"),
    ("[s-z]", "sſ"), ("I", "iı"), ("ſ", "ſs"), ("λ", "λ"), ("[^é]", "eé"), ("日", "日"),
]  # fmt: skip
_ATOMS = {
    "python": [
        *_COMMON_ATOMS, (r"\141", "a"), (r"\N{LATIN SMALL LETTER A}", "a"), ("[]a]", "]a"), ("[^]a]", "b"),
        ("[^^a]", "b"), (r"\a", "\a"), (r"\U0001F600", "😀"), ("İ", "İi"), ("a++", "a"), ("(?>a*)", "a"),
        ("(?#x)b", "b"), ("{", "{"), ("]", "]"),
    ],
    "ecma": [
        *_COMMON_ATOMS, (r"\p{L}", "aλ"), (r"\P{L}", "1 "), (r"\p{Lu}", "AÉ"), (r"\P{Lu}", "a"),
        (r"\p{Script=Greek}", "λ"), (r"\p{Alphabetic}", "aé"), (r"[\p{Nd}_]", "1٣_"), (r"[^\p{L}]", "1"),
        (r"\cJ", "\n"), (r"\0", "\0"), (r"\u{1F600}", "😀"), (r"\ud83d\ude00", "😀"), ("[^]", "a\n"), ("[]", ""),
        (r"\/", "/"), ("[^😀]", "a😀"), (r"\p{Emoji_Presentation}", "😀"), (r"\p{Lowercase}", "aé"),
        (r"\p{White_Space}", " \n"), (r"[\b]", "\b"),
    ],
}  # fmt: skip
_ASSERTIONS = {
    "python": ["^", "$", r"\b", r"\b", r"\B", r"\B", r"\A", r"\Z"],
    "ecma": ["^", "$", "^", "$", r"\b", r"\b", r"\B", r"\B"],
}
_COUNTS = [
    (0, None, "*"),
    (1, None, "+"),
    (0, 1, "?"),
    (2, 2, "{2}"),
    (1, 3, "{1,3}"),
    (0, 2, "{0,2}"),
    (2, None, "{2,}"),
    (3, 5, "{3,5}"),
]
_MOST_STRINGS, _SHARE_OF_MACHINES = 12, 0.3

# Of what interegular knows its version 0.3.3 reads this otherwise: groups of other kinds, a bracket first in a class,
# possessive repeats, braces that are no count.
_MISREAD = re.compile(r"\(\?(?!:)|\[\^?\]|\+\+|\{(?!\d)")

# A pattern as it is written, and what draws a text that may match it.
_Drawn = tuple[str, Callable[[random.Random], str]]


class Patterns:
    """Random patterns of a dialect."""

    def __init__(self, rng: random.Random, dialect: str) -> None:
        self.rng, self.dialect = rng, dialect
        self.is_python = dialect == "python"

    def draw(self) -> _Drawn:
        """A pattern, in Python's dialect perhaps with flags."""
        pattern, sample = self._any(self.rng.choice([1, 2, 2, 3, 3, 4]))
        if self.is_python and self.rng.random() < 0.25:
            pattern = f"(?{self.rng.choice(['i', 's', 'm', 'a', 'x', 'im', 'ia', 'sm'])}){pattern}"
        if self.rng.random() < 0.15:
            pattern = f"^{pattern}$" if self.rng.random() < 0.5 else f"^(?:{pattern})$"
        if self.rng.random() < 0.06:
            low, high = self.rng.choice(["", "1", "2"]), self.rng.choice(["", "3", "5"])
            every = self.rng.choice([".", "[^b]", r"[\s\S]"])
            pattern = f"^(?={every}{{{low or 0},{high}}}$)(?:{pattern})$"
        return pattern, sample

    def _any(self, depth: int) -> _Drawn:
        rng = self.rng
        if depth <= 0 or rng.random() < 0.1:
            if rng.random() < 0.08:
                return rng.choice(_ASSERTIONS[self.dialect]), lambda _: ""
            text, characters = rng.choice(_ATOMS[self.dialect])
            return text, lambda chance: chance.choice(characters) if characters else ""
        draw = rng.choice([self._sequence] * 5 + [self._options] * 2 + [self._repeat] * 4 + [self._look])
        return draw(depth - 1)

    def _sequence(self, depth: int) -> _Drawn:
        parts = [self._any(depth) for _ in range(self.rng.randint(2, 3))]
        return "".join(text for text, _ in parts), lambda chance: "".join(sample(chance) for _, sample in parts)

    def _options(self, depth: int) -> _Drawn:
        parts = [self._any(depth) for _ in range(self.rng.randint(2, 3))]
        if self.rng.random() < 0.15:
            parts.insert(self.rng.randrange(3), ("", lambda _: ""))
        text, _ = self._grouped(("|".join(text for text, _ in parts), lambda _: ""))
        return text, lambda chance: chance.choice(parts)[1](chance)

    def _repeat(self, depth: int) -> _Drawn:
        text, sample = self._any(depth)
        if len(text) > 1 and not re.fullmatch(r"\\[dDwWsS]|\[[^]\\]+\]", text):
            text, sample = self._grouped((text, sample))
        low, high, count = self.rng.choice(_COUNTS)
        if self.is_python and self.rng.random() < 0.1 and low == 0 and high:
            count = f"{{,{high}}}"
        most = low + 2 if high is None else high
        lazy = "?" if self.rng.random() < 0.2 else ""
        return text + count + lazy, lambda chance: "".join(sample(chance) for _ in range(chance.randint(low, most)))

    def _look(self, depth: int) -> _Drawn:
        is_behind = self.rng.random() < 0.4
        text, sample = self._any(0 if is_behind and self.is_python else min(depth, 2))
        kind = self.rng.choice(["?<=", "?<!"] if is_behind else ["?=", "?!"])
        # What stands ahead may well follow.
        return f"({kind}{text})", lambda chance: sample(chance) if kind == "?=" and chance.random() < 0.2 else ""

    def _grouped(self, drawn: _Drawn) -> _Drawn:
        text, sample = drawn
        kinds = ["", "?:", "?:", "?:"]
        if self.is_python:
            kinds += ["?i:", "?s-m:", "?-i:", "?m:", "?x:"]
        return f"({self.rng.choice(kinds)}{text})", sample


def judged_by_python(pattern: str, texts: Iterable[str]) -> list[bool | None]:
    """For each text whether all of it matches."""
    compiled = re.compile(pattern)
    return [in_time(lambda text=text: compiled.fullmatch(text) is not None) for text in texts]


_NODE = """
const vm = require('vm'), context = vm.createContext({});
const script = new vm.Script('texts.map(text => { pattern.lastIndex = 0; return pattern.test(text); })');
require('readline').createInterface({input: process.stdin}).on('line', line => {
  let told = null;
  const {pattern, flags, texts} = JSON.parse(line);
  try { context.pattern = new RegExp(pattern, flags); } catch (error) { console.log('false'); return; }
  context.texts = texts;
  try { told = Array.from(script.runInContext(context, {timeout: 500})); } catch (error) { }
  console.log(JSON.stringify(told));
});
"""


@functools.cache
def _node() -> subprocess.Popen[str]:
    return subprocess.Popen(
        ["node", "-e", _NODE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )


def judged_by_node(pattern: str, texts: Sequence[str], flags: str = "") -> list[bool | None] | None:
    """For each text whether the pattern matches at its beginning; None where node does not read the pattern.

    Node does not search: with a look behind it would find a match between the two halves of a surrogate pair.
    Node knows a newer Unicode: of texts with characters that Python's does not know it is not asked.
    """
    process = _node()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps({"pattern": pattern, "flags": flags + "uy", "texts": list(texts)}) + "\n")
    process.stdin.flush()
    told = json.loads(process.stdout.readline())
    if told is False:
        return None
    known = [not any(unicodedata.category(character) == "Cn" for character in text) for text in texts]
    return [answer if is_known else None for answer, is_known in zip(told or [None] * len(texts), known, strict=True)]


def _pool(sample: Callable[[random.Random], str], rng: random.Random) -> list[str]:
    drawn = [sample(rng) for _ in range(14)]
    short = ["".join(rng.choices("ab1 _\nA-éskſKıiİI", k=rng.randrange(5))) for _ in range(10)]
    return ["", "\n", *drawn, *short, *(mutated(text, rng) for text in drawn)]


def draw_python(rng: random.Random) -> Case:
    """A pattern of Python's dialect."""
    pattern, sample = Patterns(rng, "python").draw()
    shown, constraint, texts = f"python {pattern}", Regex(pattern), _pool(sample, rng)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except re.error:
        return Case(shown, constraint, None)
    judge = functools.partial(judged_by_python, pattern)
    machine = _machine(pattern) if rng.random() < _SHARE_OF_MACHINES else None
    if machine is None:
        return Case(shown, constraint, judge, texts)
    shortest = itertools.islice(machine.strings(max_iterations=500), _MOST_STRINGS)
    with contextlib.suppress(ValueError):
        # It gives up where the shortest ones are long.
        for text in shortest:
            if all(isinstance(symbol, str) for symbol in text):
                texts.append("".join(text))

    def judged_by_both(texts: Sequence[str]) -> list[bool | None]:
        answers = judge(texts)
        for text, answer in zip(texts, answers, strict=True):
            # Its classes are those of ASCII, and to it separators of records and the like are no space.
            if (
                answer is not None
                and text.isascii()
                and not re.search(r"[\x1c-\x1f]", text)
                and machine.accepts(text) != answer
            ):
                raise AssertionError(f"re and interegular differ about {text!r} under {pattern!r}")
        return answers

    return Case(shown, constraint, judged_by_both, texts)


def _machine(pattern: str) -> Any:
    """What interegular makes of the pattern; None where it does not read it (as Python does), or not in time."""
    if not pattern.isascii() or _MISREAD.search(pattern):
        return None
    try:
        return in_time(lambda: interegular.parse_pattern(pattern).to_fsm())
    except (interegular.Unsupported, interegular.InvalidSyntax):
        return None


def _json_case(rng: random.Random) -> Case:
    drawn = [Patterns(rng, "ecma").draw() for _ in range(rng.choice([1, 1, 1, 2]))]
    holds = [len(drawn) == 1 or rng.random() < 0.7 for _ in drawn]
    low, high = rng.choice([(0, None)] * 4 + [(2, None), (0, 3), (1, 6)])
    parts = [
        {"pattern": pattern} if is_so else {"not": {"pattern": pattern}}
        for (pattern, _), is_so in zip(drawn, holds, strict=True)
    ]
    schema: dict[str, Any] = {"type": "string", **(parts[0] if len(parts) == 1 else {"allOf": parts})}
    schema |= {"minLength": low} if low else {}
    schema |= {"maxLength": high} if high is not None else {}

    def judge(texts: Sequence[str]) -> list[bool | None] | None:
        answers: list[bool | None] = [low <= len(text) <= (len(text) if high is None else high) for text in texts]
        for (pattern, _), is_so in zip(drawn, holds, strict=True):
            found = judged_by_node(f"[^]*?(?:{pattern})", texts)
            if found is None:
                return None
            answers = [None if None in (a, b) else a and b == is_so for a, b in zip(answers, found, strict=True)]
        return answers

    texts = [text for _, sample in drawn for text in _pool(sample, rng)]
    if judge([]) is None:
        return _json_case(rng)
    shown = json.dumps(schema, ensure_ascii=False)
    return Case(
        shown, JsonSchema(schema), judge, texts, lambda t: json.dumps(t, ensure_ascii=False).encode(), json.loads
    )


def _ecma_case(rng: random.Random) -> Case:
    pattern, sample = Patterns(rng, "ecma").draw()
    flags = rng.choice(["", "", "i", "s", "m", "is"])

    def judge(texts: Sequence[str]) -> list[bool | None] | None:
        return judged_by_node(f"(?:{pattern})(?![^])", texts, flags)

    if judge([]) is None:
        return _ecma_case(rng)
    shown = f"(?{flags}){pattern}" if flags else pattern
    return Case(f"ecma {shown}", Regex(shown, dialect="ecma"), judge, _pool(sample, rng))


def draw(rng: random.Random) -> Case:
    """A pattern, of either dialect."""
    return rng.choice([draw_python, draw_python, _json_case, _json_case, _ecma_case])(rng)


if __name__ == "__main__":
    sys.exit(main(draw, __doc__))
