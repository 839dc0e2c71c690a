"""Tokens of the vocabulary as the verifier of pieces sees them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import groupby
from weakref import WeakKeyDictionary

from gateway.verify.pieces import special
from gateway.verify.schema import Schema
from grammars import Vocabulary
from tools.styled import read_arguments

_SPECIAL = re.compile("[\ud800-\udbff].", re.DOTALL)

_LONGEST = 512
"""Characters of a token, at most; longer ones are not followed."""

_texts: WeakKeyDictionary[Vocabulary, frozenset[str]] = WeakKeyDictionary()


class VocabularyTokens:
    """The tokens of a vocabulary; see `gateway.verify.pieces.Tokens`."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {name: token_id for name, token_id in self._vocabulary.special_tokens if name}

    @cached_property
    def _names(self) -> re.Pattern[str]:
        longest_first = sorted(self._ids, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first)) or "(?!)")

    def spelled(self, text: str) -> str:
        """Return the text with special tokens for their names."""
        return self._names.sub(lambda name: special(self._ids[name[0]]), text)

    def named(self, text: str) -> str:
        """Return the text with names for special tokens again."""
        names = {special(token_id): name for name, token_id in self._ids.items()}
        return _SPECIAL.sub(lambda token: names[token[0]], text)

    def text_of(self, token: int | str) -> str:
        """Return the text of a token, or the token where it is special."""
        return self.spelled(self._vocabulary.special_tokens.text_of(token))

    def lengths_at(self, text: str, at: int) -> Iterable[int]:
        """Return how many characters the tokens have with which a text goes on at a place."""
        if self._vocabulary not in _texts:
            _texts[self._vocabulary] = frozenset(self._vocabulary.special_tokens.texts())
        known, most = _texts[self._vocabulary], min(_LONGEST, len(text) - at)
        return [size for size in range(1, most + 1) if text[at : at + size] in known]

    def arguments(self, format_name: str, schema: Schema, text: str) -> str | None:
        """Return the JSON of arguments in a tool format; None where the text is none."""
        return read_arguments(format_name, dict(schema) if isinstance(schema, dict) else schema, text)

    def written(self, token_ids: Sequence[int]) -> str:
        """Return the text that the tokens make up, with special ones told from it."""
        data, special_ids = self._vocabulary.spelled, set(self._ids.values())
        runs = groupby(token_ids, lambda token: token in special_ids)
        return "".join(
            "".join(map(special, run)) if is_special else b"".join(map(data.__getitem__, run)).decode(errors="replace")
            for is_special, run in runs
        )
