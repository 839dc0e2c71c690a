"""The tokenizer: byte-level BPE whose pre-tokenization spells a value alike in prose and in JSON.

A model of this size learns to copy an argument only if its tokens are the same where it is read and where it is
written. So a word never merges with the space, the quote or the comma beside it; digits stand alone; and the
scaffolding of JSON and of schemas (`", "arguments": {"`) may merge into long tokens, for no value begins in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jinja2 import Environment
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from embedded_model.data import Conversation, draw_sample
from embedded_model.template import CHAT_TEMPLATE

VOCABULARY_SIZE = 4096
MAX_LENGTH_TOKENS = 2048
NUM_SAMPLES = 20_000
"""Samples that a new tokenizer is trained on."""
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MARKERS = ("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>")
PAD, START, END = SPECIAL
CALL = MARKERS[0]

# Schema keywords and type names belong to the scaffolding where the text after them shows that they are keywords
# (`"type": "string"`), not where they are somebody's property (`"type": {`) or argument (`"type": "bar"`).
_TYPES = "function|string|integer|number|boolean|object|array"
_KEYWORDS = (
    rf'type(?=": "(?:{_TYPES})")|description(?=": ")|(?:function|parameters|properties|items|arguments)(?=": \{{)'
    r'|(?:required|enum)(?=": \[)|additionalProperties(?=": )|(?<=function": \{")name(?=": ")'
    rf'|(?<=: ")(?:{_TYPES})(?=")'
)
_PUNCTUATION = r'(?:[,\n]? ?["{}\[\]][ ,:"{}\[\]\n]*)'
# Function words take their leading space along: no value starts with one (inside a value both spellings agree).
_SMALL_WORDS = "the|of|to|for|in|on|at|with|and|by|from|is|a|an|or|me|my|that|this|you|are|it|as|not|be|no|have|do"
PATTERN = "|".join(
    (
        r"(?:system|user|assistant)\n",
        r"# Tools\n<tools>",
        r"# Answer\n(?:JSON of this schema: |One of: )",
        r"</tools>\nTo call a function, write ",
        r'\n\{"name": (?:"|<name>, "arguments": <object>\}\n)',
        rf"{_PUNCTUATION}(?:(?:{_KEYWORDS}){_PUNCTUATION})*",
        rf" (?:{_SMALL_WORDS})(?![\w\-.@])",
        r"[\p{L}\p{M}]+(?:_[\p{L}\p{M}]+)*",
        r"\p{N}",
        r"[,.;:!?] ?",
        r"\n+",
        r" +",
        r"[^\s\p{L}\p{N}]",
    )
)


def train_tokenizer(texts: Iterable[str]) -> Tokenizer:
    """A tokenizer with exactly `VOCABULARY_SIZE` tokens, the special ones first."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PATTERN), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY_SIZE,
        special_tokens=[*SPECIAL, *MARKERS],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    state = json.loads(tokenizer.to_str())
    for token in state["added_tokens"]:
        token["special"] = token["content"] in SPECIAL
    return Tokenizer.from_str(json.dumps(state))


def tokenizer_config() -> dict[str, Any]:
    """The contents of `tokenizer_config.json`."""
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "chat_template": CHAT_TEMPLATE,
        "eos_token": END,
        "pad_token": PAD,
        "bos_token": None,
        "unk_token": None,
        "clean_up_tokenization_spaces": False,
        "model_max_length": MAX_LENGTH_TOKENS,
    }


def save_tokenizer(tokenizer: Tokenizer, folder: Path) -> None:
    """Writes `tokenizer.json` and `tokenizer_config.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps(tokenizer_config(), indent=2) + "\n")


class Renderer:
    """Conversations as text, by the same template that the gateway renders."""

    def __init__(self) -> None:
        environment = Environment(trim_blocks=True, lstrip_blocks=True, autoescape=False)
        environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
        self._template = environment.from_string(CHAT_TEMPLATE)

    def render(self, conversation: Conversation, *, add_generation_prompt: bool = False) -> str:
        """The text of a conversation."""
        return self._template.render(
            messages=conversation.messages,
            tools=conversation.tools or None,
            response_schema=conversation.schema if conversation.is_shown else None,
            response_choices=conversation.choices if conversation.is_shown else None,
            add_generation_prompt=add_generation_prompt,
        )


def load_or_train_tokenizer(folder: Path, given: Path | None, seed: int) -> Tokenizer:
    """Return the tokenizer of a run from its folder; at the first start `given` is copied there, or a new one trained.

    Raises:
        SystemExit: when `given` differs from the tokenizer that the run began with.
    """
    kept = folder / "tokenizer.json"
    if given is not None:
        text = given.read_text(encoding="utf-8")
        if kept.exists() and kept.read_text(encoding="utf-8") != text:
            raise SystemExit(f"{kept} is another tokenizer than {given}")
        folder.mkdir(parents=True, exist_ok=True)
        kept.write_text(text, encoding="utf-8")
    if kept.exists():
        return Tokenizer.from_file(str(kept))
    renderer = Renderer()
    # Own indices, far from the training samples': half the words are invented, so any sample will do.
    texts = (renderer.render(draw_sample(seed, "train", -1 - i)) for i in range(NUM_SAMPLES))
    tokenizer = train_tokenizer(texts)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    return tokenizer
