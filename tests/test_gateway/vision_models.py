"""Tiny vision models with random weights, their processors and tokenizers, and what transformers makes of them."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

END = "<end_of_utterance>"
TEMPLATE = (
    "<|im_start|>{% for message in messages %}{{message['role'] | capitalize}}"
    "{% if message['content'][0]['type'] == 'image' %}{{':'}}{% else %}{{': '}}{% endif %}"
    "{% for line in message['content'] %}{% if line['type'] == 'text' %}{{line['text']}}"
    "{% elif line['type'] == 'image' %}{{ '<image>' }}{% endif %}{% endfor %}<end_of_utterance>\n{% endfor %}"
    "{% if add_generation_prompt %}{{ 'Assistant:' }}{% endif %}"
)
GEMMA_TEMPLATE = (
    "{% for message in messages %}{{ '<start_of_turn>' + message['role'] + '\n' }}"
    "{% if message['content'] is string %}{{ message['content'] | trim }}{% else %}"
    "{% for item in message['content'] %}{% if item['type'] == 'image' %}{{ '<start_of_image>' }}"
    "{% elif item['type'] == 'text' %}{{ item['text'] | trim }}{% endif %}{% endfor %}{% endif %}"
    "{{ '<end_of_utterance>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<start_of_turn>assistant\n' }}{% endif %}"
)
QWEN_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}"
    "{% for content in message['content'] %}{% if content['type'] == 'image' %}"
    "<|vision_start|><|image_pad|><|vision_end|>"
    "{% elif 'text' in content %}{{ content['text'] }}{% endif %}{% endfor %}{% endif %}"
    "{{ '<end_of_utterance>\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
_TILES = (
    "<image>",
    "<fake_token_around_image>",
    "<global-img>",
    "<|im_start|>",
    *(f"<row_{row}_col_{column}>" for row in range(1, 7) for column in range(1, 7)),
)


@dataclass(frozen=True)
class Kind:
    """A kind of model.

    Attributes:
        special: Special tokens; the first is that of an image's rows.
        own: Fields of its configuration: a number, or the id of a special token.
        text, vision: Fields of its parts that others do not have.
        types: Name of the stock class's argument that says which tokens are those of images.
    """

    special: tuple[str, ...]
    template: str
    own: dict[str, str | int]
    text: dict[str, Any]
    vision: dict[str, Any]
    types: str = ""


_IDEFICS = Kind(
    _TILES,
    TEMPLATE,
    {"image_token_id": "<image>", "pad_token_id": END, "scale_factor": 2},
    {"model_type": "llama"},
    {"num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64, "image_size": 32, "patch_size": 8},
)
_MROPE = {"rope_parameters": {"rope_type": "default", "rope_theta": 100.0, "mrope_section": [2, 1, 1]}}
_PATCHES = {"depth": 2, "num_heads": 2, "patch_size": 4, "spatial_merge_size": 2, "temporal_patch_size": 2}
_QWEN = Kind(
    ("<|image_pad|>", "<|video_pad|>", "<|vision_start|>", "<|vision_end|>", "<|im_start|>"),
    QWEN_TEMPLATE,
    {
        "image_token_id": "<|image_pad|>",
        "video_token_id": "<|video_pad|>",
        "vision_start_token_id": "<|vision_start|>",
        "vision_end_token_id": "<|vision_end|>",
    },
    _MROPE,
    {**_PATCHES, "embed_dim": 32, "mlp_ratio": 2},
    "mm_token_type_ids",
)
_WINDOWS = {"intermediate_size": 64, "out_hidden_size": 32, "window_size": 16, "fullatt_block_indexes": [1]}
KINDS = {
    "smolvlm": _IDEFICS,
    "idefics3": _IDEFICS,
    "gemma3": Kind(
        ("<image_soft_token>", "<start_of_image>", "<end_of_image>", "<start_of_turn>"),
        GEMMA_TEMPLATE,
        {
            "image_token_index": "<image_soft_token>",
            "boi_token_index": "<start_of_image>",
            "eoi_token_index": "<end_of_image>",
            "mm_tokens_per_image": 16,
        },
        {
            "model_type": "gemma3_text",
            "head_dim": 8,
            "query_pre_attn_scalar": 8,
            "num_hidden_layers": 3,
            "sliding_window": 10,
            "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
        },
        {**_IDEFICS.vision, "model_type": "siglip_vision_model", "patch_size": 4},
        "token_type_ids",
    ),
    "qwen2_vl": _QWEN,
    "qwen2_5_vl": replace(_QWEN, vision={**_PATCHES, **_WINDOWS}),
}


def png(width: int, height: int, seed: int = 0, kind: str = "PNG") -> bytes:
    """Return an image file of random pixels."""
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, kind)
    return file.getvalue()


def save_vision_model(folder: Path, kind: str = "smolvlm") -> Any:
    """Save the folder of a tiny model; return the model of transformers."""
    from transformers import AutoConfig, AutoModelForImageTextToText

    asked = KINDS[kind]
    tokenizer = _tokenizer((END, *asked.special))
    ids = {text: tokenizer.token_to_id(text) for text in (END, *asked.special)}
    end = ids[END]
    torch.manual_seed(0)
    config = AutoConfig.for_model(
        kind,
        **{name: ids[value] if isinstance(value, str) else value for name, value in asked.own.items()},
        tie_word_embeddings=False,
        text_config={
            "vocab_size": tokenizer.get_vocab_size(),
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "max_position_embeddings": 512,
            "pad_token_id": end,
            "eos_token_id": end,
            "bos_token_id": end,
            "initializer_range": 0.3,
            **asked.text,
        },
        vision_config={"hidden_size": 32, "initializer_range": 0.3, **asked.vision},
    )
    model = AutoModelForImageTextToText.from_config(config).eval()
    if kind == "gemma3":  # it begins with zeros, and so would all images be
        model.model.multi_modal_projector.mm_input_projection_weight.data.normal_(0, 0.3)
    model.save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    _image_processor(kind).save_pretrained(folder)
    (folder / "chat_template.jinja").write_text(asked.template)
    return model


def _tokenizer(special: tuple[str, ...]) -> Tokenizer:
    """Return a tokenizer of bytes, in which two line feeds are one token, as in most vocabularies."""
    pieces = [*sorted(pre_tokenizers.ByteLevel.alphabet()), "ĊĊ"]
    tokenizer = Tokenizer(models.BPE({piece: number for number, piece in enumerate(pieces)}, [("Ċ", "Ċ")]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in special])
    return tokenizer


def _image_processor(kind: str) -> Any:
    from transformers import Gemma3ImageProcessorPil, Qwen2VLImageProcessorPil, SmolVLMImageProcessorPil

    if kind == "gemma3":
        return Gemma3ImageProcessorPil(size={"height": 32, "width": 32})
    if kind.startswith("qwen"):
        return Qwen2VLImageProcessorPil(patch_size=4, size={"shortest_edge": 64, "longest_edge": 1024})
    return SmolVLMImageProcessorPil(size={"longest_edge": 64}, max_image_size={"longest_edge": 32})


def stock_inputs(folder: Path, stock: Any, prompt: list[int], files: list[bytes]) -> dict[str, torch.Tensor]:
    """Return what the stock class takes beside `input_ids`, with pixels by the stock processor."""
    from gateway.engine.images.reader import image_processor

    kind, given = stock.config.model_type, {}
    if files:
        opened = [Image.open(io.BytesIO(file)).convert("RGB") for file in files]
        is_tiled = kind in ("smolvlm", "idefics3")
        cut = image_processor(folder)(images=[opened] if is_tiled else opened, return_tensors="pt")
        names = ("pixel_values", "pixel_attention_mask", "image_grid_thw")
        given = {name: cut[name] for name in names if name in cut}
    if name := KINDS[kind].types:
        given[name] = (torch.tensor([prompt]) == stock.config.image_token_id).long()
    return given


@torch.inference_mode()
def stock_logits(folder: Path, stock: Any, prompt: list[int], answer: list[int], files: list[bytes]) -> torch.Tensor:
    """Return the stock class's logits of a prompt with images and its answer. Shapes: [tokens, vocab]."""
    given = stock_inputs(folder, stock, prompt, files)
    if name := KINDS[stock.config.model_type].types:
        given[name] = torch.nn.functional.pad(given[name], (0, len(answer)))
    logits: torch.Tensor = stock(input_ids=torch.tensor([prompt + answer]), **given).logits[0]
    return logits
