"""LoRA adapters over HTTP: chosen by `model`, loaded and unloaded while others are answered."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from engine_models import stock_greedy
from held_engine import held, once_running, wait_for
from serving import Live, config_for, serving
from transformers import AutoModelForCausalLM

from gateway.config import CacheConfig, Config, ModelConfig, ProcessConfig
from gateway.errors import ModelLoadError
from gateway.service.model_pool import ModelPool
from tests.lora_files import merged, random_pairs, shapes_of, write_adapter

PROMPT = [70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87]
SEEDS = {"one": 1, "two": 2, "three": 3}
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"enum": ["x", "y"]}}, "required": ["a", "b"]}
HELLO = [{"role": "user", "content": "hi"}]


@pytest.fixture(scope="module")
def stock(tiny_model: Path) -> Any:
    return AutoModelForCausalLM.from_pretrained(tiny_model, dtype=torch.float32).eval()


@pytest.fixture(scope="module")
def folder(stock: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Adapters of ranks 3, 4 and 5."""
    root = tmp_path_factory.mktemp("adapters")
    for name, seed in SEEDS.items():
        write_adapter(root / name, random_pairs(shapes_of(stock), 2 + seed, seed))
    return root


@pytest.fixture(scope="module")
def expected(stock: Any) -> dict[str, list[int]]:
    """The greedy tokens of the model with each adapter, and without one."""
    answers = {"test-model": stock_greedy(stock, PROMPT, 12)}
    for name, seed in SEEDS.items():
        pairs = random_pairs(shapes_of(stock), 2 + seed, seed)
        answers[name] = stock_greedy(merged(stock, pairs, dict.fromkeys(pairs, 2.0)), PROMPT, 12)
    assert len({*map(tuple, answers.values())}) == 4
    return answers


def config_with(tiny_model: Path, folder: Path, **sections: Any) -> Config:
    config = config_for(tiny_model, **sections)
    model = replace(config.model, adapters=(f"one={folder / 'one'}",), adapter_folder=str(folder))
    return replace(config, model=model)


@pytest.fixture(scope="module")
def adapted(tiny_model: Path, folder: Path) -> Iterator[Live]:
    with serving(config_with(tiny_model, folder, cache=CacheConfig(max_bytes=1 << 20))) as live:
        yield live


def complete(live: Live, name: str, **more: Any) -> list[int]:
    body = {"prompt": PROMPT, "max_tokens": 12, "temperature": 0, "ignore_eos": True, "return_token_ids": True}
    reply = live.post("/v1/completions", json={**body, "model": name, **more})
    assert reply.status_code == 200, reply.text
    return reply.json()["choices"][0]["token_ids"]


def load(live: Live, name: str, path: str | None = None) -> None:
    reply = live.post("/v1/load_lora_adapter", json={"lora_name": name, "lora_path": path or name})
    assert (reply.status_code, reply.text) == (200, f"Success: LoRA adapter '{name}' added successfully.")


def unload(live: Live, name: str) -> None:
    reply = live.post("/v1/unload_lora_adapter", json={"lora_name": name})
    assert (reply.status_code, reply.text) == (200, f"Success: LoRA adapter '{name}' removed successfully.")


def test_requests_choose_an_adapter_by_model(adapted: Live, folder: Path, expected: dict[str, list[int]]) -> None:
    load(adapted, "two")
    names = ["one", "test-model", "two", "gpt-test"] * 3
    with ThreadPoolExecutor(len(names)) as threads:
        answers = list(threads.map(lambda name: complete(adapted, name, cache_salt="x"), names))
    for name, answer in zip(names, answers, strict=True):
        assert answer == expected["test-model" if name == "gpt-test" else name], name
    listed = {each["id"]: each for each in adapted.get("/v1/models").json()["data"]}
    assert listed["one"]["parent"] == "test-model"
    assert listed["two"]["root"] == str(folder / "two")
    assert listed["test-model"]["parent"] is None
    assert adapted.get("/v1/models/two").json()["id"] == "two"
    assert "two:latest" in {each["name"] for each in adapted.get("/api/tags").json()["models"]}
    reply = adapted.post("/api/chat", json={"model": "two:latest", "messages": HELLO, "stream": False}).json()
    assert reply["model"] == "two:latest" or reply["model"] == "two"
    for name, parameters in (("two", {"adapter_id": "two"}), ("test-model", {})):
        asked = {"inputs": "hi", "parameters": {"max_new_tokens": 12, **parameters}}
        body = {"prompt": "hi", "max_tokens": 12, "temperature": 0, "model": name}
        written = adapted.post("/v1/completions", json=body).json()["choices"][0]["text"]
        assert adapted.post("/generate", json=asked).json()["generated_text"] == written
    unload(adapted, "two")
    assert adapted.post("/v1/completions", json={"model": "two", "prompt": "a"}).status_code == 404
    reply = adapted.post("/generate", json={"inputs": "hi", "parameters": {"adapter_id": "two"}})
    assert "'two' is not served here" in reply.json()["error"]


def test_adapters_come_and_go_during_answers(adapted: Live, expected: dict[str, list[int]]) -> None:
    load(adapted, "two")
    engine = adapted.service._loaded.engine
    with ThreadPoolExecutor(4) as threads, held(engine, once_running(3)) as let_go:
        answers = {name: threads.submit(complete, adapted, name, seed=5) for name in ("one", "two", "test-model")}
        wait_for(lambda: engine.stats().num_running == 3)
        load(adapted, "three")
        gone = threads.submit(unload, adapted, "two")
        wait_for(lambda: "two" not in adapted.service.model.adapters)
        refused = adapted.post("/v1/completions", json={"model": "two", "prompt": "a"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, "model_not_found")
        assert not gone.done()
        let_go()
        assert {name: answer.result() for name, answer in answers.items()} == {name: expected[name] for name in answers}
        gone.result()
    assert complete(adapted, "three") == expected["three"]
    unload(adapted, "three")


def test_constraints_tools_and_streams_hold_with_an_adapter(adapted: Live) -> None:
    formatted = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA, "strict": True}}
    body = {"model": "one", "messages": HELLO, "max_tokens": 60, "temperature": 0}
    reply = adapted.post("/v1/chat/completions", json={**body, "response_format": formatted}).json()
    assert reply["model"] == "one"
    assert set(json.loads(reply["choices"][0]["message"]["content"])) == {"a", "b"}
    stream = adapted.post("/v1/chat/completions", json={**body, "response_format": formatted, "stream": True}).text
    pieces = [json.loads(line[6:])["choices"][0]["delta"] for line in stream.splitlines() if line.startswith("data: {")]
    assert "".join(piece.get("content") or "" for piece in pieces) == reply["choices"][0]["message"]["content"]
    tools = [{"type": "function", "function": {"name": "find", "parameters": SCHEMA}}]
    called = adapted.post("/v1/chat/completions", json={**body, "tools": tools, "tool_choice": "required"}).json()
    assert set(json.loads(called["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"])) == {"a", "b"}


def test_cached_responses_are_not_those_of_replaced_files(
    adapted: Live, stock: Any, folder: Path, expected: dict[str, list[int]]
) -> None:
    for seed, name in ((2, "two"), (3, "three")):
        write_adapter(folder / "changing", random_pairs(shapes_of(stock), 2 + seed, seed))
        load(adapted, "changing")
        assert [complete(adapted, "changing") for _ in range(2)] == [expected[name]] * 2
        unload(adapted, "changing")


def hostile_folders(root: Path, stock: Any) -> list[str]:
    """Adapters that do not fit, or are none, by the names of their folders."""
    shapes = shapes_of(stock)
    first = next(iter(shapes))
    good = random_pairs(shapes, 2)
    tall = {first: (torch.zeros(2, 33), torch.zeros(32, 2))}
    settings: list[dict[str, Any]] = [
        *({"peft_type": kind} for kind in ("IA3", "", "LOHA", 5, None)),
        *({"use_dora": True}, {"bias": "all"}, {"bias": "lora_only"}, {"modules_to_save": ["lm_head"]}),
        *({"init_lora_weights": start} for start in ("pissa", "olora", "loftq", "corda", "pissa_niter_4")),
        *({"r": rank} for rank in (0, -1, 1.5, "8", 10**30, None, 3)),
        *({"lora_alpha": alpha} for alpha in ("x", None, 1e308 * 10, [])),
        *({"target_modules": names} for names in (["q_proj", "nothing"], ["q_proj"], "", "(a*)*b", "q_proj", 5, [5])),
        *({"target_modules": pattern} for pattern in ("(" * 500, "(" * 150, r"(x)\1", "a" * 201, "(?=a)", "[")),
        *({"rank_pattern": ranks} for ranks in ({"q_proj": 3}, {"(a{999}){999}": 2}, {"q_proj": "x"}, [1], {"(": 1})),
        *({"alpha_pattern": pattern} for pattern in ({"x*": None}, {"a*+": 1}, {"q_proj": 1e999})),
        *({key: value} for key, value in (
            ("layer_replication", [[0, 1]]), ("trainable_token_indices", [1]), ("lora_bias", True),
            ("target_parameters", ["x"]), ("use_qalora", True), ("alora_invocation_tokens", [1]), ("later", 1),
            ("arrow_config", {"a": 1}),
        )),
    ]  # fmt: skip
    names = []
    for number, each in enumerate(settings):
        write_adapter(root / f"s{number}", good, **each)
        names.append(f"s{number}")
    tensors: list[dict[str, Any]] = [
        tall,
        {first: (torch.zeros(65, 32), torch.zeros(32, 65))},
        {"model.layers.9.self_attn.q_proj": good[first]},
        {"lm_head": (torch.zeros(2, 32), torch.zeros(400, 2))},
        {"x" * 300: good[first]},
        {first: (torch.zeros(2, 32), torch.zeros(32, 3))},
        {first: (torch.zeros(2, 1, 32), torch.zeros(32, 2))},
        {first: (torch.zeros(0, 32), torch.zeros(32, 0))},
        {first: (torch.full((2, 32), torch.nan), torch.zeros(32, 2))},
        {first: (torch.full((2, 32), 1e38), torch.full((32, 2), -torch.inf))},
        {first: (torch.zeros(2, 32).double(), torch.zeros(32, 2).double())},
        {first: (torch.zeros(2, 32).int(), torch.zeros(32, 2).int())},
    ]
    for number, pairs in enumerate(tensors):
        write_adapter(root / f"t{number}", pairs, target_modules="all-linear")
        names.append(f"t{number}")
    weights = (root / "s0" / "adapter_model.safetensors").read_bytes()
    files: list[tuple[bytes | None, bytes | None]] = [
        (None, weights), (b"{", weights), (b"[]", weights), (b"[" * 10**6, weights), (b"\xff" * 9, weights),
        (b" " * (2 << 20), weights), (b"{}", None), (b"{}", b""), (b"{}", b"\xff" * 100), (b"{}", weights[:1000]),
    ]  # fmt: skip
    config = write_adapter(root / "good", good) / "adapter_config.json"
    for number, (settings_bytes, weight_bytes) in enumerate(files):
        place = root / f"f{number}"
        place.mkdir()
        for name, data in (("adapter_config.json", settings_bytes), ("adapter_model.safetensors", weight_bytes)):
            if data is not None:
                (place / name).write_bytes(config.read_bytes() if data == b"{}" else data)
        names.append(place.name)
    return names


def test_hostile_adapters_and_bodies_get_a_clear_400(adapted: Live, stock: Any, folder: Path, tmp_path: Path) -> None:
    names = hostile_folders(folder / "hostile", stock)
    (folder / "outside").symlink_to(write_adapter(tmp_path / "elsewhere", random_pairs(shapes_of(stock))))
    paths = [
        *(f"hostile/{name}" for name in names),
        *("", ".", "..", "/", "/etc", "../..", "outside", str(tmp_path / "elsewhere"), "nowhere", "\0", "a" * 5000),
        *(
            "two/..",
            "./two/../..",
            "~",
            "%2e%2e",
            "file:///etc",
            "hub/name",
            "two\n",
            " two",
            "../two",
            5,
            [],
            {},
            True,
        ),
    ]
    bodies: list[dict[str, Any]] = [
        *({"lora_name": "bad", "lora_path": path} for path in paths),
        *(
            {"lora_name": name, "lora_path": "two"}
            for name in ("", " ", "a b", "a\n", "x" * 257, "one", "gpt-test", 5, [], {}, True, "a\0", "a\t")
        ),
        *({"lora_name": "x"}, {"lora_path": "two"}, {"lora_name": "x", "lora_path": "two", "load_inplace": True}, {}),
    ]
    assert len(bodies) >= 100
    for body in bodies:
        reply = adapted.post("/v1/load_lora_adapter", json=body)
        assert reply.status_code == 400, (body, reply.text)
        assert reply.json()["error"]["message"]
    for name in ("", "nobody", "test-model", "x" * 9999):
        assert adapted.post("/v1/unload_lora_adapter", json={"lora_name": name}).status_code == 404
    assert set(adapted.service.model.adapters) == {"one"}
    assert complete(adapted, "one", seed=7)


def test_nothing_is_loaded_or_unloaded_without_a_folder(tiny_live: Live, folder: Path) -> None:
    for path, body in (
        ("load", {"lora_name": "two", "lora_path": str(folder / "two")}),
        ("unload", {"lora_name": "one"}),
    ):
        reply = tiny_live.post(f"/v1/{path}_lora_adapter", json=body)
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, "not_served")


@pytest.mark.slow
def test_a_new_engine_process_has_the_adapters(tiny_model: Path, folder: Path, expected: dict[str, list[int]]) -> None:
    config = config_with(tiny_model, folder, process=ProcessConfig(mode="process", restart_wait_s=60.0))
    with serving(config) as live:
        load(live, "two")
        load(live, "gone", "three")
        unload(live, "gone")
        pid = live.service.engine_pid
        os.kill(pid, signal.SIGKILL)
        wait_for(lambda: live.service.engine_pid not in (pid, None))
        for name in ("one", "two", "test-model"):
            assert complete(live, name) == expected[name]
        assert live.post("/v1/completions", json={"model": "gone", "prompt": "a"}).status_code == 404
        load(live, "gone", "three")
        assert complete(live, "gone") == expected["three"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("a=/nowhere",), "no folder of an adapter"),
        (("test-model={one}",), "is taken"),
        (("a={one}", "a={one}"), "is taken"),
        (("a={one}", "b={bad}"), "the adapter b in .* cannot be loaded: use_dora"),
    ],
)
def test_settings_that_cannot_be_used_end_the_start(
    given: tuple[str, ...], message: str, tiny_model: Path, folder: Path, tmp_path: Path, stock: Any
) -> None:
    bad = write_adapter(tmp_path / "bad", random_pairs(shapes_of(stock)), use_dora=True)
    names = tuple(each.format(one=folder / "one", bad=bad) for each in given)
    model = ModelConfig(path=str(tiny_model), name="test-model", adapters=names)
    with pytest.raises(ModelLoadError, match=message):
        ModelPool.load(config_for(tiny_model, model=model))
