"""The kernels made ready, before the first constraint waits for them.

A kernel is compiled on its first call, which takes minutes for all of them, and its machine code kept on disk; from
then on they are loaded in a second. `python -m grammars.warmup` compiles what is missing, in all cores at once: what
is named in its arguments, as `compile_kernels` takes it, or what is used here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from grammars.compiler import Compiler
from grammars.frontends.base import Constraint
from grammars.frontends.combined import Choice
from grammars.frontends.json import JsonSchema
from grammars.frontends.regex.spec import Regex
from grammars.frontends.structural_tag import StructuralTag, Tag
from grammars.jit.aot import compile_kernels
from grammars.matcher import Matcher, fill_masks
from grammars.vocabulary.vocabulary import Vocabulary

USE = "grammars.warmup:warm_up"
_END = 256
_TEXT = b'{"name": "abc"} <tool>["a1", 12]</tool> some free text, 2024-01-31'
_OBJECT = b'{"name": "abc", "other": [1, "x"], "another": {}}'
_WORDS = [f"word {number}" for number in range(1000, 5000)]


def warm_up() -> None:
    """Every kernel is ready in this process, and its machine code on disk."""
    compiler = Compiler(_vocabulary())
    for constraint in _constraints():
        _use(compiler.compile(constraint).matcher())


def _vocabulary() -> Vocabulary:
    """Small, but with tokens that cross every border of a constraint."""
    pieces = {text[i : i + n] for text in (_TEXT, _OBJECT) for n in (2, 3, 5, 8) for i in range(len(text))}
    return Vocabulary.from_tokens([*(bytes([byte]) for byte in range(_END)), None, *sorted(pieces)], [_END])


def _constraints() -> Iterator[Constraint]:
    """Yield a constraint for each way through the kernels."""
    # Enough different prefixes and counts that the arenas grow.
    yield Choice(_WORDS)
    yield Regex("(ac|abc|[0-9]){0,2000}")
    # Character classes: counted, and such that where the first one ends is not plain to see.
    yield Regex("[a-z ]{2,300}(, [0-9]{1,40}){0,300}")
    yield Regex('[^"]*ab[^"]*"')
    # Bounded numbers of words, in bounded numbers of characters.
    yield JsonSchema({"type": "string", "pattern": r"^(?:\S+\s+){0,30}\S+$", "maxLength": 200})
    # Members in any order, names that come once.
    yield JsonSchema({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]})
    yield StructuralTag((Tag("<tool>", Regex('"[^"]{1,20}"'), "</tool>"),), ("<tool>",))


def _use(matcher: Matcher) -> None:
    """Ask for everything that a matcher is asked for, along some text."""
    rows = np.zeros((2, (len(matcher.compiled.vocabulary) + 31) // 32), dtype=np.uint32)
    for text in (*map(str.encode, _WORDS), b"ac" * 2000, _TEXT, _OBJECT):
        matcher.accept_text(text)
    for step in range(12):
        matcher.forced_tokens()
        matcher.fill_mask(rows[0], matcher.tokens_to_complete + 2)
        fill_masks([matcher, matcher.fork()], rows, [None, 100])
        allowed = np.flatnonzero(np.unpackbits(rows[0].view(np.uint8), bitorder="little"))
        if matcher.is_ended or not matcher.accept(int(allowed[7 * step % len(allowed)])):
            break


if __name__ == "__main__":
    compile_kernels(sys.argv[1:] or [USE], lambda told: print(told, file=sys.stderr, flush=True))
