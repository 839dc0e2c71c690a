"""The process in which strangers' constraints are compiled, explained, matched and verified: it may be killed.

It is forked from the engine's forkserver, so that what it needs is in memory already, and does one job after another.
Frames are four bytes of length, little-endian, then so many bytes.
"""

from __future__ import annotations

import logging
import os
import socket
import struct
from contextlib import suppress
from enum import IntEnum

from gateway.errors import ConstraintError, InvalidRequestError
from gateway.service.constraints.jobs import CODEC, Job, JobContext
from grammars import GrammarError

logger = logging.getLogger(__name__)

PREFIX = struct.Struct("<I")
MAX_REPLY_BYTES = 128 << 20


class Outcome(IntEnum):
    """The first byte of a reply: an answer; why there is none; memory ran out; a fault of ours, which is in the log."""

    ANSWERED, REFUSED, OUT_OF_MEMORY, FAILED = range(4)


def framed(payload: bytes) -> bytes:
    """The payload with its length before it."""
    return PREFIX.pack(len(payload)) + payload


def serve(end: socket.socket, bench: JobContext) -> None:
    """Say the process's id, then do what comes, until the other end is closed."""
    end.setblocking(True)
    # Whoever has closed the other end wants nothing more.
    with suppress(ConnectionError), end, end.makefile("rwb") as stream:
        stream.write(framed(PREFIX.pack(os.getpid())))
        stream.flush()
        while head := stream.read(PREFIX.size):
            stream.write(framed(_reply(stream.read(*PREFIX.unpack(head)), bench)))
            stream.flush()


def _reply(payload: bytes, bench: JobContext) -> bytes:
    try:
        job: Job[object] = CODEC.unpack(payload)
        outcome, found = Outcome.ANSWERED, CODEC.pack(job.do(bench))
    except (GrammarError, ConstraintError, InvalidRequestError) as error:
        outcome, found = Outcome.REFUSED, CODEC.pack(error)
    except MemoryError:
        outcome, found = Outcome.OUT_OF_MEMORY, b""
    except Exception:
        logger.exception("a constraint could not be worked on")
        outcome, found = Outcome.FAILED, b""
    if len(found) >= MAX_REPLY_BYTES:
        outcome, found = Outcome.OUT_OF_MEMORY, b""
    return bytes((outcome,)) + found
