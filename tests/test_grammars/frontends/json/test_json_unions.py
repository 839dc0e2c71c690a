"""Wide unions whose alternatives overlap: masks are exact, and leave no model without a way on."""

import random
import sys
from pathlib import Path

import pytest

from grammars import Compiler, JsonSchema, UnsatisfiableError, UnsupportedError, Vocabulary

sys.path.append(str(Path(__file__).parents[3] / "bench"))
from fuzz_unions import draw
from fuzzing import Fuzz

BYTES = Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256])


@pytest.fixture(scope="module")
def compiler():
    return Compiler(BYTES)


def objects(count):
    return [{"type": "object", "properties": {f"p{i}": {"type": "integer"}}} for i in range(count)]


@pytest.mark.parametrize("bounded", [False, True], ids=["any number of members", "least numbers of members"])
@pytest.mark.parametrize("count", [10, 40, 100])
def test_one_of_many_objects_that_overlap_is_held_by_the_mask(compiler, count, bounded):
    alternatives = objects(count)
    for i, each in enumerate(alternatives):
        each |= {"minProperties": i % 5} if bounded else {}
    compiled = compiler.compile(JsonSchema({"oneOf": alternatives}))
    assert set(compiled.report.counts()) == {"mask"}
    # All but one have to be broken, each by a member of its own, of six bytes at least.
    assert compiled.min_tokens > 6 * (count - 1)
    wrong = ", ".join(f'"p{i}": ""' for i in range(1, count))
    assert compiled.matcher().accept_text(f"{{{wrong}}}".encode())
    assert not compiled.matcher().accept_text(b'{"p0": ""}')


def test_alternatives_that_say_the_same_hold_together(compiler):
    twice = {"oneOf": [*({"type": "integer", "multipleOf": 2 + i % 7} for i in range(40)), {"type": "null"}]}
    compiled = compiler.compile(JsonSchema(twice))
    assert compiled.matcher().accept_text(b"null")
    assert not any(compiled.matcher().accept_text(str(number).encode()) for number in range(30))


def test_what_overlaps_in_too_many_ways_is_refused_by_name(compiler):
    with pytest.raises(UnsupportedError, match="oneOf of so many alternatives") as refused:
        compiler.compile(JsonSchema({"properties": {"a": {"oneOf": objects(200)}}}))
    assert "/properties/a" in str(refused.value)


@pytest.mark.parametrize("size", [1_000, 5_000])
def test_members_by_the_thousand_stand_in_the_mask(compiler, size):
    schema = {
        "type": "object",
        "properties": {f"m{i}": {"const": i} for i in range(size)},
        "additionalProperties": False,
    }
    compiled = compiler.compile(JsonSchema(schema))
    for number in (0, size // 2, size - 1):
        assert compiled.matcher().accept_text(f'{{"m{number}": {number}}}'.encode())
        assert not compiled.matcher().accept_text(f'{{"m{number}": {number + 1}}}'.encode())


def test_random_unions_are_exact_and_leave_no_dead_end():
    fuzz = Fuzz(walks=8)
    for number in range(40):
        rng = random.Random(f"unions/{number}")
        fuzz.check(draw(rng), rng)
    assert not fuzz.tally.failures
    assert len(fuzz.tally.refused) <= 1


def test_an_impossible_union_is_told():
    with pytest.raises(UnsatisfiableError):
        Compiler(BYTES).compile(JsonSchema({"oneOf": [{"type": "string"}] * 12}))
