"""Rotations by the length of the text: whoever shares the row, whatever the schedule, as stock alone."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import torch
from engine_models import SHAPE, stock_greedy
from engine_runs import make_request, random_prompts, run_checked, tokens_of
from transformers import AutoModelForCausalLM, LlamaConfig, Phi3Config

from gateway.engine import Engine, EngineConfig

ORIGINAL = 32
CONFIGS: dict[str, Any] = {
    "longrope": Phi3Config(
        **SHAPE,
        original_max_position_embeddings=ORIGINAL,
        rope_parameters={
            "rope_type": "longrope",
            "rope_theta": 10000.0,
            "short_factor": [1.0] * 4,
            "long_factor": [3.0, 2.0, 5.0, 4.0],
            "original_max_position_embeddings": ORIGINAL,
        },
    ),
    "dynamic": LlamaConfig(
        **(SHAPE | {"max_position_embeddings": ORIGINAL}),
        rope_parameters={"rope_type": "dynamic", "rope_theta": 10000.0, "factor": 4.0},
    ),
}
SIZES = {"device": "cpu", "dtype": "float32", "max_num_seqs": 4, "max_batch_tokens": 16, "block_size": 4}
LENGTHS = [5, 20, 28, 31, 32, 33, 40, 60, 70]


@pytest.fixture(scope="module", params=CONFIGS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[int]]]:
    """A model, and what it answers to prompts that end before, at and behind the original length, each alone."""
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(CONFIGS[request.param], attn_implementation="eager").float().eval()
    path = tmp_path_factory.mktemp(request.param)
    model.save_pretrained(path)
    # A stock model remembers the longest text that it has seen.
    return path, [stock_greedy(copy.deepcopy(model), prompt, 24) for prompt in random_prompts(5, LENGTHS)]


@pytest.mark.parametrize(("num_blocks", "speculation"), [(200, ("ngram",)), (200, ()), (32, ("ngram",))])
def test_texts_that_outgrow_the_original_length_equal_stock(
    folder: tuple[Path, list[list[int]]], num_blocks: int, speculation: tuple[str, ...]
) -> None:
    path, expected = folder
    config = EngineConfig(**SIZES, num_blocks=num_blocks, max_model_len=100, speculation=speculation)  # type: ignore[arg-type]
    engine = Engine(path, config)
    prompts = random_prompts(5, LENGTHS)
    for _ in range(2):  # the second time from the prefix cache, as far as it has room
        events = run_checked(engine, [make_request(i, prompt, 24) for i, prompt in enumerate(prompts)])
        assert [tokens_of(events[str(i)]) for i in range(len(prompts))] == expected
    assert (engine.stats().num_cached_tokens > 0) or num_blocks == 32


def test_prefix_of_a_long_prompt_is_not_that_of_a_short_one(folder: tuple[Path, list[list[int]]]) -> None:
    path, _ = folder
    (text,) = random_prompts(6, [60])
    prompts = [text[:24], text, text[:28], text[:50]]
    engine = Engine(path, EngineConfig(**SIZES, num_blocks=200, max_model_len=100))  # type: ignore[arg-type]
    alone = [
        Engine(path, EngineConfig(**SIZES, num_blocks=200, max_model_len=100, prefix_caching=False)).generate(  # type: ignore[arg-type]
            [make_request(0, prompt)]
        )
        for prompt in prompts
    ]
    assert [engine.generate([make_request(0, prompt)]) for prompt in prompts] == alone


def test_group_that_outgrows_the_original_length_equals_stock(folder: tuple[Path, list[list[int]]]) -> None:
    path, expected = folder
    (prompt,) = random_prompts(5, LENGTHS)[2:3]
    engine = Engine(path, EngineConfig(**SIZES, num_blocks=200, max_model_len=100))  # type: ignore[arg-type]
    events = run_checked(engine, [make_request(i, prompt, 24, group="g") for i in range(3)])
    assert [tokens_of(events[str(i)]) for i in range(3)] == [expected[2]] * 3


def test_dynamic_rope_is_stretched_only_where_that_is_asked_for(tmp_path: Path) -> None:
    AutoModelForCausalLM.from_config(CONFIGS["dynamic"]).save_pretrained(tmp_path)
    settings: dict[str, Any] = SIZES | {"num_blocks": 200}
    assert Engine(tmp_path, EngineConfig(**settings)).max_model_len == ORIGINAL
    assert Engine(tmp_path, EngineConfig(**settings, max_model_len=1000)).max_model_len == 4 * ORIGINAL
