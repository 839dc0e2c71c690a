"""Blocks come back from host memory or a file: tokens are those of an engine that lost none."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import torch
from architectures import make_config
from engine_models import make_model
from engine_runs import Prophet, eager, make_engine, make_request, random_prompts, run_checked, tokens_of
from served_process import served, wait_for
from test_engine_adapters import load, request_with
from test_engine_arithmetic import GUIDANCE, ensemble
from transformers import AutoModelForCausalLM

from gateway.engine import Engine, EngineConfig
from gateway.engine.attention import sparse
from gateway.engine.errors import InvalidEngineConfigError, NonFiniteLogitsError
from gateway.engine.kv_cache import KvCache
from gateway.engine.offload import page_file
from gateway.engine.offload.host_pages import HostPages
from gateway.engine.offload.second_tier import SecondTier, open_second_tier
from gateway.engine.scheduling.blocks import BlockAllocator
from gateway.engine.scheduling.scheduler import Scheduler

PROMPTS = random_prompts(1, [40, 44, 37, 48])
FEW = {"num_blocks": 16, "max_batch_tokens": 64, "kv_offload_bytes": 1 << 20}
"""Blocks for one prompt or two."""
Answers = list[tuple[list[int], int]]


def answer(engine: Engine, prompts: list[list[int]] = PROMPTS) -> Answers:
    """The tokens of each prompt's answer, one after the other, and how many tokens of the prompt were cached."""
    told = []
    for number, prompt in enumerate(prompts):
        events = run_checked(engine, [make_request(number, prompt, 6)])[str(number)]
        told.append((tokens_of(events), events[-1].num_cached_tokens))
        second: Any = engine._scheduler.allocator.second
        while second is not None and len(second._queued) > len(second._written):  # until the file has it
            time.sleep(0.001)
    return told


@pytest.fixture
def pages(tmp_path: Path) -> dict[str, Any]:
    """Settings of an engine with a file."""
    return FEW | {"kv_offload_file": str(tmp_path / "pages"), "kv_offload_file_bytes": 1 << 22}


def drafting() -> dict[str, Any]:
    return {"draft_model": make_model("llama", seed=1), "speculation": ("ngram", "model")}


KINDS: dict[str, tuple[str, Any]] = {
    "llama": ("llama", dict),
    "window": ("mistral", dict),
    "gpt2": ("gpt2", dict),
    "bfloat16": ("llama", lambda: {"dtype": "bfloat16"}),
    "fp8": ("llama", lambda: {"kv_cache_dtype": "fp8"}),
    "int8": ("llama", lambda: {"quantization": "int8"}),
    "ahead": ("llama", lambda: {"run_ahead": True, "speculation": ()}),
    "drafts": ("llama", drafting),
    "sparse": ("llama", lambda: {"sparse_attention_tokens": 16}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_answers_are_those_of_an_engine_that_lost_no_block(
    kind: str, pages: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    name, settings = KINDS[kind]
    if kind == "drafts":
        eager(monkeypatch)
    monkeypatch.setattr(sparse, "NUM_DENSE_LAYERS", 0)  # the model has two layers
    plain = make_engine(name, max_batch_tokens=64, **settings())
    computed, cached = answer(plain), answer(plain)
    assert all(count > 0 for _, count in cached)
    memory = make_engine(name, **FEW, **settings())
    assert answer(memory) == computed
    assert answer(memory) == cached
    hits = memory.stats().offload_hits
    assert hits["memory"] > 0
    assert not hits["file"]
    for wanted, tier in ((computed, None), (cached, "file")):
        engine = make_engine(name, **pages, **settings())
        assert answer(engine) == wanted
        assert answer(engine) == cached
        assert tier is None or engine.stats().offload_hits[tier] > 0
        engine.close()


@pytest.mark.parametrize("kind", ["plain", "ahead", "drafts"])
def test_any_schedule_gives_the_tokens_of_an_engine_with_room(
    kind: str, pages: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    eager(monkeypatch)
    chooser = random.Random(3)
    heads = random_prompts(8, [24, 32, 17])
    prompts = [chooser.choice(heads) + tail for tail in random_prompts(9, [3, 9, 1, 5, 12, 2, 7, 4])]
    prompts += [prompts[-1]] * 2
    expected = [tokens for tokens, _ in answer(make_engine(), prompts)]
    settings = pages | {"num_blocks": 26, "max_batch_tokens": 24, "kv_offload_bytes": 40_000}
    drafters = [Prophet([p + tokens for p, tokens in zip(prompts, expected, strict=True)], 0.7)]
    engine = make_engine(**settings, run_ahead=kind == "ahead", drafters=drafters if kind == "drafts" else ())
    for _ in range(2):
        requests = [
            make_request(number, prompt, 6, group="g" if number > 6 else None) for number, prompt in enumerate(prompts)
        ]
        events = run_checked(engine, requests)
        assert [tokens_of(events[str(number)]) for number in range(len(prompts))] == expected
    assert engine.stats().offload_hits.total() > 0
    engine.close()


def test_companions_come_back_together() -> None:
    asked = [ensemble(0, PROMPTS[:2], GUIDANCE, 6), ensemble(0, PROMPTS[2:], GUIDANCE, 6)]
    expected = [tokens_of(run_checked(make_engine(), [request])["0"]) for request in asked]
    engine = make_engine(**(FEW | {"num_blocks": 30}))
    for _ in range(3):
        assert [tokens_of(run_checked(engine, [request])["0"]) for request in asked] == expected
    assert engine.stats().offload_hits["memory"] > 2 * max(map(len, PROMPTS))


class SlowFile:
    """A file in memory, which is written when it is asked to, and whose records may be lost. A block's content is its
    hash."""

    def __init__(self) -> None:
        self._jobs: list[tuple[bytes, Callable[[], memoryview], Callable[[], None]]] = []
        self.records: dict[bytes, bytes] = {}

    def __contains__(self, digest: object) -> bool:
        return digest in self.records

    def offer(self, digest: bytes, memory: Callable[[], memoryview], done: Callable[[], None]) -> bool:
        self._jobs.append((digest, memory, done))
        return True

    def write(self) -> None:
        for digest, memory, done in self._jobs:
            self.records[digest] = bytes(memory())
            assert self.records[digest] == digest, "the row was taken before it was written"
            done()
        self._jobs.clear()

    def read_into(self, memory: memoryview, digest: bytes) -> bool:
        memory[:] = self.records.get(digest, bytes(len(memory)))
        return digest in self.records


@pytest.mark.parametrize("num_rows", [3, 9, 30])
@pytest.mark.parametrize("has_file", [False, True])
def test_blocks_hold_what_their_hashes_say_in_any_order_of_events(num_rows: int, has_file: bool) -> None:
    chooser = random.Random(num_rows)
    cache = KvCache(12, 1, {0: (torch.zeros(1, 2, 2),)})
    pages = HostPages(cache, num_rows * 16)
    file: Any = SlowFile() if has_file else None
    allocator = BlockAllocator(12)
    tier = allocator.second = SecondTier(pages, file, 1, lambda blocks: None)
    rows = cache.block_rows[0].numpy()
    chains = [[bytes([chain] * 15 + [place]) for place in range(chooser.randrange(2, 9))] for chain in range(8)]
    running: list[list[int]] = []
    for _ in range(2000):
        if running and (len(running) > 2 or chooser.random() < 0.4):
            allocator.release(running.pop(chooser.randrange(len(running))))
        chain = chooser.choice(chains)
        if len(chain) <= allocator.num_free:
            allocator.recall(chain, lambda length: 0)
            found, _ = allocator.find(chain)
            assert [rows[block].tobytes() for block in found] == chain[: len(found)]
            allocator.share(found)
            own = [allocator.allocate() for _ in chain[len(found) :]]
            tier.save()
            for block, digest in zip(own, chain[len(found) :], strict=True):
                rows[block] = np.frombuffer(digest, rows.dtype)
                allocator.publish(block, digest)
            running.append(found + own)
        if file is not None and chooser.random() < 0.3:
            file.write()
            file.records.pop(chooser.choice([None, *file.records]), None)
        allocator.check_integrity(running)
    assert tier._hits.total() > 0


def test_blocks_that_leave_are_saved_before_a_fault_clears_them(monkeypatch: pytest.MonkeyPatch) -> None:
    forward, reserve, steps = Engine._forward, Scheduler.reserve_ahead, [0]

    def poisoned(self: Engine, plan: Any, ahead: Any = None) -> torch.Tensor:
        steps[0] -= 1
        return forward(self, plan, ahead) * (float("nan") if steps[0] == 0 else 1.0)

    def reserve_in_vain(self: Scheduler, plan: Any) -> bool:
        reserve(self, plan)
        return False

    monkeypatch.setattr(Engine, "_forward", poisoned)
    monkeypatch.setattr(Scheduler, "reserve_ahead", reserve_in_vain)
    engine = make_engine(**FEW, run_ahead=True, speculation=())
    (expected, _), *_ = answer(engine, PROMPTS[:1])
    for step in range(1, 7):
        steps[0] = step
        events = run_checked(engine, [make_request(0, PROMPTS[1], 6)])["0"]
        assert isinstance(events[-1].error, NonFiniteLogitsError)
        assert answer(engine, PROMPTS[:1])[0] == (expected, 36)


def test_adapters_and_tenants_share_no_block_over_a_restart(pages: dict[str, Any], tmp_path: Path) -> None:
    adapters, salts = ("one", "two", None), ("", "a:", "b:")
    told: list[dict[Any, Any]] = []
    for _ in range(2):
        engine = make_engine(**pages, max_adapters=3)
        load(engine, tmp_path, "llama", ["two", "one"] if told else ["one", "two"])
        told.append({})
        for adapter in adapters:
            for salt in salts[: 3 if adapter is None else 1]:
                request = replace(request_with(adapter, 0, PROMPTS[0]), cache_salt=salt)
                events = run_checked(engine, [request])["0"]
                told[-1][adapter, salt] = tokens_of(events)
                assert events[-1].num_cached_tokens == (36 if len(told) == 2 else 0)
        engine.close()
    assert told[0] == told[1]
    assert len(set(map(tuple, told[0].values()))) == 3
    other = make_engine(**pages)
    request = replace(make_request(0, PROMPTS[0]), cache_salt="c:")
    assert run_checked(other, [request])["0"][-1].num_cached_tokens == 0
    other.close()


def reopen(engine: Engine) -> None:
    """Have an engine that was closed begin with the file alone, as a restart does at more cost."""
    allocator = engine._scheduler.allocator = BlockAllocator(engine._scheduler.allocator.num_blocks)
    allocator.second = open_second_tier("", engine.config, engine._cache, engine._builder.attention)


def test_damaged_files_change_no_answer(pages: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    chooser, path, prompts = random.Random(7), Path(pages["kv_offload_file"]), PROMPTS[:1]
    engine = make_engine(**pages)
    engine.close()
    reopen(engine)
    expected = answer(engine, prompts)[0][0]
    engine.close()
    whole, found = path.read_bytes(), set()
    for number in range(100):
        damaged = bytearray(whole)
        for _ in range(chooser.choice((1, 1, 8, 200))):
            start = 0 if chooser.random() < 0.2 else page_file.HEADER_BYTES
            damaged[chooser.randrange(start, len(damaged))] = chooser.randrange(256)
        path.write_bytes(damaged[: chooser.choice((len(damaged), chooser.randrange(len(damaged))))])
        caplog.clear()
        reopen(engine)
        tokens, cached = answer(engine, prompts)[0]
        assert tokens == expected, number
        hits = engine.stats().offload_hits
        assert hits.total() == hits["file"] == cached
        assert len([line for line in caplog.messages if line.startswith("kv_offload_file")]) <= 1
        engine.close()
        found.add(cached)
    assert {0, 36} < found


def test_a_file_of_another_model_is_emptied_and_one_of_something_else_left_alone(
    pages: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    for seed in range(2):
        engine = make_engine(model=make_model("llama", seed=seed), **pages)
        assert answer(engine, PROMPTS[:1])[0][1] == 0
        engine.close()
    assert "is of another model or setting" in caplog.text
    path = Path(pages["kv_offload_file"])
    path.write_bytes(b"a letter")
    engine = make_engine(**pages)
    assert answer(engine) == answer(make_engine())
    engine.close()
    assert path.read_bytes() == b"a letter"
    assert "no file of keys and values" in caplog.text


def test_both_tiers_stay_within_their_bounds_and_keep_what_was_used_last(pages: dict[str, Any]) -> None:
    engine = make_engine(**pages)
    row_bytes = engine._scheduler.allocator.second._pages.row_bytes  # type: ignore[union-attr]
    engine.close()
    bounds = {"kv_offload_bytes": 24 * row_bytes + 1, "kv_offload_file_bytes": 4096 + 20 * (row_bytes + 32)}
    engine = make_engine(**(pages | bounds))
    answer(engine)
    assert engine.stats().offload_bytes == {"memory": 24 * row_bytes, "file": 20 * row_bytes}
    engine.close()
    assert Path(pages["kv_offload_file"]).stat().st_size == bounds["kv_offload_file_bytes"]
    engine = make_engine(**(pages | bounds))
    assert [cached > 0 for _, cached in answer(engine, [PROMPTS[3], PROMPTS[0], PROMPTS[3]])] == [True, False, True]
    engine.close()


HOLD = """
import fcntl, sys
file = open(sys.argv[1], "r+")
fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
print(flush=True)
sys.stdin.read()
"""


def test_two_processes_share_no_file(pages: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_file, "LOCK_WAIT_S", 0.1)
    path = pages["kv_offload_file"]
    command = [sys.executable, "-c", HOLD, path]
    engine = make_engine(**pages)
    assert b"BlockingIOError" in subprocess.run(command, input=b"", capture_output=True).stderr
    engine.close()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(InvalidEngineConfigError, match="used by another engine"):
            make_engine(**pages)
        other.kill()
    make_engine(**pages).close()


@pytest.mark.slow  # with an engine that is killed, it is in test_examples.py
def test_a_server_that_was_killed_finds_prompts_in_its_file(tiny_model: Path, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    body = {"prompt": "the lamp is green and " * 20, "max_tokens": 8, "temperature": 0}
    told: list[list[Any]] = []
    for _ in range(2):
        variables = {"ENGINE_KV_OFFLOAD_BYTES": 1 << 26, "ENGINE_KV_OFFLOAD_FILE": pages}
        with served(tiny_model, is_fake=False, **variables) as command:
            told.append([])
            for more in ({}, {"use_beam_search": True, "n": 2}):
                reply = httpx.post(f"{command.url}/v1/completions", json=body | more, timeout=120).json()
                told[-1].append([choice["text"] for choice in reply["choices"]])
                assert (reply["usage"]["prompt_tokens_details"]["cached_tokens"] > 0) == (len(told) > 1 or bool(more))
            wait_for(lambda: pages.stat().st_size > page_file.HEADER_BYTES)
            if len(told) > 1:
                wait_for(lambda: 'hits_total{tier="file"}' in httpx.get(f"{command.url}/metrics").text)
    assert told[0] == told[1]


@pytest.mark.parametrize("method", ["store", "restore"])
def test_copies_that_fail_cost_time_alone(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(HostPages, method, fail)
    engine = make_engine(**FEW)
    expected = answer(make_engine())
    assert [answer(engine), answer(engine)] == [expected] * 2
    assert not engine.stats().offload_hits


@pytest.mark.parametrize("name", ["mamba", "qwen3_next", "bloom", "llama"])
def test_models_whose_state_is_in_no_block_are_refused(name: str) -> None:
    settings: dict[str, Any] = {"device": "cpu", "dtype": "float32", "kv_offload_bytes": 1 << 20}
    model = make_model("llama") if name == "llama" else AutoModelForCausalLM.from_config(make_config(name)).eval()
    if name == "llama":
        settings["decoder"] = "one_by_one"
    with pytest.raises(
        InvalidEngineConfigError, match="kv_offload_bytes 1048576 cannot serve this model: each text has a memory"
    ):
        Engine(model, EngineConfig(**settings))


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"kv_offload_file": "pages"}, "kv_offload_file needs kv_offload_bytes"),
        ({"kv_offload_bytes": 1 << 20, "prefix_caching": False}, "kv_offload_bytes needs prefix_caching"),
        ({"kv_offload_bytes": 8}, "8 bytes hold no block"),
        ({"kv_offload_bytes": 1 << 60}, "no 1152921504606846976 bytes of memory"),
        ({"kv_offload_bytes": 1 << 20, "kv_offload_file": "/nowhere/pages"}, "/nowhere/pages: No such file"),
        ({"kv_offload_bytes": 1 << 20, "kv_offload_file": "/dev/null"}, "/dev/null is no regular file"),
        (
            {"kv_offload_bytes": 1 << 20, "kv_offload_file": "/dev/shm/x", "kv_offload_file_bytes": 5},
            "must be at least",
        ),
    ],
)
def test_settings_that_cannot_hold_are_refused(settings: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidEngineConfigError, match=problem):
        make_engine(**settings)
