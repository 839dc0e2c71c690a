"""The step loop: schedule, compute, sample, commit."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from collections.abc import Sequence as Seq
from itertools import chain
from typing import Any

import torch
from torch import Tensor

from gateway.engine.answers import Answers
from gateway.engine.config import EngineConfig
from gateway.engine.deadlines import Deadlines
from gateway.engine.errors import (
    ContextLengthExceededError,
    DeadMaskError,
    DuplicateRequestError,
    EngineFault,
    InvalidSamplingError,
    NonFiniteLogitsError,
)
from gateway.engine.graphs import with_graphs
from gateway.engine.logprobs import score_prompt
from gateway.engine.masks import MaskFiller
from gateway.engine.models.companion import load_companion
from gateway.engine.models.load import load_model
from gateway.engine.models.pages import give_back_pages
from gateway.engine.models.rope import LONG
from gateway.engine.models.spare import measure_spare_bytes
from gateway.engine.pace import Pace
from gateway.engine.plan import Plan
from gateway.engine.protocols import FillMasks
from gateway.engine.request import GenerationRequest, TokenEvent, gather
from gateway.engine.rows import SamplingRows
from gateway.engine.sampler import Sampled, Sampler
from gateway.engine.scheduler import Scheduler
from gateway.engine.sequence import Sequence, Status
from gateway.engine.speculation.base import Drafter
from gateway.engine.speculation.draft_model import DraftModel
from gateway.engine.speculation.speculator import Speculator
from gateway.engine.stats import EngineStats
from gateway.engine.warpers import WarpContext

MAX_FAILED_STEPS = 3
"""In a row: then it is not the requests' fault, and no request will be served any more."""


class Engine:
    """Continuous batching over one model. Not thread-safe: one thread calls everything.

    Use: `add` requests, call `step` while `has_work`; each step returns what it brought.
    """

    def __init__(
        self,
        model: Any,
        config: EngineConfig | None = None,
        *,
        fill_masks: FillMasks | None = None,
        vocab_size: int | None = None,
        eos_token_ids: Iterable[int] | None = None,
        draft_model: Any = None,
        drafters: Seq[Drafter] = (),
    ) -> None:
        """Load the model and reserve the key/value memory.

        Args:
            model: A folder, a hub name, or a `PreTrainedModel`, which the engine then owns.
            fill_masks: Fills the masks of many constraints in one call.
            vocab_size: Of the tokenizer; ids beyond it are never chosen. None: as wide as the model's logits.
            eos_token_ids: End of sequence. None: what the model's files name.
            draft_model: Instead of `config.draft_model`; what `model` may be.
            drafters: Further sources of drafts, for what the others have no guess about.

        Raises:
            UnsupportedModelError: The architecture would be computed wrongly.
            InvalidEngineConfigError: The configuration does not fit the model.
        """
        config = config or EngineConfig()
        torch.set_num_threads(config.num_threads or max(torch.get_num_threads() - config.spare_threads, 1))
        loaded = load_model(model, config)
        config = loaded.fit(config)
        self._decoder = loaded.decoder
        companion = load_companion(draft_model, model, loaded, config, vocab_size)
        give_back_pages()
        slot_bytes = loaded.needs.slot_bytes + (0 if companion is None else companion.needs.slot_bytes)
        is_open = config.num_blocks is None and config.kv_memory_bytes is None
        spare_bytes = measure_spare_bytes(loaded, config) if is_open else None
        num_blocks = config.count_blocks(slot_bytes, self._decoder.max_positions, spare_bytes)
        self.config = config
        self.vocab_size = min(vocab_size or self._decoder.vocab_size, self._decoder.vocab_size)
        self.eos_token_ids = tuple(self._decoder.eos_token_ids if eos_token_ids is None else eos_token_ids)
        self.max_model_len = min(
            config.max_model_len or self._decoder.max_positions,
            self._decoder.max_positions,
            num_blocks * config.block_size,
        )
        self._terminators = frozenset(self.eos_token_ids)
        self._cache = loaded.make_cache(num_blocks, config.block_size)
        pace = Pace()
        self._scheduler = Scheduler(config, num_blocks, pace)
        self._builder = loaded.make_builder(config)
        self._decoder = with_graphs(self._decoder, self._cache, self._builder, config)
        self._masks = MaskFiller(self.vocab_size, config.max_num_seqs, fill_masks, config.overlap_masks)
        context = WarpContext(self._decoder.device, self.vocab_size, self.eos_token_ids, self._masks)
        self._sampler = Sampler(context)
        self._arrivals = 0
        self._deadlines = Deadlines()
        self._num_failed_steps = 0
        self._stats = EngineStats(num_blocks=num_blocks)
        self._answers = Answers(self._scheduler, self._stats, self._terminators, self.vocab_size)
        self._takes_certain = "forced" in config.speculation
        if companion is not None:
            drafters = [*drafters, DraftModel(companion, config, num_blocks, context, fill_masks)]
        self._speculator = Speculator(
            config,
            self._scheduler,
            self._masks,
            self._stats,
            vocab_size=self.vocab_size,
            eos_token_ids=self._terminators,
            drafters=drafters,
            rope=self._decoder.rope,
            pace=pace,
        )

    def add(self, request: GenerationRequest) -> None:
        """Queue a request.

        Raises:
            EngineFault: The leaf says why it was not queued; nothing was changed then.
        """
        request.sampling.validate(self.vocab_size)
        if self._answers.find(request.request_id) is not None:
            raise DuplicateRequestError(f"request {request.request_id!r} is in the engine already")
        if not request.prompt_ids or not all(0 <= token < self._decoder.vocab_size for token in request.prompt_ids):
            raise InvalidSamplingError("prompt_ids", "must be at least one token that the model knows")
        if request.sampling.prompt_logprobs is not None and max(request.prompt_ids) >= self.vocab_size:
            raise InvalidSamplingError("prompt_logprobs", "cannot be told of a prompt token beyond the vocabulary")
        needed = len(request.prompt_ids) + request.sampling.max_tokens
        if needed > self.max_model_len:
            raise ContextLengthExceededError(needed, self.max_model_len)
        self._deadlines.note(request)
        sequence = Sequence(request, self._arrivals)
        if self._decoder.rope is not None:
            sequence.salt += self._decoder.rope.salt(sequence.num_prompt_tokens)
        self._scheduler.add(sequence)
        self._arrivals += 1
        self._answers.begin(sequence)

    def cancel(self, request_id: str) -> bool:
        """End a request; its last event comes with the next step. False if it is not in the engine."""
        sequence = self._answers.find(request_id)
        if sequence is not None:
            self._answers.finish(sequence, "cancelled")
        return sequence is not None

    @property
    def has_work(self) -> bool:
        """Whether a step would bring anything."""
        return bool(self._answers)

    @torch.inference_mode()
    def step(self) -> list[TokenEvent]:
        """One forward pass, and what it brought: at most one event a request."""
        for sequence, fault in self._deadlines.passed(self._answers):
            self._answers.fail(sequence, fault)
        self._take_certain()
        self._restart_outgrown()
        plan = self._scheduler.schedule()
        if plan:
            self._speculator.draft(plan)
            rows = SamplingRows(plan.sampled, plan.drafts)
            try:
                logits, failures = self._compute(plan, rows)
                outcome = self._sampler.sample(logits[: len(rows)], rows, self._speculator.proposals(rows))
                self._score_prompts(logits, plan)
            except Exception as error:
                self._num_failed_steps += 1
                self._answers.fail_step(plan.sequences, error)
            else:
                self._num_failed_steps = 0
                self._commit(plan, rows, outcome, failures | self._find_faults(rows, outcome))
                self._speculator.observe()
        return self._answers.take_events()

    @property
    def is_broken(self) -> bool:
        """Whether step after step has failed, as on a device whose error does not go away: only a new process helps."""
        return self._num_failed_steps >= MAX_FAILED_STEPS

    def generate(self, requests: list[GenerationRequest]) -> list[list[int]]:
        """Run requests to their ends; the answers, in the order of the requests. For scripts and benches.

        Raises:
            EngineFault: Of the first request that failed.
        """
        for request in requests:
            self.add(request)
        return gather(requests, chain.from_iterable(iter(self.step, None)))

    def stats(self) -> EngineStats:
        """Counters and gauges, as a copy."""
        stats = copy.copy(self._stats)
        for name in ("finished", "num_drafted", "num_accepted"):
            setattr(stats, name, getattr(self._stats, name).copy())
        stats.num_preemptions = self._scheduler.num_preemptions
        stats.num_prompt_tokens = self._scheduler.num_prompt_tokens
        stats.num_cached_tokens = self._scheduler.num_cached_tokens
        stats.num_running = len(self._scheduler.running)
        stats.num_waiting = self._scheduler.num_waiting
        stats.num_copied_blocks = self._scheduler.num_copied_blocks
        stats.num_free_blocks = self._scheduler.allocator.num_free
        return stats

    def check_integrity(self) -> None:
        """Assert every invariant between steps. Costs time in proportion to the blocks; for tests and idle moments."""
        self._scheduler.check_integrity()
        known = self._scheduler.running + self._scheduler.waiting
        assert {id(sequence) for sequence in known} == {id(sequence) for sequence in self._answers}
        assert all(sequence.num_output < sequence.sampling.max_tokens for sequence in known)

    def fail_all(self, fault: EngineFault) -> list[TokenEvent]:
        """End every request with the same fault."""
        for sequence in self._answers:
            self._answers.fail(sequence, fault)
        return self._answers.take_events()

    def close(self) -> None:
        """End the engine's own thread. Requests in the engine are forgotten."""
        self._masks.close()

    def _take_certain(self) -> None:
        """Append the tokens that constraints leave no choice about: they need no row to be sampled from, and no draw.

        Looking costs nothing where masks are quick: they are needed in this step, and are not filled again.
        """
        looks = self._takes_certain and not self._masks.is_slow
        running = self._scheduler.running if looks else []
        asked = [each for each in running if each.constraint is not None and each.is_answering]
        for sequence in self._masks.look(asked):
            while sequence.num_pending <= self.config.max_draft_tokens:
                token = self._masks.certain(sequence)
                if token is None or sequence.may_be_steered:
                    break
                self._stats.num_certain += token not in self._terminators
                self._answers.append(sequence, token)
                if sequence.status is not Status.RUNNING:
                    break
                self._masks.look_again(sequence)

    def _restart_outgrown(self) -> None:
        """Have texts computed anew that have become too long for the rotations of their keys."""
        rope = self._decoder.rope
        if rope is not None:
            for sequence in list(filter(rope.has_outgrown, self._scheduler.running)):
                self._scheduler.restart(sequence, sequence.salt + LONG)

    def _compute(self, plan: Plan, rows: SamplingRows) -> tuple[Tensor, dict[int, EngineFault]]:
        """The forward pass of a step, and beside it the masks of its sampled rows; those whose masks failed.

        Shapes: logits [as many as `Batch.logits_indices`, vocab_size].
        """
        self._cache.copy(plan.copies)
        self._masks.begin(rows)
        logits = self._decoder.forward(self._builder.build(plan), self._cache)
        failures = self._masks.finish()
        if logits.is_cuda:  # a step takes as long as the device does; what comes next waits for it in any case
            torch.cuda.current_stream(logits.device).synchronize()
        self._stats.num_steps += 1
        return logits[:, : self.vocab_size], failures

    def _score_prompts(self, logits: Tensor, plan: Plan) -> None:
        """Shapes: logits [..., tokens of `plan.scored`, vocab_size]: the last rows."""
        scored = plan.scored
        stop = len(logits) - sum(tokens for _, tokens in scored)
        for sequence, tokens in scored:
            start, stop = stop, stop + tokens
            score_prompt(logits[start:stop], sequence)

    def _find_faults(self, rows: SamplingRows, outcome: Sampled) -> dict[int, EngineFault]:
        """Why there is nothing to choose from in some rows."""
        faults: dict[int, EngineFault] = {}
        for row, is_finite in enumerate([] if all(outcome.is_finite) else outcome.is_finite):
            if not is_finite and self._masks.allows_nothing(rows, row):
                faults[row] = DeadMaskError("no token may come next")
            elif not is_finite:
                faults[row] = NonFiniteLogitsError("the scores of the next token are not finite")
        return faults

    def _commit(self, plan: Plan, rows: SamplingRows, outcome: Sampled, faults: dict[int, EngineFault]) -> None:
        """Record that a step was computed, and give every sampled sequence its tokens. A fault of one ends it alone."""
        starts, tokens, logprobs = rows.starts.tolist(), outcome.token_ids, outcome.logprobs
        for start, sequence in zip(starts if faults else (), rows.sequences, strict=False):
            if start in faults:
                plan.drop(sequence)  # so that nothing of it is published
                self._end(sequence, faults[start])
        self._scheduler.commit(plan)
        for start, sequence in zip(starts, rows.sequences, strict=True):
            if sequence in rows.drafts or outcome.steered:
                self._append(sequence, start, rows, outcome, faults)
            elif start not in faults:
                self._answers.append(sequence, tokens[start], logprobs.get(start))
        for row in faults:  # nan behind the text is masked off, but 0 * nan is nan
            sequence = rows.sequences[rows.owners[row]]
            if isinstance(faults[row], NonFiniteLogitsError) and sequence.status is Status.RUNNING:
                self._cache.clear(self._scheduler.rewind(sequence))
                self._builder.forget_kept()

    def _append(
        self, sequence: Sequence, start: int, rows: SamplingRows, outcome: Sampled, faults: dict[int, EngineFault]
    ) -> None:
        """Give a sequence its token, and the ones behind it as long as they are those of its draft."""
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
            goes_on = self._answers.append(sequence, token, outcome.logprobs.get(row))
            is_drafted = position < len(draft) and self._speculator.learn(sequence, position, token)
            if not (is_drafted and goes_on) or row + 1 in rows.unknown:  # behind a loop, other masks are due
                break

    def _end(self, sequence: Sequence, fault: EngineFault) -> None:
        """End a sequence with a fault of its scores or its constraint."""
        unfinished = sequence.block_table[sequence.num_published :]
        self._answers.fail(sequence, fault)
        if isinstance(fault, NonFiniteLogitsError):
            # Zeroed, as nan would survive any mask; what a sibling holds too is cleared when that one fails.
            self._cache.clear([block for block in unfinished if self._scheduler.allocator.is_idle(block)])
