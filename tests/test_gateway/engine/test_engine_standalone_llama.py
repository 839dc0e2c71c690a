"""The plain class computes what transformers' class does, and leaves all that it does not know to that."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM

from gateway.embedded import draft_path
from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.check import sample_texts
from gateway.engine.models.standalone_llama import NEEDED, REQUIRED, read_standalone_llama


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_logits_are_those_of_transformers(dtype):
    plain = read_standalone_llama(draft_path(), dtype)
    stock = AutoModelForCausalLM.from_pretrained(draft_path(), dtype=dtype, attn_implementation="sdpa")
    assert plain.dtype == stock.dtype == dtype
    for text in sample_texts(stock.config.vocab_size):
        ids = torch.tensor([text])
        with torch.inference_mode():
            got, expected = plain(ids).logits, stock(ids).logits
        error = (got - expected).float().square().mean().sqrt() / expected.float().std()
        assert error < (1e-5 if dtype == torch.float32 else 2e-2)
    positions = torch.arange(2048)[None]
    like = plain.weights["model.norm.weight"]
    rotations = [model.get_decoder().rotary_emb(like, positions) for model in (plain, stock)]
    assert all(torch.equal(ours, theirs) for ours, theirs in zip(*rotations, strict=True))


@pytest.mark.parametrize(
    "change",
    [
        {"hidden_act": "gelu"},
        {"attention_bias": True},
        {"rope_parameters": {"rope_type": "linear", "rope_theta": 10000.0, "factor": 2.0}},
        {"rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5}},
        {"sliding_window": 64},
        {"model_type": "qwen3"},
    ],
    ids=str,
)
def test_a_setting_that_is_not_known_is_left_to_transformers(tmp_path: Path, change):
    folder = shutil.copytree(draft_path(), tmp_path / "model")
    settings = json.loads((folder / "config.json").read_text())
    assert settings.keys() == NEEDED | REQUIRED.keys()
    assert read_standalone_llama(folder, "auto").dtype == torch.bfloat16
    (folder / "config.json").write_text(json.dumps(settings | change))
    assert read_standalone_llama(folder, "auto") is None


def test_the_shipped_model_is_served_without_transformers():
    code = (
        "import sys; from gateway.embedded import target_path; from gateway.engine import Engine;"
        "Engine(str(target_path())); print('transformers' in sys.modules, 'torch._dynamo' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("change", ["missing", "of another form"])
def test_files_without_a_weight_are_refused_by_its_name(tmp_path: Path, change):
    folder = shutil.copytree(draft_path(), tmp_path / "model")
    weights = load_file(folder / "model.safetensors")
    name = "model.layers.0.mlp.down_proj.weight"
    weights |= {name: weights[name][:-1].contiguous()}
    save_file(
        {key: each for key, each in weights.items() if change != "missing" or key != name}, folder / "model.safetensors"
    )
    with pytest.raises(UnsupportedModelError, match=f"{name} and 0 more"):
        read_standalone_llama(folder, "auto")
