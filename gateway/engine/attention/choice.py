"""Which backend serves a model: chosen when it is loaded, and proved before it is used."""

from __future__ import annotations

import logging

from gateway.engine.attention.base import AttentionBackend, AttentionNeeds
from gateway.engine.attention.compiled import CompiledAttention
from gateway.engine.attention.flash import FlashAttention
from gateway.engine.attention.proof import why_wrong
from gateway.engine.attention.sdpa import SdpaAttention
from gateway.engine.attention.triton import TritonAttention
from gateway.engine.config import EngineConfig
from gateway.engine.errors import InvalidEngineConfigError

logger = logging.getLogger(__name__)

BACKENDS: tuple[type[AttentionBackend], ...] = (TritonAttention, FlashAttention, CompiledAttention, SdpaAttention)
"""The best first."""


def choose_attention(
    config: EngineConfig, needs: AttentionNeeds, *, block_size: int | None = None
) -> type[AttentionBackend]:
    """The backend that is named, or the best that can serve the model here and computes rightly.

    Args:
        block_size: Of blocks that there are already; None: they will be as the backend wants them, see `blocks_for`.

    Raises:
        InvalidEngineConfigError: Says why the named one cannot.
    """
    for backend in BACKENDS:
        if config.attention_backend not in ("auto", backend.name):
            continue
        reason = backend.why_not(needs) or _why_not_blocks(backend, block_size)
        if reason is None:
            reason = why_wrong(backend, needs)
            if reason is None:
                return backend
            logger.warning("not using %s attention: it %s", backend.name, reason)
            reason = f"it {reason}"
        elif backend is TritonAttention and needs.device.type == "cuda":
            logger.warning("not using triton attention: %s", reason)  # the fastest there, and the cause can be mended
        if config.attention_backend != "auto":
            raise InvalidEngineConfigError(f"attention_backend {backend.name!r} cannot serve this model here: {reason}")
    raise InvalidEngineConfigError(f"no attention is computed rightly on {needs.device}")


def blocks_for(backend: type[AttentionBackend], block_size: int) -> int:
    """The size of blocks that this backend reads: the one wanted, or the next larger multiple."""
    return -(-block_size // backend.block_multiple) * backend.block_multiple


def _why_not_blocks(backend: type[AttentionBackend], block_size: int | None) -> str | None:
    if block_size is None or block_size % backend.block_multiple == 0:
        return None
    return f"its blocks are multiples of {backend.block_multiple} tokens, not {block_size}"
