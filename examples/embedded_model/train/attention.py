"""Causal attention within each of the packed sequences: in blocks on a CPU, by the flash kernel of torch on a GPU."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional

from embedded_model.train.batches import send

_BLOCK, _STEP = 256, 32


def attend(q: Tensor, k: Tensor, v: Tensor, lengths: list[int]) -> Tensor:
    """Return the attention of each token to those before it in its sequence.

    Shapes: q [tokens, heads, size]; k, v [tokens, kv heads, size]; lengths sum to tokens -> as q.
    """
    if q.is_cuda:
        return attend_flash(q, k, v, lengths)
    return Blocks.apply(q, k, v, lengths)  # type: ignore[no-any-return, no-untyped-call]


def attend_flash(q: Tensor, k: Tensor, v: Tensor, lengths: list[int]) -> Tensor:
    """As `attend`, in bfloat16: the kernel knows no wider type."""
    from torch.nn.attention.varlen import varlen_attn  # nothing for CPUs in it

    starts = send(torch.tensor([0, *accumulate(lengths)], dtype=torch.int32), q.device)
    queries, keys, values = (t.to(torch.bfloat16).repeat_interleave(q.shape[1] // t.shape[1], 1) for t in (q, k, v))
    longest = max(lengths)
    out = varlen_attn(queries, keys, values, starts, starts, longest, longest, window_size=(-1, 0))
    assert isinstance(out, Tensor)
    return out.to(v.dtype)


class Blocks(Function):
    """Block of queries by block, with the weights kept: scores in the type of `q` and `k`, all else in that of `v`.

    oneDNN compiles a product for every new size, so sizes are multiples of `_STEP`: a block looks over the end of its
    sequence, and its rows beyond the end have no weights. What it writes there the next block writes over.
    """

    @staticmethod
    @torch.autocast("cpu", enabled=False)  # type: ignore[untyped-decorator]
    def forward(ctx: Any, q: Tensor, k: Tensor, v: Tensor, lengths: list[int]) -> Tensor:
        """See `attend`."""
        heads, size = k.shape[1:]
        q, k, v = (_by_head(t, heads) for t in (q * size**-0.5, k, v))
        out, blocks, weights = torch.empty_like(q, dtype=v.dtype), list(_blocks(lengths)), list[Tensor]()
        future = q.new_full((_BLOCK, _BLOCK), -torch.inf).triu(1)[:, None]
        for start, first, end, stop in blocks:
            scores = _rows(q, first, stop, size) @ k[:, start:stop].mT
            num = stop - first
            scores.view(heads, num, -1, stop - start)[..., first - start :] += future[:num, :, :num]
            share = scores.softmax(-1).to(v.dtype)
            share.view(heads, num, -1)[:, end - first :] = 0
            _rows(out, first, stop, size).copy_(share @ v[:, start:stop])
            weights.append(share)
        ctx.blocks = blocks
        ctx.save_for_backward(q.to(v.dtype), k.to(v.dtype), v, *weights)
        return _by_token(out, sum(lengths), size)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        """Gradients of q, k, v."""
        q, k, v, *weights = ctx.saved_tensors
        size = v.shape[-1]
        grad = _by_head(grads[0], len(v))
        to_q, to_k, to_v = (torch.zeros_like(t, dtype=torch.float32) for t in (q, k, v))
        for (start, first, _, stop), share in zip(ctx.blocks, weights, strict=True):
            rows = _rows(grad, first, stop, size)
            to_v[:, start:stop] += share.mT @ rows
            slope = torch._softmax_backward_data(rows @ v[:, start:stop].mT, share, -1, share.dtype)
            _rows(to_q, first, stop, size).copy_(slope @ k[:, start:stop])
            to_k[:, start:stop] += slope.mT @ _rows(q, first, stop, size)
        to_q, to_k, to_v = (_by_token(t, len(grads[0]), size) for t in (to_q.mul_(size**-0.5), to_k, to_v))
        return to_q, to_k, to_v, None


def _blocks(lengths: list[int]) -> Iterator[tuple[int, int, int, int]]:
    """Return for each block the start of its sequence, its first query, the end of its queries and of its keys."""
    start = 0
    for length in lengths:
        for first in range(start, start + length, _BLOCK):
            end = min(first + _BLOCK, start + length)
            yield start, first, end, end + (first - end) % _STEP
        start += length


def _by_head(x: Tensor, num_heads: int) -> Tensor:
    """Shapes: [tokens, heads, size] -> [kv heads, tokens + `_STEP`, queries per kv head * size]."""
    return functional.pad(x.reshape(len(x), num_heads, -1).transpose(0, 1), (0, 0, 0, _STEP))


def _rows(x: Tensor, first: int, stop: int, size: int) -> Tensor:
    """A view of some tokens. Shapes: [kv heads, tokens, n * size] -> [kv heads, (stop - first) * n, size]."""
    return x[:, first:stop].view(len(x), -1, size)


def _by_token(x: Tensor, num_tokens: int, size: int) -> Tensor:
    """The way back from `_by_head`."""
    return x[:, :num_tokens].transpose(0, 1).reshape(num_tokens, -1, size)
