"""Muon for the matrices, AdamW for embeddings and norms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from embedded_model.train.model import product_type


def orthogonalise(matrices: Tensor, steps: int = 4) -> Tensor:
    """The nearest semi-orthogonal matrices, roughly: singular values end between 0.7 and 1.2.

    Shapes: [matrices, rows, columns] -> the same.
    See: Jordan et al., "Muon" (2024): a quintic Newton-Schulz iteration with these coefficients.
    """
    a, b, c = 3.4445, -4.7750, 2.0315
    tall = matrices.shape[1] > matrices.shape[2]
    x = matrices.to(product_type(matrices.device))
    x = x.mT if tall else x
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(steps):
        gram = x @ x.mT
        x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.mT if tall else x


class Muon(torch.optim.Optimizer):
    """Steepest descent under the spectral norm, with Nesterov momentum and decoupled weight decay."""

    def __init__(
        self, weights: Iterable[Tensor], lr: float, momentum: float = 0.95, weight_decay: float = 0.05
    ) -> None:
        super().__init__(weights, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        """Update every matrix that has a gradient."""
        for group in self.param_groups:
            same_shape: dict[tuple[int, ...], list[Tensor]] = {}
            for weight in group["params"]:
                if weight.grad is not None:
                    same_shape.setdefault(tuple(weight.shape), []).append(weight)
            for weights in same_shape.values():
                self._update(weights, group)

    def _update(self, weights: list[Tensor], group: dict[str, Any]) -> None:
        """Matrices of one shape go through each operation together: small ones cost a GPU more to start than to do."""
        for weight in weights:
            if "momentum" not in self.state[weight]:
                self.state[weight]["momentum"] = torch.zeros_like(weight)
        grads = [weight.grad for weight in weights if weight.grad is not None]
        averages = [self.state[weight]["momentum"] for weight in weights]
        torch._foreach_lerp_(averages, grads, 1 - group["momentum"])
        updates = orthogonalise(torch.stack(torch._foreach_lerp(grads, averages, group["momentum"])))
        rows, columns = weights[0].shape
        torch._foreach_mul_(weights, 1 - group["lr"] * group["weight_decay"])
        torch._foreach_add_(
            weights, list(updates.to(weights[0].dtype)), alpha=-group["lr"] * max(1.0, rows / columns) ** 0.5
        )


class Optimizers:
    """Both optimizers under one `step`, with one factor on their learning rates."""

    def __init__(self, model: nn.Module, matrix_rate: float = 0.01, other_rate: float = 5e-3) -> None:
        named = list(model.named_parameters())
        matrices = [weight for name, weight in named if weight.ndim == 2 and "embed_tokens" not in name]
        others = [weight for name, weight in named if weight.ndim != 2 or "embed_tokens" in name]
        self._all: list[torch.optim.Optimizer] = [
            Muon(matrices, lr=matrix_rate),
            torch.optim.AdamW(others, lr=other_rate, betas=(0.9, 0.95), weight_decay=0.0, fused=others[0].is_cuda),
        ]
        self._rates = [matrix_rate, other_rate]

    def step(self, factor: float) -> None:
        """Update the weights with learning rates times `factor`, and clear the gradients."""
        for optimizer, rate in zip(self._all, self._rates, strict=True):
            for group in optimizer.param_groups:
                group["lr"] = rate * factor
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)

    def state_dict(self) -> list[dict[str, Any]]:
        """State for a checkpoint."""
        return [optimizer.state_dict() for optimizer in self._all]

    def load_state_dict(self, states: list[dict[str, Any]]) -> None:
        """Restores a checkpoint's state."""
        for optimizer, state in zip(self._all, states, strict=True):
            optimizer.load_state_dict(state)
