"""`python -m gateway.embedded.evaluate`: held-out prompts, with and without the mask, as JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm
from transformers import AutoTokenizer

from gateway.embedded import draft_path, target_path
from gateway.embedded.evaluation.cases import Case, draw_cases
from gateway.embedded.evaluation.greedy import Generator, GreedyTransformers, TokenMatcher
from gateway.embedded.evaluation.scoring import score, summarise
from grammars import Compiler, JsonOptions, JsonSchema, Vocabulary
from tools import ToolChoice, ToolSet, get_format

Constrain = Callable[[Case], TokenMatcher | None]
_ORDERED = JsonOptions(property_order="schema")


class Masks:
    """The constraint of each case: its tools under `required`, or its schema; a bare label has none."""

    def __init__(self, tokenizer: Any) -> None:
        self._compiler = Compiler(Vocabulary.from_tokenizer(tokenizer))

    def matcher(self, case: Case) -> TokenMatcher | None:
        """A fresh matcher."""
        if case.kind == "call":
            tools = ToolSet.from_openai(case.tools)
            constraint = get_format("hermes").constraint(tools, ToolChoice("required"))
            assert constraint is not None
            return self._compiler.compile(constraint).matcher()
        return self._compiler.compile(JsonSchema(case.schema, _ORDERED)).matcher() if case.schema else None


def evaluate(
    cases: list[Case], tokenizer: Any, generator: Generator, constrain: Constrain
) -> tuple[dict[str, Any], list[str]]:
    """Shares of right answers, and the answers."""
    answers = []
    for case in tqdm(cases, leave=False):
        text = tokenizer.apply_chat_template(
            case.messages, tools=case.tools or None, add_generation_prompt=True, tokenize=False
        )
        ids = generator.generate(tokenizer.encode(text, add_special_tokens=False), constrain(case))
        answers.append(tokenizer.decode(ids, skip_special_tokens=False))
    scores = [score(case, answer) for case, answer in zip(cases, answers, strict=True)]
    return summarise(cases, scores), answers


def main(arguments: list[str] | None = None) -> None:
    """Evaluates and prints JSON."""
    parser = argparse.ArgumentParser(prog="python -m gateway.embedded.evaluate", description=__doc__)
    parser.add_argument("--model", choices=("target", "draft"), default="target")
    parser.add_argument("--folder", type=Path, help="any other model folder")
    parser.add_argument("--count", type=int, default=120, help="number of prompts")
    parser.add_argument("--mask", choices=("on", "off", "both"), default="both")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--wrong", type=int, default=0, help="print so many wrong answers to calls as well")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    folder = options.folder or (target_path() if options.model == "target" else draft_path())
    tokenizer = AutoTokenizer.from_pretrained(folder)
    generator, cases = GreedyTransformers(folder), draw_cases(options.count)
    report: dict[str, Any] = {"model": folder.name, "count": options.count}
    if options.mask != "on":
        report["mask_off"], answers = evaluate(cases, tokenizer, generator, lambda case: None)
        report["wrong"] = wrong_answers(cases, answers)[: options.wrong]
    if options.mask != "off":
        report["mask_on"], _ = evaluate(cases, tokenizer, generator, Masks(tokenizer).matcher)
    print(json.dumps(report, indent=2, ensure_ascii=False))


def wrong_answers(cases: list[Case], answers: list[str]) -> list[dict[str, Any]]:
    """The cases that were not answered exactly: prompt, reference, answer."""
    return [
        {"asked": case.messages[-1]["content"], "expected": case.calls or case.answer, "given": answer}
        for case, answer in zip(cases, answers, strict=True)
        if not score(case, answer).exact
    ]


if __name__ == "__main__":
    main()
