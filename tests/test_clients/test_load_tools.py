"""guidellm and aiperf, load tools of the field: a run of each against the bundled model, where they are installed."""

import os
import shutil
import subprocess

import pytest

from gateway.embedded import target_path


def run(tool, words, folder, **variables):
    binary = shutil.which(tool)
    # A relative name: aiperf takes an absolute one for a name of the hub.
    shutil.copytree(target_path(), folder / "model")
    environment = os.environ | variables
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


@pytest.mark.skipif(shutil.which("guidellm") is None, reason="guidellm is not installed")
def test_guidellm_completes_a_run(server, tmp_path):
    words = [
        *("run", "--backend", f"kind=openai_http,target={server.url},model={server.model}"),
        *("--profile", "kind=concurrent,streams=4", "--constraint", "kind=max_requests,count=20"),
        *("--data", "kind=synthetic_text,prompt_tokens=64,output_tokens=32"),
        *("--tokenizer", "kind=hf_auto,model=model", "--disable-console-interactive"),
    ]
    assert "Benchmarking complete" in run("guidellm", words, tmp_path, HF_HUB_OFFLINE="1")


@pytest.mark.skipif(shutil.which("aiperf") is None, reason="aiperf is not installed")
def test_aiperf_completes_a_run(server, tmp_path):
    words = [
        *("profile", "--model", server.model, "--url", server.url, "--endpoint-type", "chat", "--streaming"),
        *("--tokenizer", "./model", "--request-count", "20", "--concurrency", "4"),
        *("--synthetic-input-tokens-mean", "64", "--output-tokens-mean", "32"),
    ]
    run("aiperf", words, tmp_path)
    (report,) = tmp_path.glob("artifacts/*/profile_export_aiperf.json")
    assert '"request_throughput"' in report.read_text(encoding="utf-8")
