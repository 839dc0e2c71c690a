"""Tokens that stand for no text, spelled so that a network over bytes can tell them from every text.

Such a token is spelled ``FF name FE``. Neither byte occurs in UTF-8, and no network has an edge or a class with `FF`
but those made from these spellings; so nothing else allows such a token, and no text is taken for one.
Tokens of text with a byte `FF` in them (byte-level vocabularies have one) have no spelling beside special tokens: masks
never allow them, and they cannot make up a special token's spelling piece by piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from grammars.errors import InvalidGrammarError, UnsupportedError

BEGIN, END = b"\xff", b"\xfe"
_SPELLING = re.compile(rb"(\xff[^\xfe]*\xfe)")


class SpecialTokens:
    """The special tokens of a vocabulary, by name.

    Args:
        tokens: bytes of each token; None for those without text.
        eos_token_ids: tokens that end a text; they cannot stand inside of one.
        names: token id of each name; names of tokens that have text are ignored.
    """

    def __init__(self, tokens: Sequence[bytes | None], eos_token_ids: Sequence[int], names: Mapping[str, int]) -> None:
        self._tokens = tokens
        self._ends = frozenset(eos_token_ids)
        self._ids = {name: i for name, i in names.items() if 0 <= i < len(tokens) and tokens[i] is None}
        self._names = {i: name for name, i in self._ids.items() if i not in self._ends}

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return iter(sorted((name, token_id) for token_id, name in self._names.items()))

    def __len__(self) -> int:
        return len(self._names)

    def spelled(self) -> list[bytes]:
        """How each token of the vocabulary is spelled; empty: no text and no name, or the end of a text."""
        found = [b"" if token is None or i in self._ends else token for i, token in enumerate(self._tokens)]
        if self._names:
            found = [b"" if BEGIN in token else token for token in found]
        for token_id in self._names:
            found[token_id] = self.spelling(token_id)
        return found

    def spelling(self, token_id: int) -> bytes:
        """How a special token is spelled."""
        return BEGIN + self._names[token_id].encode() + END

    def named(self, name: str) -> int:
        """The special token of this name.

        Raises:
            InvalidGrammarError: there is no such token.
            UnsupportedError: it stands for text, or ends it.
        """
        if name in self._ids:
            return self._checked(self._ids[name], f"the end token {name} inside a text")
        if name.encode() in self._tokens:
            raise UnsupportedError(f"the token {name}, which stands for its text in this vocabulary,")
        raise InvalidGrammarError(f"there is no special token {name}")

    def numbered(self, token_id: int) -> int:
        """The token id, if it is that of a special token.

        Raises:
            InvalidGrammarError: there is no such token.
            UnsupportedError: it stands for text, or ends it.
        """
        if token_id >= len(self._tokens) or (self._tokens[token_id] is None and token_id not in self._known):
            raise InvalidGrammarError(f"there is no special token with the number {token_id}")
        if self._tokens[token_id] is not None and token_id not in self._ends:
            raise UnsupportedError(f"the token with the number {token_id}, which stands for text,")
        return self._checked(token_id, f"the end token with the number {token_id} inside a text")

    @property
    def _known(self) -> frozenset[int]:
        return self._ends.union(self._names)

    def _checked(self, token_id: int, what: str) -> int:
        if token_id in self._ends:
            raise UnsupportedError(what)
        return token_id


def pieces(data: bytes) -> list[bytes]:
    """The bytes cut into spellings of special tokens and what stands between them."""
    return [piece for piece in _SPELLING.split(data) if piece]


def without_begun(data: bytes) -> bytes:
    """The bytes up to a spelling that is not complete."""
    begin = data.rfind(BEGIN)
    return data if begin < 0 or END in data[begin:] else data[:begin]
