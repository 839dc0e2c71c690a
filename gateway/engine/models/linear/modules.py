"""The linear layers inside a transformers model, exchanged for packed ones."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from gateway.engine.models.linear.base import Linear, LinearKind


class ExchangedLinear(nn.Module):
    """Stands where a linear layer stood, and computes the same with packed weights.

    Attributes:
        original: What it stands for.
    """

    def __init__(self, original: Any, linear: Linear) -> None:
        super().__init__()
        self.original = original
        self._linear = linear

    @property
    def weight(self) -> Tensor:
        """The original's weight: models look at its type."""
        weight: Tensor = self.original.weight
        return weight

    @property
    def bias(self) -> Tensor | None:
        """The original's bias."""
        bias: Tensor | None = self.original.bias
        return bias

    def forward(self, x: Tensor) -> Tensor:
        """Shapes: [..., in] -> [..., out]."""
        product = self._linear(x.reshape(-1, x.shape[-1]).contiguous())
        return product.view(*x.shape[:-1], product.shape[-1])


def exchange_linears(model: nn.Module, kind: LinearKind, *, keep_originals: bool) -> int:
    """Pack every linear layer that the kind applies to; how many there were.

    Args:
        keep_originals: Keep the unpacked weights too, so that `restore_linears` can undo this. Else they are let go,
            but for those that something else holds (an embedding).
    """
    from transformers.pytorch_utils import Conv1D

    found: list[tuple[nn.Module, str, Any]] = [
        (parent, name, child)
        for parent in model.modules()
        for name, child in parent.named_children()
        if type(child) in (nn.Linear, Conv1D) and not isinstance(parent, ExchangedLinear)
    ]
    found = [entry for entry in found if kind.applies(entry[2].weight.device, entry[2].weight.dtype)]
    for parent, name, child in found:
        weight = child.weight.t() if isinstance(child, Conv1D) else child.weight
        setattr(parent, name, ExchangedLinear(child, kind((weight,), child.bias)))
        if not keep_originals:
            child.weight = nn.Parameter(child.weight.detach().to("meta"), requires_grad=False)
    return len(found)


def restore_linears(model: nn.Module) -> None:
    """Undo `exchange_linears` that kept the originals."""
    found = [
        (parent, name, child)
        for parent in model.modules()
        for name, child in parent.named_children()
        if isinstance(child, ExchangedLinear)
    ]
    for parent, name, child in found:
        setattr(parent, name, child.original)
