"""Tokens of the vocabulary, for the verifier of pieces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import groupby

from gateway.verify.pieces import special
from gateway.verify.schema import Schema
from grammars import Vocabulary
from tools.styled import read_arguments

_SPECIAL = re.compile("[\ud800-\udbff].", re.DOTALL)

_LONGEST = 512
"""Most characters of a token; longer ones are not considered."""


class VocabularyTokens:
    """Tokens of a vocabulary; see `gateway.verify.pieces.Tokens`."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {name: token_id for name, token_id in self._vocabulary.special_tokens if name}

    @cached_property
    def _names(self) -> re.Pattern[str]:
        longest_first = sorted(self._ids, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first)) or "(?!)")

    @cached_property
    def _named(self) -> dict[str, str]:
        return {special(token_id): name for name, token_id in self._ids.items()}

    @cached_property
    def _texts(self) -> frozenset[str]:
        return frozenset(self._vocabulary.special_tokens.texts())

    def spelled(self, text: str) -> str:
        """Return the text with the names of special tokens replaced by the tokens."""
        return self._names.sub(lambda name: special(self._ids[name[0]]), text)

    def named(self, text: str) -> str:
        """Return the text with special tokens replaced by their names."""
        return _SPECIAL.sub(lambda token: self._named[token[0]], text)

    def text_of(self, token: int | str) -> str:
        """Return the text of a token, or the token where it is special."""
        return self.spelled(self._vocabulary.special_tokens.text_of(token))

    def lengths_at(self, text: str, at: int) -> Iterable[int]:
        """Return the lengths, in characters, of the tokens that the text can continue with at a position."""
        most = min(_LONGEST, len(text) - at)
        return [size for size in range(1, most + 1) if text[at : at + size] in self._texts]

    def arguments(self, format_name: str, schema: Schema, text: str) -> str | None:
        """Return the JSON of arguments in a tool format; None if the text is malformed."""
        return read_arguments(format_name, dict(schema) if isinstance(schema, dict) else schema, text)

    def written(self, token_ids: Sequence[int]) -> str:
        """Return the text of the tokens, in which special tokens are distinct from text that spells their names."""
        data, special_ids = self._vocabulary.spelled, set(self._ids.values())
        runs = groupby(token_ids, lambda token: token in special_ids)
        return "".join(
            "".join(map(special, run)) if is_special else b"".join(map(data.__getitem__, run)).decode(errors="replace")
            for is_special, run in runs
        )


@lru_cache(maxsize=1)
def vocabulary_tokens(vocabulary: Vocabulary) -> VocabularyTokens:
    """Return the tokens of a vocabulary, cached for the served one."""
    return VocabularyTokens(vocabulary)
