"""Token ids to text, piece by piece."""

import codecs
from collections.abc import Iterable, Sequence

TokenBytes = Sequence[bytes | None]
"""Bytes of each token id; None for a special token, which has no text."""


class Detokenizer:
    """Turns the tokens of one sequence into text that never ends in half a UTF-8 character.

    The bytes of a character that is not complete yet wait for the next token. Bytes that can no longer become a
    character turn into U+FFFD, those still waiting at the end in `finish`. The pieces joined equal
    `b"".join(bytes of all tokens).decode("utf-8", "replace")`.

    Cost: linear in the bytes, at most three of them held.
    """

    __slots__ = ("_decoder", "_is_inside", "_token_bytes")

    def __init__(self, token_bytes: TokenBytes) -> None:
        self._token_bytes = token_bytes
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._is_inside = False

    def feed(self, token_ids: Iterable[int]) -> str:
        """Return the text that these tokens complete."""
        return self.feed_bytes(b"".join([self._token_bytes[token] or b"" for token in token_ids]))

    def feed_bytes(self, data: bytes) -> str:
        """Return the text that these bytes complete."""
        if not self._is_inside:
            # The usual case is text that is whole, which needs no memory.
            try:
                return data.decode()
            except UnicodeDecodeError:
                pass
        text = self._decoder.decode(data)
        self._is_inside = bool(self._decoder.getstate()[0])
        return text

    def finish(self) -> str:
        """Return U+FFFD where the sequence ended inside a character, else the empty text."""
        self._is_inside = False
        return self._decoder.decode(b"", final=True)
