"""LoRA adapters with random weights, as PEFT writes them, and the stock model with such weights merged into it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

TARGETS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
Pairs = dict[str, tuple[torch.Tensor, torch.Tensor]]


def random_pairs(
    shapes: Mapping[str, tuple[int, int]],
    rank: int = 4,
    seed: int = 0,
    size: float = 0.3,
    targets: Iterable[str] = TARGETS,
) -> Pairs:
    """A [rank, in] and B [out, rank] of each product [out, in] whose name ends like a target."""
    generator = torch.Generator().manual_seed(seed)
    ends = tuple(targets)
    return {
        name: (
            torch.randn((rank, inputs), generator=generator) * size,
            torch.randn((outputs, rank), generator=generator) * size,
        )
        for name, (outputs, inputs) in shapes.items()
        if name.endswith(ends)
    }


def shapes_of(model: Any) -> dict[str, tuple[int, int]]:
    """The products of a stock model, by name."""
    return {
        name: tuple(module.weight.shape) if isinstance(module, torch.nn.Linear) else tuple(module.weight.shape[::-1])
        for name, module in model.named_modules()
        if name.endswith((*TARGETS, "c_attn", "c_proj", "c_fc")) and hasattr(module, "weight")
    }


def write_adapter(folder: Path, pairs: Pairs, **settings: Any) -> Path:
    """The folder of an adapter; settings replace those of its configuration."""
    folder.mkdir(parents=True, exist_ok=True)
    rank = next(iter(pairs.values()))[0].shape[0]
    config = {
        "peft_type": "LORA",
        "task_type": "CAUSAL_LM",
        "base_model_name_or_path": "base",
        "bias": "none",
        "inference_mode": True,
        "init_lora_weights": True,
        "lora_alpha": 2 * rank,
        "lora_dropout": 0.0,
        "modules_to_save": None,
        "r": rank,
        "target_modules": sorted({name.rpartition(".")[2] for name in pairs}),
        "use_dora": False,
        "use_rslora": False,
    }
    (folder / "adapter_config.json").write_text(json.dumps(config | settings))
    tensors = {
        f"base_model.model.{name}.lora_{part}.weight": matrix.contiguous()
        for name, pair in pairs.items()
        for part, matrix in zip("AB", pair, strict=True)
    }
    save_file(tensors, folder / "adapter_model.safetensors")
    return folder


def merged(model: Any, pairs: Pairs, scales: Mapping[str, float]) -> Any:
    """A copy of the stock model with W + scale * B @ A as its weights."""
    model = copy.deepcopy(model)
    with torch.no_grad():
        for name, (a, b) in pairs.items():
            weight = model.get_submodule(name).weight
            change = scales[name] * b @ a
            weight += change if weight.shape == change.shape and "c_" not in name else change.t()
    return model
