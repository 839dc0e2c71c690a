"""A model folder for tests that need no sense: a tiny Llama with random weights, and a small byte-level tokenizer."""

import json
from collections.abc import Sequence
from pathlib import Path

TEMPLATE = """\
{%- if tools %}{{ '<|im_start|>system\\n<tools>' }}
{%- for tool in tools %}{{ '\\n' + (tool | tojson) }}{%- endfor %}{{ '\\n</tools><|im_end|>\\n' }}{%- endif %}
{%- for message in messages %}
{%- if message.content is none and not message.tool_calls %}{{ raise_exception('an empty message') }}{%- endif %}
{{- '<|im_start|>' + message.role + '\\n' + (message.content or '') }}
{%- for call in message.tool_calls or [] %}
{{- '<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) }}
{{- '}\\n</tool_call>' }}
{%- endfor %}{{ '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{%- endif %}
"""
THINKING_END = """\
{%- if add_generation_prompt %}
{%- if enable_thinking is defined and not enable_thinking %}{{ '<think>\\n\\n</think>\\n\\n' }}
{%- else %}{{ '<think>\\n' }}{% endif %}
{%- endif %}
"""

NO_PAST_CALLS = """\
{%- for tool in tools or [] %}{{ (tool | tojson) + '\\n' }}{%- endfor %}
{%- for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{%- endif %}
"""
"""Of calls it shows nothing, so that models with it may write them in any format."""

TEXTS = [
    'The weather in Paris is mild today. {"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}',
    '<tool_call>\n{"name": "find", "arguments": {"items": ["a", "b"], "limit": 10, "deep": true}}\n</tool_call>',
    "system user assistant tool Say hello, then stop. What is the answer? Yes, no, maybe: 0123456789",
]


def write_tiny_model(
    folder: Path, max_positions: int = 4096, template: str = TEMPLATE, special: Sequence[str] = (), seed: int = 0
) -> Path:
    """The folder, filled; the same every time. `special`: further special tokens."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM

    from tests.stock_models import sizes

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>", *special],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXTS * 4, trainer)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>", "chat_template": template}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    with torch.random.fork_rng():
        torch.manual_seed(7 + seed)
        model = LlamaForCausalLM(
            LlamaConfig(
                vocab_size=tokenizer.get_vocab_size(),
                **sizes(32, 64, layers=2, heads=4, kv_heads=2),
                max_position_embeddings=max_positions,
                eos_token_id=tokenizer.token_to_id("<|im_end|>"),
                pad_token_id=0,
                bos_token_id=None,
            )
        )
    model.save_pretrained(str(folder))
    return folder
