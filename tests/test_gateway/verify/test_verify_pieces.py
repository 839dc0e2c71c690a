"""Texts with tags in them, judged piece by piece: held against the network of the whole."""

import itertools
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.core.constraints import (
    ChoiceConstraint,
    GrammarConstraint,
    JsonConstraint,
    RegexConstraint,
    Segment,
    SequenceConstraint,
    TagsConstraint,
)
from gateway.service.constraints.jobs import CODEC, JobContext, Verify
from gateway.service.constraints.specs import spec_of
from gateway.verify import CostError, UnreadableError, Verifier
from grammars import Compiler, GrammarError, Vocabulary
from tests.test_grammars.simulator import Simulator

SHORT_TEXTS = ["".join(text) for size in range(7) for text in itertools.product("a<>", repeat=size)]
CITY = JsonConstraint(schema={"type": "object", "required": ["city"]}, origin="")


def choice(*options):
    return ChoiceConstraint(options=options, origin="")


def tags(*segments, **fields):
    return TagsConstraint(segments=tuple(Segment(*each) for each in segments), origin="", **fields)


CONTENTS = st.sampled_from(
    [
        choice("a", "<"),
        choice("a>", "a"),
        RegexConstraint(pattern="a*", origin=""),
        RegexConstraint(pattern="(a|>)+", origin=""),
        RegexConstraint(pattern="a$|<", origin=""),
        GrammarConstraint(text='root ::= "a" root ">" | "<"', origin=""),
        SequenceConstraint(parts=(choice("a"), RegexConstraint(pattern="a?", origin="")), origin=""),
    ]
)
TRIGGERS = [("<",), ("<a", "<>", "<<"), ("<a>", "a", "<<"), ("<a><", "a>", "><"), ("><<a", "<<", "a><")]
SEGMENTS = st.tuples(st.sampled_from(["<", "<a", "<>", "<<", "<a>", "a><"]), CONTENTS, st.sampled_from(["", ">", "a>"]))


@settings(max_examples=120, deadline=None)
@given(
    st.lists(SEGMENTS, min_size=1, max_size=3),
    st.fixed_dictionaries(
        {
            "triggers": st.sampled_from(TRIGGERS),
            "at_least_one": st.booleans(),
            "stop_after_first": st.booleans(),
            "separator": st.sampled_from(["", ">"]),
            "free_text": st.booleans(),
        }
    ),
)
def test_pieces_are_what_the_network_says(segments, options):
    asked = tags(*segments, **options)
    nested = SequenceConstraint(parts=(choice("a"), asked, choice(">")), origin="")
    for constraint in (asked, nested):
        try:
            network, verifier = Simulator.of(spec_of(constraint)), Verifier()
        except GrammarError:
            return  # a tag begins with no trigger
        for text in SHORT_TEXTS:
            assert bool(verifier.verify_pieces(constraint, text)) == network.accepts(text), text


@pytest.mark.parametrize(
    ("constraint", "accepted", "refused"),
    [
        (
            tags(("<call>", CITY, "</call>"), triggers=("<call>",)),
            ["no call", 'x <call>{"city": "</call>"}</call> y <call> {"city": 1}\n</call>', "<call <"],
            ['<call>{"city": 1}', "<call>{}</call>", '<call>{"city": NaN}</call>', '<call>{"city": 1}</call><call>'],
        ),
        (
            SequenceConstraint(
                parts=(
                    JsonConstraint(schema={"type": "integer", "maximum": 99}, origin=""),
                    RegexConstraint(pattern="[0-9]{2}", origin=""),
                ),
                origin="",
            ),
            ["9955", "155"],
            ["99555", "15"],
        ),
        (
            tags(("<", GrammarConstraint(text="start: /a+/ ", origin=""), ">"), triggers=("<",), at_least_one=True),
            ["<aa>", "b<a>b<a>"],
            ["", "b", "<a", "<>"],
        ),
    ],
    ids=["calls", "numbers", "grammar"],
)
def test_pieces_accept_and_refuse(constraint, accepted, refused):
    verifier = Verifier()
    assert [text for text in accepted if not verifier.verify_pieces(constraint, text)] == []
    assert [text for text in refused if verifier.verify_pieces(constraint, text)] == []


def test_a_piece_that_cannot_be_read_is_not_judged():
    verifier = Verifier()
    for content in (
        RegexConstraint(pattern=r"(?<=a)b", origin=""),
        GrammarConstraint(text="start: %json {}", origin=""),
        JsonConstraint(schema={"$ref": "https://example.org/none"}, origin=""),
    ):
        with pytest.raises(UnreadableError):
            verifier.verify_pieces(tags(("<", content, ">"), triggers=("<",)), "<1>")


def test_the_work_is_bounded():
    anything = RegexConstraint(pattern="(.|\\n)*", origin="")
    with pytest.raises(CostError):
        Verifier().verify_pieces(SequenceConstraint(parts=(anything,) * 5, origin=""), "a" * 20_000)
    deep = tags(("<", JsonConstraint(schema=True, origin=""), ">"), triggers=("<",))
    assert not Verifier().verify_pieces(deep, "<" + json.dumps("a" * 9) + "x>")


@pytest.mark.parametrize(("begin", "by"), [("<call>", "pieces"), ("<|call|>", None)])
def test_tags_that_name_special_tokens_are_left_to_the_matcher(begin, by):
    tokens = [*(bytes([byte]) for byte in range(256)), None, None]
    vocabulary = Vocabulary.from_tokens(tokens, [256], special_tokens={"<|call|>": 257})
    job = Verify(tags((begin, choice("a"), ">"), triggers=(begin,)), f"{begin}a>")
    verdict = job.do(JobContext(Compiler(vocabulary), Verifier()))
    assert (verdict is not None and bool(verdict)) == (by == "pieces")


def test_what_may_take_long_is_worked_on_elsewhere():
    told_apart = tags(("<", CITY, ">"), triggers=("<",))
    ambiguous = tags(("<", RegexConstraint(pattern="a*", origin=""), ">"), triggers=("<",))
    assert Verify(told_apart, "x" * 100).is_light
    assert not Verify(told_apart, "x" * 3000).is_light
    assert not Verify(ambiguous, "x").is_light
    for job in (Verify(told_apart, "<>"), Verify(ambiguous, "<a>")):
        assert CODEC.unpack(CODEC.pack(job)) == job


@pytest.mark.parametrize(
    ("text", "holds"),
    [("use <tool now", False), ("a <tool2] b", True), ("a <tool>1] b", True), ("<tool>2]", False), ("<too", True)],
)
def test_a_trigger_inside_another_one_is_none_of_free_text(text, holds):
    asked = tags(("<tool>", choice("1"), "]"), ("tool", choice("2"), "]"), triggers=("<tool>", "tool"))
    assert bool(Verifier().verify_pieces(asked, text)) is holds
    assert Simulator.of(spec_of(asked)).accepts(text) is holds
