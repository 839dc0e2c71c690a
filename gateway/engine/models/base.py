"""Decoders and loaded models: their interface to the engine, and limits from a model's configuration."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from gateway.engine.attention.base import AttentionBackend, AttentionNeeds
from gateway.engine.attention.choice import blocks_for
from gateway.engine.config import EngineConfig
from gateway.engine.errors import InvalidEngineConfigError, UnsupportedModelError
from gateway.engine.images.pixels import ImagePixels
from gateway.engine.inputs import Batch, BatchBuilder, RowAdapters
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.linear import Linear
from gateway.engine.sequence import Sequence

UNBOUNDED = 1 << 17
"""Tokens of a text for a model that sets no limit: recurrent ones, and those with biases for positions."""

Shapes = Mapping[str, tuple[int, int]]
"""Outputs and inputs of the projections of a product, whose outputs are side by side, by their names in the model."""

LONGROPE, DYNAMIC = "longrope", "dynamic"
LONG = "\0long"
"""Salt of texts that turn by the second table; no client's ends so."""


@dataclass(frozen=True, slots=True)
class RopeByLength:
    """Rotation of keys that depends on the length of the text.

    longrope   one table for texts up to the original length, another for longer ones: a text that outgrows it is
               recomputed, as all its keys rotate differently
    dynamic    beyond the original length frequencies follow the length; a key keeps those of its own step

    Attributes:
        length: The original one.
    """

    kind: str
    length: int

    @classmethod
    def of(cls, config: Any, max_model_len: int) -> RopeByLength | None:
        """Return the dependence for texts of up to `max_model_len` tokens; None: there is none."""
        parameters = getattr(config, "rope_parameters", None) or {}
        kind = parameters.get("rope_type")
        if kind not in (LONGROPE, DYNAMIC):
            return None
        original = "original_max_position_embeddings"
        length: int = parameters[original] if kind == LONGROPE else config.max_position_embeddings
        return cls(kind, length) if max_model_len > length else None

    def salt(self, num_prompt_tokens: int) -> str:
        """Return a salt that separates prompts of equal tokens whose keys are rotated differently."""
        if num_prompt_tokens <= self.length:
            return ""
        return LONG if self.kind == LONGROPE else f"\0{num_prompt_tokens}"

    def has_outgrown(self, sequence: Sequence) -> bool:
        """True if the text is longer than its keys were made for: it must be restarted with the salt `LONG`."""
        return self.kind == LONGROPE and len(sequence.token_ids) > self.length and not sequence.salt.endswith(LONG)

    def room(self, sequence: Sequence) -> int:
        """Return the number of tokens that may be drafted: none beyond the length at which the text is restarted."""
        is_short = self.kind == LONGROPE and len(sequence.token_ids) <= self.length
        return self.length - len(sequence.token_ids) if is_short else self.length


class Decoder(ABC):
    """A causal language model over a ragged row.

    Attributes:
        vocab_size: Width of the logits; may exceed the tokenizer's vocabulary.
        max_positions: Longest sequence that it can be asked for.
        eos_token_ids: From the model's own configuration.
        rope: How keys depend on the length of their text; None: they do not.
        can_pool: It gives the states that `Batch.states` asks for.
        image_token_id: Token that the rows of images take the places of; None: it reads no images.
        sees_whole_images: Tokens of an image see one another, so they are computed in one step.
        is_turned_by_grid: Tokens of an image are rotated by their rows and columns in it.
    """

    rope: RopeByLength | None = None
    can_pool: bool = True
    image_token_id: int | None = None
    sees_whole_images: bool = False
    is_turned_by_grid: bool = False

    def __init__(self, model: Any, max_model_len: int = 0) -> None:
        self.vocab_size = vocab_size(model)
        self.max_positions = max(max_positions(model), max_model_len)
        self.eos_token_ids = _eos_token_ids(model)
        self.device: torch.device = model.device

    @abstractmethod
    def forward(self, batch: Batch, cache: KvCache) -> Tensor:
        """Compute a step: keys and values go to the cache, logits of the wanted rows come back.

        Shapes: [wanted rows, vocab_size], float32. The caller may write into it.
        """

    def num_image_tokens(self, image: ImagePixels) -> int:
        """Return the tokens of an image in a prompt."""
        raise UnsupportedModelError("this decoder reads no images")

    def embed_tile(self, pixels: Tensor, image: ImagePixels) -> Tensor:
        """Return the rows of one tile of an image. Shapes: pixels [channels, height, width]; returns [rows, size]."""
        raise UnsupportedModelError("this decoder reads no images")

    def adapt(self, adapted: Callable[[Shapes, Linear], Linear]) -> torch.dtype:
        """Replace the products of the layers by what `adapted` makes of each; return the type of their rows.

        It is called once, before the first step. Products get all rows of a step in order, or those that are left after
        `RowAdapters.keep`.

        Raises:
            UnsupportedModelError: The texts of a step do not share rows.
        """
        raise UnsupportedModelError("LoRA adapters need a model that computes the texts of a step together")


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A decoder, and the way its layers attend to pages.

    Attributes:
        digest: Of the weights, where blocks are kept in a file.
    """

    decoder: Decoder
    attention: type[AttentionBackend]
    needs: AttentionNeeds
    digest: str = ""

    def fit(self, config: EngineConfig) -> EngineConfig:
        """Return the configuration with device defaults filled in, a block size that its attention reads, and without
        features that the model lacks."""
        config = config.on(self.decoder.device.type)
        if not self.needs.layers:
            config = replace(config, prefix_caching=False, speculation=())
        size = blocks_for(self.attention, config.block_size)
        num_blocks = config.num_blocks and -(-config.num_blocks * config.block_size // size)
        return replace(config, block_size=size, num_blocks=num_blocks)

    def make_cache(self, num_blocks: int, block_size: int) -> KvCache:
        """Allocate the key/value memory.

        Raises:
            InvalidEngineConfigError: There is not enough memory.
        """
        try:
            return KvCache(num_blocks, block_size, self.needs.slots, is_fp8=self.needs.is_fp8)
        except (OSError, MemoryError, RuntimeError) as error:
            size = num_blocks * block_size * self.needs.slot_bytes
            raise InvalidEngineConfigError(f"no {size} bytes of memory for keys and values: {error}") from error

    def make_builder(self, config: EngineConfig, adapters: RowAdapters | None = None) -> BatchBuilder:
        """Return a builder of batches for one set of pages; the configuration is one that `fit` returned."""
        return BatchBuilder(config, self.decoder.device, self.attention(self.needs, config), adapters)


def max_positions(model: Any) -> int:
    """The longest text that a model of transformers was made for."""
    config = model.config.get_text_config()
    for name in ("max_position_embeddings", "n_positions", "max_seq_len"):
        longest = getattr(config, name, None)
        if isinstance(longest, int) and longest > 0:
            return longest
    return UNBOUNDED


def furthest_position(model: Any) -> int:
    """Return the longest text that the model accepts: dynamic RoPE stretches its original length."""
    rope = getattr(model.config.get_text_config(), "rope_parameters", None) or {}
    return int(max_positions(model) * (rope["factor"] if rope.get("rope_type") == DYNAMIC else 1))


def vocab_size(model: Any) -> int:
    """The width of its logits."""
    head = getattr(model, "get_output_embeddings", lambda: None)()
    weight = getattr(head, "weight", None)
    size: int = model.config.get_text_config().vocab_size if weight is None else weight.shape[0]
    return size


def _eos_token_ids(model: Any) -> tuple[int, ...]:
    """The end-of-sequence ids that it names."""
    generation = getattr(model, "generation_config", None)
    for source in (generation, model.config, model.config.get_text_config()):
        ids = getattr(source, "eos_token_id", None)
        if ids is not None:
            return (ids,) if isinstance(ids, int) else tuple(ids)
    return ()
