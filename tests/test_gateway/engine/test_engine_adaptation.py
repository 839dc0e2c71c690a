"""Answers that adapt the model while they are written: against torch's AdamW on the stock class, and beside others."""

from __future__ import annotations

from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from engine_models import make_model, stock_greedy
from engine_runs import make_engine, make_request, random_prompts, run_checked, tokens_of
from torch.nn.functional import cross_entropy
from transformers import DynamicCache

from gateway.engine import Engine, GenerationRequest
from gateway.engine.adaptation.rule import AdaptationRule
from gateway.engine.adaptation.trainer import Trainer
from gateway.engine.adapters import Weights
from gateway.engine.errors import AdaptationsFullError, InvalidEngineConfigError, InvalidSamplingError, StepFailedError
from tests.lora_files import Pairs, merged, random_pairs, shapes_of

RULE = AdaptationRule(every_tokens=8, rank=4, learning_rate=0.02)
STILL = replace(RULE, learning_rate=0.0)
(PROMPT,) = random_prompts(1, [21])


def adapting(
    number: int, prompt: list[int] = PROMPT, max_tokens: int = 30, rule: AdaptationRule = RULE, **options: Any
):
    return make_request(number, prompt, max_tokens, adaptation=rule, **options)


def make(name: str = "llama", most: int = 1, **settings: Any) -> Engine:
    return make_engine(name, max_adaptations=most, **settings)


def answer(engine: Engine, request: GenerationRequest) -> list[int]:
    return tokens_of(run_checked(engine, [request])[request.request_id])


def are_free(engine: Engine) -> bool:
    """True if no adapter is left."""
    return not engine._adaptations._going and not any(len(stack._a) for stack in engine.adapters._stacks.values())


@contextmanager
def added(model: Any, pairs: dict[str, list[torch.nn.Parameter]]):
    """The model with what these pairs add to its products."""

    def hook(pair):
        return lambda module, given, out: out + given[0] @ pair[0].t() @ pair[1]

    hooks = [model.get_submodule(name).register_forward_hook(hook(pair)) for name, pair in pairs.items()]
    try:
        yield
    finally:
        for each in hooks:
            each.remove()


def stock_answer(model: Any, first: Pairs, max_tokens: int) -> tuple[list[int], dict[str, Any]]:
    """The answer of the stock class with a LoRA adapter of these first weights, by torch's own optimizer."""
    pairs = {name: [torch.nn.Parameter(each.detach().clone()) for each in pair] for name, pair in first.items()}
    optimizer = torch.optim.AdamW([each for pair in pairs.values() for each in pair], 0.02, weight_decay=0.0)
    tokens, cache, before, is_adapted = list(PROMPT), DynamicCache(config=model.config), None, False
    pending = tokens
    for written in range(max_tokens):
        if written % 8 == 0 and written:
            chunk = torch.tensor([tokens[-9:]])
            with added(model, pairs):
                optimizer.zero_grad()
                logits = model(chunk[:, :-1], past_key_values=before).logits
                cross_entropy(logits[0], chunk[0, 1:]).backward()
                optimizer.step()
            is_adapted = True
        if written % 8 == 0:  # all before the last token of the prompt or of a piece
            with torch.no_grad(), added(model, pairs if is_adapted else {}):
                if len(pending) > 1:
                    model(torch.tensor([pending[:-1]]), past_key_values=cache)
                    pending = pending[-1:]
            before = deepcopy(cache)
        with torch.no_grad(), added(model, pairs if is_adapted else {}):
            tokens.append(int(model(torch.tensor([pending]), past_key_values=cache).logits[0, -1].argmax()))
        pending = tokens[-1:]
    return tokens[len(PROMPT) :], pairs


@pytest.mark.parametrize(("name", "adapter"), [("llama", None), ("qwen2", None), ("qwen3", None), ("llama", "one")])
def test_trainings_are_those_of_adamw_on_the_stock_class(name: str, adapter: str | None) -> None:
    engine, stock = make(name, max_adapters=2), make_model(name)
    for other, seed in (("other", 1), ("one", 2)):
        lora = random_pairs(shapes_of(stock), 4 - seed, seed, 0.15, ("q_proj", "down_proj"))
        engine.adapters.add(other, Weights.of({product: (a, b.t()) for product, (a, b) in lora.items()}))
    model = stock if adapter is None else merged(stock, lora, dict.fromkeys(lora, 1.0))
    engine.add(replace(adapting(0), adapter=adapter))
    trainer = engine._adaptations._going[0].trainer
    expected, pairs = stock_answer(model, trainer.weights, 30)
    events = []
    while engine.has_work:
        events += engine.step()
        if adapter is not None and "one" in engine.adapters._slots and engine.stats().num_output_tokens == 20:
            engine.remove_adapter("one", lambda: None)  # it has a copy
    assert tokens_of(events) == expected != stock_greedy(model, PROMPT, 30)
    for product, pair in trainer.weights.items():
        for got, wanted in zip(pair, pairs[product], strict=True):
            assert torch.allclose(got, wanted, atol=2e-4), product


def test_a_learning_rate_of_zero_changes_nothing_and_a_repeated_request_no_token() -> None:
    engine, options = make(), {"temperature": 1.0, "seed": 3}
    plain = stock_greedy(make_model("llama"), PROMPT, 30)
    assert answer(engine, adapting(0, rule=STILL)) == plain
    drawn = [answer(engine, adapting(0, **options)) for _ in range(2)]
    assert drawn[0] == drawn[1] != answer(engine, make_request(0, PROMPT, 30, **options))


def test_neighbours_get_the_same_tokens_and_the_adapting_answer_too() -> None:
    prompts = random_prompts(2, [9, 17, 5])
    engine, alone = make(most=2), answer(make(), adapting(0))
    requests = [adapting(0), *(make_request(i, prompt, 40) for i, prompt in enumerate(prompts, 1))]
    events = run_checked(engine, requests)
    assert tokens_of(events["0"]) == alone
    for i, prompt in enumerate(prompts, 1):
        assert tokens_of(events[str(i)]) == stock_greedy(make_model("llama"), prompt, 40)
    both = run_checked(engine, [adapting(0), adapting(1, prompts[0])])
    assert tokens_of(both["0"]) == alone != tokens_of(both["1"])


def test_other_texts_go_on_while_one_waits_for_its_training(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, train = make(), Trainer.train
    done = []

    def slow(self, *arguments):
        while not self.stopped.wait(0.001) and len(done) < 40:
            pass
        train(self, *arguments)

    monkeypatch.setattr(Trainer, "train", slow)
    engine.add(adapting(0, max_tokens=12))
    engine.add(make_request(1, PROMPT, 40))
    while "1" in engine._outputs.sequences:
        done += [token for event in engine.step() if event.request_id == "1" for token in event.token_ids]
    assert engine._outputs.sequences["0"].num_output == 8
    while engine.has_work:
        engine.step()
    assert are_free(engine)


def test_prefix_cache_holds_nothing_that_was_computed_with_an_adapter() -> None:
    engine = make()
    text = PROMPT + answer(engine, adapting(0))
    (event, *_) = events = run_checked(engine, [make_request(1, text, 6)])["1"]
    assert 20 <= event.num_cached_tokens <= len(PROMPT) + 8
    assert tokens_of(events) == stock_greedy(make_model("llama"), text, 6)


def test_adapters_are_dropped_however_their_requests_end() -> None:
    engine, prompts = make(most=4), random_prompts(4, [5, 12, 7, 9])
    for start in range(0, 52, 4):
        group = [adapting(start + i, prompt, 18) for i, prompt in enumerate(prompts)]
        run_checked(engine, group, cancelled={start // 2: start, 9 + start // 4: start + 1})
        assert are_free(engine)
    assert answer(engine, adapting(0)) == answer(make(), adapting(0))


def test_preempted_answers_are_finished_with_their_adapter() -> None:
    engine = make(most=2, num_blocks=18)
    prompts = random_prompts(6, [9, 9, 9, 9])
    requests = [adapting(0, prompts[0]), adapting(1, prompts[1]), *(make_request(i, prompts[i], 30) for i in (2, 3))]
    events = run_checked(engine, requests)
    assert engine.stats().num_preemptions > 0
    assert [len(tokens_of(each)) for each in events.values()] == [30] * 4
    for i in (2, 3):
        assert tokens_of(events[str(i)]) == stock_greedy(make_model("llama"), prompts[i], 30)
    assert are_free(engine)


def test_windows_keep_what_a_training_sees() -> None:
    engine = make("mistral")
    assert answer(engine, adapting(0)) == answer(engine, adapting(0)) != stock_greedy(make_model("mistral"), PROMPT, 30)


def test_time_for_trainings_is_bounded() -> None:
    engine = make(max_adaptation_s=1e-9)
    engine.add(adapting(0, max_tokens=40))
    trainer = engine._adaptations._going[0].trainer
    while engine.has_work:
        engine.step()
    assert trainer._num_updates == 1


@pytest.mark.parametrize("is_finite", [True, False])
def test_a_training_that_fails_ends_its_own_request_alone(is_finite: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self, *_):
        if is_finite:
            raise RuntimeError("out of luck")
        next(iter(self.weights.values()))[1].data.fill_(torch.nan)

    monkeypatch.setattr(Trainer, "train", broken)
    engine, other = make(), make_request(1, PROMPT, 30)
    events = run_checked(engine, [adapting(0), other])
    assert isinstance(events["0"][-1].error, StepFailedError if is_finite else InvalidSamplingError)
    assert tokens_of(events["1"]) == stock_greedy(make_model("llama"), PROMPT, 30)
    assert are_free(engine)


def test_what_is_not_served_is_refused_by_name() -> None:
    with pytest.raises(InvalidEngineConfigError, match="max_adaptations needs"):
        make(decoder="transformers")
    engine = make(max_adapter_rank=8)
    for request, name in (
        (adapting(0, rule=replace(RULE, rank=9)), "adapt_rank"),
        (replace(adapting(0), pooling="mean"), "adapt_every_tokens"),
        (adapting(0, rule=replace(RULE, every_tokens=7)), "adaptation"),
        (adapting(0, rule=replace(RULE, learning_rate=float("nan"))), "adaptation"),
    ):
        with pytest.raises(InvalidSamplingError) as caught:
            engine.add(request)
        assert caught.value.parameter == name
    with pytest.raises(InvalidSamplingError, match="max_adaptations is 0"):
        make_engine().add(adapting(0))
    engine.add(adapting(0))
    with pytest.raises(AdaptationsFullError, match="1 answers adapt"):
        engine.add(adapting(1))
    engine.cancel("0")
    engine.step()
    assert len(answer(engine, adapting(1))) == 30


@pytest.mark.parametrize("settings", [{"dtype": "bfloat16"}, {"quantization": "int8"}])
def test_adaptations_train_models_of_any_kind_of_weights(settings: dict[str, str], tmp_path: Path) -> None:
    make_model("llama").save_pretrained(tmp_path)
    engine = make(model=str(tmp_path), **settings)
    assert answer(engine, adapting(0)) == answer(engine, adapting(0)) != answer(engine, make_request(0, PROMPT, 30))
