"""The draft model of a target: another model that writes the same tokens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gateway.engine.config import EngineConfig
from gateway.engine.errors import InvalidEngineConfigError
from gateway.engine.models.load import load_model
from gateway.engine.models.loaded import LoadedModel
from gateway.gguf.file import SUFFIX, GgufFile
from gateway.gguf.tokenizer import tokens_of

TOKENIZER = "tokenizer.json"


def load_companion(
    draft: Any, model: Any, target: LoadedModel, config: EngineConfig, vocab_size: int | None = None
) -> LoadedModel | None:
    """The draft model; None where the configuration does not ask for one.

    Args:
        draft: A folder, a hub name, or a `PreTrainedModel`, which the engine then owns. None: what `config` names.
        model: The same of the target; where both are folders or files their tokenizers are compared.
        target: That model.
        config: `fit` to the target: the draft model uses its blocks.
        vocab_size: Of the tokenizer; None: as wide as the target's logits.

    Raises:
        InvalidEngineConfigError: There is none, it speaks of other tokens, or it reads shorter texts.
        UnsupportedModelError: The architecture would be computed wrongly.
    """
    if "model" not in config.speculation:
        return None
    draft = config.draft_model if draft is None else draft
    if draft is None:
        raise InvalidEngineConfigError("speculation names 'model', but there is no draft_model")
    _check_tokenizers(draft, model)
    loaded = load_model(draft, config, block_size=config.block_size)
    decoder, known = loaded.decoder, target.decoder
    width = min(vocab_size or known.vocab_size, known.vocab_size)
    if decoder.vocab_size < width:
        raise InvalidEngineConfigError(f"the draft model knows {decoder.vocab_size} tokens, the target {width}")
    longest = min(config.max_model_len or known.max_positions, known.max_positions)
    if decoder.max_positions < longest:
        raise InvalidEngineConfigError(
            f"the draft model reads texts of {decoder.max_positions} tokens; set max_model_len to at most that"
        )
    return loaded


def _check_tokenizers(draft: Any, target: Any) -> None:
    """Raise if both come with a tokenizer and a token means something else in each."""
    files = [_tokenizer_of(Path(model)) for model in (draft, target) if isinstance(model, str | Path)]
    if len(files) < 2 or not all(file.is_file() for file in files):
        return
    if files[0].suffix == files[1].suffix and files[0].read_bytes() == files[1].read_bytes():
        return
    one, other = map(_vocabulary, files)
    shared = one.keys() & other.keys() if SUFFIX in {file.suffix for file in files} else one.keys() | other.keys()
    if any(one.get(token_id) != other.get(token_id) for token_id in shared):
        raise InvalidEngineConfigError(
            f"the draft model in {draft} has another vocabulary than the model in {target}: the same id names another "
            "token in each"
        )


def _tokenizer_of(model: Path) -> Path:
    return model if model.suffix == SUFFIX else model / TOKENIZER


def _vocabulary(tokenizer: Path) -> dict[int, str]:
    """Token of each id, special ones included. A GGUF file has some for rows of the embedding that are no token."""
    if tokenizer.suffix == SUFFIX:
        return dict(enumerate(tokens_of(GgufFile.open(tokenizer))))
    content = json.loads(tokenizer.read_bytes())
    tokens = content["model"]["vocab"]
    pairs = tokens.items() if isinstance(tokens, dict) else ((piece[0], id) for id, piece in enumerate(tokens))
    own = {id: token for token, id in pairs}
    return own | {token["id"]: token["content"] for token in content.get("added_tokens") or ()}
