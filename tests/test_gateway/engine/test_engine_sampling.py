"""Drawn tokens: the right distribution, and the same tokens for the same seed whatever else runs."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
import torch
from engine_runs import make_engine, make_request, random_prompts, run_checked, tokens_of

from gateway.engine.errors import InvalidSamplingError
from gateway.engine.masks import MaskFiller
from gateway.engine.request import MAX_BAD_WORD_TOKENS, MAX_BAD_WORDS, MAX_NGRAM_SIZE, GenerationRequest, SamplingParams
from gateway.engine.rows import SamplingRows
from gateway.engine.sampler import Sampler
from gateway.engine.seeds import uniforms
from gateway.engine.sequence import Sequence
from gateway.engine.warpers import WarpContext

DRAWN: dict[str, Any] = {"temperature": 1.0, "seed": 7}


def make_sampler(vocab_size: int) -> Sampler:
    masks = MaskFiller(vocab_size, 1, None, overlap=False)
    return Sampler(WarpContext(torch.device("cpu"), vocab_size, (), masks))


def make_sequence(seed: int, **options: Any) -> Sequence:
    sampling = SamplingParams(max_tokens=10_000, seed=seed, **options)
    return Sequence(GenerationRequest(request_id=str(seed), prompt_ids=[0], sampling=sampling), seed)


def test_uniforms_are_uniform_and_uncorrelated() -> None:
    seeds, counters = np.meshgrid(np.arange(200, dtype=np.uint64), np.arange(500, dtype=np.uint64), indexing="ij")
    values = uniforms(seeds.ravel(), counters.ravel()).reshape(seeds.shape)
    assert values.min() >= 0
    assert values.max() < 1
    histogram = np.histogram(values, bins=20, range=(0, 1))[0] / values.size
    assert np.abs(histogram - 0.05).max() < 0.003
    assert abs(np.corrcoef(values[:, :-1].ravel(), values[:, 1:].ravel())[0, 1]) < 0.015  # next token, same seed
    assert abs(np.corrcoef(values[:-1].ravel(), values[1:].ravel())[0, 1]) < 0.015  # same token, next seed


def test_uniforms_depend_on_nothing_but_seed_and_counter() -> None:
    alone = uniforms(np.array([5], dtype=np.uint64), np.array([3], dtype=np.uint64))
    among = uniforms(np.array([1, 5, 9], dtype=np.uint64), np.array([0, 3, 3], dtype=np.uint64))
    assert alone[0] == among[1]


def test_sample_follows_the_distribution() -> None:
    logits = torch.tensor([2.0, 1.0, 0.0, -1.0, float("-inf")])
    expected = (logits / 0.7).softmax(-1).tolist()
    sampler, sequences = make_sampler(5), [make_sequence(seed, temperature=0.7) for seed in range(64)]
    counts: Counter[int] = Counter()
    for _ in range(300):
        outcome = sampler.sample(logits.repeat(len(sequences), 1), SamplingRows(sequences)).finish()
        counts.update(outcome.token_ids)
        for sequence, token in zip(sequences, outcome.token_ids, strict=True):
            sequence.token_ids.append(token)
    total = sum(counts.values())
    assert counts[4] == 0
    for token, probability in enumerate(expected):
        assert counts[token] / total == pytest.approx(probability, abs=0.015)


def test_sample_mixes_greedy_and_drawn_rows() -> None:
    logits = torch.randn(3, 50, generator=torch.Generator().manual_seed(0))
    sequences = [make_sequence(1, temperature=0.0), make_sequence(2, top_k=1), make_sequence(3, temperature=0.0)]
    assert (
        make_sampler(50).sample(logits.clone(), SamplingRows(sequences)).finish().token_ids
        == logits.argmax(-1).tolist()
    )


def test_engine_same_seed_gives_same_tokens_in_any_company() -> None:
    prompts = random_prompts(1, [9, 5, 14, 20])
    options = [{"top_p": 0.9}, {"top_k": 20}, {"min_p": 0.02, "repetition_penalty": 1.2}, {"frequency_penalty": 0.5}]
    alone = []
    for prompt, option in zip(prompts, options, strict=True):
        engine = make_engine(prefix_caching=False)
        alone.append(tokens_of(run_checked(engine, [make_request(0, prompt, 20, **DRAWN, **option)])["0"]))
    crowd = [make_request(i, prompts[i], 20, **DRAWN, **options[i]) for i in (2, 0, 3, 1)]
    tight = make_engine(num_blocks=14)
    events = run_checked(tight, crowd)
    assert tight.stats().num_preemptions > 0
    assert [tokens_of(events[str(i)]) for i in range(4)] == alone


def test_engine_without_seed_draws_differently() -> None:
    (prompt,) = random_prompts(2, [6])
    requests = [make_request(i, prompt, 20, temperature=1.5) for i in range(4)]
    events = run_checked(make_engine(), requests)
    assert len({tuple(tokens_of(events[str(i)])) for i in range(4)}) == 4


def test_engine_never_chooses_beyond_the_vocabulary() -> None:
    (prompt,) = random_prompts(3, [6])
    engine = make_engine(vocab_size=40)
    events = run_checked(engine, [make_request(i, prompt, 60, temperature=3.0, seed=i) for i in range(4)])
    assert max(token for i in range(4) for token in tokens_of(events[str(i)])) < 40


def test_sampling_params_that_forbid_all_they_allow_are_refused() -> None:
    words = [[3], [4], [5, 6]]
    SamplingParams(max_tokens=5, allowed_token_ids=[3, 4, 5], bad_words_ids=words).validate(vocab_size=500)
    with pytest.raises(InvalidSamplingError) as caught:
        SamplingParams(max_tokens=5, allowed_token_ids=[3, 4], bad_words_ids=words).validate(vocab_size=500)
    assert caught.value.parameter == "bad_words_ids"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_tokens", 0), ("temperature", -1.0), ("temperature", float("nan")), ("top_p", 0.0), ("top_p", 1.1),
        ("top_k", -1), ("min_p", 2.0), ("repetition_penalty", 0.0), ("presence_penalty", float("inf")),
        ("logit_bias", {500: 1.0}), ("logit_bias", {-1: 1.0}), ("logit_bias", {1: float("nan")}), ("min_tokens", 99),
        ("logprobs", -1), ("logprobs", 501), ("prompt_logprobs", -1), ("prompt_logprobs", 501),
        ("typical_p", 0.0), ("typical_p", 1.5), ("typical_p", float("nan")),
        ("no_repeat_ngram_size", -1), ("no_repeat_ngram_size", MAX_NGRAM_SIZE + 1),
        ("allowed_token_ids", []), ("allowed_token_ids", [3, 500]), ("allowed_token_ids", [-1]),
        ("bad_words_ids", [[]]), ("bad_words_ids", [[1, 500]]), ("bad_words_ids", [[-1]]),
        ("temperature", 1e-40), ("temperature", 1e39), ("repetition_penalty", 1e-40), ("repetition_penalty", 1e39),
        ("presence_penalty", -1e39), ("frequency_penalty", 1e39), ("logit_bias", {1: 1e39}),
        ("logit_bias", {1: -1e-45}), ("top_p", 1e-46), ("typical_p", 1e-46), ("min_p", 1e-46),
        ("bad_words_ids", [[1]] * (MAX_BAD_WORDS + 1)), ("bad_words_ids", [[1] * (MAX_BAD_WORD_TOKENS + 1)]),
    ],
)  # fmt: skip
def test_sampling_params_out_of_range_are_refused(name: str, value: Any) -> None:
    params = SamplingParams(**({"max_tokens": 5} | {name: value}))
    with pytest.raises(InvalidSamplingError) as caught:
        params.validate(vocab_size=500)
    assert caught.value.parameter == name
