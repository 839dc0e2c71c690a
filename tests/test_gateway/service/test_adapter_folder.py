"""Scales of an adapter's products, as PEFT has them."""

import math
from pathlib import Path
from typing import Any

import pytest
import torch

from gateway.errors import AdapterError
from gateway.service.model.adapter_folder import read_adapter_folder
from tests.lora_files import write_adapter

Q, V = "model.layers.0.self_attn.q_proj", "model.layers.11.self_attn.v_proj"


def scales(folder: Path, ranks: tuple[int, int] = (4, 4), **settings: Any) -> list[float]:
    pairs = {name: (torch.zeros(rank, 8), torch.zeros(8, rank)) for name, rank in zip((Q, V), ranks, strict=True)}
    found = read_adapter_folder("x", write_adapter(folder, pairs, **settings)).scales
    return [found[name] for name in (Q, V)]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"lora_alpha": 8}, [2, 2]),
        ({"lora_alpha": 8, "use_rslora": True}, [4, 4]),
        ({"lora_alpha": 8, "alpha_pattern": {"q_proj": 16}}, [4, 2]),
        ({"lora_alpha": 8, "alpha_pattern": {"layers.11.self_attn.v_proj": 2, "self_attn.v_proj": 4}}, [2, 0.5]),
        ({"lora_alpha": 8, "alpha_pattern": {r"^model\.layers\.[0-9]\..*": 16, "q_proj": 32}}, [4, 2]),
        ({"lora_alpha": 8, "alpha_pattern": {"q_proj": 32, r"^model\.layers\.[0-9]\..*": 16}}, [8, 2]),
        ({"lora_alpha": 8, "alpha_pattern": {"(q|v)_proj": 1, "proj": 9}}, [0.25, 0.25]),
        ({"lora_alpha": 8, "target_modules": r".*\.(q|v)_proj"}, [2, 2]),
        ({"lora_alpha": 8, "target_modules": "all-linear"}, [2, 2]),
        ({"lora_alpha": 8, "target_modules": None, "lora_dropout": 0.1, "later": None}, [2, 2]),
        ({"lora_alpha": 8, "target_modules": [Q, "v_proj"]}, [2, 2]),
    ],
)
def test_scales(settings: dict[str, Any], expected: list[float], tmp_path: Path) -> None:
    assert scales(tmp_path, **settings) == expected


def test_ranks_by_pattern(tmp_path: Path) -> None:
    patterns = {"rank_pattern": {"v_proj": 9}, "lora_alpha": 18, "use_rslora": True}
    assert scales(tmp_path, (4, 9), **patterns) == [9, 6]
    with pytest.raises(AdapterError, match=r"the rank of .*v_proj is 8; adapter_config\.json says 9"):
        scales(tmp_path, (4, 8), **patterns)


def test_hostile_patterns_take_no_time(tmp_path: Path) -> None:
    many = {f"(.*a.*){{9}}{number}": 1.0 for number in range(10_000)}
    with pytest.raises(AdapterError, match=r"too long to match"):
        scales(tmp_path, alpha_pattern={"(a*)*" * 30 + "b": 1.0} | many)
    assert math.isclose(scales(tmp_path, alpha_pattern={"(.*)*x": 1.0})[0], 2.0)
