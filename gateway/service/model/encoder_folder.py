"""Folder of an encoder, as the gateway reads it: tokenizer, prompts, names. The engine reads the weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer

from gateway.config import ModelConfig
from gateway.engine.encoders.layout import EncoderLayout, names_classifier
from gateway.engine.errors import UnsupportedModelError
from gateway.engine.request import Pooling
from gateway.errors import ModelLoadError
from gateway.service.model.folder import check_weights, locate, read_object, read_tokenizer

IDENTITY = "Identity"
ACTIVATION_KEYS = ("activation_fn", "sbert_ce_default_activation_function")
"""Settings of a cross-encoder's activation, of sentence-transformers now and before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderFolder:
    """The gateway's part of an encoder's files.

    Attributes:
        path: The folder.
        layout: Pooling and further steps.
        tokenizer: Text to token ids, without padding and truncation.
        prompts, default_prompt: See `EmbeddingModel`.
        is_sigmoid: Scores of a cross-encoder go through a sigmoid.
    """

    path: Path
    layout: EncoderLayout
    tokenizer: Tokenizer
    prompts: Mapping[str, str]
    default_prompt: str | None
    is_sigmoid: bool

    @classmethod
    def open(cls, config: ModelConfig) -> EncoderFolder:
        """Return the folder that the settings name.

        Raises:
            ModelLoadError: A file is missing or malformed, or the encoder is not supported; says why.
        """
        if config.path is None:
            raise ModelLoadError("model.kind is 'encoder', and model.path names no folder")
        path = locate(config.path)
        try:
            layout = EncoderLayout.read(path, pooling_of(config))
        except UnsupportedModelError as error:
            raise ModelLoadError(str(error)) from error
        check_weights(layout.transformer)
        tokenizer = _tokenizer(path, layout.transformer)
        settings = read_object(path / "config_sentence_transformers.json")
        model = read_object(layout.transformer / "config.json")
        prompts, default = settings.get("prompts") or {}, settings.get("default_prompt_name")
        if not isinstance(prompts, dict) or not all(isinstance(text, str) for text in prompts.values()):
            raise ModelLoadError(f"{path / 'config_sentence_transformers.json'}: prompts must be texts by name")
        own = model.get("sentence_transformers")
        named = [{**model, **(own if isinstance(own, dict) else {})}.get(key) for key in ACTIVATION_KEYS]
        return cls(
            path=path,
            layout=layout,
            tokenizer=tokenizer,
            prompts=prompts,
            default_prompt=default if default in prompts else None,
            is_sigmoid=not any(str(name).endswith(IDENTITY) for name in named),
        )


def pooling_of(config: ModelConfig) -> Pooling | None:
    """Return the pooling that the settings name; None: they name none."""
    return None if config.pooling == "auto" or config.pooling == "none" else config.pooling


def is_encoder(config: ModelConfig) -> bool:
    """True if the settings, or the files of the model, say that it is an encoder.

    Raises:
        ModelLoadError: There is no such model.
    """
    if config.kind != "auto" or config.path is None:
        return config.kind == "encoder"
    path = locate(config.path)
    if not path.is_dir():
        return False
    return (path / "modules.json").is_file() or names_classifier(read_object(path / "config.json"))


def _tokenizer(*folders: Path) -> Tokenizer:
    source = next((folder / "tokenizer.json" for folder in folders if (folder / "tokenizer.json").is_file()), None)
    if source is None:
        raise ModelLoadError(f"{folders[0]} has no tokenizer.json")
    tokenizer = read_tokenizer(source)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
