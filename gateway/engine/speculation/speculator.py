"""Puts drafts into the plans of steps, and learns from what becomes of them."""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Callable
from collections.abc import Sequence as Seq
from dataclasses import dataclass, field

from torch import Tensor

from gateway.engine.config import EngineConfig
from gateway.engine.masks import MaskFiller
from gateway.engine.models.base import RopeByLength
from gateway.engine.pace import Pace
from gateway.engine.plan import Plan
from gateway.engine.protocols import TokenConstraint
from gateway.engine.rows import SamplingRows
from gateway.engine.sampler import Proposals
from gateway.engine.scheduler import Scheduler
from gateway.engine.sequence import Sequence
from gateway.engine.speculation.adaptive import Trust, Worth
from gateway.engine.speculation.base import Drafter, Guess, Guesser
from gateway.engine.speculation.forced import Forced
from gateway.engine.speculation.lengths import Rent, Step, choose_lengths
from gateway.engine.speculation.ngram import Ngram
from gateway.engine.stats import EngineStats
from gateway.engine.warpers.base import remembered

logger = logging.getLogger(__name__)
GUESSERS: dict[str, Callable[[MaskFiller], Guesser]] = {"forced": Forced, "ngram": lambda masks: Ngram()}
USUALLY_RIGHT = 0.8
"""Chance of a guess of a kind that nothing is known about yet."""


@dataclass(slots=True)
class _Drafted:
    """The draft of one sequence in this step.

    Attributes:
        kinds: Of each token its source, and what it is trusted like.
        hoped: How many tokens are expected to be right.
    """

    token_ids: list[int] = field(default_factory=list)
    kinds: list[tuple[str, str]] = field(default_factory=list)
    probabilities: Tensor | None = None
    hoped: float = 0.0


@dataclass(slots=True)
class _Guessing:
    """What guesses cost and brought in this step.

    Attributes:
        step: As it is without them.
        spent: Seconds that finding them took.
        num_rows: Tokens that were guessed.
        num_right: Those of them that came true.
    """

    worth: Worth
    step: Step
    spent: float = 0.0
    num_rows: int = 0
    num_right: int = 0

    def book(self) -> None:
        """Note it."""
        a_token = self.step.seconds / self.step.tokens
        self.worth.book(self.num_right * a_token, self.spent + self.num_rows * self.step.row, self.step.seconds)


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
        pace: Pace,
    ) -> None:
        self._guessers = [GUESSERS[name](masks) for name in config.speculation if name in GUESSERS]
        self._drafters = list(drafters)
        self._most = config.max_draft_tokens
        self._rope = rope
        self._max_batch_tokens = config.max_batch_tokens
        self._scheduler = scheduler
        self._stats = stats
        self._vocab_size = vocab_size
        self._ends = eos_token_ids
        self._pace = pace
        self._cost = pace.cost
        self._usual: dict[str, tuple[float, int]] = {}
        self._drafts: dict[Sequence, _Drafted] = {}
        self._worths: defaultdict[int, Worth] = defaultdict(Worth)  # by the magnitude of the batch
        self._guessing: _Guessing | None = None
        self._begun = 0.0
        self._rows = self._num_others = 0

    def draft(self, plan: Plan) -> None:
        """Add drafts to a plan: what a drafter says where that is worth more than a guess, else the guess."""
        self._begun = time.perf_counter()
        self._drafts = {}
        fixed, each_row = self._cost.line
        sampled, num_tokens = plan.sampled, plan.num_tokens
        step = Step(len(sampled), fixed + each_row * num_tokens, each_row)  # as it is without drafts
        room = self._max_batch_tokens - num_tokens
        worth = self._worths[len(sampled).bit_length()]
        tried = worth.select(sampled) if self._guessers else []
        self._guessing = _Guessing(worth, step) if tried else None
        guesses = self._guess_all(tried, room, self._guessing) if self._guessing else {}
        for drafter in list(self._drafters):
            able = [each for each in plan.decode if each not in plan.drafts and self._most_of(each) > 0]
            wanted = [
                each for each in able if self._is_better(drafter, step, len(plan.decode), guesses.get(each), each)
            ]
            room -= self._ask(drafter, plan, step, wanted, room) if wanted else 0
        for sequence, drafted in guesses.items():
            if sequence not in plan.drafts:
                del drafted.token_ids[room:]
                room -= self._take(plan, sequence, drafted)
        self._num_others = sum(tokens for _, tokens in plan.chunks)
        self._rows = num_tokens - self._num_others + sum(map(len, plan.drafts.values()))

    def observe(self) -> None:
        """A step is over: note how long it took, without what finding drafts took, and what guesses brought."""
        self._pace.observe(self._rows, self._num_others, time.perf_counter() - self._begun)
        if self._guessing is not None:
            self._guessing.book()

    def proposals(self, rows: SamplingRows) -> Proposals:
        """Of the rows whose token was drafted from a distribution."""
        found: dict[int, tuple[int, Tensor]] = {}
        for start, sequence in zip(rows.starts.tolist(), rows.sequences, strict=True) if self._drafts else ():
            drafted = self._drafts.get(sequence)
            if drafted is not None and drafted.probabilities is not None:
                drawn = zip(drafted.token_ids, drafted.probabilities, strict=False)
                found.update(enumerate(drawn, start))
        return found

    def learn(self, sequence: Sequence, position: int, token: int) -> bool:
        """Whether the token chosen is the one drafted at this position."""
        drafted = self._drafts[sequence]
        is_right = token == drafted.token_ids[position]
        source, kind = drafted.kinds[position]
        self._stats.num_accepted[source] += is_right
        if self._guessing is not None and drafted.hoped > 0:  # a guess
            self._guessing.num_right += is_right
        remembered(sequence, Trust).learn(kind, is_right)
        chance, count = self._usual.get(kind, (USUALLY_RIGHT, 8))
        self._usual[kind] = chance + (is_right - chance) / count, min(count + 1, 256)
        return is_right

    def _guess_all(self, sampled: list[Sequence], room: int, guessing: _Guessing) -> dict[Sequence, _Drafted]:
        """What is guessed, for the sequences that anything is guessed for."""
        begun = time.thread_time()
        least = self._cost.least_chance(round(guessing.step.tokens))
        guesses: dict[Sequence, _Drafted] = {}
        hopeful = {each for guesser in self._guessers for each in guesser.may_guess(sampled)}
        for sequence in filter(hopeful.__contains__, sampled):
            length = min(self._most_of(sequence), room)
            try:
                drafted = self._guess(sequence, length, least) if length > 0 else None
            except Exception:
                self._stats.num_draft_faults += 1
            else:
                if drafted is not None and drafted.token_ids:
                    guesses[sequence] = drafted
                    guessing.num_rows += len(drafted.token_ids)
        guessing.spent = time.thread_time() - begun  # not wall time, which others may have taken
        self._begun += guessing.spent
        return guesses

    def _most_of(self, sequence: Sequence) -> int:
        """Tokens that may be drafted for a sequence."""
        most = min(self._most, sequence.tokens_left - 1)
        return most if self._rope is None else min(most, self._rope.room(sequence))

    def _is_better(
        self, drafter: Drafter, step: Step, num_decodes: int, guess: _Drafted | None, sequence: Sequence
    ) -> bool:
        """Whether a drafter is worth more to a sequence than a guess, in tokens, after what each takes."""
        chance = self._chance(drafter, sequence)
        a_second = step.tokens / step.seconds
        own = a_second * (drafter.cost.fixed / num_decodes + drafter.cost.each + step.row)
        best = value = 0.0
        for position in range(1, self._most_of(sequence) + 1):
            value += chance**position - own
            best = max(best, value)
        return best > (0.0 if guess is None else guess.hoped - a_second * step.row * len(guess.token_ids))

    def _chance(self, drafter: Drafter, sequence: Sequence) -> float:
        """Of a drafter's next token to be right."""
        return remembered(sequence, Trust).chance(drafter.name, self._usually(drafter.name))

    def _usually(self, kind: str) -> float:
        return self._usual.get(kind, (USUALLY_RIGHT, 0))[0]

    def _guess(self, sequence: Sequence, length: int, least: float) -> _Drafted:
        """What the guessers say one after another, as far as it is likely enough and the constraint goes along."""
        drafted, chance, trust = _Drafted(), 1.0, remembered(sequence, Trust)
        constraint = probe = sequence.constraint

        def is_worth(kind: str) -> bool:
            is_likely = chance * trust.chance(kind, self._usually(kind)) >= least
            return is_likely or (not drafted.token_ids and trust.is_tried_again(kind))

        while len(drafted.token_ids) < length:
            guess = self._next_guess(sequence, drafted.token_ids, probe, is_worth)
            if guess is None:
                return drafted
            for token, kind in zip(guess.token_ids[: length - len(drafted.token_ids)], guess.kinds, strict=False):
                chance *= trust.chance(kind, self._usually(kind))
                if chance < least and drafted.token_ids:
                    return drafted
                if probe is constraint and constraint is not None:
                    probe = constraint.fork()
                if token >= self._vocab_size or token in self._ends or not (probe is None or probe.accept(token)):
                    return drafted
                drafted.hoped += chance
                drafted.token_ids.append(token)
                drafted.kinds.append((guess.source, kind))
        return drafted

    def _next_guess(
        self, sequence: Sequence, drafted: list[int], probe: TokenConstraint | None, is_worth: Callable[[str], bool]
    ) -> Guess | None:
        """Of the first guesser that has one: the surest first, behind other guesses the cheapest.

        As many tokens are right as with the surest first throughout, and it is asked a fifth as often.
        """
        for guesser in reversed(self._guessers) if drafted else self._guessers:
            guess = guesser.guess(sequence, drafted, probe, is_worth)
            if guess is not None:
                return guess
        return None

    def _take(self, plan: Plan, sequence: Sequence, drafted: _Drafted) -> int:
        """Put a draft into the plan, as much of it as blocks are free for; how many tokens."""
        length = self._scheduler.reserve_draft(sequence, len(drafted.token_ids)) if drafted.token_ids else 0
        if length:
            del drafted.token_ids[length:]
            self._drafts[sequence] = drafted
            plan.drafts[sequence] = drafted.token_ids
            self._stats.num_drafted.update(source for source, _ in drafted.kinds[:length])
        return length

    def _ask(self, drafter: Drafter, plan: Plan, step: Step, sequences: Seq[Sequence], room: int) -> int:
        """Have a drafter propose for these sequences, where that pays; how many tokens."""
        granted: dict[Sequence, int] = {}
        total = 0
        try:
            for sequence, wanted in zip(sequences, self._lengths(drafter, step, sequences), strict=True):
                length = self._scheduler.reserve_draft(sequence, min(wanted, room))
                if length:
                    granted[sequence] = length
                    room -= length
            asked = time.perf_counter()
            drafts = drafter.propose(list(granted), list(granted.values())) if granted else []
            self._begun += time.perf_counter() - asked
            for (sequence, length), draft in zip(granted.items(), drafts, strict=True):
                tokens = draft.token_ids[:length]
                if all(0 <= token < self._vocab_size for token in tokens):
                    kinds = [(drafter.name, drafter.name)] * len(tokens)
                    total += self._take(plan, sequence, _Drafted(tokens, kinds, draft.probabilities))
        except Exception:
            logger.exception("drafts from source %r failed; it is not asked again", drafter.name)
            self._drafters.remove(drafter)
            self._stats.num_draft_faults += 1
        return total

    def _lengths(self, drafter: Drafter, step: Step, sequences: Seq[Sequence]) -> list[int]:
        """How many tokens to ask a drafter for, for each sequence; see `lengths`."""
        usual = self._usually(drafter.name)
        chances = [self._chance(drafter, sequence) for sequence in sequences]
        most = [self._most_of(sequence) for sequence in sequences]
        lengths, saved = choose_lengths(chances, most, step, drafter.cost)
        taking_part = [index for index, length in enumerate(lengths) if length]
        for index in taking_part:
            rent = remembered(sequences[index], Rent)
            rent.paid += saved / len(taking_part)
            if rent.paid < drafter.count_unread(sequences[index]) * drafter.cost.reading:
                most[index] = 0
        if any(most[index] == 0 for index in taking_part):
            lengths, _ = choose_lengths(chances, most, step, drafter.cost)
        if any(chance < usual for chance in chances):  # would it pay if this text were like others?
            hoped, _ = choose_lengths([usual] * len(chances), most, step, drafter.cost)
            for index, sequence in enumerate(sequences):
                left_out = hoped[index] and not lengths[index]
                if left_out and remembered(sequence, Trust).is_tried_again(drafter.name):
                    lengths[index] = 1
        return lengths
