"""`Automaton`: a network on a vocabulary, with the configurations that its matches have met."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import cache, partial
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from grammars.errors import TooComplexError, UnsatisfiableError
from grammars.jit.options import FastCall
from grammars.kernels import arena as memory
from grammars.kernels import checks, mask, matching, spans, successor
from grammars.kernels import record as rec
from grammars.kernels.arena import FULL, WANTED, ArenaFullError, memories_of
from grammars.kernels.arrays import ArenaArrays
from grammars.kernels.closure import close_one, move_config
from grammars.kernels.memory import Memories
from grammars.limits import Limits
from grammars.network.checks import holds_after
from grammars.network.network import UNREACHABLE, Network
from grammars.report import EnforcementReport
from grammars.vocabulary.vocabulary import Vocabulary

MOST_FORCED_BYTES = 4096
_CHECK_SECONDS = 0.1
# Times the limits that an arena has room for at least: when it is full, when it is full again, and then.
_ROOM = (1, 4, 16)
Answer = TypeVar("Answer")
Arguments = ParamSpec("Arguments")
_FIRST_ROW = np.zeros(1, dtype=np.int64)
_CLOSE, _MOVE = FastCall(close_one), FastCall(move_config)
_FILL_MANY = FastCall(matching.fill_many)
_ADVANCE = FastCall(matching.advance_match)
# What a record has room for at first.
_FIRST_TOKENS, _FIRST_BYTES = 128, 1024
_empty_record = cache(partial(rec.new_record, _FIRST_TOKENS))


class Automaton:
    """Moves and masks of a network's configurations, computed by kernels that may ask Python.

    All but the attributes is for `Matcher`, which sees to it that it is alone on the arena, and that configurations are
    those of the arena's epoch.

    Attributes:
        network: the automaton as data.
        vocabulary: what the masks are over.
        report: per place and keyword, how it is enforced.
        min_tokens: tokens that surely suffice for the shortest complete text, the end token not counted.
        arena: what was met so far.
    """

    def __init__(
        self, network: Network, vocabulary: Vocabulary, limits: Limits, memories: Memories | None = None
    ) -> None:
        self.network = network
        self.vocabulary = vocabulary
        self.limits = limits
        self.report: EnforcementReport = network.report
        self.min_tokens = network.root_cost
        if self.min_tokens >= UNREACHABLE:
            raise UnsatisfiableError("no text that matches can be written with this vocabulary")
        self.num_words = vocabulary.tables.num_words
        memories = memories or memories_of(vocabulary, limits)
        while True:
            self._partitions = vocabulary.partitions
            self.arena = ArenaArrays(network, vocabulary, limits, memories)
            # Another thread may have renewed them meanwhile: an arena's indices are those of one generation.
            if self._partitions is vocabulary.partitions:
                break
        self.is_checked = len(network.checks) > 0
        self._margin = vocabulary.tables.longest_token + 2
        self._begin()
        self.arena.open()

    def warm_up_rare(self) -> None:
        """Load the machine code that only some texts need, before one of them needs it."""
        with self.arena.alone():
            self.arena.grow("stacks")
            self.arena.grow("configs")
            self.arena.grow("sets")
            checks.answer_question(self.arena.kernel, 1, True)
            self.arena.renew()
            self._begin()
            self.advance(self.record(), 0)
            self.empty(self.record())

    def _begin(self) -> None:
        """Find the configuration of the root in a new arena, with which matches begin."""
        begin = self.arena.begin
        if begin < 0:
            try:
                begin = self._run(lambda: _CLOSE.call(self.arena.kernel, self.network.root, 0, 0))
            except ArenaFullError as full:
                raise self.refusal(full) from None
        self._start = self.arena.epoch, begin

    def in_room(
        self,
        record: rec.Record,
        call: Callable[Concatenate[rec.Record, Arguments], Answer],
        *args: Arguments.args,
        **more: Arguments.kwargs,
    ) -> Answer:
        """Return the answer of `call(record, ...)`, for which an arena that is full is emptied, and one that is full
        again gets more room.

        Raises:
            TooComplexError: the match needs more than there is room for.
        """
        for times in _ROOM:
            try:
                return call(record, *args, **more)
            except ArenaFullError:
                self.empty(record, times)
        try:
            return call(record, *args, **more)
        except ArenaFullError as full:
            self.empty()
            raise self.refusal(full) from None

    def empty(self, record: rec.Record | None = None, times: int = 1) -> None:
        """Drop all configurations. The match of the record goes on; others find their configurations again.

        Args:
            times: the limits, for which there is room at least from now on.
        """
        before = self.arena.reset(times)
        self._begin()
        if record is not None and before is not None:
            config = int(record[rec.CONFIG])
            record[rec.CONFIG] = self._run(lambda: _MOVE.call(before.kernel, self.arena.kernel, config))
            record[rec.EPOCH] = self.arena.epoch
            rec.forget_past(record)

    def refusal(self, full: ArenaFullError) -> TooComplexError:
        """Return the error of a match that needs more than its limit."""
        name = "max_configuration_pairs" if full.name == "work" else "max_configurations"
        limit = int(getattr(self.limits, name))
        return TooComplexError(name, limit + 1, limit)

    def record(self) -> rec.Record:
        """Return the record of an empty text."""
        record = _empty_record(_FIRST_BYTES + self._margin if self.is_checked else 0).copy()
        record[rec.EPOCH], record[rec.CONFIG] = self._start
        return record

    def to_bytes(self) -> bytes:
        """Return the network as bytes, for `Compiler.load`."""
        return self.network.to_bytes()

    @property
    def num_bytes(self) -> int:
        """Memory of the configurations, rows and masks met so far."""
        return self.arena.num_bytes

    def fill(
        self,
        record: rec.Record,
        limit: int,
        row: NDArray[np.uint32],
        seconds: float = _CHECK_SECONDS,
        *,
        may_be_empty: bool = False,
    ) -> None:
        """Write the mask of a match, see `fill_many`."""
        address = np.array([record.__array_interface__["data"][0]])
        limits = np.array([limit])
        if self.fill_many([record], address, limits, row[None], _FIRST_ROW, seconds, may_be_empty=may_be_empty) < 1:
            raise ArenaFullError("configs")

    def fill_many(
        self,
        records: list[rec.Record],
        addresses: NDArray[np.int64],
        limits: NDArray[np.int64],
        rows: NDArray[np.uint32],
        places: NDArray[np.int64],
        seconds: float = _CHECK_SECONDS,
        *,
        may_be_empty: bool = False,
    ) -> int:
        """Write the mask of each match into its row, with one kernel call unless something is missing.

        Args:
            addresses: of the records; places: row of each.
            seconds: for what checks are asked about one mask; tokens that they do not come to are not allowed.
            may_be_empty: or else checks are asked about all tokens where that leaves none.

        Returns:
            How many are done: not all where the next one's configurations are those of another epoch.
        """
        done, emptied_for, deadline = 0, -1, math.inf
        while True:
            arena, first = self.arena, done
            done, status = _FILL_MANY.call(arena.kernel, addresses, arena.epoch, limits, rows, places, done)
            if done > first:
                if deadline < time.perf_counter():
                    # What checks did not come to say of the text is forgotten.
                    records[first][rec.VERSION] += 1
                    if not may_be_empty and not rows[places[first]].any():
                        self.fill(records[first], int(limits[first]), rows[places[first]], math.inf)
                deadline = math.inf
            if status == 0 or status == matching.ELSEWHERE:
                return int(done)
            deadline = min(deadline, time.perf_counter() + seconds)
            try:
                self._provide(status, records[done], deadline)
            except ArenaFullError:
                if arena.counters[memory.IS_SHORT] != 0:
                    raise
                # A mask that an empty arena has no room for is made of tokens of few bytes.
                is_short, emptied_for = emptied_for == done, done
                self.empty(records[done])
                arena.counters[memory.IS_SHORT] = is_short

    def advance(self, record: rec.Record, token_id: int) -> int:
        """Take a token; 0 when it is not allowed, else see `kernels.record.take`."""
        return self._run(lambda: _ADVANCE.call(self.arena.kernel, record, token_id), record)

    def advance_text(self, record: rec.Record, data: bytes) -> tuple[int, int]:
        """Return the configuration after `data` (0: refused), for which there is room, and the bytes allowed."""
        array = np.frombuffer(data, dtype=np.uint8)
        while True:
            following, used = matching.advance_text(self.arena.kernel, record, array)
            if following >= 0:
                return int(following), int(used)
            self._provide(following, record)

    def forced_bytes(self, record: rec.Record, most: int) -> bytes:
        """Return the bytes that must come next, up to the first choice, the end of the text, or a number of bytes."""
        out = np.empty(most, dtype=np.uint8)
        used = self._run(lambda: successor.forced_bytes(self.arena.kernel, int(record[rec.CONFIG]), out))
        return out[:used].tobytes()

    def accepts(self, record: rec.Record, config: int, num_more: int = 0) -> bool:
        """True if the text is complete in `config`, where `num_more` bytes follow it."""
        return bool(self.arena.arrays["config_accepts"][self._settled(record, config, num_more)])

    def cost(self, record: rec.Record) -> int:
        """Return a number of tokens that suffices to complete the text."""
        return int(self.arena.arrays["config_cost"][self._settled(record, int(record[rec.CONFIG]), 0)])

    def with_room(self, record: rec.Record, num_bytes: int = 0) -> rec.Record:
        """Return the same match with room for one more token at least, and for a given number of bytes."""
        room, text_room = int(record[rec.ROOM]), int(record[rec.TEXT_ROOM])
        needed = int(record[rec.SIZE]) + num_bytes + self._margin if text_room else 0
        if record[rec.NUM_TOKENS] < room and needed <= text_room:
            return record
        return rec.copied(record, 2 * room, max(2 * needed, text_room))

    def _settled(self, record: rec.Record, config: int, num_more: int) -> int:
        """Return the configuration with its checks decided by the text; 0 if a required one fails."""
        return self._run(lambda: matching.settled(self.arena.kernel, record, config, num_more), record)

    def _run(self, call: Callable[[], Any], record: rec.Record | None = None) -> int:
        answer = call()
        while answer < 0:
            self._provide(answer, record)
            answer = call()
        return int(answer)

    def _provide(self, status: int, record: rec.Record | None = None, deadline: float = math.inf) -> None:
        """Provide what the kernels stopped for; checks that are not asked by the deadline do not hold.

        Raises:
            TooComplexError: a single match needs more than its limit.
            ArenaFullError: the arena is at its limit.
        """
        counters = self.arena.counters
        if status == WANTED:
            kind = int(counters[memory.WANTED_KIND])
            if kind == checks.WANT_ANSWERS:
                assert record is not None
                self._answer(record, deadline)
            else:
                self._provide_partition(kind, int(counters[memory.WANTED_CLASS]))
            return
        assert status == FULL
        name = self.arena.full_array
        if name == "masks":
            self.arena.make_room_for_masks()
        elif name == "steps":
            self.arena.forgive_steps()
            limit = self.limits.max_match_steps
            raise TooComplexError("max_match_steps", limit + 1, limit)
        elif not self.arena.grow(name):
            raise ArenaFullError(name)

    def _answer(self, record: rec.Record, deadline: float) -> None:
        """Ask the checks that the last call could not decide."""
        arrays, counters = self.arena.arrays, self.arena.counters
        questions, tails, base = arrays["question"], arrays["question_text"], counters[memory.TEXT_SIZE]
        text = rec.text_of(record)
        for number in range(counters[memory.NUM_QUESTIONS]):
            check, size, key = questions[number].tolist()
            length = size - base
            if length > tails.shape[1]:
                asked = text[:size].tobytes()
            else:
                asked = text[:base].tobytes() + tails[number, :length].tobytes()
            predicate = self.network.checks[check].predicate
            assert predicate is not None
            holds = time.perf_counter() < deadline and holds_after(predicate, asked)
            if not checks.answer_question(self.arena.kernel, key, holds):
                raise ArenaFullError("answers")
        counters[memory.NUM_QUESTIONS] = 0

    def _provide_partition(self, kind: int, wanted: int) -> None:
        arrays = self.arena.arrays
        if kind == spans.WANT_PARTITION:
            is_counted = self.network.is_counted(wanted)
            arrays["partition_of"][wanted] = self._partitions.of_class(self.network.classes[wanted], is_counted)
        elif kind == spans.WANT_LOOP:
            loop = self._partitions.of_loop(arrays["loop_bytes"])
            arrays["config_loop"][wanted] = mask.NO_LOOP if loop < 0 else loop + 1
        elif kind == spans.WANT_OUTSIDE:
            self._partitions.build_outside(wanted)
        else:
            self._partitions.build_residuals(wanted, np.flatnonzero(arrays["loop_bytes"]))
