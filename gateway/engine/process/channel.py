"""Frames on a stream socket: four bytes of length, little-endian, then the data. Never blocks on its peer."""

from __future__ import annotations

import select
import socket
import struct

from gateway.engine.errors import FrameTooLargeError, WireError

MAX_FRAME_BYTES = 128 << 20
MAX_UNSENT_BYTES = 32 << 20
"""Nothing more should be sent to a peer that has this much left to read."""

_PREFIX = struct.Struct("<I")
_CHUNK_BYTES = 1 << 18
_MAX_CHUNKS = 64


class ChannelClosedError(Exception):
    """The peer closed its end, or died."""


class Channel:
    """One end of a connection. Not thread-safe: one thread calls everything."""

    def __init__(self, end: socket.socket) -> None:
        end.setblocking(False)
        self._socket = end
        self._unsent = bytearray()
        self._received = bytearray()
        # Kept: otherwise the kernel would be asked for memory of this size at every read.
        self._chunk = memoryview(bytearray(_CHUNK_BYTES))

    def fileno(self) -> int:
        """The socket's descriptor."""
        return self._socket.fileno()

    @property
    def num_unsent_bytes(self) -> int:
        """Bytes that the peer has not made room for yet."""
        return len(self._unsent)

    @property
    def interest(self) -> int:
        """Events to wait for, in `select.poll`'s terms."""
        return select.POLLIN | (select.POLLOUT if self._unsent else 0)

    def send(self, payload: bytes) -> None:
        """Send as much of a frame as the peer reads; the rest is sent by the next call, or by `flush`.

        Raises:
            FrameTooLargeError: Nothing was sent.
            ChannelClosedError: The peer is gone.
        """
        if len(payload) > MAX_FRAME_BYTES:
            raise FrameTooLargeError(len(payload), MAX_FRAME_BYTES)
        self._unsent += _PREFIX.pack(len(payload))
        self._unsent += payload
        self.flush()

    def flush(self) -> None:
        """Send what the peer has room for.

        Raises:
            ChannelClosedError: The peer is gone.
        """
        while self._unsent:
            try:
                # A view: a long message is not copied again for every piece of it.
                with memoryview(self._unsent)[:_CHUNK_BYTES] as piece:
                    num_sent = self._socket.send(piece)
            except BlockingIOError:
                return
            except OSError as error:
                raise ChannelClosedError(str(error)) from error
            del self._unsent[:num_sent]

    def receive(self) -> list[bytes]:
        """The frames that have arrived whole.

        Raises:
            WireError: A frame is longer than any that is sent.
            ChannelClosedError: No more will come.
        """
        is_ended = False
        for _ in range(_MAX_CHUNKS):
            try:
                num_received = self._socket.recv_into(self._chunk)
            except BlockingIOError:
                break
            except OSError:
                num_received = 0
            if not num_received:
                is_ended = True
                break
            self._received += self._chunk[:num_received]
        frames = self._whole_frames()
        if is_ended and not frames:
            raise ChannelClosedError("the other end was closed")
        return frames

    def close(self) -> None:
        """Close this end."""
        self._socket.close()

    def _whole_frames(self) -> list[bytes]:
        frames: list[bytes] = []
        begin, received = 0, self._received
        while len(received) - begin >= _PREFIX.size:
            (size,) = _PREFIX.unpack_from(received, begin)
            if size > MAX_FRAME_BYTES:
                raise WireError(f"a frame of {size} bytes is longer than any that is sent ({MAX_FRAME_BYTES})")
            end = begin + _PREFIX.size + size
            if end > len(received):
                break
            frames.append(bytes(received[begin + _PREFIX.size : end]))
            begin = end
        del received[:begin]
        return frames
