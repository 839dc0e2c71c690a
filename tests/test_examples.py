"""Every example runs, as a user would run it: a script of its own, against `portcullis serve` on the embedded model."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    """Where a freshly started command serves; it ends on SIGTERM, without complaint."""
    command = [sys.executable, "-m", "gateway", "serve", "--port", "0", "--threads", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield from _serving(process)
        finally:
            process.kill()


def _serving(process: subprocess.Popen[str]) -> Iterator[str]:
    assert process.stderr is not None
    said: list[str] = []
    for line in process.stderr:
        said.append(line)
        if found := re.search(r"serving portcullis on (http://\S+/v1)", line):
            break
    else:
        pytest.fail("the server did not start:\n" + "".join(said))
    rest: list[str] = []
    reader = threading.Thread(target=lambda: rest.extend(process.stderr or []))
    reader.start()
    yield found[1]
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
    names = [path.name for path in EXAMPLES.iterdir() if path.name != "__pycache__"]
    assert names
    assert [name for name in names if f'run("{name}"' not in source] == []


def test_function_calling_agent_calls_a_function_and_answers(base_url):
    said = run("function_calling_agent.py", base_url)
    assert re.search(r'^call    (get_weather|get_time)\(\{"city":.*\}\) -> \{', said, re.MULTILINE)
    assert re.search(r"^answer  .", said, re.MULTILINE)


def test_extract_with_pydantic_prints_the_record(base_url):
    said = run("extract_with_pydantic.py", base_url)
    fields = dict(line.split(maxsplit=1) for line in said.splitlines())
    assert list(fields) == ["number", "customer", "total", "currency", "due_date"]
    assert fields["currency"] in ("EUR", "USD", "CHF")
    assert date.fromisoformat(fields["due_date"])


def test_guided_generation_keeps_to_its_shapes(base_url):
    said = run("guided_generation.py", base_url)
    assert re.fullmatch(r"label  (billing|shipping|technical|refund)\nphone  \+[0-9 ]+\n", said)


def test_screen_output_blocks_the_denied_phrase_and_judges_the_rest(base_url):
    said = run("screen_output.py", base_url, "Good morning.", "My PASSWORD: 1234")
    assert re.match(r"(pass |block)  Good morning\.\n       the model says (ham|spam) \([0-9]+%\)\n", said)
    assert "\nblock  My PASSWORD: 1234\n       it holds one of the denied terms\n" in said


def test_outlines_over_http_prints_values_of_its_types(base_url):
    said = run("outlines_over_http.py", base_url)
    order, urgency, phone = (line.split(maxsplit=1)[1] for line in said.splitlines())
    assert re.fullmatch(r"item='.{1,30}' quantity=[1-9][0-9]?", order)
    assert urgency in ("today", "this week", "whenever")
    assert re.fullmatch(r"\+[1-9]{2}( [0-9]{2,4}){2,4}", phone)


def test_outlines_in_process_prints_a_text_of_its_type():
    said = run("outlines_in_process.py", None)
    assert re.fullmatch(r"(bug|wish) #[1-9][0-9]{2,4}( open| closed)?\n", said)


def test_readme_curl_gets_the_record_that_it_asks_for(base_url):
    found = re.search(r"^curl http://127\.0\.0\.1:8000/v1(\S+) -H .* -d '(.+?)'$", README, re.MULTILINE | re.DOTALL)
    assert found
    reply = httpx.post(base_url + found[1], json=json.loads(found[2]), timeout=300)
    assert reply.status_code == 200, reply.text
    record = json.loads(reply.json()["choices"][0]["message"]["content"])
    assert list(record) == ["number", "total", "currency"]
    assert re.fullmatch("[A-Z]{2}-[0-9]{4}", record["number"])


def test_readme_client_parses_the_answer(base_url):
    code = README.split("```python\n")[1].split("```")[0]
    assert "http://127.0.0.1:8000/v1" in code
    code = code.replace("http://127.0.0.1:8000/v1", base_url)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"city=.* degrees=-?[0-9]+\n", done.stdout)
