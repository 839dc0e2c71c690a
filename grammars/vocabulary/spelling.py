"""Token ids as bytes: of byte-level BPE, SentencePiece with byte fallback, plain pieces, and tables of ranks.

A token that stands for no text is spelled ``FF name FE``. Neither byte occurs in UTF-8, and no network has an edge or a
class with `FF` but those made from these spellings; so nothing else allows such a token, and no text is taken for one.

Tokens of text with a byte `FF` in them (byte-level vocabularies have one) have no spelling beside special tokens: masks
never allow them, and they cannot make up a special token's spelling piece by piece.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from grammars.errors import InvalidGrammarError, UnsupportedError

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
        """Return the spelling of each token; empty: no text and no name, or the end of a text."""
        found = [b"" if token is None or i in self._ends else token for i, token in enumerate(self._tokens)]
        if self._names:
            found = [b"" if BEGIN in token else token for token in found]
        for token_id in self._names:
            found[token_id] = self.spelling(token_id)
        return found

    def spelling(self, token_id: int) -> bytes:
        """Return the spelling of a special token."""
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

    def text_of(self, token: int | str) -> str:
        """The name of a special token, the text of another one; it is given by its number, or by that name or text.

        Raises:
            InvalidGrammarError: there is no such token.
            UnsupportedError: it holds part of a character, or ends a text.
        """
        if isinstance(token, str):
            is_text = token not in self._ids and token.encode() in self._tokens
            return token if is_text else self._names[self.named(token)]
        data = self._tokens[token] if 0 <= token < len(self._tokens) else None
        if data is None or token in self._ends:
            return self._names[self.numbered(token)]
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise UnsupportedError(f"the token with the number {token}, which holds part of a character,") from None

    def texts(self) -> set[str]:
        """The texts of all tokens that have one of whole characters."""
        found = (
            token.decode(errors="replace") for i, token in enumerate(self._tokens) if token and i not in self._ends
        )
        return {text for text in found if "\ufffd" not in text}

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
