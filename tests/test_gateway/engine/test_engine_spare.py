"""How much memory of a GPU is left for keys and values: the arithmetic, and the step that it is measured with."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import torch
from engine_models import make_model

from gateway.engine import EngineConfig
from gateway.engine.models import measure
from gateway.engine.models.load import load_model
from gateway.engine.models.measure import compute_largest, measure_spare_bytes


@pytest.mark.parametrize(("name", "max_model_len"), [("llama", None), ("gemma2", 100)])
def test_largest_step_has_as_many_tokens_as_may_be(
    name: str, max_model_len: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = EngineConfig(device="cpu", max_model_len=max_model_len, max_batch_tokens=600, max_num_seqs=4)
    loaded = load_model(make_model(name), config)
    seen: list[Any] = []
    forward = type(loaded.decoder).forward

    def watched(self: Any, batch: Any, cache: Any) -> torch.Tensor:
        logits = forward(self, batch, cache)
        seen.append((batch.positions, logits.shape))
        return logits

    monkeypatch.setattr(type(loaded.decoder), "forward", watched)
    compute_largest(loaded, loaded.fit(config))
    ((positions, shape),) = seen
    assert len(positions) == 600
    assert int(positions.max()) == min(max_model_len or 256, 256) - 1
    assert shape[0] >= 600 - (positions == 0).sum()  # all that are scored, and what is sampled


def test_spare_bytes_are_what_the_largest_step_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = {"now": 1000, "most": 1000}

    def compute(loaded: Any, config: Any) -> None:
        taken["most"] = 1500

    monkeypatch.setattr(measure, "compute_largest", compute)
    fakes: dict[str, Any] = {
        "empty_cache": lambda: None,
        "reset_peak_memory_stats": lambda device: None,
        "memory_allocated": lambda device: taken["now"],
        "max_memory_allocated": lambda device: taken["most"],
        "mem_get_info": lambda device: (10_500, 20_000),
    }
    for name, fake in fakes.items():
        monkeypatch.setattr(torch.cuda, name, fake)
    loaded: Any = SimpleNamespace(
        decoder=SimpleNamespace(device=torch.device("cuda")), needs=SimpleNamespace(layers=(1,))
    )
    assert measure_spare_bytes(loaded, EngineConfig()) == 9000
    loaded.decoder.device = torch.device("cpu")
    assert measure_spare_bytes(loaded, EngineConfig()) is None
