"""`python -m embedded_model.evaluate`: print scores on held-out or newcomers' prompts as JSON."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import torch

from embedded_model.evaluate.answers import Answerer, evaluate, evaluate_newcomers
from embedded_model.evaluate.cases import TASKS, draw_cases
from embedded_model.evaluate.decoding import StockDecoder
from gateway.embedded import draft_path, target_path


def main(arguments: list[str] | None = None) -> None:
    """Evaluates and prints JSON."""
    parser = argparse.ArgumentParser(prog="python -m embedded_model.evaluate", description=__doc__)
    parser.add_argument("--model", choices=("target", "draft"), default="target")
    parser.add_argument("--folder", type=Path, help="any other model folder")
    parser.add_argument("--count", type=int, default=40, help="number of prompts of each task")
    parser.add_argument("--tasks", nargs="*", choices=list(TASKS), help="default: all")
    parser.add_argument("--newcomers", action="store_true", help="the newcomers' prompts instead")
    parser.add_argument("--mask", choices=("on", "off", "both"), default="both")
    parser.add_argument("--temperature", type=float, default=0.0)
    parser.add_argument("--hide-constraint", action="store_true", help="leave the constraint out of the prompt")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--wrong", type=int, default=0, help="number of wrong answers to print as well")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    folder = options.folder or (target_path() if options.model == "target" else draft_path())
    generator = StockDecoder(folder, temperature=options.temperature)
    cases = [] if options.newcomers else draw_cases(options.count, options.tasks)
    report: dict[str, Any] = {"model": str(folder), "temperature": options.temperature}
    for mask in ("off", "on") if options.mask == "both" else (options.mask,):
        answerer = Answerer(folder, generator, masked=mask == "on", shows_constraint=not options.hide_constraint)
        if options.newcomers:
            report[f"mask_{mask}"] = evaluate_newcomers(answerer)
            continue
        report[f"mask_{mask}"], wrong = evaluate(cases, answerer)
        if options.wrong:
            report[f"wrong_{mask}"] = wrong[: options.wrong]
    print(json.dumps(report, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
