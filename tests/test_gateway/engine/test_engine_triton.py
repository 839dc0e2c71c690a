"""Attention in Triton: the kernel is interpreted where there is no GPU, and compiled for it where there is one."""

from __future__ import annotations

import itertools
import logging
import os
import random
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from engine_models import make_model, stock_greedy
from engine_runs import eager, make_engine, make_request, random_prompts, run_checked, tokens_of

from gateway.engine import EngineConfig
from gateway.engine.attention import choice
from gateway.engine.attention import triton as tiles
from gateway.engine.attention.base import AttentionNeeds, LayerNeeds, Layout, Scoring, spread
from gateway.engine.attention.choice import choose_attention, why_wrong
from gateway.engine.attention.sdpa import SdpaAttention
from gateway.engine.attention.triton import MAX_PARTS, Form, TritonAttention, cut, forms_for
from gateway.engine.errors import InvalidEngineConfigError

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
LAYER = LayerNeeds(2, 1, 64, 64, torch.float32, None, None)
LAYERS = {
    "plain": LAYER,
    "odd": replace(LAYER, heads=7, kv_heads=1, key_size=80, value_size=80),
    "window, values of another size": replace(LAYER, key_size=96, window=5),
    "all at once": replace(LAYER, heads=4, kv_heads=2, softcap=3.0, has_sinks=True, window=5, dtype=torch.bfloat16),
    "eight bits": replace(LAYER, is_fp8=True, window=5),
    "eight bits beside bfloat16": replace(LAYER, is_fp8=True, softcap=3.0, key_size=80, dtype=torch.bfloat16),
    "large": replace(LAYER, key_size=256, value_size=256, dtype=torch.float16),
}
KINDS = itertools.product(
    ((4, 2), (7, 1), (2, 2)),
    ((64, 64), (80, 80), (96, 64), (128, 128), (256, 256)),
    (torch.float32, torch.float16, torch.bfloat16),
    (None, 5),
    (None, 3.0),
    (False, True),
)
MISTAKES = [
    "parts",
    *(pytest.param(each, marks=pytest.mark.slow) for each in ("window", "softcap", "sinks", "contexts")),
]
MANY = random.Random(0).sample([LayerNeeds(*h, *s, t, w, c, k) for h, s, t, w, c, k in KINDS], 60)


class Interpreted(TritonAttention):
    """Wherever it runs, with blocks as small as they come."""

    block_multiple = 1

    @classmethod
    def why_not(cls, needs: AttentionNeeds) -> str | None:
        return None

    @staticmethod
    def programs_on(device: torch.device) -> int:
        return 8


def make_needs(*layers: LayerNeeds, device: torch.device = DEVICE) -> AttentionNeeds:
    return AttentionNeeds(device, layers or (LAYER,), 512)


def make_layout(contexts: list[int], counts: list[int], num_decodes: int) -> Layout:
    firsts, rows = np.array(contexts), np.array(counts)
    starts, owners, positions = spread(firsts, rows)
    tables = np.zeros((len(rows), 1), np.int32)
    return Layout(num_decodes, starts, rows, firsts, owners, tables, 16, positions, torch.empty(0))


@pytest.fixture
def few_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys are looked at few at a time, and shared out among programs where there are more."""
    pytest.importorskip("triton", reason="Triton is not installed: it comes with a torch for CUDA")
    few = {kind: tuple((heads, 16, *rest) for heads, _, *rest in forms) for kind, forms in tiles.FORMS.items()}
    monkeypatch.setattr(tiles, "FORMS", few)
    monkeypatch.setattr(tiles, "MIN_KEYS", 9)


@pytest.fixture(params=["whole", "in parts"])
def small(few_keys: None, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same, shared out or not."""
    if request.param == "whole":
        monkeypatch.setattr(tiles, "MIN_KEYS", 1 << 20)


@pytest.mark.usefixtures("few_keys")
@pytest.mark.parametrize("layer", LAYERS)
def test_triton_is_right_in_every_kind_of_layer(layer: str) -> None:
    assert why_wrong(Interpreted, make_needs(LAYERS[layer])) is None


@pytest.mark.slow
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("layer", MANY, ids=str)
def test_triton_is_right_in_many_kinds_of_layers(layer: LayerNeeds) -> None:
    assert why_wrong(Interpreted, make_needs(layer)) is None


@pytest.mark.parametrize("mistake", MISTAKES)
def test_proof_finds_mistakes_in_triton(
    mistake: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    request.getfixturevalue("few_keys")
    attend, begin = TritonAttention.attend, TritonAttention.begin

    def wrong_begin(self: Any, layout: Layout) -> None:
        begin(self, replace(layout, contexts=layout.contexts + 1) if mistake == "contexts" else layout)
        if mistake == "parts":  # what the first part found is all that counts
            for each in self._tiles:
                each.shared[:, 1] = 1

    def wrong_attend(self: Any, query: Any, cache: Any, scoring: Scoring) -> torch.Tensor:
        wrong: dict[str, Any] = {"window": 6, "softcap": None, "sinks": None}
        return attend(self, query, cache, scoring._replace(**{n: v for n, v in wrong.items() if n == mistake}))

    monkeypatch.setattr(TritonAttention, "attend", wrong_attend)
    monkeypatch.setattr(TritonAttention, "begin", wrong_begin)
    assert "is wrong by" in (why_wrong(Interpreted, make_needs(replace(LAYERS["all at once"], kv_heads=4))) or "")


@pytest.mark.usefixtures("few_keys")
@pytest.mark.parametrize(("name", "decoder"), [("llama", "lean"), ("gemma2", "transformers")])
def test_answers_through_triton_are_those_of_the_stock_model(
    name: str, decoder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    eager(monkeypatch)
    monkeypatch.setattr(choice, "BACKENDS", (Interpreted,))
    monkeypatch.setattr(choice, "why_wrong", lambda backend, needs: None)
    engine = make_engine(name, decoder=decoder, attention_backend="triton", device=DEVICE.type, max_batch_tokens=12)
    prompts = random_prompts(1, [5, 17])
    events = run_checked(engine, [make_request(i, prompt, 3) for i, prompt in enumerate(prompts)])
    assert engine._builder.attention.name == "triton"
    for i, prompt in enumerate(prompts):
        assert tokens_of(events[str(i)]) == stock_greedy(make_model(name), prompt, 3)


@pytest.mark.usefixtures("few_keys")
def test_answers_of_eight_bits_through_triton_are_those_through_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    prompts, answers = random_prompts(1, [5, 17]), []
    for backend in (Interpreted, SdpaAttention):
        monkeypatch.setattr(choice, "BACKENDS", (backend,))
        engine = make_engine("qwen3", device=DEVICE.type, max_batch_tokens=12, kv_cache_dtype="fp8", check_model=True)
        assert engine._builder.attention.name == backend.name
        events = run_checked(engine, [make_request(i, prompt, 4) for i, prompt in enumerate(prompts)])
        answers.append([tokens_of(events[str(i)]) for i in range(len(prompts))])
    assert answers[0] == answers[1]


@pytest.mark.usefixtures("few_keys")
def test_every_kernel_is_there_before_a_request_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    needs = make_needs(replace(LAYER, dtype=torch.bfloat16), LAYERS["all at once"])
    backend = Interpreted(needs, EngineConfig(max_num_seqs=4, max_batch_tokens=16))
    asked: set[tuple[Any, ...]] = set()
    attend = backend.attend

    def watched(query: Any, cache: Any, scoring: Scoring) -> Any:
        is_set = tuple(each is not None for each in scoring[1:])
        asked.update((query.shape[1:], query.dtype, backend._page, each.form, *is_set) for each in backend._tiles)
        return attend(query, cache, scoring)

    monkeypatch.setattr(backend, "attend", watched)
    backend.compile(needs, 4)
    assert len(asked) == 2 * len(backend._forms) == 6


LAYOUTS = {
    "decodes": ([100, 3, 0, 900], [1, 1, 1, 1], 4),
    "drafts": ([100, 3], [9, 2], 2),
    "decodes and prompts": ([100, 5000, 0, 64], [1, 3, 300, 77], 2),
    "prompts": ([0] * 40, list(range(1, 80, 2)), 0),
}


@pytest.mark.parametrize("programs", [1, 16, 264])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_cut_gives_every_row_and_part_to_one_program(layout: str, programs: int) -> None:
    step = make_layout(*LAYOUTS[layout])
    launches = cut(step, forms_for(4, 128, 2), programs)
    assert len(launches) == (2 if layout == "decodes and prompts" else 1)  # however many sequences there are
    found: list[tuple[int, int]] = []
    for form, work, shared in launches:
        places: dict[int, int] = {}
        for owner, first, part, parts, place in work.tolist():
            stop = int(step.starts[owner] + step.counts[owner])
            rows = range(first, min(first + form.rows, stop))
            assert set(step.owners[rows].tolist()) == {owner}
            assert part < parts <= MAX_PARTS
            found += [(row, part) for row in rows]
            if parts > 1:
                places |= {place + number: row for number, row in enumerate(rows)}
                assert all(shared[place + number].tolist() == [row, parts] for number, row in enumerate(rows))
        assert sorted(places) == list(range(len(shared)))
    assert len(found) == len(set(found))
    assert {row for row, _ in found} == set(range(len(step.owners)))
    assert programs > 1 or all(part == 0 for _, part in found)


def test_cut_shares_out_the_keys_of_few_rows() -> None:
    (one,) = cut(make_layout([8000], [1], 1), forms_for(4, 128, 2), 64)
    assert len(one[1]) == MAX_PARTS
    (many,) = cut(make_layout([8000] * 100, [1] * 100, 100), forms_for(4, 128, 2), 64)
    assert len(many[1]) == 100
    (odd,) = cut(make_layout([20_000] + [100] * 30, [1] * 31, 31), forms_for(4, 128, 2), 64)
    assert len(odd[1]) == MAX_PARTS + 30  # the longest would keep the others waiting


def test_forms_hold_every_group_that_they_are_made_for() -> None:
    for group in (1, 3, 8, 64):
        forms = forms_for(group, 128, 2)
        assert all(form.rows >= 1 and form.rows * group <= form.heads for form in forms)
        assert [form.heads for form in forms] == [heads for heads in (16, 64, 128) if heads >= group]
    assert forms_for(4, 512, 2) == forms_for(200, 64, 2) == ()
    assert isinstance(forms_for(4, 256, 4, is_roomy=False)[0], Form)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, None),
        ({"capability": (7, 5)}, "older than Ampere"),
        ({"triton": False}, "Triton is not installed"),
        ({"compiler": False}, "no C compiler"),
        ({"size": 512}, "heads are too large"),
    ],
)
def test_triton_says_why_it_cannot_serve(
    given: dict[str, Any], reason: str | None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    cuda = torch.device("cuda")
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: given.get("capability", (9, 0)))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: given.get("triton", True) or None)
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/cc" if given.get("compiler", True) else None)
    monkeypatch.setattr(choice, "why_wrong", lambda backend, needs: None)
    size = given.get("size", 128)
    needs = make_needs(replace(LAYER, key_size=size, value_size=size), device=cuda)
    if reason is None:
        assert choose_attention(EngineConfig(), needs) is TritonAttention
        return
    with caplog.at_level(logging.WARNING):
        assert choose_attention(EngineConfig(), needs) is SdpaAttention  # and says so
    assert reason in caplog.text
    with pytest.raises(InvalidEngineConfigError, match=reason):
        choose_attention(EngineConfig(attention_backend="triton"), needs)


def test_triton_is_for_nvidia_alone() -> None:
    assert "CUDA, not on cpu" in (TritonAttention.why_not(make_needs(device=torch.device("cpu"))) or "")


@pytest.mark.slow
def test_kernels_are_compiled_for_gpus_without_spills() -> None:
    pytest.importorskip("triton", reason="Triton is not installed: it comes with a torch for CUDA")
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    script = Path(__file__).parents[2] / "bench" / "compile_gpu_kernels.py"
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("sm_80") == done.stdout.count("sm_90") > 50
