"""Assembly of networks from operations, fragments and parts of other networks."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

import numpy as np

from grammars.errors import InvalidGrammarError, UnsatisfiableError
from grammars.jit.options import FastCall
from grammars.limits import Limits
from grammars.network import assembly
from grammars.network import operations as op
from grammars.network.checks import kinds_of
from grammars.network.fragment import Fragment, Stem, no_stem, stem_of
from grammars.network.network import INT_FIELDS, NUM_STARTS, UNREACHABLE, Network
from grammars.network.parts import Part, Parts
from grammars.network.scratch import filled_scratch, give_back_scratch
from grammars.network.writer import NetworkWriter
from grammars.report import NEVER
from grammars.vocabulary.spelling import SpecialTokens
from grammars.vocabulary.tables import VocabularyTables, no_tables
from grammars.vocabulary.units import unit_tables

_END = array("i", (op.NOTHING,)).tobytes()
# Whether each rule has a text.
HasText = Callable[[list[int]], list[bool]]
_FEWEST_BYTES = INT_FIELDS.index("fewest_bytes")
_ASSEMBLE = FastCall(assembly.assemble)


class NetworkBuilder(NetworkWriter):
    """Network under construction, which may begin with a fragment or with parts of another network.

    Attributes:
        never: return the pointers of members that are never written, given which rules have a text.
        new_values: of a part that is being made, for those after it; None: there is none.
    """

    def __init__(self, limits: Limits | None = None, special_tokens: SpecialTokens | None = None) -> None:
        super().__init__(limits, special_tokens)
        # What the network begins with, and whether there are others.
        self._first: Fragment | Network | None = None
        self._has_grafts = False
        self._parts = Parts({}, 0, {}, set(), {})
        self.new_values: dict[Any, int | None] | None = None
        self.never: list[Callable[[HasText], list[str]]] = []

    @property
    def known_values(self) -> dict[Any, int | None]:
        """Rules of values from the parts before this one."""
        return self._parts.values

    def graft(self, fragment: Fragment) -> int:
        """Copy a fragment in, with its shared rules; return the state that its state 0 becomes."""
        if self.num_states == 0:
            return self._begin_with(fragment)
        base = self.states(fragment.count)
        places = [self._classes.setdefault(units, len(self._classes)) for units in fragment.classes]
        checked = list(map(self._check_index, fragment.checks))
        counts = len(places), len(checked)
        self._ops.extend((op.GRAFT, len(fragment.ops) // 4, base, len(self._texts), *counts, *places, *checked))
        self._flush()
        self._has_grafts = True
        self._chunks.append(fragment.ops)
        self._texts += fragment.texts
        self._span_starts.update([state + base for state in fragment.span_starts])
        for key, rule in fragment.shared.items():
            self.shared.setdefault(key, rule + base)
        return base

    def grafted(self, key: Any, fragment: Fragment) -> int:
        """Return `graft` of the fragment, made once for each key."""
        if key not in self.shared:
            self.shared[key] = self.graft(fragment)
        return self.shared[key]

    def _begin_with(self, fragment: Fragment) -> int:
        """Copy the fragment into an empty network, so that its states keep their numbers."""
        self.states(fragment.count)
        self._classes = fragment.classes.copy()
        self._checks = fragment.checks.copy()
        self._first, self._has_grafts = fragment, True
        self._chunks.append(fragment.ops)
        self._texts += fragment.texts
        self._span_starts |= fragment.span_starts
        self.shared.update(fragment.shared)
        return 0

    def begin_with(self, network: Network, parts: Parts, num_unused: int) -> None:
        """Begin with these parts of a network over the same vocabulary, after states of other parts."""
        self._parts = parts._replace(values=parts.values.copy())
        self._classes = {units: index for index, units in enumerate(network.classes)}
        self._checks = {check: index for index, check in enumerate(network.checks)}
        self._first, self._has_grafts = network, True
        self._max_states += num_unused
        self.states(parts.num_states)
        self._chunks.append(b"")
        self._span_starts |= parts.span_starts
        self.shared.update(parts.shared)

    def part(self, key: str, emit: Callable[[NetworkBuilder], int]) -> int:
        """Return the rule of this key, made by `emit` unless it is there. Parts made first can be shared."""
        if key not in self.shared:
            part = self._parts.by_key.get(key) or self._new_part(key, emit)
            self.notes.extend(part.notes)
            self.shared[key] = part.rule
        return self.shared[key]

    def _new_part(self, key: str, emit: Callable[[NetworkBuilder], int]) -> Part:
        first, outer, where, self.notes = self.num_states, self.notes, self.where, []
        new = self.new_values = {}
        rule = emit(self)
        self._spread()
        part = Part(rule, self.num_states - first, self.notes)
        self.notes, self.where, self.new_values = outer, where, None
        if first == self._parts.num_states:
            self._parts.by_key[key] = part
            self._parts.values.update(new)
            self._parts = self._parts._replace(num_states=self.num_states)
        return part

    def fragment(self, has_one_entry: bool = True) -> Fragment:
        """Return the network built so far, to be grafted into others. It holds no graft itself.

        Args:
            has_one_entry: whether other networks enter it at its state 0 alone.
        """
        if self._has_grafts:
            raise ValueError("a fragment cannot hold another one")
        self._flush()
        return Fragment(
            b"".join(self._chunks),
            bytes(self._texts),
            self.num_states,
            self._classes.copy(),
            self._checks.copy(),
            self.shared.copy(),
            self._span_starts.copy(),
            has_one_entry,
        )

    def finish(self, root: int, tables: VocabularyTables | None = None) -> Network:
        """Return the checked network whose texts are those of the rule `root`.

        Args:
            root: start state of the root rule.
            tables: the vocabulary for costs in tokens; without it costs are in bytes.

        Raises:
            InvalidGrammarError: a rule can call itself before a byte was consumed, or a repeated rule may be empty.
            UnsatisfiableError: no text matches.
            TooComplexError: more states than `limits.max_states`.
        """
        classes, checks, first = tuple(self._classes), tuple(self._checks), self._first
        # Most networks begin with a fragment and have no classes or checks but its own.
        units = unit_tables(classes) if first is None or len(classes) > len(first.classes) else first.units
        kinds = kinds_of(checks) if first is None or len(checks) > len(first.checks) else first.check_kind
        stem = no_stem()
        if isinstance(first, Network) and tables is not None and first.parts is not None:
            stem = stem_of(first, first.parts.num_states, tables)
        elif isinstance(first, Fragment) and tables is not None and not first.has_one_entry:
            stem = first.stem(tables) or _find_stem(first, tables)
        self._flush()
        # What the network begins with is not assembled again.
        ops = (*self._chunks[stem.room > 0 :], _END)
        num_ops, num_text = sum(map(len, ops)) >> 2, len(self._texts)
        scratch = filled_scratch(ops, self._texts, self.num_states, stem.room, tables or no_tables())
        starts = np.zeros((2, NUM_STARTS), dtype=np.int64)
        found, state, root_cost, most_members, ints, octets = _ASSEMBLE.call(
            scratch.kernel, scratch.tables.kernel, scratch.known_names, tables is not None, stem.kernel, units.kernel,
            num_ops, num_text, self.num_states, root, kinds, starts,
        )  # fmt: skip
        give_back_scratch(scratch)
        if found == assembly.NO_TEXT:
            raise UnsatisfiableError("no text matches the constraint", self.where)
        if found == assembly.LEFT_RECURSIVE:
            raise InvalidGrammarError(f"a rule calls itself before any text was consumed (state {state})")
        if found == assembly.EMPTY_REPEAT:
            raise InvalidGrammarError("a repeated rule matches the empty text")
        fewest = ints[starts[0, _FEWEST_BYTES] : starts[0, _FEWEST_BYTES + 1]]
        for find in self.never:
            for pointer in find(lambda rules: (fewest[rules] < UNREACHABLE).tolist()):
                self.note(pointer, "", NEVER)
        parts, report = self._parts if self._parts.by_key else None, self.report()
        if parts is not None and isinstance(first, Fragment) and not first.has_one_entry:
            parts = parts._replace(shared=first.shared, span_starts=first.span_starts)
        return Network(root, ints, octets, starts, classes, checks, report, units, root_cost, most_members, parts)


def _find_stem(fragment: Fragment, tables: VocabularyTables) -> Stem:
    """Return the stem of networks that begin with the fragment and call its rules anywhere; the fragment keeps it."""
    builder = NetworkBuilder()
    builder.graft(fragment)
    builder._first = None
    root = builder.rule()
    builder.accept(root)
    epsilons = np.full((fragment.count, 3), op.EPSILON, dtype=np.int32)
    epsilons[:, 1], epsilons[:, 2] = root, np.arange(fragment.count)
    builder.write_array(epsilons)
    return fragment.keep_stem(tables, builder.finish(root, tables))
