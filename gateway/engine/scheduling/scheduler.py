"""Scheduler: the tokens of the next step, and their blocks."""

from __future__ import annotations

import time
from bisect import insort
from collections.abc import Iterable

from gateway.engine.config import EngineConfig
from gateway.engine.scheduling.blocks import BlockAllocator
from gateway.engine.scheduling.ensembles import check_ensemble, is_held
from gateway.engine.scheduling.integrity import check_sequences
from gateway.engine.scheduling.plan import Plan
from gateway.engine.scheduling.step_cost import PrefillBudget
from gateway.engine.scheduling.waiting_queue import (
    OUTPUT_WEIGHT,
    PROMPT_WEIGHT,
    ForkGroups,
    Rank,
    ThroughputEstimate,
    TokenCounters,
    WaitingQueue,
)
from gateway.engine.sequence import Sequence, Status


class Scheduler:
    """Continuous batching with chunked prefill; preemption by recomputation.

    Order is by (priority, tokens charged to the tenant, arrival), lower first, for waiting and running requests. Every
    step serves, in this order: all decodes, then prompts being read and new requests, then drafts, within
    `max_batch_tokens`. When blocks run out, the last in order releases its own and waits again; its blocks stay in the
    prefix cache while they can. The first in order can always run, because no accepted request is longer than all
    blocks together. It stays first until it has computed a token that is charged, so every request ends: there is no
    deadlock, and no two tenants take blocks from each other forever. Drafts use free blocks only.

    Attributes:
        running: By (priority, arrival), which does not change between steps, so rows keep their places.
    """

    def __init__(
        self, config: EngineConfig, num_blocks: int, prefill: PrefillBudget | None = None, window: int | None = None
    ) -> None:
        """
        Args:
            prefill: Bounds the prompt tokens beside answers; None: only `max_batch_tokens` does.
            window: Tokens that a token sees at most; None: all.
        """
        self.allocator = BlockAllocator(num_blocks)
        self.running: list[Sequence] = []
        self.counters = TokenCounters()
        self.queue = WaitingQueue(self.counters)
        self.groups = ForkGroups()
        self.rate = ThroughputEstimate()
        self.num_preemptions = 0
        self.num_copied_blocks = 0
        self.num_prompt_tokens = 0
        self.num_cached_tokens = 0
        self._config = config
        self._block_size = config.block_size
        self._prefill = prefill
        self._window = window
        # The window, what a step computes, and three blocks that are used in part.
        most_tokens = None if window is None else window + config.max_batch_tokens
        self._most_blocks = num_blocks if most_tokens is None else -(-most_tokens // config.block_size) + 3
        self._is_changed = False  # requests were added or ended since the last plan
        self._num_special = 0  # of which not `Sequence.is_plain`

    def add(self, sequence: Sequence) -> None:
        """Queue a sequence.

        Raises:
            QueueFullError: The queue, or this tenant's share of it, is full.
            InvalidSamplingError: The prompt is not that of its group, or it has too many companions.
            ContextLengthExceededError: The blocks do not hold its ensemble.
        """
        free_rows = max(self._config.max_num_seqs - len(self.running), 0)
        if sequence.request.since is None:
            self.queue.check_room(sequence.request.tenant, self._config, len(self.running), free_rows, self.rate)
        if sequence.companions:
            check_ensemble(sequence, self._config, self.allocator.num_blocks, self._most_blocks)
        self.groups.join(sequence)
        self._num_special += not sequence.is_plain
        self._is_changed = True
        if not (self.running or self.num_waiting):
            self.rate.begin()
        self.counters.enter(sequence.lane)
        self.queue.add(sequence)

    @property
    def waiting(self) -> list[Sequence]:
        """Sequences that wait, for room or until a sibling has read their prompt."""
        return list(self.queue)

    @property
    def num_waiting(self) -> int:
        """Number of waiting sequences; may be read from any thread."""
        return self.queue.num_waiting

    def schedule(self) -> Plan:
        """Choose the tokens of the next step and reserve blocks for them. Empty only if nothing is in the scheduler, or
        all of it is paused, or an ensemble has just started that has nothing to read."""
        is_plain = self._num_special == 0
        plan = Plan(is_plain=is_plain)
        self._is_changed = False
        preempted = self.num_preemptions
        for sequence in self.running:
            self._charge(sequence, sequence.num_computed)
        extra = self._config.max_batch_tokens - len(self.running)  # beyond a token for each
        reading: list[Sequence] = []
        for sequence in list(self.running):
            pending = sequence.num_pending
            if not is_plain and is_held(sequence):
                continue
            is_chunk = pending > 1 or not (is_plain or sequence.pool is None)
            if is_chunk and (pending > extra or not self._is_decoding(sequence)):
                reading.append(sequence)
            elif sequence.status is Status.RUNNING and self.reserve(plan, sequence, pending):
                plan.decode.append(sequence)
                extra -= pending - 1
        if not (reading or self.num_waiting):
            return plan
        budget = self._prompt_tokens(sum(sequence.num_pending for sequence in plan.decode))
        for sequence in sorted(reading, key=self.queue.rank):
            if preempted == self.num_preemptions:
                budget = self._admit(plan, budget, before=self.queue.rank(sequence))
            tokens = min(sequence.num_readable, self._share(plan, budget, sequence, reading))
            if tokens == 0:
                break
            if sequence.status is Status.RUNNING and self.reserve(plan, sequence, tokens):
                plan.chunks.append((sequence, tokens))
                self._charge(sequence, sequence.num_computed + tokens)
                budget -= tokens
        if preempted == self.num_preemptions:
            budget = self._admit(plan, budget)
        self._read_on(plan, budget)
        return plan

    def reserve_draft(self, sequence: Sequence, tokens: int) -> int:
        """Reserve blocks for the draft of a sampled sequence; return the number of tokens that have room.

        One block for each running sequence stays free, or a draft would cause a preemption in the next step.
        """
        table, used = sequence.block_table, sequence.num_computed + sequence.num_pending
        missing = -(-(used + tokens) // self._block_size) - len(table)
        spare = self.allocator.num_free - len(self.running)
        table += [self.allocator.allocate() for _ in range(min(missing, spare))]
        return max(min(tokens, len(table) * self._block_size - used), 0)

    def reserve_ahead(self, plan: Plan) -> bool:
        """Reserve blocks for the step after one that is not recorded yet, of the same sequences; False if it must be
        scheduled: others may be due, all will have ended, or blocks are short."""
        if self.running != plan.decode or (self._is_changed and self.num_waiting):
            return False
        is_needed = any(sequence.tokens_left > 1 for sequence in plan.decode)
        return is_needed and all(self.reserve_draft(sequence, 1) for sequence in plan.decode)

    def commit(self, plan: Plan) -> None:
        """Record that the step was computed, drafts aside; full blocks become findable."""
        for sequence in plan.decode:
            self.advance(sequence, sequence.num_pending)
        for sequence, tokens in plan.chunks:
            self.advance(sequence, tokens)

    def advance(self, sequence: Sequence, tokens: int) -> None:
        """Record that the next tokens of the text are computed; of a draft, those that became text."""
        before = sequence.num_computed // self._block_size
        sequence.num_computed += tokens
        if sequence.num_computed // self._block_size > before:
            self._publish(sequence)
            self._give_back(sequence)

    @property
    def max_tokens(self) -> int | None:
        """Tokens of the longest text that the blocks hold; None: any."""
        is_bounded = self._window is not None and self._most_blocks <= self.allocator.num_blocks
        return None if is_bounded else self.allocator.num_blocks * self._block_size

    def rewind(self, sequence: Sequence) -> list[int]:
        """Discard what a sequence computed in blocks of its own that are not full; return these blocks."""
        first, table = sequence.num_computed // self._block_size, sequence.block_table
        while first < len(table) and not self.allocator.is_writable(table[first]):
            first += 1
        sequence.num_computed = first * self._block_size
        return table[first:]

    def restart(self, sequence: Sequence, salt: str) -> None:
        """Recompute all of a running sequence, which shares blocks with those of another salt from now on."""
        if sequence.status is Status.RUNNING:  # not preempted with its ensemble
            self._preempt(sequence)
        sequence.salt, sequence.block_hashes = salt, []

    def finish(self, sequence: Sequence) -> None:
        """Take a sequence out for good and give its blocks back."""
        self._is_changed = True
        self.groups.leave(sequence)
        self._num_special -= not sequence.is_plain
        if sequence.status is Status.RUNNING:
            self._stop(sequence)
            self.rate.note()
        else:
            self.queue.remove(sequence)
        for each in sequence.ensemble:
            self._charge(each, len(each.token_ids) if each.num_output else each.num_computed)
            each.status = Status.FINISHED
        self.counters.leave(sequence.lane)

    def publish_tail(self, sequence: Sequence) -> None:
        """Make the last block of a text that ends findable, though it is not full; not where there is a second tier."""
        full, rest = divmod(sequence.num_computed, self._block_size)
        if rest and self._config.prefix_caching and self.allocator.second is None:
            digest = sequence.tail_hash(sequence.num_computed, self._block_size)
            self.allocator.publish(sequence.block_table[full], digest)

    def check_integrity(self) -> None:
        """Assert every invariant of queues and blocks."""
        self.allocator.check_integrity([sequence.block_table[sequence.num_given_back :] for sequence in self.running])
        waiting = self.waiting
        assert len(waiting) == self.num_waiting, "the waiting are counted wrongly"
        check_sequences(self.running, waiting, self.allocator, self._block_size)
        assert len(self.running) <= self._config.max_num_seqs
        self.queue.check_integrity()
        self.groups.check_integrity(self.running + waiting)
        self.counters.check_integrity([each.lane for each in self.running + waiting if each.leader is None])

    def _is_decoding(self, sequence: Sequence) -> bool:
        """True if the pending tokens are few and follow the prompt, so they share the attention call of the decodes."""
        is_behind = sequence.num_computed >= sequence.num_prompt_tokens and not sequence.is_ensemble
        return is_behind and sequence.num_pending <= self._config.max_draft_tokens + 1

    def reserve(self, plan: Plan, sequence: Sequence, tokens: int) -> bool:
        """Give a sequence the blocks for its next tokens, preempting from the end; False if it was preempted itself."""
        table = sequence.block_table
        if sequence.num_computed + tokens <= len(table) * self._block_size:
            return True
        missing = -(-(sequence.num_computed + tokens) // self._block_size) - len(table)
        while missing > self.allocator.num_free:
            victim = max(self.running, key=self.queue.rank)
            plan.drop(victim)
            self._preempt(victim)
            if sequence.status is not Status.RUNNING:
                return False
        table += [self.allocator.allocate() for _ in range(missing)]
        return True

    def _preempt(self, victim: Sequence) -> None:
        self._stop(victim)
        for each in victim.ensemble:
            each.num_computed = each.num_published = 0
            each.num_preemptions += 1
            each.status = Status.WAITING
        self.queue.add(victim.ensemble[0])
        self.num_preemptions += 1

    def _charge(self, sequence: Sequence, stop: int) -> None:
        """Charge the tokens up to `stop` that were not charged yet."""
        start = sequence.num_charged
        if stop > start:
            answer = max(stop - max(start, sequence.num_prompt_tokens), 0)
            self.counters.charge(sequence.lane, PROMPT_WEIGHT * (stop - start - answer) + OUTPUT_WEIGHT * answer)
            sequence.num_charged = stop

    def _admit(self, plan: Plan, budget: int, before: Rank | None = None) -> int:
        """Start waiting sequences, the one that is next first, while rows, tokens and blocks last; the tokens left.

        Args:
            before: Only those that rank before this.
        """
        if not self.queue.num_waiting or len(self.running) >= self._config.max_num_seqs:
            return budget
        promised = sum(self._num_missing(other, other.num_given_back, len(other.block_table)) for other in self.running)
        while budget > 0 and len(self.running) < self._config.max_num_seqs:
            sequence = self.queue.first(self.groups.reading())
            if sequence is None or (before is not None and self.queue.rank(sequence) > before):
                break
            # One block more for each running sequence, or admitting this one would preempt it in the next steps.
            room = self.allocator.num_free - promised - len(self.running)
            if self.allocator.second is not None:
                has_room = sum(self._num_missing(each, 0, 0) for each in sequence.ensemble) <= room
                for each in sequence.ensemble if has_room else ():
                    self.allocator.recall(each.shareable_hashes(self._block_size), self._num_unseen)
            found = [(each, *self._shareable(each)) for each in sequence.ensemble]
            idle = len({block for _, shared, _ in found for block in shared if self.allocator.is_idle(block)})
            missing = 0
            for each, _, num_tokens in found:
                full = num_tokens // self._block_size  # a block that is shared in part is copied
                missing += self._num_missing(each, self._num_unseen(full), full)
            if missing + idle > room or len(self.running) + len(found) > self._config.max_num_seqs:
                break
            self.queue.remove(sequence)
            for each, shared, num_tokens in found:
                self._start(each, shared, num_tokens)
            for each, _, _ in found:
                if each.num_computed % self._block_size:
                    self.num_copied_blocks += self.allocator.own_last(each.block_table, plan.copies)
                tokens = min(each.num_readable, self._share(plan, budget, each))
                reserved = self.reserve(plan, each, tokens)
                assert reserved, "admission promised these blocks"
                if each.is_one_row and tokens:
                    plan.decode.append(each)
                elif tokens:
                    plan.chunks.append((each, tokens))
                self._charge(each, each.num_computed + tokens)
                promised += self._num_missing(each, each.num_given_back, len(each.block_table))
                budget -= tokens
        return budget

    def _prompt_tokens(self, rows: int) -> int:
        """Return the prompt tokens of a step beside this many rows of answers: all where one lane is active."""
        budget = self._config.max_batch_tokens - rows
        most = self._prefill.most_tokens(max(rows, 1)) if self._prefill and self.counters.num_active > 1 else None
        return budget if most is None else min(budget, most)

    def _share(self, plan: Plan, budget: int, sequence: Sequence, reading: Iterable[Sequence] = ()) -> int:
        """Return the tokens of a prompt to read: all; half for the first prompt where others of its lane wait, which
        may be short. Lanes take turns in any case."""
        lane = sequence.lane
        is_shared = self.queue.has(lane) or any(each is not sequence and each.lane == lane for each in reading)
        return -(-budget // 2) if is_shared and not plan.chunks else budget

    def _read_on(self, plan: Plan, budget: int) -> None:
        """Give the rest of the budget to the first prompt, if there are blocks for it."""
        for sequence, tokens in plan.chunks[:1]:
            more = min(sequence.num_readable - tokens, budget)
            missing = -(-(sequence.num_computed + tokens + more) // self._block_size) - len(sequence.block_table)
            if more > 0 and missing <= self.allocator.num_free and self.reserve(plan, sequence, tokens + more):
                plan.chunks[0] = sequence, tokens + more
                self._charge(sequence, sequence.num_computed + tokens + more)

    def _num_missing(self, sequence: Sequence, first: int, stop: int) -> int:
        """Return the blocks that its present tokens need beyond those from `first` to `stop`."""
        missing = -(-len(sequence.token_ids) // self._block_size) - stop
        return max(min(missing, self._most_blocks - (stop - first)), 0)

    def _num_unseen(self, num_blocks: int) -> int:
        """Return the blocks at the front that are before the window of every token after `full` blocks."""
        return 0 if self._window is None else max((num_blocks * self._block_size - self._window) // self._block_size, 0)

    def _give_back(self, sequence: Sequence) -> None:
        """Release blocks before the window; published ones can be found until they are evicted."""
        first, table = self._num_unseen(sequence.num_computed // self._block_size), sequence.block_table
        if first > sequence.num_given_back:
            self.allocator.release(table[sequence.num_given_back : first])
            table[:first] = [table[first]] * first
            sequence.num_given_back = first

    def _stop(self, sequence: Sequence) -> None:
        """Take a sequence out of the running ones, with its ensemble, and release their blocks."""
        for each in sequence.ensemble:
            self.running.remove(each)
            self.allocator.release(each.block_table[each.num_given_back :])
            each.block_table = []
            each.num_given_back = 0

    def _start(self, sequence: Sequence, shared: list[int], num_tokens: int) -> None:
        self.allocator.share(shared)
        # Without a cache nothing of a sibling's blocks was published.
        sequence.num_published = num_tokens // self._block_size if self._config.prefix_caching else 0
        sequence.num_given_back = self._num_unseen(num_tokens // self._block_size)
        sequence.block_table = shared[:1] * sequence.num_given_back + shared
        sequence.num_computed = num_tokens
        sequence.num_charged = max(sequence.num_charged, num_tokens)
        if sequence.num_preemptions == 0:
            sequence.num_cached_tokens = num_tokens
            self.num_cached_tokens += num_tokens
            self.num_prompt_tokens += sequence.num_prompt_tokens
            sequence.scheduled_at = time.monotonic()
        sequence.status = Status.RUNNING
        insort(self.running, sequence, key=lambda other: other.key)

    def _shareable(self, sequence: Sequence) -> tuple[list[int], int]:
        """Return blocks that hold the beginning of the sequence, without those before the window, and their tokens.

        They are from the prefix cache, up to the first token whose logits are needed (the last one, or the first that
        is not scored), or from a running sibling, up to the middle of a block, if it has more.
        """
        cached, num_cached, size = list[int](), 0, self._block_size
        if self._config.prefix_caching:
            cached, num_blocks = self.allocator.find(sequence.shareable_hashes(size), self._num_unseen)
            num_cached = num_blocks * size
            has_tail = sequence.request.is_step and 0 < sequence.first_needed - num_cached < size
            if has_tail and (tail := self.allocator.find([sequence.tail_hash(sequence.first_needed, size)])[0]):
                return cached + tail, sequence.first_needed
        source = self.groups.source(sequence)
        if source is None or source.salt != sequence.salt:
            return cached, num_cached
        num_tokens = min(source.num_prompt_tokens, len(sequence.token_ids) - 1)
        first = self._num_unseen(num_tokens // size)
        if num_tokens <= num_cached or first < source.num_given_back:
            return cached, num_cached
        return source.block_table[first : -(-num_tokens // size)], num_tokens

    def _publish(self, sequence: Sequence) -> None:
        # A second tier copies blocks of the served model alone.
        if self._config.prefix_caching and (sequence.model is None or self.allocator.second is None):
            full = sequence.num_computed // self._block_size
            hashes = sequence.hash_blocks(full, self._block_size)
            for index in range(sequence.num_published, full):
                self.allocator.publish(sequence.block_table[index], hashes[index])
            sequence.num_published = full
