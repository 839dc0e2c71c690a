"""`python -m gateway.embedded.evaluate`: held-out and newcomers' prompts, with and without the mask, as JSON."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm
from transformers import AutoTokenizer

from gateway.embedded import draft_path, target_path
from gateway.embedded.evaluation.cases import TASKS, Case, draw_cases
from gateway.embedded.evaluation.decoding import Generator, StockDecoder, TokenMatcher
from gateway.embedded.evaluation.newcomer import NewcomerCase, newcomer_cases, passes
from gateway.embedded.evaluation.scoring import has_loop, score, summarise
from grammars import Choice, Compiler, JsonOptions, JsonSchema, Vocabulary
from tools import ToolChoice, ToolSet, get_format

_ORDERED = JsonOptions(property_order="schema")


class Answerer:
    """Answers prompts as the gateway does: rendered by the model's template, held by a mask or left free.

    Args:
        folder: the model's.
        is_told: The template is told what the answer is held to, as the gateway tells those that ask for it.
    """

    def __init__(self, folder: Path, generator: Generator, *, masked: bool, is_told: bool) -> None:
        self._tokenizer = AutoTokenizer.from_pretrained(folder)
        self._generator = generator
        self._compiler = Compiler(Vocabulary.from_tokenizer(self._tokenizer)) if masked else None
        self._is_told = is_told

    def answer(self, case: Case | NewcomerCase) -> tuple[str, bool]:
        """The text of the answer, and whether it ran to its budget."""
        messages = case.messages if isinstance(case, Case) else [{"role": "user", "content": case.prompt}]
        tools: Any = case.tools or None
        told: dict[str, Any] = (
            {"response_schema": case.schema, "response_choices": case.choices} if self._is_told else {}
        )
        text = self._tokenizer.apply_chat_template(
            messages, tools=tools, add_generation_prompt=True, tokenize=False, **told
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
    """How many of the newcomers' prompts pass their checks, by kind, and those that do not."""
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


def main(arguments: list[str] | None = None) -> None:
    """Evaluates and prints JSON."""
    parser = argparse.ArgumentParser(prog="python -m gateway.embedded.evaluate", description=__doc__)
    parser.add_argument("--model", choices=("target", "draft"), default="target")
    parser.add_argument("--folder", type=Path, help="any other model folder")
    parser.add_argument("--count", type=int, default=40, help="number of prompts of each task")
    parser.add_argument("--tasks", nargs="*", choices=list(TASKS), help="default: all")
    parser.add_argument("--newcomers", action="store_true", help="the newcomers' prompts instead")
    parser.add_argument("--mask", choices=("on", "off", "both"), default="both")
    parser.add_argument("--temperature", type=float, default=0.0)
    parser.add_argument("--untold", action="store_true", help="the template is not told what the answer is held to")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--wrong", type=int, default=0, help="print so many wrong answers as well")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    folder = options.folder or (target_path() if options.model == "target" else draft_path())
    generator = StockDecoder(folder, temperature=options.temperature)
    cases = [] if options.newcomers else draw_cases(options.count, options.tasks)
    report: dict[str, Any] = {"model": str(folder), "temperature": options.temperature}
    for mask in ("off", "on") if options.mask == "both" else (options.mask,):
        answerer = Answerer(folder, generator, masked=mask == "on", is_told=not options.untold)
        if options.newcomers:
            report[f"mask_{mask}"] = evaluate_newcomers(answerer)
            continue
        report[f"mask_{mask}"], wrong = evaluate(cases, answerer)
        if options.wrong:
            report[f"wrong_{mask}"] = wrong[: options.wrong]
    print(json.dumps(report, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
