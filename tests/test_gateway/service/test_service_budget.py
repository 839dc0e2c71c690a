"""Bounded thoughts: the end is forced in time, wherever the matcher was copied, taken back, or made again."""

import random
from dataclasses import replace

import numpy as np
import pytest

from gateway.core.request import ReasoningOptions
from gateway.engine.endings import shortest_end
from gateway.service.constraints.masks import fill_masks
from gateway.service.constraints.section_budget import BoundedMatcher, bounded, load
from gateway.service.request.reasoning_plan import ReasoningPlan, template_variables
from gateway.text import ChatTemplate
from grammars import Compiler, JsonSchema, Vocabulary
from tools.reasoning import get_reasoning

TEXT = [
    *(bytes([byte]) for byte in range(256)),
    b"</think>",
    b"</",
    b"think>",
    b"\n\n",
    b"<think>",
    b"ab",
    b'{"',
    b"<</",
]
END = len(TEXT)
SPECIAL = {"<think>": END + 1, "</think>": END + 2}
COMPILERS = {
    "special": Vocabulary.from_tokens([*TEXT, None, None, None], [END], SPECIAL),
    "text": Vocabulary.from_tokens([*TEXT, None], [END]),
}
SCHEMA = JsonSchema({"type": "object", "properties": {"a": {"enum": [1, 22]}}, "required": ["a"]})


@pytest.fixture(scope="module", params=COMPILERS)
def compiler(request):
    return Compiler(COMPILERS[request.param])


def plan(opening, budget):
    return ReasoningPlan(spec=get_reasoning("think"), opening=opening, gap="lines", budget=budget)


def made(compiler, opening, budget):
    reasoning = plan(opening, budget)
    bound = reasoning.bound(compiler.vocabulary)
    assert bound is not None
    return bounded(compiler.compile(reasoning.constraint(SCHEMA)), bound)


def allowed(matcher, tokens_left):
    row = np.full(matcher.matcher.compiled.num_words, 0xDEADBEEF, dtype=np.uint32)
    matcher.fill_mask(row, tokens_left)
    return set(np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist())


GUARDED = {"type": "array", "items": {"enum": [1, 22, 333, "x"]}, "uniqueItems": True, "minItems": 3}


@pytest.mark.parametrize(
    "schema", [GUARDED, {"type": "array", "items": {"type": "string", "minLength": 2}, "minItems": 2}]
)
def test_the_shortest_end_is_one_from_wherever_it_is_asked_for(compiler, schema):
    compiled = compiler.compile(JsonSchema(schema))
    for seed in range(15):
        chooser, matcher = random.Random(seed), compiled.matcher()
        for _ in range(chooser.randrange(25)):
            choices = sorted(allowed_of(matcher, 60) - {END})
            if not choices or not matcher.accept(chooser.choice(choices)):
                break
        left = shortest_end(matcher, 1000, compiled.num_words)
        assert matcher.tokens_to_complete <= left < 60
        while left:
            choices = sorted(allowed_of(matcher, left) - {END})
            if matcher.is_complete and not choices:
                break
            assert matcher.accept(chooser.choice(choices))
            left -= 1
        assert matcher.is_complete


@pytest.mark.parametrize("budget", [5, None])
@pytest.mark.parametrize("opening", ["open", "undecided"])
def test_thoughts_end_where_they_are_told_to(compiler, opening, budget):
    matcher = made(compiler, opening, budget).matcher()
    if opening == "undecided":
        assert not matcher.end_section()
        for token in compiler_tokens(compiler, "<think>"):
            assert matcher.accept(token)
    assert matcher.accept(TEXT.index(b"ab"))
    assert matcher.end_section()
    twin = matcher.fork()
    for each in (matcher, twin):
        num_tokens = 0
        while each.end_section():
            (token, *_) = sorted(allowed(each, 60))
            assert each.accept(token)
            num_tokens += 1
        assert num_tokens <= len("</think>")
        assert len(allowed(each, 60)) >= 1
        assert each.limit(60) == 60


def allowed_of(matcher, tokens_left):
    row = np.zeros(matcher.compiled.num_words, dtype=np.uint32)
    matcher.fill_mask(row, tokens_left)
    return set(np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist())


def compiler_tokens(compiler, text):
    """The text as its special token, or byte by byte."""

    special = compiler.vocabulary.special_tokens
    return [SPECIAL[text]] if special else list(text.encode())


def spelled(compiler, tokens):
    return b"".join(compiler.vocabulary.spelled[token] for token in tokens)


def thoughts(compiler, tokens, opening):
    """How many tokens stand between the marks, those that spell the second one by piece included."""
    marks = [END + 1, END + 2] if len(compiler.vocabulary) > END + 1 else None
    begin, end = (b"\xff<think>\xfe", b"\xff</think>\xfe") if marks else (b"<think>", b"</think>")
    data, count, begun = b"", 0, opening == "open"
    for token in tokens:
        data += compiler.vocabulary.spelled[token]
        if end in data:
            return count if begun else None
        count += begun
        begun = begun or data.startswith(begin)
    return count if begun else None


@pytest.mark.parametrize("opening", ["open", "undecided"])
@pytest.mark.parametrize("budget", [0, 1, 2, 5, 9])
def test_thoughts_end_within_their_budget_and_answers_within_theirs(compiler, opening, budget):
    grammar, drawn = made(compiler, opening, budget), random.Random(4)
    marker = len(b"</think>")
    longest = 0
    for spare in [*range(6), 30, 60] * 2:
        matcher, tokens = grammar.matcher(), []
        for left in range(grammar.compiled.min_tokens + spare, -1, -1):
            choices = allowed(matcher, left)
            assert choices
            token = drawn.choice(sorted(choices))
            assert matcher.accept(token)
            if token == END:
                break
            tokens.append(token)
        assert matcher.matcher.is_ended
        thought = thoughts(compiler, tokens, opening)
        if thought is not None:
            # Where the marker is text, the model may spell it token by token.
            assert thought <= budget + (0 if len(compiler.vocabulary) > END + 1 else marker - 1)
            longest = max(longest, thought)
    if opening == "open":
        assert longest >= min(budget, 5)


def test_a_budget_that_is_spent_leaves_the_end_marker_alone(compiler):
    matcher = made(compiler, "open", 2).matcher()
    assert len(allowed(matcher, 100)) > 100
    assert matcher.accept(ord("x"))
    assert matcher.accept(ord("y"))
    left = allowed(matcher, 100)
    if "</think>" in dict(compiler.vocabulary.special_tokens):
        assert left == {SPECIAL["</think>"]}
    else:
        assert left <= {token for token, data in enumerate(TEXT) if b"</think>".startswith(data)}
        assert TEXT.index(b"</think>") in left
    matcher.rollback(1)
    assert len(allowed(matcher, 100)) > 100


def test_no_model_can_stay_in_the_marker_for_ever(compiler):
    matcher, size = made(compiler, "open", 0).matcher(), 0
    while matcher.matcher.allowed_prefix(b"x") or not size:
        choices = allowed(matcher, 10_000)
        token = ord("<") if ord("<") in choices else min(choices)
        assert matcher.accept(token)
        size += 1
        assert size <= len(b"</think>")


@pytest.mark.parametrize("opening", ["open", "undecided"])
def test_copies_and_returns_allow_the_same(compiler, opening):
    grammar, drawn = made(compiler, opening, 4), random.Random(9)
    again = load(compiler, grammar.to_bytes())
    assert again.bound == grammar.bound
    for _ in range(12):
        matcher, far = grammar.matcher(), again.matcher()
        for left in range(40, 0, -1):
            expected = allowed(matcher, left)
            fork = matcher.fork()
            ahead = 0
            while ahead < 5 and not fork.matcher.is_ended:
                assert fork.accept(drawn.choice(sorted(allowed(fork, left - ahead))))
                ahead += 1
            fork.rollback(ahead)
            assert allowed(fork, left) == allowed(far, left) == expected
            token = drawn.choice(sorted(expected))
            assert matcher.accept(token)
            assert far.accept(token)
            if token == END:
                break


def test_a_batch_is_filled_like_one_by_one(compiler):
    grammar, plain = made(compiler, "open", 3), compiler.compile(SCHEMA)
    matchers = [grammar.matcher(), plain.matcher(), grammar.matcher(), grammar.matcher()]
    for token in b"abc":
        assert matchers[2].accept(token)
    assert matchers[3].accept(ord("a"))
    rows = np.zeros((4, plain.num_words), dtype=np.uint32)
    fill_masks(matchers, rows, [50, 50, 50, None])
    for matcher, row, left in zip(matchers, rows, [50, 50, 50, None], strict=True):
        alone = np.zeros_like(row)
        matcher.fill_mask(alone, left)
        assert (row == alone).all()


MESSAGE = (ord("o"), ord("k"), TEXT.index(b"\n\n"))


def with_message(compiler, opening, budget):
    grammar = made(compiler, opening, budget)
    return bounded(grammar.compiled, replace(grammar.bound, message=MESSAGE))


def test_a_message_ends_a_section_whose_budget_is_spent(compiler):
    grammar = with_message(compiler, "open", 2)
    far = load(compiler, grammar.to_bytes())
    assert far.bound == grammar.bound
    for matcher in (grammar.matcher(), far.matcher()):
        assert matcher.forced_tokens() == []
        for token in b"xy":
            assert matcher.accept(token)
        for at, token in enumerate(MESSAGE):
            assert matcher.forced_tokens() == list(MESSAGE[at:])
            assert allowed(matcher, 100) == allowed(matcher.fork(), None) == {token}
            assert matcher.accept(token)
        assert allowed(matcher, 100) in ({SPECIAL["</think>"]}, {TEXT.index(b"</think>")})
        # Taken back and written again, it is the same.
        matcher.rollback(2)
        assert allowed(matcher, 100) == {MESSAGE[1]}
        matcher.rollback(2)
        assert len(allowed(matcher, 100)) > 100


def test_a_message_waits_for_the_end_of_a_character_and_for_room(compiler):
    matcher = with_message(compiler, "open", 9).matcher()
    assert matcher.accept("é".encode()[0])
    assert matcher.end_section()
    assert allowed(matcher, 100).isdisjoint(MESSAGE)
    assert matcher.accept("é".encode()[1])
    assert allowed(matcher, 100) == {MESSAGE[0]}
    assert MESSAGE[0] not in allowed(matcher, len(MESSAGE) + matcher.floor - 1)
    assert allowed(matcher, len(MESSAGE) + matcher.floor) == {MESSAGE[0]}


@pytest.mark.parametrize("opening", ["open", "undecided"])
def test_answers_with_a_message_are_complete_within_their_budget(compiler, opening):
    drawn, num_messages = random.Random(7), 0
    grammar = with_message(compiler, opening, 3)
    for spare in [*range(6), 20, 40] * 3:
        matcher, tokens = grammar.matcher(), []
        for left in range(grammar.compiled.min_tokens + spare, -1, -1):
            token = drawn.choice(sorted(allowed(matcher, left)))
            assert matcher.accept(token)
            tokens.append(token)
            if token == END:
                break
        assert matcher.matcher.is_ended
        text = "".join(map(chr, tokens))
        num_messages += "".join(map(chr, MESSAGE)) in text
    assert num_messages or opening == "undecided"


def test_plain_grammars_are_loaded_as_they_are(compiler):
    assert not isinstance(load(compiler, compiler.compile(SCHEMA).to_bytes()).matcher(), BoundedMatcher)


def test_refused_tokens_change_nothing(compiler):
    matcher = made(compiler, "open", 3).matcher()
    before = allowed(matcher, 30)
    assert not matcher.accept(END)
    assert allowed(matcher, 30) == before
    assert not matcher.is_complete
    assert matcher.forced_tokens() == []


def test_templates_are_told_what_they_can_be_told():
    known = frozenset({"enable_thinking", "reasoning_effort", "thinking_budget"})
    quiet = ReasoningOptions(effort="none")
    assert template_variables(quiet, known, {}) == {"enable_thinking": False}
    much = ReasoningOptions(enabled=True, effort="high", budget=9)
    assert template_variables(much, known, {"reasoning_effort": "low", "x": 1}) == {
        "enable_thinking": True, "thinking_budget": 9, "reasoning_effort": "low", "x": 1,
    }  # fmt: skip
    assert template_variables(much, frozenset(), {}) == {}
    # Of Glimmer, of GigaChat 3.5.
    assert template_variables(much, frozenset({"reasoning_strength"}), {}) == {"reasoning_strength": "high"}
    assert template_variables(quiet, frozenset({"reasoning"}), {}) == {"reasoning": False}
    for effort, known in (("minimal", "low"), ("medium", "medium"), ("max", "high")):
        told = template_variables(
            ReasoningOptions(effort=effort), frozenset({"reasoning_effort"}), {}, get_reasoning("harmony")
        )
        assert told == {"reasoning_effort": known}


@pytest.mark.parametrize(
    ("source", "wishes"),
    [
        # Hy3: without a word that it knows it does not think.
        (
            "{% if reasoning_effort not in ['high', 'low', 'no_think'] %}"
            "{% set reasoning_effort = 'no_think' %}{% endif %}{{ messages[0].content }} {{ reasoning_effort }}",
            {"minimal": "low", "medium": "high", "high": "high", "max": "high", None: "high"},
        ),
        # GLM 5.3: any other word is the most.
        (
            "{% set effort = reasoning_effort if reasoning_effort in ['low', 'high'] else 'max' %}"
            "{{ effort | capitalize }} {{ messages[0].content }}{{ enable_thinking }}",
            {"minimal": "low", "medium": "high", "high": "high", "xhigh": "max", "max": "max", None: None},
        ),
        # Qwen 3.8: refuses what it does not know.
        (
            "{% if reasoning_effort not in ['low', 'medium', 'xhigh'] %}{{ raise_exception('Unexpected') }}{% endif %}"
            "{{ 'Think.' if reasoning_effort != 'medium' }}{{ messages[0].content }}{{ enable_thinking }}",
            {"minimal": "low", "medium": "medium", "high": "xhigh", "max": "xhigh"},
        ),
        # Step 3.7: any word.
        ("{{ 'Reasoning: ' + (reasoning_effort or '') }}{{ messages[0].content }}", {"max": "max", None: None}),
    ],
)
def test_templates_are_told_words_that_they_know(source, wishes):
    template = ChatTemplate(source)
    for effort, expected in wishes.items():
        wished = ReasoningOptions(enabled=True, effort=effort)
        told = template_variables(wished, template.variables, {}, get_reasoning("think"), template.known_words)
        assert told.get("reasoning_effort") == expected
        assert template.prompt([{"role": "user", "content": "Elm"}], variables=told)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        # Hy4: it thinks unless it is told not to.
        (
            "{% if reasoning_effort not in ['high', 'low', 'no_think'] %}{% set reasoning_effort = 'high' %}{% endif %}"
            "{{ messages[0].content }} {{ reasoning_effort }}",
            {"reasoning_effort": "no_think"},
        ),
        ("{{ 'Reasoning: ' + (reasoning_effort or '') }}{{ messages[0].content }}", {}),
        ("{{ reasoning_effort }}{{ messages[0].content }}{{ enable_thinking }}", {"enable_thinking": False}),
    ],
)
def test_templates_without_a_switch_are_told_by_a_word_not_to_think(source, told):
    template = ChatTemplate(source)
    quiet = ReasoningOptions(effort="none")
    assert template_variables(quiet, template.variables, {}, get_reasoning("hy4"), template.known_words) == told


def test_a_budget_is_the_switch_where_there_is_no_other():
    quiet = ReasoningOptions(enabled=False)
    assert template_variables(quiet, frozenset({"thinking_budget"}), {}) == {"thinking_budget": 0}
    plan = ReasoningPlan.of(get_reasoning("seed_oss"), "a<seed:think><seed:cot_budget_reflect>", quiet)
    assert (plan.opening, plan.budget) == ("open", 0)
    assert plan.spec.end == "</seed:cot_budget_reflect></seed:think>"


@pytest.mark.parametrize(
    ("prompt", "options", "opening", "budget"),
    [
        ("a", ReasoningOptions(), "undecided", None),
        ("a<think>\n", ReasoningOptions(), "open", None),
        ("a<think>\n\n</think>\n\n", ReasoningOptions(), "closed", None),
        ("a<think>\n", ReasoningOptions(enabled=False), "open", 0),
        ("a", ReasoningOptions(enabled=False, budget=7), "closed", 0),
        ("a<think></think>", ReasoningOptions(enabled=False), "closed", None),
        ("a", ReasoningOptions(budget=0), "closed", 0),
        ("a", ReasoningOptions(budget=7), "undecided", 7),
        ("a<think>", ReasoningOptions(effort="none"), "open", 0),
    ],
)
def test_what_a_prompt_and_a_client_say_is_put_together(prompt, options, opening, budget):
    found = ReasoningPlan.of(get_reasoning("think"), prompt, options)
    assert (found.opening, found.budget) == (opening, budget)


@pytest.mark.parametrize("lines", [b"", b"\n", b"\n\n"])
def test_line_feeds_before_the_thoughts_do_not_hide_them(compiler, lines):
    matcher = made(compiler, "undecided", 3).matcher()
    begin = [SPECIAL["<think>"]] if compiler.vocabulary.special_tokens else list(b"<think>")
    for token in [*lines, *begin, *b"abc"]:
        assert matcher.accept(token)
    assert allowed(matcher, None) <= {SPECIAL["</think>"], TEXT.index(b"</think>"), TEXT.index(b"</"), ord("<")}
