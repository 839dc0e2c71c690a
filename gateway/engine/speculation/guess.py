"""Drafts that cost microseconds: text that a constraint forces, and text that repeats earlier text.

Where a constraint forces a *text*, the tokens are not certain: a mask still allows every way to cut it into tokens, and
the model chooses. It nearly always chooses the tokenizer's own, which is what a constraint answers. (Where only one
*token* is allowed there is nothing to verify, see `ForcedTokens`.) Answers copy from prompts: names, values,
code, passages to be corrected. So the text after an earlier occurrence of the last tokens is a good guess.

See: Saxena, "Prompt Lookup Decoding" (2023).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from collections.abc import Sequence as Seq

from gateway.engine.masks import MaskFiller
from gateway.engine.protocols import TokenConstraint
from gateway.engine.request import EngineStats
from gateway.engine.sequence import Sequence
from gateway.engine.speculation import Draft
from gateway.engine.warpers.base import remembered

FORCED, NGRAM = "forced", "ngram"
SHORTEST, LONGEST = 2, 4
"""Tokens of a run that is looked for: what follows a single one says nothing."""
KINDS = [f"{NGRAM} {length}" for length in range(LONGEST + 1)]
MOST_GUESSED = 8
"""Tokens of one guess."""
MOST_SEARCHED = 1 << 15
"""Tokens at the end of a text that are looked through: 1 us a thousand where nothing is found."""
WIDTH = array("i").itemsize
"""Bytes of a token."""
USUALLY_RIGHT = 0.8
"""Chance of a token of a kind that nothing is known about yet."""
UNKNOWN, NONE = (USUALLY_RIGHT, 8), (0.0, 0.0)
FADING = 0.9
"""What an outcome counts after the next of the same text and kind."""
PRIOR_WEIGHT = 2.0
"""Outcomes of a text that weigh as much as the rate of all others."""
TRIED = 32
"""One in this many unlikely drafts is tried all the same."""

Guess = tuple[list[int], list[str]]
"""Tokens, and the kind of each; perhaps more kinds."""
NOTHING: Guess = ([], [])
Source = Callable[[Sequence, list[int], TokenConstraint | None, float], Guess]
"""Takes a sequence, its drafted tokens, the constraint after them, which is not advanced, and the chance that all are
right; returns tokens that may follow."""


class Trust:
    """Acceptance rate of drafted tokens of each kind, in each text and overall.

    Attributes:
        least: The chance from which on a token is worth its row in this step.
    """

    def __init__(self) -> None:
        self.least = 0.0
        self._usual: dict[str, tuple[float, int]] = {}
        self._num_left_out = 0

    def chance(self, sequence: Sequence, kind: str) -> float:
        """Return the probability that the next token of this kind is right, given that those before it were."""
        right, tried = remembered(sequence, _outcomes).get(kind, NONE)
        return (right + PRIOR_WEIGHT * self._usual.get(kind, UNKNOWN)[0]) / (tried + PRIOR_WEIGHT)

    def learn(self, sequence: Sequence, kind: str, is_right: bool) -> None:
        """Record the outcome of a token of this kind."""
        outcomes = remembered(sequence, _outcomes)
        right, tried = outcomes.get(kind, NONE)
        outcomes[kind] = FADING * right + is_right, FADING * tried + 1
        chance, count = self._usual.get(kind, UNKNOWN)
        self._usual[kind] = chance + (is_right - chance) / count, min(count + 1, 256)

    def is_tried(self) -> bool:
        """True if a draft is to be made though it is not likely enough, to see; asked for each that is left out."""
        self._num_left_out += 1
        return self._num_left_out % TRIED == 0


class Guesser:
    """Continues a text by forced text, else by the text after the longest earlier run of its last tokens.

    Each guessed token makes the run longer, and raises its trust. After other guesses the cheaper source is asked
    first: as many tokens are right as with the surer one first, which is asked a fifth as often.
    """

    def __init__(
        self,
        sources: Iterable[str],
        masks: MaskFiller,
        trust: Trust,
        stats: EngineStats,
        vocab_size: int,
        eos_token_ids: frozenset[int],
    ) -> None:
        """Args: sources: `FORCED`, `NGRAM`, or both."""
        self._forces, self._copies = FORCED in sources, NGRAM in sources
        self._sources: Seq[Source] = [self._copied] * self._copies + [self._forced] * self._forces
        self._masks = masks
        self._trust = trust
        self._stats = stats
        self._vocab_size = vocab_size
        self._ends = eos_token_ids

    def guess(self, sequences: list[Sequence], most: Callable[[Sequence], int]) -> dict[Sequence, Draft]:
        """Return drafts for sequences that have a guess. Args: most: Tokens that a sequence may be given."""
        drafts = {}
        for sequence in sequences:
            sources = self._hopeful(sequence)
            if sources:
                try:
                    draft = self._continue(sequence, most(sequence), sources)
                except Exception:  # of a constraint that cannot be asked ahead
                    self._stats.num_draft_faults += 1
                else:
                    if draft.token_ids:
                        drafts[sequence] = draft
        return drafts

    def _hopeful(self, sequence: Sequence) -> Seq[Source]:
        """Return the sources that may have a guess; a mask decides faster than its constraint."""
        is_forced = self._forces and sequence.constraint is not None and not self._masks.is_open(sequence)
        is_copied = self._copies and remembered(sequence, Text).has_pair(sequence.token_ids)
        return [self._forced] * is_forced + [self._copied] * is_copied

    def _continue(self, sequence: Sequence, length: int, sources: Seq[Source]) -> Draft:
        """Extend a draft by the sources, while it is likely enough and the constraint accepts it."""
        draft, chance, trust = Draft([], []), 1.0, self._trust
        constraint = probe = sequence.constraint
        while len(draft.token_ids) < length:
            guesses = (source(sequence, draft.token_ids, probe, chance) for source in sources)
            tokens, kinds = next((guess for guess in guesses if guess[0]), NOTHING)
            if not tokens:
                break
            for token, kind in zip(tokens[: length - len(draft.token_ids)], kinds, strict=False):
                chance *= trust.chance(sequence, kind)
                if chance < trust.least and draft.token_ids:
                    return draft
                if probe is constraint and constraint is not None:
                    probe = constraint.fork()
                if token >= self._vocab_size or token in self._ends or not (probe is None or probe.accept(token)):
                    return draft
                draft.token_ids.append(token)
                draft.kinds.append(kind)
            sources = self._sources
        return draft

    def _forced(self, sequence: Sequence, drafted: list[int], probe: TokenConstraint | None, chance: float) -> Guess:
        """See `Source`: the constraint's forced text."""
        is_asked = probe is not None and self._is_worth(sequence, FORCED, drafted, chance)
        tokens = probe.forced_tokens() if probe is not None and is_asked else []
        return tokens, [FORCED] * len(tokens)

    def _copied(self, sequence: Sequence, drafted: list[int], probe: TokenConstraint | None, chance: float) -> Guess:
        """See `Source`: the text after the longest earlier run of the last tokens."""
        tail = (sequence.token_ids[-LONGEST:] + drafted)[-LONGEST:]
        for length in range(len(tail), SHORTEST - 1, -1):
            if self._is_worth(sequence, KINDS[length], drafted, chance):
                tokens = remembered(sequence, Text).after(sequence.token_ids, tail[-length:])
                if tokens:
                    return tokens, KINDS[length:] + KINDS[-1:] * len(tokens)
        return NOTHING

    def _is_worth(self, sequence: Sequence, kind: str, drafted: list[int], chance: float) -> bool:
        is_likely = chance * self._trust.chance(sequence, kind) >= self._trust.least
        return is_likely or (not drafted and self._trust.is_tried())


class Text:
    """Index of a text: its pairs of tokens, to exclude most searches, and its bytes, which are searched fast."""

    def __init__(self, sequence: Sequence) -> None:
        self._pairs: set[int] = set()
        self._num_read = max(SHORTEST, sequence.num_prompt_tokens - MOST_SEARCHED)
        self._data = bytearray()

    def has_pair(self, tokens: list[int]) -> bool:
        """True if the last two tokens occurred side by side before. Reads the new tokens."""
        for at in range(self._num_read, len(tokens)):
            self._pairs.add(tokens[at - 2] << 32 | tokens[at - 1])
        self._num_read = max(len(tokens), SHORTEST)
        return len(tokens) >= SHORTEST and tokens[-2] << 32 | tokens[-1] in self._pairs

    def after(self, tokens: list[int], run: list[int]) -> list[int]:
        """Return the tokens after the last earlier occurrence of this run; empty where there is none."""
        self._data += array("i", tokens[len(self._data) // WIDTH :]).tobytes()
        sought, stop = array("i", run).tobytes(), len(self._data) - WIDTH
        start = max(stop - WIDTH * MOST_SEARCHED, 0)
        found = self._data.rfind(sought, start, stop)
        while found > 0 and found % WIDTH:  # not where a token begins
            found = self._data.rfind(sought, start, found + len(sought) - 1)
        first = found + len(sought)
        return array("i", bytes(self._data[first : first + WIDTH * MOST_GUESSED])).tolist() if found >= 0 else []


def _outcomes(sequence: Sequence) -> dict[str, tuple[float, float]]:
    """By kind: how many tokens were right, and how many there were; fading."""
    return {}
