"""Asynchronous streams of given items, and the deltas of an answer."""

import asyncio

from gateway.core.answer import ArgumentsDelta, CallDelta, ReasoningDelta, TextDelta

ARGUMENTS = '{\n  "x": 1.10, "y": 123456789012345678901, "z": "a \\" b"}'
DELTAS = [
    ReasoningDelta(0, "Let me"),
    ReasoningDelta(0, " see."),
    TextDelta(0, "I will "),
    TextDelta(0, "look."),
    CallDelta(0, 0, "call_1", "f"),
    ArgumentsDelta(0, 0, ARGUMENTS[:14]),
    ArgumentsDelta(0, 0, ARGUMENTS[14:]),
    CallDelta(0, 1, "call_2", "g"),
]
"""Thoughts, text, a call of `f` with `ARGUMENTS`, and one of `g` without any."""


async def stream_of(*items, fails=None, waits=0.0, closed=None):
    """The items, `waits` seconds before each, then the error; True is appended to `closed` at the end."""
    try:
        for item in items:
            await asyncio.sleep(waits)
            yield item
        if fails is not None:
            raise fails
    finally:
        if closed is not None:
            closed.append(True)
