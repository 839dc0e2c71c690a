"""Constraints, questions and findings as bytes: the same again, and nothing but what is known."""

import dataclasses
from contextlib import suppress

import msgspec
import pytest

from gateway.core.answer import Call
from gateway.core.constraints import (
    ChoiceConstraint,
    GrammarConstraint,
    JsonConstraint,
    RegexConstraint,
    Segment,
    SequenceConstraint,
    TagsConstraint,
)
from gateway.errors import ConstraintError, InvalidRequestError
from gateway.service.constraints import jobs
from gateway.service.constraints.jobs import CODEC, JobContext
from gateway.service.constraints.specs import spec_of
from gateway.verify import Verifier
from grammars import (
    ANY_TYPES,
    Arguments,
    ArgumentSpelling,
    Choice,
    Compiler,
    Concat,
    Either,
    Explanation,
    Gbnf,
    InvalidGrammarError,
    JsonOptions,
    JsonSchema,
    JsonString,
    Lark,
    RawString,
    Regex,
    StructuralTag,
    Tag,
    TooComplexError,
    UnsatisfiableError,
    UnsupportedError,
    ValueTag,
    Vocabulary,
)
from grammars.frontends.base import Once
from tools import Tool, ToolChoice, ToolSet, get_format
from tools.formats.registry import format_names
from tools.reasoning import get_reasoning, reasoning_names
from tools.tool import InputGrammar

SCHEMA = {"type": "object", "properties": {"é": {"type": "string"}, "n": {"maximum": 10**40}}, "required": ["é"]}
SPELLING = ArgumentSpelling(
    before="<", tags=(ValueTag(ANY_TYPES, "="),), after="</p>", names="[a-z]+", marker="</p>", separator="\n"
)
TOOLS = ToolSet(
    (
        Tool("f", parameters=SCHEMA | {"additionalProperties": False}),
        Tool("g", parameters={"type": "object"}, strict=True),
        Tool("any", kind="custom"),
        Tool("digits", kind="custom", grammar=InputGrammar("regex", "[0-9]+")),
        Tool("word", kind="custom", grammar=InputGrammar("lark", 'start: "a" | "b"')),
    )
)
PLAIN = {
    "schema": JsonSchema(
        SCHEMA, JsonOptions(property_order="schema", whitespace="compact"), {"urn:x": {"type": "null"}}
    ),
    "validation": JsonSchema(True, JsonOptions.validation()),
    "regex": Regex(r"\p{L}{1,3}", "ecma", ("a", "b")),
    "half a pair": Regex("\ud83d|ü"),
    "choice": Choice(["", "ß", "b\x00"]),
    "lark": Lark('begin: "a"', "begin"),
    "gbnf": Gbnf('top ::= "a"', "top"),
    "concat": Concat(["a", Regex("b"), "c"]),
    "either": Either([Regex("a"), Choice(["b"])]),
    "json string": JsonString(Lark('start: "\\""')),
    "tags": StructuralTag((Tag("<a>", JsonSchema(SCHEMA), "</a>"), Tag("<b>", Regex("x"))), ("<",), separator=", "),
    "arguments": Arguments(JsonSchema(SCHEMA), SPELLING, "tool f"),
    "raw string": RawString(JsonSchema({"type": "string"}), ("</p>",)),
    "once": Once(Regex("a")),
}
CONSTRAINTS = (
    JsonConstraint(schema=SCHEMA, origin="x", strict=True),
    JsonConstraint(schema=False, origin="x", compact=True),
    RegexConstraint(pattern="a+", origin="x"),
    ChoiceConstraint(options=("a", "\ud800"), origin="x"),
    GrammarConstraint(text='start: "a"', origin="x"),
    GrammarConstraint(text='root ::= "a"', origin="x", syntax="gbnf"),
)
NESTED = (
    SequenceConstraint(parts=CONSTRAINTS[2:4], origin="x"),
    TagsConstraint(segments=(Segment("<a", CONSTRAINTS[0], "</a>"),), triggers=("<a",), origin="x"),
)


def again(value):
    return CODEC.unpack(CODEC.pack(value))


def spec_cases():
    yield from PLAIN.items()
    for name in format_names():
        found = get_format(name)
        for choice in (ToolChoice("auto", parallel=False), ToolChoice("required")):
            with suppress(UnsupportedError):  # input under a grammar in a format that cannot write it
                yield f"{name} {choice.mode}", found.constraint(TOOLS, choice)
    for name in reasoning_names():
        found = get_reasoning(name)
        for opening in ("open", "undecided"):
            yield f"{name} {opening}", found.constraint(found.wrapped(JsonSchema(SCHEMA)), opening, "lines")
    for constraint in CONSTRAINTS[1:3] + CONSTRAINTS[4:]:
        yield f"spec of {constraint!r:.30}", spec_of(constraint)


@pytest.mark.parametrize(("name", "spec"), list(spec_cases()))
def test_a_specification_comes_back_as_it_was(name, spec):
    found = again(spec)
    assert type(found) is type(spec)
    assert found.cache_key() == spec.cache_key()
    assert found == spec


@pytest.fixture(scope="module")
def compiler():
    return Compiler(Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256]))


@pytest.mark.parametrize("name", [name for name in reasoning_names() if get_reasoning(name).end])
def test_what_comes_back_makes_the_same_network(compiler, name):
    spec = get_reasoning(name).constraint(Concat(["a", JsonSchema(SCHEMA)]), "undecided", "lines")
    other = Compiler(compiler.vocabulary).compile(again(spec))
    assert other.to_bytes() == compiler.compile(spec).to_bytes()


def test_what_is_held_twice_is_one_again():
    part = Once(Regex("a"))
    one, other = again(Either([part, Concat(["b", part])])).options
    assert other.parts[1] is one


@pytest.mark.parametrize("constraint", [*CONSTRAINTS, *NESTED], ids=lambda constraint: type(constraint).__name__)
def test_a_constraint_comes_back_as_it_was(constraint):
    assert again(constraint) == constraint


@pytest.mark.parametrize(
    "error",
    [
        InvalidGrammarError("wrong", "line 1"),
        UnsupportedError("a thing", "/a"),
        UnsatisfiableError("nothing", ""),
        TooComplexError("max_states", 10**30, 5, "/a"),
        ConstraintError("no", kind="unsupported", where="/x", param="regex"),
        InvalidRequestError("no", param="text"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_comes_back_with_all_that_it_says(error):
    error.hint = "another"
    found = again(error)
    assert type(found) is type(error)
    assert (str(found), vars(found), found.code) == (str(error), vars(error), error.code)
    if hasattr(found, "place"):
        found.place_within("inside")
        error.place_within("inside")
        assert str(found) == str(error)


@pytest.mark.parametrize(
    "job",
    [
        jobs.Compile(PLAIN["tags"]),
        jobs.Explain(PLAIN["schema"]),
        jobs.Locate(Regex("ab"), b"ac"),
        jobs.Follow(Regex("[a-c]b"), b"", 2, None),
        jobs.Follow(Regex("[a-c]b"), b"x", 2, 7),
        jobs.Match(Regex("é"), "é"),
        jobs.Check(JsonConstraint(schema=SCHEMA, origin="x")),
        jobs.Verify(RegexConstraint(pattern="a", origin="x"), "b"),
        jobs.Verify(GrammarConstraint(text='root ::= "a"', origin="x"), "a"),
        jobs.VerifyCalls((jobs.DeclaredTool("f", {"type": "object"}),), (Call("i", "f", '{"a": 1}'),)),
    ],
    ids=lambda job: type(job).__name__,
)
def test_a_job_and_what_it_finds_come_back(compiler, job):
    bench = JobContext(compiler, Verifier())
    assert again(job) == job
    found = job.do(bench)
    assert same(again(found)) == same(found) == same(again(job).do(bench))


def same(found):
    """The finding to compare: limits are equal only to themselves."""
    if isinstance(found, Explanation):
        return dataclasses.replace(found, limits=dataclasses.asdict(found.limits))
    return found


@dataclasses.dataclass(frozen=True)
class Stranger:
    value: int = 0


@pytest.mark.parametrize("value", [Stranger(), Regex, object(), Concat([Stranger()]), ValueError("x"), {1, 2}, 1j])
def test_what_is_not_known_is_not_sent(value):
    with pytest.raises(TypeError, match="does not travel"):
        CODEC.pack(value)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff" * 20,
        msgspec.msgpack.encode([[["Stranger", 1]], {"row": 0}]),
        msgspec.msgpack.encode([[["Regex", "a"]], {"row": 0}]),
        msgspec.msgpack.encode([[["Choice", {"row": 0}]], {"row": 0}]),
        msgspec.msgpack.encode([[["Once", {"row": 5}]], {"row": 0}]),
        msgspec.msgpack.encode([[], {"import": "os"}]),
        msgspec.msgpack.encode([[["os.system", "true"]], {"row": 0}]),
        CODEC.pack(PLAIN["tags"])[:-3],
    ],
)
def test_what_was_never_packed_is_refused(data):
    with pytest.raises(ValueError, match="are no value"):
        CODEC.unpack(data)
