"""Settings of an architecture in the metadata; unread ones are an error."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from gateway.errors import ModelLoadError
from gateway.gguf.file import GgufFile
from gateway.gguf.reader import Value

_MOST = (1 << 31) - 1

_HARMLESS = frozenset({"vocab_size", "tensor_data_layout", "rope.scaling.finetuned"})
"""Keys without effect on the arithmetic, or implied by the tensors."""


def _says_something(value: Value | None) -> bool:
    return isinstance(value, np.ndarray) or bool(value)


class Keys:
    """Reads the settings of one architecture, and remembers which.

    Args:
        prefix: Prefix of the keys.
    """

    def __init__(self, file: GgufFile, prefix: str) -> None:
        self.file, self.prefix = file, prefix
        self._read: set[str] = set()

    def count(self, name: str, default: int | None = None, most: int = _MOST) -> int:
        """Return a count between 1 and `most`.

        Raises:
            ModelLoadError: The key is missing without a default, or not such a number.
        """
        value = self.file.get(self._named(name), int, default)
        if not 0 < value <= most:
            raise ModelLoadError(f"{self.file.path}: {self._named(name)!r} is {value}; 1 to {most} expected")
        return value

    def number(self, name: str, default: float | None = None) -> float:
        """Return a positive number, rounded to the shortest decimal of its float32.

        Raises:
            ModelLoadError: The key is missing without a default, or not such a number.
        """
        value = self.file.get(self._named(name), float, default)
        if not 0 < value < float("inf"):
            raise ModelLoadError(f"{self.file.path}: {self._named(name)!r} is {value}; a positive number expected")
        return float(f"{value:.7g}")

    def text(self, name: str, default: str) -> str:
        """Return a word."""
        return self.file.get(self._named(name), str, default)

    def has(self, name: str) -> bool:
        """True if the file says something of it: some write zero of what there is not."""
        return _says_something(self.file.metadata.get(self._named(name)))

    def check_all_read(self, ignored: Collection[str] = ()) -> None:
        """Raise if the file has keys that were not read: they may change the computation.

        Raises:
            ModelLoadError: Names it.
        """
        unread = [
            name
            for name, value in self.file.metadata.items()
            if name.startswith(f"{self.prefix}.")
            and _says_something(value)
            and name not in self._read
            and name.removeprefix(f"{self.prefix}.") not in (*_HARMLESS, *ignored)
        ]
        if unread:
            value = str(self.file.metadata[unread[0]])[:64]
            raise ModelLoadError(f"{self.file.path}: {unread[0]!r} is {value}, which is not known how to compute")

    def _named(self, name: str) -> str:
        full = f"{self.prefix}.{name}"
        self._read.add(full)
        return full
