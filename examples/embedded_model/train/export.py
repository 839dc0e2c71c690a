"""A trained model as a folder that stock transformers loads."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer

from embedded_model.tokenizer import save_tokenizer
from embedded_model.train.model import LeanLlama

SAMPLING = {"do_sample": True, "temperature": 0.3, "top_p": 0.9}
"""What is good for a model of this size where a request says nothing: it copies more than it invents."""


def export_model(model: LeanLlama, tokenizer: Tokenizer, folder: Path) -> None:
    """Writes weights (bfloat16), configuration, tokenizer and generation defaults.

    The weights replace the old ones in one rename: a reader never sees half a file.
    """
    save_tokenizer(tokenizer, folder)
    (folder / "config.json").write_text(json.dumps(model.shape.to_config(), indent=2) + "\n")
    defaults = {"eos_token_id": [2, 0], "pad_token_id": 0, **SAMPLING}
    (folder / "generation_config.json").write_text(json.dumps(defaults, indent=2) + "\n")
    weights = {
        name: weight.detach().to("cpu", torch.bfloat16).contiguous() for name, weight in model.state_dict().items()
    }
    partial = folder / "model.safetensors.partial"
    save_file(weights, partial, metadata={"format": "pt"})
    partial.chmod(0o644)
    partial.replace(folder / "model.safetensors")
