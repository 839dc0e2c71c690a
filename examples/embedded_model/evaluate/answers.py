"""Answers of the model to cases, with and without a mask, and the report on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tqdm import tqdm
from transformers import AutoTokenizer

from embedded_model.evaluate.cases import Case
from embedded_model.evaluate.decoding import Generator, TokenMatcher
from embedded_model.evaluate.newcomer import NewcomerCase, newcomer_cases, passes
from embedded_model.evaluate.scoring import has_loop, score, summarise
from grammars import Choice, Compiler, JsonOptions, JsonSchema, Vocabulary
from tools import ToolChoice, ToolSet, get_format

_ORDERED = JsonOptions(property_order="schema")


class Answerer:
    """Model that answers prompts as the gateway does: rendered by its template, under a mask or free.

    Args:
        folder: of the model.
        shows_constraint: The template gets the constraint of the answer, as the gateway passes it.
    """

    def __init__(self, folder: Path, generator: Generator, *, masked: bool, shows_constraint: bool) -> None:
        self._tokenizer = AutoTokenizer.from_pretrained(folder)
        self._generator = generator
        self._compiler = Compiler(Vocabulary.from_tokenizer(self._tokenizer)) if masked else None
        self._shows_constraint = shows_constraint

    def answer(self, case: Case | NewcomerCase) -> tuple[str, bool]:
        """The text of the answer, and whether it ran to its budget."""
        messages = case.messages if isinstance(case, Case) else [{"role": "user", "content": case.prompt}]
        tools: Any = case.tools or None
        shown: dict[str, Any] = (
            {"response_schema": case.schema, "response_choices": case.choices} if self._shows_constraint else {}
        )
        text = self._tokenizer.apply_chat_template(
            messages, tools=tools, add_generation_prompt=True, tokenize=False, **shown
        )
        prompt = self._tokenizer.encode(text, add_special_tokens=False)
        ids = self._generator.generate(prompt, self._matcher(case))
        return str(self._tokenizer.decode(ids, skip_special_tokens=False)), len(ids) >= self._generator.max_tokens

    def _matcher(self, case: Case | NewcomerCase) -> TokenMatcher | None:
        """The constraint that the gateway would hold the answer to: calls under `auto`, a schema, labels, or none."""
        if self._compiler is None:
            return None
        if case.tools:
            constraint = get_format("hermes").constraint(ToolSet.from_openai(case.tools), ToolChoice("auto"))
            return None if constraint is None else self._compiler.compile(constraint).matcher()
        if case.schema is not None:
            return self._compiler.compile(JsonSchema(case.schema, _ORDERED)).matcher()
        return self._compiler.compile(Choice(list(case.choices))).matcher() if case.choices else None


def evaluate(cases: list[Case], answerer: Answerer) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Shares of right answers, and the cases that were answered otherwise."""
    scores, wrong = [], []
    for case in tqdm(cases, leave=False):
        answer, ran_out = answerer.answer(case)
        scores.append(score(case, answer, ran_out=ran_out))
        if not scores[-1].exact:
            expected = case.calls or case.answer
            wrong.append({"asked": case.messages[-1]["content"], "expected": expected, "given": answer})
    return summarise(cases, scores), wrong


def evaluate_newcomers(answerer: Answerer) -> dict[str, Any]:
    """Return how many of the newcomers' prompts pass their checks, by kind, and the prompts that fail."""
    report: dict[str, Any] = {"loops": 0, "ran_out": 0, "failed": []}
    for case in tqdm(newcomer_cases(), leave=False):
        answer, ran_out = answerer.answer(case)
        report["loops"] += has_loop(answer)
        report["ran_out"] += ran_out
        passed = passes(case, answer) and not ran_out
        kind = report.setdefault(case.kind, {"count": 0, "passed": 0})
        kind["count"] += 1
        kind["passed"] += passed
        if not passed:
            report["failed"].append({"prompt": case.prompt, "given": answer})
    return report
