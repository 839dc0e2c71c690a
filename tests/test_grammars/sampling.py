"""Texts of a constraint, drawn token by token under its masks."""

from __future__ import annotations

import random

from grammars import Compiler, Vocabulary
from grammars.frontends.base import Constraint
from tests.oracles import mask_of

EOS = 256
_PIECES = ("ab", "abc", '"', '",', '": ', "1", "12", "2024", "-0", "  ", "\n", "é", "日本", "SELECT", " FROM ", "null")
VOCABULARY = Vocabulary.from_tokens(
    [*(bytes([i]) for i in range(256)), None, *(piece.encode() for piece in _PIECES if len(piece.encode()) > 1)], [EOS]
)


def samples(constraint: Constraint, count: int, budget: int = 40, seed: int = 1) -> list[str]:
    """Complete texts, each of at most `budget` tokens or of as many as the shortest text needs."""
    compiled = Compiler(VOCABULARY).compile(constraint)
    chance = random.Random(seed)
    texts = []
    for _ in range(count):
        matcher, data = compiled.matcher(), b""
        for left in range(max(budget, compiled.min_tokens), -1, -1):
            allowed = sorted(mask_of(matcher, left))
            assert allowed, data
            token = chance.choice(allowed)
            if token == EOS:
                break
            assert matcher.accept(token)
            data += VOCABULARY.tokens[token] or b""
        assert matcher.is_complete, data
        texts.append(data.decode())
    return texts
