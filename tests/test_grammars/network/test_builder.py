"""What the builder writes down becomes the network it says."""

from __future__ import annotations

import gc
import itertools
import random
import weakref

import numpy as np
import pytest

from grammars import Compiler, JsonOptions, JsonSchema, TooComplexError, UnsatisfiableError, Vocabulary
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.network.network import Network
from grammars.vocabulary.units import UnitClass
from tests.test_grammars.simulator import Simulator

LETTERS = UnitClass.from_ranges([(0x61, 0x7A)])


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.from_tokens([*(bytes([i]) for i in range(256)), None, b"ab", b"abab", b'"}', b"12"], [256])


def _finished(build, limits=None) -> Network:
    builder = NetworkBuilder(limits)
    return builder.finish(build(builder))


def _words(words):
    def build(builder):
        root, end = builder.rule(), builder.state()
        builder.words(root, words, end)
        builder.accept(end)
        return root

    return build


@pytest.mark.parametrize(
    "words",
    [
        [b"a"],
        [b"ab", b"abc", b"b", b"abd", b"ab"],
        [bytes(word) for size in (1, 2, 3) for word in itertools.product(b"ab", repeat=size)],
        # So many bytes that the states of the trie are counted beforehand.
        [b"%05d" % (number * number) for number in range(1200)],
    ],
)
def test_words_are_exactly_the_words(words):
    network = _finished(_words(words))
    simulator = Simulator(network)
    present = set(words)
    tried = present | {word[:-1] for word in words} | {word + b"a" for word in words}
    assert {text for text in tried if simulator.accepts(text)} == present
    prefixes = {word[:length] for word in words for length in range(len(word))}
    if sum(map(len, present)) > 4096:
        assert network.num_states <= len(prefixes) + 1


@pytest.mark.parametrize("words", [["b"], ["ab", "abc"], ["", "a"], [""]])
def test_excluded_words_are_missing_and_no_others(words):
    def build(builder):
        root, close, end = builder.rule(), builder.state(), builder.state()
        builder.excluding(root, [f'{word}"'.encode() for word in words], builder.span(LETTERS, 0, None, close))
        builder.byte(close, 0x22, 0x22, end)
        builder.accept(end)
        return root

    simulator = Simulator(_finished(build))
    texts = ["".join(text) for size in range(5) for text in itertools.product("abc", repeat=size)]
    assert [text for text in texts if not simulator.accepts(text + '"')] == [t for t in texts if t in words]


@pytest.mark.parametrize("has_space", [True, False])
def test_member_is_name_space_value(has_space):
    def build(builder):
        value, start, end = (builder.rule() for _ in range(3))
        builder.accept(builder.literal(value, b"1"))
        builder.accept(end)
        builder.call(start, builder.members([(b'a":', value)], has_space, builder.end())[0], end)
        return start

    simulator = Simulator(_finished(build))
    assert simulator.accepts('a":1')
    assert simulator.accepts('a": 1') == has_space
    assert not simulator.accepts('a":\n1')
    assert not simulator.accepts('a":  1')
    assert not simulator.accepts('a":')


def _fragment(has_one_entry=True):
    builder = NetworkBuilder()
    start, end = builder.rule(), builder.state()
    builder.epsilon(start, builder.span(LETTERS, 1, 3, end))
    builder.words(start, [b"11", b"12"], end)
    builder.accept(end)
    builder.shared["word"] = start
    return builder.fragment(has_one_entry)


def test_graft_is_the_fragment_wherever_it_lands():
    fragment = _fragment()

    def build(builder):
        root, middle, end = builder.rule(), builder.state(), builder.state()
        # Another class and another text first, so that nothing keeps its number.
        builder.byte(root, 0x7E, 0x7E, builder.span(UnitClass.ANY, 2, 2, end))
        comma = builder.literal(middle, b"--")
        first = builder.graft(fragment)
        second = builder.graft(fragment)
        assert first != second
        assert builder.shared["word"] == first
        builder.call(root, first, middle)
        builder.call(comma, second, end)
        builder.accept(end)
        return root

    network = _finished(build)
    simulator = Simulator(network)
    for left, right in itertools.product(["a", "abc", "11", "abcd", "13", ""], repeat=2):
        expected = left in ("a", "abc", "11") and right in ("a", "abc", "11")
        assert simulator.accepts(f"{left}--{right}") == expected
    assert simulator.accepts("~é1")


def test_network_costs_the_same_where_it_begins_with_a_fragment_that_is_known(vocabulary):
    fragment = _fragment(has_one_entry=False)
    networks = []
    for is_first in (True, True, False):
        builder = NetworkBuilder()
        if not is_first:
            builder.rule()
        base = builder.graft(fragment)
        root = builder.rule()
        builder.call(builder.literal(root, b"12"), base, builder.end())
        network = builder.finish(root, vocabulary.tables)
        networks.append((network.root_cost, network.cost[base : base + fragment.count].tolist()))
        assert Simulator(network).accepts("12abc")
    assert networks[0] == networks[1] == networks[2]
    assert fragment.stem(vocabulary.tables) is not None


def test_fragment_holds_no_graft():
    builder = NetworkBuilder()
    builder.graft(_fragment())
    with pytest.raises(ValueError, match="fragment"):
        builder.fragment()


def test_dead_ends_are_gone():
    def build(builder):
        root, nowhere, end = builder.rule(), builder.state(), builder.state()
        builder.byte(root, 0x61, 0x61, nowhere)
        builder.byte(root, 0x62, 0x62, end)
        builder.call(root, nowhere, end)
        builder.epsilon(root, nowhere)
        builder.accept(end)
        return root

    network = _finished(build)
    assert network.edge_to.tolist() == [2]
    assert len(network.epsilon_to) == len(network.call_rule) == 0


def test_limits_hold_for_whole_words_and_parts():
    limits = Limits(max_states=8)
    for build in (
        lambda b: b.literal(b.rule(), b"x" * 9),
        lambda b: b.words(b.rule(), [b"abcd", b"efgh"], b.state()),
        lambda b: b.members([(b"abcdefg", b.rule())], False, b.end()),
        lambda b: b.graft(_fragment()) + b.graft(_fragment()),
    ):
        with pytest.raises(TooComplexError, match="max_states"):
            build(NetworkBuilder(limits))


def test_network_without_text_is_refused():
    with pytest.raises(UnsatisfiableError):
        _finished(lambda builder: builder.rule())


def test_network_survives_bytes(vocabulary):
    compiled = Compiler(vocabulary).compile(JsonSchema({"properties": {"é": {"enum": ["x", 1]}}}))
    again = Network.from_bytes(compiled.network.to_bytes())
    assert np.array_equal(again.ints, compiled.network.ints)
    assert np.array_equal(again.octets, compiled.network.octets)
    assert again.report == compiled.network.report
    assert again.classes == compiled.network.classes


def test_memory_is_used_again_and_nothing_is_left_in_it(vocabulary):
    limits = Limits(max_compiled=1)
    compiler, other = Compiler(vocabulary, limits), Compiler(vocabulary)
    schemas = [
        {"properties": {"a": {"type": "string", "maxLength": 3}, "b": {"enum": [1, 2]}}},
        {"items": {"type": "integer"}, "type": "array"},
        {"type": "string", "pattern": "^[a-c]+$"},
        {"type": "string", "maxLength": 5000},
        {"properties": {f"n{i}": {"const": i} for i in range(70)}, "additionalProperties": False},
    ]
    texts = [
        '{"a": "abc", "b": 2}',
        "[1, 22, 333]",
        '"abcabc"',
        '{"zz": [null, {"q": 1}]}',
        "tru",
        '{"n7": 7, "n69": 69}',
    ]
    texts.append(f'"{"x" * 3000}"')  # more configurations than there is room for at first
    memories = set()
    row, expected = (np.zeros((len(vocabulary) + 31) // 32, dtype=np.uint32) for _ in range(2))
    for _ in range(3):
        for schema in schemas:
            compiled, reference = compiler.compile(JsonSchema(schema)), other.compile(JsonSchema(schema))
            memories.add(id(compiled.arena.arrays["counters"]))
            for text in texts:
                matcher, twin = compiled.matcher(), reference.matcher()
                for token in text.encode():
                    matcher.fill_mask(row)
                    twin.fill_mask(expected)
                    assert np.array_equal(row, expected)
                    ok = matcher.accept(token)
                    assert ok == twin.accept(token)
                    if not ok:
                        break
            del compiled, matcher
    assert len(memories) < 15


def test_what_was_needed_for_compiling_does_not_wait_for_the_garbage_collector():
    schema = JsonSchema({"properties": {"a": {"type": "array", "items": {"maximum": 7}}, "b": {"enum": [1]}}})
    gc.disable()
    try:
        builder = NetworkBuilder()
        gone = weakref.ref(builder)
        schema.emit(builder)
        del builder
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("name", [b'a":', b'abababab":', b'x12ab12}":', b"ab" * 31, b"ab" * 31 + b"a", b"12" * 50])
def test_names_of_members_cost_what_literals_cost(vocabulary, name):
    builder = NetworkBuilder()
    end, value = builder.end(), builder.rule()
    builder.literal(value, b"1", end)
    (member,) = builder.members([(name, value)], False, end)
    start = builder.rule()
    builder.call(builder.literal(start, name), value, end)
    root = builder.rule()
    builder.call(root, member, end)
    builder.call(root, start, end)
    cost = builder.finish(root, vocabulary.tables).cost
    assert cost[member : member + len(name)].tolist() == cost[start : start + len(name)].tolist()


def test_what_is_known_of_names_changes_no_cost():
    tokens = [
        *(bytes([i]) for i in range(256)),
        None,
        b"ab",
        b"aba",
        b'b"',
        b'b":',
        b'": ',
        b'a": ',
        b"bbbb",
        b"a" * 20,
    ]
    used, chance = Vocabulary.from_tokens(tokens, [256]), random.Random(1)
    seen = set()
    for number in range(40):
        # Long ones are not remembered; of many others some fall on one place.
        names = {"".join(chance.choices("ab", k=chance.choice((3, 8, 30, 60, 61, 62, 63, 80)))) for _ in range(100)}
        whitespace = ("bounded", "compact")[number % 2]
        # What was met with a space before is met without one.
        seen |= names
        schema = {"type": "object", "properties": {name: {"type": "null"} for name in sorted(names)}}
        schema["properties"] |= {name: {} for name in chance.sample(sorted(seen), 50)}
        constraint = JsonSchema(schema, JsonOptions(whitespace=whitespace))
        one, other = (
            Compiler(vocabulary).compile(constraint).network
            for vocabulary in (used, Vocabulary.from_tokens(tokens, [256]))
        )
        assert (one.cost == other.cost).all()
    assert len(seen) > 2000


@pytest.mark.parametrize("cut", [0, 7, 40, 300, -9])
def test_what_is_no_network_is_refused(vocabulary, cut):
    data = Compiler(vocabulary).compile(JsonSchema({"enum": ["x", 1]})).to_bytes()
    with pytest.raises(ValueError):  # noqa: PT011  JSON's own among them
        Network.from_bytes(data[:cut])
    with pytest.raises(ValueError, match="no network"):
        Network.from_bytes(b"x" + data)


def test_a_network_that_was_read_is_written_as_it_was(vocabulary):
    data = Compiler(vocabulary).compile(JsonSchema({"properties": {"\\ud800": {"uniqueItems": True}}})).to_bytes()
    again = Network.from_bytes(data)
    assert again.to_bytes() == data
    assert again.ints.flags.writeable
    assert again.ints.flags.aligned
