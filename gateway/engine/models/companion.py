"""The draft model of a target: another model that writes the same tokens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gateway.engine.config import EngineConfig
from gateway.engine.errors import InvalidEngineConfigError
from gateway.engine.models.base import Decoder
from gateway.engine.models.load import load_decoder

TOKENIZER = "tokenizer.json"


def load_companion(draft: Any, target: Any, config: EngineConfig, *, vocab_size: int, max_model_len: int) -> Decoder:
    """The decoder of a draft model.

    Args:
        draft: A folder, a hub name, or a `PreTrainedModel`, which the engine then owns.
        target: The same of the model that it drafts for; where both are folders their tokenizers are compared.
        vocab_size: Ids that the target may choose.
        max_model_len: Longest text that it is asked to continue.

    Raises:
        InvalidEngineConfigError: It speaks of other tokens, or reads shorter texts.
        UnsupportedModelError: The architecture would be computed wrongly.
    """
    _check_tokenizers(draft, target)
    decoder = load_decoder(draft, config)
    if decoder.vocab_size < vocab_size:
        raise InvalidEngineConfigError(
            f"the draft model knows {decoder.vocab_size} tokens, the model that it drafts for {vocab_size}"
        )
    if decoder.max_positions < max_model_len:
        raise InvalidEngineConfigError(
            f"the draft model reads texts of {decoder.max_positions} tokens; set max_model_len to at most that, "
            f"not {max_model_len}"
        )
    return decoder


def _check_tokenizers(draft: Any, target: Any) -> None:
    """Raise if both come with a tokenizer and a token means something else in each."""
    files = [Path(model) / TOKENIZER for model in (draft, target) if isinstance(model, str | Path)]
    if len(files) < 2 or not all(file.is_file() for file in files):
        return
    texts = [file.read_bytes() for file in files]
    if texts[0] != texts[1] and _vocabulary(texts[0]) != _vocabulary(texts[1]):
        raise InvalidEngineConfigError(
            f"the draft model in {draft} has another vocabulary than the model in {target}: the same id names another "
            "token in each"
        )


def _vocabulary(tokenizer: bytes) -> dict[int, str]:
    """Token of each id, special ones included."""
    content = json.loads(tokenizer)
    tokens = content["model"]["vocab"]
    pairs = tokens.items() if isinstance(tokens, dict) else ((piece[0], id) for id, piece in enumerate(tokens))
    own = {id: token for token, id in pairs}
    return own | {token["id"]: token["content"] for token in content.get("added_tokens") or ()}
