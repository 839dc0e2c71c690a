"""Who computes how many tokens in the next step."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field

from gateway.engine.blocks import BlockAllocator
from gateway.engine.config import EngineConfig
from gateway.engine.errors import QueueFullError
from gateway.engine.sequence import Sequence, Status


@dataclass(slots=True)
class Plan:
    """One step: the sequences in it and how many tokens of each are computed.

    Attributes:
        decodes: Sequences whose prompt was read; all pending tokens of each are computed, mostly one. All are sampled.
        chunks: (sequence, tokens) of prompts being read; sampled where the chunk is the last.
        drafts: Tokens computed behind the pending ones of some of the sampled, to be verified; see `speculation.base`.
    """

    decodes: list[Sequence] = field(default_factory=list)
    chunks: list[tuple[Sequence, int]] = field(default_factory=list)
    drafts: dict[Sequence, list[int]] = field(default_factory=dict)

    @property
    def sampled(self) -> list[Sequence]:
        """The sequences that get a token in this step, in row order."""
        return self.decodes + [sequence for sequence, tokens in self.chunks if tokens == sequence.num_pending]

    @property
    def verified(self) -> list[list[Sequence]]:
        """For each position of the drafts, the sequences whose draft is that long, in row order.

        Their logits at [position] verify the draft's next token, or give the one behind its last.
        """
        longest = max(map(len, self.drafts.values()), default=0)
        drafted = [sequence for sequence in self.sampled if sequence in self.drafts] if longest else []
        return [[each for each in drafted if len(self.drafts[each]) > position] for position in range(longest)]

    @property
    def num_tokens(self) -> int:
        """Tokens computed in this step."""
        own = sum(sequence.num_pending for sequence in self.decodes) + sum(tokens for _, tokens in self.chunks)
        return own + sum(map(len, self.drafts.values()))

    @property
    def scored(self) -> list[tuple[Sequence, int]]:
        """(sequence, tokens) of prompts whose log-probabilities are computed in this step, in row order.

        The tokens are those of the chunk from `num_scored` on, but for the last of the prompt: the answer comes next.
        """
        found = []
        for sequence, tokens in self.chunks:
            if sequence.is_scoring:
                stop = min(sequence.num_computed + tokens, sequence.num_prompt_tokens - 1)
                found.append((sequence, max(stop - sequence.num_scored, 0)))
        return found

    @property
    def sequences(self) -> list[Sequence]:
        """All sequences in the step, in row order."""
        return self.decodes + [sequence for sequence, _ in self.chunks]

    def __bool__(self) -> bool:
        return bool(self.decodes or self.chunks)

    def drop(self, sequence: Sequence) -> None:
        """Take a sequence out again."""
        self.decodes = [other for other in self.decodes if other is not sequence]
        self.chunks = [chunk for chunk in self.chunks if chunk[0] is not sequence]
        self.drafts.pop(sequence, None)


class Scheduler:
    """Continuous batching with chunked prefill; preemption by recomputation.

    Order is by (priority, arrival), lower first, in the queue as among the running. Every step serves, in this order:
    all decodes, then the prompts being read, then new requests, and then drafts, within `max_batch_tokens`. When blocks
    run out, the last in order gives its own back and waits again; what it computed stays in the prefix cache while it
    can. The first in order can always run, because no accepted request is longer than all blocks together: so there is
    no deadlock. Drafts take what is left, and never anything from anybody.
    """

    def __init__(self, config: EngineConfig, num_blocks: int) -> None:
        self.allocator = BlockAllocator(num_blocks)
        self.running: list[Sequence] = []
        self.waiting: list[Sequence] = []
        self.num_preemptions = 0
        self.num_prompt_tokens = 0
        self.num_cached_tokens = 0
        self._config = config
        self._block_size = config.block_size

    def add(self, sequence: Sequence) -> None:
        """Queue a sequence.

        Raises:
            QueueFullError: `max_waiting` sequences wait already.
        """
        free_rows = self._config.max_num_seqs - len(self.running)
        if len(self.waiting) >= self._config.max_waiting + max(free_rows, 0):
            raise QueueFullError(self._config.max_waiting)
        insort(self.waiting, sequence, key=lambda other: other.key)

    def schedule(self) -> Plan:
        """Choose the tokens of the next step and reserve blocks for them. Empty only if nothing is in the scheduler."""
        plan = Plan()
        preempted = self.num_preemptions
        extra = self._config.max_batch_tokens - len(self.running)  # beyond a token for each
        reading: list[Sequence] = []
        for sequence in list(self.running):
            pending = sequence.num_pending
            if pending > 1 and (pending > extra or not self._is_decoding(sequence)):
                reading.append(sequence)
            elif sequence.status is Status.RUNNING and self._reserve(plan, sequence, pending):
                plan.decodes.append(sequence)
                extra -= pending - 1
        budget = self._config.max_batch_tokens - sum(sequence.num_pending for sequence in plan.decodes)
        for sequence in reading:
            tokens = min(sequence.num_pending, budget)
            if tokens == 0:
                break
            if sequence.status is Status.RUNNING and self._reserve(plan, sequence, tokens):
                plan.chunks.append((sequence, tokens))
                budget -= tokens
        if preempted == self.num_preemptions:
            self._admit(plan, budget)
        return plan

    def reserve_draft(self, sequence: Sequence, tokens: int) -> int:
        """Find blocks for the draft of a sequence that is sampled; how many tokens of it have room.

        Only blocks that nobody will miss: one for each running sequence stays free, or a draft would preempt somebody
        in the next step.
        """
        table, used = sequence.block_table, sequence.num_computed + sequence.num_pending
        missing = -(-(used + tokens) // self._block_size) - len(table)
        spare = self.allocator.num_free - len(self.running)
        table += [self.allocator.allocate() for _ in range(min(missing, spare))]
        return max(min(tokens, len(table) * self._block_size - used), 0)

    def commit(self, plan: Plan) -> None:
        """Record that the step was computed, drafts aside; full blocks become findable."""
        for sequence in plan.decodes:
            self.advance(sequence, sequence.num_pending)
        for sequence, tokens in plan.chunks:
            self.advance(sequence, tokens)

    def advance(self, sequence: Sequence, tokens: int) -> None:
        """Record that the next tokens of the text are computed; of a draft, those that became text."""
        before = sequence.num_computed // self._block_size
        sequence.num_computed += tokens
        if sequence.num_computed // self._block_size > before:
            self._publish(sequence)

    def rewind(self, sequence: Sequence) -> list[int]:
        """Have a sequence compute anew what is not published; the blocks that held it."""
        sequence.num_computed = sequence.num_published * self._block_size
        return sequence.block_table[sequence.num_published :]

    def finish(self, sequence: Sequence) -> None:
        """Take a sequence out for good and give its blocks back."""
        if sequence.status is Status.RUNNING:
            self.running.remove(sequence)
            self.allocator.release(sequence.block_table)
            sequence.block_table = []
        elif sequence.status is Status.WAITING:
            self.waiting.remove(sequence)
        sequence.status = Status.FINISHED

    def check_integrity(self) -> None:
        """Assert every invariant of queues and blocks."""
        self.allocator.check_integrity([sequence.block_table for sequence in self.running])
        for queue, status in ((self.running, Status.RUNNING), (self.waiting, Status.WAITING)):
            keys = [sequence.key for sequence in queue]
            assert keys == sorted(keys), f"{status} is out of order"
            assert all(sequence.status is status for sequence in queue), f"a sequence in {status} says otherwise"
        assert len(self.running) <= self._config.max_num_seqs
        for sequence in self.waiting:
            assert not sequence.block_table, "a waiting sequence holds blocks"
            assert sequence.num_computed == 0, "a waiting sequence says it was computed"
        for sequence in self.running:
            assert not sequence.is_scoring or sequence.num_computed <= sequence.num_scored
            room = len(sequence.block_table) * self._block_size
            assert 0 <= sequence.num_computed <= min(room, len(sequence.token_ids) - 1)
            assert sequence.num_published <= sequence.num_computed // self._block_size

    def _is_decoding(self, sequence: Sequence) -> bool:
        """Whether the pending tokens are few and behind the prompt, so that they share the attention of the decodes."""
        is_behind = sequence.num_computed >= sequence.num_prompt_tokens
        return is_behind and sequence.num_pending <= self._config.max_draft_tokens + 1

    def _reserve(self, plan: Plan, sequence: Sequence, tokens: int) -> bool:
        """Give a sequence the blocks for its next tokens, preempting from the end; False if it was preempted itself."""
        table = sequence.block_table
        if sequence.num_computed + tokens <= len(table) * self._block_size:
            return True
        missing = -(-(sequence.num_computed + tokens) // self._block_size) - len(table)
        while missing > self.allocator.num_free:
            victim = self.running[-1]
            plan.drop(victim)
            self._preempt(victim)
            if victim is sequence:
                return False
        table += [self.allocator.allocate() for _ in range(missing)]
        return True

    def _preempt(self, victim: Sequence) -> None:
        self.running.remove(victim)
        self.allocator.release(victim.block_table)
        victim.block_table = []
        victim.num_computed = victim.num_published = 0
        victim.num_preemptions += 1
        victim.status = Status.WAITING
        insort(self.waiting, victim, key=lambda other: other.key)
        self.num_preemptions += 1

    def _admit(self, plan: Plan, budget: int) -> None:
        """Start waiting sequences, first come first served, while rows, tokens and blocks last."""
        while self.waiting and budget > 0 and len(self.running) < self._config.max_num_seqs:
            sequence = self.waiting[0]
            cached = self._cached_blocks(sequence)
            idle = sum(map(self.allocator.is_idle, cached))
            missing = -(-len(sequence.token_ids) // self._block_size) - len(cached)
            # One block more for each running sequence, or admitting this one would preempt it in the next steps.
            if missing + len(self.running) > self.allocator.num_free - idle:
                break
            del self.waiting[0]
            self._start(sequence, cached)
            tokens = min(sequence.num_pending, budget)
            reserved = self._reserve(plan, sequence, tokens)
            assert reserved, "admission promised these blocks"
            plan.chunks.append((sequence, tokens))
            budget -= tokens

    def _start(self, sequence: Sequence, cached: list[int]) -> None:
        self.allocator.share(cached)
        sequence.block_table = list(cached)
        sequence.num_published = len(cached)
        sequence.num_computed = len(cached) * self._block_size
        if sequence.num_preemptions == 0:
            sequence.num_cached_tokens = sequence.num_computed
            self.num_cached_tokens += sequence.num_computed
            self.num_prompt_tokens += sequence.num_prompt_tokens
        sequence.status = Status.RUNNING
        insort(self.running, sequence, key=lambda other: other.key)

    def _cached_blocks(self, sequence: Sequence) -> list[int]:
        """Blocks that hold the beginning of the sequence, before the first token whose logits are needed.

        That is the last one; of a prompt whose log-probabilities are wanted, the first that is not scored.
        """
        if not self._config.prefix_caching:
            return []
        needed = sequence.num_scored if sequence.is_scoring else len(sequence.token_ids) - 1
        full = needed // self._block_size
        return self.allocator.find(sequence.hash_blocks(full, self._block_size))

    def _publish(self, sequence: Sequence) -> None:
        if not self._config.prefix_caching:
            return
        full = sequence.num_computed // self._block_size
        hashes = sequence.hash_blocks(full, self._block_size)
        for index in range(sequence.num_published, full):
            self.allocator.publish(sequence.block_table[index], hashes[index])
        sequence.num_published = full
