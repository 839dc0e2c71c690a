"""Slow, obvious references that the fast code is held against."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grammars.compiled import CompiledGrammar
from grammars.matcher import Matcher


def allowed(row: NDArray[np.uint32], size: int) -> set[int]:
    """The token ids whose bits are set in a mask row."""
    return set(np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")[:size]).tolist())


def brute_force_mask(matcher: Matcher, tokens_left: int | None = None) -> set[int]:
    """The mask of a matcher, each token tried byte by byte from its configuration.

    In order of their bytes, so that what is refused once is not tried again where other tokens begin with it.
    """
    if matcher.is_ended:
        return set()
    vocabulary = matcher.compiled.vocabulary
    expected = set(vocabulary.eos_token_ids) if matcher.is_complete else set()
    refused = None
    for data, token_id in sorted((data, token_id) for token_id, data in enumerate(vocabulary.spelled) if data):
        if token_id in vocabulary.eos_token_ids or (refused is not None and data.startswith(refused)):
            continue
        num_allowed = matcher.allowed_prefix(data)
        if num_allowed < len(data):
            refused = data[: num_allowed + 1]
            continue
        twin = matcher.fork()
        assert twin.accept(token_id)
        if tokens_left is None or twin.tokens_to_complete <= tokens_left - 1:
            expected.add(token_id)
    return expected


def check_masks(matcher: Matcher, chance: random.Random, budgets: Iterable[int | None]) -> None:
    """Assert that masks are as tried byte by byte along a random text, of one token a budget or until it must end."""
    for left in budgets:
        expected = brute_force_mask(matcher, left)
        assert mask_of(matcher, left) == expected
        choices = sorted(expected - set(matcher.compiled.vocabulary.eos_token_ids))
        if not choices:
            return
        assert matcher.accept(chance.choice(choices))


def accept_alike(one: Matcher, other: Matcher, token_ids: Iterable[int]) -> None:
    """Have both matchers accept the tokens, and assert that their masks are the same before each."""
    for token_id in token_ids:
        assert mask_of(one) == mask_of(other)
        assert one.accept(token_id)
        assert other.accept(token_id)


def with_budgets(
    compiled: CompiledGrammar, budgets: Iterable[int], choose: Callable[[Matcher, set[int]], int | None]
) -> Iterator[tuple[Matcher, int, set[int]]]:
    """Matchers along texts of at most so many tokens each: with the tokens left, and the mask by brute force.

    Args:
        choose: the next token, of those allowed; None ends the text.
    """
    for budget in budgets:
        for matcher, left, expected in along_text(compiled, range(budget, -1, -1), choose):
            # What is kept for any budget must not serve one that is too small for it.
            mask_of(matcher)
            assert left is not None
            yield matcher, left, expected


def along_text(
    compiled: CompiledGrammar, tokens_left: Iterable[int | None], choose: Callable[[Matcher, set[int]], int | None]
) -> Iterator[tuple[Matcher, int | None, set[int]]]:
    """A matcher along one text, for each number of tokens left (None: any) a token; and the mask by brute force.

    Args:
        choose: the next token, of those allowed; None ends the text.
    """
    matcher = compiled.matcher()
    for left in tokens_left:
        expected = brute_force_mask(matcher, left)
        yield matcher, left, expected
        token = choose(matcher, expected)
        if token is None or not matcher.accept(token):
            break


def mask_of(matcher: Matcher, tokens_left: int | None = None) -> set[int]:
    """The mask of a matcher as the kernels fill it, into a row of garbage."""
    vocabulary = matcher.compiled.vocabulary
    row = np.full(vocabulary.tables.num_words, 0xDEADBEEF, dtype=np.uint32)
    matcher.fill_mask(row, tokens_left)
    return allowed(row, len(vocabulary))


# What rules are made of: ("chars", holds), ("call", name), ("seq", *items), ("or", *options), and ("repeat", body, low,
# high), where `high` may be None; `holds` says of a character whether it is one.
RuleNode = tuple[Any, ...]


class RuleTexts:
    """The texts of context-free rules, by brute force: the ends of each rule at each place, until nothing is added.

    What is added is told to those that asked for it. Places are bits: a set of them is one number.
    """

    def __init__(self, rules: Mapping[str, RuleNode], root: str) -> None:
        self._rules, self._root = rules, root

    def accepts(self, text: str) -> bool:
        """Whether the root derives the text."""
        root, reader = (self._root, 0), ("", 0)
        wanted: dict[tuple[str, int], int] = {root: 0}
        readers: dict[tuple[str, int], set[tuple[str, int]]] = {root: set()}
        pending, places = [root], dict[Callable[[str], bool], int]()

        def ends(node: RuleNode, starts: int) -> int:
            match node:
                case ("chars", holds):
                    if holds not in places:
                        places[holds] = sum(1 << i for i, character in enumerate(text) if holds(character))
                    return (starts & places[holds]) << 1
                case ("call", name):
                    found = 0
                    for i in range(len(text) + 1):
                        if starts >> i & 1:
                            if (name, i) not in wanted:
                                wanted[name, i], readers[name, i] = 0, set()
                                pending.append((name, i))
                            readers[name, i].add(reader)
                            found |= wanted[name, i]
                    return found
                case ("seq", *items):
                    for item in items:
                        starts = ends(item, starts)
                    return starts
                case ("or", *options):
                    found = 0
                    for option in options:
                        found |= ends(option, starts)
                    return found
                case ("repeat", body, low, high):
                    for _ in range(low):
                        starts = ends(body, starts)
                    found, count = starts, low
                    while starts and (high is None or count < high):
                        starts, count = ends(body, starts) & ~found, count + 1
                        found |= starts
                    return found
            raise AssertionError(node)

        while pending:
            reader = pending.pop()
            found = ends(self._rules[reader[0]], 1 << reader[1])
            if found != wanted[reader]:
                wanted[reader] = found
                pending.extend(readers[reader])
        return bool(wanted[root] >> len(text) & 1)

    def sample(
        self, rng: random.Random, alphabet: str = "ab1é \n\t#]\\\"'日本😀ü-_あ", most_steps: int = 60
    ) -> str | None:
        """A text that the root derives; None where the choices that were made do not come to an end."""
        left = most_steps

        def draw(node: RuleNode) -> str | None:
            nonlocal left
            left -= 1
            if left < 0:
                return None
            match node:
                case ("chars", holds):
                    fitting = list(filter(holds, alphabet))
                    return rng.choice(fitting) if fitting else None
                case ("call", name):
                    return draw(self._rules[name])
                case ("or", *options):
                    return draw(rng.choice(options))
                case ("seq", *items):
                    parts = [draw(item) for item in items]
                case ("repeat", body, low, high):
                    parts = [draw(body) for _ in range(rng.randint(low, low + 2 if high is None else high))]
            return None if None in parts else "".join(part for part in parts if part is not None)

        return draw(self._rules[self._root])


def read_gbnf(text: str) -> dict[str, RuleNode]:
    """The rules of a grammar as llama.cpp describes them: a word at a time, a line break ends a rule where it may."""
    pieces = re.findall(
        r'\#[^\n]*|"(?:\\.|[^"\\])*"|\[(?:\\.|[^]\\])*\]|\{[^}]*\}|::=|[\w-]+|[().|*+?]|\n', text.replace("\r\n", "\n")
    )
    words = [piece for piece in pieces if not piece.startswith("#")]
    heads = [i - 1 for i, word in enumerate(words) if word == "::="]
    rules = {}
    for head, following in zip(heads, [*heads[1:], len(words)], strict=True):
        rest = [word for word in words[head + 2 : following] if word != "\n"]
        rules[words[head]] = _options(rest)
        assert not rest, rest
    return rules


def _options(words: list[str]) -> RuleNode:
    options: list[list[RuleNode]] = [[]]
    while words and words[0] != ")":
        word = words.pop(0)
        match word[0]:
            case "|":
                options.append([])
            case "(":
                options[-1].append(_options(words))
                assert words.pop(0) == ")"
            case '"':
                literal = _characters(word[1:-1])
                options[-1].append(("seq", *(("chars", character.__eq__) for character, _ in literal)))
            case "[":
                options[-1].append(("chars", _class(word[1:-1])))
            case ".":
                options[-1].append(("chars", lambda _: True))
            case "*" | "+" | "?" | "{":
                counts = {"*": "0,", "+": "1,", "?": "0,1"}.get(word, word.strip("{}")).replace(" ", "").split(",")
                low, high = int(counts[0]), int(counts[-1]) if counts[-1] else None
                options[-1].append(("repeat", options[-1].pop(), low, high))
            case _:
                options[-1].append(("call", word))
    return ("or", *(("seq", *items) for items in options))


def _characters(text: str) -> list[tuple[str, bool]]:
    """The characters, and whether each is written as it is."""
    found = []
    for escape, plain in re.findall(r"\\(x..|u....|U........|.)|(.)", text, re.DOTALL):
        code = chr(int(escape[1:], 16)) if len(escape) > 1 else {"n": "\n", "r": "\r", "t": "\t"}.get(escape, escape)
        found.append((plain or code, bool(plain)))
    return found


def _class(text: str) -> Callable[[str], bool]:
    is_negated = text.startswith("^")
    characters = _characters(text[is_negated:])
    ranges, i = [], 0
    while i < len(characters):
        is_range = characters[i + 1 : i + 2] == [("-", True)] and i + 2 < len(characters)
        ranges.append((characters[i][0], characters[i + 2 if is_range else i][0]))
        i += 3 if is_range else 1
    return lambda character: any(low <= character <= high for low, high in ranges) != is_negated
