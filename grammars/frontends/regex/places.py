"""Places in a pattern: lists of the nodes that are still to match, each known by a number.

They are partial derivatives (Antimirov, Theor. Comput. Sci. 155, 1996): counts are counted down only as far as the
text goes.
"""

from __future__ import annotations

from grammars.frontends.regex.charset import Ranges
from grammars.frontends.regex.normalize import not_empty
from grammars.frontends.regex.syntax import ANYTHING, EPSILON, Alt, Chars, End, Look, Node, Repeat, Seq, sequence


class Places:
    """The places of one pattern; 0 is its end.

    Attributes:
        places: a node and the place behind it, for each place.
        sets: the sets of characters.
        leaves: a set and the place behind a character of it, for each leaf; 0 is no such leaf.
        ahead: from where a look ahead is to match, by the identity of its body.
        behind: which machine decides a look behind, likewise.
        machines: where the machines of the looks behind start, inner ones first.
        counted: of each leaf behind which a body may come up to a number of times: what such leaves have in common that
            differ in the number alone, and the number.
        anything: matches every text; anywhere: the place where it is all that is to match.
    """

    def __init__(self) -> None:
        self.places: list[tuple[Node, int]] = [(EPSILON, 0)]
        self.sets: list[Ranges] = [()]
        self.leaves: list[tuple[int, int]] = [(0, 0)]
        self.ahead: dict[int, int] = {}
        self.behind: dict[int, int] = {}
        self.machines: list[int] = []
        self.counted: dict[int, tuple[tuple[int, int, int], int]] = {}
        self._nodes: dict[Node, Node] = {}
        self._place_of: dict[tuple[int, int], int] = {}
        self._leaf_of: dict[tuple[int, int], int] = {}
        self._set_of: dict[Ranges, int] = {}
        self._plain = {0: True}
        self.anything = self.shared(ANYTHING)
        self.anywhere = self.place(self.anything, 0)

    def shared(self, node: Node) -> Node:
        """The tree with equal parts made the same object, its sets and looks behind registered, inner ones first."""
        match node:
            case Chars(ranges):
                self._set(ranges)
            case Seq(items) | Alt(items):
                node = type(node)(tuple(map(self.shared, items)))
            case Repeat(body, low, high):
                if body.facts.is_nullable and not body.facts.has_anchor:
                    body, low = not_empty(body), 0
                node = Repeat(self.shared(body), low, high)
            case Look(body, ahead, holds):
                body = self.shared(body)
                node = Look(body, ahead, holds)
                if ahead:
                    self.ahead[id(body)] = self._ahead(body)
                elif id(body) not in self.behind:
                    self.behind[id(body)] = len(self.machines)
                    self.machines.append(self.place(self.anything, self.place(body, 0)))
        return self._nodes.setdefault(node, node)

    def _ahead(self, body: Node) -> int:
        match body:
            case Seq((*items, End())):
                return self.place(self.shared(sequence(*items)), 0)
        return self.place(body, self.anywhere)

    def _set(self, ranges: Ranges) -> int:
        if ranges not in self._set_of:
            self._set_of[ranges] = len(self.sets)
            self.sets.append(ranges)
        return self._set_of[ranges]

    def place(self, node: Node, following: int) -> int:
        """The place from which the node and then another place are to match."""
        key = (id(node), following)
        if key not in self._place_of:
            self._place_of[key] = len(self.places)
            self.places.append((node, following))
        return self._place_of[key]

    def leaf(self, node: Node, following: int) -> int:
        """A character and the place behind it."""
        assert isinstance(node, Chars)
        key = (self._set_of[node.ranges], following)
        if key not in self._leaf_of:
            number = self._leaf_of[key] = len(self.leaves)
            self.leaves.append(key)
            repeat, behind = self.places[following]
            if isinstance(repeat, Repeat) and repeat.low == 0 and repeat.high is not None:
                self.counted[number] = (key[0], id(repeat.body), behind), repeat.high
        return self._leaf_of[key]

    def unfolded(self, node: Node, following: int) -> list[int]:
        """The places from which a sequence, a choice or a repeat goes on."""
        match node:
            case Seq(items):
                for item in reversed(items):
                    following = self.place(item, following)
                return [following]
            case Alt(options):
                return [self.place(option, following) for option in options]
            case Repeat(body, low, high):
                found = [following] if low == 0 else []
                if high != 0:
                    rest = Repeat(body, max(low - 1, 0), None if high is None else high - 1)
                    found.append(self.place(body, self.place(self._nodes.setdefault(rest, rest), following)))
                return found
            case _:
                raise AssertionError("assertions are read elsewhere")

    def is_plain(self, place: int) -> bool:
        """Whether no assertion is still to match at the place."""
        passed = []
        while place not in self._plain:
            node, following = self.places[place]
            if node.facts.has_anchor:
                self._plain[place] = False
            else:
                passed.append(place)
                place = following
        self._plain.update(dict.fromkeys(passed, self._plain[place]))
        return self._plain[place]

    def tail(self, place: int) -> Node:
        """What is still to match at a place."""
        nodes = []
        while place != 0:
            node, place = self.places[place]
            nodes.append(node)
        return sequence(*nodes)
