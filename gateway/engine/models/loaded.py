"""A model that is ready to serve, and what was found out about it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gateway.engine.attention.base import AttentionBackend, AttentionNeeds
from gateway.engine.attention.choice import blocks_for
from gateway.engine.batch import BatchBuilder
from gateway.engine.config import EngineConfig
from gateway.engine.errors import InvalidEngineConfigError
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.base import Decoder


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A decoder, and the way its layers attend to pages."""

    decoder: Decoder
    attention: type[AttentionBackend]
    needs: AttentionNeeds

    def fit(self, config: EngineConfig) -> EngineConfig:
        """With what is left to the device; blocks of a size that its attention reads; without what it cannot do."""
        config = config.on(self.decoder.device.type)
        if not self.needs.layers:
            config = replace(config, prefix_caching=False, speculation=())
        size = blocks_for(self.attention, config.block_size)
        num_blocks = config.num_blocks and -(-config.num_blocks * config.block_size // size)
        return replace(config, block_size=size, num_blocks=num_blocks)

    def make_cache(self, num_blocks: int, block_size: int) -> KvCache:
        """The memory of its keys and values.

        Raises:
            InvalidEngineConfigError: There is not so much.
        """
        try:
            return KvCache(num_blocks, block_size, self.needs.slots)
        except (OSError, MemoryError, RuntimeError) as error:
            size = num_blocks * block_size * self.needs.slot_bytes
            raise InvalidEngineConfigError(f"no {size} bytes of memory for keys and values: {error}") from error

    def make_builder(self, config: EngineConfig) -> BatchBuilder:
        """Of batches for one set of pages, whose sizes are those of a `fit` configuration."""
        return BatchBuilder(config, self.decoder.device, self.attention(self.needs, config))
