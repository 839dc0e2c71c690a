"""Classifiers of texts, whose log-probabilities of a class are added to the scores of tokens.

A classifier reads text, and not the served model's tokens: these are decoded by that model's tokenizer, and encoded by
the classifier's own. This is the one place of the engine that knows text.

See: Dekoninck et al. 2023, "Controlled Text Generation via Language Model Arithmetic", on classifiers.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Seq
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor

from gateway.engine.config import EngineConfig
from gateway.engine.encoders.encoder import LOCAL, longest_text
from gateway.engine.errors import InvalidEngineConfigError, UnsupportedModelError

TOKENIZER = "tokenizer.json"
MAX_TEXT_TOKENS = 256
"""Most tokens of the classifier that it reads of a text: its end."""
MAX_ANSWER_TOKENS = 2 * MAX_TEXT_TOKENS
"""Most tokens of the served model that are decoded for that."""
MAX_BATCH = 128
"""Most texts of one pass."""


class TextClassifier:
    """Log-probability of one class of texts."""

    def __init__(self, folder: Path, label: str, served: Tokenizer, device: torch.device) -> None:
        """Load the classifier. Args: served: Tokenizer of the served model.

        Raises:
            InvalidEngineConfigError: It has no such class.
            UnsupportedModelError: It is not computed here; says why.
        """
        from transformers import AutoConfig, AutoModelForSequenceClassification

        try:
            config = AutoConfig.from_pretrained(folder, **LOCAL)
            model, report = AutoModelForSequenceClassification.from_pretrained(
                folder, config=config, use_safetensors=True, output_loading_info=True, **LOCAL
            )
            self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        except Exception as error:
            raise UnsupportedModelError(f"{folder} is no classifier of transformers: {error}") from error
        if report["missing_keys"]:
            raise UnsupportedModelError(f"{folder} lacks weights: {min(report['missing_keys'])}")
        if config.pad_token_id is None:
            raise UnsupportedModelError(f"{folder} has no pad_token_id, which texts of a batch need")
        labels = {str(name): int(number) for number, name in config.id2label.items()}
        if label not in labels:
            raise InvalidEngineConfigError(f"{folder} has no class {label!r}; it has {', '.join(labels)}")
        self._model, self._served, self._device = model.float().to(device).eval(), served, device
        self._number = labels[label]
        self._is_exclusive = config.num_labels > 1 and config.problem_type != "multi_label_classification"
        self._tokenizer.enable_truncation(min(longest_text(model), MAX_TEXT_TOKENS), direction="left")
        self._tokenizer.enable_padding(pad_id=config.pad_token_id)
        self._pad = int(config.pad_token_id)
        if self._tokenizer.get_vocab_size() > config.get_text_config().vocab_size:
            raise UnsupportedModelError(f"{folder} has a tokenizer of more tokens than its model knows")

    @torch.inference_mode()
    def log_probabilities(self, answers: Seq[Seq[int]]) -> Tensor:
        """Return those of the class, of texts in tokens of the served model. Shapes: [answers], at least one."""
        texts = self._served.decode_batch([list(each[-MAX_ANSWER_TOKENS:]) for each in answers], True)
        parts = [texts[first : first + MAX_BATCH] for first in range(0, len(texts), MAX_BATCH)]
        return torch.cat([self._computed(part) for part in parts])

    def _computed(self, texts: list[str]) -> Tensor:
        encoded = self._tokenizer.encode_batch(texts)
        ids = torch.tensor([each.ids or [self._pad] for each in encoded], device=self._device)
        mask = torch.tensor([each.attention_mask or [1] for each in encoded], device=self._device)
        mask[mask.sum(dim=1) == 0, 0] = 1  # of an empty text the padding is read
        logits = self._model(input_ids=ids, attention_mask=mask).logits.float()
        scores = logits.log_softmax(-1) if self._is_exclusive else torch.nn.functional.logsigmoid(logits)
        found: Tensor = scores[:, self._number]
        return found


def load_classifiers(model: Any, config: EngineConfig, device: torch.device) -> Mapping[str, TextClassifier]:
    """Return the classifiers that the settings name.

    Args:
        model: The served model's folder.

    Raises:
        InvalidEngineConfigError: A class or a tokenizer is missing, or a name is taken.
        UnsupportedModelError: One is not computed here.
    """
    if not config.term_classifiers:
        return {}
    path = Path(model) / TOKENIZER if isinstance(model, str | Path) else None
    if path is None or not path.is_file():
        raise InvalidEngineConfigError(f"term_classifiers need the served model's {TOKENIZER} in its folder")
    served = Tokenizer.from_file(str(path))
    named = config.named_classifiers.items()
    return {name: TextClassifier(Path(folder), label, served, device) for name, (folder, label) in named}
