"""guidellm and aiperf, load tools of the field, each through a run against the bundled model, where they are installed."""

import os
import shutil
import subprocess

import pytest

from gateway.embedded import target_path


def run(tool, words, folder):
    binary = shutil.which(tool)
    if binary is None:
        pytest.skip(f"{tool} is not installed")
    # A relative name, as offline an absolute one is taken for a name of the hub.
    shutil.copytree(target_path(), folder / "model")
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    done = subprocess.run(
        [binary, *words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout + done.stderr


def test_guidellm_completes_a_run(live, tmp_path):
    words = [
        *("run", "--backend", f"kind=openai_http,target={live.url},model=test-model"),
        *("--profile", "kind=concurrent,streams=4", "--constraint", "kind=max_requests,count=20"),
        *("--data", "kind=synthetic_text,prompt_tokens=64,output_tokens=32"),
        *("--tokenizer", "kind=hf_auto,model=model", "--disable-console-interactive"),
    ]
    assert "Benchmarking complete" in run("guidellm", words, tmp_path)


def test_aiperf_completes_a_run(live, tmp_path):
    words = [
        *("profile", "--model", "test-model", "--url", live.url, "--endpoint-type", "chat", "--streaming"),
        *("--tokenizer", "./model", "--request-count", "20", "--concurrency", "4"),
        *("--synthetic-input-tokens-mean", "64", "--output-tokens-mean", "32"),
    ]
    run("aiperf", words, tmp_path)
    (report,) = tmp_path.glob("artifacts/*/profile_export_aiperf.json")
    assert '"request_throughput"' in report.read_text(encoding="utf-8")
