"""An encoder of transformers: a batch of texts to one vector each."""

from __future__ import annotations

import inspect
from collections.abc import Sequence as Seq
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from gateway.engine.encoders.layout import EncoderLayout
from gateway.engine.errors import UnsupportedModelError
from gateway.engine.json_files import read_json
from gateway.engine.pooling import Pool
from gateway.engine.sequence import Sequence

LOCAL: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
"""Nothing is asked of the hub, and code that comes with a model is not run."""
ACTIVATIONS = {name: getattr(nn, name) for name in ("Identity", "Tanh", "ReLU", "GELU", "Sigmoid")}
UNUSED = "pooler."
"""Weights that no pooling reads, so that files may lack them."""


class Encoder:
    """Encoder of a folder.

    Attributes:
        max_tokens: Longest text.
        vocab_size: Token ids are below it.
    """

    def __init__(self, layout: EncoderLayout, device: torch.device, dtype: torch.dtype | None) -> None:
        """Load the model.

        Raises:
            UnsupportedModelError: It is not computed here; says why.
        """
        from transformers import AutoConfig, AutoModel, AutoModelForSequenceClassification

        self.layout = layout
        config = AutoConfig.from_pretrained(layout.transformer, **LOCAL)
        if getattr(config, "is_encoder_decoder", False):
            raise UnsupportedModelError(f"{layout.transformer} is an encoder with a decoder, which is not supported")
        kind = AutoModelForSequenceClassification if layout.is_classifier else AutoModel
        model, report = kind.from_pretrained(
            layout.transformer,
            config=config,
            use_safetensors=True,
            dtype=dtype or "auto",
            output_loading_info=True,
            **LOCAL,
        )
        missing = sorted(name for name in report["missing_keys"] if layout.is_classifier or UNUSED not in name)
        if missing:
            raise UnsupportedModelError(f"{layout.transformer} lacks weights: {missing[0]} and {len(missing) - 1} more")
        self._model = model.to(device).eval()
        self._device = device
        self._takes = inspect.signature(model.forward).parameters
        self._dense = [_dense(path).to(device) for path in layout.dense]
        self._pad = config.pad_token_id
        self.vocab_size = int(config.get_text_config().vocab_size)
        self.max_tokens = min(longest_text(model), layout.max_tokens or 1 << 30)

    @property
    def max_texts(self) -> int | None:
        """Most texts of a batch; None: any. A classifier finds the end of a text by its padding."""
        return 1 if self.layout.is_classifier and self._pad is None else None

    @torch.inference_mode()
    def compute(self, texts: Seq[Sequence]) -> list[Tensor]:
        """Return one vector a text; of a classifier its one logit. Cost: longest text times number of texts."""
        lengths = [len(text.token_ids) for text in texts]
        ids = torch.full((len(texts), max(lengths)), self._pad or 0)
        mask, segments = torch.zeros_like(ids), torch.zeros_like(ids)
        for row, (text, length) in enumerate(zip(texts, lengths, strict=True)):
            ids[row, :length] = torch.tensor(text.token_ids)
            mask[row, :length] = 1
            if text.request.second_text is not None:
                segments[row, text.request.second_text : length] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": segments}
        given: dict[str, Any] = {name: each.to(self._device) for name, each in inputs.items() if name in self._takes}
        if "use_cache" in self._takes:
            given["use_cache"] = False
        output = self._model(**given)
        if self.layout.is_classifier:
            return list(output.logits.float())
        vectors = []
        for text, states, length in zip(texts, output[0], lengths, strict=True):
            assert text.request.pooling is not None
            pool = Pool(text.request.pooling, length)
            wanted = pool.wanted(0, length)
            pool.add(states[wanted.start : wanted.stop])
            vectors.append(pool.vector())
        stacked = torch.stack(vectors)
        for dense in self._dense:
            stacked = dense(stacked)
        return list(stacked)


def longest_text(model: Any) -> int:
    """Return the longest text that a model has positions for; some begin to count after the padding's id."""
    longest = getattr(model.config.get_text_config(), "max_position_embeddings", None) or 1 << 30
    for name, module in model.named_modules():
        is_table = name.endswith("position_embeddings") and isinstance(module, nn.Embedding)
        if is_table and module.padding_idx is not None:
            return int(module.num_embeddings - module.padding_idx - 1)
    return int(longest)


def _dense(folder: Path) -> nn.Module:
    """Return a linear layer and its activation, in float32."""
    weights = {name.rsplit(".", 1)[-1]: each.float() for name, each in load_file(folder / "model.safetensors").items()}
    activation = str(read_json(folder / "config.json").get("activation_function", "Identity")).rsplit(".", 1)[-1]
    if activation not in ACTIVATIONS or "weight" not in weights:
        raise UnsupportedModelError(f"{folder} is no linear layer with one of {list(ACTIVATIONS)}")
    outputs, size = weights["weight"].shape
    linear = nn.Linear(size, outputs, bias="bias" in weights)
    linear.load_state_dict(weights)
    return nn.Sequential(linear, ACTIVATIONS[activation]()).eval()
