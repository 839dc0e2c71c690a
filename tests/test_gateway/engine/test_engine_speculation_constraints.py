"""Drafts of constrained answers: forced text, tokens that are certain, and constraints that see no draft."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pytest
from engine_models import VOCAB
from engine_runs import Prophet, eager, make_engine, make_request, random_prompts, run_checked, tokens_of
from hypothesis import given, settings
from hypothesis import strategies as st
from test_engine_constraints import EOS, Dfa, brackets, is_balanced
from test_engine_speculation import assert_told_alike

from grammars import Compiler, JsonSchema, Vocabulary, fill_masks
from tests.counts import examples


def seeded(
    prompts: list[list[int]], max_tokens: int, temperature: float, constraint: Callable[[int], Any]
) -> list[Any]:
    """Requests with a constraint each, every other one with logprobs."""
    return [
        make_request(
            i, prompt, max_tokens, constraint=constraint(i), temperature=temperature, seed=i, logprobs=i % 2 or None
        )
        for i, prompt in enumerate(prompts)
    ]


@pytest.mark.parametrize("temperature", [0.0, 1.5])
def test_constraint_sees_every_token_once_and_no_draft(temperature: float, monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    prompts = random_prompts(1, [5, 9, 30, 2, 7])
    requests = partial(seeded, prompts, 16, temperature, lambda i: brackets(i % 3 + 1))
    plain = run_checked(make_engine(speculation=()), requests())
    texts = [prompt + tokens_of(plain[str(i)]) for i, prompt in enumerate(prompts)]
    for truth in (1.0, 0.7):
        drafted = requests()
        engine = make_engine(drafters=[Prophet(texts, truth)])
        events = run_checked(engine, drafted)
        for i, request in enumerate(drafted):
            assert_told_alike(plain[str(i)], events[str(i)])
            assert is_balanced(tokens_of(events[str(i)]))
            assert len(request.constraint.history) == len(tokens_of(events[str(i)])) + 1
        assert engine.stats().num_accepted["prophet"] > 0


def test_certain_tokens_take_no_step(monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    chain = {state: {10 + state: state + 1} for state in range(20)}
    line = Dfa(chain, {20})
    engine = make_engine()
    events = run_checked(engine, [make_request(0, [3, 4], 40, constraint=line)])["0"]
    assert tokens_of(events) == list(range(10, 30))
    assert events[-1].finish_reason == "stop"
    assert engine.stats().num_forced > 5
    assert engine.stats().num_steps == 2
    asked = run_checked(engine, [make_request(1, [3, 4], 40, constraint=Dfa(chain, {20}), logprobs=0)])["1"]
    assert [report.token_id for event in asked for report in event.logprobs or []] == list(range(10, 30))


def winding(seed: int) -> Dfa:
    """Thirty tokens, most of them the only one in their place, a few of three; then the end."""
    chooser = random.Random(seed)
    edges = {
        state: dict.fromkeys(chooser.sample(range(2, VOCAB), chooser.choice((1, 1, 1, 3))), state + 1)
        for state in range(30)
    }
    return Dfa(edges | {30: {}}, {30})


@settings(max_examples=examples(15), deadline=None)
@given(
    lengths=st.lists(st.integers(1, 20), min_size=1, max_size=6),
    temperature=st.sampled_from([0.0, 1.0]),
    sizes=st.fixed_dictionaries(
        {
            "num_blocks": st.integers(16, 50),
            "max_num_seqs": st.integers(1, 4),
            "max_batch_tokens": st.integers(4, 24),
            "max_draft_tokens": st.integers(1, 9),
            "prefix_caching": st.booleans(),
        }
    ),
)
def test_certain_tokens_among_others_under_any_schedule(
    lengths: list[int], temperature: float, sizes: dict[str, Any]
) -> None:
    prompts = random_prompts(len(lengths), lengths)

    def requests() -> list[Any]:
        return [
            make_request(
                i,
                prompt,
                40 if i % 3 else 25,
                constraint=winding(i) if i % 3 else None,
                temperature=temperature,
                seed=i,
            )
            for i, prompt in enumerate(prompts)
        ]

    plain = run_checked(make_engine(speculation=(), num_blocks=200), requests())
    engine = make_engine(**sizes)
    with pytest.MonkeyPatch.context() as patch:
        eager(patch)
        drafted = run_checked(engine, requests())
    for name, events in plain.items():
        assert_told_alike(events, drafted[name])
    assert engine.stats().num_forced > 0 or len(lengths) == 1


SCHEMA = {
    "type": "object",
    "properties": {"kind": {"enum": ["person", "place"]}, "count": {"type": "integer"}, "note": {"type": "string"}},
    "required": ["kind", "count", "note"],
    "additionalProperties": False,
}


@cache
def grammar() -> Any:
    pieces = [bytes([byte]) for byte in range(32, 127)]
    pieces += [b'{"', b'":', b'": "', b'", "', b"kind", b"count", b"note", b"per", b"son", b"place", b"ce", b'"}']
    tokens = [None, None, *pieces]
    tokens += [None] * (VOCAB - len(tokens))
    return Compiler(Vocabulary.from_tokens(tokens, eos_token_ids=(EOS,))).compile(JsonSchema(SCHEMA))


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_grammar_forces_tokens_and_answers_stay_the_same(temperature: float, monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    prompts = random_prompts(4, [5, 9, 30, 2, 7])
    requests = partial(seeded, prompts, 60, temperature, lambda i: grammar().matcher())
    settings: dict[str, Any] = {"fill_masks": fill_masks, "vocab_size": VOCAB, "num_blocks": 100}
    plain_engine, engine = make_engine(speculation=(), **settings), make_engine(**settings)
    plain, drafted = run_checked(plain_engine, requests()), run_checked(engine, requests())
    for name, events in plain.items():
        assert_told_alike(events, drafted[name])
        assert events[-1].finish_reason == "stop"
    stats = engine.stats()
    assert stats.num_accepted["forced"] > 0
    assert stats.num_steps < plain_engine.stats().num_steps


@pytest.mark.parametrize("method", ["fork", "forced_tokens"])
def test_constraint_that_cannot_be_asked_ahead_is_obeyed_all_the_same(method: str) -> None:
    def fail(self: Dfa) -> Any:
        raise RuntimeError("not implemented")

    broken = type("Broken", (Dfa,), {method: fail})
    events = run_checked(
        make_engine(), [make_request(0, [20, 21, 20, 21, 20], 12, constraint=broken(brackets(2).edges, {-1}))]
    )["0"]
    assert is_balanced(tokens_of(events))
    assert events[-1].error is None


def test_ngram_copies_what_repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    engine = make_engine(eos_token_ids=())
    line = list(range(40, 60))
    prompt = [*line, 3, 4, *line[:4]]

    class Copying(Dfa):
        def forced_tokens(self) -> list[int]:
            return []

    copying = Copying({state: {token: state + 1, 7: 99} for state, token in enumerate(line[4:])} | {99: {}}, {16, 99})
    events = run_checked(engine, [make_request(0, prompt, 30, constraint=copying, logit_bias={7: -1e4, EOS: -1e4})])
    assert tokens_of(events["0"]) == line[4:]
    assert engine.stats().num_accepted["ngram"] >= 10
    assert engine.stats().num_steps <= 6
