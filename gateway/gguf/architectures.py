"""Supported architectures: settings and names of weights in the terms of transformers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gateway.errors import ModelLoadError
from gateway.gguf.file import GgufFile
from gateway.gguf.keys import Keys
from gateway.gguf.rope import long_rope_of, rope_of

Config = dict[str, Any]

MAX_CONTEXT = 1 << 22
"""Tokens; the longest that a model of a known kind reads. Some tables have a row for each."""

_ATTENTION = {
    "attn_norm": "input_layernorm h",
    "attn_q": "self_attn.q_proj qh",
    "attn_k": "self_attn.k_proj kh",
    "attn_v": "self_attn.v_proj kh",
    "attn_output": "self_attn.o_proj hq",
    "attn_q_norm": "self_attn.q_norm d",
    "attn_k_norm": "self_attn.k_norm d",
}
_GATED = {"ffn_gate": "mlp.gate_proj fh", "ffn_up": "mlp.up_proj fh", "ffn_down": "mlp.down_proj hf"}
_TWO_NORMS = {**_ATTENTION, **_GATED, "ffn_norm": "post_attention_layernorm h"}
_FOUR_NORMS = {
    **_ATTENTION,
    **_GATED,
    "post_attention_norm": "post_attention_layernorm h",
    "ffn_norm": "pre_feedforward_layernorm h",
    "post_ffw_norm": "post_feedforward_layernorm h",
}
_FUSED = {
    "attn_norm": "input_layernorm h",
    "attn_qkv": "self_attn.qkv_proj ah",
    "attn_output": "self_attn.o_proj hq",
    "ffn_norm": "post_attention_layernorm h",
    "ffn_up": "mlp.gate_up_proj gh",
    "ffn_down": "mlp.down_proj hf",
}
"""Name in the model, and the sizes of the weight: see `sizes_of`."""

OUTSIDE = {"token_embd": "model.embed_tokens vh", "output_norm": "model.norm h", "output": "lm_head vh"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture:
    """A family of models.

    Attributes:
        model_type: As `config.json` has it.
        class_name: Class in transformers.
        own: Settings beside the common ones.
        parts: Weights of a layer.
        is_turned: Rows of queries and keys lie in pairs, as llama.cpp turns them, and not in halves.
        norm_shift: Constant added to the weights of norms in the file.
    """

    model_type: str
    class_name: str
    own: Callable[[Keys, Config], Config]
    parts: Mapping[str, str]
    is_turned: bool = False
    norm_shift: float = 0.0


def config_of(file: GgufFile) -> Config:
    """Return what `config.json` would say of the model.

    Raises:
        ModelLoadError: The architecture or a setting is not supported, or a setting is missing.
    """
    architecture = architecture_of(file)
    keys = Keys(file, file.get("general.architecture", str))
    embedding = file.tensors.get("token_embd.weight")
    if embedding is None or len(embedding.shape) != 2:
        raise ModelLoadError(f"{file.path} has no embedding ('token_embd.weight')")
    hidden, heads = keys.count("embedding_length"), keys.count("attention.head_count")
    head_dim = keys.count("attention.key_length", max(hidden // heads, 1))
    if keys.count("attention.value_length", head_dim) != head_dim or head_dim % 2:
        raise ModelLoadError(
            f"{file.path} has heads of {head_dim} numbers; an even number, of values as well, expected"
        )
    config: Config = {
        "model_type": architecture.model_type,
        "architectures": [architecture.class_name],
        "vocab_size": embedding.shape[0],
        "hidden_size": hidden,
        "intermediate_size": keys.count("feed_forward_length"),
        "num_hidden_layers": _num_layers(keys),
        "num_attention_heads": heads,
        "num_key_value_heads": keys.count("attention.head_count_kv", heads),
        "head_dim": head_dim,
        "max_position_embeddings": keys.count("context_length", most=MAX_CONTEXT),
        "rms_norm_eps": keys.number("attention.layer_norm_rms_epsilon"),
        "tie_word_embeddings": "output.weight" not in file.tensors,
        "dtype": dtype_of(file),
    }
    for name, own in (("bos_token_id", "bos"), ("pad_token_id", "padding"), ("eos_token_id", "eos")):
        full = f"tokenizer.ggml.{own}_token_id"
        config[name] = file.get(full, int) if full in file.metadata else None
    config |= architecture.own(keys, config)
    keys.check_all_read()
    return config


def architecture_of(file: GgufFile) -> Architecture:
    """Return the architecture of a file.

    Raises:
        ModelLoadError: The architecture is not supported.
    """
    name = file.get("general.architecture", str)
    if name not in ARCHITECTURES:
        known = ", ".join(sorted(ARCHITECTURES))
        raise ModelLoadError(f"{file.path} holds a model of the architecture {name!r}, which is not read; {known} are")
    return ARCHITECTURES[name]


def sizes_of(config: Config) -> dict[str, int]:
    """Return the sizes that determine the shapes of `parts`."""
    heads, kv_heads, size = (config[name] for name in ("num_attention_heads", "num_key_value_heads", "head_dim"))
    return {
        "h": config["hidden_size"],
        "q": heads * size,
        "k": kv_heads * size,
        "a": (heads + 2 * kv_heads) * size,
        "d": size,
        "f": config["intermediate_size"],
        "g": 2 * config["intermediate_size"],
        "v": config["vocab_size"],
    }


def dtype_of(file: GgufFile) -> str:
    """Return the type of the weights outside of blocks; quantized models were bfloat16 before."""
    sizes: dict[str, int] = {}
    for tensor in file.tensors.values():
        sizes[tensor.kind.name] = sizes.get(tensor.kind.name, 0) + tensor.data.nbytes
    most = max(sizes, key=sizes.__getitem__, default="BF16")
    return {"F32": "float32", "F16": "float16"}.get(most, "bfloat16")


def _num_layers(keys: Keys) -> int:
    """Return the number of layers. The file holds all of them, so none is built that does not exist."""
    count = keys.count("block_count")
    for layer in range(count):
        if f"blk.{layer}.attn_norm.weight" not in keys.file.tensors:
            raise ModelLoadError(f"{keys.file.path} has {layer} layers, and says that it has {count}")
    return count


def _llama(keys: Keys, config: Config) -> Config:
    own: Config = {
        "hidden_act": "silu",
        "attention_bias": "blk.0.attn_q.bias" in keys.file.tensors,
        "mlp_bias": "blk.0.ffn_gate.bias" in keys.file.tensors,
        "rope_parameters": rope_of(keys, config["head_dim"]),
    }
    if keys.has("attention.sliding_window"):
        window = {"sliding_window": keys.count("attention.sliding_window")}
        return own | window | {"model_type": "mistral", "architectures": ["MistralForCausalLM"]}
    return own


def _qwen(keys: Keys, config: Config) -> Config:
    return {
        "hidden_act": "silu",
        "attention_bias": "blk.0.attn_q.bias" in keys.file.tensors,
        "rope_parameters": rope_of(keys, config["head_dim"]),
        "use_sliding_window": False,
    }


def _gemma(keys: Keys, config: Config) -> Config:
    activation = "gelu_pytorch_tanh"
    rope = rope_of(keys, config["head_dim"])
    return {"hidden_act": activation, "hidden_activation": activation, "rope_parameters": rope}


def _gemma2(keys: Keys, config: Config) -> Config:
    return _gemma(keys, config) | {
        "query_pre_attn_scalar": _score_scale(config, of_largest=46),
        "attn_logit_softcapping": keys.number("attn_logit_softcapping", 50.0),
        "final_logit_softcapping": keys.number("final_logit_softcapping", 30.0),
        **_windows(keys, config, default=4096, pattern=2),
    }


def _gemma3(keys: Keys, config: Config) -> Config:
    local = {"rope_type": "default", "rope_theta": keys.number("rope.freq_base_swa", 10_000.0)}
    windows: Config = {"sliding_window": None, "layer_types": ["full_attention"] * config["num_hidden_layers"]}
    if keys.has("attention.sliding_window"):
        windows = _windows(keys, config, default=None, pattern=6)
    cap = keys.number("final_logit_softcapping") if keys.has("final_logit_softcapping") else None
    own = _gemma(keys, config)
    return own | {
        "rope_parameters": {"full_attention": own["rope_parameters"], "sliding_attention": local},
        "query_pre_attn_scalar": _score_scale(config, of_largest=62),
        "final_logit_softcapping": cap,
        **windows,
    }


def _windows(keys: Keys, config: Config, default: int | None, pattern: int) -> Config:
    """Return the config with sliding windows on all layers but every n-th."""
    every = keys.count("attention.sliding_window_pattern", pattern)
    kinds = [
        "full_attention" if (layer + 1) % every == 0 else "sliding_attention"
        for layer in range(config["num_hidden_layers"])
    ]
    return {"sliding_window": keys.count("attention.sliding_window", default), "layer_types": kinds}


def _score_scale(config: Config, of_largest: int) -> int:
    """Return the square of the divisor of attention scores. Files do not state it; the largest model has its own."""
    if config["num_hidden_layers"] == of_largest:
        return int(config["hidden_size"] // config["num_attention_heads"])
    return int(config["head_dim"])


def _phi3(keys: Keys, config: Config) -> Config:
    rope = long_rope_of(keys, config["head_dim"])
    window = keys.count("attention.sliding_window") if keys.has("attention.sliding_window") else None
    return {
        "hidden_act": "silu",
        "rope_parameters": rope,
        "original_max_position_embeddings": rope["original_max_position_embeddings"],
        "sliding_window": window,
    }


ARCHITECTURES: Mapping[str, Architecture] = {
    "llama": Architecture(
        model_type="llama", class_name="LlamaForCausalLM", own=_llama, parts=_TWO_NORMS, is_turned=True
    ),
    "qwen2": Architecture(model_type="qwen2", class_name="Qwen2ForCausalLM", own=_qwen, parts=_TWO_NORMS),
    "qwen3": Architecture(model_type="qwen3", class_name="Qwen3ForCausalLM", own=_qwen, parts=_TWO_NORMS),
    "gemma": Architecture(
        model_type="gemma", class_name="GemmaForCausalLM", own=_gemma, parts=_TWO_NORMS, norm_shift=1.0
    ),
    "gemma2": Architecture(
        model_type="gemma2", class_name="Gemma2ForCausalLM", own=_gemma2, parts=_FOUR_NORMS, norm_shift=1.0
    ),
    "gemma3": Architecture(
        model_type="gemma3_text", class_name="Gemma3ForCausalLM", own=_gemma3, parts=_FOUR_NORMS, norm_shift=1.0
    ),
    "phi3": Architecture(model_type="phi3", class_name="Phi3ForCausalLM", own=_phi3, parts=_FUSED),
}
