"""Rules that several networks have, ready for other networks to begin with."""

from __future__ import annotations

from typing import Any, NamedTuple

from grammars.report import Notes


class Part(NamedTuple):
    """A rule: its start state, how many states were made for it, and what the report says of it."""

    rule: int
    num_states: int
    notes: Notes


class Parts(NamedTuple):
    """The parts that a network begins with, which lead nowhere else.

    Attributes:
        by_key: each part; num_states: of all, and of those left over from other networks.
        shared: rules by key for those that are yet to come; span_starts: where spans begin in them.
        values: what parts that are yet to come need not make of schemas, by their words.
    """

    by_key: dict[str, Part]
    num_states: int
    shared: dict[Any, int]
    span_starts: set[int]
    values: dict[Any, int | None]
