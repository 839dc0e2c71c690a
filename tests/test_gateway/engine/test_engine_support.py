"""Architectures that the paged row would compute wrongly are refused at load, with the reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from engine_models import CONFIGS, LEAN, SHAPE, make_model, stock_greedy
from engine_runs import make_engine, make_request, run_checked, tokens_of
from transformers import (
    AutoModelForCausalLM,
    DeepseekV3Config,
    Gemma2Config,
    JambaConfig,
    LlamaConfig,
    MambaConfig,
    Qwen2Config,
    Qwen3NextConfig,
    T5Config,
)

from gateway.engine import Engine, EngineConfig
from gateway.engine.attention.sdpa import SdpaAttention
from gateway.engine.errors import UnsupportedModelError
from gateway.engine.inputs import Batch
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.base import LoadedModel
from gateway.engine.models.check import EXACT, check_decoder, stock_logits
from gateway.engine.models.fast_llama import FastLlamaDecoder
from gateway.engine.models.generic import TransformersDecoder, paged_attention
from gateway.engine.models.linear.dense import PLAIN
from gateway.engine.models.measure import measure_needs

ROPE = {"rope_theta": 10000.0}


def llama(**changes: Any) -> LlamaConfig:
    return LlamaConfig(**(SHAPE | changes))


REFUSED = [
    pytest.param(
        MambaConfig(vocab_size=64, hidden_size=16, num_hidden_layers=1, state_size=4),
        "MambaModel is recurrent",
        id="mamba",
    ),
    pytest.param(
        Qwen3NextConfig(**SHAPE, layer_types=["linear_attention", "full_attention"], num_experts=2),
        "recurrent",
        id="hybrid",
    ),
    pytest.param(
        JambaConfig(vocab_size=64, hidden_size=16, num_hidden_layers=2, num_attention_heads=2), "recurrent", id="jamba"
    ),
]


@pytest.mark.parametrize(("config", "reason"), REFUSED)
def test_load_refuses(config: Any, reason: str) -> None:
    model = AutoModelForCausalLM.from_config(config)
    with pytest.raises(UnsupportedModelError, match=reason):
        Engine(model, EngineConfig(num_blocks=8, decoder="transformers"))


def test_row_global_rope_is_accepted_within_its_original_length() -> None:
    config = llama(rope_parameters=ROPE | {"rope_type": "dynamic", "factor": 2.0})
    engine = Engine(AutoModelForCausalLM.from_config(config), EngineConfig(num_blocks=8, max_model_len=256))
    assert engine.max_model_len == 128


@pytest.mark.parametrize("name", CONFIGS)
def test_load_proves_supported_models(name: str) -> None:
    engine = make_engine(name, check_model=True)
    lean = name in LEAN
    assert isinstance(engine._decoder, FastLlamaDecoder if lean else TransformersDecoder)


EXTRA = {
    "qwen2": Qwen2Config(
        **(SHAPE | {"num_hidden_layers": 3}), use_sliding_window=True, sliding_window=6, max_window_layers=1
    ),
    "llama3 rope": llama(
        rope_parameters={
            "rope_type": "llama3",
            "rope_theta": 10000.0,
            "factor": 4.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 64,
        }
    ),
    "llama with biases": llama(attention_bias=True),
    "gemma2 softcap": Gemma2Config(**SHAPE, attn_logit_softcapping=2.0, sliding_window=6, query_pre_attn_scalar=8),
    "multi-head": llama(num_key_value_heads=4),
    "one key head": llama(num_key_value_heads=1),
    "values smaller than keys": DeepseekV3Config(
        **{key: value for key, value in SHAPE.items() if key not in ("head_dim", "num_key_value_heads")},
        moe_intermediate_size=16,
        n_routed_experts=4,
        num_experts_per_tok=2,
        n_group=1,
        topk_group=1,
        first_k_dense_replace=1,
        q_lora_rank=8,
        kv_lora_rank=8,
        qk_rope_head_dim=4,
        qk_nope_head_dim=8,
        v_head_dim=6,
    ),
    "untied": llama(tie_word_embeddings=True),
}


@pytest.mark.parametrize("config", EXTRA.values(), ids=EXTRA)
def test_family_members_equal_stock(config: Any) -> None:
    torch.manual_seed(1)
    model = AutoModelForCausalLM.from_config(config).float().eval()
    for parameter in model.parameters():
        if parameter.ndim == 1:  # biases and norms are 0 and 1 at first and would prove nothing
            parameter.data += torch.randn_like(parameter) * 0.3
    prompt = [5, 9, 30, 77, 12, 8, 140, 3, 61, 18, 22]
    expected = stock_greedy(model, prompt, 12)
    engine = make_engine(model=model, check_model=True)
    others = [make_request(i, [3 + i] * (2 + 7 * i)) for i in (1, 2)]
    events = run_checked(engine, [make_request(0, prompt), *others])
    assert tokens_of(events["0"]) == expected


def test_lean_decoder_is_refused_where_it_does_not_apply() -> None:
    with pytest.raises(UnsupportedModelError, match="GPT2LMHeadModel"):
        make_engine("gpt2", decoder="lean")


def test_window_that_the_class_does_not_heed_is_not_taken_for_one() -> None:
    model = AutoModelForCausalLM.from_config(llama(sliding_window=1000)).float().eval()
    with pytest.raises(UnsupportedModelError, match="window of 1000 tokens stands in masks alone"):
        make_engine(model=model, decoder="lean")


def test_encoder_decoder_is_refused() -> None:
    model = make_model("llama")
    model.config.is_encoder_decoder = T5Config().is_encoder_decoder
    with pytest.raises(UnsupportedModelError, match="encoder-decoder"):
        make_engine(model=model)


class Leaky(FastLlamaDecoder):
    """Lets every row see a little of its neighbour."""

    def forward(self, batch: Batch, cache: KvCache) -> torch.Tensor:
        batch.input_ids[1:] = batch.input_ids[:-1].clone()
        return super().forward(batch, cache)


def test_check_decoder_finds_a_leak() -> None:
    model = make_model("llama")
    expected = stock_logits(model)
    sound, leaky = FastLlamaDecoder(model, 64, PLAIN), Leaky(model, 64, PLAIN)
    needs = measure_needs(sound)
    check_decoder(LoadedModel(sound, SdpaAttention, needs), expected, EXACT)
    with pytest.raises(UnsupportedModelError, match="standard deviations"):
        check_decoder(LoadedModel(leaky, SdpaAttention, needs), expected, EXACT)


@pytest.mark.parametrize(
    "arguments", [{"position_bias": 1}, {"block_indices": [0]}, {"dropout": 0.1}, {"is_causal": False}]
)
def test_paged_attention_refuses_what_it_does_not_do(arguments: dict[str, Any]) -> None:
    tensor = torch.zeros(1, 2, 3, 4)
    with pytest.raises(UnsupportedModelError):
        paged_attention(torch.nn.Identity(), tensor, tensor, tensor, None, **arguments)


def test_paged_attention_outside_of_a_step_is_an_error() -> None:
    decoder = TransformersDecoder(make_model("llama"), 256)
    with pytest.raises(LookupError):
        decoder.model(torch.tensor([[1, 2]]))


def test_load_from_a_folder_computes_stored_bfloat16_in_float32_when_asked(tmp_path: Path) -> None:
    model = make_model("llama").to(torch.bfloat16)
    model.save_pretrained(tmp_path)
    expected = stock_greedy(model.float(), [5, 6, 7], 10)
    engine = Engine(str(tmp_path), EngineConfig(device="cpu", dtype="float32"))
    assert engine.eos_token_ids == (1,)
    assert engine.generate([make_request(0, [5, 6, 7], 10)]) == [expected]


def test_same_model_serves_a_second_engine() -> None:
    model = make_model("gemma3")
    first, second = (make_engine(model=model, check_model=True) for _ in range(2))
    prompt = [5, 6, 7, 8]
    assert first.generate([make_request(0, prompt)]) == second.generate([make_request(0, prompt)])
