"""Special tokens in grammars: exactly that token, nowhere else, and never what it looks like as text."""

from __future__ import annotations

import random

import pytest
from tokenizers import AddedToken, Tokenizer, models

from grammars import (
    Choice,
    Compiler,
    Gbnf,
    InvalidGrammarError,
    JsonOptions,
    JsonSchema,
    Lark,
    Regex,
    StructuralTag,
    Tag,
    UnsupportedError,
    Vocabulary,
)
from tests.oracles import brute_force_mask, mask_of

WORDS = [b"ab", b"<|", b"tool", b"|>", b"<|tool|>", b'{"', b'":', "é".encode(), b"\xc3", b"\xff<", b"<|tool|>\xfe"]
TEXT = [*(bytes([byte]) for byte in range(256)), *WORDS]
NAMES = {name: len(TEXT) + i for i, name in enumerate(("<|tool|>", "<|tool_end|>", "<|to", "[X]", "<|end|>"))}
TOOL, TOOL_END, TO, X, END = NAMES.values()
UNNAMED = END + 1
THINK = UNNAMED + 1


@pytest.fixture(scope="module")
def compiler():
    tokens = [*TEXT, *([None] * (len(NAMES) + 1)), b"<think>"]
    return Compiler(Vocabulary.from_tokens(tokens, [END], NAMES))


CONSTRAINTS = {
    "one": Lark("start: <|tool|>"),
    "between texts": Lark('start: "ab" <|tool|> /[a-z]{1,3}/ <|tool_end|>'),
    "beginning of another's name": Lark(f'start: <|tool_end|> "a" | <[{TO}]> "b" | <|tool|> "c"'),
    "or its text": Lark('start: (<|tool|> | "<|tool|>") "x"?'),
    "numbers": Lark(f'start: <[{TOOL}-{TO},{X}]> "a"?'),
    "terminal": Lark('start: CALL "a" CALL\nCALL: <|tool|>'),
    "repeated": Lark('start: (<|tool|> | "ab"){2,70} "."'),
    "ignored text": Lark('start: "a" <|tool|> "b"\n%ignore /[ \\n]/'),
    "left recursion": Lark('start: start <|tool|> | "ab"'),
    "any text around": Lark("start: /(.|\\n)*/ <|tool|> /.{0,3}/ " + f"<[{X}]>?"),
    "a check behind it": Lark(
        'start: <|tool|> %json {"type": "array", "uniqueItems": true, "items": {"type": "array", "maxItems": 1,'
        ' "items": {"enum": [1, 2]}}, "maxItems": 3} <|tool_end|>'
    ),
    "names that must be new": Lark(f'start: "a" <[{TO}]> %json {{"type": "object", "maxProperties": 2}} <[{TO}]>'),
    "marks of a tag": StructuralTag(
        (Tag("<|tool|>", Choice(["ab", "x"]), "<|tool_end|>"), Tag("<|tool|>a[X]", Regex("[a-z]{1,3}"), "[X] ")),
        triggers=("<|tool|>",),
    ),
    "marks within triggers": StructuralTag(
        (
            Tag("a<|tool|>b", Choice(["c"]), "[X]"),
            Tag("é[X]", Choice(["d", "ab"])),
            Tag("<|tool|>", Choice(["é"]), "<|tool_end|>\n"),
            Tag("<|tool_end|>aa", Choice(["x"])),
            Tag("<|tool_end|>ab", Choice(["x"])),
        ),
        triggers=("a<|tool|>b", "é[X]", "<|tool|>", "<|tool_end|>a"),
        at_least_one=True,
    ),
    "marks between tags": StructuralTag(
        (Tag("<|tool|>", Regex("[a-c]{1,2}")), Tag("<|tool_end|>", Choice(["x"]))),
        at_least_one=True,
        separator="[X]a",
        free_text=False,
    ),
    "inside a tag": StructuralTag((Tag("<f>", Lark("start: <|tool|> /[a-z]+/"), "</f>"),), triggers=("<f",)),
}


@pytest.mark.parametrize("constraint", CONSTRAINTS.values(), ids=CONSTRAINTS)
def test_masks_are_those_of_one_token_at_a_time(compiler, constraint):
    compiled = compiler.load(compiler.compile(constraint).to_bytes())
    drawn, met = random.Random(5), set()
    for _ in range(6):
        matcher = compiled.matcher()
        for left in range(30, 0, -1):
            assert mask_of(matcher) == brute_force_mask(matcher)
            limit = max(left, matcher.tokens_to_complete + 1)
            allowed = mask_of(matcher, limit)
            assert allowed == brute_force_mask(matcher, limit)
            special = sorted(allowed & set(NAMES.values()) - {END})
            token = drawn.choice(special) if special and drawn.random() < 0.7 else drawn.choice(sorted(allowed))
            twin = matcher.fork()
            assert matcher.accept(token)
            met.add(token)
            if matcher.is_ended:
                break
            if drawn.random() < 0.3:
                matcher.rollback(1)
                assert mask_of(matcher) == mask_of(twin)
                assert matcher.accept(token)
    assert met & {TOOL, TO, X, TOOL_END} or constraint == CONSTRAINTS["inside a tag"]


@pytest.mark.parametrize("constraint", CONSTRAINTS.values(), ids=CONSTRAINTS)
def test_a_budget_is_always_enough(compiler, constraint):
    compiled, drawn = compiler.compile(constraint), random.Random(3)
    for spare in (0, 1, 5):
        matcher = compiled.matcher()
        for left in range(compiled.min_tokens + spare, -1, -1):
            token = drawn.choice(sorted(mask_of(matcher, left)))
            assert matcher.accept(token)
            if token == END:
                break
        assert matcher.is_ended


ORDINARY = {
    "any character": Regex(r"(.|\n)*"),
    "all but some": Regex(r"[^a]*"),
    "not a digit": Regex(r"\D\W\S[^\x00-\x7f]?.*"),
    "json": JsonSchema(True),
    "every spelling": JsonSchema(True, JsonOptions.validation()),
    "object": JsonSchema({"type": "object", "properties": {"a": {"pattern": "[^b]$"}}, "not": {"required": ["c"]}}),
    "free text": StructuralTag((Tag("<f>", Choice(["x"]), "</f>"), Tag("é", Choice(["y"]), "")), triggers=("<f", "é")),
    "lark": Lark("start: /(?s:.)+/ /[^x]/ | /[\\x80-\\U0010ffff]*/"),
    "gbnf": Gbnf('root ::= [^a]* . | "<|tool|>" .*'),
}  # fmt: skip


@pytest.mark.parametrize("constraint", ORDINARY.values(), ids=ORDINARY)
def test_nothing_else_allows_them(compiler, constraint):
    compiled, drawn = compiler.compile(constraint), random.Random(1)
    plain = Compiler(Vocabulary.from_tokens(compiler.vocabulary.tokens, [END])).compile(constraint)
    for _ in range(8):
        matcher, twin = compiled.matcher(), plain.matcher()
        for _ in range(12):
            allowed = mask_of(matcher)
            assert not allowed & (set(NAMES.values()) - {END})
            assert allowed == mask_of(twin)
            for token in NAMES.values():
                assert token == END or not matcher.accept(token)
            assert not matcher.allowed_prefix(b"\xff")
            if allowed == {END} or not allowed:
                break
            token = drawn.choice(sorted(allowed - {END}))
            assert matcher.accept(token)
            assert twin.accept(token)


def test_a_trigger_is_the_token_and_not_its_text(compiler):
    tag = StructuralTag((Tag("<|tool|>", Choice(["ab"]), "<|tool_end|>"),), triggers=("<|tool|>",))
    matcher = compiler.compile(tag).matcher()
    spelled = TEXT.index(b"<|tool|>")
    assert TOOL in mask_of(matcher)
    assert spelled in mask_of(matcher)
    for token in (spelled, TEXT.index(b"<|"), TEXT.index(b"tool"), TEXT.index(b"|>")):
        assert matcher.accept(token)
        assert matcher.is_complete
    assert matcher.accept(TOOL)
    assert mask_of(matcher) == {TEXT.index(b"a"), TEXT.index(b"ab")}
    assert matcher.accept(TEXT.index(b"ab"))
    assert mask_of(matcher) == {TOOL_END}


def test_a_mark_costs_one_token(compiler):
    tag = StructuralTag((Tag("<|tool|>", Choice(["ab"]), "<|tool_end|>"),), triggers=("<|tool|>",), at_least_one=True)
    assert compiler.compile(tag).min_tokens == 3
    both = StructuralTag((*tag.tags, Tag("<|tool|>", Choice(["x"]), "[X]")), free_text=False, at_least_one=True)
    assert compiler.compile(both).min_tokens == 3


def test_a_trigger_does_not_end_within_a_name(compiler):
    tag = StructuralTag((Tag("<|tool|>", Choice(["ab"]), ""),), triggers=("<|too",))
    with pytest.raises(InvalidGrammarError, match="within the name"):
        compiler.compile(tag)


def test_free_text_never_leaves_half_a_character(compiler):
    tag = StructuralTag((Tag("é<f>", Choice(["x"])), Tag("<é", Choice(["y"]))), triggers=("é<f>", "<é"))
    matcher = compiler.compile(tag).matcher()
    assert matcher.accept(0xC3)
    assert mask_of(matcher) == set(range(0x80, 0xC0))
    matcher.rollback(1)
    assert matcher.accept(ord("<"))
    assert matcher.accept(0xC3)
    assert mask_of(matcher) == set(range(0x80, 0xC0))


def test_no_text_is_taken_for_a_token(compiler):
    matcher = compiler.compile(CONSTRAINTS["one"]).matcher()
    assert mask_of(matcher) == {TOOL}
    for token, data in enumerate(TEXT):
        assert not matcher.accept(token), data
    assert matcher.accept(TOOL)
    assert mask_of(matcher) == {END}
    text = compiler.compile(Lark('start: "<|tool|>"')).matcher()
    assert not text.accept(TOOL)


def test_what_is_forced_is_told_up_to_where_tokens_differ(compiler):
    assert compiler.compile(CONSTRAINTS["between texts"]).matcher().forced_tokens() == [TEXT.index(b"ab"), TOOL]
    matcher = compiler.compile(Lark('start: "ab" (<|tool|> | <|tool_end|>)')).matcher()
    assert matcher.forced_tokens() == [TEXT.index(b"ab")]


def test_explanations_show_them(compiler):
    explanation = compiler.compile(CONSTRAINTS["between texts"]).explain()
    assert explanation.example == b"ab\xff<|tool|>\xfea\xff<|tool_end|>\xfe"
    assert explanation.example_tokens == explanation.min_tokens == 4


@pytest.mark.parametrize(
    ("token", "error", "message"),
    [
        ("<|toll|>", InvalidGrammarError, "<|toll|>"),
        ("<tool>", InvalidGrammarError, "<tool>"),
        (f"<[{UNNAMED}]>", InvalidGrammarError, str(UNNAMED)),
        ("<[99999]>", InvalidGrammarError, "99999"),
        ("<[5-3]>", InvalidGrammarError, "5-3"),
        ("<[x]>", InvalidGrammarError, "<[x]>"),
        ("<[7]>", UnsupportedError, "7, which stands for text"),
        (f"<[{TOOL}-{END}]>", UnsupportedError, str(END)),
        ("<|end|>", UnsupportedError, "end token"),
        ("<think>", UnsupportedError, "stands for its text"),
        ("<[*]>", UnsupportedError, "<[*]>"),
        ("<[^3]>", UnsupportedError, "<[^3]>"),
    ],
)
def test_tokens_that_cannot_be_meant_are_refused_by_name_and_place(compiler, token, error, message):
    with pytest.raises(error) as caught:
        compiler.compile(Lark(f'start: "a" b\nb: "c" {token} "d"'))
    assert message in str(caught.value)
    assert caught.value.where == "line 2, column 8"


def test_names_come_from_the_tokenizer():
    tokenizer = Tokenizer(models.BPE({"a": 0, "b": 1}, []))
    tokenizer.add_special_tokens([AddedToken("<|x|>", special=True), AddedToken("</s>", special=True)])
    tokenizer.add_tokens([AddedToken("<y>", special=False)])
    vocabulary = Vocabulary.from_tokenizer(tokenizer, eos_token_ids=[3])
    assert vocabulary.tokens == [b"a", b"b", None, None, b"<y>"]
    assert list(vocabulary.special_tokens) == [("<|x|>", 2)]
    assert mask_of(Compiler(vocabulary).compile(Lark("start: <|x|>")).matcher()) == {2}
    assert vocabulary.fingerprint != Vocabulary.from_tokens(vocabulary.tokens, [3]).fingerprint
    named = Vocabulary([b"a", None, None], [2], special_tokens={"<|z|>": 1, "</s>": 2})
    assert [name for name, _ in named.special_tokens] == ["<|z|>"]
