"""`CompiledGrammar`: a network on a vocabulary, shared by all matchers of the constraint."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grammars.errors import TooComplexError, UnsatisfiableError
from grammars.explanation import Explanation, explain
from grammars.kernels import arena as memory
from grammars.kernels import guards, matching, spans, successor, whole
from grammars.kernels.arena import FULL, WANTED, ArenaFullError, memories_of
from grammars.kernels.arrays import ArenaArrays
from grammars.kernels.closure import close_one
from grammars.kernels.options import Entry
from grammars.kernels.record import (
    CONFIG,
    EPOCH,
    NUM_TOKENS,
    ROOM,
    SIZE,
    TEXT_ROOM,
    Record,
    copied,
    new_record,
    text_of,
)
from grammars.kernels.recycling import Memories
from grammars.limits import Limits
from grammars.matcher import Matcher
from grammars.network.network import UNREACHABLE, Network
from grammars.report import EnforcementReport
from grammars.vocabulary.partitions import EMPTY
from grammars.vocabulary.vocabulary import Vocabulary

_MOST_FORCED_BYTES = 4096
_CLOSE = Entry(close_one)
_FILL, _FILL_MANY = Entry(matching.fill_match), Entry(matching.fill_many)
_ADVANCE = Entry(matching.advance_match)
# What a record has room for at first.
_FIRST_TOKENS, _FIRST_BYTES = 128, 1024
_empty_record = cache(partial(new_record, _FIRST_TOKENS))


class CompiledGrammar:
    """A constraint ready for matching.

    Thread-safe: its matchers may be used from several threads, one thread a matcher. Kernels run one at a time for each
    compiled constraint: those for batches, and all that takes long, without the GIL.

    Attributes:
        network: the automaton as data.
        vocabulary: what the masks are over.
        report: per place and keyword, how it is enforced.
        min_tokens: tokens that surely suffice for the shortest complete text, the end token not counted.
        arena: what was met so far; for `Matcher`.
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
        self.is_guarded = len(network.guards) > 0
        self._margin = vocabulary.tables.longest_token + 2
        self._begin()
        self.arena.open()

    def rehearse(self) -> None:
        """Does once what only some texts need, so that its machine code is loaded before one of them comes."""
        with self.arena.alone():
            self.arena.grow("stacks")
            self.arena.grow("configs")
            self.arena.refresh_partition()
            self.arena.renew()
            self._begin()
        # So kernels know the types of what they are given, too.
        matcher = Matcher(self)
        matcher.fill_mask(np.zeros(self.num_words, dtype=np.uint32))
        matcher.accept(0)

    def _begin(self) -> None:
        """Finds the configuration of the root in an arena that was just set up, and lets matches begin with it."""
        begin = self.arena.begin
        if begin < 0:
            begin = self._run(lambda: _CLOSE.call(self.arena.kernel, self.network.root, 0, 0))
        self._begin_with(begin)

    def _begin_with(self, config: int) -> None:
        self._start = self.arena.epoch, config

    def record(self) -> Record:
        """The record of an empty text."""
        record = _empty_record(_FIRST_BYTES + self._margin if self.is_guarded else 0).copy()
        record[EPOCH], record[CONFIG] = self._start
        return record

    def matcher(self) -> Matcher:
        """A matcher at the beginning of the text."""
        return Matcher(self)

    def to_bytes(self) -> bytes:
        """The network, from which `Compiler.load` makes the same constraint again."""
        return self.network.to_bytes()

    def explain(self) -> Explanation:
        """What is enforced by masks and what by guards, with the shortest example and the network's size."""
        return explain(self)

    @property
    def num_bytes(self) -> int:
        """Memory of the configurations, rows and masks met so far."""
        return self.arena.num_bytes

    # The methods below are for `Matcher`; the caller is alone on the arena.

    def fill(self, record: Record, limit: int, row: NDArray[np.uint32]) -> None:
        """Writes the mask of a match."""
        self._run(lambda: _FILL.call(self.arena.kernel, record, limit, row), record)

    def fill_many(
        self,
        records: list[Record],
        addresses: NDArray[np.int64],
        limits: NDArray[np.int64],
        rows: NDArray[np.uint32],
        places: NDArray[np.int64],
    ) -> int:
        """Writes the mask of each match into its row; one kernel call unless something is missing.

        Args:
            addresses: of the records; places: row of each.

        Returns:
            How many are done: not all where the next one's configurations are those of another epoch.
        """
        kernel, epoch, done = self.arena.kernel, self.arena.epoch, 0
        while True:
            done, status = _FILL_MANY.call(kernel, addresses, epoch, limits, rows, places, done)
            if status == 0 or status == matching.ELSEWHERE:
                return int(done)
            self._provide(status, records[done])

    def advance(self, record: Record, token_id: int) -> int:
        """Takes a token; 0 when it is not allowed, else see `kernels.record.take`."""
        return self._run(lambda: _ADVANCE.call(self.arena.kernel, record, token_id), record)

    def advance_text(self, record: Record, data: bytes) -> tuple[int, int]:
        """The configuration after `data` (0: refused), for which there is room, and how many bytes were allowed."""
        array = np.frombuffer(data, dtype=np.uint8)
        while True:
            following, used = matching.advance_text(self.arena.kernel, record, array)
            if following >= 0:
                return int(following), int(used)
            self._provide(following, record)

    def forced_bytes(self, record: Record) -> bytes:
        """The bytes that must come next, up to the first choice or the end of the text."""
        out = np.empty(_MOST_FORCED_BYTES, dtype=np.uint8)
        used = self._run(lambda: successor.forced_bytes(self.arena.kernel, int(record[CONFIG]), out))
        return out[:used].tobytes()

    def accepts(self, record: Record, config: int, num_more: int = 0) -> bool:
        """Whether the text is complete in `config`, where `num_more` bytes stand behind it."""
        return bool(self.arena.arrays["config_accepts"][self._settled(record, config, num_more)])

    def cost(self, record: Record) -> int:
        """Tokens that suffice to complete the text."""
        return int(self.arena.arrays["config_cost"][self._settled(record, int(record[CONFIG]), 0)])

    def with_room(self, record: Record, num_bytes: int = 0) -> Record:
        """The same match with room for one more token at least, and for so many bytes."""
        room, text_room = int(record[ROOM]), int(record[TEXT_ROOM])
        needed = int(record[SIZE]) + num_bytes + self._margin if text_room else 0
        if record[NUM_TOKENS] < room and needed <= text_room:
            return record
        return copied(record, 2 * room, max(2 * needed, text_room))

    def _settled(self, record: Record, config: int, num_more: int) -> int:
        """The configuration with its guards decided by the text; 0 where none holds that had to."""
        return self._run(lambda: matching.settled(self.arena.kernel, record, config, num_more), record)

    def _run(self, call: Callable[[], Any], record: Record | None = None) -> int:
        answer = call()
        while answer < 0:
            self._provide(answer, record)
            answer = call()
        return int(answer)

    def _provide(self, status: int, record: Record | None = None) -> None:
        """Gives the kernels what they stopped for.

        Raises:
            TooComplexError: a single match needs more than its limit.
            ArenaFullError: the arena is at its limit; it was emptied, and matchers must replay their tokens.
        """
        counters = self.arena.counters
        if status == WANTED:
            kind = int(counters[memory.WANTED_KIND])
            if kind == guards.WANT_ANSWERS:
                assert record is not None
                self._answer(record)
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
        elif self.arena.grow(name):
            return
        elif name == "work":
            limit = self.limits.max_configuration_pairs
            raise TooComplexError("max_configuration_pairs", limit + 1, limit)
        else:
            self.arena.reset()
            begin = self.arena.begin
            while begin < 0 and self.arena.grow(self.arena.full_array):
                begin = close_one(self.arena.kernel, self.network.root, 0, 0)
            self._begin_with(int(begin))
            raise ArenaFullError(name)

    def _answer(self, record: Record) -> None:
        """Asks the guards that the last call could not decide."""
        arrays, counters = self.arena.arrays, self.arena.counters
        questions, tails, base = arrays["question"], arrays["question_text"], counters[memory.TEXT_SIZE]
        text = text_of(record)
        for number in range(counters[memory.NUM_QUESTIONS]):
            guard, size, key = questions[number].tolist()
            length = size - base
            if length > tails.shape[1]:
                asked = text[:size].tobytes()
            else:
                asked = text[:base].tobytes() + tails[number, :length].tobytes()
            predicate = self.network.guards[guard].predicate
            assert predicate is not None
            if not guards.answer_question(self.arena.kernel, key, predicate(asked)):
                limit = len(arrays["answer_key"])
                raise TooComplexError("max_guard_answers", limit + 1, limit)
        counters[memory.NUM_QUESTIONS] = 0

    def _provide_partition(self, kind: int, wanted: int) -> None:
        arrays = self.arena.arrays
        if kind == spans.WANT_PARTITION:
            is_counted = self.network.is_counted(wanted)
            arrays["partition_of"][wanted] = self._partitions.of_class(self.network.classes[wanted], is_counted)
        elif kind == spans.WANT_LOOP:
            loop = self._partitions.of_loop(arrays["loop_bytes"])
            arrays["config_loop"][wanted] = whole.NO_LOOP if loop < 0 else loop + 1
        elif self._partitions.is_full:
            self._do_without(wanted)
        elif kind == spans.WANT_OUTSIDE:
            self._partitions.build_outside(wanted)
        else:
            self._partitions.build_residuals(wanted, np.flatnonzero(arrays["loop_bytes"]))
        self.arena.refresh_partition()

    def _do_without(self, partition: int) -> None:
        """Lets masks walk where the partition would have to grow: there is no room."""
        arrays = self.arena.arrays
        classes, loops = arrays["partition_of"], arrays["config_loop"][: int(arrays["counters"][memory.NUM_CONFIGS])]
        classes[classes == partition] = EMPTY
        loops[loops == partition + 1] = whole.NO_LOOP
