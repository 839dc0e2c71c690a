"""Constraints, each sent once: the client decides which ones the worker keeps, so both always know the same."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from weakref import WeakKeyDictionary

from gateway.engine.errors import ConstraintFailedError, EngineFault, FrameTooLargeError
from gateway.engine.process.channel import MAX_FRAME_BYTES
from gateway.engine.process.messages import Forget, Keep
from gateway.engine.process.portable import Source
from gateway.engine.protocols import TokenConstraint

Restore = Callable[[bytes, bytes], TokenConstraint]
"""Makes a constraint at the beginning of its text from a digest and the bytes of its source: called for every request,
so it had better know those that came lately."""

MAX_KEPT = 256
MAX_KEPT_BYTES = 16 << 20
MAX_ONE_BYTES = MAX_FRAME_BYTES - 1024


class SentConstraints:
    """What one worker keeps, least recently used first. The last one stays, however large."""

    def __init__(self, digests: WeakKeyDictionary[Source, bytes]) -> None:
        """Args: digests: Of all sources met so far; outlives workers."""
        self._digests = digests
        self._sizes: OrderedDict[bytes, int] = OrderedDict()
        self._num_bytes = 0

    def introduce(self, source: Source) -> tuple[bytes, list[Keep | Forget]]:
        """The digest that requests may name after these messages.

        Raises:
            FrameTooLargeError: The constraint cannot be sent.
        """
        known = self._digests.get(source)
        if known is not None and known in self._sizes:
            self._sizes.move_to_end(known)
            return known, []
        data = source.to_bytes()
        if len(data) > MAX_ONE_BYTES:
            raise FrameTooLargeError(len(data), MAX_ONE_BYTES)
        digest = self._digests[source] = blake2b(data, digest_size=32).digest()
        if digest in self._sizes:
            self._sizes.move_to_end(digest)
            return digest, []
        self._sizes[digest] = len(data)
        self._num_bytes += len(data)
        return digest, [*self._make_room(), Keep(digest, data)]

    def _make_room(self) -> list[Forget]:
        forgotten = []
        while len(self._sizes) > 1 and (len(self._sizes) > MAX_KEPT or self._num_bytes > MAX_KEPT_BYTES):
            digest, size = self._sizes.popitem(last=False)
            self._num_bytes -= size
            forgotten.append(Forget(digest))
        return forgotten


class KeptConstraints:
    """The worker's side: what constraints are made from. How many are made ready for use is for `restore` to bound."""

    def __init__(self, restore: Restore) -> None:
        self._restore = restore
        self._data: dict[bytes, bytes] = {}

    def __len__(self) -> int:
        return len(self._data)

    def keep(self, message: Keep) -> None:
        """It is read when a request first names it; one that cannot be read is tried again by the next request."""
        self._data[message.digest] = message.data

    def forget(self, digest: bytes) -> None:
        """Requests under way keep theirs."""
        self._data.pop(digest, None)

    def make(self, digest: bytes) -> TokenConstraint:
        """A constraint at the beginning of its text.

        Raises:
            ConstraintFailedError: It cannot be made, unless `restore` raises a fault of its own.
        """
        try:
            if digest not in self._data:
                raise KeyError("it was never sent")
            return self._restore(digest, self._data[digest])
        except EngineFault:
            raise
        except Exception as error:
            raise ConstraintFailedError(f"the constraint could not be made again: {error!r}") from error
