"""Records of matches: they grow, are copied and come back, and kernels that hold the GIL keep out of closed arenas."""

from __future__ import annotations

import json
import threading

import numpy as np
import pytest

from grammars import Compiler, JsonOptions, JsonSchema, Limits, Matcher, Regex, fill_masks
from grammars.kernels.record import NUM_TOKENS, ROOM, SIZE, TEXT_ROOM
from tests.oracles import mask_of
from tests.test_grammars.sampling import EOS, VOCABULARY

# Strings that must be new are for kernels, numbers for Python.
STRINGS = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
NUMBERS = {"type": "array", "items": {"type": "number"}, "uniqueItems": True}
TEXTS = {
    "strings": (STRINGS, json.dumps([f"the word {i}" for i in range(75)])),
    "numbers": (NUMBERS, json.dumps(list(range(300)))),
}


def _told(compiled, data: bytes) -> Matcher:
    matcher = compiled.matcher()
    assert all(matcher.accept(byte) for byte in data)
    return matcher


@pytest.mark.parametrize("case", TEXTS)
def test_long_texts_are_remembered_as_they_were_written(case):
    schema, text = TEXTS[case]
    compiled, data = Compiler(VOCABULARY).compile(JsonSchema(schema)), text.encode()
    matcher = _told(compiled, data)
    assert matcher.num_tokens == len(data) > 1000
    assert matcher.is_complete
    assert mask_of(matcher) == {EOS}
    # One more member that was there is refused wherever the text is cut, and by forks and twins alike.
    again = b", " + json.dumps(json.loads(text)[0]).encode() + b"]"
    other = again.replace(b"0", b"-7")
    for one in (matcher, matcher.fork()):
        one.rollback(1)
        assert not one.accept_text(again)
        assert one.accept_text(other)
        assert one.accept_text(b"]")
        assert mask_of(one) == mask_of(_told(compiled, data[:-1]))
        one.rollback(len(data) - 11)
        assert mask_of(one) == mask_of(_told(compiled, data[:10]))
        assert one.num_tokens == 10


@pytest.mark.parametrize("case", TEXTS)
def test_a_fork_and_its_origin_go_their_own_ways(case):
    schema, text = TEXTS[case]
    compiled, data = Compiler(VOCABULARY).compile(JsonSchema(schema)), text.encode()
    matcher = _told(compiled, data[:700])
    forks = [matcher.fork() for _ in range(3)]
    for byte in data[700:]:
        assert matcher.accept(byte)
    for fork, more in zip(forks, (0, 100, 400), strict=True):
        assert all(fork.accept(byte) for byte in data[700 : 700 + more])
        assert mask_of(fork) == mask_of(_told(compiled, data[: 700 + more]))
    batch = [matcher, *forks, compiled.matcher(), matcher.fork()]
    rows = np.zeros((len(batch), compiled.num_words), dtype=np.uint32)
    fill_masks(batch, rows)
    for one, row in zip(batch, rows, strict=True):
        alone = np.zeros_like(row)
        one.fill_mask(alone)
        assert (row == alone).all()


@pytest.mark.parametrize("schema", [STRINGS, {"type": "string"}])
def test_a_record_has_room_before_it_is_needed(schema):
    matcher = Compiler(VOCABULARY).compile(JsonSchema(schema)).matcher()
    begun = b'["' if schema is STRINGS else b'"'
    for byte in begun + b"x" * 3000:
        assert matcher.accept(byte)
        record = matcher._record
        assert record[NUM_TOKENS] < record[ROOM]
        assert record[TEXT_ROOM] == 0 or matcher.num_tokens + VOCABULARY.tables.longest_token < record[TEXT_ROOM]
    assert matcher.accept_text(b"y" * 5000 + begun[::-1].replace(b"[", b"]"))


def test_matchers_of_an_emptied_arena_find_their_way_again_in_a_batch():
    compiled = Compiler(VOCABULARY, Limits(max_configurations=400)).compile(
        Regex("[a-z]{0,4000}|[0-9]{0,4000}|[A-Z]{0,4000}")
    )
    batch = [_told(compiled, b"a" * n) for n in (3, 50)]
    epoch = compiled.arena.epoch
    for text in (b"0", b"A"):
        _told(compiled, text * 300)
    assert compiled.arena.epoch > epoch
    rows = np.zeros((2, compiled.num_words), dtype=np.uint32)
    fill_masks([*batch], rows)
    for one, row in zip(batch, rows, strict=True):
        alone = np.zeros_like(row)
        _told(compiled, b"z" * one.num_tokens).fill_mask(alone)
        assert (row == alone).all()
        assert one.accept(ord("b"))


@pytest.mark.parametrize("ask", [Matcher.accept_text, Matcher.allowed_prefix])
def test_a_record_found_again_has_room_for_what_is_asked(ask):
    compiled = Compiler(VOCABULARY).compile(JsonSchema(STRINGS))
    matcher, epoch = _told(compiled, b'["a'), compiled.arena.epoch
    compiled.warm_up()
    assert compiled.arena.epoch > epoch
    asked = b'"' + b"".join(b', "%d"' % i for i in range(500)) + b"]"
    assert ask(matcher, asked) == (True if ask is Matcher.accept_text else len(asked))
    assert matcher._record[SIZE] + len(asked) < matcher._record[TEXT_ROOM]
    assert matcher.num_tokens == 3


@pytest.mark.parametrize("does", ["fill", "accept"])
def test_matchers_wait_for_whoever_has_the_arena_to_himself(does):
    compiled = Compiler(VOCABULARY).compile(JsonSchema({"type": "integer"}, JsonOptions(whitespace="compact")))
    matcher, row = compiled.matcher(), np.zeros(compiled.num_words, dtype=np.uint32)
    is_done = threading.Event()

    def run() -> None:
        matcher.fill_mask(row) if does == "fill" else matcher.accept(ord("1"))
        is_done.set()

    with compiled.arena.alone():
        thread = threading.Thread(target=run)
        thread.start()
        assert not is_done.wait(0.2)
        assert matcher.num_tokens == 0
        assert not row.any()
    thread.join(20)
    assert is_done.is_set()
    assert matcher.num_tokens == (does == "accept")
    assert row.any() == (does == "fill")


@pytest.mark.parametrize("length", [0, 1, 1000])
def test_rows_of_another_length_are_left_alone(length):
    compiled = Compiler(VOCABULARY).compile(JsonSchema(True))
    row = np.full(length, 7, dtype=np.uint32)
    with pytest.raises(ValueError, match=rf"shape \(9,\), not \({length},\)"):
        compiled.matcher().fill_mask(row)
    with pytest.raises(ValueError, match=rf"shape \(2, 9\), not \(2, {length}\)"):
        fill_masks([compiled.matcher(), compiled.matcher()], np.stack([row, row]))
    assert (row == 7).all()


@pytest.mark.parametrize("token", [-1, -(1 << 70), len(VOCABULARY), 1 << 40, 1 << 70])
def test_tokens_that_do_not_exist_are_refused(token):
    matcher = Compiler(VOCABULARY).compile(JsonSchema(True)).matcher()
    assert not matcher.accept(token)
    assert matcher.num_tokens == 0
    assert matcher.accept(ord("1"))


def test_texts_are_told_apart_after_the_arena_was_emptied():
    compiled = Compiler(VOCABULARY).compile(JsonSchema(STRINGS))
    first = _told(compiled, b'["ab", "')
    with compiled.arena.alone():
        compiled.empty(first._record)
    assert not first.accept_text(b'ab"]')
    second = _told(compiled, b'["cd", "')
    assert second.accept_text(b'ab"]')
    assert not second.accept_text(b'cd"]')
    assert not first.accept_text(b'ab"]')
