"""`Vocabulary`: what the compiler knows of a tokenizer."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from grammars.errors import InvalidGrammarError
from grammars.vocabulary.partitions import Partitions
from grammars.vocabulary.pool import MaskPool
from grammars.vocabulary.spelling import (
    BEGIN,
    TEKKEN_FILE,
    SpecialTokens,
    pieces,
    read_tekken,
    special_names,
    spell_tokens,
)
from grammars.vocabulary.spellings import Spellings
from grammars.vocabulary.tables import VocabularyTables, store_tables, stored_tables
from grammars.vocabulary.units import UnitClass

Encode = Callable[[str], list[int]]
_MOST_UNSETTLED = 4
_QUOTE = 0x22


class Vocabulary:
    """Token ids as bytes, in a trie; immutable and shared by every constraint.

    Attributes:
        tokens: bytes of each token id; None where a token stands for no text.
        eos_token_ids: tokens that end a text.
        special_tokens: tokens without text that have a name.
        spelled: how each token stands in the trie: its bytes, or what a special token is spelled as, see `special`.
        tables: the trie.
        partitions: per character class, which tokens lie wholly inside it; built on demand, see `renew_partitions`.
        mask_pool: memory for the masks that constraints keep.
        fingerprint: hex digest of tokens and end tokens; equal vocabularies have equal fingerprints.
    """

    def __init__(
        self,
        tokens: Sequence[bytes | None],
        eos_token_ids: Sequence[int],
        encode: Encode | None = None,
        special_tokens: Mapping[str, int] | None = None,
    ) -> None:
        for token_id in eos_token_ids:
            if not 0 <= token_id < len(tokens):
                raise InvalidGrammarError(f"end token {token_id} is not one of {len(tokens)} tokens")
        self.tokens = list(tokens)
        self.eos_token_ids = tuple(sorted(set(eos_token_ids)))
        self.special_tokens = SpecialTokens(self.tokens, self.eos_token_ids, special_tokens or {})
        self.spelled = self.special_tokens.spelled()
        self.fingerprint = _fingerprint(self.tokens, self.eos_token_ids, self.special_tokens)
        self.tables = stored_tables(self.fingerprint) or self._build_tables()
        self._spellings = Spellings(self.tables)
        self.partitions = self._first_partitions()
        self._renewing = threading.Lock()
        self.mask_pool = MaskPool(self.tables.num_words)
        self._encode = encode

    def __len__(self) -> int:
        return len(self.tokens)

    @classmethod
    def from_tokens(
        cls,
        tokens: Sequence[bytes | None],
        eos_token_ids: Sequence[int],
        special_tokens: Mapping[str, int] | None = None,
    ) -> Vocabulary:
        """The vocabulary whose token `i` spells ``tokens[i]``.

        None: no text; allowed by a mask only where the token has a name in `special_tokens` and a grammar asks for it.
        """
        return cls(tokens, eos_token_ids, special_tokens=special_tokens)

    @classmethod
    def from_tokenizer(cls, tokenizer: Any, eos_token_ids: Sequence[int] | None = None) -> Vocabulary:
        """The vocabulary of a transformers fast tokenizer.

        Args:
            tokenizer: backed by the `tokenizers` library: byte-level BPE, or SentencePiece with byte fallback.
            eos_token_ids: tokens that end a text; by default the tokenizer's own end token.

        Raises:
            InvalidGrammarError: the tokenizer is of another kind, or names no end token.
        """
        if eos_token_ids is None:
            eos = getattr(tokenizer, "eos_token_id", None)
            if eos is None:
                raise InvalidGrammarError("the tokenizer names no end token; pass eos_token_ids")
            eos_token_ids = [eos] if isinstance(eos, int) else list(eos)
        return cls(spell_tokens(tokenizer), eos_token_ids, _encoder(tokenizer), special_names(tokenizer))

    @classmethod
    def from_pretrained(cls, folder: str | Path) -> Vocabulary:
        """The vocabulary of the tokenizer in `folder`: ``tokenizer.json`` and kin, or ``tekken.json``."""
        tekken = Path(folder) / TEKKEN_FILE
        if tekken.exists() and not (Path(folder) / "tokenizer.json").exists():
            tokens, ends, names = read_tekken(tekken)
            return cls(tokens, ends, special_tokens=names)
        from transformers import AutoTokenizer

        return cls.from_tokenizer(AutoTokenizer.from_pretrained(str(folder)))

    def encode(self, data: bytes) -> list[int]:
        """`data` in the tokenizer's own tokenization; without a tokenizer, longest token first.

        Returns token ids whose bytes are exactly `data`; empty when there are none.
        """
        if BEGIN in data and len(self.special_tokens):
            parts = [self._encode_text(piece) for piece in pieces(data)]
            return [token for part in parts for token in part] if all(parts) else []
        return self._encode_text(data)

    def _encode_text(self, data: bytes) -> list[int]:
        if self._encode is not None:
            try:
                ids = self._encode(data.decode())
            except UnicodeDecodeError:
                ids = []
            if ids and b"".join(self.tokens[i] or b"\xff\xff" for i in ids) == data:
                return ids
        return self._longest_first(data)

    def settled(self, tokens: list[int]) -> list[int]:
        """`tokens` without those at the end that text to come could still change.

        From the first token on at which the bytes to the end are a proper prefix of some token, a longer token could
        take its place.
        """
        tail = b""
        keep = len(tokens)
        for i in range(len(tokens) - 1, max(len(tokens) - 1 - _MOST_UNSETTLED, -1), -1):
            tail = self.spelled[tokens[i]] + tail
            if self.tables.has_longer(tail):
                keep = i
        return tokens[:keep]

    def renew_partitions(self) -> Partitions:
        """The partitions for constraints made from now on: once those there are have become full, new ones.

        Constraints made before go on with theirs, where classes they have not met yet cost a walk each time.
        """
        if self.partitions.is_full:
            with self._renewing:
                if self.partitions.is_full:
                    self.partitions = self._first_partitions()
        return self.partitions

    def _first_partitions(self) -> Partitions:
        """Strings of JSON are in nearly every constraint: their partition is made before the first request."""
        partitions = Partitions(self._spellings)
        strings = partitions.of_class(UnitClass.JSON_STRING)
        partitions.build_residuals(strings, np.array([_QUOTE]))
        partitions.build_outside(strings)
        return partitions

    def _longest_first(self, data: bytes) -> list[int]:
        ids: list[int] = []
        position = 0
        while position < len(data):
            token, length = self.tables.longest_prefix(data[position:])
            if token < 0:
                return []
            ids.append(token)
            position += length
        return ids

    def _build_tables(self) -> VocabularyTables:
        tables = VocabularyTables.build(self.spelled, self.eos_token_ids)
        store_tables(self.fingerprint, tables)
        return tables


def _encoder(tokenizer: Any) -> Encode:
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)

    def encode(text: str) -> list[int]:
        return list(backend.encode(text, add_special_tokens=False).ids)

    return encode


def _fingerprint(tokens: Sequence[bytes | None], eos_token_ids: Sequence[int], special: SpecialTokens) -> str:
    digest = hashlib.sha256(repr(tuple(eos_token_ids)).encode())
    digest.update(b"".join(b"\xff" if t is None else len(t).to_bytes(4, "little") + t for t in tokens))
    if len(special):
        digest.update(repr(list(special)).encode())
    return digest.hexdigest()
