"""The embedded model: size, loading, speed by itself, and how well the draft guesses the target.

Run: python tests/bench/bench_embedded.py [--prompts 20] [--threads 1]. Prints JSON. The decoder here is the slow and
obvious one of the evaluation (stock transformers, one sequence): the engine's own speed is another bench's subject.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from gateway.embedded import draft_path, target_path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))
from embedded_model.evaluate.cases import draw_cases
from embedded_model.evaluate.decoding import StockDecoder

DRAFT_TOKENS = 4


def prompts_of(tokenizer: Any, count: int) -> list[list[int]]:
    """Held-out prompts as ids."""
    texts = [
        tokenizer.apply_chat_template(c.messages, tools=c.tools or None, add_generation_prompt=True, tokenize=False)
        for c in draw_cases(count, ["calls"])
    ]
    return [tokenizer.encode(text, add_special_tokens=False) for text in texts]


def measure_model(folder: Path, prompts: list[list[int]]) -> dict[str, Any]:
    """Size, seconds to load, and tokens per second of each prompt."""
    begun = time.perf_counter()
    generator = StockDecoder(folder)
    loaded_s = time.perf_counter() - begun
    generator.generate(prompts[0], None)
    rates = []
    for prompt in prompts:
        begun = time.perf_counter()
        answer = generator.generate(prompt, None)
        rates.append((len(answer) + 1) / (time.perf_counter() - begun))
    size = (folder / "model.safetensors").stat().st_size
    return {
        "parameters": size // 2,
        "bytes": size,
        "load_s": round(loaded_s, 3),
        "tokens_per_s_median": round(statistics.median(rates), 1),
    }


@torch.inference_mode()
def draft_agreement(target_folder: Path, draft_folder: Path, prompts: list[list[int]]) -> dict[str, float]:
    """How often the draft, given what stands before, would have written the target's greedy token too.

    Returns:
        The share of such tokens; and of drafts of `DRAFT_TOKENS`, how many tokens are accepted on average.
    """
    target = StockDecoder(target_folder)
    draft = AutoModelForCausalLM.from_pretrained(draft_folder, dtype=torch.float32)
    hits = total = accepted = drafts = 0
    for prompt in prompts:
        answer = target.generate(prompt, None)
        assert answer == target.generate(prompt, None), "greedy decoding must repeat itself"
        if not answer:
            continue
        logits = draft(input_ids=torch.tensor([[*prompt, *answer]])).logits[0]
        guesses = logits[len(prompt) - 1 : -1].argmax(-1).tolist()
        right = [guess == token for guess, token in zip(guesses, answer, strict=True)]
        hits += sum(right)
        total += len(answer)
        place = 0
        while place < len(right):
            drafted = right[place : place + DRAFT_TOKENS]
            taken = drafted.index(False) if False in drafted else len(drafted)
            accepted += taken
            drafts += 1
            place += taken + 1
    return {"share": round(hits / total, 4), "accepted_per_draft": round(accepted / drafts, 2)}


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prompts", type=int, default=20)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--target", type=Path, default=None, help="folder of a target (default: the one that ships)")
    parser.add_argument("--draft", type=Path, default=None, help="folder of a draft (default: the one that ships)")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    target, draft = options.target or target_path(), options.draft or draft_path()
    prompts = prompts_of(AutoTokenizer.from_pretrained(target), options.prompts)
    report = {
        "threads": options.threads,
        "target": measure_model(target, prompts),
        "draft": measure_model(draft, prompts),
        "draft_agreement": draft_agreement(target, draft, prompts),
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
