"""Differential fuzzing of Lark grammars against lark's own Earley parser.

With ``lexer="dynamic_complete"`` it must take the same texts, and what it takes with ``lexer="dynamic"`` is among them.
Left out is where `grammars/frontends/lark/README.md` departs from lark: looks around in terminals, what lark refuses,
and texts of ``%ignore`` of which a beginning is one too where another terminal could go on behind that (lark ignores
the longest alone). What is done with each grammar: see `fuzzing`.

    python -m tests.bench.fuzz_lark --seed 1 --count 2000
"""

from __future__ import annotations

import contextlib
import functools
import random
import sys
import time
from collections.abc import Sequence

import lark

from grammars import Lark
from tests.bench.fuzzing import Case, in_time, main, mutated

_MOST_CHARACTERS, _SHARE_OF_DYNAMIC = 24, 0.25
# Lark writes nested options and counts out, and then takes quadratic time and more for the rules that they become.
_MOST_RULES, _SECONDS_A_CASE = 100, 2.0
_STRINGS = [
    '"a"',
    '"b"',
    '"ab"',
    '"ba"',
    '"aab"',
    '"é"',
    '"a"i',
    '"Ab"i',
    '"("',
    '")"',
    r'"\n"',
    r'"\\"',
    '"x"',
    '"日本"',
    r'"\u0061"',
]
_REGEXES = [
    "/a+/", "/[ab]/", "/a|ab/", "/ab|a/", "/ab?/", "/a+?b/", "/b{1,2}/", "/(?:ab)+/", "/a/i", "/[a-c]{2,3}/",
    "/(a|b)*?b/", "/a*b/", "/(a?)(ab)?x/", "/(?:a|ab)(?:c|bcx)/", r"/\w/", r"/\d+/", "/[é-ü]/", r"/\(a*\)/",
    "/a{2}?/", "/b??a/", r"/\/?a/", "/a b/x", "/(?i:a)b/", "/ab*?/",
]  # fmt: skip
# These take what may be ignored.
_WIDE = ["/./", "/[^b]/", r"/\W/", "/a.?/", "/.*b/s", "/[^a]+?a/", "/a(?s:.)b/"]
# What is ignored is one text, or one that no other terminal can begin in.
_IGNORED = ['" "', r'"\n"', '"# "', '" b"', '"x"']
_IGNORED_RUNS = ["/ +/", r"/#[^\n]*\n/", "WS", "WS_INLINE", r"/\s+/", "/;+/ // x"]
_COUNTS = ["*", "+", "?", "~2", "~1..3", "~0..2", "*", "?"]
_RULES, _TERMINALS = ("start", "one", "_two", "three"), ("A", "B", "_C")


class Grammars:
    """Random grammars."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._rules = _RULES[: rng.choice([1, 2, 2, 3, 3, 4])]
        self._terminals = _TERMINALS[: rng.randrange(4)]
        self._ignored = rng.choice([None, None, None, rng.choice(_IGNORED), rng.choice(_IGNORED_RUNS)])
        is_run = self._ignored in _IGNORED_RUNS
        self._regexes = _REGEXES + ([] if is_run else _WIDE)
        self._strings = [text for text in _STRINGS if not is_run or text != r'"\n"']
        self._has_template = rng.random() < 0.25
        self._imported = rng.choice([None] * 6 + ["INT", "LETTER", "CNAME", "ESCAPED_STRING", "SIGNED_INT"])
        self._arguments: tuple[str, ...] = ()

    def draw(self) -> str:
        """The text of a grammar."""
        rng = self._rng
        lines = []
        for name in self._rules:
            priority = rng.choice(["", "", "", "", ".2", ".-1"])
            mark = rng.choice(["", "", "", "?", "!"]) if name[0] != "_" else ""
            lines.append(f"{mark}{name}{priority}: {self._expansions(rng.choice([1, 2, 2]), True)}")
        for number, name in enumerate(self._terminals):
            priority = rng.choice(["", "", "", ".3"])
            lines.append(f"{name}{priority}: {self._terminal(2, self._terminals[number + 1 :])}")
        if self._has_template:
            self._arguments = ("x", "y")
            lines.append(f"pair{{x, y}}: {self._expansions(1, False)}")
            self._arguments = ()
        if rng.random() < 0.05:
            lines.append(f"%extend {rng.choice(self._rules)}: {self._expansions(0, False)}")
        if self._imported:
            lines.append(f"%import common.{self._imported}")
        rng.shuffle(lines)
        if self._ignored in ("WS", "WS_INLINE"):
            lines.insert(0, f"%import common.{self._ignored}")
        if self._ignored:
            lines.append(f"%ignore {self._ignored}")
        return rng.choice(["\n", "\n", "\n\n", "  // x\n"]).join(lines) + "\n"

    def _expansions(self, depth: int, has_aliases: bool) -> str:
        rng = self._rng
        options = [self._expansion(depth) for _ in range(rng.choice([1, 1, 2, 2, 3]))]
        if rng.random() < 0.1:
            options.append("")
        if has_aliases and rng.random() < 0.2:
            options = [f"{option} -> alias{number}" if option else option for number, option in enumerate(options)]
        return rng.choice([" | ", "\n  | "] if has_aliases else [" | "]).join(options)

    def _expansion(self, depth: int) -> str:
        return " ".join(self._item(depth) for _ in range(self._rng.choice([1, 1, 2, 2, 3])))

    def _item(self, depth: int) -> str:
        rng, kind = self._rng, self._rng.random()
        if kind < 0.2 and depth > 0:
            inner = self._expansions(depth - 1, False)
            if rng.random() < 0.2:
                return f"[{inner}]"
            item = f"({inner})"
        elif kind < 0.4:
            item = rng.choice(self._arguments or self._rules)
        elif kind < 0.55 and self._terminals:
            item = rng.choice(self._terminals)
        elif kind < 0.6 and self._has_template and not self._arguments:
            item = f"pair{{{self._argument()}, {self._argument()}}}"
        elif kind < 0.65 and self._imported:
            item = self._imported
        else:
            item = self._literal()
        return item + (rng.choice(_COUNTS) if rng.random() < 0.25 else "")

    def _argument(self) -> str:
        return self._rng.choice([*self._rules, *self._terminals, self._literal()])

    def _literal(self) -> str:
        rng = self._rng
        return rng.choice([rng.choice(self._strings), rng.choice(self._regexes), rng.choice(self._strings), '"a".."c"'])

    def _terminal(self, depth: int, others: Sequence[str]) -> str:
        rng = self._rng
        options = []
        for _ in range(rng.choice([1, 1, 2])):
            items = []
            for _ in range(rng.choice([1, 1, 2])):
                kind = rng.random()
                if kind < 0.15 and depth > 0:
                    item = f"({self._terminal(depth - 1, others)})"
                elif kind < 0.3 and others:
                    item = rng.choice(others)
                else:
                    item = self._literal()
                items.append(item + (rng.choice(_COUNTS) if rng.random() < 0.2 else ""))
            options.append(" ".join(items))
        return " | ".join(options)


class _Judge:
    """Lark's answers about one grammar, as long as it does not take too long about them.

    Raises:
        LarkError: lark does not read it: two equal expansions of a rule, or a terminal that may be empty.
    """

    def __init__(self, text: str, lexers: Sequence[str]) -> None:
        self._parsers = [lark.Lark(text, parser="earley", lexer=lexer, ambiguity="forest") for lexer in lexers]
        self._seconds_left = _SECONDS_A_CASE
        self.num_rules = len(self._parsers[0].rules)

    def __call__(self, texts: Sequence[str]) -> list[bool | None]:
        return [self._takes(each) for each in texts]

    def _takes(self, text: str) -> bool | None:
        if len(text) > _MOST_CHARACTERS or self._seconds_left < 0:
            return None
        began = time.perf_counter()
        answers = [in_time(functools.partial(_takes, parser, text)) for parser in self._parsers]
        self._seconds_left -= time.perf_counter() - began
        # Where the one takes a text that the other does not, the latter looks too far ahead: it is to be taken.
        return True if True in answers else answers[0]


def _takes(parser: lark.Lark, text: str) -> bool:
    try:
        parser.parse(text)
    except lark.exceptions.UnexpectedInput:
        return False
    except RuntimeError as error:
        # The text is read to its end, in more ways than lark puts together.
        if "multiple start symbol" not in str(error):
            raise
    return True


def draw(rng: random.Random) -> Case:
    """A grammar that lark reads, and not too slowly."""
    while True:
        text = Grammars(rng).draw()
        lexers = ["dynamic_complete", *(["dynamic"] if rng.random() < _SHARE_OF_DYNAMIC else [])]
        judge = None
        with contextlib.suppress(lark.exceptions.LarkError):
            judge = in_time(functools.partial(_Judge, text, lexers))
        if judge is not None and judge.num_rules <= _MOST_RULES:
            break
    short = ["".join(rng.choices("aabbcx1é (\n", k=rng.randrange(6))) for _ in range(16)]
    return Case(text, Lark(text), judge, ["", *short, *(mutated(each, rng, "ab x1c") for each in short[:8])])


if __name__ == "__main__":
    sys.exit(main(draw, __doc__))
