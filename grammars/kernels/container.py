"""Many arrays behind one pointer: a kernel takes a container as a single argument, whatever it holds.

Passing 40 arrays one by one costs a kernel call about 3 us, a container costs about 0.3 us.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba.core import types
from numpy.typing import NDArray


class ContainerType(types.StructRef):  # type: ignore[misc]
    """Base of the numba types of containers; literal field types are widened."""

    def preprocess_fields(self, fields: Any) -> Any:
        """Field types without literal values."""
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


def as_field(array: NDArray[Any]) -> NDArray[Any]:
    """The array, contiguous and writable: others are of another type, for which every kernel is compiled again."""
    return np.require(array, requirements=("C", "W"))


class PlainContainer:
    """The same fields on a plain object, for runs with compilation switched off."""

    def __init__(self, names: Sequence[str], values: Sequence[Any]) -> None:
        self.__dict__.update(zip(names, values, strict=True))
