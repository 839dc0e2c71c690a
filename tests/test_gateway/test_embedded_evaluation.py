"""Held-out evaluation: masks, decoding, scoring."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from jsonschema import Draft202012Validator
from transformers import AutoTokenizer

from gateway.embedded.data import draw_sample
from gateway.embedded.evaluate import Masks, evaluate, wrong_answers
from gateway.embedded.evaluation.cases import Case, draw_cases
from gateway.embedded.evaluation.greedy import GreedyTransformers
from gateway.embedded.evaluation.scoring import score, summarise
from gateway.embedded.tokenizer import Renderer, train_tokenizer
from gateway.embedded.training.export import export_model
from gateway.embedded.training.model import LeanLlama, Shape
from tools import ToolSet, Transcript, get_format

TINY = Shape(hidden=16, intermediate=16, num_layers=1, num_heads=2, num_kv_heads=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that knows nothing."""
    path = tmp_path_factory.mktemp("model")
    renderer = Renderer()
    tokenizer = train_tokenizer([renderer.render(draw_sample(1, "train", index)) for index in range(2500)])
    torch.manual_seed(0)
    export_model(LeanLlama(TINY), tokenizer, path)
    return path


def _written(calls: list[dict[str, object]]) -> str:
    return "\n".join(f"<tool_call>\n{json.dumps(call, ensure_ascii=False)}\n</tool_call>" for call in calls)


def _case(kind: str) -> Case:
    return next(case for case in draw_cases(12) if case.kind == kind)


def test_score_accepts_the_reference() -> None:
    for case in draw_cases(60):
        verdict = score(case, _written(case.calls) if case.kind == "call" else case.answer)
        assert verdict.readable
        assert verdict.right_tool
        assert verdict.exact


def test_score_refuses_wrong_values_and_wrong_tools() -> None:
    case = _case("call")
    call = case.calls[0]
    other_values = score(case, _written([{**call, "arguments": {"zz": 1}}, *case.calls[1:]]))
    assert (other_values.readable, other_values.right_tool, other_values.exact) == (True, True, False)
    other_tool = score(case, _written([{**call, "name": "no_such_tool"}, *case.calls[1:]]))
    assert not other_tool.right_tool
    assert not other_tool.exact
    assert not score(case, "I cannot do that.").readable
    assert not score(case, "<tool_call>\n{broken").readable
    assert not score(_case("record"), "no record").readable
    assert not score(_case("label"), "no label").exact


def test_summarise_counts_by_group() -> None:
    cases = draw_cases(30)
    scores = [score(case, _written(case.calls) if case.kind == "call" else "wrong") for case in cases]
    summary = summarise(cases, scores)
    assert summary["all calls"] == {"count": 20, "readable": 1.0, "right_tool": 1.0, "exact": 1.0}
    assert summary["label"]["exact"] == 0.0
    assert sum(entry["count"] for name, entry in summary.items() if name != "all calls") == len(cases)


def test_under_the_mask_even_a_model_that_knows_nothing_writes_valid_calls(folder: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folder)
    cases = [case for case in draw_cases(12) if case.kind == "call"][:4]
    summary, answers = evaluate(cases, tokenizer, GreedyTransformers(folder, 60), Masks(tokenizer).matcher)
    assert summary["all calls"]["readable"] == 1.0
    for case, answer in zip(cases, answers, strict=True):
        schemas = {tool["function"]["name"]: tool["function"]["parameters"] for tool in case.tools}
        parser = get_format("hermes").parser(ToolSet.from_openai(case.tools))
        transcript = Transcript.of([*parser.feed(answer), *parser.finish()])
        assert transcript.calls
        for call in transcript.calls:
            Draft202012Validator(schemas[call.name]).validate(json.loads(call.arguments))
    assert wrong_answers(cases, answers)


def test_without_the_mask_it_does_not(folder: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folder)
    cases = [case for case in draw_cases(12) if case.kind == "call"][:2]
    summary, _ = evaluate(cases, tokenizer, GreedyTransformers(folder, 20), lambda case: None)
    assert summary["all calls"]["readable"] == 0.0


def test_masks_hold_a_record_to_its_schema(folder: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folder)
    case = _case("record")
    matcher = Masks(tokenizer).matcher(case)
    assert matcher is not None
    assert all(matcher.accept(token) for token in tokenizer.encode(case.answer, add_special_tokens=False))
    assert Masks(tokenizer).matcher(_case("label")) is None
