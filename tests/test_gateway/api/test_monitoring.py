"""The dashboard and the alert rules, by a real Prometheus that scrapes a server under load."""

import json
import re
import shutil
import socket
import subprocess
import threading
import time
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from serving import config_for, serving

from gateway.config import AuditConfig, ServerConfig

MONITORING = Path(__file__).resolve().parents[3] / "examples" / "monitoring"
WINDOW = "3s"
RATES = "[$__rate_interval]"

pytestmark = pytest.mark.skipif(
    shutil.which("prometheus") is None or shutil.which("promtool") is None, reason="Prometheus is not installed"
)

POLICIES = """
default = "loud"
[policies.loud]
output = [{ guard = "terms", terms = ["a", "e", "x", "y"], action = "annotate" }]
"""


def of_vllm(name: str, percent: float = 0.95) -> str:
    return f'histogram_quantile({percent}, sum by (le) (rate(vllm:{name}_bucket{{model_name="$model"}}{RATES})))'


def mean_of_vllm(name: str) -> str:
    return f"rate(vllm:{name}_sum{RATES}) / rate(vllm:{name}_count{RATES})"


VLLM_QUERIES = [
    *(of_vllm(f"{name}_seconds") for name in ("e2e_request_latency", "time_to_first_token", "inter_token_latency")),
    *(of_vllm(f"request_{name}") for name in ("time_per_output_token_seconds", "prompt_tokens", "generation_tokens")),
    *(of_vllm(f"request_params_{name}") for name in ("n", "max_tokens")),
    *(mean_of_vllm(f"request_{name}_time_seconds") for name in ("queue", "prefill", "decode", "inference")),
    *(f"rate(vllm:{name}_tokens_total{{model_name='$model'}}{RATES})" for name in ("prompt", "generation")),
    *(f"vllm:{name}{{model_name='$model'}}" for name in ("num_requests_running", "num_requests_waiting")),
    "max_over_time(vllm:kv_cache_usage_perc[1m])",
    f"sum by (finished_reason) (increase(vllm:request_success_total{RATES}))",
    f"sum(increase(vllm:request_prompt_tokens_bucket{RATES})) by (le)",
    f"rate(vllm:iteration_tokens_total_sum{RATES})",
    f"increase(vllm:prefix_cache_hits_total{RATES}) / increase(vllm:prefix_cache_queries_total{RATES})",
    f"increase(vllm:spec_decode_num_accepted_tokens_total{RATES})",
    f"increase(vllm:spec_decode_num_drafts_total{RATES})",
    "vllm:num_preemptions_total",
    "vllm:prompt_tokens_cached_total",
    "vllm:cache_config_info",
    f"sum by (mode, outcome, request_type) (rate(vllm:tool_call_parser_invocations_total{RATES}))",
]
"""Queries of dashboards for vLLM, by the names of its metrics."""


def panels():
    dashboard = json.loads((MONITORING / "grafana/dashboards/portcullis.json").read_text(encoding="utf-8"))
    return [panel for panel in dashboard["panels"] if panel["type"] != "row"]


@contextmanager
def prometheus(target: str, folder: Path):
    """A Prometheus that scrapes the target by the example's settings, but faster; yields a function that queries it."""
    text = (MONITORING / "prometheus.yml").read_text(encoding="utf-8")
    text = text.replace("_interval: 5s", "_interval: 250ms").replace("portcullis:8000", target)
    (folder / "prometheus.yml").write_text(text, encoding="utf-8")
    shutil.copy(MONITORING / "alerts.yml", folder)
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    command = ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data"]
    with (
        subprocess.Popen([*command, f"--web.listen-address={address}"], stderr=subprocess.DEVNULL) as process,
        httpx.Client(base_url=f"http://{address}", timeout=10) as client,
    ):

        def ask(query: str):
            found = client.get("/api/v1/query", params={"query": query}).json()
            assert found["status"] == "success", (query, found)
            return [sample for sample in found["data"]["result"] if sample["value"][1] != "NaN"]

        try:
            yield ask
        finally:
            process.terminate()


@contextmanager
def loaded(live):
    """Requests of all kinds, one after another, until the end."""
    function = {"name": "f", "parameters": {"type": "object", "properties": {}, "additionalProperties": False}}
    messages = [{"role": "user", "content": "hi, this is a prompt of more than a block of tokens"}]
    chat = {"model": "test-model", "messages": messages, "max_tokens": 16}
    tools = [{"type": "function", "function": function}]
    bodies = [
        chat | {"response_format": {"type": "json_object"}},
        chat | {"tools": tools, "tool_choice": "required", "n": 2, "max_tokens": 40},
        chat | {"regex": "[a-z]{6,60}[xy]"},
        chat,
    ]
    over = threading.Event()

    def run() -> None:
        number = 0
        while not over.is_set():
            body = bodies[number % len(bodies)] | {"seed": number}
            if number % 8 == 2:  # compiled again
                body = body | {"regex": f"[a-z]{{6,60}}[xy]{number}"}
            reply = live.post("/v1/chat/completions", json=body, headers={"authorization": "Bearer k"})
            assert reply.status_code == 200, reply.text
            number += 1

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield thread
    finally:
        over.set()
        thread.join(20)


def filled(query: str) -> str:
    """Return a panel's query as Grafana sends it."""
    return query.replace("$__rate_interval", WINDOW).replace("$model", "test-model")


def test_every_query_returns_data_under_load(tiny_model, tmp_path):
    policies = tmp_path / "policies.toml"
    policies.write_text(POLICIES, encoding="utf-8")
    server = ServerConfig(port=0, api_keys=("k",), policies=str(policies))
    config = config_for(tiny_model, server=server, audit=AuditConfig(url=str(tmp_path / "audit.db")))
    config = replace(config, model=replace(config.model, prompt_price=0.1, completion_price=0.4))
    (tmp_path / "prometheus").mkdir()
    queries = [filled(target["expr"]) for panel in panels() for target in panel["targets"]]
    queries += map(filled, VLLM_QUERIES)
    with ExitStack() as stack:
        live = stack.enter_context(serving(config))
        load = stack.enter_context(loaded(live))
        ask = stack.enter_context(prometheus(live.url.removeprefix("http://"), tmp_path / "prometheus"))
        end = time.monotonic() + 30
        left = queries
        while left and load.is_alive() and time.monotonic() < end:
            time.sleep(0.5)
            try:
                left = [query for query in left if not ask(query)]
            except httpx.ConnectError:
                continue
    assert left == []


def test_panels_use_metrics_of_the_page_and_do_not_overlap():
    page = (MONITORING.parents[1] / "gateway/docs/monitoring.md").read_text(encoding="utf-8")
    places = set()
    for panel in panels():
        for target in panel["targets"]:
            for name in re.findall(r"(?:vllm:|portcullis_)\w+", target["expr"]):
                family = re.sub("_(bucket|sum|count)$", "", name)
                assert f"`{family}`" in page, name
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not places & cells, panel["title"]
        places |= cells


@pytest.mark.parametrize(
    "command", ["check config --syntax-only prometheus.yml", "check rules alerts.yml", "test rules alerts_test.yml"]
)
def test_promtool_accepts_settings_and_rules(command):
    done = subprocess.run(["promtool", *command.split()], cwd=MONITORING, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
