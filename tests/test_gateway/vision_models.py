"""A tiny vision model with random weights, its image processor and its tokenizer, and what transformers makes of it."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

SPECIAL = ("<end_of_utterance>", "<image>", "<fake_token_around_image>", "<global-img>", "<|im_start|>")
TEMPLATE = (
    "<|im_start|>{% for message in messages %}{{message['role'] | capitalize}}"
    "{% if message['content'][0]['type'] == 'image' %}{{':'}}{% else %}{{': '}}{% endif %}"
    "{% for line in message['content'] %}{% if line['type'] == 'text' %}{{line['text']}}"
    "{% elif line['type'] == 'image' %}{{ '<image>' }}{% endif %}{% endfor %}<end_of_utterance>\n{% endfor %}"
    "{% if add_generation_prompt %}{{ 'Assistant:' }}{% endif %}"
)


def png(width: int, height: int, seed: int = 0, kind: str = "PNG") -> bytes:
    """Return an image file of random pixels."""
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, kind)
    return file.getvalue()


def save_vision_model(folder: Path, kind: str = "smolvlm") -> Any:
    """Save the folder of a tiny model; return the model of transformers."""
    from transformers import AutoConfig, AutoModelForImageTextToText, SmolVLMImageProcessorPil

    bytes_of = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({piece: number for number, piece in enumerate(bytes_of)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    grid = [f"<row_{row}_col_{column}>" for row in range(1, 7) for column in range(1, 7)]
    tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in (*SPECIAL, *grid)])
    ids = {text: tokenizer.token_to_id(text) for text in SPECIAL}
    end = ids["<end_of_utterance>"]
    torch.manual_seed(0)
    config = AutoConfig.for_model(
        kind,
        image_token_id=ids["<image>"],
        scale_factor=2,
        pad_token_id=end,
        tie_word_embeddings=False,
        text_config={
            "model_type": "llama",
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
        },
        vision_config={
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "image_size": 32,
            "patch_size": 8,
            "initializer_range": 0.3,
        },
    )
    model = AutoModelForImageTextToText.from_config(config).eval()
    model.save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    SmolVLMImageProcessorPil(size={"longest_edge": 64}, max_image_size={"longest_edge": 32}).save_pretrained(folder)
    (folder / "chat_template.jinja").write_text(TEMPLATE)
    return model
