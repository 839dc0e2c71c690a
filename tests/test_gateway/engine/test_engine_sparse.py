"""Decode rows attend to the pages of a long text that matter most."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from engine_models import needs_bfloat16
from engine_runs import Prophet, eager, make_engine, make_request, random_prompts, run_checked, tokens_of
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from test_engine_compiled import short_model
from torch import Tensor

from gateway.engine import Engine, EngineConfig
from gateway.engine.attention import sparse
from gateway.engine.attention.base import AttentionNeeds, LayerNeeds, Layout, Scoring, slots_of, spread
from gateway.engine.attention.sparse import SparseAttention
from gateway.engine.encoders.engine import EncoderEngine
from gateway.engine.errors import InvalidEngineConfigError
from gateway.engine.kv_cache import LayerCache
from gateway.engine.models import compiled_llama

BLOCK_SIZE, MOST = 4, 5
BUDGET = BLOCK_SIZE * MOST


@pytest.fixture(autouse=True)
def no_dense_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The small models have two layers in all."""
    monkeypatch.setattr(sparse, "NUM_DENSE_LAYERS", 0)


@pytest.fixture(params=["compiled", "lean", "transformers"])
def decoder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each of those whose texts share pages: the lean one with layers in one call, and in several."""
    if request.param == "lean":
        monkeypatch.setattr(compiled_llama, "MAX_ROWS", 0)
    return "transformers" if request.param == "transformers" else "lean"


def make_sparse(budget: int = BUDGET, **options: Any) -> Engine:
    return make_engine(model=short_model("llama"), sparse_attention_tokens=budget, **options)


def best_pages(query: NDArray[Any], bounds: NDArray[Any], most: int, scale: float) -> list[int]:
    """The formula, read plainly, with bounds of all pages. Shapes: query [heads, size], bounds [n, 2, heads, size]."""
    if len(bounds) <= most:
        return list(range(len(bounds)))
    weights = np.zeros(len(bounds) - 2)
    for row, (lows, highs) in zip(query, bounds[1:-1].transpose(2, 1, 0, 3), strict=True):
        scores = np.maximum(row * lows, row * highs).sum(1) * scale
        weights += np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    return sorted([0, len(bounds) - 1, *(1 + np.argsort(-weights, kind="stable")[: most - 2])])


def bounds_of(keys: NDArray[Any], num_heads: int) -> NDArray[Any]:
    """Bounds of pages in order, for every head. Shapes: keys [tokens, key heads, size]."""
    pages = [keys[first : first + BLOCK_SIZE] for first in range(0, len(keys), BLOCK_SIZE)]
    return np.array([[page.min(0), page.max(0)] for page in pages]).repeat(num_heads // keys.shape[1], axis=2)


@needs_bfloat16
@given(
    dtype=st.sampled_from([torch.float32, torch.bfloat16]),
    contexts=st.lists(st.integers(0, 90), min_size=2, max_size=4),
    counts=st.lists(st.integers(1, 3), min_size=4, max_size=4),
    heads=st.sampled_from([(1, 1), (4, 2), (6, 1), (3, 3)]),
    most=st.integers(4, 30),
    seed=st.integers(0, 5),
)
@settings(max_examples=60, deadline=None)
def test_rows_attend_to_the_pages_of_the_formula(
    dtype: torch.dtype, contexts: list[int], counts: list[int], heads: tuple[int, int], most: int, seed: int
) -> None:
    """The first row of the last text is its prompt's last; all others are of answers."""
    rng, size = np.random.default_rng(seed), 8
    generator = torch.Generator().manual_seed(seed)
    needs = AttentionNeeds(torch.device("cpu"), (LayerNeeds(*heads, size, size, dtype, None, None),), 1)
    config = EngineConfig(block_size=BLOCK_SIZE, sparse_attention_tokens=most * BLOCK_SIZE)
    attention, cache = SparseAttention(needs, config), LayerCache(4 * 24, BLOCK_SIZE)
    tables = rng.permutation(4 * 24).astype(np.int32).reshape(4, 24)[: len(contexts)]
    texts = [torch.randn(len(contexts), 96, count, size, generator=generator).to(dtype) for count in heads + heads[1:]]

    def step(firsts: NDArray[Any], numbers: NDArray[Any], num_decodes: int) -> tuple[Layout, Tensor]:
        starts, owners, positions = spread(firsts, numbers)
        slots = torch.from_numpy(slots_of(tables, owners, positions, BLOCK_SIZE))
        query, key, value = (text[owners, positions] for text in texts)
        cache.write(slots, key, value)
        layout = Layout(
            num_decodes, starts, numbers, firsts, owners, tables, BLOCK_SIZE, positions, torch.from_numpy(positions),
            prompt_lengths=before + (np.arange(len(firsts)) == len(firsts) - 1),
        )  # fmt: skip
        attention.begin(layout)
        return layout, attention.attend(query, cache, Scoring(0.5))

    before = np.array(contexts)
    step(np.zeros_like(before), before, 0) if before.all() else step(np.zeros_like(before), before + 1, 0)
    layout, got = step(before, np.array(counts[: len(contexts)]), len(contexts) - 1)
    for row, (owner, position) in enumerate(zip(layout.owners, layout.host_positions, strict=True)):
        query = texts[0][owner, position].float().numpy()
        keys, values = (text[owner, : position + 1].float().numpy() for text in texts[1:])
        pages = best_pages(query, bounds_of(keys, heads[0]), most if row != layout.starts[-1] else 1000, 0.5)
        seen = np.isin(np.arange(position + 1) // BLOCK_SIZE, pages)
        for head in range(heads[0]):
            key = head * heads[1] // heads[0]
            scores = np.exp(keys[seen, key] @ query[head] * 0.5)
            expected = scores @ values[seen, key] / scores.sum()
            assert np.allclose(got[row, head].float(), expected, atol=1e-5 if dtype == torch.float32 else 0.03)


def check_bounds(engine: Engine) -> int:
    """Assert that bounds are those of the keys, of every page whose tokens were all computed; the number of pages."""
    scheduler, attention = engine._scheduler, engine._builder.attention
    pages = set(scheduler.allocator._published.values())
    for sequence in scheduler.running:
        pages.update(sequence.block_table[: sequence.num_computed // BLOCK_SIZE])
    assert isinstance(attention, SparseAttention)
    for cache, bounds in attention._bounds.items():
        keys = cache.pages[0].numpy()
        for page in pages:
            assert (bounds[page] == [keys[page].min(0), keys[page].max(0)]).all()
    return len(pages)


def test_bounds_are_those_of_the_keys_whatever_happens_to_pages(decoder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shared by prefix and by group, copied, preempted, used again, written by drafts that are refused."""
    eager(monkeypatch)
    prompts = random_prompts(1, [5, 23, 50, 7, 1, 16])
    answers = [run_checked(make_engine(), [make_request(0, prompt, 20)])["0"] for prompt in prompts]
    drafter = Prophet([prompt + tokens_of(answer) for prompt, answer in zip(prompts, answers, strict=True)], 0.6)
    engine = make_sparse(decoder=decoder, num_blocks=26, drafters=[drafter])
    num_checked, step = 0, engine.step

    def checked() -> Any:
        nonlocal num_checked
        events = step()
        num_checked += check_bounds(engine)
        return events

    monkeypatch.setattr(engine, "step", checked)
    for _ in range(2):
        group = [make_request(10 + i, prompts[1], 20, group="one", temperature=1.0, seed=i) for i in range(3)]
        run_checked(engine, [*(make_request(i, prompt, 20) for i, prompt in enumerate(prompts)), *group], (), {9: 2})
    stats = engine.stats()
    assert num_checked > 300
    assert min(stats.num_preemptions, stats.num_copied_blocks, stats.num_cached_tokens) > 0
    assert 0 < sum(stats.num_accepted.values()) < sum(stats.num_drafted.values())


def test_answers_are_dense_where_all_pages_are_attended(decoder: str) -> None:
    """To the last bit of their log-probabilities: alone, and beside a text that is too long."""
    prompts = random_prompts(2, [60, 3, 33, 100])

    def answers(budget: int) -> list[Any]:
        requests = [make_request(i, prompt, 24, logprobs=2) for i, prompt in enumerate(prompts)]
        events = run_checked(make_sparse(budget, decoder=decoder, speculation=()), requests)
        return [[(event.token_ids, event.logprobs) for event in events[str(i)]] for i in range(len(prompts))]

    dense = answers(0)
    assert answers(124) == dense
    *short, long = answers(84)
    assert short == dense[:3]
    assert long != dense[3]


def plain_choice(
    query: NDArray[Any], bounds: NDArray[Any], tables: NDArray[Any], size: int, owners: Any, positions: Any, most: Any,
    scale: float,
) -> tuple[NDArray[Any], NDArray[Any]]:  # fmt: skip
    """`choose_pages`, read plainly."""
    chosen, lasts = np.zeros((len(query), tables.shape[1]), np.int32), positions.copy()
    for row, (owner, position) in enumerate(zip(owners, positions, strict=True)):
        table = tables[owner, : position // size + 1]
        every = bounds[table].repeat(query.shape[1] // bounds.shape[2], axis=2)
        pages = best_pages(query[row], every, most[row], scale)
        chosen[row, : len(pages)] = table[pages]
        lasts[row] = (len(pages) - 1) * size + position % size
    return chosen, lasts


def test_answers_follow_the_formula_beside_others_and_with_drafts(
    decoder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    eager(monkeypatch)
    prompts = random_prompts(3, [60, 3, 33])
    with monkeypatch.context() as patch:
        patch.setattr(sparse, "choose_pages", plain_choice)
        engine = make_sparse(decoder="transformers", prefix_caching=False)
        alone = [tokens_of(run_checked(engine, [make_request(0, prompt, 24)])["0"]) for prompt in prompts]
    dense = make_sparse(0).generate([make_request(i, prompt, 24) for i, prompt in enumerate(prompts)])
    assert alone != dense
    texts = [prompt + answer for prompt, answer in zip(prompts, alone, strict=True)]
    for drafters in ([], [Prophet(texts, 0.7)]):
        engine = make_sparse(decoder=decoder, drafters=drafters)
        assert engine.generate([make_request(i, prompt, 24) for i, prompt in enumerate(prompts)]) == alone


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("llama", {"attention_backend": "sdpa"}, "attention_backend"),
        ("llama", {"kv_cache_dtype": "fp8"}, "eight bits"),
        ("llama", {"decoder": "one_by_one"}, "memory of its own"),
        ("llama", {"dtype": "float16"}, "float16"),
        ("mistral", {}, "windows"),
        ("gemma2", {}, "windows, bounded scores"),
        ("gpt_oss", {}, "sinks"),
    ],
)
def test_what_cannot_be_sparse_is_refused_by_name(name: str, options: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidEngineConfigError, match=f"sparse_attention_tokens.*{reason}"):
        make_engine(name, **({"sparse_attention_tokens": 16} | options))


def test_encoders_refuse_it() -> None:
    with pytest.raises(InvalidEngineConfigError, match="sparse_attention_tokens"):
        EncoderEngine("folder", EngineConfig(sparse_attention_tokens=64))


def test_a_draft_model_attends_to_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    drafted = make_sparse(draft_model=short_model("llama"), speculation=("model",))
    requests = [make_request(0, random_prompts(4, [40])[0])]
    assert drafted.generate(requests) == make_sparse().generate(requests)
    stats = drafted.stats()
    assert 0 < stats.num_accepted["model"] < stats.num_drafted["model"]
