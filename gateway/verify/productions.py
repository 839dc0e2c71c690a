"""Context-free grammars as plain productions, independent of their language.

Nothing is multiplied out: an optional part is a symbol of its own, so productions stay linear in the grammar.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gateway.verify.pattern import LinearPattern

MAX_CHARACTERS = 60_000
MAX_PRODUCTIONS = 50_000


class UnreadableError(ValueError):
    """A grammar that cannot be expressed as productions."""


@dataclass(slots=True)
class Productions:
    """Symbols from 0 on are rules, negative ones the terminals ``-1 - symbol``.

    Attributes:
        rules: for each rule, what it can be made of.
        terminals: their patterns.
        ignored: Terminals that may occur around any other.
        start: the rule of a whole text.
    """

    rules: list[list[tuple[int, ...]]] = field(default_factory=list)
    terminals: list[LinearPattern] = field(default_factory=list)
    ignored: list[int] = field(default_factory=list)
    start: int = 0
    _size: int = 0
    _known: dict[str, int] = field(default_factory=dict)

    def add(self, options: list[tuple[int, ...]]) -> int:
        """Return a new rule.

        Raises:
            UnreadableError: they are too many.
        """
        self._size += 1 + sum(map(len, options))
        if self._size > MAX_PRODUCTIONS:
            raise UnreadableError("too large")
        self.rules.append(options)
        return len(self.rules) - 1

    def repeated(self, body: int, low: int, high: int | None) -> int:
        """Return a repeated symbol; None is unbounded.

        Raises:
            UnreadableError: too often.
        """
        if (high or low) > MAX_PRODUCTIONS:
            raise UnreadableError("counts too far")
        more = self.add([()])
        if high is None:
            self.rules[more].append((more, body))
        else:
            for _ in range(high - low):
                more = self.add([(), (body, more)])
        return self.add([(*((body,) * low), more)])

    def terminal(self, pattern: str) -> int:
        """Return the symbol of a pattern.

        Raises:
            PatternError: it cannot be matched in linear time.
        """
        if pattern not in self._known:
            self.terminals.append(LinearPattern(pattern))
            self._known[pattern] = -len(self.terminals)
        return self._known[pattern]
