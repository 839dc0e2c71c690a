"""Token ids as bytes: of byte-level BPE, SentencePiece with byte fallback, plain pieces, and tables of ranks."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grammars.errors import InvalidGrammarError

_BYTE_PIECE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_SPACE_PIECE = "▁"
TEKKEN_FILE = "tekken.json"
_TEKKEN_END = "</s>"
_TEKKEN_END_ID = 2


def _byte_level_alphabet() -> dict[int, int]:
    """Character -> byte of the byte-level alphabet (Radford et al., "Language Models are Unsupervised Multitask
    Learners", 2019): printable bytes stand for themselves, the others follow from code point 256 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    alphabet = {byte: byte for byte in printable}
    shifted = (byte for byte in range(256) if byte not in alphabet)
    return alphabet | {256 + i: byte for i, byte in enumerate(shifted)}


_BYTE_LEVEL = _byte_level_alphabet()


def spell_tokens(tokenizer: Any) -> list[bytes | None]:
    """The bytes of each token of a `tokenizers`-backed tokenizer; None for special tokens.

    Args:
        tokenizer: a transformers fast tokenizer, or a `tokenizers.Tokenizer`.

    Raises:
        InvalidGrammarError: the tokenizer's decoder is of a kind whose bytes are not known.
    """
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    pieces: dict[str, int] = backend.get_vocab(with_added_tokens=True)
    added = backend.get_added_tokens_decoder()
    spelled: list[bytes | None] = [None] * (max(max(pieces.values(), default=-1), *added, -1) + 1)
    spell = _speller(_decoder_kinds(backend))
    for piece, token_id in pieces.items():
        if token_id not in added:
            spelled[token_id] = spell(piece)
    for token_id, token in added.items():
        spelled[token_id] = None if token.special else token.content.encode()
    return spelled


def special_names(tokenizer: Any) -> dict[str, int]:
    """The special tokens of such a tokenizer by name."""
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    return {token.content: i for i, token in backend.get_added_tokens_decoder().items() if token.special}


def _decoder_kinds(backend: Any) -> list[dict[str, Any]]:
    if backend.decoder is None:
        return []
    state = json.loads(backend.decoder.__getstate__())
    return list(state["decoders"]) if state["type"] == "Sequence" else [state]


def _speller(decoders: list[dict[str, Any]]) -> Any:
    kinds = {decoder["type"] for decoder in decoders}
    if "ByteLevel" in kinds:
        return _spell_byte_level
    if "ByteFallback" in kinds or "Metaspace" in kinds:
        return _spell_sentencepiece
    if not kinds <= {"Fuse"}:
        raise InvalidGrammarError(f"tokenizer decoder {sorted(kinds)} is not known; byte-level or SentencePiece is")
    return str.encode


def _spell_byte_level(piece: str) -> bytes | None:
    try:
        return piece.translate(_BYTE_LEVEL).encode("latin-1")
    except UnicodeEncodeError:
        return piece.encode()


def _spell_sentencepiece(piece: str) -> bytes | None:
    byte = _BYTE_PIECE.fullmatch(piece)
    if byte:
        return bytes([int(byte[1], 16)])
    return piece.replace(_SPACE_PIECE, " ").encode()


def spell_ranks(ranks: Mapping[bytes, int], special_tokens: Mapping[str, int]) -> list[bytes | None]:
    """The bytes of each token id of a tiktoken encoding; None for special tokens and unused ids.

    Raises:
        InvalidGrammarError: two tokens have the same id.
    """
    ids = [*ranks.values(), *special_tokens.values()]
    if len(set(ids)) < len(ids):
        raise InvalidGrammarError("two tokens of the table have the same id")
    spelled: list[bytes | None] = [None] * (max(ids, default=-1) + 1)
    for data, token_id in ranks.items():
        spelled[token_id] = data
    return spelled


def read_tekken(file: Path) -> tuple[list[bytes | None], list[int], dict[str, int]]:
    """The bytes of each token id of a tekken file, special tokens first, the end token, and special tokens by name.

    Raises:
        InvalidGrammarError: the file is no tekken file; says what is missing.
    """
    try:
        content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        config = content["config"]
        num_special = int(config["default_num_special_tokens"])
        num_plain = int(config["default_vocab_size"]) - num_special
        plain = sorted(content["vocab"], key=lambda entry: int(entry["rank"]))[:num_plain]
        data = [base64.b64decode(entry["token_bytes"], validate=True) for entry in plain]
        named = {str(entry["token_str"]): int(entry["rank"]) for entry in content.get("special_tokens") or []}
    except (KeyError, TypeError, ValueError, binascii.Error) as error:
        raise InvalidGrammarError(f"{file.name} is not a tekken file: {error!r}") from error
    return [*([None] * num_special), *data], [named.get(_TEKKEN_END, _TEKKEN_END_ID)], named
