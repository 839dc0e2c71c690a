"""Ids of calls, and events put back together."""

import re

from tools import (
    ArgumentsDelta,
    CallBroken,
    CallEnd,
    CallStart,
    ContentDelta,
    ToolCall,
    Transcript,
    random_id,
    seeded_ids,
)


def test_random_id_has_the_usual_shape_and_never_repeats() -> None:
    ids = {random_id("f", 0) for _ in range(1000)}
    assert len(ids) == 1000
    assert all(re.fullmatch("call_[0-9a-f]{24}", each) for each in ids)


def test_seeded_ids_depend_on_the_seed_alone() -> None:
    first, second, other = (seeded_ids(seed) for seed in (5, 5, 6))
    made = [first("f", index) for index in range(3)]
    assert made == [second("g", 0) for _ in range(3)]
    assert len(set(made)) == 3
    assert other("f", 0) not in made
    assert all(re.fullmatch("call_[0-9a-f]{24}", each) for each in made)


def test_transcript_puts_events_together() -> None:
    broken = CallBroken(1, "cut", "", True)
    transcript = Transcript.of(
        [
            ContentDelta("a"),
            CallStart(0, "x", "f"),
            ArgumentsDelta(0, '{"a"'),
            ArgumentsDelta(0, ":1}"),
            CallEnd(0),
            ContentDelta("b"),
            CallStart(1, "y", "g"),
            ArgumentsDelta(1, "{"),
            broken,
        ]
    )
    assert transcript == Transcript("ab", [ToolCall("x", "f", '{"a":1}')], [broken])
