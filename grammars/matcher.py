"""`Matcher`: the match of one text under one compiled constraint."""

from __future__ import annotations

import contextlib
from bisect import bisect_left
from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from time import thread_time
from typing import Concatenate, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from grammars.automaton import MOST_FORCED_BYTES, Automaton
from grammars.errors import TooComplexError
from grammars.jit.options import FastCall
from grammars.kernels.arena import ArenaFullError
from grammars.kernels.matching import advance_now, fill_now
from grammars.kernels.record import (
    CONFIG,
    EPOCH,
    NUM_TOKENS,
    REACH,
    SHORT,
    TEXT_ROOM,
    Record,
    forked,
    past_of,
    take_back,
    take_end,
)
from grammars.kernels.spans import NO_LIMIT
from grammars.vocabulary.spelling import without_begun

Row = NDArray[np.uint32]
Answer = TypeVar("Answer")
Arguments = ParamSpec("Arguments")
_FILL, _ADVANCE = FastCall(fill_now), FastCall(advance_now)
_WORD = np.dtype(np.uint32)
_ENDED = 0
_MAX_TRIED, _MAX_FOLLOWED = 1_000, 32
_STEERING_SECONDS = 0.2
_MOST_SPARED = 4_096
_SPARED_FOR_CHECKS = 64
_MORE = (1, 2, 4, 8, 16, 32, 64)


class Matcher:
    """Match of a compiled grammar: the tokens so far and those that may follow. See `kernels.record`.

    `rollback` goes back in it, `fork` copies it (8 bytes a token, and the text where checks look at it). A fork shares
    nothing mutable with its origin.

    Attributes:
        compiled: the constraint that is matched.
    """

    __slots__ = ("_address", "_record", "compiled")

    def __init__(self, compiled: Automaton) -> None:
        self.compiled = compiled
        self._hold(compiled.record())

    def _hold(self, record: Record) -> None:
        self._record = record
        self._address = 0

    def _record_address(self) -> int:
        """Return the address of the record, valid while it is held."""
        if self._address == 0:
            # Found out when a batch asks for it, which many matchers never see.
            self._address = int(self._record.__array_interface__["data"][0])
        return self._address

    @property
    def is_complete(self) -> bool:
        """True if the text so far is a whole match."""
        return self.is_ended or self._alone(lambda record: self.compiled.accepts(record, int(record[CONFIG])))

    @property
    def is_ended(self) -> bool:
        """True if an end token was accepted."""
        return bool(self._record[CONFIG] == _ENDED)

    @property
    def num_tokens(self) -> int:
        """Tokens accepted so far."""
        return int(self._record[NUM_TOKENS])

    @property
    def tokens_to_complete(self) -> int:
        """Tokens that surely suffice to complete the text, the end token not counted."""
        return 0 if self.is_ended else self._alone(self.compiled.cost)

    def is_narrowed_by(self, tokens_left: int) -> bool:
        """True if a budget of `tokens_left` may have left tokens out of the mask that was filled last.

        Exact where no check looks at the text; with checks true a little sooner, as what they need is an upper bound.
        """
        spared = _SPARED_FOR_CHECKS if self._record[TEXT_ROOM] else 0
        return bool(self._record[REACH] + spared >= tokens_left)

    @property
    def num_short_masks(self) -> int:
        """Masks so far that took too long to make, and hold tokens of one byte, and few of the longer ones."""
        return int(self._record[SHORT])

    def fill_mask(self, row: Row, tokens_left: int | None = None) -> None:
        """Write which tokens may come next: bit ``t % 32`` of word ``t // 32`` for token t.

        End tokens are set exactly where the text is complete. With `tokens_left`, only tokens after which a complete
        text is reachable in ``tokens_left - 1`` more are set, so that a budget never cuts a text. Where a check refused
        all of those after the first token, the ones that need the least are set: what is needed is an upper bound.

        Args:
            row: overwritten. Shapes: uint32[ceil(V / 32)].
            tokens_left: tokens that may still be written; the end token needs none of them.

        Raises:
            TypeError, ValueError: the row is not such an array.
        """
        # Kernels take an array for what it should be. These few looks cost 0.15 us, all others follow where they fail.
        if row.__class__ is not np.ndarray or row.dtype is not _WORD or row.ndim != 1 or not row.flags.carray:
            _check_rows(row, (self.compiled.num_words,))
        limit = _limit(tokens_left)
        status = _FILL.call(self.compiled.arena.kernel, self._record, limit, row)
        if status < 0:
            _check_rows(row, (self.compiled.num_words,))
            self._fill_plainly(limit, row)
        self._look_further(row, tokens_left)

    def _fill_without_gil(self, row: Row, tokens_left: int | None) -> None:
        self._fill_plainly(_limit(tokens_left), row)
        self._look_further(row, tokens_left)

    def _look_further(self, row: Row, tokens_left: int | None) -> None:
        if tokens_left is not None and self.compiled.is_checked and _is_empty(row) and not self.is_ended:
            self._steer(row, tokens_left)
            if _is_empty(row) and tokens_left > 0 and self.num_tokens > 0:
                self._spare(row, tokens_left)

    def _spare(self, row: Row, tokens_left: int) -> None:
        """Set the tokens with the lowest estimated need, if every way that was followed needs too many.

        What is said counts a value to spare for each check ahead, and few of those fail.
        """
        more = 1
        while more < _MOST_SPARED and not self._goes_on(tokens_left + more):
            more *= 2
        budgets = range(tokens_left + more // 2 + 1, tokens_left + more)
        self._fill_plainly(_limit(budgets.start + bisect_left(budgets, True, key=self._goes_on)), row)

    def _steer(self, row: Row, tokens_left: int) -> None:
        """Set a token after which the text can still be completed, if checks refuse every shortest way.

        The budget holds as much to spare for such a check as another value takes. Ways are followed to where what is
        left suffices, those first that lack the least; of ways that differ in blanks alone, one.
        """
        texts, num_tries, end = self.compiled.vocabulary.tokens, 0, thread_time() + _STEERING_SECONDS
        ways: list[tuple[int, int, int, Matcher, int, bytes]] = [(0, 0, tokens_left - 1, self, -1, b"")]
        seen: set[tuple[int, bytes]] = set()
        while ways:
            _, _, left, place, first, way = heappop(ways)
            for token_id in place._dearer(left) if left >= 0 else ():
                ahead, begun, num_tries = place.fork(), token_id if first < 0 else first, num_tries + 1
                if num_tries > _MAX_TRIED or thread_time() > end:
                    return
                if not ahead.accept(token_id) or ahead.is_ended:
                    continue
                lacking, further = ahead.tokens_to_complete - left, b"".join([way, *(texts[token_id] or b"").split()])
                if lacking <= 0 and ahead._goes_on(left):
                    row[begun >> 5] |= np.uint32(1) << np.uint32(begun & 31)
                    return
                key = int(ahead._record[CONFIG]), further
                if key not in seen:
                    seen.add(key)
                    heappush(ways, (lacking, -num_tries, left - 1, ahead, begun, further))

    def _goes_on(self, tokens_left: int) -> bool:
        """True if some token may come next, judged by costs."""
        return not _is_empty(self._seen(_limit(tokens_left)))

    def _dearer(self, limit: int) -> list[int]:
        """Return some of the tokens after which more than `limit` are needed by estimate, the cheapest first."""
        found: dict[int, None] = {}
        for more in _MORE:
            found |= dict.fromkeys(_first_tokens(self._seen(limit + more), len(found) + _MAX_FOLLOWED))
            if len(found) >= _MAX_FOLLOWED:
                break
        return list(found)

    def _seen(self, limit: int) -> Row:
        """Return the mask at this limit for a look ahead, without the tokens about which checks take too long."""
        row = np.empty(self.compiled.num_words, _WORD)
        self._alone(self.compiled.fill, limit, row, may_be_empty=True)
        return row

    def _fill_plainly(self, limit: int, row: Row) -> None:
        self._alone(self.compiled.fill, limit, row)

    def accept(self, token_id: int) -> bool:
        """Take the token if it is allowed; False, and nothing changed, when it is not.

        An end token is allowed where the text is complete, and ends the match: nothing is allowed after it. A token
        that no mask has shown is not allowed where its way takes more steps than two masks may.
        """
        try:
            taken = _ADVANCE.call(self.compiled.arena.kernel, self._record, token_id)
        except OverflowError:
            return False
        if taken == 1:
            return True
        if taken < 0:
            try:
                taken = self._alone(self.compiled.advance, token_id)
            except TooComplexError as error:
                if error.limit != "max_match_steps":
                    raise
                return False
        # To kernels an end token is one that is never allowed.
        if taken == 0:
            if token_id not in self.compiled.vocabulary.eos_token_ids or self.is_ended or not self.is_complete:
                return False
            taken = take_end(self._record, token_id)
        if taken == 2:
            self._hold(self.compiled.with_room(self._record))
        return True

    def accept_text(self, data: bytes) -> bool:
        """True if `data` may follow and completes the match; nothing is changed."""
        return self._alone(lambda _: self._accepts_after(data))

    def allowed_prefix(self, data: bytes) -> int:
        """Return the number of bytes of `data` that may follow; nothing is changed."""
        return self._alone(lambda _: self._after(data))[1]

    def _after(self, data: bytes) -> tuple[int, int]:
        """Return the configuration after `data` and the number of bytes allowed. The caller holds the arena."""
        # Not before: finding the configurations again makes another record.
        self._hold(self.compiled.with_room(self._record, len(data)))
        return self.compiled.advance_text(self._record, data)

    def _accepts_after(self, data: bytes) -> bool:
        following, _ = self._after(data)
        return following > 0 and self.compiled.accepts(self._record, following, len(data))

    def forced_bytes(self, most: int = MOST_FORCED_BYTES) -> bytes:
        """Return the bytes that must come next, up to the first choice, the end of the text, or a number of bytes."""
        return b"" if self.is_ended else self._alone(self.compiled.forced_bytes, most)

    def forced_tokens(self) -> list[int]:
        """Return the tokens that must come next, in the tokenizer's canonical tokenization; none if there is a choice.

        A token at the end is left out when a longer token of the vocabulary could run on beyond the forced text:
        what follows may belong to it.
        """
        data = without_begun(self.forced_bytes())
        if not data:
            return []
        tokens = self.compiled.vocabulary.encode(data)
        if self.accept_text(data):
            return tokens
        return self.compiled.vocabulary.settled(tokens)

    def fork(self) -> Matcher:
        """Return an independent matcher at the same place."""
        twin = object.__new__(Matcher)
        twin.compiled = self.compiled
        twin._hold(forked(self._record))
        return twin

    def rollback(self, num_tokens: int) -> None:
        """Take back the last `num_tokens` accepted tokens.

        Raises:
            ValueError: fewer tokens were accepted.
        """
        if not 0 <= num_tokens <= self.num_tokens:
            raise ValueError(f"{self.num_tokens} tokens were accepted, {num_tokens} cannot be taken back")
        if num_tokens:
            take_back(self._record, num_tokens, self.compiled.vocabulary.tables.arrays["token_start"])

    def _alone(
        self, call: Callable[Concatenate[Record, Arguments], Answer], *args: Arguments.args, **more: Arguments.kwargs
    ) -> Answer:
        """Call with the record while holding the arena, with configurations of its epoch."""
        compiled = self.compiled
        with compiled.arena.alone():
            if self._record[EPOCH] != compiled.arena.epoch:
                self._replay()
            return compiled.in_room(self._record, call, *args, **more)

    def _replay(self) -> None:
        """Find the configurations of all accepted tokens again, after the arena was emptied."""
        compiled, record = self.compiled, self.compiled.record()
        for token_id in past_of(self._record)[0].tolist():
            taken = compiled.in_room(record, compiled.advance, token_id)
            taken = taken or take_end(record, token_id)
            if taken == 2:
                record = compiled.with_room(record)
        self._hold(record)


def _limit(tokens_left: int | None) -> int:
    """Return a budget as kernels take it."""
    return NO_LIMIT if tokens_left is None else min(tokens_left - 1, NO_LIMIT)


def _first_tokens(row: Row, count: int) -> list[int]:
    """Return the first tokens that a mask allows, up to a number."""
    words = np.flatnonzero(row)[:count]
    bits = np.flatnonzero(np.unpackbits(row[words].view(np.uint8), bitorder="little"))[:count]
    tokens: list[int] = (words[bits >> 5] << 5 | bits & 31).tolist()
    return tokens


def _check_rows(rows: Row, shape: tuple[int, ...]) -> None:
    """Raise TypeError or ValueError unless kernels can write masks into these rows, of which there may be more."""
    if not isinstance(rows, np.ndarray) or rows.dtype != _WORD:
        raise TypeError(f"masks are written into a numpy array of uint32, not {getattr(rows, 'dtype', type(rows))}")
    if rows.ndim != len(shape) or rows.shape[-1] != shape[-1] or len(rows) < shape[0]:
        raise ValueError(f"masks need an array of shape {shape}, not {rows.shape}")
    if not rows.flags.carray:
        raise ValueError("masks need an array that is C-contiguous, aligned and writeable")


def _is_empty(row: Row) -> bool:
    """True if a mask allows nothing. Cost: 0.2 us, `count_nonzero` 0.6, `any` 2.7."""
    return row.tobytes() == bytes(row.nbytes)


def fill_masks(matchers: Sequence[Matcher], rows: Row, tokens_left: Sequence[int | None] | None = None) -> None:
    """Fill the mask of each matcher into its row, with one kernel call for all matchers of one constraint.

    To gather a batch costs as much as four masks: a matcher that is alone with its constraint is asked by itself, and
    like a batch without the GIL.

    Args:
        matchers: their order is that of the rows.
        rows: overwritten. Shapes: uint32[len(matchers), ceil(V / 32)], C-contiguous.
        tokens_left: as in `Matcher.fill_mask`, one a matcher.

    Raises:
        TypeError, ValueError: the rows are not such an array, or there are too few, or too few budgets.
    """
    if tokens_left is not None and len(tokens_left) != len(matchers):
        raise ValueError(f"{len(matchers)} matchers need as many budgets, not {len(tokens_left)}")
    for num_words in {matcher.compiled.num_words for matcher in matchers}:
        _check_rows(rows, (len(matchers), num_words))
    compiled = matchers[0].compiled if matchers else None
    if len(matchers) > 1 and all(matcher.compiled is compiled for matcher in matchers):
        _fill_group(matchers, np.arange(len(matchers)), rows, tokens_left)
        return
    left = tokens_left if tokens_left is not None else [None] * len(matchers)
    groups: dict[int, list[int]] = {}
    for i, matcher in enumerate(matchers):
        groups.setdefault(id(matcher.compiled), []).append(i)
    for members in groups.values():
        if len(members) == 1:
            matchers[members[0]]._fill_without_gil(rows[members[0]], left[members[0]])
            continue
        some_left = tokens_left if tokens_left is None else [left[i] for i in members]
        _fill_group([matchers[i] for i in members], np.array(members, dtype=np.int64), rows, some_left)


def _fill_group(
    matchers: Sequence[Matcher], places: NDArray[np.int64], rows: Row, tokens_left: Sequence[int | None] | None
) -> None:
    """Fill the masks of matchers of one constraint into the rows at `places`."""
    compiled, number, done = matchers[0].compiled, len(matchers), 0
    if tokens_left is None:
        limits = np.full(number, NO_LIMIT, dtype=np.int64)
    else:
        limits = np.array(list(map(_limit, tokens_left)), dtype=np.int64)
    records = [matcher._record for matcher in matchers]
    addresses = np.array([matcher._address or matcher._record_address() for matcher in matchers], dtype=np.int64)
    with contextlib.suppress(ArenaFullError), compiled.arena.alone():
        done = compiled.fill_many(records, addresses, limits, rows, places)
    if done == number and (tokens_left is None or not compiled.is_checked):
        return
    for i, (matcher, place) in enumerate(zip(matchers, places.tolist(), strict=True)):
        left = None if tokens_left is None else tokens_left[i]
        # Where checks refuse all that the budget leaves, a matcher looks further by itself.
        if i >= done or (compiled.is_checked and left is not None and _is_empty(rows[place])):
            matcher.fill_mask(rows[place], left)
