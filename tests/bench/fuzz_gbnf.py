"""Differential fuzzing of GBNF grammars against a reader and a recogniser of their own, see `tests.oracles`.

Grammars have rules in any order, left recursive and empty ones, literals and classes with escapes, groups, counts,
comments, and line breaks where llama.cpp allows them. What is done with each grammar: see `fuzzing`.

    python -m tests.bench.fuzz_gbnf --seed 1 --count 2000
"""

from __future__ import annotations

import random
import sys

from grammars import Gbnf
from tests.bench.fuzzing import Case, main, mutated
from tests.oracles import RuleTexts, read_gbnf

_NAMES = ("root", "a-b", "item2", "x_y", "Rest")
_LITERALS = [
    '"a"', '"b"', '"ab"', '"ba"', '"a b"', '""', '"é"', r'"\n"', r'"\x61"', r'"\u00e9b"', r'"\U0001F600"', r'"\\"',
    r'"\""', '"[^a]"', '"1"', r'"\t"', '"#"', '"日本"', "\"'\"", '"aab"',
]  # fmt: skip
_CLASSES = [
    "[ab]", "[a-c]", "[^a]", "[^ab\\n]", "[a-]", "[-a]", r"[\]a]", r"[\\]", "[0-9]", r"[^\x00-\x60]", "[é-ü]",
    r"[\u3040-\u30ff]", "[^é]", ".", r"[a-b0-1_]", r"[^\]]", "[😀]", r"[\n\t ]", "[#]", "[a-a]", '["]',
]  # fmt: skip
_COUNTS = ["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "{0,}", "{0}", "{ 1 , 2 }", "{0,1}"]


class Grammars:
    """Random grammars."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._names = list(_NAMES[: rng.choice([1, 2, 2, 3, 3, 4, 5])])

    def draw(self) -> str:
        """The text of a grammar."""
        names = self._names[:]
        self._rng.shuffle(names)
        lines = []
        for name in names:
            if self._rng.random() < 0.15:
                lines.append(self._rng.choice(["# a comment ::= x", "", "   # \"'(["]))
            space, end = self._rng.choice([" ", " ", "  "]), self._rng.choice(["", "", " # end"])
            body = self._options(self._rng.choice([1, 2, 2, 3]), False)
            lines.append(f"{name}{space}::={space}{body}{end}")
        return self._rng.choice(["\n", "\n", "\n\n", " \n", "\r\n"]).join(lines) + self._rng.choice(["", "\n"])

    def _options(self, depth: int, in_group: bool) -> str:
        count = self._rng.choice([1, 1, 2, 2, 3])
        options = [self._sequence(depth, in_group) for _ in range(count)]
        if self._rng.random() < 0.12:
            options.insert(self._rng.randrange(len(options) + 1), "")
        if len(options) > 1 and self._rng.random() < 0.2:
            return " |\n  ".join(options)
        return self._rng.choice([" | ", "|", " | "]).join(options)

    def _sequence(self, depth: int, in_group: bool) -> str:
        items = [self._item(depth) for _ in range(self._rng.choice([1, 1, 2, 2, 3]))]
        return (self._rng.choice([" ", " ", "\n ", " # x\n "]) if in_group else " ").join(items)

    def _item(self, depth: int) -> str:
        rng = self._rng
        kind = rng.random()
        if kind < 0.2:
            item = rng.choice(self._names)
        elif kind < 0.4 and depth > 0:
            item = f"({self._options(depth - 1, True)}{rng.choice(['', ' '])})"
        else:
            item = rng.choice(_LITERALS if kind < 0.75 else _CLASSES)
        if rng.random() < 0.3:
            item += rng.choice(["", "", " "]) + rng.choice(_COUNTS)
        return item


def draw(rng: random.Random) -> Case:
    """A grammar."""
    text = Grammars(rng).draw()
    texts = RuleTexts(read_gbnf(text), "root")
    drawn = [sampled for _ in range(12) if (sampled := texts.sample(rng)) is not None]
    short = ["".join(rng.choices('abc1é \n#"]', k=rng.randrange(6))) for _ in range(14)]
    pool = ["", *drawn, *short, *(mutated(each, rng) for each in drawn)]
    return Case(text, Gbnf(text), lambda asked: list(map(texts.accepts, asked)), pool)


if __name__ == "__main__":
    sys.exit(main(draw, __doc__))
