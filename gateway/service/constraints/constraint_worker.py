"""Process that works on clients' constraints and reads their images, one job after another. It may be killed.

It is forked from the engine's forkserver, so its modules, vocabulary and kernels are loaded already. A frame is four
bytes of length, little-endian, then the payload.
"""

from __future__ import annotations

import logging
import os
import socket
import struct
from contextlib import suppress
from enum import IntEnum

from gateway.errors import ConstraintError, InvalidImageError, InvalidRequestError
from gateway.service.constraints.jobs import CODEC, Job, JobContext
from grammars import GrammarError

logger = logging.getLogger(__name__)

PREFIX = struct.Struct("<I")
MAX_REPLY_BYTES = 128 << 20


class Outcome(IntEnum):
    """First byte of a reply: a result, an error of the client's, no memory, or an internal error, which is logged."""

    ANSWERED, REFUSED, OUT_OF_MEMORY, FAILED = range(4)


def framed(payload: bytes) -> bytes:
    """Return the payload with its length before it."""
    return PREFIX.pack(len(payload)) + payload


def serve(end: socket.socket, context: JobContext) -> None:
    """Send the process's id, then reply to jobs until the other end is closed."""
    end.setblocking(True)
    with suppress(ConnectionError), end, end.makefile("rwb") as stream:
        stream.write(framed(PREFIX.pack(os.getpid())))
        stream.flush()
        while head := stream.read(PREFIX.size):
            stream.write(framed(_reply(stream.read(*PREFIX.unpack(head)), context)))
            stream.flush()


def _reply(payload: bytes, context: JobContext) -> bytes:
    try:
        job: Job[object] = CODEC.unpack(payload)
        outcome, found = Outcome.ANSWERED, CODEC.pack(job.do(context))
    except (GrammarError, ConstraintError, InvalidRequestError, InvalidImageError) as error:
        outcome, found = Outcome.REFUSED, CODEC.pack(error)
    except MemoryError:
        outcome, found = Outcome.OUT_OF_MEMORY, b""
    except Exception:
        logger.exception("a constraint could not be worked on")
        outcome, found = Outcome.FAILED, b""
    if len(found) >= MAX_REPLY_BYTES:
        outcome, found = Outcome.OUT_OF_MEMORY, b""
    return bytes((outcome,)) + found
