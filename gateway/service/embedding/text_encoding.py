"""Texts and pairs of texts to token ids, within a model's bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tokenizers import Encoding, Tokenizer

from gateway.core.embedding import Input
from gateway.core.model import ServedModel
from gateway.engine import RunningEngine
from gateway.engine.request import Pooling
from gateway.errors import ContextLengthError, InvalidRequestError


class Encoded(NamedTuple):
    """Token ids of a text or pair; `second_text` is where the second text of a pair begins."""

    ids: list[int]
    second_text: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingModel:
    """A model whose states are pooled, or that scores pairs.

    Attributes:
        pooling: None: it embeds nothing.
        is_normalized: Vectors have unit length unless a request says otherwise.
        scores_pairs: A cross-encoder: it reads a query and a document together.
        is_sigmoid: Its scores are between 0 and 1.
        prompts: Texts before others, by name.
        default_prompt: Name of the one that is used if a request names none.
        lowercases: Texts are lower-cased first.
        vocabulary_size: Token ids are below it.
    """

    served: ServedModel
    engine: RunningEngine
    tokenizer: Tokenizer
    vocabulary_size: int
    pooling: Pooling | None
    is_normalized: bool = True
    scores_pairs: bool = False
    is_sigmoid: bool = True
    prompts: Mapping[str, str] = field(default_factory=dict)
    default_prompt: str | None = None
    lowercases: bool = False

    def prompt_of(self, name: str | None) -> str:
        """Return the prompt of a name; the default one for None.

        Raises:
            InvalidRequestError: The model has no prompt of this name.
        """
        name = self.default_prompt if name is None else name
        if name is None:
            return ""
        if name not in self.prompts:
            known = ", ".join(sorted(self.prompts)) or "none"
            raise InvalidRequestError(
                f"prompt_name {name[:100]!r} is none of the model's prompts; there are: {known}", param="prompt_name"
            )
        return self.prompts[name]

    def prompt_like(self, *names: str) -> str:
        """Return the prompt of the first of these names that the model has one for; empty without one."""
        return next((self.prompts[name] for name in names if name in self.prompts), "")

    def encoded(self, given: Input, origin: str, truncate_to: int | None) -> Encoded:
        """Return the tokens of a text, with those that the tokenizer adds; token ids are taken as they are.

        Raises:
            InvalidRequestError: There is no token, or one that the model does not have.
            ContextLengthError: There are too many, and `truncate_to` does not cut them.
        """
        most = self._most(truncate_to)
        if isinstance(given, tuple):
            if not all(0 <= token < self.vocabulary_size for token in given):
                raise InvalidRequestError(
                    f"{origin} holds a token id that is not in [0, {self.vocabulary_size})", param=origin
                )
            ids = list(given)
            if truncate_to is not None:
                ids = ids[:most]
        else:
            text = self._plain(given)
            room = most - self.tokenizer.num_special_tokens_to_add(False)
            if truncate_to is not None:
                text.truncate(max(room, 0))
            ids = self.tokenizer.post_process(text).ids
        self._check(ids, origin)
        return Encoded(ids)

    def encoded_pair(self, query: str, document: str, origin: str, truncate_to: int | None) -> Encoded:
        """Return the tokens of a query and a document; where they are cut, the longer one is.

        Raises:
            ContextLengthError: They are too long, and `truncate_to` does not cut them.
        """
        first, second = self._plain(query), self._plain(document)
        if truncate_to is not None:
            room = max(self._most(truncate_to) - self.tokenizer.num_special_tokens_to_add(True), 0)
            shorter = min(len(first), len(second), room // 2)
            first.truncate(max(room - len(second), shorter) if len(first) > shorter else shorter)
            second.truncate(room - len(first))
        whole = self.tokenizer.post_process(first, second)
        self._check(whole.ids, origin)
        return Encoded(whole.ids, whole.type_ids.index(1) if 1 in whole.type_ids else None)

    def _plain(self, text: str) -> Encoding:
        return self.tokenizer.encode(text.lower() if self.lowercases else text, add_special_tokens=False)

    def _most(self, truncate_to: int | None) -> int:
        longest = self.engine.max_model_len
        return longest if truncate_to is None or truncate_to < 0 else min(truncate_to, longest)

    def _check(self, ids: list[int], origin: str) -> None:
        most = self.engine.max_model_len
        if not ids:
            raise InvalidRequestError(f"{origin} has no tokens", param=origin)
        if len(ids) > most:
            raise ContextLengthError(
                f"{origin} has {len(ids)} tokens; the model reads at most {most} (truncate_prompt_tokens cuts a text)",
                param=origin,
            )
