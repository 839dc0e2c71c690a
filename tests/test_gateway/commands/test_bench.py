"""`portcullis bench`: runs against real servers, one of which answers wrongly, and the figures of known times."""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice, pairwise
from pathlib import Path

import pytest
from serving import config_for, serving

from gateway.cli import main
from gateway.errors import ConfigError
from gateway.load_test.arrival import Load
from gateway.load_test.client import Answer
from gateway.load_test.prompts import Prompt, file_prompts, made_prompts, read_mix
from gateway.load_test.statistics import read_objectives, run_figures
from gateway.load_test.validity import Validity

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}
SHAPE = {"response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": SCHEMA}}}
TOOLS = {"tools": [{"type": "function", "function": {"name": "f", "parameters": SCHEMA}}], "tool_choice": "required"}
HELLO = {"messages": [{"role": "user", "content": "hi"}]}


@pytest.fixture(scope="module")
def url(tiny_model):
    with serving(config_for(tiny_model)) as live:
        yield f"{live.url}/v1"


def bench(url, *words):
    return main(["bench", "--base-url", url, "--warm-up", "1", *words])


def runs_of(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))["runs"]


def test_every_kind_of_request_is_sent_and_checked(url, tmp_path, capsys):
    out = tmp_path / "out.json"
    assert bench(url, "--requests", "12", "--concurrency", "1,4", "--max-tokens", "200", "--json", str(out)) == 0
    table = capsys.readouterr().out
    assert re.search(r"^ +concurrency 1 +concurrency 4$", table, re.MULTILINE)
    assert re.search(r"^valid % +100\.0 +100\.0$", table, re.MULTILINE)
    for run, under_way in zip(runs_of(out), (1, 4), strict=True):
        assert (run["load"], run["requests"], run["failed"]) == ({"concurrency": under_way}, 12, 0)
        assert set(run["kinds"]) == {"chat", "extraction", "tools"}
        assert run["valid"] == run["checked"] == sum(run["kinds"][kind]["requests"] for kind in ("extraction", "tools"))
        assert run["output_tokens"] == sum(answer["output_tokens"] for answer in run["answers"]) > 12
        assert 0 < run["ttft_ms"]["p50"] <= run["ttft_ms"]["p99"] <= run["e2el_ms"]["p99"]


def test_an_open_loop_sends_at_its_rate_and_waits_for_no_answer(url, tmp_path, capsys):
    out, page = tmp_path / "out.json", tmp_path / "out.html"
    words = [
        "--requests",
        "20",
        "--rate",
        "20,40",
        "--mix",
        "chat",
        "--max-tokens",
        "4",
        "--goodput",
        "ttft:60000",
        "e2el:0.001",
    ]
    assert bench(url, *words, "--json", str(out), "--html", str(page)) == 0
    first, second = runs_of(out)
    gaps = [[later - earlier for earlier, later in pairwise(due)] for due in
            ([answer["due_s"] for answer in run["answers"]] for run in (first, second))]  # fmt: skip
    assert gaps[0] == pytest.approx([2 * gap for gap in gaps[1]]), "the same arrivals, at twice the rate"
    assert sum(gaps[0]) / 19 == pytest.approx(1 / 20, rel=0.6)
    assert (first["goodput_per_s"], first["checked"]) == (0, 0)
    assert "valid %" not in capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 10
    assert not re.search(r"(?:src|href|url\()[=\"']?https?:", text)


class Stub(BaseHTTPRequestHandler):
    """Streams a call, a JSON text, or half of it, whatever was asked."""

    def log_message(self, *_):
        """Say nothing."""

    def do_GET(self):
        self.reply("application/json", b'{"data": [{"id": "stub"}]}')

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        word = body["messages"][0]["content"]
        if word == "refuse":
            return self.reply("application/json", b'{"error": {"code": "overloaded"}}', 429)
        if word == "call":
            delta = {"tool_calls": [{"index": 0, "function": {"name": "f", "arguments": '{"b": 1}'}}]}
        else:
            delta = {"content": {"right": '{"a": 1}', "wrong": '{"a": "x"}'}.get(word, '{"a": ')}
        reason = "length" if word == "cut" else "stop"
        choices = [{"delta": delta, "finish_reason": None}], [{"delta": {}, "finish_reason": reason}]
        events = [json.dumps({"choices": each}) for each in choices]
        if word != "broken":
            events.append("[DONE]")
        self.reply("text/event-stream", "".join(f"data: {event}\n\n" for event in events).encode())

    def reply(self, kind, data, status=200):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def stub():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stub)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def write_lines(path, *entries):
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return str(path)


def asking(word, shape):
    return {"messages": [{"role": "user", "content": word}], **shape}


def test_answers_of_other_servers_are_checked_here(stub, tmp_path, capsys):
    words = [
        ("right", SHAPE),
        ("wrong", SHAPE),
        ("cut", SHAPE),
        ("call", TOOLS),
        ("right", TOOLS),
        ("broken", SHAPE),
        ("refuse", {}),
    ]
    file = write_lines(tmp_path / "in.jsonl", *(asking(*each) for each in words))
    out = tmp_path / "out.json"
    assert bench(stub, "--input", file, "--requests", "7", "--concurrency", "1", "--json", str(out)) == 0
    (run,) = runs_of(out)
    # The warm-up took the first line, so that the file begins anew within the run.
    answers = {(answer["kind"], answer["fault"] or answer["error"]) for answer in run["answers"]}
    assert (run["failed"], run["errors"]) == (2, {"stream cut off": 1, "429 overloaded": 1})
    assert (run["checked"], run["valid"]) == (6, 1)
    assert ("json", "the answer is cut off") in answers
    assert ("tools", "no tool is called") in answers
    assert run["faults"]["stream cut off"] == 1
    table = capsys.readouterr().out
    assert "1 failed: 429 overloaded" in table
    assert "1 not valid: the answer is cut off" in table


def test_a_run_without_an_answer_is_a_failure(stub, tmp_path):
    file = write_lines(tmp_path / "in.jsonl", asking("refuse", {}))
    assert bench(stub, "--input", file, "--requests", "3") == 1


def test_a_server_of_its_own_is_started_and_ended(tiny_model, tmp_path, capfd):
    out = tmp_path / "out.json"
    words = ["--model", str(tiny_model), "--threads", "1", "--requests", "3", "--warm-up", "0", "--json", str(out)]
    assert main(["bench", *words, "--max-tokens", "200"]) == 0
    report = json.loads(out.read_text(encoding="utf-8"))
    assert (report["server"], report["runs"][0]["failed"]) == ("own process", 0)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--rate", "x"], "--rate takes 1 to 32 numbers"),
        (["--rate", "0"], "--rate takes"),
        (["--concurrency", "1,,2"], "--concurrency takes"),
        (["--requests", "0"], "--requests must be between"),
        (["--mix", "poems"], "--mix takes chat:WEIGHT"),
        (["--mix", "chat:-1"], "--mix takes"),
        (["--goodput", "speed:3"], "--goodput takes ttft"),
        (["--goodput", "ttft:0"], "--goodput takes"),
        (["--base-url", "ftp://x"], "must begin with http"),
        (["--json", "/no/such/folder/x"], "its folder does not exist"),
        (["--input", "/no/such/file"], "cannot read"),
    ],
    ids=str,
)
def test_options_are_checked_before_anything_is_sent(words, said, capsys):
    assert main(["bench", *words]) == 1
    assert said in capsys.readouterr().err


BFCL = {
    "id": "simple_0",
    "question": [[{"role": "user", "content": "Area of a triangle of 10 by 5?"}]],
    "function": [{"name": "geo.area", "description": "d", "parameters": {
        "type": "dict", "properties": {"base": {"type": "float"}, "tags": {"type": "tuple", "items": {"type": "any"}}},
        "required": ["base"]}}],
}  # fmt: skip


def test_files_hold_prompts_bodies_batch_lines_and_entries_of_bfcl(tmp_path):
    file = write_lines(
        tmp_path / "in.jsonl",
        {"prompt": "hello"},
        {**HELLO, **SHAPE, "model": "x", "stream": False},
        {"custom_id": "1", "url": "/v1/chat/completions", "body": {**HELLO, **TOOLS}},
        BFCL,
        {**BFCL, "id": "irrelevance_1"},
    )
    chat, shaped, called, bfcl, free = file_prompts(Path(file))
    assert chat == Prompt("chat", {"messages": [{"role": "user", "content": "hello"}]})
    assert shaped == Prompt("json", {**HELLO, **SHAPE})
    assert called == Prompt("tools", {**HELLO, **TOOLS})
    assert (bfcl.kind, bfcl.body["tool_choice"], free.body["tool_choice"]) == ("bfcl", "required", "auto")
    assert bfcl.body["tools"][0]["function"] == {
        "name": "geo_area", "description": "d", "parameters": {
            "type": "object", "properties": {"base": {"type": "number"}, "tags": {"type": "array", "items": {}}},
            "required": ["base"]}}  # fmt: skip
    for prompt in (chat, shaped, called, bfcl, free):
        Validity().check(prompt)


@pytest.mark.parametrize("entry", [[], {}, {"messages": []}, {**HELLO, "n": 2}, {"question": [], "function": [{}]}])
def test_other_lines_are_refused_with_their_place(tmp_path, entry):
    file = write_lines(tmp_path / "in.jsonl", {"prompt": "x"}, entry)
    with pytest.raises(ConfigError, match="line 2"):
        file_prompts(Path(file))


def test_made_requests_are_those_of_their_seed():
    mix = read_mix(["chat:1", "tools:3"])
    first, again, other = (list(islice(made_prompts(mix, seed), 200)) for seed in (1, 1, 2))
    assert first == again != other
    assert 0.6 < sum(prompt.kind == "tools" for prompt in first) / 200 < 0.9


def test_figures_of_known_times():
    answers = [
        Answer("json", 0.0, 0.0, piece_times_s=[0.1, 0.2, 0.4], end_s=0.5, num_output_tokens=4, num_prompt_tokens=6),
        Answer("json", due_s=1.0, sent_s=1.2, piece_times_s=[1.3], end_s=2.0, num_output_tokens=1),
        Answer("chat", due_s=1.0, sent_s=1.0, end_s=1.5, error="429 overloaded"),
    ]  # fmt: skip
    figures = run_figures(Load("rate", 2), answers, ["", "cut", None], read_objectives(["ttft:200", "tpot:150"]))
    assert figures["duration_s"] == 2.0
    assert (figures["requests_per_s"], figures["output_tokens_per_s"], figures["total_tokens_per_s"]) == (1.0, 2.5, 5.5)
    assert figures["ttft_ms"]["mean"] == pytest.approx(200)
    assert figures["tpot_ms"]["p50"] == pytest.approx(100)
    assert figures["itl_ms"]["mean"] == pytest.approx(150)
    assert figures["e2el_ms"]["p50"] == pytest.approx(750)
    assert figures["goodput_per_s"] == 0.5, "the second came late, the third never"
    assert (figures["valid"], figures["checked"], figures["valid_per_s"]) == (1, 2, 0.5)
    assert figures["max_send_lag_ms"] == pytest.approx(200)
