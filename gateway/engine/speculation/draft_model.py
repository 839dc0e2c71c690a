"""Drafts from a smaller model of the same vocabulary.

It has its own keys and values in the blocks of the target's block tables, so it allocates nothing. It reads a text only
when it is asked to propose something for it: a prompt costs nothing until then, and nothing at all where other sources
suffice. What it missed it reads first, as far as `max_batch_tokens` goes, and proposes once it is up to date.

Every position is chosen as the target will choose it: with the request's whole chain of warpers, under the mask of a
fork of its constraint.

    greedy    the best token; verified by the target's best
    seeded    drawn with the number that the target will draw with; verified by that draw, so that a seed gives the same
              tokens with and without drafts
    free      drawn with a number of its own, and told with its probabilities; verified by rejection sampling
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence as Seq
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.config import EngineConfig
from gateway.engine.masks import MaskFiller
from gateway.engine.models.base import LoadedModel
from gateway.engine.plan import Plan
from gateway.engine.protocols import FillMasks
from gateway.engine.request import GenerationRequest, SamplingParams
from gateway.engine.rows import SamplingRows
from gateway.engine.sampler import best
from gateway.engine.seeds import Stream, uniforms
from gateway.engine.sequence import Sequence
from gateway.engine.speculation.base import Draft
from gateway.engine.speculation.lengths import DraftCost
from gateway.engine.speculation.rejection import draw
from gateway.engine.speculation.shadow import KnownBlocks, Shadow
from gateway.engine.warpers import WarpContext, Warper, build_chain
from gateway.engine.warpers.base import is_sampled, remembered

MOST_ROWS = 8
"""Tokens of a text that are read as rows beside each other; more are a chunk, which may have an attention call of its
own."""

READ, REPEATS = 32, 4
"""Tokens of a text, and times, by which it is found out at load what things cost."""
MOST_FACTOR = 4.0
"""By so much may things seem to cost more, or less, than they did at load."""


@dataclass(slots=True)
class _Run:
    """A draft in the making."""

    shadow: Shadow
    draft: Draft
    length: int
    rows: list[Tensor] = field(default_factory=list)

    def finish(self) -> None:
        """Tell the probabilities along with the tokens."""
        rows = self.rows[: len(self.draft.token_ids)]  # the last may have belonged to a token that was not proposed
        if rows:
            self.draft.probabilities = torch.stack(rows)

    @property
    def is_free(self) -> bool:
        """Whether its tokens are told with their probabilities."""
        return is_sampled(self.shadow) and self.shadow.sampling.seed is None


class DraftModel:
    """A `Drafter` around a decoder."""

    name = "model"

    def __init__(
        self,
        model: LoadedModel,
        config: EngineConfig,
        num_blocks: int,
        target: WarpContext,
        fill_masks: FillMasks | None,
    ) -> None:
        """Args: target: What the target's warpers know; num_blocks: Of the target's, see `LoadedModel.make_cache`."""
        self._decoder = model.decoder
        self._budget = config.max_batch_tokens
        self._cache = model.make_cache(num_blocks, config.block_size)
        self._builder = model.make_builder(config)
        self._masks = MaskFiller(target.vocab_size, config.max_num_seqs, fill_masks, overlap=False)
        self._context = replace(target, masks=self._masks)
        self._known = KnownBlocks(config.block_size)
        self._chain: list[Warper] = []
        self._chained: list[Sequence] = []
        self.cost = DraftCost()
        self._measured = DraftCost()
        self._expected = 0.0
        self._factor = 1.0
        self._measure(config)

    @torch.inference_mode()
    def propose(self, sequences: Seq[Sequence], lengths: Seq[int]) -> list[Draft]:
        """See `Drafter.propose`."""
        drafts = [Draft([], self.name) for _ in sequences]
        started, self._expected = time.perf_counter(), 0.0
        begun = [self._begin(*each) for each in zip(sequences, drafts, lengths, strict=True)]
        runs = [run for run in begun if run is not None]
        going = runs
        while going:
            going, logits = self._compute(going)
            if going:
                going = self._extend(going, logits[:, : self._context.vocab_size])
        for run in runs:
            run.finish()
        if self._expected:
            self._adjust((time.perf_counter() - started) / self._expected)
        return drafts

    def count_unread(self, sequence: Sequence) -> int:
        """See `Drafter.count_unread`."""
        shadow = remembered(sequence, Shadow)
        shadow.follow(sequence, self._known)
        return max(shadow.num_pending - MOST_ROWS, 0)

    def _begin(self, sequence: Sequence, draft: Draft, length: int) -> _Run | None:
        """None where nothing is wanted, the prompt has tokens beyond the model, or the constraint cannot be forked."""
        if length == 0 or remembered(sequence, _largest_of_prompt) >= self._decoder.vocab_size:
            return None
        shadow = remembered(sequence, Shadow)
        shadow.follow(sequence, self._known)
        try:
            shadow.constraint = None if sequence.constraint is None else sequence.constraint.fork()
        except Exception:
            return None
        return _Run(shadow, draft, length)

    def _compute(self, runs: list[_Run]) -> tuple[list[_Run], Tensor]:
        """Compute what is pending, within the budget; the runs that are up to date then, and what comes next in each.

        Shapes: logits [runs returned, vocabulary].
        """
        plan, steps = Plan(), list[tuple[Shadow, int]]()
        decoding, reading, left = list[_Run](), list[_Run](), self._budget
        for run in sorted(runs, key=lambda run: run.shadow.num_pending):
            pending = run.shadow.num_pending
            tokens = min(pending, left)
            left -= tokens
            if tokens == pending <= MOST_ROWS:
                plan.decode.append(run.shadow)
                decoding.append(run)
            elif tokens > 0:
                plan.chunks.append((run.shadow, tokens))
                reading += [run] if tokens == pending else []
            if tokens > 0:
                steps.append((run.shadow, tokens))
        logits = self._decoder.forward(self._builder.build(plan), self._cache)
        self._expected += self._measured.fixed + len(plan.decode) * self._measured.each
        self._expected += sum(tokens for _, tokens in plan.chunks) * self._measured.reading
        for shadow, tokens in steps:
            self._known.forget(shadow.blocks_of_next(tokens, self._known.block_size))
            shadow.num_computed += tokens
        return decoding + reading, logits

    @torch.inference_mode()
    def _measure(self, config: EngineConfig) -> None:
        """What things cost, tried at load: the best of a few times, on texts that are forgotten again."""
        most = min(config.max_num_seqs, 8)
        cases = ((1, 1, 2), (1, 3, 2), (most, 1, 2), (most, 3, 2), (1, 1, 2 + READ))
        seconds = dict.fromkeys(cases, math.inf)
        for count, length, text in cases * REPEATS:
            sequences = [_example(text, self._known.block_size) for _ in range(count)]
            begun = time.perf_counter()
            self.propose(sequences, [length] * count)
            seconds[count, length, text] = min(seconds[count, length, text], time.perf_counter() - begun)
        one, many = ((seconds[count, 3, 2] - seconds[count, 1, 2]) / 2 for count in (1, most))
        each = max(many - one, 0.0) / max(most - 1, 1)
        reading = max(seconds[1, 1, 2 + READ] - seconds[1, 1, 2], 0.0) / READ
        self._measured = DraftCost(max(one - each, 0.0), each, reading)
        self._adjust(self._factor)
        self._known = KnownBlocks(config.block_size)

    def _adjust(self, factor: float) -> None:
        """Things cost by so much more than they did at load: masks, long texts, others who use the processor."""
        self._factor += (min(max(factor, 1 / MOST_FACTOR), MOST_FACTOR) - self._factor) / 16
        known = self._measured
        self.cost = DraftCost(*(self._factor * each for each in (known.fixed, known.each, known.reading)))

    def _extend(self, runs: list[_Run], logits: Tensor) -> list[_Run]:
        """Propose a token for each; the runs that go on.

        Whether a run proposes here never depends on what it draws here, see `rejection`: an end of sequence is proposed
        like any token, and ends the run behind it.

        Shapes: logits [runs, vocab_size].
        """
        shadows: list[Sequence] = [run.shadow for run in runs]
        rows = SamplingRows(shadows)
        self._masks.begin(rows)
        failures = self._masks.finish()
        if shadows != self._chained:
            self._chained, self._chain = shadows, build_chain(shadows, self._context)
        for warper in self._chain:
            warper.apply(logits, rows)
        tokens, is_finite = best(logits)
        drawn = [row for row, shadow in enumerate(shadows) if is_sampled(shadow)]
        if drawn:
            chances = logits[drawn].softmax(dim=-1)
            found = draw(chances, torch.from_numpy(_points([runs[row] for row in drawn])).to(logits.device))
            for row, chance, token in zip(drawn, chances, found.tolist(), strict=True):
                tokens[row] = token
                if runs[row].is_free:
                    runs[row].rows.append(chance)
        going = []
        for row, (run, token, finite) in enumerate(zip(runs, tokens, is_finite, strict=True)):
            if not finite:
                self._cache.clear(run.shadow.block_table[run.shadow.num_known :])
            elif row not in failures and self._append(run, token):
                going.append(run)
        return going

    def _append(self, run: _Run, token: int) -> bool:
        """Propose a token; whether more may follow."""
        shadow, draft = run.shadow, run.draft
        is_end = self._is_end(shadow, token)
        if is_end and not run.is_free:
            return False  # nothing is gained behind it, and a plain draw may be spared any proposal
        shadow.token_ids.append(token)
        draft.token_ids.append(token)
        if is_end or len(draft.token_ids) == run.length:
            return False
        try:
            return shadow.constraint is None or shadow.constraint.accept(token)
        except Exception:
            return False

    def _is_end(self, shadow: Shadow, token: int) -> bool:
        sampling = shadow.sampling
        if token in self._context.eos_token_ids:
            return shadow.constraint is not None or not sampling.ignore_eos
        return token in sampling.stop_token_ids


def _points(runs: Seq[_Run]) -> NDArray[np.float64]:
    """A number in [0, 1) for each: the target's own where it is seeded. Shapes: [runs]."""
    seeds = np.array([run.shadow.seed for run in runs], dtype=np.uint64)
    outputs = np.array([run.shadow.num_output for run in runs], dtype=np.uint64)
    draws = np.array([run.shadow.next_draw() for run in runs], dtype=np.uint64)
    return np.where([run.is_free for run in runs], uniforms(seeds, draws, Stream.DRAFT), uniforms(seeds, outputs))


def _largest_of_prompt(sequence: Sequence) -> int:
    return max(sequence.request.prompt_ids)


def _example(num_tokens: int, block_size: int) -> Sequence:
    """A text that nobody asked for, in the first block again and again."""
    sampling = SamplingParams(max_tokens=num_tokens, temperature=0, ignore_eos=True)
    sequence = Sequence(GenerationRequest(request_id="", prompt_ids=[0] * num_tokens, sampling=sampling), 0)
    sequence.block_table = [0] * (-(-num_tokens // block_size) + 1)
    return sequence
