"""A server whose model tries with all its might to write what a test wishes: the mask alone keeps it from that."""

import asyncio
import random
from collections.abc import Iterator, Sequence
from contextlib import aclosing, contextmanager
from unittest.mock import patch

import numpy as np
from serving import Live

from gateway.engine import TokenEvent
from gateway.engine.request import TokenLogprobs


class Pusher:
    """At each step the model takes the token that writes most of what is left of a wish, if the mask lets it; else one
    of a single character, so that what it wishes may follow, and now and then one by chance.

    Attributes:
        written: What each answer came to, special tokens by their names.
    """

    def __init__(self, live: Live, wishes: Sequence[str], seed: int = 0) -> None:
        self._vocabulary = live.service._loaded.vocabulary
        self._tokens = [data or b"" for data in self._vocabulary.tokens]
        self._names = {token: name.encode() for name, token in self._vocabulary.special_tokens}
        self._wishes = [wish.encode() for wish in wishes]
        self._random = random.Random(seed)
        self.written: list[bytes] = []

    def _next(self, allowed: np.ndarray, wish: bytes) -> int | None:
        """The token that leads furthest; None where only the end is left."""
        texts = [int(token) for token in allowed if self._tokens[token]]
        fitting = [token for token in texts if wish.startswith(self._tokens[token])]
        if fitting:
            return max(fitting, key=lambda token: len(self._tokens[token]))
        special = [int(token) for token in allowed if not self._tokens[token] and token not in self._eos]
        short = [token for token in texts if len(self._tokens[token]) == 1]
        # It does not give up while there is something to open.
        short = [token for token in short if self._tokens[token] not in b"}]"] or short
        options = special or (short if short and self._random.random() < 0.8 else texts)
        return self._random.choice(options) if options else None

    async def batches(self, request, tick_s=None):
        self._eos = set(self._vocabulary.eos_token_ids)
        constraint, left = request.constraint, request.sampling.max_tokens
        row = np.zeros(-(-len(self._tokens) // 32), np.uint32)
        data, at, reason = b"", 0, "length"
        while left:
            await asyncio.sleep(0)  # it is not what holds the event loop
            row.fill(0)
            constraint.fill_mask(row, left)
            bits = np.unpackbits(row.view(np.uint8), bitorder="little")[: len(self._tokens)]
            allowed = np.flatnonzero(bits)
            assert len(allowed), f"nowhere to go behind {data!r}"
            wish = self._wishes[at % len(self._wishes)]
            # What is written already of a wish need not be written again.
            begun = next(size for size in range(len(wish) - 1, -1, -1) if data.endswith(wish[:size]))
            token = self._next(allowed, wish[begun:])
            if token is None:
                reason = "stop"
                break
            assert constraint.accept(token)
            data += self._tokens[token] or self._names[token]
            at += self._random.random() < 0.2
            left -= 1
            entry = [TokenLogprobs(token, -1.0, ())] if request.sampling.logprobs is not None else None
            yield [TokenEvent(request.request_id, [token], entry, num_prompt_tokens=3)]
        self.written.append(data)
        ending = TokenLogprobs(min(self._eos), -1.0, ()) if reason == "stop" else None
        yield [TokenEvent(request.request_id, [], None, reason, is_full=not left, ending=ending)]


@contextmanager
def pushing(live: Live, *wishes: str, seed: int = 0) -> Iterator[Pusher]:
    """The engine tries to write these meanwhile."""
    engine = live.service._loaded.engine
    pusher = Pusher(live, wishes, seed)

    async def batches(self, request, tick_s=None):
        async with aclosing(pusher.batches(request, tick_s)) as written:
            async for batch in written:
                yield batch

    with patch.object(type(engine), "batches", batches):
        yield pusher
