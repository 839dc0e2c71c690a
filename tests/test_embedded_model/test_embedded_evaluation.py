"""Held-out evaluation: cases, masks, decoding, scoring, and the newcomers' prompts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from jsonschema import Draft202012Validator

from embedded_model.data import draw_sample
from embedded_model.evaluate import newcomer_prompts
from embedded_model.evaluate.answers import Answerer, evaluate, evaluate_newcomers
from embedded_model.evaluate.cases import TASKS, Case, draw_cases
from embedded_model.evaluate.decoding import StockDecoder
from embedded_model.evaluate.newcomer import NewcomerCase, agrees, newcomer_cases, passes, schema_of
from embedded_model.evaluate.scoring import has_loop, score, summarise
from embedded_model.tokenizer import Renderer, train_tokenizer
from embedded_model.train.export import export_model
from embedded_model.train.model import LeanLlama, Shape
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


def _written(calls: list[dict[str, Any]]) -> str:
    return "\n".join(f"<tool_call>\n{json.dumps(call, ensure_ascii=False)}\n</tool_call>" for call in calls)


def _reference(case: Case) -> str:
    return _written(case.calls) if case.calls else case.answer


def _case(task: str) -> Case:
    return draw_cases(1, [task])[0]


@pytest.mark.parametrize("task", TASKS)
def test_score_accepts_the_reference(task: str) -> None:
    for case in draw_cases(15, [task]):
        verdict = score(case, _reference(case))
        assert (verdict.right_tool, verdict.fields, verdict.exact, verdict.loops) == (True, 1.0, True, False)


def test_score_refuses_wrong_values_and_wrong_tools() -> None:
    case = _case("calls")
    call = case.calls[0]
    other_values = score(case, _written([{**call, "arguments": {"zz": 1}}, *case.calls[1:]]))
    assert (other_values.right_tool, other_values.exact) == (True, False)
    other_tool = score(case, _written([{**call, "name": "no_such_tool"}, *case.calls[1:]]))
    assert (other_tool.right_tool, other_tool.exact) == (False, False)
    assert not score(case, "I cannot do that.").right_tool
    assert not score(case, "<tool_call>\n{broken").exact
    assert score(_case("records"), "no record").fields == 0.0
    assert not score(_case("labels"), "no label").exact


def test_score_wants_no_call_where_no_tool_fits() -> None:
    case = _case("no tool fits")
    assert score(case, "Nothing here does that.").exact
    name = case.tools[0]["function"]["name"]
    assert not score(case, _written([{"name": name, "arguments": {}}])).exact


@pytest.mark.parametrize(
    ("text", "loops"),
    [
        ("mermermermermermer", True),
        ("very good, " * 6, True),
        ("0000000", False),
        ("a list, of, six, words, or, so", False),
    ],
)
def test_has_loop_sees_repetition(text: str, loops: bool) -> None:
    assert has_loop(text) is loops


def test_summarise_counts_by_group() -> None:
    cases = draw_cases(10, ["calls", "labels"])
    scores = [score(case, _written(case.calls) if case.kind == "call" else "wrong", ran_out=True) for case in cases]
    summary = summarise(cases, scores)
    assert summary["all calls"] | {"count": 10} == {
        "count": 10, "right_tool": 1.0, "fields": 1.0, "exact": 1.0, "loops": 0, "ran_out": 10,
    }  # fmt: skip
    assert summary["labels"]["exact"] == 0.0
    assert sum(entry["count"] for name, entry in summary.items() if name != "all calls") == len(cases)


def test_under_the_mask_even_a_model_that_knows_nothing_writes_valid_calls_and_records(folder: Path) -> None:
    cases = draw_cases(3, ["calls", "records", "labels"])
    answerer = Answerer(folder, StockDecoder(folder, 60), masked=True, shows_constraint=True)
    for case in cases:
        answer, _ = answerer.answer(case)
        if case.schema is not None:
            Draft202012Validator(case.schema).validate(json.loads(answer))
        elif case.choices is not None:
            assert answer in case.choices
        elif "<tool_call>" in answer:
            _validate_calls(case, answer)
    summary, wrong = evaluate(cases, answerer)
    assert sum(entry["count"] for name, entry in summary.items() if name != "all calls") == len(cases)
    assert wrong


def _validate_calls(case: Case, answer: str) -> None:
    schemas = {tool["function"]["name"]: tool["function"]["parameters"] for tool in case.tools}
    parser = get_format("hermes").parser(ToolSet.from_openai(case.tools))
    transcript = Transcript.of([*parser.feed(answer), *parser.finish()])
    assert transcript.calls
    for call in transcript.calls:
        Draft202012Validator(schemas[call.name]).validate(json.loads(call.arguments))


def test_sampling_repeats_itself(folder: Path) -> None:
    one, other = (StockDecoder(folder, 8, temperature=0.7).generate([1, 5, 9], None) for _ in range(2))
    assert one == other


def test_there_are_two_hundred_newcomers() -> None:
    cases = newcomer_cases()
    assert len(cases) == 200
    assert {case.kind for case in cases} == {"call", "record", "choice", "text"}


@pytest.mark.parametrize("case", newcomer_cases(), ids=lambda case: case.prompt[:40])
def test_every_newcomer_check_passes_a_sensible_answer_and_no_other(case: NewcomerCase) -> None:
    assert passes(case, _sensible(case))
    assert not passes(case, "")
    assert not passes(case, _written([{"name": "no_such_tool", "arguments": {}}]) if case.tools else "zzz" * 200)


def _sensible(case: NewcomerCase) -> str:
    if case.kind == "call":
        calls = [{"name": name, "arguments": _filled(arguments)} for name, arguments in case.expected]
        return _written(calls) if calls else "I have no tool for that."
    if case.kind == "record":
        return json.dumps(case.expected)
    return case.expected if case.kind == "choice" else next(text for text in SENSIBLE if passes(case, text))


SENSIBLE = (
    "Hello! How can I help you?", "I am fine, thank you.", "I am the small model that ships with Portcullis.",
    "I call functions.", "You are welcome!", "Goodbye!", "Hallo!", "Bonjour !", "Start me with --model for more.",
    "purple elephant", "Hello world", "HELLO WORLD", "QUIET RIVER", "good morning", '["apples", "pears", "plums"]',
    "[1, 2, 3]", '{"name": "Bob", "age": 44}', '[{"name": "Ann", "age": 31}, {"name": "Ben", "age": 45}]',
    "apple, fig, pear", "2, 5, 9", "4", "3", "Rome", "Rex", "Thursday at 10:15", "24 months", "kim@lab.org",
    "+41 44 6681800", "2027-12-31", "Berlin", "Madrid", "JSON is a text format for data.", "c, b, a", "cat, dog",
    "x; y; z", "brave",
)  # fmt: skip


def _filled(arguments: dict[str, Any]) -> dict[str, Any]:
    return {key: "anything" if value is ... else value for key, value in arguments.items()}


def test_agrees_compares_deeply_and_tells_numbers_from_truth() -> None:
    assert agrees({"a": [1, 2.0], "b": 1}, {"a": [1, 2]}, closed=False)
    assert not agrees({"a": [1], "b": 1}, {"a": [1]}, closed=True)
    assert not agrees({"a": True}, {"a": 1}, closed=False)
    assert not agrees({"a": [1]}, {"a": [1, 2]}, closed=False)


def test_newcomers_values_are_never_trained_on_as_prompts() -> None:
    asked = {case.prompt for case in newcomer_cases() if len(case.prompt) > 30}
    seen = {
        message["content"]
        for index in range(1500)
        for message in draw_sample(1, "train", index).messages
        if message["role"] == "user"
    }
    assert not asked & seen


def test_schema_of_reads_the_short_notation() -> None:
    schema = schema_of({"a?": "day", "b": ["int"], "c": "x|y", "d": "str|null", "e": {"f": "[num]"}})
    assert schema["required"] == ["b", "c", "d", "e"]
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate({"b": [1], "c": "x", "d": None, "e": {"f": [1.5]}})
    for _, fields in newcomer_prompts.TOOLS.values():
        Draft202012Validator.check_schema(schema_of(fields))


def test_evaluate_newcomers_counts_by_kind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = newcomer_cases()[-3:]
    monkeypatch.setattr("embedded_model.evaluate.answers.newcomer_cases", lambda: some)
    report = evaluate_newcomers(Answerer(folder, StockDecoder(folder, 10), masked=False, shows_constraint=False))
    assert report["text"]["count"] == 3
    assert len(report["failed"]) == 3 - report["text"]["passed"]
