"""Models all of whose layers have a window keep no more of a text than the window holds."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from engine_models import make_model, stock_greedy
from engine_runs import Prophet, eager, make_engine, make_request, random_prompts, run_checked, tokens_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.engine import Engine, GenerationRequest
from gateway.engine.sequence import Sequence
from tests.counts import examples

WINDOWS = {"mistral": 12, "phi3": 24}
PATHS = [("mistral", "lean", "compiled"), ("mistral", "transformers", "sdpa"), ("phi3", "transformers", "auto")]
MOST_BLOCKS = -(-(12 + 16) // 4) + 3
"""Of the window, a step of 16 tokens, and three in part."""


@cache
def expected(name: str, prompt: tuple[int, ...], max_tokens: int) -> list[int]:
    return stock_greedy(make_model(name), list(prompt), max_tokens)


def held(engine: Engine) -> list[int]:
    """How many blocks each running sequence holds."""
    running = engine._scheduler.running
    return [len(set(sequence.block_table)) for sequence in running]


def run_watched(engine: Engine, request: GenerationRequest) -> tuple[list[int], list[int]]:
    """The answer of a single request, and how many blocks it held after each step."""
    answer, blocks = list[int](), list[int]()
    engine.add(request)
    while engine.has_work:
        for event in engine.step():
            answer += event.token_ids
        blocks += held(engine)
        engine.check_integrity()
    return answer, blocks


@pytest.mark.parametrize(("name", "decoder", "attention"), PATHS)
@pytest.mark.parametrize("prefix_caching", [True, False])
def test_a_text_may_be_far_longer_than_the_memory(
    name: str, decoder: str, attention: Any, prefix_caching: bool
) -> None:
    window = WINDOWS[name]
    num_blocks = -(-(window + 16) // 4) + 3
    engine = make_engine(
        name,
        decoder=decoder,
        attention_backend=attention,
        num_blocks=num_blocks,
        prefix_caching=prefix_caching,
        speculation=(),
    )
    assert engine.max_model_len == 256 > 4 * num_blocks
    (prompt,) = random_prompts(1, [120])
    answer, blocks = run_watched(engine, make_request(0, prompt, 100))
    assert answer == expected(name, tuple(prompt), 100)
    assert max(blocks) <= num_blocks
    assert max(blocks[-90:]) <= window // 4 + 2
    assert engine.stats().num_free_blocks == num_blocks


def test_memory_that_holds_no_window_and_step_bounds_the_length() -> None:
    assert make_engine("mistral", num_blocks=MOST_BLOCKS - 1).max_model_len == 4 * (MOST_BLOCKS - 1)
    assert make_engine("mistral", num_blocks=MOST_BLOCKS).max_model_len == 256


@pytest.mark.parametrize("name", ["llama", "gemma3", "qwen2"])
def test_one_layer_that_sees_all_keeps_all(name: str) -> None:
    engine = make_engine(name, num_blocks=40, speculation=())
    assert engine.max_model_len == 160
    (prompt,) = random_prompts(2, [60])
    answer, blocks = run_watched(engine, make_request(0, prompt, 60))
    assert answer == expected(name, tuple(prompt), 60)
    assert blocks[-1] == 30


def test_what_a_draft_model_sees_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    engine = make_engine("mistral", speculation=("model",), draft_model=make_model("llama"))
    (prompt,) = random_prompts(3, [60])
    answer, blocks = run_watched(engine, make_request(0, prompt, 60))
    assert answer == expected("mistral", tuple(prompt), 60)
    assert blocks[-1] >= 25
    assert engine.max_model_len == 256 == 4 * engine.stats().num_blocks


@settings(max_examples=examples(25), deadline=None)
@given(
    lengths=st.lists(st.integers(1, 90), min_size=1, max_size=6),
    num_blocks=st.integers(MOST_BLOCKS, 40),
    max_num_seqs=st.integers(1, 4),
    prefix_caching=st.booleans(),
    truth=st.sampled_from([None, 0.5, 1.0]),
    is_shared=st.booleans(),
    group=st.sampled_from([None, "g"]),
)
def test_any_schedule_equals_stock(
    lengths: list[int],
    num_blocks: int,
    max_num_seqs: int,
    prefix_caching: bool,
    truth: float | None,
    is_shared: bool,
    group: str | None,
) -> None:
    """Preemption, shared beginnings, answers to one prompt, and drafts that are refused."""
    prompts = random_prompts(len(lengths), lengths)
    (start,) = random_prompts(99, [30])
    prompts = [start + prompt if is_shared else prompt for prompt in prompts]
    requests = [make_request(i, prompt, 40) for i, prompt in enumerate(prompts)]
    if group is not None:
        requests += [make_request(100 + i, prompts[0], 40, group=group) for i in range(3)]
    texts = [request.prompt_ids + expected("mistral", tuple(request.prompt_ids), 40) for request in requests]
    engine = make_engine(
        "mistral",
        num_blocks=num_blocks,
        max_num_seqs=max_num_seqs,
        prefix_caching=prefix_caching,
        drafters=[] if truth is None else [Prophet(texts, truth)],
        speculation=(),
    )
    with pytest.MonkeyPatch.context() as patch:
        eager(patch)
        events = run_checked(engine, requests)
    for request in requests:
        assert tokens_of(events[request.request_id]) == expected("mistral", tuple(request.prompt_ids), 40)


def test_a_beginning_is_found_again_though_its_first_blocks_were_evicted() -> None:
    engine = make_engine("mistral", num_blocks=MOST_BLOCKS + 4, speculation=())
    (prompt,) = random_prompts(4, [100])
    run_watched(engine, make_request(0, prompt, 2))
    assert len(engine._scheduler.allocator.find(engine_hashes(prompt))[0]) == 0, "the first block was evicted"
    longer = [*prompt, 7, 8]
    events = run_checked(engine, [make_request(1, longer, 20)])["1"]
    assert tokens_of(events) == expected("mistral", tuple(longer), 20)
    assert events[-1].num_cached_tokens == 100


def engine_hashes(prompt: list[int]) -> list[bytes]:
    """The names of the blocks of a prompt."""
    return Sequence(make_request(0, prompt), 0).hash_blocks(len(prompt) // 4, 4)


@pytest.mark.parametrize("prefix_caching", [True, False])
def test_scores_without_numbers_are_computed_anew_within_the_window(
    prefix_caching: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refused draft left nan in the blocks behind the text: what is computed anew has its window before it."""
    eager(monkeypatch)
    (prompt,) = random_prompts(5, [60])
    texts = [prompt + expected("mistral", tuple(prompt), 60)]
    engine = make_engine("mistral", num_blocks=20, prefix_caching=prefix_caching, drafters=[Prophet(texts, 0.5)])
    forward, calls, damaged = engine._decoder.forward, list[int](), list[int]()

    def overflowing(batch: Any, cache: Any) -> Any:
        logits = forward(batch, cache)
        calls.append(len(batch.input_ids))
        if len(calls) >= 10 and len(damaged) < 3 and len(batch.input_ids) > 2:
            damaged.append(len(calls))
            for layer in cache._layers.values():
                layer.pools[0][batch.slot_mapping[-1]] = float("nan")
            logits[-1] = float("nan")
        return logits

    monkeypatch.setattr(engine._decoder, "forward", overflowing)
    answer, _ = run_watched(engine, make_request(0, prompt, 60))
    assert len(damaged) == 3
    assert answer == expected("mistral", tuple(prompt), 60)


def test_answers_to_one_prompt_share_the_blocks_of_its_window() -> None:
    (prompt,) = random_prompts(6, [62])
    engine = make_engine("mistral", num_blocks=40, prefix_caching=False, speculation=())
    events = run_checked(engine, [make_request(i, prompt, 20, group="g") for i in range(3)])
    assert all(tokens_of(events[str(i)]) == expected("mistral", tuple(prompt), 20) for i in range(3))
    assert engine.stats().num_copied_blocks == 2
    assert engine.stats().num_cached_tokens == 2 * 61
