"""Parts of a layer with gradients of few large operations: on a CPU small ones cost as much as the products."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class Gate(Function):
    """`silu(gate) * up`."""

    @staticmethod
    def forward(ctx: Any, gate: Tensor, up: Tensor) -> Tensor:
        """Shapes: all the same."""
        share = torch.sigmoid(gate)
        ctx.save_for_backward(gate, up, share)
        return (gate * share).mul_(up)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor]:
        """Gradients of gate and up."""
        gate, up, share = ctx.saved_tensors
        open_gate = gate * share
        to_up = grads[0] * open_gate
        slope = torch.addcmul(open_gate, share, open_gate, value=-1).add_(share)
        return slope.mul_(up).mul_(grads[0]), to_up


class Normalise(Function):
    """Root mean square normalisation, rounded to a type once for all products that read it."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, epsilon: float, dtype: torch.dtype) -> Tensor:
        """Shapes: x [tokens, hidden]; weight [hidden] -> as x."""
        squares: Tensor = torch.linalg.vector_norm(x, dim=-1, keepdim=True).square_()
        scale = squares.div_(len(weight)).add_(epsilon).rsqrt_()
        unit = x * scale
        ctx.save_for_backward(unit, weight, scale)
        return (unit * weight).to(dtype)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor, None, None]:
        """Gradients of x and weight."""
        unit, weight, scale = ctx.saved_tensors
        along = grads[0] * unit
        to_x = (grads[0] * weight).addcmul_(unit, (along @ weight)[:, None], value=-1 / len(weight)).mul_(scale)
        return to_x, along.sum(0), None, None


class Rotate(Function):
    """Rotary position embedding, halves convention; the gradient turns the other way."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """Shapes: x [tokens, heads, size]; cos, sin [tokens, 1, size / 2] -> as x."""
        ctx.save_for_backward(cos, sin)
        return _turn(x, cos, sin)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, None]:
        """The gradient of x."""
        cos, sin = ctx.saved_tensors
        return _turn(grads[0], cos, -sin), None, None


def _turn(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    left, right = x.chunk(2, -1)
    return torch.cat((left * cos - right * sin, right * cos + left * sin), dim=-1)
