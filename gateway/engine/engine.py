"""The step loop: schedule, compute, sample, commit."""

from __future__ import annotations

import copy
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Sequence as Seq
from contextlib import contextmanager
from itertools import chain
from typing import Any

import torch
from torch import Tensor

from gateway.engine.adaptation.adaptations import Adaptations
from gateway.engine.adapters import Adapters
from gateway.engine.arithmetic import make_ensemble
from gateway.engine.config import EngineConfig
from gateway.engine.errors import DeadlineExceededError, DuplicateRequestError, EngineFault, InvalidSamplingError
from gateway.engine.graphs import with_graphs
from gateway.engine.histograms import BOUNDS, observe
from gateway.engine.images.rows import ImageRows
from gateway.engine.images.whole import keep_whole
from gateway.engine.inputs import Ahead
from gateway.engine.masks import MaskFiller
from gateway.engine.models.base import LONG
from gateway.engine.models.load import load_model, load_other_models
from gateway.engine.models.measure import give_back_pages, measure_spare_bytes
from gateway.engine.offload.second_tier import open_second_tier
from gateway.engine.other_models import OtherModelError, compute_together, ended_by
from gateway.engine.output_collector import OutputCollector
from gateway.engine.prompt_checks import check_prompts
from gateway.engine.protocols import FillMasks
from gateway.engine.request import EngineStats, GenerationRequest, TokenEvent, gather
from gateway.engine.rows import SamplingRows
from gateway.engine.sampler import Sampler
from gateway.engine.scheduling.plan import Plan
from gateway.engine.scheduling.run_ahead import AheadChoice
from gateway.engine.scheduling.scheduler import Scheduler
from gateway.engine.scheduling.step_cost import PrefillBudget
from gateway.engine.sequence import Status
from gateway.engine.speculation import Drafter
from gateway.engine.speculation.draft_model import DraftModel, make_others
from gateway.engine.speculation.forced import ForcedTokens
from gateway.engine.speculation.speculator import Speculator
from gateway.engine.steps import Recorder, Step, pool_states
from gateway.engine.text_classifiers import load_classifiers
from gateway.engine.warpers import WarpContext

logger = logging.getLogger(__name__)

MAX_FAILED_STEPS = 3
"""In a row: then it is not the requests' fault, and no request will be served any more."""


class Engine:
    """Continuous batching over one model. Not thread-safe: one thread calls everything.

    Use: `add` requests, call `step` while `has_work`; each step returns what it brought.

    Attributes:
        adapters: LoRA adapters that requests may name.
        is_broken: Step after step has failed, as on a device with a persistent error: only a new process helps.
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
        term_models: Mapping[str, Any] | None = None,
        drafters: Seq[Drafter] = (),
    ) -> None:
        """Load the model and reserve the key/value memory.

        Args:
            model: A folder, a hub name, or a `PreTrainedModel`, which the engine then owns.
            fill_masks: Fills the masks of many constraints in one call.
            vocab_size: Of the tokenizer; ids beyond it are never chosen. None: as wide as the model's logits.
            eos_token_ids: End of sequence. None: what the model's files name.
            draft_model: Instead of `config.draft_model`; what `model` may be.
            term_models: Beside `config.term_models`, by name; each what `model` may be.
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
        others = load_other_models(draft_model, term_models or {}, model, loaded, config, vocab_size)
        self._classifiers = load_classifiers(model, config, self._decoder.device)
        self.adapters = Adapters(loaded.decoder, config.max_adapters, config.max_adapter_rank, config.max_adaptations)
        self._adaptations = Adaptations(loaded.decoder, self.adapters, config)
        self._images = ImageRows(loaded.decoder)
        give_back_pages()
        slot_bytes = sum(each.needs.slot_bytes for each in (loaded, *others.values()))
        is_open = config.num_blocks is None and config.kv_memory_bytes is None
        spare_bytes = measure_spare_bytes(loaded, config, self.adapters.max_bytes) if is_open else None
        num_blocks = config.count_blocks(slot_bytes, self._decoder.max_positions, spare_bytes)
        self.config = config
        self.vocab_size = min(vocab_size or self._decoder.vocab_size, self._decoder.vocab_size)
        self.eos_token_ids = tuple(self._decoder.eos_token_ids if eos_token_ids is None else eos_token_ids)
        self._terminators = frozenset(self.eos_token_ids)
        self._cache = loaded.make_cache(num_blocks + 1, config.block_size)  # the last one: see `GraphDecoder`
        prefill = PrefillBudget()
        # Other models use the same blocks and have no window, or their own.
        self._scheduler = Scheduler(config, num_blocks, prefill, None if others else loaded.needs.window)
        self._builder = loaded.make_builder(config, self.adapters.of_rows)
        self._second = open_second_tier(loaded.digest, config, self._cache, self._builder.attention)
        self._scheduler.allocator.second = self._second
        longest = self._decoder.max_positions
        self.max_model_len = min(config.max_model_len or longest, longest, self._scheduler.max_tokens or longest)
        self._decoder = with_graphs(self._decoder, self._cache, self._builder, config)
        self._masks = MaskFiller(self.vocab_size, config.max_num_seqs, fill_masks, config.overlap_masks)
        context = WarpContext(self._decoder.device, self.vocab_size, self.eos_token_ids, self._masks, self._classifiers)
        self._sampler = Sampler(context)
        self._arrivals = self._num_failed_steps = 0
        self.is_broken = False
        self._flight: Step | None = None
        self._can_run_ahead = config.run_ahead if config.run_ahead is not None else self._decoder.device.type == "cuda"
        self._can_run_ahead = self._can_run_ahead and self._decoder.rope is None
        self._can_draft = bool(config.sources or drafters)
        self._ahead = AheadChoice()
        self._observed: tuple[float, int] | None = None
        self._stats = EngineStats(num_blocks=num_blocks, block_size=config.block_size)
        self._stats.histograms["mask_row_seconds"] = self._masks.row_times
        self._outputs = OutputCollector(self._scheduler, self._stats, self._terminators, self.vocab_size)
        forced = ForcedTokens(self._masks, self._outputs, self._stats, self._terminators, config.max_draft_tokens)
        self._forced = forced if "forced" in config.sources else None
        self._others = make_others(others, config, num_blocks, context, fill_masks)
        self._cache.beside = tuple(each.cache for each in self._others.values())
        self._speculator = Speculator(
            config,
            self._scheduler,
            self._masks,
            self._stats,
            vocab_size=self.vocab_size,
            eos_token_ids=self._terminators,
            drafters=[*drafters, *(each for each in self._others.values() if isinstance(each, DraftModel))],
            rope=self._decoder.rope,
            prefill=prefill,
        )
        self._recorder = Recorder(self._scheduler, self._outputs, self._masks, self._speculator, self._cache)
        self._between_steps = list(self._find_between_steps())
        logger.info(
            "the cache of keys and values holds %d tokens; at most %d sequences of at most %d tokens decode together",
            *(num_blocks * config.block_size, config.max_num_seqs, self.max_model_len),
        )

    def add(self, request: GenerationRequest) -> None:
        """Queue a request.

        Raises:
            EngineFault: The leaf says why it was not queued; nothing was changed then.
        """
        request.sampling.validate(self.vocab_size)
        if request.request_id in self._outputs.sequences:
            raise DuplicateRequestError(f"request {request.request_id!r} is in the engine already")
        check_prompts(request, self._decoder, self._others, self._classifiers, self.vocab_size, self.max_model_len)
        if request.deadline is not None and request.deadline <= self._outputs.clock():
            raise DeadlineExceededError(0, was_waiting=True)
        begun = request.prompt_ids[len(request.prompt_ids) - request.num_begun :]
        if request.constraint is not None and not all(map(request.constraint.accept, begun)):
            raise InvalidSamplingError("num_begun", "tokens of the prompt are refused by the constraint")
        ensemble = make_ensemble(request, self._arrivals)
        for sequence in ensemble:
            self.adapters.assign(sequence)
            self._images.assign(sequence)
            if self._decoder.rope is not None:
                sequence.salt += self._decoder.rope.salt(sequence.num_prompt_tokens)
        self._adaptations.assign(ensemble[0], self._outputs)
        self._scheduler.add(ensemble[0])
        self._arrivals += len(ensemble)
        self._outputs.begin(ensemble[0])

    def cancel(self, request_id: str) -> bool:
        """End a request; its last event comes with the next step. False if it is not in the engine."""
        sequence = self._outputs.sequences.get(request_id)
        if sequence is not None:
            self._outputs.finish(sequence, "cancelled")
        return sequence is not None

    def remove_adapter(self, name: str, when_removed: Callable[[], None]) -> None:
        """Unload a LoRA adapter. New requests for it are refused; it is removed once those under way have ended.

        Raises:
            AdapterNotFoundError: There is none of this name.
        """
        self.adapters.remove(name, when_removed)
        self.adapters.release(self._outputs)

    @property
    def has_work(self) -> bool:
        """True if a step would bring anything."""
        return bool(self._outputs.sequences or self._outputs.brought)

    @torch.inference_mode()
    def step(self) -> list[TokenEvent]:
        """Run one step and return its events, at most one a request; running ahead, those of the step before."""
        if self._outputs.clock() >= self._outputs.next_deadline:
            self._outputs.fail_late()
        step = self._start_ahead()
        self._settle()
        if step is None:
            step = self._start()
        if step is not None:
            self._choose(step)
        if self._flight is not None and not self._flight.is_ahead:
            self._settle()
        for do in self._between_steps:
            do()
        return self._outputs.take_events()

    def generate(self, requests: list[GenerationRequest]) -> list[list[int]]:
        """Run requests to their ends; the answers, in the order of the requests. For scripts and benches.

        Raises:
            EngineFault: Of the first request that failed.
        """
        for request in requests:
            self.add(request)
        return gather(requests, chain.from_iterable(iter(self.step, None)))

    def stats(self, histograms: Iterable[str] = BOUNDS) -> EngineStats:
        """Return counters, gauges and the histograms of these names, as a copy."""
        stats = copy.copy(self._stats)
        for name in ("finished", "num_drafted", "num_accepted"):
            setattr(stats, name, getattr(self._stats, name).copy())
        stats.histograms = {name: self._stats.histograms[name].copy() for name in histograms}
        for name in ("num_preemptions", "num_prompt_tokens", "num_cached_tokens", "num_waiting", "num_copied_blocks"):
            setattr(stats, name, getattr(self._scheduler, name))
        stats.num_running = len(self._scheduler.running)
        stats.num_narrowed_masks = self._masks.num_narrowed
        self._scheduler.allocator.report(stats)
        return stats

    def check_integrity(self) -> None:
        """Assert every invariant between steps. Costs time in proportion to the blocks; for tests and idle moments."""
        self._scheduler.check_integrity()
        known = [each for each in self._scheduler.running + self._scheduler.waiting if each.leader is None]
        assert {id(sequence) for sequence in known} == {id(sequence) for sequence in self._outputs}
        assert all(sequence.num_output < sequence.sampling.max_tokens for sequence in known)

    def fail_all(self, fault: EngineFault) -> list[TokenEvent]:
        """End every request with the same fault."""
        self._flight = None
        for sequence in self._outputs:
            self._outputs.fail(sequence, fault)
        self.adapters.release(())
        return self._outputs.take_events()

    def close(self) -> None:
        """End the engine's own threads. Requests in the engine are forgotten."""
        self._masks.close()
        self._adaptations.close()
        self._scheduler.allocator.close()

    def _find_between_steps(self) -> Iterator[Callable[[], object]]:
        """Yield the work after each step of the techniques that are switched on."""
        if self._images.can_read:
            yield lambda: self._images.compute_next(self._outputs)
        if self.adapters.of_rows is not None:
            yield lambda: self.adapters.release(self._outputs)
            yield lambda: self._adaptations.advance(self._outputs, self._cache)
        if self._second is not None:
            yield self._second.save

    def _restart_outgrown(self) -> None:
        """Recompute texts that have become too long for the rotations of their keys."""
        rope = self._decoder.rope
        if rope is not None:
            for sequence in list(filter(rope.has_outgrown, self._scheduler.running)):
                self._scheduler.restart(sequence, sequence.salt + LONG)

    def _start(self) -> Step | None:
        """Start the next step; None if there is nothing to compute, or it failed."""
        if self._forced is not None:
            self._forced.append(self._scheduler.running)
        self._restart_outgrown()
        plan = self._scheduler.schedule()
        if self._images.are_whole:
            keep_whole(plan, self._scheduler.reserve)
        if not (plan.decode or plan.chunks):
            self._copy(plan)
            self._adaptations.wait()
            return None
        sampled = plan.sampled
        is_ahead = not plan.chunks and self._should_run_ahead(plan)
        if not is_ahead:
            self._speculator.draft(plan, sampled)
        rows = SamplingRows(sampled, plan.drafts)
        with self._failing(plan):
            self._masks.begin(rows)
            return Step(plan, self._forward(plan), is_ahead, rows)
        return None

    def _start_ahead(self) -> Step | None:
        """Start the step after the one in flight, before its tokens are known; None where that is not possible."""
        flight = self._flight
        if flight is None or flight.rows is None:
            return None
        sequences = flight.rows.sequences
        going = [row for row, sequence in enumerate(sequences) if sequence.status is Status.RUNNING]
        plan = Plan(decode=[sequences[row] for row in going])
        if not self._should_run_ahead(plan) or not self._scheduler.reserve_ahead(plan):
            return None
        with self._failing(plan):
            return Step(plan, self._forward(plan, Ahead(flight.choice.ids, going)), is_ahead=True)
        return None

    def _should_run_ahead(self, plan: Plan) -> bool:
        if not self._can_run_ahead or not plan.is_plain or plan.num_tokens > len(plan.decode):
            return False
        return not self._can_draft or self._ahead.choose(len(plan.decode))

    def _forward(self, plan: Plan, ahead: Ahead | None = None) -> Tensor:
        """Shapes: [as many as `Batch.logits_indices`, vocab_size]."""
        self._copy(plan)
        self._stats.num_steps += 1
        if not plan.is_plain:
            return compute_together(plan, self._compute, self._others)
        return self._compute(plan, ahead)

    def _copy(self, plan: Plan) -> None:
        """Copy the blocks of a plan, also where it computes nothing, once the second tier has what they held."""
        if self._second is not None:
            self._second.save()
        if plan.copies:
            self._cache.copy(plan.copies)

    def _compute(self, plan: Plan, ahead: Ahead | None = None) -> Tensor:
        batch = self._builder.build(plan, ahead)
        logits = self._decoder.forward(batch, self._cache)
        if batch.states is not None:
            pool_states(plan, batch.states)
        observe(self._stats.histograms, "iteration_tokens_total", len(batch.input_ids))
        return logits[:, : self.vocab_size]

    def _choose(self, step: Step) -> None:
        """Start choosing the tokens of a step; it is in flight until `_settle`."""
        with self._failing(step.plan):
            if step.rows is None:
                step.rows = SamplingRows(step.plan.decode)
                self._masks.begin(step.rows)
            step.failures = self._masks.finish()
            if step.logits.is_cuda and not step.is_ahead:  # so that a step takes as long as the device does
                torch.cuda.current_stream(step.logits.device).synchronize()
            proposals = self._speculator.proposals(step.rows) if step.plan.drafts else None
            step.choice = self._sampler.sample(step.scores(), step.rows, proposals)
            self._flight = step

    def _settle(self) -> None:
        """Record the tokens of the step in flight, if there is one."""
        step, self._flight = self._flight, None
        if step is None:
            return
        outcome = None
        with self._failing(step.plan):
            outcome = step.choice.finish()
            if step.plan.chunks:
                step.score_prompts()
        if outcome is None:
            return
        self._num_failed_steps = 0
        if self._second is not None:
            self._second.save()
        self._recorder.record(step, outcome)
        if not step.is_ahead:
            self._speculator.observe()
        self._observe(step)

    def _observe(self, step: Step) -> None:
        """Learn which way to run is faster, from steps of answers alone that follow one another."""
        if not self._can_run_ahead:
            return
        now, tokens, rows = time.perf_counter(), self._stats.num_output_tokens, len(step.plan.decode)
        if self._observed is not None and rows and not step.plan.chunks:
            self._ahead.observe(rows, step.is_ahead, tokens - self._observed[1], now - self._observed[0])
        self._observed = (now, tokens) if self._outputs.sequences else None

    @contextmanager
    def _failing(self, plan: Plan) -> Iterator[None]:
        """End the requests of a step that cannot be computed, and go on."""
        try:
            yield
        except Exception as error:
            self._masks.finish()  # no thread reads the constraints of requests that go on
            self._num_failed_steps += not isinstance(error, OtherModelError)
            self.is_broken = self._num_failed_steps >= MAX_FAILED_STEPS
            self._outputs.fail_step(*ended_by(error, plan))
