"""Plan of one step."""

from __future__ import annotations

from dataclasses import dataclass, field

from gateway.engine.sequence import Sequence


@dataclass(slots=True)
class Plan:
    """Sequences of one step, and the number of tokens of each that are computed.

    Attributes:
        decode: Sequences whose prompt was read; all pending tokens of each are computed, mostly one.
        chunks: (sequence, tokens) of prompts being read; sampled where the chunk is the last.
        copies: Blocks to be filled before anything is computed, each with the block whose content it gets.
        is_plain: False if some sequences may be of an ensemble (see `arithmetic`), pooled, or paused.
        drafts: Tokens computed after the pending ones of some sampled sequences, to be verified; see `speculation`.
    """

    decode: list[Sequence] = field(default_factory=list)
    chunks: list[tuple[Sequence, int]] = field(default_factory=list)
    copies: dict[int, int] = field(default_factory=dict)
    is_plain: bool = True
    drafts: dict[Sequence, list[int]] = field(default_factory=dict)

    @property
    def sampled(self) -> list[Sequence]:
        """The sequences whose next token is chosen in this step, in row order."""
        computed = self.computed
        return computed if self.is_plain else [each for each in computed if each.leader is None]

    @property
    def computed(self) -> list[Sequence]:
        """The sequences whose pending tokens are all computed in this step, in row order: companions are among them."""
        return self.decode + [sequence for sequence, tokens in self.chunks if tokens == sequence.num_pending]

    @property
    def num_tokens(self) -> int:
        """Tokens computed in this step."""
        own = sum(sequence.num_pending for sequence in self.decode) + sum(tokens for _, tokens in self.chunks)
        return own + sum(map(len, self.drafts.values()))

    @property
    def scored(self) -> list[tuple[Sequence, int]]:
        """(sequence, tokens) of prompts whose log-probabilities are computed in this step, in row order.

        The tokens are those of the chunk from `num_scored` on, but for the last of the prompt: the answer comes next.
        """
        found = []
        for sequence, tokens in self.chunks:
            if sequence.is_scoring:
                stop = min(sequence.num_computed + tokens, sequence.num_prompt_tokens - 1)
                found.append((sequence, max(stop - sequence.num_scored, 0)))
        return found

    @property
    def pooled(self) -> list[tuple[Sequence, range]]:
        """(sequence, tokens) of prompts whose states are pooled in this step, in row order."""
        found = []
        for sequence, tokens in self.chunks:
            if sequence.pool is not None:
                wanted = sequence.pool.wanted(sequence.num_computed, sequence.num_computed + tokens)
                found += [(sequence, wanted)] if wanted else []
        return found

    @property
    def sequences(self) -> list[Sequence]:
        """All sequences of the step, in row order."""
        return self.decode + [sequence for sequence, _ in self.chunks]

    def by_model(self) -> dict[str | None, Plan]:
        """Return the part of each model, with the drafts of all in that of the served one."""
        parts = dict[str | None, Plan]()
        for sequence in self.decode:
            parts.setdefault(sequence.model, Plan()).decode.append(sequence)
        for sequence, tokens in self.chunks:
            parts.setdefault(sequence.model, Plan()).chunks.append((sequence, tokens))
        if None in parts:
            parts[None].drafts = self.drafts
        return parts

    def drop(self, sequence: Sequence) -> None:
        """Take a sequence out again, and its ensemble with it."""
        gone = sequence.ensemble
        self.decode = [other for other in self.decode if other not in gone]
        self.chunks = [chunk for chunk in self.chunks if chunk[0] not in gone]
        self.drafts.pop(sequence, None)
