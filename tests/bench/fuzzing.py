"""What the differential fuzzes share: walks under masks, pools of texts, who says what is right, tallies, the command.

Of each constraint that is drawn

1. random and hostile walks under the mask, with budgets of `min_tokens` to `min_tokens` + 6 and of 40, must end within
   them in a text that the oracle takes: an empty mask before that is a dead end;
2. the texts written so, mutations of them and a pool of texts from who drew it are taken if and only if the oracle
   takes them, and along some that are taken each byte must stand in the mask;
3. one that is refused as unsatisfiable must have no text in the pool; one that is refused as wrong is wrong for the
   oracle too; what is unsupported or too complex is counted.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from grammars import Compiler, GrammarError, InvalidGrammarError, UnsatisfiableError, Vocabulary
from grammars.compiled import CompiledGrammar
from grammars.frontends.base import Constraint

END = 256
PIECES = (
    "ab", "abc", "aa", "ba", "bb", "a b", " a", "  ", "\n", "12", "1a", "-1", '"a', 'a"', '", "', "é", "éa", "ß", "ſ",
    "K", "λ", "日", "日本", "😀", "\u2028", "(", "()", "a+", "++", "//", "#a", ", ", "x", "yx", "xy", "\\n", "\\u00",
    "\r\n",
)  # fmt: skip
TOKENS = [
    *(bytes([byte]) for byte in range(END)),
    None,
    *(piece.encode() for piece in PIECES if len(piece.encode()) > 1),
]
_COMMON = frozenset(b'ab1c"')
_BUDGETS, _ROOMY = range(7), 40
_MOST_FOLLOWED = 2


# What an oracle may take for one text.
_SECONDS = 0.5


@dataclass(frozen=True)
class Case:
    """A constraint, and who says what its texts are.

    Attributes:
        shown: the constraint, for who reads a failure.
        constraint: what is compiled.
        judge: for each text whether it is one; None where the oracle does not tell. None: the oracle refuses the whole.
        texts: that are asked about whatever the walks write.
        write, read: how a text is spelled under the constraint, and back.
    """

    shown: str
    constraint: Constraint
    judge: Callable[[Sequence[str]], Sequence[bool | None]] | None
    texts: Sequence[str] = ()
    write: Callable[[str], bytes] = str.encode
    read: Callable[[bytes], str] = bytes.decode


@dataclass
class Tally:
    """How often what happened, and what is wrong."""

    counts: collections.Counter[str] = field(default_factory=collections.Counter)
    failures: list[tuple[str, str, str]] = field(default_factory=list)
    refused: list[tuple[str, str, str]] = field(default_factory=list)

    def fail(self, kind: str, case: Case, detail: object) -> None:
        """Notes something wrong."""
        self.counts[kind] += 1
        self.failures.append((kind, case.shown, repr(detail)))

    def refuse(self, case: Case, error: GrammarError) -> None:
        """Notes that a case is refused."""
        self.counts[type(error).__name__] += 1
        self.refused.append((type(error).__name__, case.shown, str(error)))


class Fuzz:
    """Holds constraints against their oracles."""

    def __init__(self, walks: int = 9) -> None:
        self._compiler = Compiler(Vocabulary.from_tokens(TOKENS, [END]))
        self._row = np.zeros((len(TOKENS) + 31) // 32, dtype=np.uint32)
        self._tastes = np.array([_taste(token) for token in TOKENS])
        self._walks = walks
        self.tally = Tally()

    def check(self, case: Case, rng: random.Random) -> None:
        """Holds one constraint against its oracle."""
        tally = self.tally
        tally.counts["cases"] += 1
        try:
            compiled = self._compiler.compile(case.constraint)
        except UnsatisfiableError:
            tally.counts["unsatisfiable"] += 1
            for text, expected in self._judged(case, case.texts):
                if expected:
                    tally.fail("wrongly_unsatisfiable", case, text)
            return
        except InvalidGrammarError as error:
            if case.judge is not None:
                tally.fail("wrongly_invalid", case, error)
            return
        except GrammarError as error:
            tally.refuse(case, error)
            return
        if case.judge is None:
            tally.fail("wrongly_read", case, "")
            return
        try:
            self._compare(case, compiled, rng)
        except GrammarError as error:
            tally.fail("broken_off", case, error)

    def _compare(self, case: Case, compiled: CompiledGrammar, rng: random.Random) -> None:
        """Holds a compiled constraint against its oracle."""
        tally = self.tally
        written = self._walked(case, compiled, rng)
        pool = [*case.texts, *written, *(mutated(text, rng) for text in written for _ in range(2))]
        followed = 0
        for text, expected in self._judged(case, list(dict.fromkeys(pool))):
            tally.counts["asked"] += 1
            if compiled.matcher().accept_text(case.write(text)) != expected:
                tally.fail("wrongly_refused" if expected else "wrongly_accepted", case, text)
            elif expected and followed < _MOST_FOLLOWED:
                followed += 1
                self._follow(case, compiled, text)

    def _judged(self, case: Case, texts: Sequence[str]) -> list[tuple[str, bool]]:
        if case.judge is None:
            return []
        told = [(text, answer) for text, answer in zip(texts, case.judge(texts), strict=True) if answer is not None]
        self.tally.counts["untold"] += len(texts) - len(told)
        return told

    def _walked(self, case: Case, compiled: CompiledGrammar, rng: random.Random) -> list[str]:
        """Texts written under the mask, at the tightest budgets first; what does not end in one is noted."""
        texts, least = [], compiled.min_tokens
        budgets = [least + more for more in _BUDGETS] + [max(_ROOMY, least)] * (self._walks - len(_BUDGETS))
        for number, budget in enumerate(budgets):
            self.tally.counts["walks"] += 1
            verdict, written = self._walk(compiled, rng, budget, is_hostile=number % 2 == 1)
            if verdict != "ended":
                self.tally.fail(verdict, case, (budget - least, written))
                continue
            try:
                texts.append(case.read(written))
            except ValueError:
                self.tally.fail("unreadable", case, (budget - least, written))
        for text, expected in self._judged(case, texts):
            if not expected:
                self.tally.fail("unsound", case, text)
        return texts

    def _walk(
        self, compiled: CompiledGrammar, rng: random.Random, budget: int, *, is_hostile: bool
    ) -> tuple[str, bytes]:
        matcher, written = compiled.matcher(), b""
        for left in range(budget, -1, -1):
            allowed = self._allowed(matcher, left)
            if not len(allowed):
                return "dead_end", written
            tastes = self._tastes[allowed]
            if is_hostile:
                # Never the end while anything else goes.
                tastes[allowed == END] = 1e-9
            (token,) = rng.choices(allowed.tolist(), tastes.tolist())
            if token == END:
                return "ended", written
            if not matcher.accept(token):
                return "mask_and_accept_disagree", written
            written += TOKENS[token] or b""
        return "unfinished", written

    def _follow(self, case: Case, compiled: CompiledGrammar, text: str) -> None:
        """Every byte of a text, and then its end, must stand in the mask."""
        matcher, data = compiled.matcher(), case.write(text)
        for byte in (*data, END):
            if byte not in self._allowed(matcher, None):
                self.tally.fail("mask_lacks", case, (text, byte))
                return
            matcher.accept(byte)

    def _allowed(self, matcher: Any, left: int | None) -> Any:
        matcher.fill_mask(self._row, left)
        return np.flatnonzero(np.unpackbits(self._row.view(np.uint8), bitorder="little")[: len(TOKENS)])


def _taste(token: bytes | None) -> float:
    """How often a walk takes a token that is allowed."""
    if token is None:
        return 4.0
    if len(token) > 1 or token[0] in _COMMON:
        return 2.0
    return 0.3 if 32 <= token[0] < 127 else 0.03


def mutated(text: str, rng: random.Random, alphabet: str = 'ab1_ -\nAéx+"') -> str:
    """The text with something put in, left out, doubled, exchanged or cut off."""
    at = rng.randrange(len(text) + 1)
    rest = text[at:]
    match rng.randrange(6):
        case 0:
            return text[:at] + rng.choice(alphabet) + rest
        case 1:
            return text[:at] + rest[1:]
        case 2:
            return text[:at] + rest[:1] * 2 + rest[1:]
        case 3:
            return text[:at] + rng.choice(alphabet) + rest[1:]
        case 4:
            return text[:at] + rest[1:2] + rest[:1] + rest[2:]
    return text[:at] if rng.random() < 0.5 else rest


class _TooLongError(Exception):
    """An oracle takes too long."""


def in_time(ask: Callable[[], Any]) -> Any:
    """The answer; None where it takes too long."""

    is_over = False

    def stop(*_: object) -> None:
        if not is_over:
            raise _TooLongError

    before = signal.signal(signal.SIGALRM, stop)
    # Again and again: where it is raised while an object goes away, Python passes it over.
    signal.setitimer(signal.ITIMER_REAL, _SECONDS, _SECONDS / 10)
    try:
        try:
            return ask()
        finally:
            is_over = True
    except _TooLongError:
        is_over = True
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def run(draw: Callable[[random.Random], Case], seed: int, count: int, walks: int = 9) -> Tally:
    """What `count` constraints come to, each drawn with a chance of its own, so that one can be drawn again alone."""
    fuzz = Fuzz(walks)
    for index in range(count):
        rng = random.Random(f"{seed}/{index}")
        fuzz.check(draw(rng), rng)
    return fuzz.tally


def main(draw: Callable[[random.Random], Case], description: str | None) -> int:
    """Fuzzes as the command line says; the exit status says whether nothing is wrong."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500, help="constraints")
    parser.add_argument("--walks", type=int, default=9, help="texts written under the masks of each")
    parser.add_argument("--show", type=int, default=10, help="faulty constraints that are printed")
    parser.add_argument("--json", type=Path, help="where all of it is written")
    arguments = parser.parse_args()
    began = time.perf_counter()
    tally = run(draw, arguments.seed, arguments.count, arguments.walks)
    faulty = {shown: (kind, detail) for kind, shown, detail in reversed(tally.failures)}
    print(json.dumps({**tally.counts, "seconds": round(time.perf_counter() - began, 1)}))
    for shown, (kind, detail) in list(faulty.items())[: arguments.show]:
        print(f"  {kind} {shown!r} {detail[:200]}")
    for _, shown, message in tally.refused[: arguments.show]:
        print(f"  refused {shown!r}: {message}")
    print(f"wrong {len(tally.failures)}, in {len(faulty)} of {tally.counts['cases']}; refused {len(tally.refused)}")
    if arguments.json:
        arguments.json.write_text(
            json.dumps({"counts": tally.counts, "failures": tally.failures, "refused": tally.refused})
        )
    return 1 if tally.failures else 0
