"""Verification of a stored chain, from its beginning or from a record on."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from gateway.audit.chain import NOTHING, Anchor, BrokenChainError, Chain, record_of
from gateway.audit.store import Store


def verified(store: Store, chain: Chain, anchors: Sequence[Anchor] = (), first: int = 1) -> Anchor:
    """Return the end of a chain whose links all verify.

    Args:
        anchors: Known anchors; without one, a truncated end cannot be detected.
        first: Records before this one may be gone.

    Raises:
        BrokenChainError: A link is invalid or missing; names the first one.
    """
    tail = before(store, first)
    with closing(store.links(tail.seq + 1)) as links:
        for link in chain.verified(links, tail, anchors):
            tail = link.anchor
    if tail == NOTHING:
        raise BrokenChainError(1, "record 1 is missing: there is none")
    return tail


def before(store: Store, first: int) -> Anchor:
    """Return the anchor that record number `first` follows: the record before it, or the one named by the first record
    of a file.

    Raises:
        BrokenChainError: Neither is there.
    """
    if first <= 1:
        return NOTHING
    with closing(store.links(first - 1)) as links:
        link = next(links, None)
    if link is not None and link.seq == first - 1:
        return link.anchor
    follows = record_of(link).get("follows") if link is not None and link.seq == first else None
    if not (isinstance(follows, dict) and isinstance(follows.get("hash"), str)):
        raise BrokenChainError(first, f"record {first} is missing, or no file begins with it")
    return Anchor(first - 1, follows["hash"])
