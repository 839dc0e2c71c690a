"""Muon for the matrices, AdamW for embeddings and norms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from gateway.embedded.training.model import product_type


def orthogonalise(matrix: Tensor, steps: int = 4) -> Tensor:
    """The nearest semi-orthogonal matrix, roughly: singular values end between 0.7 and 1.2.

    See: Jordan et al., "Muon" (2024): a quintic Newton-Schulz iteration with these coefficients.
    """
    a, b, c = 3.4445, -4.7750, 2.0315
    tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.to(product_type(matrix.device))
    x = x.T if tall else x
    x = x / (x.norm() + 1e-7)
    for _ in range(steps):
        gram = x @ x.T
        x = torch.addmm(x, torch.addmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.T if tall else x


class Muon(torch.optim.Optimizer):
    """Steepest descent under the spectral norm, with Nesterov momentum and decoupled weight decay."""

    def __init__(
        self, weights: Iterable[Tensor], lr: float, momentum: float = 0.95, weight_decay: float = 0.05
    ) -> None:
        super().__init__(weights, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        """One update of every matrix that has a gradient."""
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is None:
                    continue
                state = self.state[weight]
                if "momentum" not in state:
                    state["momentum"] = torch.zeros_like(weight)
                average = state["momentum"].lerp_(weight.grad, 1 - group["momentum"])
                update = orthogonalise(weight.grad.lerp(average, group["momentum"]))
                scale = max(1.0, weight.shape[0] / weight.shape[1]) ** 0.5
                weight.mul_(1 - group["lr"] * group["weight_decay"])
                weight.add_(update, alpha=-group["lr"] * scale)


class Optimizers:
    """Both optimizers behind one `step`, with one factor on their learning rates."""

    def __init__(self, model: nn.Module, matrix_rate: float = 0.01, other_rate: float = 5e-3) -> None:
        named = list(model.named_parameters())
        matrices = [weight for name, weight in named if weight.ndim == 2 and "embed_tokens" not in name]
        others = [weight for name, weight in named if weight.ndim != 2 or "embed_tokens" in name]
        self._all: list[torch.optim.Optimizer] = [
            Muon(matrices, lr=matrix_rate),
            torch.optim.AdamW(others, lr=other_rate, betas=(0.9, 0.95), weight_decay=0.0),
        ]
        self._rates = [matrix_rate, other_rate]

    def step(self, factor: float) -> None:
        """One update with learning rates times `factor`; clears the gradients."""
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
