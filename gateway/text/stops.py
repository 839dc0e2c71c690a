"""Stop strings across token boundaries: the end of generation, and the text that may be streamed."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from gateway.text.detokenizer import Detokenizer, TokenBytes


@dataclass(frozen=True, slots=True)
class StopMatch:
    """A stop string that the text contains.

    `begin` and `end` are byte offsets from the start of the generated text.
    """

    stop: str
    begin: int
    end: int


@dataclass(slots=True)
class _Node:
    depth: int
    children: dict[int, int] = field(default_factory=dict)
    fallback: int = 0
    stop: int = -1


class StopAutomaton:
    """Aho-Corasick automaton of a request's stop strings, over bytes.

    It holds no position of its own, so the engine's criterion and the stream share one.

    Cost: building is linear in the bytes of the stop strings, a step is amortised constant time.

    See: Aho and Corasick, "Efficient String Matching", CACM 18(6), 1975.
    """

    __slots__ = ("_nodes", "stops")

    def __init__(self, stops: Sequence[str]) -> None:
        if not all(stops):
            raise ValueError("a stop string must not be empty")
        self.stops = tuple(stops)
        self._nodes = [_Node(0)]
        for index, stop in enumerate(self.stops):
            self._add(index, stop.encode())
        self._link()

    def _add(self, index: int, data: bytes) -> None:
        at = 0
        for byte in data:
            following = self._nodes[at].children.get(byte)
            if following is None:
                following = len(self._nodes)
                self._nodes[at].children[byte] = following
                self._nodes.append(_Node(self._nodes[at].depth + 1))
            at = following
        if self._nodes[at].stop < 0:
            self._nodes[at].stop = index

    def _link(self) -> None:
        queue = deque(self._nodes[0].children.values())
        while queue:
            at = queue.popleft()
            node = self._nodes[at]
            for byte, child in node.children.items():
                fallback = self._nodes[child].fallback = self.step(node.fallback, byte)
                # A node's own stop is longer than those it inherits: of stops that end together the longest wins.
                if self._nodes[child].stop < 0:
                    self._nodes[child].stop = self._nodes[fallback].stop
                queue.append(child)

    def step(self, at: int, byte: int) -> int:
        """Return the node after one more byte."""
        nodes = self._nodes
        while byte not in nodes[at].children and at:
            at = nodes[at].fallback
        return nodes[at].children.get(byte, 0)

    def completed(self, at: int) -> str | None:
        """Return the longest stop string that ends at this node."""
        index = self._nodes[at].stop
        return None if index < 0 else self.stops[index]

    def all_completed(self, at: int) -> Iterator[str]:
        """Return every stop string that ends at this node, the longest first."""
        while at:
            index, depth = self._nodes[at].stop, self._nodes[at].depth
            if index >= 0 and len(self.stops[index].encode()) == depth:
                yield self.stops[index]
            at = self._nodes[at].fallback

    def depth(self, at: int) -> int:
        """Return how many of the last bytes may be the start of a stop string."""
        return self._nodes[at].depth


class StopSequences:
    """Finds the token that completes the first stop string of a sequence: the engine's stop criterion.

    Of the stop strings the one that is complete first counts, of several that end on the same byte the longest.
    """

    __slots__ = ("_at", "_automaton", "_may_end", "_num_bytes", "_token_bytes", "match")

    def __init__(
        self,
        stops: Sequence[str] | StopAutomaton,
        token_bytes: TokenBytes,
        may_end: Callable[[StopMatch], bool] | None = None,
    ) -> None:
        """Args: may_end: Whether the text may end with this stop string; without it, with any."""
        self._may_end = may_end
        self._automaton = stops if isinstance(stops, StopAutomaton) else StopAutomaton(stops)
        self._token_bytes = token_bytes
        self._at = 0
        self._num_bytes = 0
        self.match: StopMatch | None = None

    def accept(self, token_id: int) -> bool:
        """Take one more token and return whether the text now contains a stop string."""
        if self.match is None:
            self.accept_bytes(self._token_bytes[token_id] or b"")
        return self.match is not None

    def accept_bytes(self, data: bytes) -> None:
        """Take more bytes of the text, up to the end of the first stop string."""
        for byte in data:
            self._at = self._automaton.step(self._at, byte)
            self._num_bytes += 1
            if self._automaton.completed(self._at) is None:
                continue
            for stop in self._automaton.all_completed(self._at):
                match = StopMatch(stop, self._num_bytes - len(stop.encode()), self._num_bytes)
                if self._may_end is None or self._may_end(match):
                    self.match = match
                    return

    @property
    def stops(self) -> tuple[str, ...]:
        """Return the stop strings."""
        return self._automaton.stops

    @property
    def num_bytes(self) -> int:
        """Bytes of text seen, none beyond a stop string."""
        return self._num_bytes

    @property
    def num_held_bytes(self) -> int:
        """Return how many of the last bytes may begin a stop string."""
        return 0 if self.match else self._automaton.depth(self._at)


class StopStream:
    """Streams the text of one sequence up to its first stop string.

    Text that may be the start of a stop string is held back until it is known not to be. The stop string itself is
    cut off unless `include_stop`; what its last token carries beyond it always is.
    """

    __slots__ = ("_detokenizer", "_held", "_include_stop", "_stops", "_token_bytes")

    def __init__(
        self, stops: Sequence[str] | StopAutomaton, token_bytes: TokenBytes, include_stop: bool = False
    ) -> None:
        self._stops = StopSequences(stops, token_bytes)
        self._detokenizer = Detokenizer(token_bytes)
        self._token_bytes = token_bytes
        self._include_stop = include_stop
        self._held = b""

    @property
    def match(self) -> StopMatch | None:
        """Return the stop string that ended the text."""
        return self._stops.match

    def feed(self, token_ids: Iterable[int]) -> str:
        """Return the text that is safe to send after these tokens."""
        return "".join(self._feed(self._token_bytes[token] or b"") for token in token_ids)

    def _feed(self, data: bytes) -> str:
        if self.match is not None:
            return ""
        begin = self._stops.num_bytes - len(self._held)
        self._stops.accept_bytes(data)
        text = self._held + data
        match = self._stops.match
        if match is not None:
            self._held = b""
            return self._detokenizer.feed_bytes(text[: (match.end if self._include_stop else match.begin) - begin])
        safe = len(text) - self._stops.num_held_bytes
        self._held = text[safe:]
        return self._detokenizer.feed_bytes(text[:safe])

    def finish(self) -> str:
        """Return the text held back: no stop string can follow."""
        held, self._held = self._held, b""
        return self._detokenizer.feed_bytes(held) + self._detokenizer.finish()
