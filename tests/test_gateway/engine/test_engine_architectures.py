"""Every architecture from a folder: the tokens are the stock model's, or it is refused; the table says which way.

`python tests/test_gateway/engine/test_engine_architectures.py` writes the table anew.
"""

from __future__ import annotations

import logging
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from architectures import CONDITIONAL, ORDINARY, TEXT, make_config
from engine_models import stock_greedy
from engine_runs import make_request, random_prompts, run_checked, tokens_of
from transformers import AutoModelForCausalLM, AutoModelForImageTextToText, AutoModelForSeq2SeqLM

import gateway.engine.models as models
from gateway.engine import Engine, EngineConfig
from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.fast_llama import FastLlamaDecoder
from gateway.engine.models.unbatched import UnbatchedDecoder

TABLE = Path(models.__file__).with_name("README.md")
KINDS = sorted([*TEXT, *CONDITIONAL])
SETTINGS: dict[str, Any] = {
    "device": "cpu", "dtype": "float32", "max_num_seqs": 4, "max_batch_tokens": 16, "block_size": 4, "num_blocks": 64
}  # fmt: skip


def make_model(name: str) -> Any:
    """Random weights, none of which would leave anything as it is; its own attention, where others leave something."""
    config = make_config(name)
    auto = AutoModelForCausalLM
    if config.is_encoder_decoder:
        auto = AutoModelForSeq2SeqLM
    elif name in CONDITIONAL:
        auto = AutoModelForImageTextToText
    torch.manual_seed(0)
    model = auto.from_config(config)
    if model._can_set_attn_implementation():
        model.set_attn_implementation("eager")
    for parameter in model.parameters():
        if parameter.ndim == 1 and parameter.is_floating_point():
            parameter.data += torch.randn_like(parameter) * 0.1
    return model.float().eval()


def serve(name: str, folder: Path) -> str:
    """Its row of the table, after it answered like stock."""
    model = make_model(name)
    model.save_pretrained(folder)
    records: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = records.append  # type: ignore[method-assign]
    logger = logging.getLogger("gateway.engine.models.load")
    logger.addHandler(handler)
    try:
        engine = Engine(folder, EngineConfig(**SETTINGS))
    except UnsupportedModelError as refusal:
        return row(name, model, "refused", str(refusal))
    finally:
        logger.removeHandler(handler)
    if name == "llama4":  # transformers' own class for more than text fails on text alone
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    prompts = random_prompts(3, [11, 23, 5, 30])
    expected = [stock_greedy(model, prompt, 8) for prompt in sorted(prompts, key=len)]
    events = run_checked(engine, [make_request(i, prompt, 8) for i, prompt in enumerate(sorted(prompts, key=len))])
    assert [tokens_of(events[str(i)]) for i in range(len(prompts))] == expected
    how = {FastLlamaDecoder: "lean", UnbatchedDecoder: "one by one"}.get(type(engine._decoder), "transformers")
    told = [str(record.args[0]) for record in records if isinstance(record.args, tuple)]
    return row(name, model, how, *told)


def row(name: str, model: Any, how: str, why: str = "") -> str:
    why = re.sub(r" by [0-9.e+-]+ standard", " by many standard", why)  # depends on the CPU
    return f"| {name} | {type(model).__name__} | {how} | {why} |"


@pytest.mark.parametrize(
    "name", [kind if kind in ORDINARY else pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS]
)
def test_architecture_answers_as_stock_and_as_the_table_says(name: str, tmp_path: Path) -> None:
    told, table = serve(name, tmp_path), TABLE.read_text()
    # Other versions of transformers may serve it in another way; what it answers was looked at.
    if f"with transformers {'.'.join(transformers.__version__.split('.')[:2])} " in table:
        assert told in table.splitlines()


def test_table_names_every_architecture_once() -> None:
    named = re.findall(r"^\| (\S+) \| [A-Z]\w+ \|", TABLE.read_text(), re.MULTILINE)
    assert named == KINDS
    assert len(KINDS) >= 50


def write_table() -> None:
    """All rows, as they are served here."""
    text = TABLE.read_text()
    rows = []
    for name in sys.argv[1:] or KINDS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                rows.append(serve(name, Path(folder)))
            except Exception as error:
                rows.append(f"| {name} | BROKEN {type(error).__name__} {str(error)[:200]} |")
        print(rows[-1], flush=True)
    if sys.argv[1:]:
        return
    head, _ = text.split("|---|---|---|---|\n")
    TABLE.write_text(head + "|---|---|---|---|\n" + "\n".join(rows) + "\n")


if __name__ == "__main__":
    write_table()
