"""Second match of a finished answer, for grammars that the verifier cannot read.

It shares only the compiled network with the masks: no mask, no trie of the vocabulary, no state of the first match. The
bytes of the answer are matched one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from grammars import CompiledGrammar, Compiler, GrammarError, Vocabulary

END = 256
"""The end token, where every byte is a token."""


class MatcherRecheck:
    """Matches finished answers under one grammar."""

    def __init__(self, compiled: CompiledGrammar) -> None:
        self._compiled = compiled

    def holds(self, token_ids: Sequence[int]) -> bool:
        """Return whether the tokens, including special ones, are a complete text of the grammar."""
        spelled = self._compiled.vocabulary.spelled
        return self._accepts(b"".join(spelled[token] for token in token_ids))

    def holds_text(self, text: str) -> bool:
        """Return whether the text is a complete text of the grammar."""
        return self._accepts(text.encode())

    def _accepts(self, data: bytes) -> bool:
        try:
            return bytewise(self._compiled).matcher().accept_text(data)
        except GrammarError:
            return False


def bytewise(compiled: CompiledGrammar) -> CompiledGrammar:
    """Return the constraint over a vocabulary in which every byte is a token."""
    return bytes_compiler().load(compiled.to_bytes())


@cache
def bytes_compiler() -> Compiler:
    """Return a compiler over a vocabulary of all bytes. It accepts the constraints that any such vocabulary does."""
    return Compiler(Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [END]))
