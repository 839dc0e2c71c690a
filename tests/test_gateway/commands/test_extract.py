"""`portcullis extract` and `portcullis run-batch`: tables and batch files, killed and continued."""

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from served_process import children, wait_for
from serving import config_for, serving

from gateway.cli import main
from gateway.commands.record_file import RecordFile
from gateway.commands.tables import RowWriter
from gateway.config import LimitsConfig
from gateway.errors import ConfigError

SCHEMA = {"type": "object", "properties": {"kind": {"enum": ["a", "b"]}, "paid": {"type": "boolean"}}}
SCHEMA["required"] = list(SCHEMA["properties"])
INVOICE = """
from pydantic import BaseModel

class Invoice(BaseModel):
    paid: bool
"""


@pytest.fixture(scope="module")
def url(tiny_model):
    limits = LimitsConfig(default_max_tokens=64)
    with serving(config_for(tiny_model, limits=limits)) as live:
        yield f"{live.url}/v1"


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A folder with a schema and a table of 30 records, which is the working directory."""
    monkeypatch.chdir(tmp_path)
    Path("schema.json").write_text(json.dumps(SCHEMA))
    write_table(Path("in.csv"), 30)
    return tmp_path


def write_table(path: Path, num_records: int) -> None:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "body"])
        rows.writerows([f"id-{number}", f'A "letter",\nno. {number}'] for number in range(1, num_records + 1))


def read_table(path: str) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def extract(url: str, out: str, *further: str, source: str = "in.csv", schema: str = "schema.json") -> int:
    return main(["extract", source, out, "--schema", schema, "--text-field", "body", "--base-url", url, *further])


def test_a_table_gets_a_row_for_each_record(url, table, capsys):
    assert extract(url, "out.csv", "--keep", "id", "--confidence") == 0
    rows = read_table("out.csv")
    assert [(row["row"], row["id"]) for row in rows] == [(f"{number}", f"id-{number}") for number in range(1, 31)]
    for row in rows:
        assert row["kind"] in ("a", "b")
        assert row["paid"] in ("true", "false")
        sure = json.loads(row["confidences"])
        assert sure.keys() == {"/kind", "/paid"}
        assert float(row["confidence"]) == min(sure.values())
    assert not Path("out.errors.jsonl").exists()
    assert "30 of 30 records are in out.csv; " in capsys.readouterr().err
    assert extract(url, "out.csv", "--keep", "id", "--confidence") == 0
    assert "all 30 records are in out.csv" in capsys.readouterr().err
    assert extract(url, "out.csv") == 1
    assert "has other columns" in capsys.readouterr().err


def test_lines_of_json_and_a_pydantic_class(url, table):
    Path("invoices_of_a_test.py").write_text(INVOICE)
    Path("in.jsonl").write_text("".join(json.dumps({"body": {"a": number}}) + "\n" for number in range(3)))
    assert extract(url, "out.jsonl", source="in.jsonl", schema="invoices_of_a_test:Invoice") == 0
    rows = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert [row["row"] for row in rows] == [1, 2, 3]
    assert all(row.keys() == {"row", "paid"} for row in rows)


def test_records_that_fail_are_in_a_file_of_their_own_and_tried_again(url, table, capsys):
    Path("in.jsonl").write_text("".join(json.dumps({"body": text}) + "\n" for text in ("x", "long " * 10_000, "y")))
    assert extract(url, "out.jsonl", source="in.jsonl") == 1
    assert "2 of 3 records are in out.jsonl; 1 failed, see out.errors.jsonl" in capsys.readouterr().err
    (failure,) = (json.loads(line) for line in Path("out.errors.jsonl").read_text().splitlines())
    assert (failure["row"], failure["status"], failure["code"]) == (2, 400, "context_length_exceeded")
    Path("in.jsonl").write_text("".join(json.dumps({"body": text}) + "\n" for text in ("x", "short", "y")))
    assert extract(url, "out.jsonl", source="in.jsonl") == 0
    assert [json.loads(line)["row"] for line in Path("out.jsonl").read_text().splitlines()] == [1, 2, 3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--text-field", "text"], "without 'text'; it has id, body"),
        (["--keep", "kind"], "'kind' twice"),
        (["--schema", "nothing.json"], "cannot read nothing.json"),
        (["--schema", "json:Nothing"], "names no pydantic class"),
        (["--concurrency", "0"], "--concurrency must be"),
        (["--base-url", "ftp://host"], "must begin with http"),
        (["--base-url", "http://127.0.0.1:9/v1"], "lists no model"),
    ],
)
def test_wrong_arguments_are_refused_before_any_request(table, capsys, arguments, message):
    assert extract("http://127.0.0.1:9", "out.csv", *arguments) == 1
    assert message in capsys.readouterr().err


def test_a_schema_that_no_model_would_take_is_refused_before_one_is_loaded(table, capsys):
    Path("schema.json").write_text('{"properties": {"a": {"pattern": "("}}}')
    assert main(["extract", "in.csv", "out.csv", "--schema", "schema.json", "--text-field", "body"]) == 1
    assert "loading" not in capsys.readouterr().err


def start(*arguments: str) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-P", "-m", "gateway", *arguments], stderr=subprocess.PIPE, text=True)


def num_lines(path: str) -> int:
    return Path(path).read_bytes().count(b"\n") if Path(path).exists() else 0


def killed_and_continued(table: Path, num_records: int, *further: str) -> None:
    """Kill the command twice; every record must be in the output once."""
    write_table(table / "in.csv", num_records)
    command = ["extract", "in.csv", "out.csv", "--schema", "schema.json", "--text-field", "body", *further]
    for share in (0.2, 0.6):
        process = start(*command)
        wait_for(lambda share=share: num_lines("out.csv") > share * num_records, 600)
        process.kill()
        process.communicate()
        with open("out.csv", "a") as file:
            file.write('7,"half a r')
    assert num_lines("out.csv") < num_records
    process = start(*command)
    _, said = process.communicate()
    assert process.returncode == 0, said
    assert f"{num_records} of {num_records} records are in out.csv; " in said
    assert [row["row"] for row in read_table("out.csv")] == [f"{number}" for number in range(1, num_records + 1)]


def test_a_killed_extraction_goes_on_where_it_was(url, table):
    killed_and_continued(table, 300, "--base-url", url, "--concurrency", "2")


@pytest.mark.slow
def test_a_long_extraction_survives_the_death_of_command_and_engine(table, tiny_model):
    killed_and_continued(table, 2_000, "--model", str(tiny_model), "--threads", "1")


def kill_engine(process: subprocess.Popen) -> None:
    """Kill the engine of a command, whose forkserver starts another."""
    (forkserver,) = children(process.pid)
    os.kill(children(forkserver)[0], signal.SIGKILL)


@pytest.mark.slow
def test_a_long_extraction_is_complete_though_its_engine_is_killed(table, tiny_model):
    write_table(table / "in.csv", 2_000)
    command = ["extract", "in.csv", "out.csv", "--schema", "schema.json", "--text-field", "body", "--keep", "id"]
    process = start(*command, "--model", str(tiny_model), "--threads", "1")
    for share in (0.2, 0.5, 0.8):
        wait_for(lambda share=share: num_lines("out.csv") > share * 2_000, 600)
        kill_engine(process)
    _, said = process.communicate()
    assert process.returncode == 0, said
    assert "2000 of 2000 records are in out.csv; " in said
    rows = read_table("out.csv")
    assert [(row["row"], row["id"]) for row in rows] == [(f"{number}", f"id-{number}") for number in range(1, 2_001)]
    assert all(row["kind"] in ("a", "b") and row["paid"] in ("true", "false") for row in rows)
    assert not Path("out.errors.jsonl").exists()


def requests(num_requests: int) -> str:
    body = {"prompt": "hi", "max_tokens": 30, "ignore_eos": True}
    lines = [
        {"custom_id": f"id-{number}", "method": "POST", "url": "/v1/completions", "body": body}
        for number in range(num_requests)
    ]
    lines[1]["body"] = body | {"temperature": -1}
    return "".join(json.dumps(line) + "\n" for line in lines)


def run_batch(tiny_model: Path, num_requests: int, *, is_killed: bool) -> None:
    """Run a batch whose engine is killed, then maybe the command itself, which then continues."""
    Path("in.jsonl").write_text(requests(num_requests))
    command = ["run-batch", "in.jsonl", "out.jsonl", "--model", str(tiny_model), "--threads", "1"]
    process = start(*command)
    wait_for(lambda: num_lines("out.jsonl") > num_requests // 8, 600)
    kill_engine(process)
    if is_killed:
        wait_for(lambda: num_lines("out.jsonl") > num_requests // 3, 600)
        process.kill()
        process.communicate()
        process = start(*command)
    _, said = process.communicate()
    assert (process.returncode, "1 failed" in said) == (1, True), said
    replies = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    expected = [f"id-{number}" for number in range(num_requests) if number != 1]
    assert [reply["custom_id"] for reply in replies] == expected
    assert all(reply["response"]["status_code"] == 200 for reply in replies)
    (failure,) = (json.loads(line) for line in Path("out.errors.jsonl").read_text().splitlines())
    assert (failure["custom_id"], failure["response"]["status_code"]) == ("id-1", 400)


def test_a_batch_file_is_answered_though_the_engine_dies(table, tiny_model):
    run_batch(tiny_model, 150, is_killed=False)


@pytest.mark.slow
def test_a_long_batch_file_is_answered_though_engine_and_command_die(table, tiny_model):
    run_batch(tiny_model, 2_000, is_killed=True)


def test_a_malformed_batch_file_is_refused_by_line(table, capsys):
    Path("in.jsonl").write_text(requests(3).replace("/v1/completions", "/v1/embeddings"))
    assert main(["run-batch", "in.jsonl", "out.jsonl"]) == 1
    assert "in.jsonl, line 1: batches of /v1/embeddings are not served" in capsys.readouterr().err
    assert not Path("out.jsonl").exists()


def test_a_file_that_another_command_writes_is_left_alone(tmp_path):
    path = tmp_path / "out.csv"
    path.write_text('row,a\n1,"x\ny"\n2,"torn\n')
    with RecordFile(path) as file:
        assert path.read_text() == 'row,a\n1,"x\ny"\n'
        with pytest.raises(ConfigError, match="another process"):
            RecordFile(path)
        file.append("0,b\n")
        file.sort(RowWriter(["row", "a"], is_csv=True).row_number, 1)
    assert path.read_text() == 'row,a\n0,b\n1,"x\ny"\n'


def test_cells_like_formulas_are_made_texts():
    row = {"row": 1, "a": "=1+1", "b": "-12.5", "c": "+41 44", "d": "@x", "e": "\tx", "f": -3, "g": "a=b", "h": "-2+3"}
    text = RowWriter(list(row), is_csv=True).text(row)
    assert text == "1,'=1+1,-12.5,'+41 44,'@x,'\tx,-3,a=b,'-2+3\n"
    assert RowWriter(list(row), is_csv=True, is_raw=True).text(row) == text.replace("'", "")
    assert json.loads(RowWriter(list(row), is_csv=False).text(row)) == row
