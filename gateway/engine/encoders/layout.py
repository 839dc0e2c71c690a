"""Folder of an encoder: a model of transformers, with the modules that sentence-transformers names beside it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from gateway.engine.errors import UnsupportedModelError
from gateway.engine.json_files import read_json
from gateway.engine.request import Pooling

CLASSIFIER = "ForSequenceClassification"
MODES: dict[str, Pooling] = {"cls": "cls", "mean": "mean", "max": "max", "last": "last", "lasttoken": "last"}
"""Poolings by sentence-transformers' names."""
_FLAG = "pooling_mode_"


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderLayout:
    """Files of an encoder and the steps from its states to a vector.

    Attributes:
        transformer: Folder of the model of transformers.
        pooling: Pooling of the states of a text's tokens.
        dense: Folders of linear layers after the pooling.
        is_normalized: Vectors have unit length.
        is_classifier: A classifier with one label, which scores a pair of texts (a cross-encoder).
        max_tokens: Longest text that the files name; None: they name none.
        lowercases: Texts are lower-cased before they are tokenized.
    """

    transformer: Path
    pooling: Pooling = "mean"
    dense: tuple[Path, ...] = ()
    is_normalized: bool = True
    is_classifier: bool = False
    max_tokens: int | None = None
    lowercases: bool = False

    @classmethod
    def read(cls, folder: Path, pooling: Pooling | None = None) -> EncoderLayout:
        """Return the layout of a folder. One without `modules.json` is pooled by the mean, and normalized.

        Args:
            pooling: Replaces the one that the files name.

        Raises:
            UnsupportedModelError: A module, or a kind of pooling, is not supported; names it.
        """
        transformer, found = folder, dict[str, Any]()
        modules = read_json(folder / "modules.json", list)
        if modules:
            found["is_normalized"] = False
        for module in modules:
            kind, path = str(module.get("type", "")).rsplit(".", 1)[-1], folder / str(module.get("path", ""))
            if kind == "Transformer":
                transformer = path
            elif kind == "Pooling":
                found["pooling"] = _pooling(read_json(path / "config.json"), path)
            elif kind == "Dense":
                found["dense"] = (*found.get("dense", ()), path)
            elif kind == "Normalize":
                found["is_normalized"] = True
            else:
                raise UnsupportedModelError(f"{folder / 'modules.json'} has a module {kind!r}, which is not supported")
        settings = read_json(transformer / "sentence_bert_config.json")
        most = settings.get("max_seq_length")
        if pooling is not None:
            found["pooling"] = pooling
        return cls(
            transformer=transformer,
            is_classifier=is_classifier(transformer),
            max_tokens=most if isinstance(most, int) and most > 0 else None,
            lowercases=bool(settings.get("do_lower_case")),
            **found,
        )


def is_classifier(folder: Path) -> bool:
    """True if the model of a folder is a classifier of texts.

    Raises:
        UnsupportedModelError: It has more than one label.
    """
    config = read_json(folder / "config.json")
    if not names_classifier(config):
        return False
    labels = config.get("id2label")
    count = len(labels) if isinstance(labels, dict) else config.get("num_labels", 2)
    if count != 1:
        raise UnsupportedModelError(f"{folder} is a classifier with {count} labels; one that scores pairs has one")
    return True


def names_classifier(config: dict[str, Any]) -> bool:
    """True if a `config.json` names a classifier of transformers."""
    return any(str(name).endswith(CLASSIFIER) for name in config.get("architectures") or ())


def _pooling(config: dict[str, Any], path: Path) -> Pooling:
    named = config.get("pooling_mode")
    modes = [name.removeprefix(_FLAG) for name, is_on in config.items() if name.startswith(_FLAG) and is_on is True]
    modes = (
        [named] if isinstance(named, str) else [mode.removesuffix("_token").removesuffix("_tokens") for mode in modes]
    )
    if len(modes) != 1 or modes[0] not in MODES:
        raise UnsupportedModelError(f"{path} pools by {modes}; one of {list(get_args(Pooling))} is supported")
    if config.get("include_prompt") is False:
        raise UnsupportedModelError(
            f"{path} leaves prompts out of the pooling (include_prompt), which is not supported"
        )
    return MODES[modes[0]]
