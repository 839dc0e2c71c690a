"""Several models on one server: chosen by name, loaded on demand, unloaded when idle or where memory is short."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import httpx
import pytest
from held_engine import wait_for
from prometheus_client.parser import text_string_to_metric_families
from served_process import served
from serving import config_for, serving
from tiny_model import write_tiny_model

from gateway.config import ServerConfig, load_config
from gateway.errors import ConfigError
from gateway.service.model_pool import ModelPool

NAMES = ("one", "two", "three")
CHOICE = {
    "messages": [{"role": "user", "content": "hi"}],
    "max_tokens": 8,
    "temperature": 0,
    "guided_regex": "[a-z]{8}",
}


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    return {
        name: write_tiny_model(tmp_path_factory.mktemp(name), seed=number) for number, name in enumerate(NAMES, start=5)
    }


def config_of(paths, on_demand=("three",), **server):
    base = config_for(None, server=ServerConfig(port=0, **server))
    models = tuple(
        replace(base, model=replace(base.model, path=str(path), name=name, aliases=(f"{name}:small",),
                                    on_demand=name in on_demand))
        for name, path in paths.items()
    )  # fmt: skip
    return replace(base, model=load_config(environment={}).model, models=models)


def answer(live, name, **more):
    reply = live.post("/v1/chat/completions", json={**CHOICE, "model": name, **more})
    assert reply.status_code == 200, reply.text
    return reply.json()["choices"][0]["message"]["content"]


@pytest.fixture(scope="module")
def expected(paths):
    """The answer of each model on a server of its own."""
    found = {}
    for name, path in paths.items():
        with serving(config_for(path)) as live:
            found[name] = answer(live, "test-model")
    assert len(set(found.values())) == len(NAMES)
    return found


def loaded(live):
    return {model["name"].removesuffix(":latest") for model in live.get("/api/ps").json()["models"]}


@pytest.fixture(scope="module")
def bounded_live(paths):
    """Room for two models of three."""
    with serving(config_of(paths)) as live:
        size = max(entry.num_bytes for entry in live.pool.entries)
    with serving(config_of(paths, max_model_bytes=2 * size + size // 2)) as live:
        yield live


def test_a_model_that_is_asked_for_takes_the_place_of_the_one_idle_longest(bounded_live, expected):
    assert loaded(bounded_live) == {"one", "two"}
    assert [answer(bounded_live, name) for name in ("two", "one")] == [expected["two"], expected["one"]]
    assert answer(bounded_live, "three") == expected["three"]
    assert loaded(bounded_live) == {"one", "three"}
    for name in (*NAMES, *reversed(NAMES)):
        assert answer(bounded_live, name) == expected[name]
        assert name in loaded(bounded_live)
        assert len(loaded(bounded_live)) == 2


def test_requests_for_all_models_at_once_are_all_answered_right(bounded_live, expected):
    asked = [NAMES[number % 3] for number in range(18)]
    with ThreadPoolExecutor(9) as threads:
        assert list(threads.map(lambda name: answer(bounded_live, name), asked)) == [expected[name] for name in asked]


def test_models_in_use_are_not_unloaded(bounded_live, expected):
    """A third model waits until a stream of one of the two others has ended."""
    both = ("one", "two")
    for name in both:
        answer(bounded_live, name)
    body = {"prompt": "x", "max_tokens": 100, "ignore_eos": True, "stream": True}
    entries = {entry.served.name: entry for entry in bounded_live.pool.entries}
    for name in both:
        entries[name].num_in_use += 1  # as a stream that does not end
    with ThreadPoolExecutor(1) as threads:
        third = threads.submit(answer, bounded_live, "three")
        time.sleep(0.3)
        assert not third.done()
        assert loaded(bounded_live) == set(both)
        streamed = bounded_live.post("/v1/completions", json={**body, "model": "one"})
        assert streamed.text.endswith("data: [DONE]\n\n")
        entries["two"].num_in_use -= 1
        answer(bounded_live, "two")  # its end wakes those who wait
        assert third.result(30) == expected["three"]
    entries["one"].num_in_use -= 1
    assert loaded(bounded_live) == {"one", "three"}


def test_each_dialect_chooses_by_name(bounded_live):
    message = {"model": "two", "max_tokens": 5, "messages": CHOICE["messages"]}
    assert bounded_live.post("/v1/messages", json=message).json()["model"] == "two"
    chat = {"model": "two:latest", "messages": CHOICE["messages"], "stream": False, "options": {"num_predict": 5}}
    assert bounded_live.post("/api/chat", json=chat).json()["model"] == "two:latest"
    reply = bounded_live.post("/v1/responses", json={"model": "two:small", "input": "hi", "max_output_tokens": 16})
    assert reply.json()["model"] == "two:small"
    reply = bounded_live.post("/generate", json={"inputs": "hi", "parameters": {"max_new_tokens": 3}})
    assert reply.status_code == 200, "without a name: the first model"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/chat/completions", {"model": "four", **CHOICE}),
        ("/v1/messages", {"model": "four", "max_tokens": 5, "messages": CHOICE["messages"]}),
        ("/api/chat", {"model": "four", "messages": CHOICE["messages"]}),
    ],
)
def test_an_unknown_name_is_refused_with_those_that_are_served(bounded_live, path, body):
    reply = bounded_live.post(path, json=body)
    assert reply.status_code == 404
    assert "one, one:small, two, two:small, three, three:small" in reply.text


def test_lists_have_every_model_and_load_none(bounded_live, paths):
    before = loaded(bounded_live)
    names = [name for each in NAMES for name in (each, f"{each}:small")]
    assert [model["id"] for model in bounded_live.get("/v1/models").json()["data"]] == names
    tags = bounded_live.get("/api/tags").json()["models"]
    assert [tag["name"].removesuffix(":latest") for tag in tags] == names
    assert all(tag["size"] > 1000 and tag["details"]["family"] == "llama" for tag in tags)
    for name in NAMES:
        assert bounded_live.get(f"/v1/models/{name}").json()["max_model_len"] > 0
        assert bounded_live.post("/api/show", json={"model": name}).json()["model_info"]["general.parameter_count"]
    assert loaded(bounded_live) == before


def test_metrics_name_the_model_and_go_on_after_it_was_unloaded(bounded_live):
    def tokens():
        families = text_string_to_metric_families(bounded_live.get("/metrics").text)
        return {
            sample.labels["model_name"]: sample.value
            for family in families
            for sample in family.samples
            if sample.name == "vllm:generation_tokens_total"
        }

    before, used = tokens(), {}
    assert set(before) == set(NAMES)
    for name in NAMES:
        reply = bounded_live.post("/v1/chat/completions", json={**CHOICE, "model": name}).json()
        used[name] = reply["usage"]["completion_tokens"]
    wait_for(lambda: tokens() == {name: before[name] + used[name] for name in NAMES}, 10)
    assert len(loaded(bounded_live)) == 2


def test_idle_models_are_unloaded_and_a_request_may_say_when(paths, expected):
    with serving(config_of(paths, on_demand=NAMES, unload_after_s=0.5)) as live:
        assert live.get("/ready").status_code == 200
        assert loaded(live) == set()
        assert live.post("/api/generate", json={"model": "one"}).json()["done_reason"] == "load"
        assert live.post("/api/generate", json={"model": "two", "keep_alive": -1}).json()["done_reason"] == "load"
        (two,) = [model for model in live.get("/api/ps").json()["models"] if model["name"].startswith("two")]
        assert two["expires_at"].startswith("9999")
        wait_for(lambda: loaded(live) == {"two"})
        assert answer(live, "one") == expected["one"]
        assert live.post("/api/generate", json={"model": "two", "keep_alive": 0}).json()["done_reason"] == "unload"
        wait_for(lambda: loaded(live) == set())


def test_models_of_the_start_that_are_never_used_are_unloaded_too(paths, expected):
    with serving(config_of(paths, on_demand=("three",), unload_after_s=0.5)) as live:
        wait_for(lambda: loaded(live) == set())
        assert answer(live, "one") == expected["one"]


def test_a_model_that_cannot_be_loaded_harms_its_own_requests_alone(paths, expected, tmp_path):
    broken = write_tiny_model(tmp_path / "broken")
    with serving(config_of(paths | {"three": broken})) as live:
        (weights,) = broken.glob("*.safetensors")
        weights.write_bytes(weights.read_bytes()[:1000])
        reply = live.post("/v1/chat/completions", json={**CHOICE, "model": "three"})
        assert (reply.status_code, reply.json()["error"]["code"]) == (503, "not_ready")
        assert str(broken) not in reply.text
        assert answer(live, "one") == expected["one"]


def test_a_model_larger_than_the_bound_is_refused(paths):
    with serving(config_of(paths, on_demand=NAMES, max_model_bytes=1000)) as live:
        reply = live.post("/v1/chat/completions", json={**CHOICE, "model": "one"})
        assert reply.status_code == 503
        assert "server.max_model_bytes is 1000" in reply.text


def test_models_of_the_start_must_fit(paths):
    with pytest.raises(ConfigError, match="max_model_bytes is 1000"):
        ModelPool.load(config_of(paths, max_model_bytes=1000))


def test_two_models_need_two_names(paths):
    config = config_of(paths)
    first, second, _ = config.models
    twice = replace(config, models=(first, replace(second, model=replace(second.model, aliases=("one",)))))
    with pytest.raises(ConfigError, match="two models have the name one"):
        ModelPool.load(twice)


def test_a_file_and_flags_name_models(paths, tmp_path):
    file = tmp_path / "portcullis.toml"
    file.write_text(
        f"""
[engine]
num_threads = 1
max_num_seqs = 3

[models."qwen2.5"]
path = "{paths["one"]}"
on_demand = true

[models.small]
path = "{paths["two"]}"
aliases = ["tiny"]
engine = {{ max_num_seqs = 2 }}
""",
        encoding="utf-8",
    )
    config = load_config(file, environment={}, models={"third": str(paths["three"])})
    first, second, third = config.every_model
    assert (first.model.name, first.model.on_demand, first.engine.max_num_seqs) == ("qwen2.5", True, 3)
    assert (second.model.aliases, second.engine.max_num_seqs, second.engine.num_threads) == (("tiny",), 2, 1)
    assert (third.model.name, third.model.path) == ("third", str(paths["three"]))


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def children(pid):
    found, left = [], [pid]
    while left:
        for task in os.listdir(f"/proc/{(each := left.pop())}/task"):
            with open(f"/proc/{each}/task/{task}/children", encoding="ascii") as file:
                new = [int(text) for text in file.read().split()]
            found += new
            left += new
    return found


def resident(pid):
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("num_loads", [1, pytest.param(50, marks=pytest.mark.slow)])
def test_loads_on_demand_leak_nothing(paths, expected, tmp_path, num_loads):
    """Each model in processes of its own, under the command."""
    file = tmp_path / "portcullis.toml"
    file.write_text(f'[models.three]\npath = "{paths["three"]}"\non_demand = true\nengine = {{ dtype = "float32" }}\n')
    flags = ["serve", "--port", "0", "--config", str(file), "--model", f"one={paths['one']}", "--dtype", "float32"]
    with served(None, False, flags=flags) as command, httpx.Client(base_url=command.url, timeout=60) as server:
        figures = []
        for _ in range(num_loads):
            assert server.post("/api/generate", json={"model": "three"}).json()["done_reason"] == "load"
            for name in ("one", "three"):
                assert answer(server, name) == expected[name]
            gone = server.post("/api/generate", json={"model": "three", "keep_alive": 0})
            assert gone.json()["done_reason"] == "unload"
            wait_for(lambda: loaded(server) == {"one"})
            pid = command.process.pid
            figures.append((resident(pid), descriptors(pid), len(children(pid))))
        (first, fds, processes), (last, *_) = figures[0], figures[-1]
        wait_for(lambda: descriptors(pid) <= fds + 2)  # some are being closed
        wait_for(lambda: len(children(pid)) <= processes + 2)  # some are being ended, or there to spare
        assert last < first + (32 << 20), figures
