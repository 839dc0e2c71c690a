"""Membership of a text in a context-free grammar: an Earley parser over characters, within bounds.

See: Earley, "An Efficient Context-Free Parsing Algorithm", CACM 13(2), 1970; Aycock and Horspool, "Practical Earley
Parsing", The Computer Journal 45(6), 2002, for rules that may be empty.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from gateway.verify.gbnf_reader import read_gbnf
from gateway.verify.lark_reader import read_lark
from gateway.verify.pattern import CostError
from gateway.verify.productions import Productions, UnreadableError

MAX_STEPS = 3_500_000
"""Items made, beginnings looked at and states of terminals visited for one text; about a microsecond each."""
# Of the texts of all grammars that are kept.
_MAX_CHARACTERS = 300_000


class EarleyGrammar:
    """A grammar with its parser. Immutable and thread-safe.

    Attributes:
        looks_around: The match depends on the surrounding text.
    """

    def __init__(self, productions: Productions) -> None:
        self._productions = productions
        self._nullable = _nullable(productions)
        self._table = _Table(productions)
        self.looks_around = any(terminal.looks_around for terminal in productions.terminals)

    def fullmatch(self, text: str) -> bool:
        """Return whether the start rule derives the whole text.

        A terminal is any text of its pattern, also one that `re.match` would not prefer; before, between and behind
        terminals ignored texts may stand.

        Raises:
            CostError: that takes more than `MAX_STEPS`.
        """
        return len(text) in self.ends(text)[0]

    def ends(self, text: str, max_steps: int = MAX_STEPS) -> tuple[set[int], int]:
        """Return where texts of the start rule that begin where this one does may end, and the steps that it took.

        Raises:
            CostError: that is more than `max_steps`.
        """
        run = _Run(self._productions, self._table, self._nullable, text, max_steps)
        return run.run(), run.steps


class _Table:
    """Positions in the options of rules, numbered so that the next part is the next number.

    Attributes:
        rules: Rule of each number.
        symbols: Next symbol of each number: a rule, a terminal (negative), or None at the end of the option.
        first: First numbers of each rule's options.
    """

    def __init__(self, productions: Productions) -> None:
        self.rules: list[int] = []
        self.symbols: list[int | None] = []
        self.first: list[list[int]] = []
        for rule, options in enumerate(productions.rules):
            self.first.append([])
            for option in options:
                self.first[rule].append(len(self.rules))
                self.symbols += (*option, None)
                self.rules += [rule] * (len(option) + 1)


_Packed = tuple[int, int]


class _Run:
    """An Earley run over one text. An item is a table number and a bit set of origins, so items that differ only in
    origin are processed together."""

    def __init__(
        self, productions: Productions, table: _Table, nullable: frozenset[int], text: str, max_steps: int
    ) -> None:
        self._table, self._terminals = table, productions.terminals
        self._ignored, self._start = productions.ignored, productions.start
        self._nullable = nullable
        self._text = text
        size = len(text) + 1
        # Of the places ahead: what was read there, and what of it is to be followed.
        self._read: list[dict[int, int]] = [{} for _ in range(size)]
        self._agenda: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        # Of each place what waits for a rule that begins there.
        self._waiting: list[dict[int, dict[int, int]]] = [{} for _ in range(size)]
        self._packed: list[dict[int, list[tuple[int, _Packed]]]] = [{} for _ in range(size)]
        self._ends: dict[tuple[int, int], list[int]] = {}
        self._gaps: dict[int, list[int]] = {}
        self._max_steps = max_steps
        self._found: set[int] = set()
        self.steps = 0

    def run(self) -> set[int]:
        """Return the places where texts of the start rule end."""
        begins = self._after_gap(0)
        if self._start in self._nullable:
            self._found |= set(begins)
        self._begins = sum(1 << begin for begin in begins)
        for begin in begins:
            self._predict(self._start, begin)
        for at in range(len(self._text) + 1):
            agenda, done = self._agenda[at], dict[int, int]()
            while agenda:
                self._follow(*agenda.pop(), at, done)
            self._packed[at] = {
                rule: [(number, _packed(begins)) for number, begins in waiting.items()]
                for rule, waiting in self._waiting[at].items()
            }
            self._read[at], self._waiting[at] = {}, {}
        return self._found

    def _add(self, number: int, begins: int, at: int) -> None:
        self._spend(1)
        known = self._read[at].get(number, 0)
        begins &= ~known
        if begins:
            self._read[at][number] = known | begins
            self._agenda[at].append((number, begins))

    def _spend(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self._max_steps:
            raise CostError

    def _follow(self, number: int, begins: int, at: int, done: dict[int, int]) -> None:
        symbol = self._table.symbols[number]
        if symbol is None:
            self._complete(self._table.rules[number], begins, at, done)
        elif symbol < 0:
            for end in self._terminal_ends(-1 - symbol, at):
                for place in self._after_gap(end):
                    self._add(number + 1, begins, place)
        else:
            waiting = self._waiting[at]
            if symbol not in waiting:
                waiting[symbol] = {}
                self._predict(symbol, at)
            waiting[symbol][number] = waiting[symbol].get(number, 0) | begins
            if symbol in self._nullable:
                self._add(number + 1, begins, at)

    def _complete(self, rule: int, begins: int, at: int, done: dict[int, int]) -> None:
        """Go on with what waits for the rule where it began, each place once."""
        if rule == self._start and begins & self._begins:
            self._found.add(at)
        known = done.get(rule, 0)
        begins &= ~known
        done[rule] = known | begins
        begins &= (1 << at) - 1
        self._spend(begins.bit_count())
        further: dict[int, int] = {}
        while begins:
            begin = begins.bit_length() - 1
            begins ^= 1 << begin
            for number, (shift, bits) in self._packed[begin].get(rule, ()):
                further[number] = further.get(number, 0) | bits << shift
        for number, earlier in further.items():
            self._add(number + 1, earlier, at)

    def _predict(self, rule: int, at: int) -> None:
        for number in self._table.first[rule]:
            self._add(number, 1 << at, at)

    def _terminal_ends(self, terminal: int, at: int) -> list[int]:
        """Return the places where the terminal may end from here."""
        key = terminal, at
        if key not in self._ends:
            ends, steps = self._terminals[terminal].ends(self._text, at, self._max_steps - self.steps)
            self._spend(steps)
            self._ends[key] = ends
        return self._ends[key]

    def _after_gap(self, at: int) -> list[int]:
        """This place, and those that ignored texts lead to from here."""
        if not self._ignored:
            return [at]
        if at not in self._gaps:
            found, pending = {at}, [at]
            while pending:
                place = pending.pop()
                for terminal in self._ignored:
                    for end in self._terminal_ends(terminal, place):
                        if end not in found:
                            self._spend(1)
                            found.add(end)
                            pending.append(end)
            self._gaps[at] = sorted(found)
        return self._gaps[at]


def _packed(begins: int) -> _Packed:
    """Return a bit set shifted to its first place: few places of a long text."""
    shift = (begins & -begins).bit_length() - 1
    return shift, begins >> shift


def _nullable(productions: Productions) -> frozenset[int]:
    """Return the rules that derive the empty text, and terminals that may be empty."""
    found = {-1 - i for i, terminal in enumerate(productions.terminals) if terminal.ends("", 0, MAX_STEPS)[0]}
    waiting: dict[int, list[tuple[int, int]]] = {}
    missing: dict[tuple[int, int], int] = {}
    pending: list[int] = []
    for rule, options in enumerate(productions.rules):
        for number, option in enumerate(options):
            needed = [symbol for symbol in option if symbol not in found]
            missing[rule, number] = len(needed)
            for symbol in needed:
                waiting.setdefault(symbol, []).append((rule, number))
            if not needed:
                pending.append(rule)
    empty: set[int] = set()
    while pending:
        rule = pending.pop()
        if rule in empty:
            continue
        empty.add(rule)
        for key in waiting.get(rule, ()):
            missing[key] -= 1
            if not missing[key]:
                pending.append(key[0])
    return frozenset(empty)


_READERS = {"lark": read_lark, "gbnf": read_gbnf}


class GrammarCache:
    """Recently read grammars, None for unreadable ones. Thread-safe."""

    def __init__(self, max_grammars: int = 64) -> None:
        self._max_grammars = max_grammars
        self._grammars: OrderedDict[tuple[str, str], EarleyGrammar | None] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, text: str, syntax: str) -> EarleyGrammar:
        """Return the grammar.

        Raises:
            UnreadableError: it says more than can be checked.
        """
        key = syntax, text
        with self._lock:
            is_known, found = key in self._grammars, self._grammars.get(key)
            if is_known:
                self._grammars.move_to_end(key)
        if not is_known:
            try:
                found = EarleyGrammar(_READERS[syntax](text))
            except (UnreadableError, CostError):
                found = None
            with self._lock:
                self._grammars[key] = found
                while len(self._grammars) > self._max_grammars or self._num_characters > _MAX_CHARACTERS:
                    self._grammars.popitem(last=False)
        if found is None:
            raise UnreadableError("the grammar cannot be read")
        return found

    @property
    def _num_characters(self) -> int:
        return sum(len(text) for _, text in self._grammars)
