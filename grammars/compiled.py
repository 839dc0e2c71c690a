"""`CompiledGrammar`: a constraint ready for matching; what it enforces and how, with a short text that satisfies it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from grammars.automaton import Automaton
from grammars.limits import Limits
from grammars.matcher import Matcher, fill_masks
from grammars.network.checks import STRING_OF_FEW, UNIQUE_STRING
from grammars.network.network import INT_FIELDS, Network
from grammars.report import Enforcement
from grammars.vocabulary.vocabulary import Vocabulary

_END = 256
# How many bytes longer than the automaton alone promises an example may get, for the sake of checks; tried in turn.
_SPARED = (0, 1, 2, 4, 8, 16, 32)
# How many bytes are tried for each, beyond those of the example.
_MAX_TRIED = 100
_PREFERRED = b"abcdefghijklmnopqrstuvwxyz0123456789"
_ORDER = (*_PREFERRED, *(byte for byte in range(256) if byte not in _PREFERRED))


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Summary of a constraint, in numbers and by an example.

    Attributes:
        by_mask: keywords that the automaton itself enforces, so that a model is led along them.
        by_check: keywords that a predicate enforces where a value ends; before that, masks allow more.
        example: the shortest text that matches; a short one where a count of members has to be reached or where
            checks refuse what is cheapest; None where they refuse all that was tried.
        example_tokens: how many tokens the example has in the tokenizer's own tokenization, or longest first.
        forced_bytes: bytes of the example at which no other byte, nor the end of the text, was possible.
        min_tokens: tokens that surely suffice for the shortest complete text.
        min_bytes: the same in bytes, for a vocabulary of single bytes, from the automaton alone.
        num_states: states of the network.
        num_checks: predicates that are asked in the course of a match; names that must be new are not counted.
        limits: the bounds that compilation and matches keep.
    """

    by_mask: tuple[Enforcement, ...]
    by_check: tuple[Enforcement, ...]
    example: bytes | None
    example_tokens: int
    forced_bytes: int
    min_tokens: int
    min_bytes: int
    num_states: int
    num_checks: int
    limits: Limits

    @property
    def forced_share(self) -> float:
        """Share of the example's bytes that were forced; 0 without an example, or for an empty one."""
        return self.forced_bytes / len(self.example) if self.example else 0.0


def explain(compiled: Automaton) -> Explanation:
    """The explanation of a compiled constraint.

    Cost: two masks over single bytes for each byte of the example, in an arena of its own; where checks refuse the
    cheapest ways, some thousand at most, each with a look at what follows every byte.
    """
    network = compiled.network
    bytewise = Automaton(_counted_in_bytes(network), _bytes(), compiled.limits)
    example = _shortest(bytewise)
    return Explanation(
        by_mask=tuple(entry for entry in compiled.report if entry.how in ("mask", "partly")),
        by_check=tuple(entry for entry in compiled.report if entry.how == "check"),
        example=example,
        example_tokens=len(compiled.vocabulary.encode(example)) if example else 0,
        forced_bytes=_num_forced(bytewise, example or b""),
        min_tokens=compiled.min_tokens,
        min_bytes=bytewise.min_tokens,
        num_states=network.num_states,
        num_checks=int((~np.isin(network.check_kind, (UNIQUE_STRING, STRING_OF_FEW))).sum()),
        limits=compiled.limits,
    )


@cache
def _bytes() -> Vocabulary:
    """Every byte is a token, and there is an end token."""
    return Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [_END])


def _counted_in_bytes(network: Network) -> Network:
    """Return the network with costs in bytes instead of tokens."""
    ints, index = network.ints.copy(), INT_FIELDS.index("cost")
    ints[network.starts[0, index] : network.starts[0, index + 1]] = network.fewest_bytes
    return Network(
        network.root, ints, network.octets, network.starts, network.classes, network.checks, network.report,
        network.units,
    )  # fmt: skip


def _shortest(compiled: Automaton) -> bytes | None:
    """A text made byte by byte so that what is still to come gets cheaper; longer ones where checks refuse those."""
    for spared in _SPARED:
        text = _within(compiled, compiled.min_tokens + spared)
        if text is not None:
            return text
    return None


def _within(compiled: Automaton, most: int) -> bytes | None:
    """A text of at most a given number of bytes; None where there is none, or it is hard to find."""
    matcher, row = Matcher(compiled), np.zeros(compiled.num_words, dtype=np.uint32)
    text, left = bytearray(), most + _MAX_TRIED
    choices = [_bytes_within(matcher, row, most)]
    while not matcher.is_complete:
        byte = next(choices[-1], None)
        if byte is None:
            choices.pop()
            if not text:
                return None
            text.pop()
            matcher.rollback(1)
            continue
        left -= 1
        if left < 0:
            return None
        matcher.accept(byte)
        text.append(byte)
        choices.append(_bytes_within(matcher, row, most - len(text)))
    return bytes(text)


def _bytes_within(matcher: Matcher, row: NDArray[np.uint32], left: int) -> Iterator[int]:
    """Return the bytes after which the rest fits; where checks have a say, those first after which it is shortest."""
    is_checked = matcher.compiled.is_checked
    matcher.fill_mask(row, tokens_left=None if is_checked else left)
    words = row.tolist()
    allowed = [byte for byte in _ORDER if (words[byte >> 5] >> (byte & 31)) & 1]
    if not is_checked:
        return iter(allowed)
    costs = {}
    for byte in allowed:
        matcher.accept(byte)
        costs[byte] = matcher.tokens_to_complete
        matcher.rollback(1)
    return iter(sorted((byte for byte in allowed if costs[byte] < left), key=costs.__getitem__))


def _num_forced(compiled: Automaton, text: bytes) -> int:
    """Return the number of bytes of the text that were the only ones possible."""
    matcher, row, forced = Matcher(compiled), np.zeros(compiled.num_words, dtype=np.uint32), 0
    for byte in text:
        matcher.fill_mask(row)
        forced += int(np.bitwise_count(row).sum()) == 1
        matcher.accept(byte)
    return forced


class CompiledGrammar(Automaton):
    """A constraint on a vocabulary, shared by all its matchers.

    Thread-safe: its matchers may be used from several threads, one thread a matcher. Kernels run one at a time for each
    compiled constraint: those for batches, and all that takes long, without the GIL.
    """

    def matcher(self) -> Matcher:
        """A matcher at the beginning of the text."""
        return Matcher(self)

    def explain(self) -> Explanation:
        """Return the keywords enforced by masks and by checks, the shortest example and the network's size."""
        return explain(self)

    def warm_up(self) -> None:
        """Load the machine code of what matchers are asked for, before one of them waits for it."""
        self.warm_up_rare()
        # So kernels know the types of what they are given, too.
        matcher = Matcher(self)
        row = np.zeros(self.num_words, dtype=np.uint32)
        matcher.fill_mask(row)
        fill_masks([matcher], row[None])
        matcher.accept(0)
        self.matcher().is_complete  # noqa: B018
