"""Messages between the processes.

client     Setup ->                          forkserver: once
           Fork (with a socket) ->           <- Prepared or Failed, once; a forked process answers on its own socket
           Reap, End ->                      <- Reaped, of a worker
client     Keep, Forget, Add, Cancel,        worker, on its own socket
           LoadAdapter, UnloadAdapter ->     <- Ready or Failed, Refused, Adapted, Step: one for each step, or as a
                                                heartbeat

Requests, events, settings and counters are sent as their dataclasses: msgspec reads the fields from the annotations, so
a new field needs no code here. Objects that are not data are serialized: a constraint as the digest of its source, a
stop criterion as its strings, a fault as its code and attributes.
"""

from __future__ import annotations

import traceback
from collections import Counter, OrderedDict
from hashlib import blake2b
from typing import Any, Literal, Protocol, Union, get_origin
from weakref import WeakKeyDictionary

import msgspec

from gateway.engine.config import EngineConfig
from gateway.engine.errors import EngineFault, FrameTooLargeError, StepFailedError, WireError
from gateway.engine.process.channel import MAX_FRAME_BYTES
from gateway.engine.request import AdapterFile, EngineStats, GenerationRequest, Pooling, TokenEvent

MAX_KEPT = 256
MAX_KEPT_BYTES = 16 << 20
MAX_ONE_BYTES = MAX_FRAME_BYTES - 1024
MAX_CAUSE_CHARS = 8000
MAX_CONTROL_BYTES = 1 << 16
"""One message between client and forkserver, on a socket that keeps messages apart."""


class Message(msgspec.Struct, tag=True, array_like=True):
    """Base of all that is said."""


class Setup(Message):
    """Description of the workers.

    Attributes:
        model: Folder.
        config: Sizes and devices.
        beat_s: Longest silence of a step loop that has nothing to do.
        log_level: Of this package's loggers.
        log_format: Of its lines.
        max_constraint_bytes: Of memory for constraints, those that requests use included.
        is_encoder: The model is an encoder, which takes no constraints.
        pooling: The encoder's pooling; None: as its files say.
    """

    model: str
    config: EngineConfig
    beat_s: float
    log_level: int
    max_constraint_bytes: int = 1 << 29
    log_format: Literal["text", "json"] = "text"
    is_encoder: bool = False
    pooling: Pooling | None = None


class Fork(Message):
    """Another process, please, for the socket that comes along; where it cannot be forked, that is closed.

    A standby is a forkserver, which says `Prepared` there. There is one worker at a time.
    """

    kind: Literal["worker", "helper", "standby"]


class Reap(Message):
    """Kill the worker, unless it ended: how did it?"""


class End(Message):
    """Kill this helper, unless it ended."""

    pid: int


class Prepared(Message):
    """Others can be forked, by the process of this id."""

    pid: int


class Reaped(Message):
    """The exit code of a worker; negative: the signal that ended it."""

    exit_code: int


class Keep(Message):
    """A constraint that requests will name."""

    digest: bytes
    data: bytes


class Forget(Message):
    """No further request names it."""

    digest: bytes


class Add(Message):
    """A request, without `constraint` and `stop`.

    Attributes:
        constraint: Digest of what its constraint is made from.
        stops: Its stop strings.
    """

    request: GenerationRequest
    constraint: bytes | None
    stops: tuple[str, ...] | None


class Cancel(Message):
    """The answer to this request is not wanted any more."""

    request_id: str


class LoadAdapter(Message):
    """A LoRA adapter that requests will name; `Adapted` has the same number. 0: load it before anything else, and send
    no reply."""

    number: int
    file: AdapterFile


class UnloadAdapter(Message):
    """No further request names it; `Adapted` of the same number follows when those under way have ended."""

    number: int
    name: str


class Adapted(Message):
    """An adapter was loaded or unloaded, or could not be."""

    number: int
    error: BaseException | None


class Ready(Message):
    """The model is loaded, by the process of this id."""

    pid: int
    max_model_len: int
    vocab_size: int
    eos_token_ids: tuple[int, ...]


class Failed(Message):
    """The request failed with this error."""

    error: BaseException


class Refused(Message):
    """The request was not accepted."""

    request_id: str
    error: BaseException


class Step(Message):
    """Events of a step, or a heartbeat of the step loop. `stats` has the histograms that may have changed."""

    events: list[TokenEvent]
    stats: EngineStats


class Source(Protocol):
    """Source of constraints; many share one. Hashed by identity, weakly referenced."""

    def to_bytes(self) -> bytes:
        """Return the whole source."""


class SentConstraints:
    """Constraints that one worker keeps, least recently used first: each is sent once. The last one stays, however
    large."""

    def __init__(self) -> None:
        self._digests: WeakKeyDictionary[Source, bytes] = WeakKeyDictionary()
        self._sizes: OrderedDict[bytes, int] = OrderedDict()

    def ensure_sent(self, source: Source) -> tuple[bytes, list[Keep | Forget]]:
        """The digest that requests may name after these messages.

        Raises:
            FrameTooLargeError: The constraint cannot be sent.
        """
        sizes, digest, data = self._sizes, self._digests.get(source), b""
        if digest is None or digest not in sizes:
            data = source.to_bytes()
            if len(data) > MAX_ONE_BYTES:
                raise FrameTooLargeError(len(data), MAX_ONE_BYTES)
            digest = self._digests[source] = blake2b(data, digest_size=32).digest()
        if digest in sizes:
            sizes.move_to_end(digest)
            return digest, []
        sizes[digest] = len(data)
        forgotten: list[Keep | Forget] = []
        while len(sizes) > 1 and (len(sizes) > MAX_KEPT or sum(sizes.values()) > MAX_KEPT_BYTES):
            forgotten.append(Forget(sizes.popitem(last=False)[0]))
        return digest, [*forgotten, Keep(digest, data)]


class RemoteCause(Exception):  # noqa: N818  it reports an error, as text
    """The traceback, in the other process, of what a fault came from."""


class _Fault(msgspec.Struct, array_like=True):
    code: str
    message: str
    attributes: dict[str, str | int | float | bool | None]
    cause: str


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
_DECODER: msgspec.msgpack.Decoder[Message] = msgspec.msgpack.Decoder(
    Union[tuple(Message.__subclasses__())],  # noqa: UP007  it is computed
    dec_hook=_put_together,
)
