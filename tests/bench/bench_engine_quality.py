"""What bfloat16, int8 and fp8 cost in right answers: the shipped model's evaluation, answered by the engine.

    python tests/bench/bench_engine_quality.py [--count 160] [--decoder lean transformers] [--json OUT.json]

The same held-out prompts as `python -m embedded_model.evaluate`, greedily, without a mask; shares of right answers
for each type, and the share of answers that are the same to the last token as those in float32.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from transformers import AutoTokenizer

from gateway.embedded import target_path
from gateway.engine import Engine, EngineConfig, GenerationRequest, SamplingParams

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))
from embedded_model.evaluate.cases import draw_cases
from embedded_model.evaluate.scoring import score, summarise

NUMERICS = [(dtype, kind) for kind in ("none", "int8", "fp8") for dtype in ("float32", "bfloat16")]
MAX_TOKENS = 200


def answer_all(prompts: list[list[int]], config: EngineConfig) -> list[list[int]]:
    """The engine's answers, without end tokens."""
    engine = Engine(target_path(), replace(config, max_waiting=len(prompts)))
    sampling = SamplingParams(max_tokens=MAX_TOKENS, temperature=0)
    answers = engine.generate(
        [GenerationRequest(request_id=str(i), prompt_ids=ids, sampling=sampling) for i, ids in enumerate(prompts)]
    )
    engine.close()
    return answers


def main() -> None:
    """One line of JSON for each way to compute."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=160, help="number of prompts")
    parser.add_argument("--decoder", nargs="+", default=["lean"], choices=("lean", "transformers"))
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    tokenizer: Any = AutoTokenizer.from_pretrained(target_path())
    cases = draw_cases(arguments.count)
    prompts = []
    for case in cases:
        text = tokenizer.apply_chat_template(
            case.messages, tools=case.tools or None, add_generation_prompt=True, tokenize=False
        )
        prompts.append(tokenizer.encode(text, add_special_tokens=False))
    exact: list[list[int]] = []
    rows = []
    for decoder in arguments.decoder:
        for dtype, quantization in NUMERICS:
            config = EngineConfig(dtype=dtype, quantization=quantization, decoder=decoder)
            answers = answer_all(prompts, config)
            exact = exact or answers
            texts = [tokenizer.decode(ids, skip_special_tokens=False) for ids in answers]
            scores = [score(case, text) for case, text in zip(cases, texts, strict=True)]
            same = sum(ours == reference for ours, reference in zip(answers, exact, strict=True)) / len(exact)
            row = {"decoder": decoder, "dtype": dtype, "quantization": quantization, "same_answers": round(same, 3)}
            rows.append(row | summarise(cases, scores))
            print(json.dumps(rows[-1]), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
