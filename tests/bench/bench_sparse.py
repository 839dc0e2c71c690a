"""What sparse attention brings and costs: the end of a long text, a token a step, with every number of tokens attended.

    python tests/bench/bench_sparse.py --model FOLDER|FILE.gguf [--text FILE ...] [--context 6000] [--tokens 128]
        [--budgets 512 1024 2048] [--threads 1] [--json OUT]

The context is read once, as a prompt. Then the text goes on in turns, dense and with each budget, each with keys and
values of its own: milliseconds of a step (median) and the ratio to dense, the mean negative log-likelihood of the
text's tokens, the divergence (KL) of the distributions from the dense ones, and how often the best token is the same.
"""

from __future__ import annotations

import json
import statistics
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from options import count_parser, write_rows

from gateway.embedded import target_path
from gateway.engine import EngineConfig
from gateway.engine.attention.sparse import SparseAttention
from gateway.engine.inputs import BatchBuilder
from gateway.engine.models.base import LoadedModel
from gateway.engine.models.load import load_model
from gateway.engine.models.measure import sample_sequence
from gateway.engine.scheduling.plan import Plan
from gateway.service.model.folder import ModelFolder

CHUNK = 512


@torch.inference_mode()
def measure(loaded: LoadedModel, text: list[int], context: int, budgets: list[int]) -> list[dict[str, Any]]:
    """A row for each budget; 0 is dense."""
    config = loaded.fit(EngineConfig(max_num_seqs=1, max_batch_tokens=CHUNK))
    size, prompt = config.block_size, text[:context]
    num_shared, num_own = context // size, -(-len(text) // size) - context // size
    cache = loaded.make_cache(num_shared + len(budgets) * num_own, size)
    builders = [BatchBuilder(config, loaded.decoder.device, SparseAttention(loaded.needs, config)) for _ in budgets]
    sequences = [sample_sequence(number, list(prompt)) for number in range(len(budgets))]
    for number, sequence in enumerate(sequences):
        first = num_shared + number * num_own
        sequence.block_table = [*range(num_shared), *range(first, first + num_own)]
    reader = sequences[0]
    while reader.num_computed < context:
        tokens = min(CHUNK, context - reader.num_computed)
        loaded.decoder.forward(builders[0].build(Plan(chunks=[(reader, tokens)])), cache)
        reader.num_computed += tokens
    for budget, builder in zip(budgets, builders, strict=True):
        builder.attention._bounds = builders[0].attention._bounds
        builder.attention._most_pages = budget // size
    seconds: list[list[float]] = [[] for _ in budgets]
    found: list[list[torch.Tensor]] = [[] for _ in budgets]
    for position in range(context, len(text)):
        for builder, sequence, times, rows in zip(builders, sequences, seconds, found, strict=True):
            sequence.token_ids.append(text[position])
            sequence.num_computed = position
            start = time.perf_counter()
            logits = loaded.decoder.forward(builder.build(Plan(decode=[sequence])), cache)
            times.append(time.perf_counter() - start)
            rows.append(logits[0].double().log_softmax(-1))
    dense, *_ = logs = [torch.stack(rows) for rows in found]
    following = torch.tensor(text[context + 1 :])[:, None]
    medians = [statistics.median(times[2:]) for times in seconds]  # the first ones compile products
    return [
        {
            "tokens": budget or "all",
            "step_ms": round(median * 1e3, 1),
            "to_dense": round(median / medians[0], 3),
            "nll": round(-float(rows[:-1].gather(1, following).mean()), 4),
            "kl": round(float((dense.exp() * (dense - rows)).sum(-1).mean()), 4),
            "same_best": round(float((dense.argmax(-1) == rows.argmax(-1)).double().mean()), 3),
        }
        for budget, median, rows in zip(budgets, medians, logs, strict=True)
    ]


def main() -> None:
    """A line for each budget."""
    parser = count_parser(__doc__, context=6000, tokens=128, threads=1)
    parser.add_argument("--model", type=Path, default=target_path())
    parser.add_argument("--text", type=Path, nargs="+", default=[Path(__file__).parents[2] / "gateway/docs/api.md"])
    parser.add_argument("--budgets", type=int, nargs="+", default=[512, 1024, 2048])
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    whole = "".join(path.read_text(encoding="utf-8") for path in arguments.text)
    ids = ModelFolder.open(arguments.model).tokenizer.encode(whole).ids
    context = arguments.context // 16 * 16
    text = ids[: context + arguments.tokens]
    assert len(text) == context + arguments.tokens, f"the text has {len(ids)} tokens"
    config = EngineConfig(device="cpu", max_num_seqs=1, max_batch_tokens=CHUNK, max_model_len=len(text))
    loaded = load_model(arguments.model, replace(config, sparse_attention_tokens=64))
    rows = measure(loaded, text, context, [0, *arguments.budgets])
    assert all(0 <= row["kl"] < 1 for row in rows), rows
    for row in rows:
        print(json.dumps(row))
    write_rows(arguments.json, rows)


if __name__ == "__main__":
    main()
