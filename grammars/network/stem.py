"""What a network begins with where its first part is a fragment that is known: arrays that are copied as they are."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from grammars.kernels.container import ContainerType, fields_of, new_container
from grammars.network.network import BYTE_FIELDS, INT_FIELDS, Network

_FIELDS = tuple(name for name in INT_FIELDS if name != "guard_kind")
STEM = ContainerType("Stem", fields_of(uint8=" ".join(BYTE_FIELDS), int32=" ".join(_FIELDS)))
"""Arrays of a network by the names that they have there, but for `guard_kind`."""
# Bounds of slices begin with a zero where there is no state.
_BOUNDS = ("edge_start", "epsilon_start", "call_start", "member_start")


def stem_of(network: Network, count: int) -> Any:
    """The first `count` states of a network, of which those behind own no spans and the like, and are never met."""
    arrays = {name: getattr(network, name) for name in (*BYTE_FIELDS, *_FIELDS)}
    for name in ("kind", "accepts", "item", "otherwise", "cost", "fewest_bytes"):
        arrays[name] = arrays[name][:count]
    for name in ("twin_state", "twin_slack"):
        arrays[name] = arrays[name][:count]
    for prefix, columns in (("edge", ("low", "high", "to")), ("epsilon", ("to",)), ("call", ("rule", "return"))):
        start = arrays[f"{prefix}_start"] = arrays[f"{prefix}_start"][: count + 1]
        for column in columns:
            name = f"{prefix}_{column}"
            arrays[name] = arrays[name][: start[-1]]
    return new_container(STEM, arrays)


@cache
def no_stem() -> Any:
    """What a network begins with that begins with nothing."""
    arrays = {name: np.zeros(int(name in _BOUNDS), dtype=STEM.dtypes[name]) for name in (*BYTE_FIELDS, *_FIELDS)}
    return new_container(STEM, arrays)
