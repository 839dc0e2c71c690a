"""`CompiledGrammar`: a network on a vocabulary, shared by all matchers of the constraint."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from grammars.entries import ADVANCE, ADVANCE_GUARDED, FILL, FILL_GUARDED
from grammars.errors import TooComplexError, UnsatisfiableError
from grammars.explanation import Explanation, explain
from grammars.kernels import advancing, guards, mask, spans, successor, whole
from grammars.kernels import arena as memory
from grammars.kernels.arena import FULL, WANTED, ArenaFullError, memories_of
from grammars.kernels.arrays import ArenaArrays
from grammars.kernels.closure import close_one
from grammars.kernels.options import Entry
from grammars.kernels.recycling import Memories
from grammars.limits import Limits
from grammars.matcher import Matcher
from grammars.network.network import UNREACHABLE, Network
from grammars.report import EnforcementReport
from grammars.vocabulary.partitions import EMPTY
from grammars.vocabulary.vocabulary import Vocabulary
from grammars.written import Written

_MOST_FORCED_BYTES = 4096
_CLOSE = Entry(close_one)
_FILL_MANY_GUARDED = Entry(mask.fill_many_guarded)


class CompiledGrammar:
    """A constraint ready for matching.

    Thread-safe: its matchers may be used from several threads, one thread a matcher; kernels run without the GIL,
    one at a time for each compiled constraint.

    Attributes:
        network: the automaton as data.
        vocabulary: what the masks are over.
        report: per place and keyword, how it is enforced.
        min_tokens: tokens that surely suffice for the shortest complete text, the end token not counted.
        arena: what was met so far; seen: the text that kernels look at. Both are for `Matcher`, which holds `lock`.
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
        self.lock = threading.Lock()
        self.num_words = vocabulary.tables.num_words
        memories = memories or memories_of(vocabulary, limits)
        while True:
            self._partitions = vocabulary.partitions
            self.arena = ArenaArrays(network, vocabulary, limits, self.lock, memories)
            # Another thread may have renewed them meanwhile: an arena's indices are those of one generation.
            if self._partitions is vocabulary.partitions:
                break
        self.is_guarded = len(network.guards) > 0
        self.seen: NDArray[np.uint8] | None = None
        self.epoch = 0
        begin = self.arena.begin
        self.start = begin if begin >= 0 else self._begin()

    def rehearse(self) -> None:
        """Does once what only some texts need, so that its machine code is loaded before one of them comes."""
        with self.lock:
            self.arena.grow("stacks")
            self.arena.grow("configs")
            self.arena.refresh_partition()
            self.arena.renew()
            self.start = self._begin()

    def _begin(self) -> int:
        """The configuration of the root in an arena that was just set up."""
        begin = self.arena.begin
        return begin if begin >= 0 else self._run(lambda: _CLOSE.call(self.arena.kernel, self.network.root, 0, 0))

    def written(self) -> Written | None:
        """An empty text, if guards will have to look at it."""
        return Written(self.vocabulary.tables.longest_token + 1) if self.is_guarded else None

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

    # The methods below are for `Matcher`; the caller holds `lock`.

    def fill(self, config: int, limit: int, row: NDArray[np.uint32], written: Written | None) -> None:
        """Writes the mask of `config`."""
        if written is None:
            self._run(lambda: FILL.call(self.arena.kernel, config, limit, row))
            return
        self._look_at(written)
        self._run(
            lambda: FILL_GUARDED.call(self.arena.kernel, config, limit, row, written.size, written.version), written
        )

    def fill_many(
        self,
        configs: NDArray[np.int64],
        limits: NDArray[np.int64],
        rows: NDArray[np.uint32],
        places: NDArray[np.int64],
        texts: list[Written],
    ) -> bool:
        """Writes the mask of ``configs[i]`` into ``rows[places[i]]``; one kernel call unless something is missing.

        Args:
            texts: what was written, where guards look at it; else empty.

        Returns:
            False where masks have to be made one by one: kernels that are not compiled cannot go from text to text.
        """
        if texts and numba.config.DISABLE_JIT:
            return False
        where = np.array([text.place() for text in texts], dtype=np.int64)
        kernel = self.arena.kernel
        done, status, is_again = 0, 0, False
        while True:
            if texts:
                self.seen = None
                done, status = _FILL_MANY_GUARDED.call(kernel, configs, limits, rows, places, where, done, is_again)
            else:
                done, status = mask.fill_many(kernel, configs, limits, rows, places, done)
            if status == 0:
                return True
            self._provide(status, texts[done] if texts else None)
            is_again = True

    def advance(self, config: int, token_id: int, written: Written | None) -> int:
        """The configuration after a token; 0 when it is not allowed."""
        if written is None:
            return self._run(lambda: ADVANCE.call(self.arena.kernel, config, token_id))
        self._look_at(written)
        return self._run(
            lambda: ADVANCE_GUARDED.call(self.arena.kernel, config, token_id, written.size, written.version), written
        )

    def advance_bytes(self, config: int, data: bytes, written: Written | None) -> tuple[int, int]:
        """The configuration after `data` (0: refused), and how many bytes were allowed."""
        array = np.frombuffer(data, dtype=np.uint8)
        if written is not None:
            written.reserve(len(data))
            self.see(written)
        while True:
            if written is None:
                following, used = advancing.advance_bytes(self.arena.kernel, config, array)
            else:
                following, used = guards.advance_bytes_guarded(
                    self.arena.kernel, config, array, written.size, written.version
                )
            if following >= 0:
                return int(following), int(used)
            self._provide(following, written)

    def forced_bytes(self, config: int) -> bytes:
        """The bytes that must come next, up to the first choice or the end of the text."""
        out = np.empty(_MOST_FORCED_BYTES, dtype=np.uint8)
        used = self._run(lambda: successor.forced_bytes(self.arena.kernel, config, out))
        return out[:used].tobytes()

    def accepts(self, config: int, written: Written | None) -> bool:
        """Whether the text is complete in `config`."""
        return bool(self.arena.arrays["config_accepts"][self._settled(config, written)])

    def cost(self, config: int, written: Written | None) -> int:
        """Tokens that suffice to complete the text from `config`."""
        return int(self.arena.arrays["config_cost"][self._settled(config, written)])

    def see(self, written: Written) -> None:
        """Lets kernels look at the text."""
        self.seen = self.arena.arrays["text"] = written.array
        guards.set_text(self.arena.kernel, written.array)

    def _look_at(self, written: Written) -> None:
        """The same, unless they do already."""
        if written.array is not self.seen:
            self.see(written)

    def _settled(self, config: int, written: Written | None) -> int:
        """The configuration with its guards decided by the text; 0 where none holds that had to."""
        if written is None:
            return config
        self._look_at(written)
        kernel, size, version = self.arena.kernel, written.size, written.version
        return self._run(lambda: guards.settle_all(kernel, config, size, version), written)

    def _run(self, call: Callable[[], Any], written: Written | None = None) -> int:
        answer = call()
        while answer < 0:
            self._provide(answer, written)
            answer = call()
        return int(answer)

    def _provide(self, status: int, written: Written | None = None) -> None:
        """Gives the kernels what they stopped for.

        Raises:
            TooComplexError: a single match needs more than its limit.
            ArenaFullError: the arena is at its limit; it was emptied, and matchers must replay their tokens.
        """
        counters = self.arena.arrays["counters"]
        if status == WANTED:
            kind = int(counters[memory.WANTED_KIND])
            if kind == guards.WANT_ANSWERS:
                assert written is not None
                self._answer(written)
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
            self.seen = None
            self.epoch += 1
            begin = self.arena.begin
            while begin < 0 and self.arena.grow(self.arena.full_array):
                begin = close_one(self.arena.kernel, self.network.root, 0, 0)
            self.start = int(begin)
            raise ArenaFullError(name)

    def _answer(self, written: Written) -> None:
        """Asks the guards that the last call could not decide."""
        arrays = self.arena.arrays
        questions, tails = arrays["question"], arrays["question_text"]
        for number in range(int(arrays["counters"][memory.NUM_QUESTIONS])):
            guard, size, key = questions[number].tolist()
            length = size - written.size
            if length > tails.shape[1]:
                text = written.array[:size].tobytes()
            else:
                text = bytes(written) + tails[number, :length].tobytes()
            predicate = self.network.guards[guard].predicate
            assert predicate is not None
            if not guards.answer_question(self.arena.kernel, key, predicate(text)):
                limit = len(arrays["answer_key"])
                raise TooComplexError("max_guard_answers", limit + 1, limit)
        arrays["counters"][memory.NUM_QUESTIONS] = 0

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
