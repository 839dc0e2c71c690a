"""Tiny configurations, one a model type."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import transformers
from engine_models import SHAPE
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

ROPE = {"rope_type": "default", "rope_theta": 10000.0}
SIZES: dict[str, Any] = SHAPE | {
    "moe_intermediate_size": 16, "shared_expert_intermediate_size": 16, "n_routed_experts": 4, "num_experts": 4,
    "num_local_experts": 4, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1, "n_shared_experts": 1,
    "first_k_dense_replace": 1, "q_lora_rank": 8, "kv_lora_rank": 8, "sliding_window": 12, "state_size": 8,
    "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 256, "rotary_dim": 4, "d_model": 32, "n_layers": 2,
    "n_heads": 4, "ffn_dim": 48, "n_inner": 48, "word_embed_proj_dim": 32, "d_ff": 48, "num_layers": 2,
    "linear_num_value_heads": 4, "linear_num_key_heads": 2, "linear_key_head_dim": 8, "linear_value_head_dim": 8,
}  # fmt: skip
"""Of the many names that classes have for sizes; each takes its own."""

MIXED = {"layer_types": ["sliding_attention", "full_attention"]}
HYBRID = {"layer_types": ["linear_attention", "full_attention"]}
LATENT = {"qk_rope_head_dim": 4, "qk_nope_head_dim": 8, "v_head_dim": 6, "head_dim": 4, "num_key_value_heads": 4}
LONG = {"short_factor": [1.0] * 4, "long_factor": [3.0, 2.0, 5.0, 4.0], "original_max_position_embeddings": 16}

TEXT: dict[str, dict[str, Any]] = {
    # in the ordinary run
    "llama": {},
    "qwen3": {},
    "gemma2": MIXED | {"attn_logit_softcapping": 2.0},
    "gemma3_text": MIXED,
    "vaultgemma": MIXED | {"attn_logit_softcapping": 2.0},
    "gpt_oss": MIXED,
    "llama4_text": {"attention_chunk_size": 16},
    "phi3": {"original_max_position_embeddings": 16, "rope_parameters": ROPE | {"rope_type": "longrope"} | LONG},
    "deepseek_v3": LATENT,
    "falcon": {},
    "bloom": {},
    "gptj": {},
    "mamba": {},
    "qwen3_next": HYBRID,
    "phimoe": {},
    # slow
    "afmoe": {},
    "apertus": {},
    "arcee": {},
    "bamba": {
        "attn_layer_indices": [1],
        "mamba_d_state": 8,
        "mamba_n_heads": 8,
        "mamba_d_head": 8,
        "mamba_n_groups": 1,
    },
    "bert": {},
    "biogpt": {},
    "bitnet": {},
    "codegen": {},
    "cohere": {},
    "cohere2": MIXED,
    "ctrl": {"dff": 48},
    "cwm": MIXED,
    "deepseek_v2": LATENT,
    "deepseek_v4": {},
    "diffllama": {},
    "doge": {},
    "dots1": {},
    "ernie4_5": {},
    "ernie4_5_moe": {},
    "exaone4": MIXED,
    "falcon_h1": {"mamba_d_ssm": 32, "mamba_n_heads": 4, "mamba_d_head": 8, "mamba_d_state": 8},
    "falcon_mamba": {},
    "flex_olmo": {},
    "gemma": {},
    "glm": {},
    "glm4": {},
    "glm4_moe": {},
    "gpt2": {},
    "gpt_bigcode": {},
    "gpt_neox": {},
    "gpt_neox_japanese": {},
    "granite": {},
    "granitemoe": {},
    "granitemoehybrid": {
        "layer_types": ["mamba", "attention"],
        "mamba_d_state": 8,
        "mamba_n_heads": 8,
        "mamba_d_head": 8,
    },
    "granitemoeshared": {},
    "helium": {},
    "hunyuan_v1_dense": {},
    "hunyuan_v1_moe": {},
    "jais2": {},
    "jamba": {"attn_layer_period": 2, "attn_layer_offset": 1, "use_mamba_kernels": False},
    "jetmoe": {},
    "lfm2": {"layer_types": ["conv", "full_attention"]},
    "mamba2": {"num_heads": 8, "head_dim": 8},
    "minimax": HYBRID,
    "minimax_m2": {},
    "ministral": {},
    "mistral": {},
    "mixtral": {},
    "modernbert-decoder": {},
    "mpt": {},
    "nanochat": {},
    "nemotron": {},
    "olmo": {},
    "olmo2": {},
    "olmo3": MIXED,
    "olmo_hybrid": HYBRID,
    "olmoe": {},
    "openai-gpt": {},
    "opt": {},
    "persimmon": {},
    "phi": {},
    "qwen2": {},
    "qwen2_moe": {},
    "qwen3_5_text": HYBRID,
    "qwen3_moe": {},
    "rwkv": {},
    "seed_oss": {},
    "smollm3": {},
    "solar_open": {},
    "stablelm": {},
    "starcoder2": {},
    "t5": {"d_kv": 8},
    "xglm": {},
    "xlnet": {},
}
"""What differs from `SIZES`."""

INNER = {name: size for name, size in SHAPE.items() if name != "initializer_range"}
VISION = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
SMALL_IMAGES = VISION | {"image_size": 28, "patch_size": 14}
QWEN_VISION = {"hidden_size": 32, "depth": 1, "num_heads": 2, "out_hidden_size": 32, "intermediate_size": 32}
SECTIONS = {"rope_parameters": ROPE | {"mrope_section": [2, 1, 1]}}

CONDITIONAL: dict[str, Callable[[], Any]] = {
    "gemma3": lambda: transformers.Gemma3Config(
        text_config=INNER | MIXED | {"sliding_window": 12}, vision_config=SMALL_IMAGES
    ),
    "mistral3": lambda: transformers.Mistral3Config(
        text_config=INNER | {"model_type": "mistral"},
        vision_config=SMALL_IMAGES | {"model_type": "pixtral", "head_dim": 16},
    ),
    "gemma4": lambda: transformers.Gemma4Config(
        text_config=INNER
        | MIXED
        | {
            "sliding_window": 12,
            "global_head_dim": 8,
            "vocab_size_per_layer_input": SHAPE["vocab_size"],
            "hidden_size_per_layer_input": 8,
        },
        vision_config=VISION | {"head_dim": 16},
        audio_config=None,
    ),
    "qwen2_vl": lambda: transformers.Qwen2VLConfig(
        text_config=INNER | SECTIONS, vision_config={"embed_dim": 32, "depth": 1, "num_heads": 2, "hidden_size": 32}
    ),
    "qwen2_5_vl": lambda: transformers.Qwen2_5_VLConfig(text_config=INNER | SECTIONS, vision_config=QWEN_VISION),
    "qwen3_vl": lambda: transformers.Qwen3VLConfig(
        text_config=INNER | SECTIONS, vision_config=QWEN_VISION | {"deepstack_visual_indexes": [0]}
    ),
    "qwen3_5": lambda: transformers.Qwen3_5Config(
        text_config=INNER
        | HYBRID
        | {name: size for name, size in SIZES.items() if name.startswith("linear_")}
        | {"rope_parameters": ROPE | {"mrope_section": [1, 1, 0], "partial_rotary_factor": 0.5}},
        vision_config=QWEN_VISION,
    ),
    "llama4": lambda: transformers.Llama4Config(
        text_config=INNER | {"num_local_experts": 2, "attention_chunk_size": 16},
        vision_config=SMALL_IMAGES
        | {"vision_output_dim": 32, "projector_input_dim": 32, "projector_output_dim": 32, "pixel_shuffle_ratio": 1.0},
    ),
    "llava": lambda: transformers.LlavaConfig(
        text_config=INNER | {"model_type": "llama"},
        vision_config=SMALL_IMAGES | {"model_type": "clip_vision_model", "projection_dim": 32},
    ),
}
"""Those that read more than text."""

ORDINARY = [*list(TEXT)[: list(TEXT).index("afmoe")], "gemma3", "mistral3", "gemma4"]


def make_config(name: str) -> Any:
    """The tiny configuration of a model type."""
    if name in CONDITIONAL:
        return CONDITIONAL[name]()
    kind = CONFIG_MAPPING[name]
    known = set(inspect.signature(kind.__init__).parameters) | set(kind.attribute_map)
    known = known.union(*(inspect.get_annotations(base) for base in kind.__mro__))
    return kind(**{key: size for key, size in SIZES.items() if key in known} | TEXT[name])
