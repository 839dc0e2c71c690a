"""What the two processes say to each other.

client     Setup ->                          forkserver: once
           Fork (with a socket), Reap ->     <- Prepared or Failed, Forked or Failed, Reaped
           Help (with a socket), End ->      nothing: a helper speaks for itself, on its socket
           Double (with a socket) ->         nothing: the double says Prepared, on its socket, and is a forkserver
                                             a helper or double that cannot be forked: its socket is closed
client     Keep, Forget, Add, Cancel ->      worker, on a socket of its own
                                             <- Ready or Failed, Refused, Step: one for each step, and when none is due

Requests, events, settings and counters travel as the dataclasses that they are: msgspec reads their fields from their
annotations, so a new field is carried without a line here. Only what is no data is taken apart: a constraint into the
digest of what it was made from, a stop criterion into its strings, a fault into its code and attributes.
"""

from __future__ import annotations

import traceback
from collections import Counter
from typing import Any, get_origin

import msgspec
from msgspec import Struct

from gateway.engine.config import EngineConfig
from gateway.engine.errors import EngineFault, StepFailedError, WireError
from gateway.engine.request import GenerationRequest, TokenEvent
from gateway.engine.stats import EngineStats

MAX_CAUSE_CHARS = 8000
MAX_CONTROL_BYTES = 1 << 16
"""One message between client and forkserver, on a socket that keeps messages apart."""


class Setup(Struct, frozen=True, tag=True, array_like=True):
    """What the workers are made of.

    Attributes:
        model: Folder.
        config: Sizes and devices.
        beat_s: Longest silence of a step loop that has nothing to do.
        log_level: Of this package's loggers.
        max_constraint_bytes: Of memory for constraints, those that requests use included.
    """

    model: str
    config: EngineConfig
    beat_s: float
    log_level: int
    max_constraint_bytes: int = 1 << 29


class Fork(Struct, frozen=True, tag=True, array_like=True):
    """Another worker, please; its socket comes along."""


class Reap(Struct, frozen=True, tag=True, array_like=True):
    """This worker is dead or dying: how did it end? Its id is its own until then."""

    pid: int


class Help(Struct, frozen=True, tag=True, array_like=True):
    """A helper, please, which serves on the socket that comes along."""


class End(Struct, frozen=True, tag=True, array_like=True):
    """Kill this helper, unless it ended."""

    pid: int


class Double(Struct, frozen=True, tag=True, array_like=True):
    """Another forkserver, please, which is told what to do on the socket that comes along."""


class Prepared(Struct, frozen=True, tag=True, array_like=True):
    """Workers can be forked, by the process of this id."""

    pid: int


class Forked(Struct, frozen=True, tag=True, array_like=True):
    """This one was."""

    pid: int


class Reaped(Struct, frozen=True, tag=True, array_like=True):
    """It ended so; negative: by this signal."""

    exit_code: int


class Keep(Struct, frozen=True, tag=True, array_like=True):
    """A constraint that requests will name."""

    digest: bytes
    data: bytes


class Forget(Struct, frozen=True, tag=True, array_like=True):
    """No further request names it."""

    digest: bytes


class Add(Struct, frozen=True, tag=True, array_like=True):
    """A request, without `constraint` and `stop`.

    Attributes:
        constraint: Digest of what its constraint is made from.
        stops: Its stop strings.
    """

    request: GenerationRequest
    constraint: bytes | None
    stops: tuple[str, ...] | None


class Cancel(Struct, frozen=True, tag=True, array_like=True):
    """Nobody waits for this request any more."""

    request_id: str


class Ready(Struct, frozen=True, tag=True, array_like=True):
    """The model is loaded."""

    max_model_len: int
    vocab_size: int
    eos_token_ids: tuple[int, ...]


class Failed(Struct, frozen=True, tag=True, array_like=True):
    """It cannot be."""

    error: BaseException


class Refused(Struct, frozen=True, tag=True, array_like=True):
    """The request was not accepted."""

    request_id: str
    error: BaseException


class Step(Struct, frozen=True, tag=True, array_like=True):
    """What a step brought, or a sign that the step loop turns."""

    events: list[TokenEvent]
    stats: EngineStats


class RemoteCause(Exception):  # noqa: N818  it reports an error, as text
    """The traceback, in the other process, of what a fault came from."""


class _Fault(Struct, array_like=True):
    code: str
    message: str
    attributes: dict[str, str | int | float | bool | None]
    cause: str


Message = (
    Setup
    | Fork
    | Reap
    | Double
    | Help
    | End
    | Prepared
    | Forked
    | Reaped
    | Keep
    | Forget
    | Add
    | Cancel
    | Ready
    | Failed
    | Refused
    | Step
)


def pack(message: Message) -> bytes:
    """The message as bytes."""
    return _ENCODER.encode(message)


def unpack(data: bytes) -> Message:
    """The message again.

    Raises:
        WireError: It is none.
    """
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, EngineFault, UnicodeDecodeError) as error:
        raise WireError(f"a frame of {len(data)} bytes is no message: {error}") from error


def _taken_apart(value: Any) -> Any:
    """Called for what msgspec has no form for: exceptions."""
    if not isinstance(value, BaseException):
        raise NotImplementedError(f"{type(value).__name__} does not travel")
    plain = {
        name: attribute
        for name, attribute in vars(value).items()
        if attribute is None or isinstance(attribute, str | int | float | bool)
    }
    cause = "" if value.__cause__ is None else "".join(traceback.format_exception(value.__cause__))
    code = value.code if isinstance(value, EngineFault) else StepFailedError.code
    return _Fault(code, str(value), plain, cause[-MAX_CAUSE_CHARS:])


def _put_together(kind: Any, data: Any) -> Any:
    if get_origin(kind) is Counter:
        return Counter(data)
    assert kind is BaseException, kind
    parts = msgspec.convert(data, _Fault)
    leaf = _LEAVES.get(parts.code, StepFailedError)
    fault = leaf.__new__(leaf, parts.message)
    vars(fault).update(parts.attributes)
    if parts.cause:
        fault.__cause__ = RemoteCause(parts.cause)
    return fault


_LEAVES = {leaf.code: leaf for leaf in EngineFault.__subclasses__()}
_ENCODER = msgspec.msgpack.Encoder(enc_hook=_taken_apart)
_DECODER: msgspec.msgpack.Decoder[Message] = msgspec.msgpack.Decoder(Message, dec_hook=_put_together)
