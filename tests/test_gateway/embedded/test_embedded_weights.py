"""The weights that the package ships."""

from __future__ import annotations

import subprocess
import sys
from math import prod
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from transformers import AutoModelForCausalLM, AutoTokenizer

from gateway import embedded
from gateway.commands.serve import EMBEDDED
from gateway.embedded import MissingWeightsError, draft_path, target_path

MEBIBYTE = 1 << 20
FILES = {"config.json", "generation_config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"}


@pytest.mark.parametrize(("path", "limit"), [(target_path, 24 * MEBIBYTE), (draft_path, 4 * MEBIBYTE)])
def test_weights_are_complete_and_small(path, limit: int) -> None:  # type: ignore[no-untyped-def]
    folder = path()
    assert {file.name for file in folder.iterdir()} >= FILES
    assert (folder / "model.safetensors").stat().st_size <= limit


def test_draft_shares_the_tokenizer() -> None:
    assert (target_path() / "tokenizer.json").read_bytes() == (draft_path() / "tokenizer.json").read_bytes()


@pytest.mark.parametrize("path", [target_path, draft_path])
def test_weights_load_in_transformers(path) -> None:  # type: ignore[no-untyped-def]
    tokenizer = AutoTokenizer.from_pretrained(path())
    model = AutoModelForCausalLM.from_pretrained(path(), dtype=torch.float32)
    assert model.config.vocab_size == len(tokenizer)
    ids = torch.tensor([tokenizer.encode("<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n")])
    assert torch.isfinite(model(input_ids=ids).logits).all()


def test_size_that_is_told_at_the_start_is_the_models() -> None:
    with safe_open(target_path() / "model.safetensors", framework="pt") as weights:
        count = sum(prod(weights.get_slice(name).get_shape()) for name in sorted(weights.keys()))
    assert f"of {count / 1e6:.0f} million parameters" in EMBEDDED


def test_missing_weights_name_the_recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "WEIGHTS", tmp_path)
    with pytest.raises(MissingWeightsError, match=r"examples/embedded_model/README\.md"):
        target_path()


def test_import_is_light() -> None:
    code = "import sys, gateway.embedded; print('torch' in sys.modules, 'transformers' in sys.modules)"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.split() == ["False", "False"]
