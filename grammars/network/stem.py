"""What a network begins with where its first part is a fragment that is known: columns that are copied as they are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grammars.kernels.container import ContainerType, fields_of, new_container
from grammars.network.network import BYTE_FIELDS, INT_FIELDS, Network

STEM = ContainerType("Stem", fields_of(int32="ints", uint8="octets", int64="begins lengths"))
"""The columns of a network, those of `INT_FIELDS` in `ints` and then those of `BYTE_FIELDS` in `octets`: where each
begins, and its length. There are no guards."""
_BY_STATE = ("kind", "accepts", "item", "otherwise", "cost", "fewest_bytes", "twin_state", "twin_slack")
# Bounds of slices begin with a zero where there is no state.
_BOUNDS = ("edge_start", "epsilon_start", "call_start", "member_start")
_NOTHING = np.zeros(0, dtype=np.int32)


def stem_of(network: Network, count: int) -> Any:
    """The first `count` states of a network, of which those behind own no spans and the like, and are never met."""
    arrays = {name: getattr(network, name) for name in (*INT_FIELDS, *BYTE_FIELDS)}
    arrays["guard_kind"] = _NOTHING
    for name in _BY_STATE:
        arrays[name] = arrays[name][:count]
    for prefix, columns in (("edge", ("low", "high", "to")), ("epsilon", ("to",)), ("call", ("rule", "return"))):
        start = arrays[f"{prefix}_start"] = arrays[f"{prefix}_start"][: count + 1]
        for column in columns:
            name = f"{prefix}_{column}"
            arrays[name] = arrays[name][: start[-1]]
    return _packed(arrays)


@cache
def no_stem() -> Any:
    """What a network begins with that begins with nothing."""
    return _packed({name: np.zeros(int(name in _BOUNDS), np.int32) for name in (*INT_FIELDS, *BYTE_FIELDS)})


def _packed(arrays: Mapping[str, NDArray[Any]]) -> Any:
    values: dict[str, NDArray[Any]] = {}
    begins: list[int] = []
    lengths: list[int] = []
    for block, fields in (("ints", INT_FIELDS), ("octets", BYTE_FIELDS)):
        own = [len(arrays[name]) for name in fields]
        begins += np.cumsum([0, *own[:-1]]).tolist()
        lengths += own
        values[block] = np.concatenate([arrays[name] for name in fields]).astype(STEM.dtypes[block], copy=False)
    values |= {"begins": np.array(begins, dtype=np.int64), "lengths": np.array(lengths, dtype=np.int64)}
    return new_container(STEM, values)
