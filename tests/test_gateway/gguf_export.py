"""Models of transformers as GGUF files, written as llama.cpp's converter writes them."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gguf_files import F32, write_gguf

PARTS = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "self_attn.qkv_proj": "attn_qkv",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.gate_up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "post_attention_layernorm": "ffn_norm",
}
FOUR_NORMS = PARTS | {
    "post_attention_layernorm": "post_attention_norm",
    "pre_feedforward_layernorm": "ffn_norm",
    "post_feedforward_layernorm": "post_ffw_norm",
}
OUTSIDE = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}
ARCHITECTURES = {"mistral": "llama", "gemma3_text": "gemma3"}
TINY_VOCABULARY = {"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "gpt-2", "tokenizer.ggml.merges": []}


def in_pairs(weight: np.ndarray, num_heads: int) -> np.ndarray:
    """Rows of each head as the file has them: what is turned together lies side by side."""
    halves = weight.reshape(num_heads, 2, weight.shape[0] // num_heads // 2, *weight.shape[1:])
    return halves.swapaxes(1, 2).reshape(weight.shape)


def tensors_of(model: Any, architecture: str) -> dict[str, np.ndarray]:
    config = model.config
    parts = FOUR_NORMS if architecture in ("gemma2", "gemma3") else PARTS
    found = {}
    for name, weight in model.state_dict().items():
        if name == "lm_head.weight" and config.tie_word_embeddings:
            continue
        data = weight.float().numpy()
        module, _, kind = name.rpartition(".")
        told = re.fullmatch(r"model\.layers\.(\d+)\.(.+)", module)
        own = OUTSIDE[module] if told is None else f"blk.{told[1]}.{parts[told[2]]}"
        if architecture == "llama" and own.endswith(("attn_q", "attn_k")):
            data = in_pairs(data, config.num_attention_heads if own.endswith("q") else config.num_key_value_heads)
        if architecture.startswith("gemma") and module.endswith("norm"):
            data = data + 1
        found[f"{own}.{kind}"] = data
    return found


def settings_of(model: Any, architecture: str) -> dict[str, Any]:
    config = model.config
    rope = config.rope_parameters
    rope = rope.get("full_attention", rope)
    found: dict[str, Any] = {
        "block_count": config.num_hidden_layers,
        "context_length": config.max_position_embeddings,
        "embedding_length": config.hidden_size,
        "feed_forward_length": config.intermediate_size,
        "attention.head_count": config.num_attention_heads,
        "attention.head_count_kv": config.num_key_value_heads,
        "attention.layer_norm_rms_epsilon": config.rms_norm_eps,
        "rope.freq_base": float(rope["rope_theta"]),
    }
    if architecture != "phi3":
        found |= {"attention.key_length": config.head_dim, "attention.value_length": config.head_dim}
    if rope["rope_type"] in ("linear", "yarn"):
        found |= {"rope.scaling.type": rope["rope_type"], "rope.scaling.factor": float(rope["factor"])}
    if rope["rope_type"] == "yarn":
        found["rope.scaling.original_context_length"] = rope["original_max_position_embeddings"]
    window = getattr(config, "sliding_window", None)
    if window:
        found["attention.sliding_window"] = window
    for name in ("attn_logit_softcapping", "final_logit_softcapping"):
        if getattr(config, name, None):
            found[name] = float(getattr(config, name))
    return {f"{architecture}.{name}": value for name, value in found.items()}


def export(
    model: Any,
    path: Path,
    vocabulary: Mapping[str, Any] | None = None,
    kinds: Mapping[str, int] | None = None,
    more: Mapping[str, np.ndarray] | None = None,
    **settings: Any,
) -> Path:
    """The file of a model.

    Args:
        vocabulary: Metadata of its tokenizer; None: a letter for each token, the first two of them control tokens.
        more: Further tensors.
        settings: Further metadata of the architecture; dots are written as two underscores.
    """
    architecture = ARCHITECTURES.get(model.config.model_type, model.config.model_type)
    size = model.get_input_embeddings().weight.shape[0]
    if vocabulary is None:
        vocabulary = TINY_VOCABULARY | {
            "tokenizer.ggml.tokens": [chr(0x100 + at) for at in range(size)],
            "tokenizer.ggml.token_type": [3, 3, *[1] * (size - 2)],
            "tokenizer.ggml.eos_token_id": 1,
        }
    metadata = {
        "general.architecture": architecture,
        **settings_of(model, architecture),
        **{f"{architecture}.{name.replace('__', '.')}": value for name, value in settings.items()},
        **vocabulary,
    }
    return write_gguf(path, metadata, tensors_of(model, architecture) | dict(more or {}), kinds)


def vocabulary_of(folder: Path) -> dict[str, Any]:
    """The metadata of a folder's byte-level tokenizer, chat template and end token."""
    content = json.loads((folder / "tokenizer.json").read_text())
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    ids = content["model"]["vocab"]
    special = {token["id"] for token in content["added_tokens"] if token["special"]}
    merges = [pair if isinstance(pair, str) else " ".join(pair) for pair in content["model"]["merges"]]
    return TINY_VOCABULARY | {
        "tokenizer.ggml.merges": merges,
        "tokenizer.ggml.tokens": sorted(ids, key=ids.__getitem__),
        "tokenizer.ggml.token_type": [3 if token_id in special else 1 for token_id in range(len(ids))],
        "tokenizer.ggml.eos_token_id": ids[settings["eos_token"]],
        "tokenizer.ggml.padding_token_id": ids[settings["pad_token"]],
        "tokenizer.chat_template": settings["chat_template"],
    }


def export_folder(folder: Path, path: Path, kind: int = F32) -> Path:
    """The file of a folder, its matrices of this type."""
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    matrices = {
        name: kind for name, data in tensors_of(model, "llama").items() if data.ndim == 2 and data.shape[1] % 32 == 0
    }
    return export(model, path, vocabulary_of(folder), matrices)
