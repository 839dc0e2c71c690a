"""A finished answer matched anew, for grammars that nothing else can read.

It shares the network with the masks and nothing more: no mask, no trie of the vocabulary, no memory of the match that
wrote the answer. The bytes of the answer are walked one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from grammars import CompiledGrammar, Compiler, GrammarError, Vocabulary

END = 256
"""The end token, where every byte is a token."""


class MatcherRecheck:
    """Decides about answers under one grammar."""

    def __init__(self, compiled: CompiledGrammar) -> None:
        self._compiled = compiled

    def holds(self, token_ids: Sequence[int]) -> bool:
        """Whether the tokens, special ones included, make up a whole text of the grammar."""
        spelled = self._compiled.vocabulary.spelled
        return self._accepts(b"".join(spelled[token] for token in token_ids))

    def holds_text(self, text: str) -> bool:
        """Whether the text is a whole one of the grammar."""
        return self._accepts(text.encode())

    def _accepts(self, data: bytes) -> bool:
        try:
            return bytewise(self._compiled).matcher().accept_text(data)
        except GrammarError:
            return False


def bytewise(compiled: CompiledGrammar) -> CompiledGrammar:
    """The same constraint over a vocabulary in which every byte is a token."""
    return bytes_compiler().load(compiled.to_bytes())


@cache
def bytes_compiler() -> Compiler:
    """Return a compiler over that vocabulary. A constraint compiles for it as for any that can spell all bytes."""
    return Compiler(Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [END]))
