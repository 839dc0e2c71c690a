"""Real weights: what we answer from a GGUF file is what transformers' own class answers with the same numbers."""

import re
from typing import Any

import numpy as np
import pytest
import torch
from engine_runs import make_request, tokens_of
from gguf_export import FOUR_NORMS, OUTSIDE, PARTS
from odd_prompts import ODD_PROMPTS
from real_models import real_file
from transformers import Gemma3ForCausalLM, Gemma3TextConfig, LlamaConfig, LlamaForCausalLM

from gateway.engine import Engine, EngineConfig
from gateway.service.model.folder import ModelFolder
from tests.stock_models import sizes

pytestmark = pytest.mark.real

SMOLLM2 = LlamaConfig(
    vocab_size=49152,
    **sizes(576, 1536, layers=30, heads=9, kv_heads=3),
    max_position_embeddings=8192,
    rms_norm_eps=1e-5,
    rope_parameters={"rope_type": "default", "rope_theta": 100_000.0},
    tie_word_embeddings=True,
)
GEMMA3 = Gemma3TextConfig(
    vocab_size=262144,
    **sizes(640, 2048, layers=18, heads=4, kv_heads=1),
    head_dim=256,
    max_position_embeddings=32768,
    sliding_window=512,
    query_pre_attn_scalar=256,
)
"""As the models' own `config.json` have it."""

MODELS: dict[str, Any] = {
    "smollm2": lambda: (LlamaForCausalLM(SMOLLM2), PARTS),
    "gemma3": lambda: (Gemma3ForCausalLM(GEMMA3), FOUR_NORMS),
}
PROMPTS = [prompt for prompt in ODD_PROMPTS[20:] if prompt][:60]


def stock_model(name: str) -> Any:
    """Transformers' class, with the file's numbers as the package that writes such files reads them."""
    package = pytest.importorskip("gguf")
    model, parts = MODELS[name]()
    names = {own: module for module, own in (*parts.items(), *OUTSIDE.items()) if "gate_up" not in module}
    weights = {}
    for tensor in package.GGUFReader(str(real_file(name))).tensors:
        data = package.dequantize(tensor.data, tensor.tensor_type).reshape(tensor.shape[::-1])
        told = re.fullmatch(r"(?:blk\.(\d+)\.)?(\w+)\.weight", tensor.name)
        module = names[told[2]] if told[1] is None else f"model.layers.{told[1]}.{names[told[2]]}"
        if name == "smollm2" and told[2] in ("attn_q", "attn_k"):
            data = data.reshape(-1, 32, 2, data.shape[-1]).swapaxes(1, 2).reshape(data.shape)
        if name == "gemma3" and module.endswith("norm"):
            data = data - 1
        weights[f"{module}.weight"] = torch.from_numpy(np.array(data))
    weights["lm_head.weight"] = weights["model.embed_tokens.weight"]
    model.load_state_dict(weights)
    return model.float().eval()


@torch.inference_mode()
def check_answers(name: str, prompts: list[str], max_tokens: int) -> None:
    """Every token of each greedy answer is the one that transformers' class holds likeliest."""
    folder = ModelFolder.open(real_file(name))
    ids = [folder.tokenizer.encode(prompt).ids for prompt in prompts]
    engine = Engine(folder.path, EngineConfig(device="cpu", dtype="float32", max_num_seqs=8, num_blocks=256))
    for number, prompt in enumerate(ids):
        engine.add(make_request(number, prompt, max_tokens))
    events: dict[str, list[Any]] = {str(number): [] for number in range(len(ids))}
    while engine.has_work:
        for event in engine.step():
            events[event.request_id].append(event)
    model = stock_model(name)
    for number, prompt in enumerate(ids):
        answer = tokens_of(events[str(number)])
        assert len(answer) == max_tokens
        logits = model(input_ids=torch.tensor([[*prompt, *answer]])).logits[0, len(prompt) - 1 : -1]
        assert logits.argmax(-1).tolist() == answer, prompts[number]


def test_greedy_answers_are_those_of_transformers() -> None:
    check_answers("smollm2", PROMPTS[::15], 12)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_sixty_greedy_answers_are_those_of_transformers(name: str) -> None:
    check_answers(name, PROMPTS, 32)


def test_settings_are_those_that_the_file_tells() -> None:
    folder = ModelFolder.open(real_file("smollm2"))
    tokens = [folder.tokenizer.id_to_token(token_id) for token_id in folder.eos_token_ids]
    assert tokens == ["<|endoftext|>", "<|im_end|>"]
    assert (folder.max_context, folder.model_type) == (8192, "llama")
    assert folder.special_tokens["eos_token"] == "<|im_end|>"
    assert "You are a helpful AI assistant named SmolLM" in (folder.chat_template or "")
    gemma = ModelFolder.open(real_file("gemma3"))
    assert [gemma.tokenizer.id_to_token(token_id) for token_id in gemma.eos_token_ids] == ["<eos>", "<end_of_turn>"]
    assert (gemma.max_context, gemma.model_type, gemma.chat_template) == (32768, "gemma3_text", None)
