"""Tokens that leave a relative configuration: what they lead to depends on the stack below."""

from __future__ import annotations

from grammars.kernels.arena import LEAVES, NUM_LEAVING
from grammars.kernels.options import i64, kernel
from grammars.kernels.repeats import hang_token

LEAVING = 1 << 30  # in `hung`, beside a token: it leaves
_MOST_LEAVING = 64


@kernel
def hang_leaving(a, v, child):
    """Notes that the tokens below the node (by level) leave; 0, LEAVES where they are too many, or FULL."""
    top = i64(v.level_node[child])
    for i in range(top, i64(v.node_end[top])):
        token = i64(v.node_token[i])
        if token >= 0:
            status = leave_token(a, token)
            if status < 0:
                return status
    return i64(0)


@kernel
def leave_token(a, token):
    """Notes that the token leaves; 0, LEAVES where they are too many, or FULL."""
    if a.counters[NUM_LEAVING] == _MOST_LEAVING:
        return i64(LEAVES)
    a.counters[NUM_LEAVING] += 1
    return hang_token(a, token | LEAVING)
