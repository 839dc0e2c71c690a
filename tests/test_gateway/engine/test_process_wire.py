"""What the engine's two processes say to each other: every field, whole frames, and nothing else."""

from __future__ import annotations

import dataclasses
import select
import socket
import struct
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from gateway.engine import EngineConfig, EngineStats, GenerationRequest, SamplingParams, TokenEvent
from gateway.engine import errors as engine_errors
from gateway.engine.config import MAX_DELAY_S, Supervision
from gateway.engine.errors import (
    ConstraintFailedError,
    ContextLengthExceededError,
    EngineFault,
    EngineMemoryError,
    FrameTooLargeError,
    InvalidEngineConfigError,
    StepFailedError,
    WireError,
)
from gateway.engine.process import channel as channels
from gateway.engine.process import messages
from gateway.engine.process.channel import MAX_UNSENT_BYTES, Channel, ChannelClosedError
from gateway.engine.process.messages import (
    Add,
    Failed,
    Forget,
    Keep,
    Refused,
    SentConstraints,
    Setup,
    Step,
    pack,
    unpack,
)
from gateway.engine.process.worker import Parts, Worker
from gateway.engine.running import Item, Requests

APART = {GenerationRequest: {"constraint", "stop"}}
"""Fields that are no data: `Add` says in its own fields what they are made from."""

ALLOWED = {
    EngineConfig: {"device": "cpu", "speculation": ("ngram",), "term_models": ("a=b",), "term_classifiers": ("a=b:c",)}
}
"""Fields that do not take any text."""


def value_of(kind: Any, number: int) -> Any:
    """A value of this type, another one for each number, and none that is a default."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (UnionType, Union):
        return value_of(next(member for member in arguments if member is not NoneType), number)
    if origin is Literal:
        return arguments[number % (len(arguments) - 1) + 1]
    if origin is Counter:
        return Counter({f"name-{number}": number + 1})
    if origin is tuple and arguments[-1] is not Ellipsis:
        return tuple(value_of(argument, number) for argument in arguments)
    if origin in (list, Sequence, tuple):
        made = [value_of(arguments[0], number), value_of(arguments[0], number + 1)]
        return tuple(made) if origin is tuple else made
    if origin in (dict, Mapping):
        return {value_of(arguments[0], number): value_of(arguments[1], number)}
    if kind is BaseException:
        return StepFailedError(f"number {number}")
    if dataclasses.is_dataclass(kind):
        return filled(kind)
    return {int: number + 3000, float: number + 0.5, str: f"text-{number}", bytes: bytes([number]), bool: True}[kind]


def filled(kind: type[Any]) -> Any:
    """An instance, every field of it set to what is not its default."""
    hints, apart = get_type_hints(kind), APART.get(kind, set())
    values = {
        field.name: ALLOWED.get(kind, {}).get(field.name, value_of(hints[field.name], number))
        for number, field in enumerate(dataclasses.fields(kind))
        if field.name not in apart
    }
    for field in dataclasses.fields(kind):
        if field.name in values and hints[field.name] is bool and field.default is True:
            values[field.name] = False
    return kind(**values)


def compared(value: Any) -> Any:
    """The value in a form in which equal contents are equal, whatever holds them."""
    if dataclasses.is_dataclass(value):
        return {field.name: compared(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, list | tuple):
        return [compared(item) for item in value]
    return (type(value), str(value)) if isinstance(value, BaseException) else value


def test_every_field_of_a_request_travels() -> None:
    request = filled(GenerationRequest)
    back = unpack(pack(Add(request, b"digest", ("stop",))))
    assert isinstance(back, Add)
    assert compared(back.request) == compared(request)
    assert (back.constraint, back.stops) == (b"digest", ("stop",))


def test_every_field_of_an_event_and_of_the_counters_travels() -> None:
    event, stats = filled(TokenEvent), filled(EngineStats)
    back = unpack(pack(Step([event, event], stats)))
    assert isinstance(back, Step)
    assert compared(back.events) == compared([event, event])
    assert compared(back.stats) == compared(stats)
    assert isinstance(back.stats.finished, Counter)


def test_every_field_of_the_settings_travels() -> None:
    config = filled(EngineConfig)
    back = unpack(pack(Setup("folder", config, 0.5, 10)))
    assert isinstance(back, Setup)
    assert back.config == config
    assert (back.model, back.beat_s, back.log_level) == ("folder", 0.5, 10)


@pytest.mark.parametrize("kind", [GenerationRequest, SamplingParams, TokenEvent, EngineStats, EngineConfig])
def test_the_values_above_are_no_defaults(kind: type[Any]) -> None:
    full = filled(kind)
    for field in dataclasses.fields(kind):
        default = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
        assert field.name in APART.get(kind, set()) or getattr(full, field.name) != default, field.name


def leaves() -> list[type[EngineFault]]:
    return [kind for kind in vars(engine_errors).values() if isinstance(kind, type) and issubclass(kind, EngineFault)]


@pytest.mark.parametrize("kind", leaves(), ids=lambda kind: kind.__name__)
def test_faults_keep_their_kind_text_and_attributes(kind: type[EngineFault]) -> None:
    assert [other for other in leaves() if other.code == kind.code] == [kind]
    if kind is EngineFault:
        return
    error = kind.__new__(kind, "so it was")
    error.value = 5
    back = unpack(pack(Refused("1", error)))
    assert isinstance(back, Refused)
    assert type(back.error) is kind
    assert str(back.error) == "so it was"
    assert back.error.value == 5


def test_faults_made_as_ever_travel_with_their_cause() -> None:
    try:
        try:
            raise ValueError("the reason")
        except ValueError as cause:
            raise ContextLengthExceededError(30, 20) from cause
    except EngineFault as error:
        back = unpack(pack(Failed(error))).error
    assert isinstance(back, ContextLengthExceededError)
    assert (back.value, back.limit, str(back)) == (30, 20, "prompt and max_tokens need 30 tokens; the limit is 20")
    assert "ValueError: the reason" in str(back.__cause__)
    assert isinstance(unpack(pack(Failed(RuntimeError("a bug")))).error, StepFailedError)


@pytest.mark.parametrize(
    "data", [b"", b"\xc1", b"nonsense", b"\x92\xa3Add\x05", pack(Forget(b"x"))[:-1], pack(Forget(b"x")) + b"\x00"]
)
def test_what_is_no_message_is_refused(data: bytes) -> None:
    with pytest.raises(WireError):
        unpack(data)


def test_settings_that_contradict_themselves_are_no_message() -> None:
    config = EngineConfig()
    object.__setattr__(config, "dtype", "int3")
    with pytest.raises(WireError, match="int3"):
        unpack(pack(Setup("folder", config, 1.0, 10)))


@pytest.fixture
def ends() -> Iterator[tuple[Channel, Channel]]:
    left, right = map(Channel, socket.socketpair())
    yield left, right
    left.close()
    right.close()


def test_frames_arrive_whole_and_in_order(ends: tuple[Channel, Channel]) -> None:
    left, right = ends
    sent = [b"", b"a", b"b" * 3_000_000, b"c" * 70_000, b"d"]
    for payload in sent:
        left.send(payload)
    assert left.num_unsent_bytes > 0
    assert left.interest & select.POLLOUT
    received = []
    while len(received) < len(sent):
        received += right.receive()
        left.flush()
    assert received == sent
    assert left.num_unsent_bytes == 0
    assert left.interest == select.POLLIN
    assert right.receive() == []


def test_a_frame_in_pieces_is_waited_for() -> None:
    raw, other = socket.socketpair()
    channel = Channel(other)
    data = struct.pack("<I", 5) + b"hello" + struct.pack("<I", 2) + b"yo"
    received = []
    for byte in data:
        raw.send(bytes([byte]))
        received += channel.receive()
    assert received == [b"hello", b"yo"]
    raw.send(struct.pack("<I", 5) + b"hel")
    raw.close()
    # What was cut off is no frame.
    with pytest.raises(ChannelClosedError):
        channel.receive()
    channel.close()


def test_frames_before_the_end_are_read_first() -> None:
    raw, other = socket.socketpair()
    channel = Channel(other)
    raw.send(struct.pack("<I", 2) + b"yo")
    raw.close()
    assert channel.receive() == [b"yo"]
    for call in (channel.receive, lambda: channel.send(b"x")):
        with pytest.raises(ChannelClosedError):
            call()
    channel.close()


def test_a_frame_beyond_the_limit_is_neither_sent_nor_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channels, "MAX_FRAME_BYTES", 10)
    raw, other = socket.socketpair()
    channel = Channel(other)
    with pytest.raises(FrameTooLargeError) as caught:
        channel.send(b"x" * 11)
    assert (caught.value.value, caught.value.limit) == (11, 10)
    channel.send(b"x" * 10)
    assert raw.recv(100) == struct.pack("<I", 10) + b"x" * 10
    raw.send(struct.pack("<I", 11))
    with pytest.raises(WireError):
        channel.receive()
    raw.close()
    channel.close()


class Source:
    def __init__(self, data: bytes) -> None:
        self.data = data

    def to_bytes(self) -> bytes:
        return self.data


class Taking:
    """An engine that takes requests; a worker needs no more to be told of them."""

    max_model_len, vocab_size, eos_token_ids = 10, 10, ()

    def __init__(self) -> None:
        self.taken: list[GenerationRequest] = []

    def add(self, request: GenerationRequest) -> None:
        self.taken.append(request)


class Telling:
    """A worker that is told messages, without a client."""

    def __init__(self, restore: Any) -> None:
        self.engine = Taking()
        self.said: list[bytes] = []
        channel = SimpleNamespace(send=self.said.append)
        self.worker = Worker(channel, Parts(self.engine, restore, list), 1.0)  # type: ignore[arg-type]

    def tell(self, message: Any) -> None:
        self.worker._obey(unpack(pack(message)))

    def made(self, digest: bytes) -> Any:
        """The constraint of a request that names this digest.

        Raises:
            EngineFault: The request was refused.
        """
        request = GenerationRequest(request_id="1", prompt_ids=[1], sampling=SamplingParams(max_tokens=1))
        self.tell(Add(request, digest, None))
        if self.said:
            refused = unpack(self.said.pop())
            assert isinstance(refused, Refused)
            raise refused.error
        return self.engine.taken.pop().constraint


def test_both_sides_know_the_same_constraints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "MAX_KEPT", 3)
    monkeypatch.setattr(messages, "MAX_KEPT_BYTES", 40)
    sent, telling = SentConstraints(), Telling(lambda _, data: data)
    sources = [Source(bytes([65 + number]) * size) for number, size in enumerate([10, 10, 10, 10, 35, 60, 5, 5, 5])]
    num_forgotten = 0
    for number in [0, 1, 2, 0, 1, 3, 2, 4, 0, 5, 5, 6, 7, 8, 0, 6, 8, 1]:
        digest, introduction = sent.ensure_sent(sources[number])
        for message in introduction:
            telling.tell(message)
            num_forgotten += isinstance(message, Forget)
        assert telling.made(digest) == sources[number].data
        assert len(telling.worker._sources) <= 3
    assert num_forgotten > 3


def test_a_constraint_that_no_frame_holds_is_refused_before_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "MAX_ONE_BYTES", 5)
    sent = SentConstraints()
    for _ in range(2):
        with pytest.raises(FrameTooLargeError):
            sent.ensure_sent(Source(b"too long"))


def test_a_constraint_that_was_never_sent_cannot_be_made() -> None:
    with pytest.raises(ConstraintFailedError, match=r"the constraint could not be made again: KeyError\(b'unknown'\)"):
        Telling(lambda _, data: data).made(b"unknown")


def test_a_constraint_that_could_not_be_read_once_is_read_again() -> None:
    outcomes = iter([MemoryError("not now"), b"made", b"made"])

    def restore(digest: bytes, data: bytes) -> Any:
        outcome = next(outcomes)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    telling = Telling(restore)
    telling.tell(Keep(b"digest", b"data"))
    with pytest.raises(ConstraintFailedError):
        telling.made(b"digest")
    assert [telling.made(b"digest"), telling.made(b"digest")] == [b"made", b"made"]


def test_what_makes_constraints_has_faults_of_its_own() -> None:
    def restore(digest: bytes, data: bytes) -> Any:
        raise EngineMemoryError("constraints take all memory that there is for them")

    telling = Telling(restore)
    telling.tell(Keep(b"digest", b"data"))
    with pytest.raises(EngineMemoryError, match="all memory"):
        telling.made(b"digest")


def test_pauses_grow_and_end() -> None:
    assert pauses(5, range(1, 7)) == [0.0, 0.5, 1.0, 2.0, 4.0, None]
    assert max(pauses(None, range(1, 2000))) == pauses(None, [2000])[0] == MAX_DELAY_S
    assert pauses(0, [1]) == [None]


def test_pauses_are_short_while_it_answers() -> None:
    assert pauses(5, range(1, 7), has_answered=True) == [0.0, 0.5, 1.0, 1.0, 1.0, None]


def pauses(max_restarts: int | None, deaths: Any, has_answered: bool = False) -> list[Any]:
    supervision = Supervision(max_restarts=max_restarts)
    return [supervision.pause_after(number, has_answered=has_answered) for number in deaths]


def test_several_signs_of_life_fit_into_a_hang() -> None:
    assert Supervision(hang_timeout_s=0.8).beat_s == pytest.approx(0.2)
    assert Supervision(hang_timeout_s=300.0).beat_s == 1.0
    with pytest.raises(InvalidEngineConfigError):
        Supervision(hang_timeout_s=0.0)


class Loop:
    def call_soon_threadsafe(self, call: Any, argument: Any) -> None:
        call(argument)


class Inbox(list[Item]):
    """Where the events of one request arrive, on a loop that runs all the while."""

    loop = Loop()
    put = list.append


def held(requests: Requests, name: str, deadline: float = 10.0) -> Inbox:
    inbox = Inbox()
    request = GenerationRequest(request_id=name, prompt_ids=[1], sampling=SamplingParams(max_tokens=1))
    requests.hold(request, inbox, deadline)
    return inbox


def test_the_end_of_a_withdrawn_request_is_not_told_to_its_successor() -> None:
    requests = Requests()
    first = held(requests, "1")
    assert [request.request_id for request in requests.take_held()] == ["1"]
    assert requests.withdraw("1", first)
    second = held(requests, "1")
    requests.take_held()
    events = [TokenEvent("1", [5]), TokenEvent("1", [], finish_reason="cancelled"), TokenEvent("1", [6])]
    assert requests.deliver(events) == []
    assert second == [events[2]]
    assert first == []
    assert not requests.withdraw("1", first)
    requests.refuse("1", StepFailedError("no"))
    assert isinstance(second[1], StepFailedError)
    assert not requests.withdraw("1", second)


def test_held_requests_expire_and_those_under_way_end_with_their_worker() -> None:
    requests = Requests()
    under_way = held(requests, "1")
    requests.take_held()
    waiting, late = held(requests, "2", 20.0), held(requests, "3", 10.0)
    assert requests.next_deadline == 10.0
    requests.expire(10.0, EngineMemoryError("late"))
    requests.end_under_way(EngineMemoryError("dead"))
    assert (waiting, str(late[0])) == ([], "late")
    assert (under_way[0].finish_reason, str(under_way[0].error)) == ("error", "dead")
    assert not requests.withdraw("2", waiting)
    assert requests.take_held() == []
    assert requests.next_deadline == inf


def test_a_peer_that_does_not_read_is_noticed(ends: tuple[Channel, Channel]) -> None:
    left, right = ends
    while left.num_unsent_bytes < MAX_UNSENT_BYTES:
        left.send(b"x" * 1_000_000)
    num_received = 0
    while left.num_unsent_bytes:
        num_received += len(right.receive())
        left.flush()
    num_received += len(right.receive())
    assert num_received > MAX_UNSENT_BYTES // 1_000_000
