"""The compiler: caching, single flight, errors, the network as bytes, bounded memory."""

from __future__ import annotations

import threading
import weakref

import numpy as np
import pytest

from grammars import (
    Choice,
    Compiler,
    Gbnf,
    InvalidGrammarError,
    Lark,
    Limits,
    StructuralTag,
    Tag,
    TooComplexError,
    UnsatisfiableError,
    UnsupportedError,
    Vocabulary,
    fill_masks,
)
from grammars.network.builder import NetworkBuilder
from grammars.vocabulary.units import UnitClass
from tests.oracles import accept_alike, brute_force_mask, mask_of

EOS = 256


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.from_tokens([*(bytes([i]) for i in range(256)), None, b"ab", b"abab", b'"}'], [EOS])


class Emitted:
    """A constraint made by a function of the builder; counts how often it is emitted."""

    def __init__(self, emit):
        self.calls, self._emit = 0, emit

    def cache_key(self):
        return f"test:{id(self)}"

    def emit(self, builder: NetworkBuilder) -> int:
        self.calls += 1
        return self._emit(builder)


def _counted_text(low: int, high: int | None):
    def emit(b: NetworkBuilder) -> int:
        root, end = b.rule(), b.state()
        b.accept(end)
        b.epsilon(root, b.span(UnitClass.ANY, low, high, end))
        return root

    return emit


def test_compile_compiles_equal_constraints_once(vocabulary):
    compiler = Compiler(vocabulary)
    assert compiler.compile(Choice(["a", "b"])) is compiler.compile(Choice(["a", "b"]))
    assert compiler.compile(Choice(["a", "b"])) is not compiler.compile(Choice(["ab"]))


def test_compile_is_single_flight_across_threads(vocabulary):
    gate = threading.Event()

    def emit(b: NetworkBuilder) -> int:
        gate.wait(10)
        return _counted_text(0, 3)(b)

    constraint, compiler, found = Emitted(emit), Compiler(vocabulary), []
    threads = [threading.Thread(target=lambda: found.append(compiler.compile(constraint))) for _ in range(6)]
    for thread in threads:
        thread.start()
    gate.set()
    for thread in threads:
        thread.join()
    assert constraint.calls == 1
    assert len({id(compiled) for compiled in found}) == 1


def test_compile_keeps_at_most_its_limit(vocabulary):
    compiler = Compiler(vocabulary, Limits(max_compiled=2))
    first = compiler.compile(Choice(["a"]))
    compiler.compile(Choice(["b"]))
    assert compiler.compile(Choice(["a"])) is first
    compiler.compile(Choice(["c"]))
    assert compiler.compile(Choice(["a"])) is first
    compiler.compile(Choice(["d"]))
    compiler.compile(Choice(["e"]))
    assert compiler.compile(Choice(["a"])) is not first


def test_json_within_a_grammar_may_be_the_first_of_a_vocabulary():
    vocabulary = Vocabulary.from_tokens([*(bytes([i]) for i in range(256)), None], [EOS])
    compiler = Compiler(vocabulary)
    matcher = compiler.compile(Lark('start: "<" %json {"type": "array", "items": {"type": "null"}}')).matcher()
    assert all(map(matcher.accept, b"<[ null"))
    assert mask_of(matcher) == set(b",] \n")
    matcher = compiler.compile(Lark('start: "<" %json {"type": "object"}')).matcher()
    assert all(map(matcher.accept, b'<{"a": [1.5, {"b": "'))
    assert mask_of(matcher) == brute_force_mask(matcher)


def test_compile_counts_the_text_of_what_it_keeps(vocabulary):
    compiler, text = Compiler(vocabulary), "x" * 50_000
    before = compiler._cache.num_bytes
    compiler.compile(Lark(f'start: "a" // {text}'))
    assert compiler._cache.num_bytes > before + len(text)


def test_compile_does_not_keep_what_is_larger_than_a_constraint_may_be(vocabulary):
    compiler = Compiler(vocabulary, Limits(max_schema_bytes=100))
    before = compiler._cache.num_bytes
    with pytest.raises(TooComplexError, match="max_schema_bytes"):
        compiler.compile(Choice(["a" * 101]))
    large = Lark(f'start: "a" // {"x" * 100}')
    assert compiler.compile(large) is not compiler.compile(large)
    assert compiler._cache.num_bytes == before


def test_compile_forgets_a_failed_constraint(vocabulary):
    def emit(b: NetworkBuilder) -> int:
        if constraint.calls == 1:
            raise UnsupportedError("the first attempt")
        return _counted_text(0, 1)(b)

    constraint, compiler = Emitted(emit), Compiler(vocabulary)
    with pytest.raises(UnsupportedError, match="first attempt"):
        compiler.compile(constraint)
    assert compiler.compile(constraint).min_tokens == 0


@pytest.mark.parametrize(
    ("constraint", "error"),
    [
        (Choice([]), InvalidGrammarError),
        (Choice(["a"] * 11), TooComplexError),
        (Choice(["a" * 200]), TooComplexError),
        (Lark("start: /a/ b"), InvalidGrammarError),
        (Lark("start: <[*]>"), UnsupportedError),
        (Lark("start: <think>"), InvalidGrammarError),
        (Gbnf('root ::= "a" root'), UnsatisfiableError),
        ("a string", UnsupportedError),
        (StructuralTag((), at_least_one=True), InvalidGrammarError),
        (StructuralTag((Tag("x", Choice(["a"])),), ("y",)), InvalidGrammarError),
        (StructuralTag((Tag("yy", Choice(["a"])),), ("y", "yy")), InvalidGrammarError),
    ],
)
def test_compile_refuses_with_one_of_four_errors(vocabulary, constraint, error):
    compiler = Compiler(vocabulary, Limits(max_enum_values=10, max_schema_bytes=100))
    with pytest.raises(error):
        compiler.compile(constraint)


def _left_recursive(b: NetworkBuilder) -> int:
    root, after, end = b.rule(), b.state(), b.state()
    b.accept(end)
    b.call(root, root, after)
    b.byte(after, 0x61, 0x61, end)
    b.byte(root, 0x61, 0x61, end)
    return root


def _hidden_left_recursive(b: NetworkBuilder) -> int:
    root, empty, after, end = b.rule(), b.rule(), b.state(), b.state()
    b.accept(empty)
    b.accept(end)
    b.byte(empty, 0x62, 0x62, end)
    b.call(root, empty, after)
    b.call(after, root, b.literal(b.state(), b"x", end))
    b.byte(root, 0x61, 0x61, end)
    return root


def _endless(b: NetworkBuilder) -> int:
    root, after = b.rule(), b.state()
    b.literal(root, b"a", after)
    b.call(after, root, b.literal(b.state(), b"b"))
    return root


def _empty_repeat(b: NetworkBuilder) -> int:
    root, empty, end = b.rule(), b.rule(), b.state()
    b.accept(empty)
    b.accept(end)
    b.epsilon(root, b.repeat(empty, 0, 3, end))
    return root


@pytest.mark.parametrize(
    ("emit", "error"),
    [
        (_left_recursive, InvalidGrammarError),
        (_empty_repeat, InvalidGrammarError),
        (_endless, UnsatisfiableError),
        (lambda b: max(b.state() for _ in range(2000)), TooComplexError),
    ],
)
def test_finish_refuses_bad_networks(vocabulary, emit, error):
    with pytest.raises(error):
        Compiler(vocabulary, Limits(max_states=1000)).compile(Emitted(emit))


def test_finish_sees_left_recursion_behind_an_empty_rule(vocabulary):
    def emit(b: NetworkBuilder) -> int:
        root, empty, after, back, end = b.rule(), b.rule(), b.state(), b.state(), b.state()
        b.accept(empty)
        b.accept(end)
        b.call(root, empty, after)
        b.call(after, root, back)
        b.byte(back, 0x78, 0x78, end)
        b.byte(root, 0x61, 0x61, end)
        return root

    with pytest.raises(InvalidGrammarError, match="before any text"):
        Compiler(vocabulary).compile(Emitted(emit))


def test_dead_branches_are_pruned_so_that_masks_never_lead_nowhere(vocabulary):
    def emit(b: NetworkBuilder) -> int:
        root, end, trap = b.rule(), b.state(), b.state()
        b.accept(end)
        b.literal(root, b"ab", end)
        b.literal(root, b"ax", trap)
        b.call(root, _endless(b), end)
        return root

    matcher = Compiler(vocabulary).compile(Emitted(emit)).matcher()
    assert mask_of(matcher) == {ord("a"), 257}
    assert matcher.accept(ord("a"))
    assert mask_of(matcher) == {ord("b")}


def test_unspellable_text_is_unsatisfiable():
    vocabulary = Vocabulary.from_tokens([b"a", b"b", None], [2])
    with pytest.raises(UnsatisfiableError, match="vocabulary"):
        Compiler(vocabulary).compile(Choice(["xyz"]))


def test_network_survives_to_bytes_and_load(vocabulary):
    compiler = Compiler(vocabulary)
    tag = StructuralTag((Tag("<t>", Choice(["a", "ab"])),), ("<t>",))
    compiled = compiler.compile(tag)
    loaded = compiler.load(compiled.to_bytes())
    assert list(loaded.report) == list(compiled.report)
    assert loaded.min_tokens == compiled.min_tokens
    one, other = compiled.matcher(), loaded.matcher()
    accept_alike(one, other, b"x<t>ab<t>a")
    assert one.is_complete
    assert other.is_complete


def test_load_keeps_what_has_a_key_within_the_bounds_of_the_cache(vocabulary):
    compiler = Compiler(vocabulary, Limits(max_compiled=2))
    data = [compiler.compile(Choice([text])).to_bytes() for text in ("a", "b", "c", "d")]
    loaded = [compiler.load(each, str(number)) for number, each in enumerate(data)]
    assert compiler.load(data[3], "3") is loaded[3]
    assert compiler.load(data[0], "0") is not loaded[0]
    assert compiler.load(data[3]) is not loaded[3]
    for each, text in zip(loaded, b"abcd", strict=True):
        assert mask_of(each.matcher()) == {text}


def test_constraints_that_somebody_holds_count_until_they_go(vocabulary):
    def words(number):
        return Choice([f"{number} {word}" * 20 for word in range(100)])

    size = Compiler(vocabulary).compile(words(0)).network.num_bytes
    compiler = Compiler(vocabulary, Limits(max_held_bytes=20 * size))
    for number in range(60):
        compiler.compile(words(number))  # what nobody holds makes room
    held = []

    def hold(make, *arguments):
        for _ in range(60):
            held.append(make(*arguments))

    with pytest.raises(TooComplexError, match="max_held_bytes"):
        hold(lambda: compiler.compile(words(len(held))))
    assert 5 < len(held) < 20
    data = held.pop().to_bytes()
    with pytest.raises(TooComplexError, match="max_held_bytes"):
        hold(compiler.load, data)
    held.clear()
    assert compiler.load(data).min_tokens == compiler.compile(words(70)).min_tokens


def test_memory_is_bounded_and_matching_goes_on_when_the_arena_is_emptied(vocabulary):
    compiled = Compiler(vocabulary, Limits(max_configurations=1000)).compile(Emitted(_counted_text(0, 5000)))
    matcher, other = compiled.matcher(), compiled.matcher()
    assert other.accept(ord("x"))
    sizes = []
    for i in range(900):
        assert matcher.accept(ord("a") + i % 7)
        sizes.append(compiled.num_bytes)
    for _ in range(6):
        twin = compiled.matcher()
        for i in range(300):
            assert twin.accept(ord("k") + i % 3)
            twin.fork().accept(257)
    assert compiled.arena.epoch == 1 or matcher.num_tokens == 900
    assert mask_of(matcher) == brute_force_mask(matcher)
    matcher.rollback(899)
    assert mask_of(matcher) == mask_of(other)


def test_a_match_that_alone_needs_more_than_the_arena_goes_on(vocabulary):
    compiled = Compiler(vocabulary, Limits(max_configurations=300)).compile(Emitted(_counted_text(0, 5000)))
    matcher = compiled.matcher()
    assert all(matcher.accept(ord("a")) for _ in range(1000))
    assert compiled.arena.epoch > 2
    assert mask_of(matcher) == brute_force_mask(matcher)
    matcher.rollback(900)
    other = compiled.matcher()
    assert all(other.accept(ord("a")) for _ in range(100))
    assert mask_of(matcher) == mask_of(other)
    assert matcher.fork().is_complete == other.is_complete


def test_fill_masks_of_a_batch_equals_one_by_one(vocabulary):
    compiler = Compiler(vocabulary)
    texts = [compiler.compile(Choice(["ab", "b", "abab"])), compiler.compile(Emitted(_counted_text(1, 4)))]
    matchers = [texts[i % 2].matcher() for i in range(7)]
    for i, matcher in enumerate(matchers):
        for token_id in b"ab"[: i % 3]:
            assert matcher.accept(token_id)
    assert matchers[6].accept(EOS) == matchers[6].is_ended
    left = [None, 1, 2, None, 9, 0, 3]
    rows = np.full((7, vocabulary.tables.num_words), 0xFFFFFFFF, dtype=np.uint32)
    fill_masks(matchers, rows, left)
    for matcher, row, tokens_left in zip(matchers, rows, left, strict=True):
        single = np.empty_like(row)
        matcher.fill_mask(single, tokens_left)
        assert np.array_equal(row, single)


def test_matchers_of_one_constraint_work_in_many_threads(vocabulary):
    compiled = Compiler(vocabulary).compile(Emitted(_counted_text(0, 400)))
    failures = []

    def run(seed: int) -> None:
        matcher = compiled.matcher()
        for i in range(200):
            if not matcher.accept(ord("a") + (i * seed) % 26) or EOS not in mask_of(matcher):
                failures.append(i)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(1, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_matcher_refuses_wrong_rows_tokens_and_rollbacks(vocabulary):
    matcher = Compiler(vocabulary).compile(Choice(["ab"])).matcher()
    with pytest.raises(ValueError, match="shape"):
        matcher.fill_mask(np.zeros(1, dtype=np.uint32))
    assert not matcher.accept(-1)
    assert not matcher.accept(10_000)
    assert not matcher.accept(EOS)
    with pytest.raises(ValueError, match="taken back"):
        matcher.rollback(1)
    assert matcher.accept(257)
    assert matcher.accept(EOS)
    assert matcher.is_ended
    assert mask_of(matcher) == set()
    assert not matcher.accept(EOS)


def test_masks_are_kept_for_new_constraints_when_old_ones_hold_all_the_memory(vocabulary):
    pool, compiler = vocabulary.mask_pool, Compiler(vocabulary)
    compiled = [compiler.compile(Choice([f"a{i}", f"b{i}"])) for i in range(3)]
    matchers = [one.matcher() for one in compiled]
    for matcher in matchers[:2]:
        for _ in range(3):
            assert mask_of(matcher) == brute_force_mask(matcher)
    held = []
    while pool._free:
        held.append(pool.take(compiled[0].arena))
    try:
        for matcher in [matchers[2], *matchers] * 3:
            assert mask_of(matcher) == brute_force_mask(matcher)
        assert compiled[2].arena.arrays["config_mask"].any()
        assert not pool._free
    finally:
        pool.give_back(held)


class _FailsForItsOwnSake:
    """A constraint whose error is its own cause."""

    def cache_key(self) -> str:
        return "fails for its own sake"

    def emit(self, builder) -> int:
        large = _Large()
        held.append(weakref.ref(large))
        error = ValueError("no")
        raise error from error


class _Large:
    pass


held = []


def test_failed_compilation_holds_nothing_but_leaves_what_its_caller_was_handling(vocabulary):
    def fail():
        mine = [3]
        raise KeyError(mine[0])

    try:
        fail()
    except KeyError as error:
        outer = error
        with pytest.raises(ValueError, match="no"):
            Compiler(vocabulary).compile(_FailsForItsOwnSake())
    assert outer.__traceback__.tb_next.tb_frame.f_locals["mine"] == [3]
    assert held[-1]() is None
