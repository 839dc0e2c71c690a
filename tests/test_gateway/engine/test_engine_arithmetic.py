"""Model arithmetic: answers are those that stock models give by the formula, step by step, whatever else runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch
from engine_models import VOCAB, make_model
from engine_runs import Prophet, make_engine, make_request, random_prompts, run_checked, tokens_of
from hypothesis import given, settings
from hypothesis import strategies as st
from test_engine_faults import damaged_engine

from gateway.engine import GenerationRequest
from gateway.engine.arithmetic import value_of
from gateway.engine.companions import Companion, Formula
from gateway.engine.errors import ContextLengthExceededError, InvalidSamplingError, NonFiniteLogitsError
from gateway.engine.inputs import Batch
from tests.counts import examples

Scores = list[torch.Tensor]
FORMULAS: list[tuple[Formula, Callable[[Scores], torch.Tensor]]] = [
    ([0, 1, "-", 1.7, "*", 1, "+"], lambda of: 1.7 * (of[0] - of[1]) + of[1]),
    ([0, 1, 2, "-", 0.8, "*", "+"], lambda of: of[0] + 0.8 * (of[1] - of[2])),
    ([0, 1, "union", 2, "intersection"], lambda of: torch.minimum(torch.maximum(of[0], of[1]), of[2])),
    ([1, 0.5, "*", 2, 0.5, "*", "+"], lambda of: 0.5 * of[1] + 0.5 * of[2]),
]
GUIDANCE = FORMULAS[0][0]


def ensemble(number: int, prompts: list[list[int]], formula: Formula, *arguments: Any, **options: Any) -> Any:
    """A request whose companions have the prompts after the first."""
    request = make_request(number, prompts[0], *arguments, **options)
    return replace(request, companions=[Companion(prompt) for prompt in prompts[1:]], formula=formula)


def by_hand(
    model: Any, prompts: list[list[int]], value: Callable[[Scores], torch.Tensor], num_tokens: int = 12
) -> list[int]:
    """The greedy answer: every text is computed anew for every token."""
    answer: list[int] = []
    with torch.inference_mode():
        for _ in range(num_tokens):
            scores = [model(torch.tensor([prompt + answer])).logits[0, -1].log_softmax(-1) for prompt in prompts]
            answer.append(int(value(scores).argmax()))
    return answer


def prompts_of(seed: int, *lengths: int) -> list[list[int]]:
    return random_prompts(seed, list(lengths))


@pytest.mark.parametrize("unconditional", [True, False])
def test_guidance_is_that_of_transformers(unconditional: bool) -> None:
    model = make_model("llama")
    requests, expected = [], []
    for number in range(20):
        prompt, negative = prompts_of(number, 3 + number, 1 + number % 7)
        negative = prompt[-1:] if unconditional else negative
        with torch.inference_mode():
            ids = torch.tensor([prompt])
            found = model.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                guidance_scale=1.7,
                negative_prompt_ids=None if unconditional else torch.tensor([negative]),
                do_sample=False,
                max_new_tokens=12,
                eos_token_id=None,
                pad_token_id=0,
            )
        expected.append(found[0, len(prompt) :].tolist())
        requests.append(ensemble(number, [prompt, negative], GUIDANCE))
    events = run_checked(make_engine(max_num_seqs=6, num_blocks=48), requests)
    assert [tokens_of(events[str(number)]) for number in range(20)] == expected


@pytest.mark.parametrize(("formula", "value"), FORMULAS)
def test_answers_are_the_formula_by_hand(formula: Formula, value: Callable[[Scores], torch.Tensor]) -> None:
    num_prompts = 20 if formula is FORMULAS[1][0] else 5
    asked = [prompts_of(number, 2 + number, 9, 1 + number % 5) for number in range(num_prompts)]
    requests = [ensemble(number, prompts, formula, 8) for number, prompts in enumerate(asked)]
    events = run_checked(make_engine(max_num_seqs=9), requests)
    for number, prompts in enumerate(asked):
        assert tokens_of(events[str(number)]) == by_hand(make_model("llama"), prompts, value, 8)


@pytest.mark.parametrize(
    ("name", "decoder"), [("gpt2", "transformers"), ("gemma3", "transformers"), ("mistral", "lean")]
)
def test_other_architectures_are_combined_too(name: str, decoder: str) -> None:
    prompts = prompts_of(5, 17, 4, 30)
    formula, value = FORMULAS[1]
    engine = make_engine(name, decoder=decoder)
    events = run_checked(engine, [ensemble(0, prompts, formula), make_request(1, prompts[2])])
    assert tokens_of(events["0"]) == by_hand(make_model(name), prompts, value)
    assert tokens_of(events["1"]) == by_hand(make_model(name), prompts[2:], lambda of: of[0])


@settings(max_examples=examples(20), deadline=None)
@given(st.data())
def test_answers_do_not_depend_on_what_else_runs(data: st.DataObject) -> None:
    """Blocks run short, ensembles are preempted as one, others have drafts, some are cancelled, some are drawn."""
    seed = data.draw(st.integers(0, 1 << 16))
    requests = list[GenerationRequest]()
    for number in range(data.draw(st.integers(2, 5))):
        lengths = data.draw(st.lists(st.integers(1, 14), min_size=1, max_size=3))
        prompts = prompts_of(seed + number, *lengths)
        temperature = data.draw(st.sampled_from([0.0, 0.9]))
        if len(prompts) > 1:
            formula = FORMULAS[0 if len(prompts) == 2 else 1][0]
            requests.append(ensemble(number, prompts, formula, 8, seed=number, temperature=temperature))
        else:
            requests.append(make_request(number, prompts[0], 8, seed=number, temperature=temperature))
    alone = {
        each.request_id: tokens_of(run_checked(make_engine(), [replace(each)])[each.request_id]) for each in requests
    }
    texts = [request.prompt_ids + alone[request.request_id] for request in requests]
    engine = make_engine(
        num_blocks=data.draw(st.integers(18, 30)),
        max_num_seqs=data.draw(st.integers(3, 6)),
        prefix_caching=data.draw(st.booleans()),
        drafters=[Prophet(texts, truth=0.7)],
    )
    cancelled = {data.draw(st.integers(0, 9)): data.draw(st.sampled_from([None, 0, 1]))}
    events = run_checked(engine, requests, cancelled={k: v for k, v in cancelled.items() if v is not None})
    for request in requests:
        own = events[request.request_id]
        tokens = tokens_of(own)
        assert tokens == alone[request.request_id][: len(tokens)]
        assert len(tokens) == 8 or own[-1].finish_reason == "cancelled"


def test_answers_of_one_prompt_share_its_blocks() -> None:
    prompts = prompts_of(3, 14, 6)
    requests = [ensemble(n, prompts, GUIDANCE, group="g", seed=n, temperature=1.0) for n in range(3)]
    engine = make_engine(max_num_seqs=8)
    events = run_checked(engine, requests)
    for request in requests:
        single = run_checked(make_engine(), [replace(request, group=None)])
        assert tokens_of(events[request.request_id]) == tokens_of(single[request.request_id])
    assert [events[str(number)][-1].num_cached_tokens for number in range(3)] == [0, 13, 13]


def test_no_step_is_started_ahead_of_an_ensemble() -> None:
    prompts = prompts_of(11, 9, 4)
    engine = make_engine(run_ahead=True, speculation=())
    events = run_checked(engine, [ensemble(0, prompts, GUIDANCE, 6), make_request(1, prompts[1], 14)])
    assert tokens_of(events["0"]) == by_hand(make_model("llama"), prompts, FORMULAS[0][1], 6)
    assert tokens_of(events["1"]) == by_hand(make_model("llama"), prompts[1:], lambda of: of[0], 14)


def test_an_ensemble_is_preempted_as_one() -> None:
    prompts, others = prompts_of(8, 8, 7), prompts_of(9, 6, 6)
    engine = make_engine(num_blocks=13, prefix_caching=False)
    requests = [make_request(0, others[0], 20), ensemble(1, prompts, GUIDANCE, 16)]
    events = run_checked(engine, requests)
    assert engine.stats().num_preemptions > 0
    assert tokens_of(events["1"]) == by_hand(make_model("llama"), prompts, FORMULAS[0][1], 16)


def test_log_probabilities_are_those_of_the_combined_scores() -> None:
    prompts = prompts_of(4, 9, 5)
    request = ensemble(0, prompts, GUIDANCE, 1, logprobs=3, prompt_logprobs=0)
    (event,) = run_checked(make_engine(), [request])["0"]
    with torch.inference_mode():
        scores = [make_model("llama")(torch.tensor([prompt])).logits[0, -1].log_softmax(-1) for prompt in prompts]
    best = FORMULAS[0][1](scores).log_softmax(-1).topk(3)
    assert event.logprobs is not None
    assert [token for token, _ in event.logprobs[0].top] == best.indices.tolist()
    assert [value for _, value in event.logprobs[0].top] == pytest.approx(best.values.tolist(), abs=1e-4)
    assert event.prompt_logprobs is not None
    assert len(event.prompt_logprobs) == 8


def test_tokens_of_companions_are_charged_to_the_tenant() -> None:
    prompts = prompts_of(6, 8, 20)
    costs = []
    for request in (make_request(0, prompts[0], tenant="a"), ensemble(0, prompts, GUIDANCE, tenant="a")):
        engine, charged = make_engine(), 0
        counters = engine._scheduler.counters
        plain = counters.charge

        def counted(lane: Any, cost: int, plain: Any = plain) -> None:
            nonlocal charged
            charged += cost
            plain(lane, cost)

        counters.charge = counted  # type: ignore[method-assign]
        run_checked(engine, [request])
        costs.append(charged)
    assert costs == [8 + 2 * 12, 8 + 20 + 4 * 12]


def test_a_fault_of_a_companion_ends_the_ensemble_alone() -> None:
    prompts = prompts_of(2, 9, 6)

    def damage(logits: torch.Tensor, batch: Batch) -> torch.Tensor:
        if batch.layout.num_decodes == 3 and int(batch.positions[1]) == 8:  # of the companion
            logits[1, 30] = float("nan")
        return logits

    engine = damaged_engine(damage, speculation=())
    events = run_checked(engine, [ensemble(0, prompts, GUIDANCE), make_request(1, prompts[0])])
    assert isinstance(events["0"][-1].error, NonFiniteLogitsError)
    assert len(tokens_of(events["0"])) == 3
    assert tokens_of(events["1"]) == by_hand(make_model("llama"), prompts[:1], lambda of: of[0])


@pytest.mark.parametrize(
    ("lengths", "max_tokens", "fault"),
    [
        ([3, 3, 3, 3, 3], 4, InvalidSamplingError),  # more than the rows of a step
        ([100, 100], 60, ContextLengthExceededError),  # each fits into the blocks, both do not
        ([3, 250], 10, ContextLengthExceededError),
        ([3, 0], 4, InvalidSamplingError),
    ],
)
def test_ensembles_that_can_never_run_are_refused(lengths: Sequence[int], max_tokens: int, fault: Any) -> None:
    engine = make_engine()
    with pytest.raises(fault):
        engine.add(ensemble(0, prompts_of(1, *lengths), GUIDANCE, max_tokens))
    assert not engine.has_work
    engine.check_integrity()


def test_a_probability_of_zero_is_no_undefined_difference() -> None:
    scores = torch.full((2, VOCAB), -1e30)
    scores[:, 7] = 0.0
    value = value_of(GUIDANCE, scores)
    assert value.isfinite().all()
    assert int(value.argmax()) == 7
