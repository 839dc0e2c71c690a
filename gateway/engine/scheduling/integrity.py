"""Invariants of sequences that wait or run, for tests and idle moments."""

from __future__ import annotations

from gateway.engine.scheduling.blocks import BlockAllocator
from gateway.engine.sequence import Sequence, Status


def check_sequences(
    running: list[Sequence], waiting: list[Sequence], allocator: BlockAllocator, block_size: int
) -> None:
    """Assert that sequences are what their places say, and that the running ones hold blocks of their own to write."""
    for sequences, status in ((running, Status.RUNNING), (waiting, Status.WAITING)):
        assert all(sequence.status is status for sequence in sequences), f"a sequence in {status} says otherwise"
    keys = [sequence.key for sequence in running]
    assert keys == sorted(keys), "the running are out of order"
    together = {each for sequence in running for each in sequence.ensemble}
    assert together == set(running), "a part of an ensemble runs"
    for sequence in (each for leader in waiting for each in leader.ensemble):
        assert not sequence.block_table, "a waiting sequence holds blocks"
        assert sequence.num_computed == 0, "a waiting sequence says it was computed"
    for sequence in running:
        assert not sequence.is_scoring or sequence.num_computed <= sequence.num_scored
        table, full = sequence.block_table, sequence.num_computed // block_size
        assert 0 <= sequence.num_computed <= min(len(table) * block_size, len(sequence.token_ids) - 1)
        assert max(sequence.num_given_back, sequence.num_published) <= full
        assert len(set(table[: sequence.num_given_back + 1])) <= 1, "a table names what was given back"
        assert all(map(allocator.is_writable, table[full:])), "a sequence would write into what others see"
