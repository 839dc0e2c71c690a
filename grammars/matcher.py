"""`Matcher`: one text in the making, under one compiled constraint."""

from __future__ import annotations

import contextlib
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from grammars.entries import ADVANCE, ADVANCE_GUARDED, FILL, FILL_GUARDED
from grammars.errors import TooComplexError
from grammars.kernels.arena import FULL, ArenaFullError
from grammars.kernels.spans import NO_LIMIT
from grammars.vocabulary.special import without_begun

if TYPE_CHECKING:
    from collections.abc import Callable

    from grammars.compiled import CompiledGrammar

Row = NDArray[np.uint32]
Answer = TypeVar("Answer")
_ENDED = 0
_MAX_TRIED = 2_000
_MAX_STEERED = 64


class Matcher:
    """Which tokens may come next, and the text so far as one number.

    The past is two arrays of integers, which the garbage collector need not look at; `rollback` shortens them, `fork`
    copies them (8 + 4 bytes a token). A fork shares nothing mutable with its origin.
    """

    __slots__ = ("_compiled", "_config", "_configs", "_epoch", "_tokens", "_written")

    def __init__(self, compiled: CompiledGrammar) -> None:
        self._compiled = compiled
        self._epoch = compiled.epoch
        self._config = compiled.start
        self._configs = array("q")
        self._tokens = array("i")
        self._written = compiled.written()

    @property
    def compiled(self) -> CompiledGrammar:
        """The constraint that is matched."""
        return self._compiled

    @property
    def is_complete(self) -> bool:
        """Whether the text so far is a whole match."""
        if self.is_ended:
            return True
        return self._guarded(lambda: self._compiled.accepts(self._config, self._written))

    @property
    def is_ended(self) -> bool:
        """Whether an end token was accepted."""
        return self._config == _ENDED

    @property
    def num_tokens(self) -> int:
        """Tokens accepted so far."""
        return len(self._tokens)

    @property
    def tokens_to_complete(self) -> int:
        """Tokens that surely suffice to complete the text, the end token not counted."""
        if self.is_ended:
            return 0
        return self._guarded(lambda: self._compiled.cost(self._config, self._written))

    def fill_mask(self, row: Row, tokens_left: int | None = None) -> None:
        """Writes which tokens may come next: bit ``t % 32`` of word ``t // 32`` for token t.

        End tokens are set exactly where the text is complete. With `tokens_left`, only tokens after which a complete
        text is reachable in ``tokens_left - 1`` more are set, so that a budget never cuts a text.

        Args:
            row: overwritten. Shapes: uint32[ceil(V / 32)].
            tokens_left: tokens that may still be written; the end token needs none of them.
        """
        compiled = self._compiled
        if len(row) != compiled.num_words:
            raise ValueError(f"a mask row has {compiled.num_words} words, not {len(row)}")
        limit = NO_LIMIT if tokens_left is None else tokens_left - 1
        if self._config == _ENDED:
            row[:] = 0
            return
        written = self._written
        with compiled.lock:
            status = -1
            if self._epoch == compiled.epoch:
                if written is None:
                    status = FILL.call(compiled.arena.kernel, self._config, limit, row)
                else:
                    if written.array is not compiled.seen:
                        compiled.see(written)
                    status = FILL_GUARDED.call(
                        compiled.arena.kernel, self._config, limit, row, written.size, written.version
                    )
        if status < 0:
            self._guarded(lambda: compiled.fill(self._config, limit, row, self._written))
        if written is not None and tokens_left is not None and not row.any():
            self._steer(row, tokens_left)

    def _steer(self, row: Row, tokens_left: int) -> None:
        """Sets some tokens after which the text can still be completed, where guards refuse every shortest way.

        The budget holds a token to spare for such a guard. Not every token may take it: the next one must be able to
        go on. `_MAX_STEERED` that can are enough.
        """
        wider, beyond, found = np.zeros_like(row), np.zeros_like(row), 0
        self._fill_plainly(tokens_left, wider)
        for token_id in np.flatnonzero(np.unpackbits(wider.view(np.uint8), bitorder="little"))[:_MAX_TRIED]:
            ahead = self.fork()
            if not ahead.accept(int(token_id)) or ahead.is_ended:
                continue
            ahead._fill_plainly(tokens_left - 2, beyond)
            if beyond.any():
                row[token_id >> 5] |= np.uint32(1) << np.uint32(token_id & 31)
                found += 1
                if found == _MAX_STEERED:
                    return

    def _fill_plainly(self, limit: int, row: Row) -> None:
        self._guarded(lambda: self._compiled.fill(self._config, limit, row, self._written))

    def accept(self, token_id: int) -> bool:
        """Takes the token if it is allowed; False, and nothing changed, when it is not.

        An end token is allowed where the text is complete, and ends the match: nothing is allowed after it.
        """
        compiled, config, written = self._compiled, self._config, self._written
        spelled = compiled.vocabulary.spelled
        if config == _ENDED or not 0 <= token_id < len(spelled):
            return False
        following = FULL
        with compiled.lock:
            if self._epoch == compiled.epoch:
                if written is None:
                    following = ADVANCE.call(compiled.arena.kernel, config, token_id)
                else:
                    if written.array is not compiled.seen:
                        compiled.see(written)
                    following = ADVANCE_GUARDED.call(
                        compiled.arena.kernel, config, token_id, written.size, written.version
                    )
        if following < 0:
            following = self._guarded(lambda: compiled.advance(self._config, token_id, written))
        # To kernels an end token is one that is never allowed.
        if following == _ENDED and not (token_id in compiled.vocabulary.eos_token_ids and self.is_complete):
            return False
        self._configs.append(self._config)
        self._tokens.append(token_id)
        self._config = following
        if written is not None and following != _ENDED:
            written.take(len(spelled[token_id]))
        return True

    def accept_text(self, data: bytes) -> bool:
        """Whether `data` may follow and completes the match; nothing is changed."""
        following, _ = self._guarded(lambda: self._compiled.advance_bytes(self._config, data, self._written))
        return following > 0 and self._accepts_after(following, data)

    def allowed_prefix(self, data: bytes) -> int:
        """How many bytes of `data` may follow; nothing is changed."""
        return self._guarded(lambda: self._compiled.advance_bytes(self._config, data, self._written))[1]

    def forced_tokens(self) -> list[int]:
        """The tokens that must come next, in the tokenizer's canonical tokenization; empty where there is a choice.

        A token at the end is left out when a longer token of the vocabulary could run on beyond the forced text:
        what follows may belong to it.
        """
        if self.is_ended:
            return []
        data = without_begun(self._guarded(lambda: self._compiled.forced_bytes(self._config)))
        if not data:
            return []
        tokens = self._compiled.vocabulary.encode(data)
        if self.accept_text(data):
            return tokens
        return self._compiled.vocabulary.settled(tokens)

    def fork(self) -> Matcher:
        """An independent matcher at the same place."""
        twin = object.__new__(Matcher)
        twin._compiled, twin._epoch = self._compiled, self._epoch
        twin._config, twin._configs, twin._tokens = self._config, self._configs[:], self._tokens[:]
        twin._written = None if self._written is None else self._written.copy()
        return twin

    def rollback(self, num_tokens: int) -> None:
        """Takes back the last `num_tokens` accepted tokens.

        Raises:
            ValueError: fewer tokens were accepted.
        """
        if not 0 <= num_tokens <= self.num_tokens:
            raise ValueError(f"{self.num_tokens} tokens were accepted, {num_tokens} cannot be taken back")
        if num_tokens:
            if self._written is not None:
                known = self._compiled.vocabulary.spelled
                ends = self._compiled.vocabulary.eos_token_ids
                taken = (known[t] for t in self._tokens[-num_tokens:] if t not in ends)
                self._written.shorten(sum(map(len, taken)))
            self._config = self._configs[-num_tokens]
            del self._configs[-num_tokens:]
            del self._tokens[-num_tokens:]

    def _accepts_after(self, following: int, data: bytes) -> bool:
        """Whether the text is complete after `data`, which led to the configuration `following`."""
        written = self._written
        if written is not None:
            # The bytes of `data` still stand behind the text.
            written.take(len(data))
        try:
            return self._guarded(lambda: self._compiled.accepts(following, written))
        finally:
            if written is not None:
                written.shorten(len(data))

    def _guarded(self, call: Callable[[], Answer]) -> Answer:
        """`call` under the lock, with configurations of the current epoch."""
        compiled = self._compiled
        with compiled.lock:
            try:
                if self._epoch == compiled.epoch:
                    return call()
            except ArenaFullError:
                pass
            try:
                self._replay()
                return call()
            except ArenaFullError:
                limit = compiled.limits.max_configurations
                raise TooComplexError("max_configurations", limit + 1, limit) from None

    def _replay(self) -> None:
        """Finds the configurations of all accepted tokens again, after the arena was emptied."""
        compiled, configs = self._compiled, array("q")
        config = compiled.start
        written = compiled.written()
        for token_id in self._tokens:
            configs.append(config)
            is_end = token_id in compiled.vocabulary.eos_token_ids
            config = _ENDED if is_end else compiled.advance(config, token_id, written)
            if written is not None and not is_end:
                written.take(len(compiled.vocabulary.spelled[token_id]))
        self._configs, self._config, self._epoch = configs, config, compiled.epoch


def fill_masks(matchers: Sequence[Matcher], rows: Row, tokens_left: Sequence[int | None] | None = None) -> None:
    """Fills the mask of each matcher into its row, one kernel call for all matchers of one constraint.

    Args:
        matchers: their order is that of the rows.
        rows: overwritten. Shapes: uint32[len(matchers), ceil(V / 32)], C-contiguous.
        tokens_left: as in `Matcher.fill_mask`, one a matcher.
    """
    left = tokens_left if tokens_left is not None else [None] * len(matchers)
    if len(matchers) == 1:
        matchers[0].fill_mask(rows[0], left[0])
        return
    groups: dict[int, list[int]] = {}
    for i, matcher in enumerate(matchers):
        groups.setdefault(id(matcher._compiled), []).append(i)
    for members in groups.values():
        _fill_group([matchers[i] for i in members], members, rows, [left[i] for i in members])


def _fill_group(matchers: list[Matcher], places: list[int], rows: Row, left: list[int | None]) -> None:
    compiled = matchers[0].compiled
    is_done = False
    with compiled.lock:
        if all(not m.is_ended and m._epoch == compiled.epoch for m in matchers):
            configs = np.array([m._config for m in matchers], dtype=np.int64)
            limits = np.array([NO_LIMIT if n is None else n - 1 for n in left], dtype=np.int64)
            where = np.array(places, dtype=np.int64)
            texts = [m._written for m in matchers if m._written is not None]
            with contextlib.suppress(ArenaFullError):
                is_done = compiled.fill_many(configs, limits, rows, where, texts)
    for matcher, place, tokens_left in zip(matchers, places, left, strict=True):
        # Where guards refuse all that the budget leaves, a matcher looks further by itself.
        if not is_done or (compiled.is_guarded and tokens_left is not None and not rows[place].any()):
            matcher.fill_mask(rows[place], tokens_left)
