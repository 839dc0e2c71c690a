"""Puts drafts into the plans of steps, from whichever source makes tokens come fastest.

For each source, and for no drafts, the time of its steps, finding the drafts included, is compared with the time that
as many tokens would have taken without drafts. Steps use the source with the best ratio. The others are tried again
when the cost of trying them is a small part of the time since.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Sequence as Seq

from torch import Tensor

from gateway.engine.config import EngineConfig
from gateway.engine.masks import MaskFiller
from gateway.engine.models.base import RopeByLength
from gateway.engine.request import EngineStats
from gateway.engine.rows import SamplingRows
from gateway.engine.sampler import Proposals
from gateway.engine.scheduling.plan import Plan
from gateway.engine.scheduling.scheduler import Scheduler
from gateway.engine.scheduling.step_cost import LEAST_TOKENS, PrefillBudget
from gateway.engine.sequence import Sequence
from gateway.engine.speculation import Draft, Drafter
from gateway.engine.speculation.guess import FORCED, NGRAM, Guesser, Trust

logger = logging.getLogger(__name__)
KEPT = 0.96
"""Weight of a step after the next with the same source: about 25 decide."""
PAUSE = 10
"""Multiple of a source's recent loss against the best one for which it is not tried again: with 25 steps counted,
trying it costs 1/250 of the time."""
MARGIN = 0.99
"""Drafts are left out where they are slower than this: a smaller difference is the cost of looking for them."""
MOST_TAKEN, MOST_IN_ALL = 1.25, 2.0
"""Limits of a step's time, relative to its expected time, and of its total with finding drafts, relative to its worth:
beyond them another process had the processor, or something was done for the first time."""
LEAST_TRIED = 32
"""Texts that a guesser other than the best is tried with, in turns: guessing for 256 takes as long as half a step."""
READ_AHEAD = 64
"""Tokens of a text that a drafter may read for each token of the answer: its length is not known, so the possible loss
is kept in proportion to the time so far. Reading is not counted in the race, since it serves all later steps."""


class Race:
    """Time of steps with each source, and their worth. Source 0 is no drafts."""

    def __init__(self, num_sources: int) -> None:
        self._worth = [0.0] * num_sources
        self._taken = [0.0] * num_sources
        self._pauses = [0.0] * num_sources

    def ratio(self, number: int) -> float:
        """Return the speed-up over steps without drafts; one where nothing is known."""
        return self._worth[number] / self._taken[number] if self._taken[number] else 1.0

    @property
    def best(self) -> int:
        """The fastest source by the measurements so far."""
        return max(range(len(self._taken)), key=self._rank)

    def order(self) -> list[int]:
        """Return the sources to use in the next step, if they have a draft: those due for a try, then the best."""
        ranked = sorted(range(len(self._taken)), key=self._rank, reverse=True)
        return [each for each in ranked[1:] if self._pauses[each] <= 0] + ranked

    def note(self, number: int, worth: float, taken: float) -> None:
        """Record the time of a step with this source, and the time of its tokens without drafts, in units of a step
        without."""
        best = self.best
        self._worth[number] = KEPT * self._worth[number] + worth
        self._taken[number] = KEPT * self._taken[number] + taken
        self._pauses = [pause - taken for pause in self._pauses]
        lost = self._taken[number] * (1 - self.ratio(number) / self.ratio(best))
        self._pauses[number] = max(PAUSE * lost, taken)  # at least a step of another comes between

    def _rank(self, number: int) -> float:
        return self.ratio(number) * (1 if number else MARGIN)


class Speculator:
    """Owns the sources of drafts; use: `draft`, compute, verify, `learn`, `observe`."""

    def __init__(
        self,
        config: EngineConfig,
        scheduler: Scheduler,
        masks: MaskFiller,
        stats: EngineStats,
        *,
        vocab_size: int,
        eos_token_ids: frozenset[int],
        drafters: Seq[Drafter] = (),
        rope: RopeByLength | None = None,
        prefill: PrefillBudget,
    ) -> None:
        self._trust = Trust()
        self._guesser = Guesser(config.sources, masks, self._trust, stats, vocab_size, eos_token_ids)
        guessers = [self._guesser] if {FORCED, NGRAM}.intersection(config.sources) else []
        self._sources: list[Guesser | Drafter | None] = [None, *guessers, *drafters]
        self._most = config.max_draft_tokens
        self._rope = rope
        self._max_batch_tokens = config.max_batch_tokens
        self._scheduler = scheduler
        self._stats = stats
        self._vocab_size = vocab_size
        self._prefill = prefill
        self._races: defaultdict[int, Race] = defaultdict(lambda: Race(len(self._sources)))  # by magnitude of the batch
        self._pass_s: dict[str, float] = {}  # what a drafter takes for a position
        self._drafts: dict[Sequence, Draft] = {}
        self._number = self._num_sampled = self._num_right = self._rows = self._num_others = self._num_tries = 0
        self._begun = self._spent = self._alone_s = 0.0
        self._share = 1.0  # of the sampled texts, those that the source was asked about
        self._is_known = False  # what steps cost

    def draft(self, plan: Plan, sampled: list[Sequence]) -> None:
        """Add drafts to a plan, of sequences that it samples; none of ensembles, or beside trainings of an adapter."""
        if not plan.is_plain:
            sampled = [sequence for sequence in sampled if sequence.is_plain]
        self._drafts, self._number, self._num_right, self._spent, self._share = {}, 0, 0, 0.0, 1.0
        self._num_others = sum(tokens for _, tokens in plan.chunks)
        self._rows = sum([sequence.num_pending for sequence in plan.decode])
        self._num_sampled = len(sampled)
        if sampled and len(self._sources) > 1:
            self._find(plan, sampled)
        self._rows += sum(map(len, plan.drafts.values()))
        self._begun = time.perf_counter()

    def _find(self, plan: Plan, sampled: list[Sequence]) -> None:
        """Add the drafts of the next source in order."""
        self._is_known, self._alone_s = self._prefill.cost.is_known, self._prefill.cost.seconds(self._rows)
        self._trust.least = self._prefill.cost.least_chance(len(sampled))
        race = self._races[len(sampled).bit_length()]
        for number in race.order():
            self._number, source = number, self._sources[number]
            if isinstance(source, Guesser):
                asked = sampled if number == race.best else self._some_of(sampled)
                self._share = len(asked) / len(sampled)
                begun = time.thread_time()  # not wall time, of which others may have had most
                self._take(plan, source.guess(asked, self._most_of))
                self._spent = time.thread_time() - begun
                break
            if source is None or self._ask(source, plan):
                break

    def _some_of(self, sampled: list[Sequence]) -> list[Sequence]:
        """Return at least `LEAST_TRIED` of the texts; all had their turn after as many tries as there are parts."""
        num_parts = max(len(sampled) // LEAST_TRIED, 1)
        self._num_tries += 1
        return sampled[self._num_tries % num_parts :: num_parts]

    def observe(self) -> None:
        """Record the time of a finished step and the worth of its drafts, scaled to all texts."""
        seconds = time.perf_counter() - self._begun
        self._prefill.observe(self._rows, self._num_others, seconds)
        if self._is_known and self._num_sampled and self._num_others <= LEAST_TOKENS:
            worth = 1 + self._num_right / (self._num_sampled * self._share)
            race = self._races[self._num_sampled.bit_length()]
            expected = self._prefill.cost.seconds(self._rows)
            seconds = min(seconds, MOST_TAKEN * expected)
            drafts_s = min(expected - self._alone_s, seconds)
            taken = (self._spent + drafts_s) / self._share + seconds - drafts_s
            race.note(self._number, worth, min(taken / self._alone_s, MOST_IN_ALL * worth))

    def proposals(self, rows: SamplingRows) -> Proposals:
        """Return the rows whose token was drafted from a distribution."""
        found: dict[int, tuple[int, Tensor]] = {}
        for start, sequence in zip(rows.starts.tolist(), rows.sequences, strict=True) if self._drafts else ():
            draft = self._drafts.get(sequence)
            if draft is not None and draft.probabilities is not None:
                found.update(enumerate(zip(draft.token_ids, draft.probabilities, strict=False), start))
        return found

    def learn(self, sequence: Sequence, position: int, token: int) -> bool:
        """True if the token chosen is the one drafted at this position."""
        draft = self._drafts[sequence]
        is_right = token == draft.token_ids[position]
        self._stats.num_accepted[_source(draft.kinds[position])] += is_right
        self._num_right += is_right
        self._trust.learn(sequence, draft.kinds[position], is_right)
        return is_right

    def _most_of(self, sequence: Sequence) -> int:
        """Tokens that may be drafted for a sequence."""
        most = min(self._most, sequence.tokens_left - 1)
        return most if self._rope is None else min(most, self._rope.room(sequence))

    def _take(self, plan: Plan, drafts: dict[Sequence, Draft]) -> None:
        """Add drafts to the plan, within the token limit and free blocks."""
        room = self._max_batch_tokens - plan.num_tokens
        for sequence, draft in drafts.items():
            length = self._scheduler.reserve_draft(sequence, min(len(draft.token_ids), room))
            if length and all(0 <= token < self._vocab_size for token in draft.token_ids[:length]):
                del draft.token_ids[length:]
                self._drafts[sequence] = draft
                plan.drafts[sequence] = draft.token_ids
                self._stats.num_drafts += 1
                self._stats.num_drafted.update(map(_source, draft.kinds[:length]))
                room -= length

    def _ask(self, drafter: Drafter, plan: Plan) -> bool:
        """Ask a drafter for decoding sequences; False if it pays for none of them."""
        try:
            lengths, room = {}, self._max_batch_tokens - plan.num_tokens
            for sequence in plan.decode if plan.is_plain else [each for each in plan.decode if each.is_plain]:
                if drafter.count_unread(sequence) <= READ_AHEAD * sequence.num_output:
                    wanted = self._length(drafter.name, sequence)
                    length = self._scheduler.reserve_draft(sequence, min(wanted, room))
                    if length:
                        lengths[sequence] = length
                        room -= length
            if not lengths:
                return False
            begun = time.perf_counter()
            drafts = drafter.propose(list(lengths), list(lengths.values()))
            self._spent = time.perf_counter() - begun - drafter.reading_s
            num_passes = max(len(draft.token_ids) for draft in drafts)
            if num_passes:
                taken = self._spent / num_passes
                known = self._pass_s.get(drafter.name, taken)
                self._pass_s[drafter.name] = known + (min(taken, 4 * known) - known) / 16
            self._take(plan, dict(zip(lengths, drafts, strict=True)))
        except Exception:
            logger.exception("drafts from source %r failed; it is not asked again", drafter.name)
            self._sources.remove(drafter)
            self._races.clear()
            self._number = 0
            self._stats.num_draft_faults += 1
        return True

    def _length(self, kind: str, sequence: Sequence) -> int:
        """Return the number of tokens to ask a drafter for: those whose chance is worth a pass of it and a row of the
        step."""
        most, length, chance = self._most_of(sequence), 0, self._trust.chance(sequence, kind)
        least = self._trust.least + self._pass_s.get(kind, 0.0) / self._alone_s
        while length < most and chance ** (length + 1) >= least:
            length += 1
        return length or min(most, self._trust.is_tried())


def _source(kind: str) -> str:
    return kind.partition(" ")[0]
