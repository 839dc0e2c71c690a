"""What Prometheus reads."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest
from audit_files import Held, log_at
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families
from serving import config_for, serving

from gateway.api.operation.engine_metrics import VLLM_HISTOGRAMS
from gateway.api.operation.metrics import AuditMetrics
from gateway.config import AuditConfig, ProcessConfig, ServerConfig
from gateway.engine.histograms import TOKEN_HISTOGRAMS
from gateway.hosting.loop_watch import LoopStall, StallLog


def record_of(text):
    """Values by name and reason."""
    families = text_string_to_metric_families(text)
    samples = [sample for family in families for sample in family.samples]
    return {
        " ".join((each.name.removeprefix("portcullis_audit_"), *each.labels.values())): each.value for each in samples
    }


def told_of(log):
    return record_of(generate_latest(AuditMetrics(log)).decode())


NOTHING = {
    "records_total": 1,  # the file begins
    "missing_requests_total no_room": 0,
    "missing_requests_total not_written": 0,
    "write_failures_total": 0,
    "waiting_requests": 0,
}


async def write(log, num=1):
    for number in range(num):
        await log.write([{"kind": "request", "number": number}])


def test_what_is_committed_and_what_waits_is_told(tmp_path):
    async def run(log, held):
        tasks = [asyncio.create_task(write(log)) for _ in range(3)]
        while log.num_waiting < 3:
            await asyncio.sleep(0.001)
        assert told_of(log) == NOTHING | {"waiting_requests": 3}
        held.may.set()
        await asyncio.gather(*tasks)

    with log_at(tmp_path / "a.db") as log:
        asyncio.run(run(log, Held(log)))
    assert told_of(log) == NOTHING | {"records_total": 4}


def test_what_finds_no_room_is_told(tmp_path):
    with log_at(tmp_path / "a.db", backpressure="drop", max_waiting=3) as log:
        held = Held(log)
        asyncio.run(write(log, 20))
        told = told_of(log)
        assert told["missing_requests_total no_room"] == 20 - told["waiting_requests"] >= 14
        assert told["missing_requests_total not_written"] == told["write_failures_total"] == 0
        held.may.set()


def test_what_cannot_be_written_is_told(tmp_path):
    with log_at(tmp_path / "a.db", on_failure="go_on") as log:
        held = Held(log)
        held.error = OSError(28, "No space left on device")
        held.may.set()
        asyncio.run(write(log, 2))
        expected = NOTHING | {"missing_requests_total not_written": 2, "write_failures_total": 2}
        assert told_of(log) == expected
        held.error = None
        asyncio.run(write(log))
    # With the record that tells of those that are missing.
    assert told_of(log) == expected | {"records_total": 3}


@pytest.mark.parametrize("is_audited", [True, False])
def test_metrics_are_told_without_a_key_and_without_a_record(tiny_model, tmp_path, is_audited):
    audit = AuditConfig(url=str(tmp_path / "a.db") if is_audited else None)
    with serving(config_for(tiny_model, server=ServerConfig(port=0, api_keys=("k",)), audit=audit)) as live:
        assert live.get("/v1/models").status_code == 401
        for _ in range(2):
            reply = live.get("/metrics")
            assert reply.status_code == 200
            assert reply.headers["content-type"].startswith("text/plain; version=")
            told = {name: value for name, value in record_of(reply.text).items() if name in NOTHING}
            assert told == (NOTHING | {"records_total": 2} if is_audited else {})


def test_metrics_may_have_a_key_of_their_own(tiny_model):
    server = ServerConfig(port=0, api_keys=("k",), metrics_key="watcher")
    with serving(config_for(tiny_model, server=server)) as live:

        def status(path, key):
            return live.get(path, headers={"authorization": f"Bearer {key}"} if key else {}).status_code

        assert [status("/metrics", key) for key in (None, "k", "watcher")] == [401, 401, 200]
        assert status("/v1/models", "watcher") == 401


def test_the_engine_tells_what_it_did(tiny_live):
    before = record_of(tiny_live.get("/metrics").text)
    body = {"prompt": "count", "max_tokens": 5, "structured_outputs": {"choice": ["yes"]}}
    reply = tiny_live.post("/v1/completions", json=body).json()
    after = record_of(tiny_live.get("/metrics").text)
    grown = {name: after[name] - before.get(name, 0) for name in after}
    assert grown["portcullis_output_tokens_total"] == reply["usage"]["completion_tokens"]
    assert grown["portcullis_prompt_tokens_total"] == reply["usage"]["prompt_tokens"]
    assert grown["portcullis_requests_total stop"] == 1
    assert after["portcullis_requests_running"] == after["portcullis_requests_waiting"] == 0
    assert after["portcullis_kv_blocks_free"] == after["portcullis_kv_blocks"] > 0


def test_what_holds_the_loop_is_told():
    log = StallLog()
    log(LoopStall(0.3, 0.1, "somewhere"))
    log(LoopStall(0.2, 0.1, "somewhere"))
    told = record_of(generate_latest(log).decode())
    assert told == {"portcullis_event_loop_held_total": 2, "portcullis_event_loop_held_seconds_total": 0.5}


def samples_of(text):
    """Values by name and labels, `model_name` left out."""
    return {
        (each.name, tuple(value for label, value in each.labels.items() if label != "model_name")): each.value
        for family in text_string_to_metric_families(text)
        for each in family.samples
        if each.name.startswith("vllm:")
    }


def test_vllm_names_have_the_counts_of_requests(tiny_live):
    before = samples_of(tiny_live.get("/metrics").text)
    body = {"prompt": "count", "max_tokens": 5, "ignore_eos": True, "seed": 1}
    usages = [tiny_live.post("/v1/completions", json=body).json()["usage"] for _ in range(3)]
    text = tiny_live.get("/metrics").text
    after = samples_of(text)
    grown = {name: value - before[name] for name, value in after.items()}
    num_tokens = sum(usage["completion_tokens"] for usage in usages)
    assert grown["vllm:generation_tokens_total", ()] == grown["vllm:request_generation_tokens_sum", ()] == num_tokens
    assert grown["vllm:prompt_tokens_total", ()] == sum(usage["prompt_tokens"] for usage in usages)
    assert sum(value for (name, _), value in grown.items() if name == "vllm:request_success_total") == 3
    for name in VLLM_HISTOGRAMS:
        if name not in TOKEN_HISTOGRAMS or name == "time_to_first_token_seconds":
            assert grown[f"vllm:{name}_count", ()] == grown[f"vllm:{name}_bucket", ("+Inf",)] == 3, name
    times = {name: grown[f"vllm:{name}_sum", ()] for name in VLLM_HISTOGRAMS}
    parts = [times[f"request_{part}_time_seconds"] for part in ("prefill", "decode", "inference")]
    assert parts[0] + parts[1] == pytest.approx(parts[2])
    assert 0 < times["time_to_first_token_seconds"] <= times["e2e_request_latency_seconds"]
    assert after["vllm:kv_cache_usage_perc", ()] == after["vllm:num_requests_running", ()] == 0
    assert all(
        f'model_name="{tiny_live.service.model.name}"' in line for line in text.splitlines() if "vllm:" in line[:5]
    )
    assert "process_resident_memory_bytes" in text


def values_of(live):
    """Values of all families by name and the labels' values, in the order of their names."""
    families = text_string_to_metric_families(live.get("/metrics").text)
    return {(each.name, *each.labels.values()): each.value for family in families for each in family.samples}


def test_constraints_are_counted_when_they_are_compiled_and_when_masks_are_filled(tiny_live):
    before = values_of(tiny_live)
    body = {"prompt": "count", "max_tokens": 8, "structured_outputs": {"regex": "[a-z]{6,60}[xy]"}, "n": 4, "seed": 1}
    for _ in range(2):
        assert tiny_live.post("/v1/completions", json=body).status_code == 200
    after = values_of(tiny_live)
    grown = {name: value - before.get(name, 0) for name, value in after.items()}
    assert grown["portcullis_constraint_lookups_total", "miss"] == 1
    assert grown["portcullis_constraint_lookups_total", "hit"] == 1
    assert grown["portcullis_compile_seconds_count", "regex"] == 1
    assert grown["portcullis_mask_row_seconds_count",] >= 2
    assert 0 < grown["portcullis_mask_row_seconds_sum",] < 10
    assert grown["portcullis_checks_total", "automaton", "pattern", "passed", "answer"] == 8
    assert grown["portcullis_masks_narrowed_total",] > 0
    assert after["portcullis_constraints_waiting",] == 0
    assert after["portcullis_resident_memory_bytes", "api"] > 1 << 20
    model = tiny_live.service.model.name
    assert grown["vllm:iteration_tokens_total_count", model] == grown["portcullis_steps_total",]
    assert after["vllm:cache_config_info", "16", "True", model, str(int(after["portcullis_kv_blocks",]))] == 1


def test_every_family_is_in_the_page(tiny_live):
    families = re.findall(r"^# TYPE (\S+)", tiny_live.get("/metrics").text, re.MULTILINE)
    own = [name for name in families if not name.startswith(("process_", "portcullis_engine_process_"))]
    page = Path("gateway/docs/monitoring.md").read_text(encoding="utf-8")
    assert [name for name in own if f"| `{name}` |" not in page] == []
    assert len(own) > 50


@pytest.mark.parametrize("mode", ["streaming", "non_streaming"])
def test_answers_to_requests_with_tools_are_counted(tiny_live, mode):
    function = {"name": "f", "parameters": {"type": "object", "properties": {}, "additionalProperties": False}}
    body = {
        "model": "test-model",
        "messages": [{"role": "user", "content": "hi"}],
        "tools": [{"type": "function", "function": function}],
        "tool_choice": "required",
        "stream": mode == "streaming",
        "n": 2,
        "max_tokens": 90,
        "seed": 1,
    }
    name, model = "vllm:tool_call_parser_invocations_total", tiny_live.service.model.name
    called, other = ((name, mode, model, each, "chat_completions") for each in ("tool_call", "no_tool_call"))
    bucket = "vllm:request_params_n_bucket", "2.0", model
    before = values_of(tiny_live)
    assert tiny_live.post("/v1/chat/completions", json=body).status_code == 200
    grown = {}
    while not grown.get(bucket):  # a request is counted when its connection has nothing more to do
        after = values_of(tiny_live)
        grown = {key: after.get(key, 0) - before.get(key, 0) for key in (called, other, bucket)}
    assert grown == {called: 2, other: 0, bucket: 1}


def test_tokens_have_a_cost_where_the_settings_price_them(tiny_model):
    config = config_for(tiny_model)
    config = replace(config, model=replace(config.model, prompt_price=2.0, completion_price=50.0))
    with serving(config) as live:
        used = live.post("/v1/completions", json={"prompt": "count", "max_tokens": 3}).json()["usage"]
        values = values_of(live)
    assert values["portcullis_cost_total", "", "prompt"] == used["prompt_tokens"] * 2 / 1000
    assert values["portcullis_cost_total", "", "completion"] == used["completion_tokens"] * 50 / 1000
    assert values["portcullis_price_per_1k_tokens", "completion", "test-model"] == 50


def test_http_requests_are_counted_by_route_and_status(tiny_live):
    for path in ("/v1/models", "/nowhere/at-all", "/elsewhere"):
        tiny_live.get(path)
    tiny_live.post("/v1/completions", json={"prompt": 5.5})
    name = "portcullis_http_requests_total"
    lines = [line for line in tiny_live.get("/metrics").text.splitlines() if line.startswith(name)]
    assert any('method="GET",route="/v1/models",status="200"' in line for line in lines)
    assert any('method="POST",route="/v1/completions",status="400"' in line for line in lines)
    assert not any("nowhere" in line or "elsewhere" in line for line in lines)


def test_totals_do_not_fall_when_the_engine_is_killed(tiny_model):
    config = config_for(tiny_model, process=ProcessConfig(mode="process", restart_wait_s=60.0))
    body = {"prompt": "count", "max_tokens": 5}
    with serving(config) as live:
        assert live.post("/v1/completions", json=body).status_code == 200
        before = live.get("/metrics").text
        assert "portcullis_engine_process_resident_memory_bytes" in before
        os.kill(live.service.engine_pid, signal.SIGKILL)
        while live.service.num_restarts == 0:
            assert_no_total_fell(samples_of(before), samples_of(live.get("/metrics").text))
            time.sleep(0.02)
        assert live.post("/v1/completions", json=body).status_code == 200
        after = samples_of(live.get("/metrics").text)
    assert_no_total_fell(samples_of(before), after)
    assert sum(value for (name, _), value in after.items() if name == "vllm:request_success_total") == 2
    assert after["vllm:time_to_first_token_seconds_count", ()] == 2


def assert_no_total_fell(before, after):
    for key, value in before.items():
        assert key[0].endswith(("_running", "_waiting", "_perc", "_info")) or after[key] >= value, key


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_promtool_reads_the_text(tiny_live):
    checked = subprocess.run(
        ["promtool", "check", "metrics"], input=tiny_live.get("/metrics").content, capture_output=True, check=False
    )
    problems = (checked.stdout + checked.stderr).decode().splitlines()
    # vLLM's names have a colon, which the tool keeps for recording rules, and one of its histograms ends in `_total`.
    assert [line for line in problems if not line.startswith("vllm:")] == []
    assert all("':'" in line or line.startswith("vllm:iteration_tokens_total ") for line in problems), problems
