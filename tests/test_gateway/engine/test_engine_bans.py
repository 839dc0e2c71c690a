"""What a request forbids: equal to transformers' processors, and never so much that nothing is left."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from engine_models import VOCAB, make_model
from engine_runs import make_engine, make_request, random_prompts, run_checked, tokens_of
from hypothesis import given, settings
from hypothesis import strategies as st
from test_engine_constraints import EOS, brackets, is_balanced
from transformers import (
    MinNewTokensLengthLogitsProcessor,
    NoBadWordsLogitsProcessor,
    NoRepeatNGramLogitsProcessor,
    SuppressTokensLogitsProcessor,
)

from gateway.engine.masks import MaskFiller
from gateway.engine.request import GenerationRequest, SamplingParams
from gateway.engine.rows import SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers import WarpContext, build_chain

SMALL = 40
"""Tokens of a vocabulary in which bans meet each other, and the mask, all the time."""
MINUS_INFINITY = float("-inf")


class Mask:
    """A constraint that allows these tokens."""

    def __init__(self) -> None:
        self.tokens: list[int] = []

    def fill_mask(self, row: np.ndarray, tokens_left: int | None = None) -> None:
        for token in self.tokens:
            row[token // 32] |= np.uint32(1 << (token % 32))


def peers_of(sequence: Sequence) -> list[Any]:
    """transformers' processors for the same parameters, in our order."""
    sampling = sequence.sampling
    peers: list[Any] = []
    if sampling.allowed_token_ids is not None:
        others = [token for token in range(SMALL) if token not in sampling.allowed_token_ids]
        peers.append(SuppressTokensLogitsProcessor(others))
    if sampling.bad_words_ids:
        peers.append(NoBadWordsLogitsProcessor([list(word) for word in sampling.bad_words_ids]))
    if sampling.no_repeat_ngram_size:
        peers.append(NoRepeatNGramLogitsProcessor(sampling.no_repeat_ngram_size))
    if sampling.min_tokens:
        ends = [EOS, *sampling.stop_token_ids]
        peers.append(MinNewTokensLengthLogitsProcessor(sequence.num_prompt_tokens, sampling.min_tokens, ends))
    return peers


def expected_scores(scores: torch.Tensor, sequence: Sequence) -> torch.Tensor:
    """The mask, then one processor after the other, without those that would leave nothing. Shapes: [V]."""
    if isinstance(sequence.constraint, Mask):
        pool = torch.full_like(scores, MINUS_INFINITY)
        pool[sequence.constraint.tokens] = scores[sequence.constraint.tokens]
        scores = pool
    for peer in peers_of(sequence):
        fewer = peer(torch.tensor([sequence.token_ids]), scores[None].clone())[0]
        if fewer.isfinite().any():
            scores = fewer
    return scores


@st.composite
def bans(draw: Callable[..., Any], vocab_size: int, low: int = 0) -> dict[str, Any]:
    """Parameters that forbid tokens, often all of them together."""
    tokens = st.integers(low, vocab_size - 1)
    words = draw(st.lists(st.lists(tokens, min_size=1, max_size=3), max_size=12))
    allowed = draw(st.none() | st.lists(tokens, min_size=1, max_size=6))
    words = [word for word in words if allowed is None or len(word) > 1]
    return {
        "allowed_token_ids": allowed,
        "bad_words_ids": words,
        "no_repeat_ngram_size": draw(st.integers(0, 4)),
        "min_tokens": draw(st.integers(0, 5)),
        "stop_token_ids": draw(st.lists(tokens, max_size=3)),
    }


def make_sequence(number: int, prompt: list[int], option: dict[str, Any], is_constrained: bool) -> Sequence:
    request = GenerationRequest(
        request_id=str(number), prompt_ids=prompt, sampling=SamplingParams(max_tokens=1000, **option)
    )
    sequence = Sequence(request, number)
    sequence.constraint = Mask() if is_constrained else None
    return sequence


@settings(max_examples=40, deadline=None)
@given(options=st.lists(st.tuples(bans(SMALL), st.booleans()), min_size=1, max_size=5), seed=st.integers(0, 1 << 30))
def test_bans_equal_transformers_along_many_steps(options: list[tuple[dict[str, Any], bool]], seed: int) -> None:
    chooser = random.Random(seed)
    noise = torch.Generator().manual_seed(seed)
    context = WarpContext(torch.device("cpu"), SMALL, (EOS,), MaskFiller(SMALL, 8, None, overlap=False))
    prompts = [[chooser.randrange(SMALL) for _ in range(chooser.randint(1, 12))] for _ in options]
    everyone = [make_sequence(i, prompts[i], *option) for i, option in enumerate(options)]
    sequences, chain = everyone, build_chain(everyone, context)
    for _ in range(25):
        if chooser.random() < 0.2:  # others come and go: what is known of a text survives that
            sequences = chooser.sample(everyone, chooser.randint(1, len(everyone)))
            chain = build_chain(sequences, context)
        for sequence in sequences:
            if isinstance(sequence.constraint, Mask):
                sequence.constraint.tokens = chooser.sample(range(SMALL), chooser.choice([1, 2, 5, 30]))
        rows = SamplingRows(sequences)
        context.masks.begin(rows)
        assert context.masks.finish() == {}
        logits = torch.randn(len(sequences), SMALL, generator=noise)
        expected = torch.stack([expected_scores(row, s) for row, s in zip(logits, sequences, strict=True)])
        for warper in chain:
            warper.apply(logits, rows)
        torch.testing.assert_close(logits, expected, rtol=0, atol=0)
        for row, sequence in zip(expected, sequences, strict=True):
            sequence.token_ids.append(chooser.choice(row.isfinite().nonzero()[:, 0].tolist()))


def test_bans_name_more_than_the_vocabulary_and_leave_one_token() -> None:
    sequence = make_sequence(0, list(range(SMALL)), {"no_repeat_ngram_size": 1, "bad_words_ids": [[3]]}, False)
    context = WarpContext(torch.device("cpu"), SMALL, (EOS,), MaskFiller(SMALL, 8, None, overlap=False))
    logits = torch.randn(1, SMALL)
    for warper in build_chain([sequence], context):
        warper.apply(logits, SamplingRows([sequence]))
    assert (~logits[0].isfinite()).nonzero().tolist() == [[3]]  # the n-gram, which names all that is left, is void


def test_bad_word_begun_in_the_prompt_is_not_finished() -> None:
    (prompt,) = random_prompts(3, [9])
    free = tokens_of(run_checked(make_engine(), [make_request(0, prompt, 1)])["0"])
    word = [*prompt[-2:], *free]
    held = tokens_of(run_checked(make_engine(), [make_request(0, prompt, 1, bad_words_ids=[word])])["0"])
    assert held != free


def test_engine_with_bans_equals_generate() -> None:
    prompts = random_prompts(5, [6, 11, 3, 17])
    options = [
        {"no_repeat_ngram_size": 2},
        {"bad_words_ids": [[9], [14], [20, 21]], "repetition_penalty": 1.3},
        {"suppress_tokens": list(range(2, 120)), "no_repeat_ngram_size": 3},
        {"min_new_tokens": 25, "no_repeat_ngram_size": 1, "bad_words_ids": [[30]]},
    ]
    stock, requests, expected = make_model("llama"), [], []
    for number, (prompt, option) in enumerate(zip(prompts, options, strict=True)):
        ids = torch.tensor([prompt])
        with torch.no_grad():
            out = stock.generate(
                ids, attention_mask=torch.ones_like(ids), max_new_tokens=30, do_sample=False, pad_token_id=0, **option
            )
        expected.append([token for token in out[0, len(prompt) :].tolist() if token != EOS])
        ours = dict(option)
        if "suppress_tokens" in ours:
            ours["allowed_token_ids"] = sorted(set(range(VOCAB)) - set(ours.pop("suppress_tokens")))
        ours["min_tokens"] = ours.pop("min_new_tokens", 0)
        requests.append(make_request(number, prompt, 30, ignore_eos=False, **ours))
    events = run_checked(make_engine(num_blocks=30), requests)
    assert [tokens_of(events[str(number)]) for number in range(len(prompts))] == expected


def test_engine_with_bans_same_seed_gives_same_tokens_in_any_company() -> None:
    prompts = random_prompts(6, [9, 5, 14, 20])
    options = [
        {"no_repeat_ngram_size": 2},
        {"bad_words_ids": [[token] for token in range(5, 90)]},
        {"allowed_token_ids": range(20, 60), "no_repeat_ngram_size": 1},
        {"typical_p": 0.6, "presence_penalty": 0.5, "repetition_penalty": 1.2},
    ]
    drawn = {"temperature": 1.0, "seed": 3}
    alone = [
        tokens_of(run_checked(make_engine(), [make_request(0, prompt, 20, **drawn, **option)])["0"])
        for prompt, option in zip(prompts, options, strict=True)
    ]
    tight = make_engine(num_blocks=14)
    events = run_checked(tight, [make_request(i, prompts[i], 20, **drawn, **options[i]) for i in (2, 0, 3, 1)])
    assert tight.stats().num_preemptions > 0
    assert [tokens_of(events[str(i)]) for i in range(4)] == alone
    assert len(set(alone[2])) == 20
    assert set(alone[2]) <= set(range(20, 60))


@settings(max_examples=25, deadline=None)
@given(
    options=st.lists(st.tuples(bans(32, low=8), st.integers(1, 4), st.integers(4, 14)), min_size=1, max_size=4),
    temperature=st.sampled_from([0.0, 1.5]),
)
def test_constrained_answer_is_complete_whatever_is_forbidden(
    options: list[tuple[dict[str, Any], int, int]], temperature: float
) -> None:
    requests = [
        make_request(
            number,
            [10, 11, 3],
            max_tokens,
            constraint=brackets(depth),
            temperature=temperature,
            seed=number,
            **(option | {"stop_token_ids": [], "min_tokens": min(option["min_tokens"], max_tokens)}),
        )
        for number, (option, depth, max_tokens) in enumerate(options)
    ]
    events = run_checked(SHARED, requests)
    for number in range(len(options)):
        assert is_balanced(tokens_of(events[str(number)]))
        assert events[str(number)][-1].finish_reason == "stop"


SHARED = make_engine()


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ({"allowed_token_ids": [10, 11, 25]}, {10, 11, 25}),
        ({"allowed_token_ids": [90]}, {10, 11, *range(20, 30)}),
        ({"bad_words_ids": [[token] for token in range(20, 27)]}, {10, 11, 27, 28, 29}),
        ({"bad_words_ids": [[10], [11]]}, {10, 11, *range(20, 30)}),
    ],
    ids=["allowed and in the mask", "allowed but never in the mask", "bad words", "bad words that the mask needs"],
)
def test_constrained_answer_keeps_to_the_bans_where_the_mask_leaves_a_choice(
    option: dict[str, Any], expected: set[int]
) -> None:
    requests = [make_request(i, [3], 12, constraint=brackets(1), temperature=5.0, seed=i, **option) for i in range(30)]
    written = {token for events in run_checked(make_engine(), requests).values() for token in tokens_of(events)}
    assert written == expected


def test_prompt_tokens_beyond_the_vocabulary_have_no_scores_to_change() -> None:
    request = make_request(0, [150, 3, 151, 4], 20, no_repeat_ngram_size=1, repetition_penalty=1.5, presence_penalty=1)
    answer = tokens_of(run_checked(make_engine(vocab_size=40), [request])["0"])
    assert len(set(answer) - {3, 4}) == 20
    assert max(answer) < 40
