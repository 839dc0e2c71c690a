"""Numbers of a step on their way to the device, and to compiled kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


def bits(tensor: Tensor) -> NDArray[Any]:
    """The memory of a contiguous tensor as kernels take it: float32 as it is, bfloat16 as uint16."""
    return tensor.view(torch.uint16).numpy() if tensor.dtype == torch.bfloat16 else tensor.numpy()


class Staging:
    """A preallocated buffer that is filled in parts on the host and goes to the device in one copy.

    Use: `begin`, `take` parts and fill them, `send`; or `stage` arrays that there are already. On a CPU the buffer is
    what is computed with, and nothing is copied. On CUDA it is pinned, so that nobody waits for the copy; `begin` waits
    until the last one was made, or it would be overwritten under way.
    """

    def __init__(self, device: torch.device, dtype: torch.dtype, capacity: int, *, is_aside: bool = False) -> None:
        """Args: is_aside: On CUDA, copy beside what the device computes, for whoever has read what was sent before."""
        self._device = device
        self._stream = torch.cuda.Stream(device) if is_aside and device.type == "cuda" else None  # type: ignore[no-untyped-call]
        self._dtype = dtype
        self._sizes: list[int] = []
        self._copied: torch.cuda.Event | None = None
        self._allocate(capacity)

    @property
    def device(self) -> torch.device:
        """Where the numbers go."""
        return self._device

    def begin(self, total: int) -> None:
        """Make room for so many numbers. What was sent before is valid until here."""
        if self._copied is not None:
            self._copied.synchronize()
        if total > len(self._host):
            self._allocate(max(total, 2 * len(self._host)))
        self._sizes = []
        self._used = 0

    def take(self, count: int) -> NDArray[Any]:
        """The next part, to be filled. Shapes: [count]."""
        part = self._numbers[self._used : self._used + count]
        self._sizes.append(count)
        self._used += count
        return part

    def send(self) -> tuple[Tensor, ...]:
        """All parts on the device, in the order they were taken."""
        if self._device.type == "cuda":
            reading = torch.cuda.current_stream(self._device)
            writing = self._stream or reading
            with torch.cuda.stream(writing):
                self._there[: self._used].copy_(self._host[: self._used], non_blocking=True)
            self._copied = writing.record_event()
            reading.wait_event(self._copied)
        elif self._there is not self._host:
            self._there[: self._used].copy_(self._host[: self._used])
        return torch.split(self._there[: self._used], self._sizes)

    def stage(self, *arrays: NDArray[np.integer[Any]]) -> tuple[Tensor, ...]:
        """These arrays on the device, flattened."""
        self.begin(sum(array.size for array in arrays))
        for array in arrays:
            self.take(array.size).reshape(array.shape)[...] = array
        return self.send()

    def _allocate(self, capacity: int) -> None:
        self._host = torch.zeros(capacity, dtype=self._dtype, pin_memory=self._device.type == "cuda")
        self._numbers: NDArray[Any] = self._host.numpy()
        is_here = self._device.type == "cpu"
        self._there = self._host if is_here else torch.zeros(capacity, dtype=self._dtype, device=self._device)
        if self._stream is not None:  # memory that was another's, until what has been started is over
            self._stream.wait_stream(torch.cuda.current_stream(self._device))


class Copied:
    """Numbers of a device on their way to the host. What the device is given to do after this does not delay them.

    Attributes:
        there: The numbers on the device.
    """

    def __init__(self, there: Tensor) -> None:
        self.there = there
        self._event: torch.cuda.Event | None = None
        self._here = there
        if there.is_cuda:
            self._here = torch.empty(there.shape, dtype=there.dtype, pin_memory=True)
            self._here.copy_(there, non_blocking=True)
            self._event = torch.cuda.Event()  # type: ignore[no-untyped-call]
            self._event.record(torch.cuda.current_stream(there.device))

    def wait(self) -> list[Any]:
        """The numbers, once they are here."""
        if self._event is not None:
            self._event.synchronize()
        numbers: list[Any] = self._here.tolist()
        return numbers
