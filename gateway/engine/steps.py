"""A step under way, and the recording of its outcome."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from gateway.engine.arithmetic import combined
from gateway.engine.errors import DeadMaskError, EngineFault, NonFiniteLogitsError
from gateway.engine.kv_cache import KvCache
from gateway.engine.logprobs import score_prompt
from gateway.engine.masks import MaskFiller
from gateway.engine.output_collector import OutputCollector
from gateway.engine.rows import SamplingRows
from gateway.engine.sampler import Choice, Sampled
from gateway.engine.scheduling.plan import Plan
from gateway.engine.scheduling.scheduler import Scheduler
from gateway.engine.sequence import Sequence, Status
from gateway.engine.speculation.speculator import Speculator


@dataclass(slots=True)
class Step:
    """A step under way.

    Attributes:
        logits: Shapes: [as many as `Batch.logits_indices`, vocab_size].
        is_ahead: True if the next step may be started before the tokens of this one are known.
        rows: The sampled rows, including texts that ended meanwhile; None: they depend on tokens not known yet.
        failures: Rows whose mask failed.
        choice: Of its tokens, once it was begun.
    """

    plan: Plan
    logits: Tensor
    is_ahead: bool
    rows: SamplingRows | None = None
    failures: dict[int, EngineFault] = field(default_factory=dict)
    choice: Choice = field(init=False)

    def scores(self) -> Tensor:
        """Return the scores of its rows. Shapes: [rows, vocab_size]."""
        assert self.rows is not None
        return self.logits[: len(self.rows.owners)] if self.plan.is_plain else combined(self.logits, self.plan)

    def score_prompts(self) -> None:
        """Note what the model said of the prompts whose log-probabilities are wanted: its last rows."""
        scored = self.plan.scored
        stop = len(self.logits) - sum(tokens for _, tokens in scored)
        for sequence, tokens in scored:
            start, stop = stop, stop + tokens
            score_prompt(self.logits[start:stop], sequence)


def pool_states(plan: Plan, states: Tensor) -> None:
    """Add the states of a step to the pools of its prompts. Shapes: states [tokens of `plan.pooled`, size]."""
    wanted = plan.pooled
    for (sequence, _), rows in zip(wanted, torch.split(states, [len(tokens) for _, tokens in wanted]), strict=True):
        assert sequence.pool is not None
        sequence.pool.add(rows)


class Recorder:
    """Gives requests the tokens of their steps, or the faults that end them."""

    def __init__(
        self, scheduler: Scheduler, outputs: OutputCollector, masks: MaskFiller, speculator: Speculator, cache: KvCache
    ) -> None:
        self._scheduler, self._outputs, self._masks, self._speculator = scheduler, outputs, masks, speculator
        self._cache = cache

    def record(self, step: Step, outcome: Sampled) -> None:
        """Record that a step was computed, and give every sampled sequence its tokens. A fault of one ends it alone."""
        plan, rows = step.plan, step.rows
        assert rows is not None
        faults = step.failures | self._find_faults(rows, outcome)
        starts, tokens, logprobs = rows.starts.tolist(), outcome.token_ids, outcome.logprobs
        for start, sequence in zip(starts if faults or step.is_ahead else (), rows.sequences, strict=False):
            if sequence.status is Status.FINISHED:  # while the step was in flight
                plan.drop(sequence)
            elif start in faults:
                plan.drop(sequence)  # so that nothing of it is published
                self._end(sequence, faults[start])
        self._scheduler.commit(plan)
        if not plan.is_plain:
            self._outputs.finish_pooled(rows.sequences)
            for start, sequence in zip(starts, rows.sequences, strict=True):
                for companion in sequence.companions:
                    companion.token_ids.append(tokens[start])
        for start, sequence in zip(starts, rows.sequences, strict=True):
            if sequence.status is Status.FINISHED:
                continue
            if sequence in rows.drafts or outcome.steered:
                self._append(sequence, start, rows, outcome, faults)
            else:
                self._outputs.append(sequence, tokens[start], logprobs.get(start))
        for row in faults:  # nan after the text is masked off, but 0 * nan is nan
            sequence = rows.sequences[rows.owners[row]]
            if isinstance(faults[row], NonFiniteLogitsError) and sequence.status is Status.RUNNING:
                self._cache.clear(self._scheduler.rewind(sequence))

    def _find_faults(self, rows: SamplingRows, outcome: Sampled) -> dict[int, EngineFault]:
        """Why there is nothing to choose from in some rows."""
        faults: dict[int, EngineFault] = {}
        for row, is_finite in enumerate([] if all(outcome.is_finite) else outcome.is_finite):
            if not is_finite and self._masks.allows_nothing(rows, row):
                faults[row] = DeadMaskError("no token may come next")
            elif not is_finite:
                faults[row] = NonFiniteLogitsError("the scores of the next token are not finite")
        return faults

    def _append(
        self, sequence: Sequence, start: int, rows: SamplingRows, outcome: Sampled, faults: dict[int, EngineFault]
    ) -> None:
        """Append a sequence's token, and the following ones while they match its draft."""
        draft = rows.drafts.get(sequence, ())
        for position, row in enumerate(range(start, start + len(draft) + 1)):
            if position > 0 and row in faults:
                self._end(sequence, faults[row])
            if row in faults:
                break
            if position > 0:
                self._scheduler.advance(sequence, 1)
                sequence.num_short_drafted += rows.num_short_masks(sequence, row)
            token = outcome.token_ids[row]
            sequence.is_steered = sequence.is_steered or row in outcome.steered
            logprobs = outcome.logprobs.get(row)
            if logprobs is not None and logprobs.details is not None and token in draft[position : position + 1]:
                logprobs = replace(logprobs, details=replace(logprobs.details, is_drafted=True))
            goes_on = self._outputs.append(sequence, token, logprobs)
            is_drafted = position < len(draft) and self._speculator.learn(sequence, position, token)
            if not (is_drafted and goes_on) or row + 1 in rows.unknown:  # after a loop, other masks are due
                break

    def _end(self, sequence: Sequence, fault: EngineFault) -> None:
        """End a sequence with a fault of its scores or its constraint."""
        unfinished = [block for each in sequence.ensemble for block in each.block_table[each.num_published :]]
        self._outputs.fail(sequence, fault)
        if isinstance(fault, NonFiniteLogitsError):
            # Zeroed, as nan would survive any mask; what a sibling holds too is cleared when that one fails.
            self._cache.clear([block for block in unfinished if self._scheduler.allocator.is_idle(block)])
