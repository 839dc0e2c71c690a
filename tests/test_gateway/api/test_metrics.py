"""What Prometheus reads."""

import asyncio

import pytest
from audit_files import Held, log_at
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families
from serving import config_for, serving

from gateway.api.operation.metrics import AuditMetrics
from gateway.commands.loop_watch import Held as LoopHeld
from gateway.commands.loop_watch import HeldLog
from gateway.config import AuditConfig, ServerConfig


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
            told = {name: value for name, value in record_of(reply.text).items() if not name.startswith("portcullis")}
            assert told == (NOTHING | {"records_total": 2} if is_audited else {})


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
    log = HeldLog()
    log(LoopHeld(0.3, 0.1, "somewhere"))
    log(LoopHeld(0.2, 0.1, "somewhere"))
    told = record_of(generate_latest(log).decode())
    assert told == {"portcullis_event_loop_held_total": 2, "portcullis_event_loop_held_seconds_total": 0.5}
