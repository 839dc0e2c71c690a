"""Tokens that a request forbids beside its constraint, and the precedence of the two.

A row chooses from a *pool*: what its mask allows, or the whole vocabulary where it has none. Each ban takes tokens out
of the pool, one warper after another, and a ban that would leave nothing is void in that step.

That is enough for answers that are always complete: a mask promises of *every* token in it that a complete text still
fits into the budget after that token. So any of them may be taken away as long as one is left.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence as Seq
from typing import Self

import numpy as np
from torch import Tensor

from gateway.engine.protocols import MaskRows
from gateway.engine.rows import SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import MINUS_INFINITY, TokenIds, WarpContext, remembered, sent

NONE: TokenIds = np.zeros(0, dtype=np.int64)


def narrow_mask(mask: MaskRows, tokens: TokenIds) -> None:
    """Clear the bits of these tokens, unless nothing would be left. Shapes: mask [ceil(V / 32)]."""
    words = tokens >> 5
    before = mask[words]
    np.bitwise_and.at(mask, words, ~(np.uint32(1) << (tokens & 31).astype(np.uint32)))
    if not mask.any():
        mask[words] = before


def narrow_scores(scores: Tensor, tokens: Tensor) -> None:
    """Set the scores of these tokens to -inf, unless nothing would be left. Shapes: scores [vocab_size]."""
    before = scores[tokens]
    scores[tokens] = MINUS_INFINITY
    if scores.max() == MINUS_INFINITY:
        scores[tokens] = before


class AllowedTokens:
    """logits[row, token] = -inf for every token but those of `allowed_token_ids`.

    Under a constraint: for every token that is not in both, as long as there is one (see above).
    """

    def __init__(self, sequences: Seq[Sequence], wanted: dict[int, TokenIds], context: WarpContext) -> None:
        free = {owner: tokens for owner, tokens in wanted.items() if sequences[owner].constraint is None}
        self._free = np.array(list(free))
        self._owners = np.repeat(list(free), [len(tokens) for tokens in free.values()])
        self._tokens = sent(np.concatenate(list(free.values())), context.device) if free else None
        self._masked = np.array([owner for owner in wanted if owner not in free])
        packed = [_packed(wanted[owner], context.vocab_size) for owner in self._masked.tolist()]
        self._packed: MaskRows = np.array(packed, dtype=np.uint32)
        self._masks = context.masks

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        wanted = {
            row: remembered(sequence, _allowed)
            for row, sequence in enumerate(sequences)
            if sequence.sampling.allowed_token_ids is not None
        }
        return cls(sequences, wanted, context) if wanted else None

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        if self._tokens is not None:
            own, entries = (sent(each, logits.device) for each in rows.rows_of(self._owners))
            index = own, self._tokens[entries]
            scores = logits[index]
            logits.index_fill_(0, sent(rows.rows_of(self._free)[0], logits.device), MINUS_INFINITY)
            logits[index] = scores
        if len(self._masked):
            own_rows, numbers = rows.rows_of(self._masked)
            places = rows.mask_rows[own_rows]
            both = self._masks.rows[places] & self._packed[numbers]
            left = (places >= 0) & both.any(axis=1)
            self._masks.rows[places[left]] = both[left]


def _allowed(sequence: Sequence) -> TokenIds:
    return np.unique(np.asarray(sequence.sampling.allowed_token_ids, dtype=np.int64))


def _packed(tokens: TokenIds, vocab_size: int) -> MaskRows:
    """The tokens as a mask row. Shapes: [ceil(V / 32)]."""
    bits = np.zeros(-(-vocab_size // 32) * 32, dtype=np.uint8)
    bits[tokens] = 1
    return np.packbits(bits, bitorder="little").view(np.uint32)


class Ban:
    """Base of the warpers that forbid a few tokens of a row, other ones in every step."""

    def __init__(self, owners: Seq[int], context: WarpContext) -> None:
        self._owners = np.array(owners)
        self._context = context

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        owners = [number for number, sequence in enumerate(sequences) if cls.concerns(sequence)]
        return cls(owners, context) if owners else None

    @staticmethod
    def concerns(sequence: Sequence) -> bool:
        """True if the sequence asks for it."""
        raise NotImplementedError

    def banned(self, sequence: Sequence, tail: list[int]) -> TokenIds:
        """Return the tokens that may not follow the text and the tail of a draft; they may repeat."""
        raise NotImplementedError

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        banned_rows: list[int] = []
        found: list[TokenIds] = []
        for row in rows.rows_of(self._owners)[0].tolist():
            sequence, tail, mask_row = rows.sequences[rows.owners[row]], rows.tail(row), rows.mask_rows[row]
            tokens = self.banned(sequence, tail)
            if not len(tokens):
                continue
            if mask_row >= 0:
                narrow_mask(self._context.masks.rows[mask_row], tokens)
            elif self._may_leave_nothing(sequence, tail):
                narrow_scores(logits[row], sent(tokens, logits.device))
            else:
                banned_rows.append(row)
                found.append(tokens)
        if banned_rows:
            index = np.repeat(banned_rows, [len(tokens) for tokens in found])
            logits[sent(index, logits.device), sent(np.concatenate(found), logits.device)] = MINUS_INFINITY

    def _may_leave_nothing(self, sequence: Sequence, tail: list[int]) -> bool:
        """True if all bans together could name the whole vocabulary: a bound, so that few rows are checked."""
        sampling = sequence.sampling
        named = len(sequence.token_ids) + len(tail) + len(sampling.bad_words_ids) + len(sampling.stop_token_ids)
        return (
            sampling.allowed_token_ids is not None
            or named + len(self._context.eos_token_ids) >= self._context.vocab_size
        )


class BadWords(Ban):
    """The last token of a bad word is out of reach where the text ends in the tokens before it.

    The text is prompt and answer, so a word that begins in the prompt is not finished either.
    """

    @staticmethod
    def concerns(sequence: Sequence) -> bool:
        """See `Ban.concerns`."""
        return bool(sequence.sampling.bad_words_ids)

    def banned(self, sequence: Sequence, tail: list[int]) -> TokenIds:
        """See `Ban.banned`."""
        return remembered(sequence, _Beginnings).endings(sequence.token_ids, tail)


class _Beginnings:
    """From the beginning of a word to the tokens that would finish one.

    A step looks up one beginning for each length that occurs, however many words there are.
    """

    def __init__(self, sequence: Sequence) -> None:
        endings: dict[tuple[int, ...], set[int]] = {}
        for word in sequence.sampling.bad_words_ids:
            endings.setdefault(tuple(word[:-1]), set()).add(word[-1])
        self._always = np.array(sorted(endings.pop((), ())), dtype=np.int64)
        self._endings = {start: np.array(sorted(ends), dtype=np.int64) for start, ends in endings.items()}
        self._lengths = sorted({len(start) for start in self._endings})

    def endings(self, text: list[int], tail: list[int]) -> TokenIds:
        """The tokens that would finish a word here."""
        end = text[-self._lengths[-1] :] + tail if self._lengths else tail
        starts = (tuple(end[-length:]) for length in self._lengths)
        found = [tokens for tokens in map(self._endings.get, starts) if tokens is not None]
        return np.concatenate([self._always, *found]) if found else self._always


class NoRepeatNgram(Ban):
    """A token that would write a run of `no_repeat_ngram_size` tokens for the second time is out of reach.

    Prompt and answer count. Size 1 forbids every token that was ever there, an end of sequence in the prompt included.

    See: Paulus et al., "A Deep Reinforced Model for Abstractive Summarization" (2018), section 2.5.
    """

    @staticmethod
    def concerns(sequence: Sequence) -> bool:
        """See `Ban.concerns`."""
        return sequence.sampling.no_repeat_ngram_size > 0

    def banned(self, sequence: Sequence, tail: list[int]) -> TokenIds:
        """See `Ban.banned`."""
        followers = remembered(sequence, _Runs)
        followers.read(sequence.token_ids, self._context.vocab_size)
        return followers.after(sequence.token_ids, tail)


class _Runs:
    """Tokens that followed each run of `size - 1` tokens.

    Read once, token by token: a step costs one entry and one look-up, however long the text is.
    """

    def __init__(self, sequence: Sequence) -> None:
        self._length = sequence.sampling.no_repeat_ngram_size - 1
        self._followers: dict[tuple[int, ...], array[int]] = {}
        self._num_read = self._length

    def read(self, text: list[int], vocab_size: int) -> None:
        """Take note of the tokens that are new."""
        for index in range(self._num_read, len(text)):
            if text[index] >= vocab_size:
                continue  # a prompt may hold tokens that have no score
            run = tuple(text[index - self._length : index])
            self._followers.setdefault(run, array("q")).append(text[index])
        self._num_read = max(self._num_read, len(text))

    def after(self, text: list[int], tail: list[int]) -> TokenIds:
        """Return the tokens that followed the run at the end of text and tail; empty if it is new, or they are shorter
        than a run."""
        length = self._length
        end = text[max(len(text) - length, 0) :] + tail
        if len(end) < length:
            return NONE
        run, stop = end[len(end) - length :], len(end)
        found = list(self._followers.get(tuple(run), ()))
        found += [end[at] for at in range(max(length, stop - len(tail)), stop) if end[at - length : at] == run]
        return np.array(found, dtype=np.int64)


class MinTokens(Ban):
    """End-of-sequence and stop tokens out of reach until `min_tokens`."""

    @staticmethod
    def concerns(sequence: Sequence) -> bool:
        """See `Ban.concerns`."""
        return sequence.num_output < sequence.sampling.min_tokens

    def banned(self, sequence: Sequence, tail: list[int]) -> TokenIds:
        """See `Ban.banned`."""
        sampling = sequence.sampling
        if sequence.num_output + len(tail) >= sampling.min_tokens:
            return NONE
        # A constrained text ends with the end of sequence even under `ignore_eos`.
        may_end = sequence.constraint is not None or not sampling.ignore_eos
        ends = set(sampling.stop_token_ids).union(self._context.eos_token_ids if may_end else ())
        return np.array([token for token in ends if token < self._context.vocab_size], dtype=np.int64)
