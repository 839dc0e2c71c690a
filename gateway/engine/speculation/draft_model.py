"""Drafts from a smaller model with the same vocabulary.

It has its own keys and values in the blocks of the target's block tables, so it allocates nothing. It reads a text only
when it is asked to propose something for it: a prompt costs nothing until then, and nothing at all where other sources
suffice. It first reads the tokens that it missed, within `max_batch_tokens`, and proposes once it is up to date.

Every position is chosen as the target will choose it: with the request's whole chain of warpers, under the mask of a
fork of its constraint.

    greedy    the best token; verified by the target's best
    seeded    drawn with the number that the target will draw with; verified by that draw, so that a seed gives the same
              tokens with and without drafts
    free      drawn with its own number, and reported with its probabilities; verified by rejection sampling
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from itertools import takewhile

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.companions import DRAFT
from gateway.engine.config import EngineConfig
from gateway.engine.masks import MaskFiller
from gateway.engine.models.base import LoadedModel
from gateway.engine.other_models import OtherModel
from gateway.engine.protocols import FillMasks
from gateway.engine.request import GenerationRequest, SamplingParams
from gateway.engine.rows import SamplingRows
from gateway.engine.sampler import best
from gateway.engine.scheduling.plan import Plan
from gateway.engine.seeds import Stream, uniforms
from gateway.engine.sequence import Sequence
from gateway.engine.speculation import Draft
from gateway.engine.speculation.verify import draw
from gateway.engine.warpers import WarpContext, Warper, build_chain
from gateway.engine.warpers.base import is_sampled, remembered

MOST_ROWS = 8
"""Tokens of a text that are read as rows beside each other; more are a chunk, which may have an attention call of its
own."""


class Shadow(Sequence):
    """The draft model's view of a sequence; use: `follow`, `begin`, compute, append proposals.

    token_ids  |<-- text when it was followed last -->| d1 | d2 | ... | dk |
    computed   |<-- num_computed ------------------------------>|            dk is never computed
    published  |<-- num_published blocks -->|                                full, and named in the known hashes

    Masks and warpers work on it as on any sequence; its constraint is a fork that has accepted what was proposed.

    Attributes:
        draft: The proposal of this step.
        length: Tokens that are wanted.
        num_draws: Total number of draws, dropped ones included, so that draws are independent.
    """

    __slots__ = ("_num_followed", "draft", "length", "num_draws", "rows")

    def __init__(self, sequence: Sequence) -> None:
        super().__init__(replace(sequence.request, prompt_ids=[], constraint=None, stop=None), sequence.arrival)
        self.num_prompt_tokens = sequence.num_prompt_tokens
        self.prompt_logprobs = None  # not computed by the draft model
        self.loop = None
        self.seed = sequence.seed
        self.num_preemptions = -1
        self.num_draws = self._num_followed = 0

    @property
    def is_free(self) -> bool:
        """True if its tokens are reported with their probabilities."""
        return is_sampled(self) and self.sampling.seed is None

    def follow(self, sequence: Sequence, known: dict[int, bytes], block_size: int) -> None:
        """Take over the current text. Computed tokens are kept up to the first proposal that was refused."""
        text, same = sequence.token_ids, self._num_followed
        while same < min(len(text), len(self.token_ids)) and text[same] == self.token_ids[same]:
            same += 1
        if same < len(self.token_ids):
            del self.token_ids[same:]
            self.memory.clear()  # warpers remember texts that only grow
        self.token_ids += text[same:]
        self._num_followed = len(text)
        self.max_tokens = sequence.max_tokens
        table, used = sequence.block_table, -(-self.num_computed // block_size)
        if self.num_preemptions != sequence.num_preemptions or self.block_table[:used] != table[:used]:
            hashes = sequence.hash_blocks(min((len(text) - 1) // block_size, len(table)), block_size)
            named = zip(table, hashes, strict=False)
            self.num_published = sum(1 for _ in takewhile(lambda each: known.get(each[0]) == each[1], named))
            self.num_computed = self.num_published * block_size
            self.num_preemptions = sequence.num_preemptions
        else:
            self.num_computed = min(self.num_computed, same, len(text) - 1)
            full = self.num_computed // block_size
            first = min(self.num_published, full)
            known.update(zip(table[first:full], sequence.hash_blocks(full, block_size)[first:], strict=True))
            self.num_published = full
        self.block_table = list(table)

    def begin(self, sequence: Sequence, length: int) -> None:
        """Start a draft of this length."""
        self.draft, self.length = Draft([], [], None), length
        self.rows: list[Tensor] = []  # what each token was drawn from
        self.constraint = None if sequence.constraint is None else sequence.constraint.fork()


class DraftModel(OtherModel):
    """A `Drafter` that uses a decoder.

    It records the prefix-cache hash of each block that it has computed. A cached block always holds the target's
    values, and the draft model's only if its hash is recorded. Preemptions, evictions and forks need no notice: a block
    that was given to another text has another hash. A mistake could spoil a proposal, never an answer.
    """

    name = "model"

    def __init__(
        self,
        model: LoadedModel,
        config: EngineConfig,
        num_blocks: int,
        target: WarpContext,
        fill_masks: FillMasks | None,
    ) -> None:
        """Args: target: What the target's warpers know; for others see `OtherModel`."""
        super().__init__(model, config, num_blocks)
        self._budget = config.max_batch_tokens
        self._block_size = config.block_size
        self._masks = MaskFiller(target.vocab_size, config.max_num_seqs, fill_masks, overlap=False)
        self._context = replace(target, masks=self._masks)
        self._known: dict[int, bytes] = {}  # by block
        self._chain: list[Warper] = []
        self._chained: list[Sequence] = []
        self.reading_s = 0.0
        self._warm_up()

    @torch.inference_mode()
    def propose(self, sequences: Seq[Sequence], lengths: Seq[int]) -> list[Draft]:
        """See `Drafter.propose`."""
        begun = [self._begin(sequence, length) for sequence, length in zip(sequences, lengths, strict=True)]
        going = [shadow for shadow in begun if shadow is not None]
        self.reading_s = 0.0
        while going:
            started, reads = time.perf_counter(), any(shadow.num_pending > MOST_ROWS for shadow in going)
            going, logits = self._compute(going)
            if going:
                going = self._extend(going, logits[:, : self._context.vocab_size])
            self.reading_s += reads * (time.perf_counter() - started)
        for shadow in begun:
            if shadow is not None:
                rows = shadow.rows[: len(shadow.draft.token_ids)]  # the last may be of a token that was not proposed
                shadow.draft.kinds = [self.name] * len(shadow.draft.token_ids)
                shadow.draft.probabilities = torch.stack(rows) if rows else None
        return [Draft([], []) if shadow is None else shadow.draft for shadow in begun]

    def compute(self, plan: Plan) -> Tensor:
        """See `OtherModel.compute`. Blocks that are written to are no longer known by their hash."""
        logits = super().compute(plan)
        for sequence, tokens in _counted(plan):
            first, last = sequence.num_computed, sequence.num_computed + tokens - 1
            for block in sequence.block_table[first // self._block_size : last // self._block_size + 1]:
                self._known.pop(block, None)
        return logits

    def count_unread(self, sequence: Sequence) -> int:
        """See `Drafter.count_unread`."""
        return max(self._follow(sequence).num_pending - MOST_ROWS, 0)

    def _warm_up(self) -> None:
        """Draft for an internal text, so that no request waits for kernels and memory."""
        sampling = SamplingParams(max_tokens=2, temperature=0, ignore_eos=True)
        sequence = Sequence(GenerationRequest(request_id="", prompt_ids=[0, 0], sampling=sampling), 0)
        sequence.block_table = [0] * 4
        self.propose([sequence], [2])
        self._known.clear()

    def _follow(self, sequence: Sequence) -> Shadow:
        shadow = remembered(sequence, Shadow)
        shadow.follow(sequence, self._known, self._block_size)
        return shadow

    def _begin(self, sequence: Sequence, length: int) -> Shadow | None:
        """Return the shadow of a sequence; None where nothing is wanted, the prompt has tokens beyond the model, the
        constraint cannot be forked, or classifiers would read each proposal."""
        if length == 0 or sequence.sampling.classifiers:
            return None
        if remembered(sequence, _largest_of_prompt) >= self.decoder.vocab_size:
            return None
        shadow = self._follow(sequence)
        try:
            shadow.begin(sequence, length)
        except Exception:
            return None
        return shadow

    def _compute(self, shadows: list[Shadow]) -> tuple[list[Shadow], Tensor]:
        """Compute pending tokens, within the budget; return the shadows that are up to date, and their logits.

        Shapes: logits [shadows returned, vocabulary].
        """
        plan, left, read = Plan(), self._budget, list[Shadow]()
        for shadow in sorted(shadows, key=lambda shadow: shadow.num_pending):
            pending = shadow.num_pending
            tokens = min(pending, left)
            left -= tokens
            if tokens == pending <= MOST_ROWS:
                plan.decode.append(shadow)
            elif tokens > 0:
                plan.chunks.append((shadow, tokens))
            if tokens == pending:
                read.append(shadow)  # all that decode come first
        logits = self.compute(plan)
        for sequence, tokens in _counted(plan):
            sequence.num_computed += tokens
        return read, logits

    def _extend(self, shadows: list[Shadow], logits: Tensor) -> list[Shadow]:
        """Propose a token for each; return those that continue.

        The decision to propose never depends on the draw, see `verify`: an end of sequence is proposed like
        any token, and ends the draft.

        Shapes: logits [shadows, vocab_size].
        """
        sequences: list[Sequence] = [*shadows]
        rows = SamplingRows(sequences)
        self._masks.begin(rows)
        failures = self._masks.finish()
        if sequences != self._chained:
            self._chained, self._chain = sequences, build_chain(sequences, self._context)
        for warper in self._chain:
            warper.apply(logits, rows)
        tokens, is_finite = best(logits)
        drawn = [row for row, shadow in enumerate(shadows) if is_sampled(shadow)]
        if drawn:
            chances = logits[drawn].softmax(dim=-1)
            found = draw(chances, torch.from_numpy(_points([shadows[row] for row in drawn])).to(logits.device))
            for row, chance, token in zip(drawn, chances, found.tolist(), strict=True):
                tokens[row] = token
                if shadows[row].is_free:
                    shadows[row].rows.append(chance)
        going = []
        for row, (shadow, token, finite) in enumerate(zip(shadows, tokens, is_finite, strict=True)):
            if not finite:
                self.cache.clear(shadow.block_table[shadow.num_published :])
            elif row not in failures and self._append(shadow, token):
                going.append(shadow)
        return going

    def _append(self, shadow: Shadow, token: int) -> bool:
        """Propose a token; whether more may follow."""
        draft = shadow.draft
        is_end = self._is_end(shadow, token)
        if is_end and not shadow.is_free:
            return False  # nothing is gained after it, and a plain draw needs no proposal
        shadow.token_ids.append(token)
        draft.token_ids.append(token)
        if is_end or len(draft.token_ids) == shadow.length:
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


def make_others(
    models: Mapping[str, LoadedModel],
    config: EngineConfig,
    num_blocks: int,
    target: WarpContext,
    fill_masks: FillMasks | None,
) -> dict[str, OtherModel]:
    """Return other models over the blocks of the target, by name; for the arguments see `DraftModel`."""
    return {
        name: DraftModel(model, config, num_blocks, target, fill_masks)
        if name == DRAFT
        else OtherModel(model, config, num_blocks)
        for name, model in models.items()
    }


def _points(shadows: Seq[Shadow]) -> NDArray[np.float64]:
    """A number in [0, 1) for each: the target's own where it is seeded. Shapes: [shadows]."""
    for shadow in shadows:
        shadow.num_draws += 1
    seeds = np.array([shadow.seed for shadow in shadows], dtype=np.uint64)
    outputs = np.array([shadow.num_output for shadow in shadows], dtype=np.uint64)
    draws = np.array([shadow.num_draws for shadow in shadows], dtype=np.uint64)
    return np.where(
        [shadow.is_free for shadow in shadows], uniforms(seeds, draws, Stream.DRAFT), uniforms(seeds, outputs)
    )


def _counted(plan: Plan) -> list[tuple[Sequence, int]]:
    """Return the sequences of a plan with the tokens of each that it computes, drafts aside."""
    return [*((each, each.num_pending) for each in plan.decode), *plan.chunks]


def _largest_of_prompt(sequence: Sequence) -> int:
    return max(sequence.request.prompt_ids)
