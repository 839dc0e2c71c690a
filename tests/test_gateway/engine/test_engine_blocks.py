"""The block allocator: no block is lost, shared by accident, or found with foreign content."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from gateway.engine.config import MIB, EngineConfig
from gateway.engine.errors import InvalidEngineConfigError
from gateway.engine.scheduling.blocks import BlockAllocator, chain_hash


@pytest.mark.parametrize(
    ("settings", "slot_bytes", "blocks"),
    [
        ({}, 2048, 16 * 128),
        ({"max_num_seqs": 4, "max_model_len": 100}, 2048, 13),
        ({"max_num_seqs": 1}, 2048, 128),
        ({}, 100_000, 512 * MIB // 1_600_000),
        ({"kv_memory_bytes": 512 * MIB}, 2048, 512 * MIB // (2048 * 16)),
        ({"num_blocks": 7}, 2048, 7),
    ],
    ids=[
        "all at half their longest",
        "few short ones",
        "a single one",
        "no more than 512 MiB",
        "as told",
        "as counted",
    ],
)
def test_blocks_are_as_many_as_sequences_fill(settings, slot_bytes, blocks) -> None:
    assert EngineConfig(**settings).on("cpu").count_blocks(slot_bytes, 2048) == blocks


def test_blocks_of_a_gpu_are_as_many_as_it_has_room_for() -> None:
    config = EngineConfig().on("cuda")
    assert config.count_blocks(131_072, 8192, 40 << 30) == (40 << 30) // (131_072 * 16)
    assert config.count_blocks(1024, 2048, 40 << 30) == 128 * 2048 // 16  # which its sequences fill
    assert EngineConfig(kv_memory_bytes=1 << 20).on("cuda").count_blocks(1024, 2048, 40 << 30) == 64
    with pytest.raises(InvalidEngineConfigError, match="0 bytes of memory for keys and values hold no block"):
        config.count_blocks(1024, 2048, 0)


@pytest.mark.parametrize(
    ("given", "device", "rows", "tokens"),
    [
        ({}, "cpu", 32, 512),
        ({}, "cuda", 256, 8192),
        ({}, "mps", 32, 512),
        ({"max_batch_tokens": 8}, "cuda", 8, 8),
        ({"max_num_seqs": 600}, "cpu", 600, 600),
        ({"max_num_seqs": 4, "max_batch_tokens": 64}, "cuda", 4, 64),
    ],
)
def test_numbers_that_are_not_named_suit_the_device(given, device, rows, tokens) -> None:
    config = EngineConfig(**given).on(device)
    assert (config.max_num_seqs, config.max_batch_tokens) == (rows, tokens)


def test_memory_that_holds_no_block_is_refused() -> None:
    with pytest.raises(InvalidEngineConfigError, match="hold no block"):
        EngineConfig(kv_memory_bytes=1000).count_blocks(2048, 2048)


def test_chain_hash_covers_what_came_before() -> None:
    first, other = chain_hash(b"", [1, 2]), chain_hash(b"", [2, 1])
    assert first != other
    assert chain_hash(first, [3, 4]) != chain_hash(other, [3, 4])
    assert chain_hash(first, [3, 4]) == chain_hash(chain_hash(b"", [1, 2]), [3, 4])


def test_release_keeps_published_blocks_findable_until_they_are_needed() -> None:
    allocator = BlockAllocator(3)
    blocks = [allocator.allocate() for _ in range(3)]
    hashes = [chain_hash(b"", [number]) for number in range(3)]
    for block, digest in zip(blocks[:2], hashes, strict=False):
        allocator.publish(block, digest)
    allocator.release(blocks)
    assert allocator.num_free == 3
    assert allocator.find(hashes) == (blocks[:2], 2)
    assert allocator.allocate() == blocks[2]  # the spare one first
    assert allocator.allocate() == blocks[1]  # then the end of the chain
    assert allocator.find(hashes) == (blocks[:1], 1)


def test_what_was_freed_last_is_taken_first() -> None:
    allocator = BlockAllocator(100)
    seen = set()
    for _ in range(50):
        blocks = [allocator.allocate() for _ in range(3)]
        seen.update(blocks)
        allocator.release(blocks)
    assert seen == {0, 1, 2}


def test_find_stops_at_the_first_gap() -> None:
    allocator = BlockAllocator(3)
    blocks = [allocator.allocate() for _ in range(3)]
    allocator.publish(blocks[0], b"a")
    allocator.publish(blocks[2], b"c")
    assert allocator.find([b"a", b"b", b"c"]) == ([blocks[0]], 1)


def test_publish_keeps_the_first_of_two_equals() -> None:
    allocator = BlockAllocator(2)
    first, second = allocator.allocate(), allocator.allocate()
    allocator.publish(first, b"same")
    allocator.publish(second, b"same")
    assert allocator.find([b"same"]) == ([first], 1)
    allocator.release([second])
    allocator.check_integrity([[first]])


class AllocatorMachine(RuleBasedStateMachine):
    """Sequences come, share, publish and go in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.allocator = BlockAllocator(10)
        self.tables: list[list[int]] = []
        self.content: dict[int, bytes] = {}

    @precondition(lambda self: self.allocator.num_free > 0)
    @rule(data=st.data())
    def grow(self, data: st.DataObject) -> None:
        index = data.draw(st.integers(0, len(self.tables)))
        if index == len(self.tables):
            self.tables.append([])
        table = self.tables[index]
        block = self.allocator.allocate()
        self.content.pop(block, None)
        table.append(block)

    @precondition(lambda self: any(self.tables))
    @rule(data=st.data(), digest=st.integers(0, 5))
    def publish(self, data: st.DataObject, digest: int) -> None:
        table = data.draw(st.sampled_from([table for table in self.tables if table]))
        block = data.draw(st.sampled_from(table))
        if block not in self.content:
            name = bytes([digest])
            is_new = not self.allocator.find([name])[1]
            self.allocator.publish(block, name)
            if is_new:
                self.content[block] = name

    @rule(digests=st.lists(st.integers(0, 5), min_size=1, max_size=3, unique=True))
    def share(self, digests: list[int]) -> None:
        names = [bytes([digest]) for digest in digests]
        found, _ = self.allocator.find(names)
        assert [self.content[block] for block in found] == names[: len(found)]
        self.allocator.share(found)
        self.tables.append(list(found))

    @precondition(lambda self: self.tables)
    @rule(data=st.data())
    def release(self, data: st.DataObject) -> None:
        index = data.draw(st.integers(0, len(self.tables) - 1))
        self.allocator.release(self.tables.pop(index))

    @invariant()
    def is_consistent(self) -> None:
        self.allocator.check_integrity(self.tables)
        used = {block for table in self.tables for block in table}
        assert self.allocator.num_free == self.allocator.num_blocks - len(used)


TestAllocatorMachine = AllocatorMachine.TestCase
TestAllocatorMachine.settings = settings(max_examples=30, stateful_step_count=30, deadline=None)


@given(st.lists(st.booleans(), max_size=24), st.integers(1, 8))
def test_find_needs_no_block_that_left_the_window(known: list[bool], window: int) -> None:
    allocator = BlockAllocator(len(known))
    names = [bytes([number]) for number in range(len(known))]
    blocks = {number: allocator.allocate() for number, is_known in enumerate(known) if is_known}
    for number, block in blocks.items():
        allocator.publish(block, names[number])
    seen = [range(max(length - window, 0), length) for length in range(len(known) + 1)]
    longest = max(length for length in range(len(known) + 1) if all(known[number] for number in seen[length]))
    found = allocator.find(names, lambda length: max(length - window, 0))
    assert found == ([blocks[number] for number in seen[longest]], longest)
