"""Vocabularies that come as a table of bytes and ranks: tiktoken's encodings and Mistral's tekken files."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grammars.errors import InvalidGrammarError

TEKKEN_FILE = "tekken.json"
_TEKKEN_END = "</s>"
_TEKKEN_END_ID = 2


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
