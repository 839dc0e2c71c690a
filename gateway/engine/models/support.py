"""Which architectures the paged row computes correctly. All others are refused at load, with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from torch import nn

from gateway.engine.attention import LayerNeeds
from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.rope import BY_LENGTH

LAYER_TYPES = frozenset({"full_attention", "sliding_attention", "attention"})


def check_config(config: Any, max_model_len: int) -> None:
    """Raise unless the configuration describes plain causal attention.

    Raises:
        UnsupportedModelError: Says which property stands in the way.
    """
    if getattr(config, "is_encoder_decoder", False):
        raise UnsupportedModelError("encoder-decoder models are not causal language models")
    for name in ("layer_types", "layers_block_type"):
        foreign = set(getattr(config, name, None) or ()) - LAYER_TYPES
        if foreign:
            raise UnsupportedModelError(
                f"{name} {sorted(foreign)} carry a state from row to row, or look at the row as a whole"
            )
    if getattr(config, "use_bidirectional_attention", False):
        raise UnsupportedModelError("bidirectional attention is not causal")
    for kind, rope in _layered_ropes(config):
        original = rope.get("original_max_position_embeddings") or config.max_position_embeddings
        # Within the original length these two are constant and therefore safe.
        if rope.get("rope_type") in BY_LENGTH and max_model_len > original:
            raise UnsupportedModelError(
                f"{rope['rope_type']} RoPE of {kind} layers chooses its frequencies by the longest text of a row, so "
                f"neighbours would change each other; set max_model_len to at most {original}"
            )


def check_windows(config: Any, layers: Iterable[LayerNeeds]) -> None:
    """Raise if the configuration names a window, and no layer asks for one: it stands in masks, which nobody makes.

    Raises:
        UnsupportedModelError: Names the window.
    """
    window, types = getattr(config, "sliding_window", None), getattr(config, "layer_types", None)
    is_used = window is not None and (types is None or "sliding_attention" in types)
    if is_used and all(layer.window is None for layer in layers):
        raise UnsupportedModelError(f"its window of {window} tokens stands in masks alone")


def check_modules(model: nn.Module) -> None:
    """Raise if a module keeps or mixes state along the row, whatever the configuration says.

    Raises:
        UnsupportedModelError: Names the module.
    """
    if getattr(model, "_is_stateful", False):
        raise UnsupportedModelError(f"{type(model).__name__} is recurrent")
    for name, module in model.named_modules():
        if isinstance(module, nn.Conv1d | nn.RNNBase):
            raise UnsupportedModelError(f"{name} ({type(module).__name__}) mixes neighbouring rows")


def _layered_ropes(config: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The sets of RoPE parameters of a model that has one for each type of layers."""
    for kind, value in (getattr(config, "rope_parameters", None) or {}).items():
        if isinstance(value, Mapping):
            yield kind, value
