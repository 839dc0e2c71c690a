"""Python types as constraints."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import typing
import uuid
from typing import Annotated, Any, Literal, NamedTuple, NewType, NotRequired, Optional, TypedDict

import msgspec
import outlines.types
import pydantic
import pytest
from outlines.types import dsl as terms

from grammars import Compiler, JsonSchema, Regex
from grammars.errors import UnsupportedError
from grammars.frontends.types import constraint_of
from tests.test_grammars.sampling import VOCABULARY, samples
from tests.test_grammars.simulator import Simulator


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Point(TypedDict):
    x: int
    y: NotRequired[int]


@dataclasses.dataclass
class Tree:
    name: Literal["n"]
    children: list[Tree] = dataclasses.field(default_factory=list)


class Pair(NamedTuple):
    first: int
    second: bool = True


class Struct(msgspec.Struct):
    colour: Colour
    inner: Struct | None = None


class Inner(pydantic.BaseModel):
    flag: bool


class Model(pydantic.BaseModel):
    inner: Inner
    level: Annotated[int, pydantic.Field(ge=1, le=3)]


@dataclasses.dataclass
class Mixed:
    model: Model
    structs: tuple[Struct, ...]


@pydantic.dataclasses.dataclass
class Checked:
    level: int = pydantic.Field(ge=1, le=2)


@dataclasses.dataclass
class Unreadable:
    other: Missing  # noqa: F821


Size = NewType("Size", int)

TABLE: list[tuple[Any, list[str], list[str]]] = [
    (Literal["a", 'b"', 1, True, None], ["a", 'b"', "1", "true", "null"], ['"a"', "True"]),
    (Colour, ["red", "blue"], ['"red"', "RED"]),
    (Level, ["1", "2"], ["3"]),
    (bool, ["true", "false"], ["True", "1"]),
    (int, ["0", "-12"], ["1.5", "a"]),
    (float, ["0.5", "-1e9"], ["a"]),
    (str, ["", 'a"\n'], []),
    (None, ["null"], ["None"]),
    (Size, ["3"], ["x"]),
    (int | None, ["1", "null"], ["a"]),
    (Optional[Literal["x"]], ["x", "null"], ['"x"']),  # noqa: UP045
    (list[str], ['["a","b"]', "[]"], ["a", "[a]"]),
    (list[Literal["a"]], ['["a"]'], ["[a]"]),
    (tuple[int, bool], ["[1,true]"], ["[1]", "[1,true,2]"]),
    (tuple[int, ...], ["[]", "[1,2]"], ["[true]"]),
    (tuple[()], ["[]"], ["[1]"]),
    (dict[str, int], ['{"a":1}', "{}"], ['{"a":"b"}']),
    (dict[Colour, int], ['{"red":1}'], ['{"green":1}']),
    (Point, ['{"x":1}', '{"x":1,"y":2}'], ["{}", '{"x":1,"z":2}']),
    (Tree, ['{"name":"n","children":[{"name":"n"}]}'], ['{"name":"m"}', '{"name":"n","children":[1]}']),
    (Pair, ["[1]", "[1,false]"], ["[]", "[1,2]"]),
    (Struct, ['{"colour":"red","inner":{"colour":"blue"}}'], ['{"colour":"x"}']),
    (Model, ['{"inner":{"flag":true},"level":2}'], ['{"inner":{"flag":true},"level":4}', '{"level":2}']),
    (
        Mixed,
        ['{"model":{"inner":{"flag":true},"level":1},"structs":[{"colour":"red"}]}'],
        ['{"model":{},"structs":[]}', '{"model":{"inner":{"flag":true},"level":1},"structs":[{}]}'],
    ),
    (Checked, ['{"level":1}'], ['{"level":3}', "{}"]),
    (Annotated[int, pydantic.Field(ge=0, lt=3)], ["0", "2"], ["3", "-1"]),
    (Annotated[list[int], msgspec.Meta(max_length=1)], ["[1]"], ["[1,2]"]),
    (Annotated[str, msgspec.Meta(min_length=2, max_length=3)], ["ab", "a\nb"], ["a", "abcd"]),
    (Annotated[str, msgspec.Meta(pattern="^a")], ["a", 'ab"'], ["b", '"a"']),
    (Annotated[Literal["x"], "which"], ["x"], ['"x"']),
    (Annotated[int, "how many"], ["1"], ["a"]),
    (datetime.date, ["2024-02-29"], ["2023-02-29", '"2024-02-29"']),
    (list[datetime.date], ['["2024-02-29"]'], ["[2024-02-29]"]),
    (uuid.UUID, ["123e4567-e89b-12d3-a456-426614174000"], ["123"]),
    (dict[str, Any] | Literal["none"], ["none", '{"a":[1]}'], ["nothing"]),
]


@pytest.mark.parametrize(
    "spec",
    [
        bytes,
        complex,
        Unreadable,
        list["Tree"],
        dict[int, str],
        typing.Callable,
        "a string",
        3,
        Annotated[int, object()],
    ],
)
def test_types_that_say_nothing_are_refused(spec):
    with pytest.raises(UnsupportedError):
        constraint_of(spec)


@pytest.mark.parametrize(("spec", "read"), [
    (Model, Model.model_validate_json),
    (Struct, lambda text: msgspec.json.decode(text, type=Struct)),
    (dict[str, Tree], pydantic.TypeAdapter(dict[str, Tree]).validate_json),
])  # fmt: skip
def test_texts_under_masks_are_values_of_the_type(spec, read):
    for text in samples(constraint_of(spec), 10):
        read(text)


def test_compile_takes_types_and_keeps_equal_ones():
    compiler = Compiler(VOCABULARY)
    assert compiler.compile(Literal["a", "b"]) is compiler.compile(Literal["a", "b"])
    assert compiler.compile(Regex("a")).min_tokens == 1
    assert compiler.compile(Tree).min_tokens > 3


class Unheard(terms.Term):
    """A term that outlines does not have."""


WORD, DIGIT, ONE = terms.String("ab"), terms.Regex("[0-9]"), terms.JsonSchema('{"const": 1}')
READY_MADE = {name: term for name, term in vars(outlines.types).items() if isinstance(term, terms.Term)}
TERMS: list[tuple[terms.Term, list[str], list[str]]] = [
    (WORD, ["ab"], ["a"]),
    (terms.String("a.b'"), ["a.b'"], ["axb'"]),
    (DIGIT, ["7"], ["77"]),
    (ONE, ["1"], ["2"]),
    (terms.JsonSchema(Model), ['{"inner":{"flag":true},"level":2}'], ['{"level":2}']),
    (terms.Choice(["a", 1, DIGIT]), ["a", "1", "7"], ["b", "[0-9]"]),
    (terms.CFG('start: "x" start | "y"'), ["xxy"], ["x"]),
    (terms.either("ab", ONE, terms.CFG('start: "z"')), ["ab", "1", "z"], ["2"]),
    ("id-" + (DIGIT | WORD), ["id-7", "id-ab"], ["id-", "7"]),
    (WORD + terms.optional(DIGIT) + WORD.zero_or_more(), ["ab", "ab1abab"], ["1"]),
    (DIGIT.one_or_more() + ONE, ["11", "5671"], ["1"]),
    (DIGIT.exactly(2) + terms.at_least(1, "ab"), ["12ab", "12abab"], ["1ab", "12"]),
    (DIGIT.at_most(1) + WORD.between(1, 2), ["ab", "1abab"], ["11ab"]),
]


ROWS = [*TABLE, *TERMS]


@pytest.mark.parametrize(("spec", "accepted", "refused"), ROWS, ids=[repr(row[0])[:60] for row in ROWS])
def test_types_and_terms_of_outlines_accept_and_refuse(spec, accepted, refused):
    network = Simulator.of(constraint_of(spec))
    assert [text for text in accepted if not network.accepts(text)] == []
    assert [text for text in refused if network.accepts(text)] == []


@pytest.mark.parametrize(
    "term",
    [
        Unheard(),
        terms.Choice([int]),
        terms.JsonSchema("{}", "[ ]?"),
        WORD + terms.JsonSchema("{}", "[ ]?"),
        WORD + terms.CFG("start: /a/"),
    ],
    ids=["unheard of", "a type", "whitespace", "whitespace within", "a grammar within"],
)
def test_terms_of_outlines_that_cannot_be_held_are_refused(term):
    with pytest.raises(UnsupportedError):
        Simulator.of(constraint_of(term))


@pytest.mark.parametrize("name", READY_MADE)
def test_ready_made_types_of_outlines_write_what_their_patterns_match(name):
    term = READY_MADE[name]
    assert [text for text in samples(constraint_of(term), 5) if not term.matches(text)] == []


@pytest.mark.parametrize(("one", "other"), [
    (terms.Sequence([WORD, WORD]), terms.Sequence([terms.String("ab'), String(value='ab")])),
    (WORD + terms.JsonSchema("{}"), WORD + terms.JsonSchema("{}", "[ ]?")),
])  # fmt: skip
def test_terms_that_outlines_writes_alike_are_told_apart(one, other):
    assert repr(one) == repr(other)
    assert constraint_of(one).cache_key() != constraint_of(other).cache_key()


def test_compile_keeps_equal_terms_and_keeps_others_apart():
    compiler = Compiler(VOCABULARY)
    assert compiler.compile(WORD + DIGIT) is compiler.compile(terms.String("ab") + terms.Regex("[0-9]"))
    first = compiler.compile(terms.Sequence([WORD, WORD])).matcher()
    second = compiler.compile(terms.Sequence([terms.String("ab'), String(value='ab")])).matcher()
    assert first.accept_text(b"abab")
    assert not second.accept_text(b"abab")


def test_json_schemas_of_types_are_schemas():
    constraint = constraint_of(Tree)
    assert isinstance(constraint, JsonSchema)
    assert "$defs" in constraint.text
