"""Initial weights that can already copy.

Gradient descent needs millions of tokens to find the two-layer circuit that continues a repeated text (an *induction
head*: Elhage et al., "A Mathematical Framework for Transformer Circuits", 2021); before that, no argument is copied
right. The circuit is known, so it is written down, and training starts where copying works:

- layer 0 looks at the position before (a rotary phase shift of one position does that) and stores, in a subspace of
  its own, which token stood there;
- layer 1 looks for positions whose stored token equals the present one, and adds the token found there to the
  prediction.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from embedded_model.train.model import Attention, LeanLlama

EMBEDDING_SCALE = 0.6
FINAL_NORM = 0.1
CONSTANT = 4.0
"""Coordinate 0 of every embedding, over the others' deviation: queries and keys that see positions alone read it."""
LOOK_BACK = 8.0
MATCH = 3.0
STORE = 2.0
COPY = 8.0
NUM_NEAR_PAIRS = 8
"""Rotary pairs, fastest first, that tell neighbouring positions apart."""
MAX_DRIFT = 0.004
"""Radians a position at most by which a rotary pair may turn to be of use for comparing tokens across a prompt."""


def _orthonormal(rows: int, columns: int) -> Tensor:
    basis: Tensor = torch.linalg.qr(torch.randn(columns, rows)).Q
    return basis.T


@torch.no_grad()
def initialise(model: LeanLlama) -> None:
    """Sets all weights. Residual branches without a part in the circuit start at zero, as the identity."""
    shape = model.shape
    for name, weight in model.named_parameters():
        if name.endswith(("o_proj.weight", "down_proj.weight")):
            nn.init.zeros_(weight)
        elif "embed_tokens" in name:
            nn.init.normal_(weight, std=EMBEDDING_SCALE)
            weight[:, 0] = CONSTANT * EMBEDDING_SCALE
        elif name == "model.norm.weight":
            nn.init.constant_(weight, FINAL_NORM)
        elif weight.ndim == 2:
            nn.init.normal_(weight, std=weight.shape[1] ** -0.5)
    size = shape.head_size
    frequency = shape.rope_theta ** (-torch.arange(0, size, 2) / size)
    reads = [_orthonormal(size, shape.hidden) for _ in range(shape.num_kv_heads)]
    stores = [_orthonormal(size, shape.hidden) for _ in range(shape.num_kv_heads)]
    for part in (*reads, *stores):
        part[:, 0] = 0.0
    _look_back(model.model.attention(0), reads, stores, frequency)
    _match_and_copy(model.model.attention(1), reads, stores, frequency)


def _look_back(attention: Attention, reads: list[Tensor], stores: list[Tensor], frequency: Tensor) -> None:
    """The first query head of each key-value head attends to the position before and stores the token there."""
    s = attention.shape
    size, half = s.head_size, s.head_size // 2
    near = min(NUM_NEAR_PAIRS, half // 2)
    amplitude = LOOK_BACK / CONSTANT
    for kv in range(s.num_kv_heads):
        head = kv * (s.num_heads // s.num_kv_heads)
        q = torch.zeros(size, s.hidden)
        q[:near, 0], q[half : half + near, 0] = amplitude * frequency[:near].cos(), -amplitude * frequency[:near].sin()
        k = torch.zeros(size, s.hidden)
        k[:near, 0] = amplitude
        attention.q_proj.weight[head * size : (head + 1) * size] = q
        attention.k_proj.weight[kv * size : (kv + 1) * size] = k
        attention.v_proj.weight[kv * size : (kv + 1) * size] = reads[kv]
        attention.o_proj.weight[:, head * size : (head + 1) * size] = STORE * EMBEDDING_SCALE * stores[kv].T


def _match_and_copy(attention: Attention, reads: list[Tensor], stores: list[Tensor], frequency: Tensor) -> None:
    """The first query head of each key-value head finds what followed the present token before, and predicts it."""
    s = attention.shape
    size, half = s.head_size, s.head_size // 2
    slow = int((frequency > MAX_DRIFT).sum())
    used = torch.tensor([*range(slow, half), *range(half + slow, size)])
    for kv in range(s.num_kv_heads):
        head = kv * (s.num_heads // s.num_kv_heads)
        q, k = torch.zeros(size, s.hidden), torch.zeros(size, s.hidden)
        q[used], k[used] = MATCH * reads[kv][used], MATCH * stores[kv][used]
        attention.q_proj.weight[head * size : (head + 1) * size] = q
        attention.k_proj.weight[kv * size : (kv + 1) * size] = k
        copied = _orthonormal(size, s.hidden)
        attention.v_proj.weight[kv * size : (kv + 1) * size] = copied
        attention.o_proj.weight[:, head * size : (head + 1) * size] = COPY * EMBEDDING_SCALE * copied.T
