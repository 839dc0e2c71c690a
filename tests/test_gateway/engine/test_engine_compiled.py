"""Small models whose weights bfloat16 holds: a step of few rows is a compiled call a layer."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from engine_models import LEAN, make_model, needs_bfloat16, stock_greedy
from engine_runs import Prophet, eager, make_engine, make_request, run_checked, tokens_of

from gateway.engine import Engine
from gateway.engine.models import compiled_llama as compiled
from gateway.engine.models.compiled_llama import CompiledDecoder, why_not_compiled
from gateway.engine.models.linear.dense import PACKED
from gateway.engine.models.linear.eight_bits import int8_kind


def short_model(name: str, dtype: torch.dtype = torch.float32) -> Any:
    """One whose weights bfloat16 holds."""
    return make_model(name).to(torch.bfloat16).to(dtype)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Rows of each step that was compiled."""
    rows: list[int] = []
    original = compiled.embed_rows

    def counting(ids: Any, *rest: Any) -> None:
        rows.append(len(ids))
        original(ids, *rest)

    monkeypatch.setattr(compiled, "embed_rows", counting)
    return rows


def answers(engine: Engine, prompts: list[list[int]]) -> list[list[int]]:
    events = run_checked(engine, [make_request(i, prompt) for i, prompt in enumerate(prompts)])
    return [tokens_of(events[str(i)]) for i in range(len(prompts))]


PROMPTS = [[5, 9, 2, 7, 11, 3], [8, 8, 4], [100, 3, 77, 20, 31, 6, 54, 18, 90, 41, 12, 2, 66]]


@pytest.mark.parametrize("name", LEAN)
def test_compiled_steps_answer_as_stock(name: str, counted: list[int]) -> None:
    model = short_model(name)
    expected = [stock_greedy(model, prompt, 12) for prompt in PROMPTS]
    engine = make_engine(model=model, check_model=True)
    assert isinstance(engine._decoder, CompiledDecoder)
    counted.clear()
    assert answers(engine, PROMPTS) == expected
    assert max(counted) >= len(PROMPTS)


@pytest.mark.parametrize("name", LEAN)
def test_compiled_steps_verify_drafts(name: str, counted: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    monkeypatch.setattr(compiled, "MAX_ROWS", 64)
    model = short_model(name)
    expected = [stock_greedy(model, prompt, 12) for prompt in PROMPTS]
    drafter = Prophet([prompt + answer for prompt, answer in zip(PROMPTS, expected, strict=True)], truth=0.7)
    engine = make_engine(model=model, drafters=[drafter])
    assert answers(engine, PROMPTS) == expected
    assert max(counted) > len(PROMPTS)


def test_steps_of_many_rows_are_not_compiled(counted: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "MAX_ROWS", 2)
    model = short_model("llama")
    expected = [stock_greedy(model, prompt, 12) for prompt in PROMPTS]
    assert answers(make_engine(model=model), PROMPTS) == expected
    assert set(counted) <= {1, 2}


@needs_bfloat16
@pytest.mark.parametrize("name", LEAN)
def test_compiled_steps_round_as_those_that_read(
    name: str, counted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In bfloat16 texts that are computed anew go on as they did."""
    compiled_engine = make_engine(model=short_model(name, torch.bfloat16), check_model=True)
    assert isinstance(compiled_engine._decoder, CompiledDecoder)
    counted.clear()
    written = answers(compiled_engine, PROMPTS)
    assert counted
    monkeypatch.setattr(compiled, "MAX_ROWS", 0)
    counted.clear()
    read = answers(make_engine(model=short_model(name, torch.bfloat16)), PROMPTS)
    assert not counted
    same = [a == b for ours, theirs in zip(written, read, strict=True) for a, b in zip(ours, theirs, strict=True)]
    assert sum(same) >= 0.9 * len(same)


@needs_bfloat16
@pytest.mark.parametrize("name", LEAN)
def test_drafts_in_bfloat16_are_compiled(name: str, counted: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """The draft model is the target, so what it drafts is right but for rounding."""
    eager(monkeypatch)
    model, draft = short_model(name, torch.bfloat16), short_model(name, torch.bfloat16)
    engine = make_engine(model=model, draft_model=draft, speculation=("model",), check_model=True)
    counted.clear()
    assert all(len(answer) == 12 for answer in answers(engine, PROMPTS))
    assert counted
    stats = engine.stats()
    assert stats.num_accepted["model"] > 0.7 * stats.num_drafted["model"] > 0


def test_why_not_compiled_says_what_stands_against_it(monkeypatch: pytest.MonkeyPatch) -> None:
    model = short_model("llama")
    assert why_not_compiled(model, PACKED) is None
    assert "finer than bfloat16" in str(why_not_compiled(make_model("llama"), PACKED))
    assert "int8" in str(why_not_compiled(model, int8_kind()))
    with monkeypatch.context() as patch:
        patch.setattr(torch, "get_num_threads", lambda: 5)
        assert "more than 4 threads" in str(why_not_compiled(model, PACKED))
    assert why_not_compiled(model.to(torch.bfloat16), PACKED) is None
    for name in ("MAX_PARAMETERS", "MAX_READ"):
        monkeypatch.setattr(compiled, name, 1000)
    assert "more than 1000" in str(why_not_compiled(model, PACKED))
