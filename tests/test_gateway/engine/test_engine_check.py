"""The check at load: what differs by rounding alone is served, what is computed wrongly is not."""

import logging
from pathlib import Path
from typing import Any

import pytest
import torch
from engine_models import make_model

from gateway.engine import EngineConfig
from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.check import COARSE, Tolerance
from gateway.engine.models.fast_llama import FastLlamaDecoder
from gateway.engine.models.load import load_model

SETTINGS = EngineConfig(device="cpu", dtype="bfloat16", num_blocks=16, block_size=4)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model of whose rounding in bfloat16 nothing is allowed."""
    monkeypatch.setitem(COARSE, torch.bfloat16, Tolerance(0.0, is_exact=False))
    make_model("qwen3").save_pretrained(tmp_path)
    return tmp_path


def test_model_that_is_right_in_float32_is_served_in_bfloat16(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        loaded = load_model(folder, SETTINGS)
    assert isinstance(loaded.decoder, FastLlamaDecoder)
    assert loaded.needs.layers
    assert loaded.decoder._embedding.dtype == torch.bfloat16
    assert "right in float32; in torch.bfloat16 rounding alone says: read in parts, logits differ" in caplog.text


def test_model_that_is_wrong_in_float32_too_is_not(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forward = FastLlamaDecoder.forward

    def wrong(self: FastLlamaDecoder, *args: Any) -> torch.Tensor:
        return forward(self, *args).roll(1, dims=-1)

    monkeypatch.setattr(FastLlamaDecoder, "forward", wrong)
    with pytest.raises(UnsupportedModelError, match="logits differ from those of a whole text"):
        load_model(folder, SETTINGS, block_size=4)


def test_large_model_is_not_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.engine.models.load.MAX_CHECKED_AGAIN", 0)
    with pytest.raises(UnsupportedModelError, match="logits differ from those of a whole text"):
        load_model(folder, SETTINGS, block_size=4)
