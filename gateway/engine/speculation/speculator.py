"""Puts drafts into the plans of steps, and learns from what becomes of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from collections.abc import Sequence as Seq
from dataclasses import dataclass, field

from torch import Tensor

from gateway.engine.batch import Batch
from gateway.engine.config import EngineConfig
from gateway.engine.masks import MaskFiller
from gateway.engine.protocols import TokenConstraint
from gateway.engine.sampler import Proposals
from gateway.engine.scheduler import Plan, Scheduler
from gateway.engine.sequence import Sequence
from gateway.engine.speculation.adaptive import StepCost, Trust
from gateway.engine.speculation.base import Drafter, Guess, Guesser
from gateway.engine.speculation.forced import Forced
from gateway.engine.speculation.ngram import Ngram
from gateway.engine.stats import EngineStats
from gateway.engine.warpers.base import remembered

GUESSERS: dict[str, Callable[[MaskFiller], Guesser]] = {"forced": Forced, "ngram": lambda masks: Ngram()}
USUALLY_RIGHT = 0.8
"""Chance of a guess of a kind that nothing is known about yet."""


@dataclass(slots=True)
class _Drafted:
    """The draft of one sequence in this step: for each token its source, and what it is trusted like."""

    token_ids: list[int] = field(default_factory=list)
    kinds: list[tuple[str, str]] = field(default_factory=list)
    probabilities: Tensor | None = None


class Speculator:
    """Owns the sources of drafts; use: `draft`, compute, `observe`, verify, `learn`."""

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
    ) -> None:
        self._guessers = [GUESSERS[name](masks) for name in config.speculation if name in GUESSERS]
        self._drafters = list(drafters)
        self._most = config.max_draft_tokens
        self._max_batch_tokens = config.max_batch_tokens
        self._scheduler = scheduler
        self._stats = stats
        self._vocab_size = vocab_size
        self._ends = eos_token_ids
        self._cost = StepCost()
        self._usual: dict[str, tuple[float, int]] = {}
        self._drafts: dict[Sequence, _Drafted] = {}
        self._seconds_to_draft: dict[str, float] = {}
        self._begun = 0.0

    def draft(self, plan: Plan) -> None:
        """Add drafts to a plan."""
        self._drafts = {}
        least = self._cost.least_chance(len(plan.sampled))
        room = self._max_batch_tokens - plan.num_tokens
        decoding, unguessed = set(plan.decodes), list[Sequence]()
        for sequence in plan.sampled:
            length = min(self._most, sequence.tokens_left - 1, room)
            if length <= 0:
                continue
            try:
                drafted = self._guess(sequence, length, least) if self._guessers else _Drafted()
            except Exception:
                self._stats.num_draft_faults += 1
                drafted = _Drafted()
            if not drafted.token_ids and sequence in decoding:
                unguessed.append(sequence)
            room -= self._take(plan, sequence, drafted)
        for drafter in self._drafters:
            room -= self._ask(drafter, plan, [each for each in unguessed if each not in plan.drafts], room)
        self._begun = time.perf_counter()

    def observe(self, batch: Batch) -> None:
        """Show the drafters what was computed, and note how long it took."""
        if not batch.chunks:
            self._cost.observe(len(batch.input_ids), time.perf_counter() - self._begun)
        for drafter in self._drafters:
            try:
                drafter.observe(batch)
            except Exception:
                self._stats.num_draft_faults += 1

    def proposals(self, sequences: Seq[Sequence], position: int) -> Proposals:
        """Of those whose draft at this position was drawn from a distribution."""
        found = {}
        for sequence in sequences:
            drafted = self._drafts.get(sequence)
            if drafted is not None and drafted.probabilities is not None and position < len(drafted.token_ids):
                found[sequence] = drafted.token_ids[position], drafted.probabilities[position]
        return found

    def learn(self, sequence: Sequence, position: int, token: int | None) -> bool:
        """Whether the token chosen is the one drafted at this position. None: this position was not reached."""
        if token is None:
            return False
        drafted = self._drafts[sequence]
        is_right = token == drafted.token_ids[position]
        source, kind = drafted.kinds[position]
        self._stats.num_accepted[source] += is_right
        remembered(sequence, Trust).learn(kind, is_right)
        chance, count = self._usual.get(kind, (USUALLY_RIGHT, 8))
        self._usual[kind] = chance + (is_right - chance) / count, min(count + 1, 256)
        return is_right

    def _guess(self, sequence: Sequence, length: int, least: float) -> _Drafted:
        """What the guessers say one after another, as far as it is likely enough and the constraint goes along."""
        drafted, chance, trust = _Drafted(), 1.0, remembered(sequence, Trust)
        constraint = probe = sequence.constraint
        while len(drafted.token_ids) < length:
            guess = self._next_guess(sequence, drafted.token_ids, probe)
            if guess is None:
                return drafted
            usual = self._usual.get(guess.trust, (USUALLY_RIGHT, 0))[0]
            for token in guess.token_ids[: length - len(drafted.token_ids)]:
                chance *= trust.chance(guess.trust, usual)
                if chance < least and (drafted.token_ids or not trust.is_tried_again(guess.trust)):
                    return drafted
                if probe is constraint and constraint is not None:
                    probe = constraint.fork()
                if token >= self._vocab_size or token in self._ends or not (probe is None or probe.accept(token)):
                    return drafted
                drafted.token_ids.append(token)
                drafted.kinds.append((guess.source, guess.trust))
        return drafted

    def _next_guess(self, sequence: Sequence, drafted: list[int], probe: TokenConstraint | None) -> Guess | None:
        """Of the first guesser that has one: the surest first, behind other guesses the cheapest.

        As many tokens are right as with the surest first throughout, and it is asked a fifth as often.
        """
        for guesser in reversed(self._guessers) if drafted else self._guessers:
            guess = guesser.guess(sequence, drafted, probe)
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

    def _ask(self, drafter: Drafter, plan: Plan, sequences: Seq[Sequence], room: int) -> int:
        """Have a drafter propose for these sequences, where that is likely enough; how many tokens."""
        lengths: dict[Sequence, int] = {}
        least = self._cost.least_chance(len(plan.decodes), self._seconds_to_draft.get(drafter.name, 0.0))
        usual = self._usual.get(drafter.name, (USUALLY_RIGHT, 0))[0]
        for sequence in sequences:
            wanted = self._worth(remembered(sequence, Trust), drafter.name, usual, least)
            granted = self._scheduler.reserve_draft(sequence, min(wanted, sequence.tokens_left - 1, room))
            if granted:
                lengths[sequence] = granted
                room -= granted
        if not lengths:
            return 0
        begun, total = time.perf_counter(), 0
        try:
            drafts = drafter.propose(list(lengths), list(lengths.values()))
            for (sequence, length), draft in zip(lengths.items(), drafts, strict=True):
                tokens = draft.token_ids[:length]
                if all(0 <= token < self._vocab_size for token in tokens):
                    kinds = [(drafter.name, drafter.name)] * len(tokens)
                    total += self._take(plan, sequence, _Drafted(tokens, kinds, draft.probabilities))
        except Exception:
            self._stats.num_draft_faults += 1
        seconds = (time.perf_counter() - begun) / max(total, 1)
        self._seconds_to_draft[drafter.name] = (self._seconds_to_draft.get(drafter.name, seconds) * 7 + seconds) / 8
        return total

    def _worth(self, trust: Trust, kind: str, usual: float, least: float) -> int:
        """How many tokens in a row of one kind are likely enough."""
        chance = each = trust.chance(kind, usual)
        if each < least:
            return int(trust.is_tried_again(kind))
        length = 1
        while length < self._most and chance * each >= least:
            chance *= each
            length += 1
        return length
