"""What is said to one worker and heard from it, once it is ready."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from weakref import WeakKeyDictionary

from gateway.engine.errors import EngineFault, StepFailedError, WireError
from gateway.engine.process.channel import Channel, ChannelClosedError
from gateway.engine.process.constraints import SentConstraints
from gateway.engine.process.messages import Add, Cancel, Forget, Keep, Refused, Step, pack, unpack
from gateway.engine.process.portable import Source, TakenApart
from gateway.engine.process.requests import Requests
from gateway.engine.request import GenerationRequest
from gateway.engine.stats import EngineStats

logger = logging.getLogger(__name__)


class Conversation:
    """The client's end.

    Attributes:
        channel: To the worker.
        stats: What the worker counted, as of its last step.
    """

    def __init__(
        self, channel: Channel, requests: Requests, taken_apart: TakenApart, digests: WeakKeyDictionary[Source, bytes]
    ) -> None:
        self.channel = channel
        self.stats = EngineStats()
        self._requests = requests
        self._taken_apart = taken_apart
        self._sent = SentConstraints(digests)

    def send_off(self) -> None:
        """Give the worker all requests that are held. One that cannot be sent is refused.

        Raises:
            ChannelClosedError: The worker is gone.
        """
        for request in self._requests.send_off():
            try:
                for message in self._messages(request):
                    self.channel.send(pack(message))
            except ChannelClosedError:
                raise
            except Exception as error:
                logger.exception("a request cannot be sent to the engine")
                fault = error if isinstance(error, EngineFault) else StepFailedError(f"it cannot be sent: {error!r}")
                self._requests.refuse(request.request_id, fault)

    def cancel(self, request_id: str) -> None:
        """Have the worker end a request."""
        # A worker that is gone is noticed where it is listened to.
        with suppress(ChannelClosedError):
            self.channel.send(pack(Cancel(request_id)))

    def listen(self) -> bool:
        """Deliver what the worker said; returns whether it said anything.

        Raises:
            ChannelClosedError: The worker is gone.
            WireError: It talks nonsense.
        """
        frames = self.channel.receive()
        self.channel.flush()
        for frame in frames:
            match unpack(frame):
                case Step(events, stats):
                    self.stats = stats
                    for request_id in self._requests.deliver(events):
                        self.cancel(request_id)
                case Refused(request_id, fault):
                    assert isinstance(fault, EngineFault)
                    self._requests.refuse(request_id, fault)
                case message:
                    raise WireError(f"a worker that is ready does not say {type(message).__name__}")
        return bool(frames)

    def _messages(self, request: GenerationRequest) -> Iterable[Keep | Forget | Add]:
        digest, stops = None, None
        if request.constraint is not None:
            digest, introduction = self._sent.introduce(self._taken_apart.source_of(request.constraint))
            yield from introduction
        if request.stop is not None:
            stops = tuple(self._taken_apart.stops_of(request.stop))
        yield Add(replace(request, constraint=None, stop=None), digest, stops)
