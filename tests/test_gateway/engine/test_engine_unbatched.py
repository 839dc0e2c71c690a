"""Models that share no row: all else of the engine is there, and the tokens are those of `generate`."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from architectures import make_config
from engine_models import stock_greedy
from engine_runs import make_request, random_prompts, run_checked, tokens_of
from transformers import AutoModelForCausalLM

from gateway.engine import Engine, EngineConfig
from gateway.engine.errors import InvalidEngineConfigError, UnsupportedModelError
from gateway.engine.models.unbatched import UnbatchedDecoder
from gateway.engine.protocols import MaskRows

NAMES = ["mamba", "qwen3_next", "bloom"]
"""Recurrent, hybrid, with biases for positions."""
SIZES: dict[str, Any] = {
    "device": "cpu", "dtype": "float32", "max_num_seqs": 4, "max_batch_tokens": 16, "block_size": 4, "num_blocks": 64
}  # fmt: skip


@pytest.fixture(scope="module", params=NAMES)
def stored(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(make_config(request.param)).float().eval()
    folder = tmp_path_factory.mktemp(request.param)
    model.save_pretrained(folder)
    return model, folder


def test_mixed_batches_preemption_and_groups_equal_generate(
    stored: tuple[Any, Path], caplog: pytest.LogCaptureFixture
) -> None:
    model, folder = stored
    engine = Engine(folder, EngineConfig(**(SIZES | {"num_blocks": 14})))
    assert isinstance(engine._decoder, UnbatchedDecoder)
    assert "each text is computed by itself" in caplog.text
    prompts = [*random_prompts(1, [5, 23, 1, 16]), *[random_prompts(2, [18])[0]] * 3]
    groups = [None] * 4 + ["g"] * 3
    requests = [
        make_request(i, prompt, group=group) for i, (prompt, group) in enumerate(zip(prompts, groups, strict=True))
    ]
    events = run_checked(engine, requests)
    assert [tokens_of(events[str(i)]) for i in range(7)] == [stock_greedy(model, prompt, 12) for prompt in prompts]
    assert engine.stats().num_preemptions > 0


class OddTokens:
    """Allows tokens with odd numbers, and any end."""

    is_complete = True

    def fill_mask(self, row: MaskRows, tokens_left: int | None = None) -> None:
        row[:] = np.uint32(0xAAAAAAAA)

    def accept(self, token_id: int) -> bool:
        return token_id % 2 == 1

    def forced_tokens(self) -> list[int]:
        return []

    def fork(self) -> OddTokens:
        return self

    def rollback(self, n: int) -> None: ...


def test_masks_warpers_and_log_probabilities_are_those_of_every_request(stored: tuple[Any, Path]) -> None:
    model, folder = stored
    engine = Engine(folder, EngineConfig(**SIZES))
    prompts = random_prompts(3, [7, 20, 9])
    constrained = make_request(0, prompts[0], constraint=OddTokens(), logit_bias={1: -1000.0})
    scored = make_request(1, prompts[1], 4, logprobs=2, prompt_logprobs=1)
    drawn = [make_request(i, prompts[2], temperature=0.9, seed=7, top_k=20) for i in (2, 3)]
    events = run_checked(engine, [constrained, scored, *drawn])
    assert all(token % 2 for token in tokens_of(events["0"]))
    assert len(tokens_of(events["0"])) == 12
    assert tokens_of(events["2"]) == tokens_of(events["3"])
    answer = tokens_of(events["1"])
    with torch.no_grad():
        stock = model(torch.tensor([prompts[1] + answer])).logits[0].log_softmax(-1)
    told = [entry for event in events["1"] for entry in event.prompt_logprobs or ()]
    told += [entry for event in events["1"] for entry in event.logprobs or ()]
    text = prompts[1] + answer
    assert [entry.token_id for entry in told] == text[1:]
    for position, entry in enumerate(told):
        assert entry.logprob == pytest.approx(float(stock[position, text[position + 1]]), abs=1e-3)


def test_attention_in_chunks_is_right_beyond_them(tmp_path: Path) -> None:
    """Of Llama 4: held to the whole text without a memory, in which no token reaches into another chunk."""
    torch.manual_seed(0)
    config = make_config("llama4_text")
    config.floor_scale, size, num_layers = 8, config.attention_chunk_size, config.num_hidden_layers
    config.layer_types, config.no_rope_layers = ["chunked_attention"] * num_layers, [1] * num_layers
    apart = AutoModelForCausalLM.from_config(config).float().eval()
    config = type(config)(**{**config.to_dict(), "layer_types": None, "no_rope_layers": [1, 0] * (num_layers // 2)})
    model = AutoModelForCausalLM.from_config(config).float().eval()
    assert set(model.config.layer_types) == {"chunked_attention", "full_attention"}
    text, other = (torch.tensor([random_prompts(4, [2 * size + 3])[0]]) for _ in range(2))
    other[0, size - 1] = (other[0, size - 1] + 1) % model.config.vocab_size
    with torch.inference_mode():
        moved = (apart(text).logits - apart(other).logits)[0].abs().amax(-1) > 0
        assert moved.nonzero().flatten().tolist() == [size - 1]
    model.save_pretrained(tmp_path)
    engine = Engine(tmp_path, EngineConfig(**(SIZES | {"max_batch_tokens": 64})))
    assert isinstance(engine._decoder, UnbatchedDecoder)
    prompts = random_prompts(5, [3, size - 1, size, size + 1, 2 * size + 5])
    events = run_checked(engine, [make_request(i, prompt, 2 * size) for i, prompt in enumerate(prompts)])
    for i, prompt in enumerate(prompts):
        ids = list(prompt)
        with torch.inference_mode():
            for _ in range(2 * size):
                ids.append(int(model(torch.tensor([ids]), use_cache=False).logits[0, -1].argmax()))
        assert tokens_of(events[str(i)]) == ids[len(prompt) :]


def test_memory_of_a_text_goes_with_it(stored: tuple[Any, Path]) -> None:
    _, folder = stored
    engine = Engine(folder, EngineConfig(**SIZES))
    engine.add(make_request(0, [3, 4, 5]))
    engine.step()
    (sequence,) = engine._scheduler.running
    assert len(sequence.memory) >= 1
    engine.cancel("0")
    engine.step()
    assert not engine.has_work


def test_any_model_is_computed_so_where_it_is_asked_for(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(make_config("llama")).float().eval()
    model.save_pretrained(tmp_path)
    (prompt,) = random_prompts(4, [20])
    engine = Engine(tmp_path, EngineConfig(**SIZES, decoder="one_by_one"))
    assert engine.generate([make_request(0, prompt)]) == [stock_greedy(model, prompt, 12)]


def test_decoder_that_is_named_is_not_exchanged(stored: tuple[Any, Path]) -> None:
    with pytest.raises(UnsupportedModelError):
        Engine(stored[1], EngineConfig(**SIZES, decoder="transformers"))


def test_draft_model_shares_rows(stored: tuple[Any, Path], tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    AutoModelForCausalLM.from_config(make_config("llama")).save_pretrained(tmp_path)
    caplog.set_level(logging.ERROR)
    with pytest.raises((UnsupportedModelError, InvalidEngineConfigError)):
        Engine(tmp_path, EngineConfig(**SIZES, speculation=("model",), draft_model=str(stored[1])))
