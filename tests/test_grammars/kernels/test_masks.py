"""Masks of hand-made networks against a brute-force oracle, over a small vocabulary full of traps."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import pytest

from grammars import Choice, Compiler, JsonSchema, Limits, StructuralTag, Tag, Vocabulary
from grammars.network.builder import NetworkBuilder
from grammars.vocabulary.units import UnitClass
from tests.oracles import check_masks, mask_of

EOS = 256


def _tokens() -> list[bytes | None]:
    texts = [
        *('", "', '"', '":', '": ', '"}', '","', '"a', '"ab', 'a"', 'b"', 'ab"', 'abc"', '\\"', "\\n", "\\", "a\\"),
        *(
            "a",
            "ab",
            "abc",
            "abcd",
            "aaaa",
            "bb",
            "é",
            "日本",
            "日",
            "aé",
            'é"',
            "<",
            "<t",
            "<to",
            "<tool>",
            "a<",
            "t>",
        ),
        *(
            "<<",
            "ol>x",
            "12",
            "123",
            "0",
            "-",
            "12,",
            ", ",
            "1a",
            "a1",
            "x" * 40,
            "a" * 35 + '"',
            "{",
            "}",
            "{}",
            "},{",
        ),
    ]
    pieces = [text.encode() for text in texts]
    cut = ["日".encode()[:2], "日".encode()[1:], "é".encode()[1:], b"\xc3", b"a\xc3", b"\xff"]
    return [*(bytes([i]) for i in range(256)), None, *pieces, *cut, b"ab", None, b""]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.from_tokens(_tokens(), [EOS])


class Network:
    """A constraint made by a function of the builder."""

    def __init__(self, name: str, emit: Callable[[NetworkBuilder], int]) -> None:
        self._name, self._emit = name, emit

    def cache_key(self) -> str:
        return "test:" + self._name

    def emit(self, builder: NetworkBuilder) -> int:
        return self._emit(builder)


def _string(low: int, high: int | None) -> Callable[[NetworkBuilder], int]:
    def emit(b: NetworkBuilder) -> int:
        root, end, close = b.rule(), b.state(), b.state()
        b.accept(end)
        b.literal(close, b'"', end)
        b.literal(root, b'"', b.span(UnitClass.JSON_STRING, low, high, close))
        return root

    return emit


def _letters_then(
    text: bytes, ranges: list[tuple[int, int]], low: int, high: int | None
) -> Callable[[NetworkBuilder], int]:
    def emit(b: NetworkBuilder) -> int:
        root, leave = b.rule(), b.state()
        b.accept(b.literal(leave, text))
        b.epsilon(root, b.span(UnitClass.from_ranges(ranges), low, high, leave))
        return root

    return emit


def _all_but_names(b: NetworkBuilder) -> int:
    """A JSON string that is neither "ab" nor "abc" nor "b"."""
    root, end, close, start = b.rule(), b.state(), b.state(), b.state()
    b.accept(end)
    b.literal(close, b'"', end)
    body = b.span(UnitClass.JSON_STRING, 0, None, close)
    b.literal(root, b'"', start)
    states = {b"": start, b"a": b.state(), b"ab": b.state(), b"abc": b.state(), b"b": b.state()}
    for name, state in states.items():
        b.otherwise(state, body)
        if name:
            b.byte(states[name[:-1]], name[-1], name[-1], state)
        if name in (b"ab", b"abc", b"b"):
            b.dead(state, 0x22, 0x22)
    return root


def _names_and_others(b: NetworkBuilder) -> int:
    """ "ab" with a number behind it, any other string with a letter behind it."""
    root = _all_but_names(b)
    start = b.rule()
    after_other, end = b.state(), b.state()
    b.accept(end)
    b.call(start, root, after_other)
    b.byte(after_other, 0x61, 0x63, end)
    known = b.literal(start, b'"ab"')
    digits = b.span(UnitClass.from_ranges([(0x30, 0x39)]), 1, 3, end)
    b.epsilon(known, digits)
    return start


def _nested(b: NetworkBuilder) -> int:
    """Balanced braces, comma-separated, at most three in a row."""
    value, body, inner, close, more = b.rule(), b.rule(), b.state(), b.state(), b.state()
    end = b.state()
    b.accept(end)
    b.literal(value, b"{", inner)
    b.byte(close, 0x7D, 0x7D, end)
    b.epsilon(inner, close)
    first = b.state()
    b.call(inner, value, first)
    b.epsilon(first, b.repeat(body, 0, 2, close))
    b.literal(body, b",", more)
    done = b.state()
    b.accept(done)
    b.call(more, value, done)
    return value


def _two_strings(b: NetworkBuilder) -> int:
    root = b.rule()
    for rule in (_string(2, 5)(b), _string(0, None)(b), _string(0, 40)(b)):
        end = b.state()
        b.accept(end)
        b.call(root, rule, end)
    return root


def _overlapping(b: NetworkBuilder) -> int:
    """Any text with "ab" in it, then a quote: where the first span ends is not plain to see."""
    root, leave, after, close = b.rule(), b.state(), b.state(), b.state()
    b.accept(b.literal(close, b'"'))
    b.literal(leave, b"ab", after)
    b.epsilon(after, b.span(UnitClass.JSON_STRING, 0, None, close))
    b.epsilon(root, b.span(UnitClass.JSON_STRING, 0, None, leave))
    return root


def _overlapping_bounded(b: NetworkBuilder) -> int:
    root, leave = b.rule(), b.state()
    b.accept(b.literal(leave, b"ab"))
    b.epsilon(root, b.span(UnitClass.from_ranges([(0x61, 0x7A)]), 1, 3, leave))
    return root


def _looping(b: NetworkBuilder) -> int:
    """Letters in which "zq" does not occur, then a quote: states that most bytes lead back to, without a span."""
    root, seen, end = b.rule(), b.state(), b.state()
    b.accept(end)
    for state in (root, seen):
        b.byte(state, 0x61, 0x79 if state == root else 0x70, root)
        b.byte(state, 0x22, 0x22, end)
        b.byte(state, 0x7A, 0x7A, seen)
    b.byte(seen, 0x72, 0x79, root)
    return root


_CLOSERS = {"a": "bc", "{": "c}"}


def _mirrored(b: NetworkBuilder) -> int:
    """Openers, an "x", and for each opener one of its closers: what is to come multiplies with every level."""
    root, end = b.rule(), b.state()
    b.accept(end)
    b.literal(root, b"x", end)
    for opener, closers in _CLOSERS.items():
        inside = b.literal(root, opener.encode())
        for closer in closers:
            close = b.state()
            b.call(inside, root, close)
            b.literal(close, closer.encode(), end)
    return root


_TAGS = (Tag("<tool>a", Choice(["12", "123"]), "}"), Tag("<tool>b", Choice(["é", "日本"]), '"'))

CASES = [
    Network("string", _string(0, None)),
    Network("string of 2 to 5", _string(2, 5)),
    Network("string of at least 3", _string(3, None)),
    Network("string of at most 36", _string(0, 36)),
    Network("letters then digit", _letters_then(b"1", [(0x61, 0x7A)], 0, None)),
    Network("letters to 4 then nothing", _letters_then(b"", [(0x61, 0x7A), (0x65E5, 0x65E5)], 1, 4)),
    Network("digits then comma", _letters_then(b",", [(0x30, 0x39)], 1, 20)),
    Network("all but names", _all_but_names),
    Network("names and others", _names_and_others),
    Network("nested", _nested),
    Network("two strings", _two_strings),
    Network("overlapping", _overlapping),
    Network("overlapping, bounded", _overlapping_bounded),
    Network("mirrored", _mirrored),
    Network("looping", _looping),
    Network("looping, a second time", _looping),
    Choice(["ab", "abcd", "aé", "日本日", "12,"]),
    StructuralTag(_TAGS, ("<tool>",)),
    StructuralTag(_TAGS, ("<tool>",), at_least_one=True),
    StructuralTag(_TAGS, ("<tool>",), stop_after_first=True),
    StructuralTag(_TAGS, at_least_one=True, free_text=False, separator=", "),
    StructuralTag((Tag("日t", Choice(["1"])),), ("日t",)),
]


@pytest.fixture(params=CASES, ids=lambda case: case.cache_key()[:40])
def compiled(request, vocabulary):
    return Compiler(vocabulary).compile(request.param)


def test_mask_equals_brute_force_on_random_texts(compiled):
    chance = random.Random(7)
    for _ in range(12):
        check_masks(compiled.matcher(), chance, [None] * 13)


def test_mask_with_a_budget_equals_brute_force(compiled):
    chance = random.Random(8)
    for budget in (compiled.min_tokens, compiled.min_tokens + 1, compiled.min_tokens + 4):
        for _ in range(4):
            matcher = compiled.matcher()
            check_masks(matcher, chance, range(budget, -1, -1))
            assert matcher.is_complete


def test_min_tokens_is_enough(compiled):
    matcher = compiled.matcher()
    for left in range(compiled.min_tokens, 0, -1):
        choices = mask_of(matcher, left) - {EOS}
        if matcher.is_complete:
            break
        assert matcher.accept(min(choices))
    assert matcher.is_complete


def test_rollback_and_fork_restore_the_mask(compiled):
    chance = random.Random(9)
    matcher = compiled.matcher()
    masks = []
    for _ in range(8):
        masks.append(mask_of(matcher))
        choices = sorted(masks[-1] - {EOS})
        if not choices:
            break
        assert matcher.accept(chance.choice(choices))
    twin = matcher.fork()
    for taken in range(twin.num_tokens, 0, -1):
        twin.rollback(1)
        assert mask_of(twin) == masks[taken - 1]
    matcher.rollback(matcher.num_tokens)
    assert mask_of(matcher) == masks[0]


def test_accept_agrees_with_the_mask_and_changes_nothing_when_refused(compiled, vocabulary):
    matcher = compiled.matcher()
    mask = mask_of(matcher)
    for token_id in range(len(vocabulary)):
        assert matcher.fork().accept(token_id) == (token_id in mask)
        if token_id not in mask:
            assert not matcher.accept(token_id)
    assert mask_of(matcher) == mask


def test_forced_tokens_are_allowed(compiled):
    matcher = compiled.matcher()
    for _ in range(4):
        for token_id in matcher.forced_tokens():
            assert matcher.accept(token_id)
        choices = mask_of(matcher) - {EOS}
        if not choices:
            break
        assert matcher.accept(max(choices))


def test_choices_on_nested_levels_are_kept_apart(vocabulary):
    matcher = Compiler(vocabulary).compile(Network("mirrored", _mirrored)).matcher()
    for size in range(6):
        for letters in itertools.product("a{xbc}", repeat=size):
            text = "".join(letters)
            before, x, after = text.partition("x")
            expected = bool(x) and len(before) == len(after)
            expected = expected and all(
                opener in _CLOSERS and closer in _CLOSERS[opener]
                for opener, closer in zip(reversed(before), after, strict=True)
            )
            assert matcher.accept_text(text.encode()) == expected, text


def test_choices_on_nested_levels_do_not_multiply(vocabulary):
    limits = Limits(max_configuration_pairs=512, max_configurations=2048, max_stack_nodes=1024)
    compiled = Compiler(vocabulary, limits).compile(Network("mirrored", _mirrored))
    assert compiled.matcher().accept_text(b"a{" * 40 + b"x" + b"}b" * 20 + b"cc" * 20)
    assert not compiled.matcher().accept_text(b"a{" * 40 + b"x" + b"}b" * 20 + b"cc" * 19 + b"c}")


def test_budgets_count_characters_of_several_bytes():
    words = ["é", "éé", "ééé", "aé", "éa", "aaé", "aaéa", "aéaa", "aaéaa", "日本"]
    tokens = [*(bytes([byte]) for byte in range(256)), *(word.encode() for word in words)]
    vocabulary = Vocabulary.from_tokens([*tokens, None], [len(tokens)])
    schema = {"properties": {"a": {"type": "string", "minLength": 2, "maxLength": 4}}, "required": ["a"]}
    compiled = Compiler(vocabulary).compile(JsonSchema(schema))
    for text in ('{"a":"', '{"a":"é', '{"a":"aé', '{"a":"ééa'):
        for budget in (None, *range(3, 14)):
            matcher = compiled.matcher()
            assert all(matcher.accept(byte) for byte in text.encode())
            assert all(matcher.fork().accept(token) for token in mask_of(matcher, budget)), (text, budget)
