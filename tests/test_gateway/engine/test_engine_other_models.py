"""Other models as terms of a formula: answers are those that stock models give by hand, whatever else runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from engine_models import SHAPE, VOCAB, make_model
from engine_runs import eager, make_engine, make_request, run_checked, tokens_of
from hypothesis import given, settings
from hypothesis import strategies as st
from test_engine_arithmetic import prompts_of
from test_engine_constraints import brackets
from transformers import AutoModelForCausalLM, LlamaConfig

from gateway.engine import Engine, EngineConfig, GenerationRequest
from gateway.engine.arithmetic import IMPLAUSIBLE, value_of
from gateway.engine.companions import DRAFT, Companion, Formula
from gateway.engine.errors import InvalidEngineConfigError, InvalidSamplingError, NonFiniteLogitsError, StepFailedError
from gateway.engine.other_models import OtherModel
from tests.counts import examples

Scores = list[torch.Tensor]
Terms = list[tuple[str | None, list[int]]]
"""Model and prompt of each term; the first is the request itself."""
CONTRAST: Formula = [0, 1.5, "*", 1, 0.5, "*", "-"]


def contrast(of: Scores) -> torch.Tensor:
    return 1.5 * of[0] - 0.5 * of[1]


@cache
def stock(name: str | None) -> Any:
    """The model of this name; `wide` has tokens that the served one does not know."""
    if name == "wide":
        torch.manual_seed(7)
        return AutoModelForCausalLM.from_config(LlamaConfig(**(SHAPE | {"vocab_size": VOCAB + 40}))).float().eval()
    return make_model(*{None: ("llama", 0), DRAFT: ("llama", 1), "gpt2": ("gpt2", 2)}[name])


def engine_of(**options: Any) -> Engine:
    terms = {"gpt2": make_model("gpt2", 2), "wide": stock("wide")}
    drafts = {"draft_model": make_model("llama", 1), "speculation": ("ngram", "model"), "term_models": terms}
    return make_engine(**drafts | options)


def asked(number: int, terms: Terms, formula: Formula, *arguments: Any, **options: Any) -> GenerationRequest:
    request = make_request(number, terms[0][1], *arguments, **options)
    companions = [Companion(prompt, model=name) for name, prompt in terms[1:]]
    return replace(request, companions=companions, formula=formula)


def by_hand(terms: Terms, value: Callable[[Scores], torch.Tensor], num_tokens: int = 8) -> list[int]:
    """The greedy answer: every text is computed anew for every token."""
    answer: list[int] = []
    with torch.inference_mode():
        for _ in range(num_tokens):
            rows = [stock(name)(torch.tensor([prompt + answer])).logits[0, -1, :VOCAB] for name, prompt in terms]
            answer.append(int(value([row.log_softmax(-1) for row in rows]).argmax()))
    return answer


@pytest.fixture
def drafting(monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)


def test_answers_are_the_formula_of_both_models_by_hand(drafting: None) -> None:
    """Beside plain requests, for which the draft model drafts in the same steps."""
    prompts = prompts_of(1, *range(2, 22))
    terms = [[(None, prompt), (DRAFT, prompt)] for prompt in prompts]
    requests = [asked(number, each, CONTRAST, 8) for number, each in enumerate(terms)]
    plain = [make_request(20 + number, prompt, 20) for number, prompt in enumerate(prompts[:5])]
    engine = engine_of(max_num_seqs=7)
    mixed = [
        each for four, one in zip(zip(*[iter(requests)] * 4, strict=True), plain, strict=True) for each in (*four, one)
    ]
    events = run_checked(engine, mixed)
    for number, each in enumerate(terms):
        assert tokens_of(events[str(number)]) == by_hand(each, contrast)
    for number, prompt in enumerate(prompts[:5]):
        assert tokens_of(events[str(20 + number)]) == by_hand([(None, prompt)], lambda of: of[0], 20)
    assert engine.stats().num_drafted["model"] > 0


def test_several_models_and_prompts_are_combined() -> None:
    one, two, three = prompts_of(2, 19, 5, 11)
    terms: Terms = [(None, one), ("gpt2", two), ("wide", three), (DRAFT, two), (None, three)]
    formula: Formula = [0, 1, 2, "-", 0.7, "*", "+", 3, "union", 4, 0.4, "*", "-"]
    asking = asked(0, terms, formula, 8)
    expected = by_hand(terms, lambda of: torch.maximum(of[0] + 0.7 * (of[1] - of[2]), of[3]) - 0.4 * of[4])
    events = run_checked(engine_of(max_num_seqs=8), [asking, make_request(1, two, 8)])
    assert tokens_of(events["0"]) == expected
    assert tokens_of(events["1"]) == by_hand([(None, two)], lambda of: of[0])


def test_contrastive_decoding_keeps_to_what_the_expert_finds_plausible() -> None:
    def contrastive(of: Scores) -> torch.Tensor:
        """Equations 2 and 3 of Li et al. 2022."""
        expert, amateur = of[0].exp(), of[1].exp()
        return torch.where(expert >= 0.3 * expert.max(), (expert / amateur).log(), -torch.inf)

    prompts = prompts_of(4, *range(3, 11))
    formula: Formula = [0, 1, "-", 0, 0.3, "plausible", "+"]
    found = [[(None, prompt), (DRAFT, prompt)] for prompt in prompts]
    events = run_checked(
        engine_of(max_num_seqs=8), [asked(number, each, formula, 8) for number, each in enumerate(found)]
    )
    for number, each in enumerate(found):
        assert tokens_of(events[str(number)]) == by_hand(each, contrastive)
        assert tokens_of(events[str(number)]) != by_hand(each, lambda of: of[0] - of[1])


def test_implausible_tokens_keep_their_order() -> None:
    """A mask may allow no other."""
    scores = torch.tensor([[0.6, 0.3, 0.06, 0.04]]).log()
    value = value_of([0, 0, 0.5, "plausible", "+"], scores)
    assert value[:2].tolist() == pytest.approx(scores[0, :2].tolist())
    assert value[2:].tolist() == pytest.approx((scores[0, 2:] + IMPLAUSIBLE).tolist(), abs=0.01)
    assert value[2] > value[3]


@settings(max_examples=examples(8), deadline=None)
@given(st.data())
def test_answers_do_not_depend_on_what_else_runs(data: st.DataObject) -> None:
    """Blocks run short and are found again by hash, ensembles are preempted, others have drafts of the same model."""
    seed, requests = data.draw(st.integers(0, 1 << 16)), list[GenerationRequest]()
    shared = prompts_of(seed, 9)[0]
    for number in range(data.draw(st.integers(2, 5))):
        tails = prompts_of(seed + 1 + number, *data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=2)))
        names = [data.draw(st.sampled_from([None, DRAFT, "gpt2"])) for _ in tails[1:]]
        terms = [(name, shared + tail) for name, tail in zip([None, *names], tails, strict=True)]
        options = {"seed": number, "temperature": data.draw(st.sampled_from([0.0, 0.9]))}
        requests.append(asked(number, terms, CONTRAST if names else (), 8, **options))
    alone = [tokens_of(run_checked(engine_of(), [replace(each)])[each.request_id]) for each in requests]
    engine = engine_of(
        num_blocks=data.draw(st.integers(14, 30)),
        max_num_seqs=data.draw(st.integers(2, 6)),
        **data.draw(st.sampled_from([{}, {"prefix_caching": False}, {"kv_offload_bytes": 40_000}])),
    )
    for _ in range(2):
        events = run_checked(engine, [replace(each) for each in requests])
        assert [tokens_of(events[each.request_id]) for each in requests] == alone


def test_blocks_of_a_model_are_found_by_its_own_texts_alone() -> None:
    (prompt,) = prompts_of(3, 21)
    engine, terms = engine_of(), [(None, prompt), (DRAFT, prompt), ("gpt2", prompt)]
    formula: Formula = [0, 1, "-", 2, "+"]
    found = []
    for number in range(2):
        before = engine.stats().num_cached_tokens
        events = run_checked(engine, [asked(number, terms, formula, 8)])
        assert tokens_of(events[str(number)]) == by_hand(terms, lambda of: of[0] - of[1] + of[2])
        found.append(engine.stats().num_cached_tokens - before)
    assert found == [0, 3 * 20]
    plain = run_checked(engine, [make_request(2, prompt, 8)])
    assert tokens_of(plain["2"]) == by_hand([(None, prompt)], lambda of: of[0])


def test_the_second_tier_keeps_blocks_of_the_served_model_alone() -> None:
    texts = [[(None, prompt), (DRAFT, prompt)] for prompt in prompts_of(5, 24, 25, 26)]
    engine = engine_of(num_blocks=18, kv_offload_bytes=1 << 20)
    for _ in range(2):
        for number, terms in enumerate(texts):
            assert tokens_of(run_checked(engine, [asked(number, terms, CONTRAST, 8)])[str(number)]) == by_hand(
                terms, contrast
            )
    assert engine.stats().offload_hits["memory"] > 0


def test_answers_to_one_prompt_share_its_blocks() -> None:
    terms: Terms = [(None, prompts_of(6, 14)[0]), (DRAFT, prompts_of(6, 14)[0])]
    requests = [asked(number, terms, CONTRAST, 8, group="g", seed=number, temperature=1.0) for number in range(3)]
    events = run_checked(engine_of(max_num_seqs=8), requests)
    for request in requests:
        single = run_checked(engine_of(), [replace(request, group=None)])
        assert tokens_of(events[request.request_id]) == tokens_of(single[request.request_id])


def test_steps_of_a_search_copy_the_blocks_of_each_model() -> None:
    """Blocks that are not full are copied in the memory of the model whose they are."""
    text, other = prompts_of(9, 13, 10)
    engine, plain = engine_of(), engine_of(prefix_caching=False)
    for number in range(5):
        request = asked(number, [(None, text), (DRAFT, other)], CONTRAST, 8)
        (token,) = tokens_of(run_checked(engine, [replace(request, is_step=True)])[request.request_id])
        once = replace(request, sampling=replace(request.sampling, max_tokens=1))
        assert [[token]] == plain.generate([once])
        text, other = [*text, token], [*other, token]
    assert engine.stats().num_copied_blocks > 4


def test_an_ensemble_is_preempted_as_one() -> None:
    (other,), (prompt,) = prompts_of(9, 6), prompts_of(8, 8)
    terms: Terms = [(None, prompt), ("gpt2", prompt)]
    engine = engine_of(num_blocks=13, prefix_caching=False)
    events = run_checked(engine, [make_request(0, other, 20), asked(1, terms, CONTRAST, 16)])
    assert engine.stats().num_preemptions > 0
    assert tokens_of(events["1"]) == by_hand(terms, contrast, 16)


def test_a_fault_of_another_model_ends_the_ensemble_alone() -> None:
    (prompt,) = prompts_of(2, 9)
    engine = engine_of()
    other = engine._others["gpt2"]
    assert isinstance(other, OtherModel)
    forward, steps = other.decoder.forward, list[int]()

    def damaged(batch: Any, cache: Any) -> torch.Tensor:
        steps.append(1)
        logits = forward(batch, cache)
        if len(steps) == 4:
            for layer in (0, 1):
                cache.layer(layer).keys[batch.slot_mapping] = torch.nan
            logits[:] = torch.nan
        return logits

    other.decoder.forward = damaged  # type: ignore[method-assign]
    terms: Terms = [(None, prompt), ("gpt2", prompt)]
    events = run_checked(engine, [asked(0, terms, CONTRAST), make_request(1, prompt, 8)])
    assert isinstance(events["0"][-1].error, NonFiniteLogitsError)
    assert 0 < len(tokens_of(events["0"])) < 4
    assert tokens_of(events["1"]) == by_hand([(None, prompt)], lambda of: of[0])
    assert all(other.cache.layer(layer).keys.isfinite().all() for layer in (0, 1))
    assert tokens_of(run_checked(engine, [asked(2, terms, CONTRAST, 8)])["2"]) == by_hand(terms, contrast)


def test_a_model_that_raises_ends_its_own_ensembles_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests of the same steps, free, constrained, scored or with companions of other models, get their answers."""
    one, two, three = prompts_of(12, 18, 7, 9)
    engine, steps = engine_of(max_num_seqs=10, max_batch_tokens=32), list[int]()
    compute = engine._others["gpt2"].compute

    def failing(plan: Any) -> torch.Tensor:
        steps.append(1)
        if len(steps) > 3:
            raise RuntimeError("the device is gone")
        return compute(plan)

    monkeypatch.setattr(engine._others["gpt2"], "compute", failing)
    terms: Terms = [(None, one), (DRAFT, two)]
    requests = [
        asked(0, [(None, one), ("gpt2", two)], CONTRAST),
        asked(1, terms, CONTRAST, 8),
        make_request(2, three, 8, constraint=brackets(3), prompt_logprobs=0),
        asked(3, [(None, two), ("gpt2", one)], CONTRAST),
    ]
    events = run_checked(engine, requests)
    for number in (0, 3):
        assert isinstance(events[str(number)][-1].error, StepFailedError)
        assert "the device is gone" in str(events[str(number)][-1].error)
    assert tokens_of(events["0"])
    assert tokens_of(events["1"]) == by_hand(terms, contrast)
    (alone,) = run_checked(make_engine(), [make_request(2, three, 8, constraint=brackets(3))]).values()
    assert tokens_of(events["2"]) == tokens_of(alone)
    logprobs = [event.prompt_logprobs for event in events["2"] if event.prompt_logprobs is not None]
    assert [len(each) for each in logprobs] == [8]
    for number in range(4, 9):
        run_checked(engine, [asked(number, [(None, one), ("gpt2", two)], CONTRAST)])
    assert not engine.is_broken
    (last,) = run_checked(engine, [make_request(9, three, 8)]).values()
    assert tokens_of(last) == by_hand([(None, three)], lambda of: of[0])


def test_a_model_that_is_not_there_is_refused() -> None:
    engine = engine_of(speculation=())
    for name in (DRAFT, "gpt3", ""):
        with pytest.raises(InvalidSamplingError, match=r"of no model .*\['gpt2', 'wide'\]"):
            engine.add(asked(0, [(None, [5]), (name, [5])], CONTRAST))
    with pytest.raises(InvalidSamplingError, match="one token that the model knows"):
        engine.add(asked(0, [(None, [5]), ("gpt2", [VOCAB])], CONTRAST))
    assert not engine.has_work


def test_memory_of_other_models_is_part_of_the_blocks() -> None:
    options = {"num_blocks": None, "kv_memory_bytes": 1 << 20, "max_model_len": 64}
    alone = make_engine(**options).stats().num_blocks
    assert make_engine(term_models={"same": make_model("llama", 1)}, **options).stats().num_blocks == alone // 2


def test_models_that_cannot_be_terms_are_refused_at_the_start(tmp_path: Path) -> None:
    small = AutoModelForCausalLM.from_config(LlamaConfig(**(SHAPE | {"vocab_size": VOCAB - 1})))
    scaled = {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10_000.0}
    dynamic = AutoModelForCausalLM.from_config(
        LlamaConfig(**(SHAPE | {"max_position_embeddings": 128}), rope_parameters=scaled)
    )
    for named, model, message in (
        ("a", small, "the term model a knows 159 tokens, the target 160"),
        ("a", dynamic, "the term model a rotates keys by the length of the text"),
        (DRAFT, small, "the term model draft: the name is taken"),
    ):
        with pytest.raises(InvalidEngineConfigError, match=message):
            make_engine(term_models={named: model}, max_model_len=200)
    for number, name in enumerate(("served", "term")):
        make_model("llama").save_pretrained(tmp_path / name)
        vocabulary = {"model": {"vocab": {"a": number, "b": 1 - number}}}
        (tmp_path / name / "tokenizer.json").write_text(json.dumps(vocabulary))
    config = EngineConfig(num_blocks=8, check_model=False, term_models=(f"t={tmp_path / 'term'}",))
    with pytest.raises(InvalidEngineConfigError, match=r"the term model t in .* has another vocabulary"):
        Engine(tmp_path / "served", config)
    for term_models in (("a",), ("=b",), ("a b=c",)):
        with pytest.raises(InvalidEngineConfigError, match="term_models must be"):
            EngineConfig(term_models=term_models)
