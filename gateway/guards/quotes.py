"""Quotes of one text in another, found while the other is written.

The automaton of all parts of a text (its suffix automaton) has at most two states a character. Led along another text
it knows at each character the longest end that is a part of the first; so what may become a run that is long enough,
and nothing else, is held back. Case and the length of blanks do not matter.

See: Blumer et al., "The smallest automaton recognizing the subwords of a text", TCS 40, 1985.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache

from gateway.errors import InvalidRequestError

MAX_CHARACTERS = 50_000
"""Longest text to look for."""
MAX_KEPT = 8
"""Such texts: applications say the same to their model each time."""


def folded(text: str) -> str:
    """Return the text casefolded, with single spaces."""
    return " ".join(text.casefold().split())


@lru_cache(maxsize=MAX_KEPT)
def source_of(text: str, num_characters: int) -> Source | None:
    """Return the automaton for quotes of this text; None if the text is too short.

    Raises:
        InvalidRequestError: The text is longer than `MAX_CHARACTERS`.
    """
    text = folded(text)
    if len(text) > MAX_CHARACTERS:
        raise InvalidRequestError(
            f"the policy of this server looks for the system prompt in answers, and the prompt is longer than "
            f"{MAX_CHARACTERS} characters"
        )
    return Source(text, num_characters) if len(text) >= num_characters else None


class Source:
    """A folded text and its suffix automaton, for runs of `num_characters`. Thread-safe."""

    def __init__(self, text: str, num_characters: int) -> None:
        self.num_characters = num_characters
        # Of each state: where its characters lead, the next shorter ends, its longest part, and how much of the text
        # follows its first occurrence.
        self.targets: list[dict[str, int]] = [{}]
        self.links = [-1]
        self.lengths = [0]
        self.rests = [len(text)]
        last = 0
        for place, character in enumerate(text):
            last = self._extend(last, character, len(text) - place - 1)
        self.holds = self._holds()

    def _extend(self, last: int, character: str, rest: int) -> int:
        new = self._state({}, 0, self.lengths[last] + 1, rest)
        at = last
        while at >= 0 and character not in self.targets[at]:
            self.targets[at][character] = new
            at = self.links[at]
        if at < 0:
            return new
        target = self.targets[at][character]
        if self.lengths[target] == self.lengths[at] + 1:
            self.links[new] = target
            return new
        copy = self._state(dict(self.targets[target]), self.links[target], self.lengths[at] + 1, self.rests[target])
        self.links[target] = self.links[new] = copy
        while at >= 0 and self.targets[at].get(character) == target:
            self.targets[at][character] = copy
            at = self.links[at]
        return new

    def _state(self, targets: dict[str, int], link: int, length: int, rest: int) -> int:
        self.targets.append(targets)
        self.links.append(link)
        self.lengths.append(length)
        self.rests.append(rest)
        return len(self.links) - 1

    def _holds(self) -> list[int]:
        """Return for each state the length of its longest suffix that can still become a quote."""
        holds = [0] * len(self.links)
        for state in sorted(range(1, len(self.links)), key=self.lengths.__getitem__):
            length = self.lengths[state]
            is_enough = length + self.rests[state] >= self.num_characters
            holds[state] = length if is_enough else holds[self.links[state]]
        return holds


class Quotes:
    """Quotes of the source in one text.

    Attributes:
        begin: Earliest character of a run that may still become a quote.
    """

    def __init__(self, source: Source) -> None:
        self.begin = 0
        self._source = source
        self._state = 0
        self._length = 0
        # Positions of the last folded characters, one per character of the run.
        self._places: deque[int] = deque()
        self._is_blank = False

    def take(self, character: str, position: int) -> int | None:
        """Go on by a character; where a run that is long enough, and ends with it, began."""
        is_blank, found = character.isspace(), None
        if not (is_blank and self._is_blank):
            # A character that folds to several may end a run in the midst of them.
            for each in " " if is_blank else character.casefold():
                self._step(each, position)
                if found is None and self._length >= self._source.num_characters:
                    found = self._places[0]
        self._is_blank = is_blank
        held = self._held()
        self.begin = self._places[-held] if held else position + 1
        return found

    def _held(self) -> int:
        """Return the number of last characters that may become a quote."""
        source, state = self._source, self._state
        if self._length + source.rests[state] >= source.num_characters:
            return self._length
        return source.holds[source.links[state]] if state else 0

    def _step(self, character: str, position: int) -> None:
        source = self._source
        while self._state and character not in source.targets[self._state]:
            self._state = source.links[self._state]
            self._length = source.lengths[self._state]
        target = source.targets[self._state].get(character)
        if target is None:
            self._places.clear()
            return
        self._state, self._length = target, self._length + 1
        self._places.append(position)
        while len(self._places) > self._length:
            self._places.popleft()
