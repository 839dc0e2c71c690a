"""Chat templates, special tokens, end tokens and sampling defaults in a GGUF file."""

from __future__ import annotations

from typing import Any

import numpy as np

from gateway.errors import ModelLoadError
from gateway.gguf.file import GgufFile
from gateway.gguf.tokenizer import tokens_of

_SPECIAL = {
    "bos_token": "bos",
    "eos_token": "eos",
    "unk_token": "unknown",
    "pad_token": "padding",
    "sep_token": "seperator",
    "mask_token": "mask",
}
"""Names of special tokens in chat templates and in files; one as the format spells it."""

_ENDS = ("eos", "eot", "eom")

_END_NAMES = frozenset({
    "<|eot_id|>", "<|eom_id|>", "<|im_end|>", "<|end|>", "<|endoftext|>", "<|end_of_text|>", "<end_of_turn>",
})  # fmt: skip
"""Special tokens that end an answer or a turn in every vocabulary that has them, where a file names one end alone."""

_NOT_WORDS = (3, 4)
"""Types of tokens: control, and defined by those who made the model."""

_SAMPLING = {
    "temperature": "temp",
    "top_k": "top_k",
    "top_p": "top_p",
    "min_p": "min_p",
    "repetition_penalty": "penalty_repeat",
}

_TEMPLATE = "tokenizer.chat_template"


def chat_templates_of(file: GgufFile) -> dict[str, str]:
    """Return the chat templates by purpose, `default` first."""
    found = {"default": file.get(_TEMPLATE, str)} if _TEMPLATE in file.metadata else {}
    for name in file.metadata:
        if name.startswith(f"{_TEMPLATE}."):
            found[name.removeprefix(f"{_TEMPLATE}.")] = file.get(name, str)
    return found


def special_tokens_of(file: GgufFile) -> dict[str, str]:
    """Special tokens by the names that chat templates have for them.

    Raises:
        ModelLoadError: A token id is not in the vocabulary.
    """
    tokens = tokens_of(file)
    found = {name: _token_id(file, own, len(tokens)) for name, own in _SPECIAL.items()}
    return {name: tokens[token_id] for name, token_id in found.items() if token_id is not None}


def ends_of(file: GgufFile) -> tuple[int, ...]:
    """Tokens that end an answer: those that the file names, and those with names that always do.

    Raises:
        ModelLoadError: There is none.
    """
    tokens, kinds = tokens_of(file), file.metadata.get("tokenizer.ggml.token_type")
    found = {_token_id(file, name, len(tokens)) for name in _ENDS} - {None}
    if isinstance(kinds, np.ndarray) and len(kinds) == len(tokens):
        apart = np.flatnonzero(np.isin(kinds, _NOT_WORDS)).tolist()
        found |= {token_id for token_id in apart if tokens[token_id] in _END_NAMES}
    if not found:
        raise ModelLoadError(f"{file.path} names no end-of-sequence token")
    return tuple(sorted(token_id for token_id in found if token_id is not None))


def sampling_of(file: GgufFile) -> dict[str, Any]:
    """Return the sampling defaults as `generation_config.json` would state them."""
    values = {name: file.metadata.get(f"general.sampling.{own}") for name, own in _SAMPLING.items()}
    return {name: value for name, value in values.items() if value is not None}


def _token_id(file: GgufFile, name: str, count: int) -> int | None:
    full = f"tokenizer.ggml.{name}_token_id"
    if full not in file.metadata:
        return None
    token_id = file.get(full, int)
    if not 0 <= token_id < count:
        raise ModelLoadError(f"{file.path}: {full!r} is {token_id}, and there are {count} tokens")
    return token_id
