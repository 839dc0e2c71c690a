"""Files and batches, over HTTP."""

import io
import json
import os
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import openai
import process_entry
import pytest
from served_process import served, wait_for
from serving import config_for, serving

from gateway.api.openai.batches.bodies import BatchOut, RequestCounts
from gateway.api.openai.batches.worker import written_batch
from gateway.batches.store import BatchStore, StoredBatch
from gateway.config import BatchesConfig, LimitsConfig, ServerConfig
from gateway.core.request import Caller, Options
from gateway.errors import ConfigError
from gateway.service.request.context import RequestContext
from gateway.service.request.limits import MAX_PRIORITY

BODIES = {
    "/v1/chat/completions": {"messages": [{"role": "user", "content": "hi"}], "max_tokens": 3},
    "/v1/completions": {"prompt": "hi", "max_tokens": 3},
    "/v1/responses": {"input": "hi", "max_output_tokens": 16},
}
OVER = ("completed", "failed", "expired", "cancelled")


def line(number: int, url: str = "/v1/completions", **fields) -> str:
    request = {"custom_id": f"id-{number}", "method": "POST", "url": url, "body": BODIES[url] | fields}
    return json.dumps(request) + "\n"


def upload(client: openai.OpenAI, text: str) -> str:
    return client.files.create(file=("in.jsonl", text.encode()), purpose="batch").id


def create(client: openai.OpenAI, text: str, endpoint: str = "/v1/completions"):
    return client.batches.create(input_file_id=upload(client, text), endpoint=endpoint, completion_window="24h")


def ended(client: openai.OpenAI, batch):
    def is_over() -> bool:
        nonlocal batch
        batch = client.batches.retrieve(batch.id)
        return batch.status in OVER

    wait_for(is_over)
    return batch


def results(client: openai.OpenAI, file_id: str | None) -> list[dict]:
    if file_id is None:
        return []
    return [json.loads(each) for each in client.files.content(file_id).text.splitlines()]


@pytest.fixture(scope="module")
def live(tiny_model, tmp_path_factory):
    folder = tmp_path_factory.mktemp("batches")
    batches = BatchesConfig(folder=str(folder), max_file_bytes=100_000, max_lines=300, max_unfinished=2)
    with serving(config_for(tiny_model, batches=batches, limits=LimitsConfig(default_max_tokens=8))) as found:
        yield found


def test_files_have_an_end_where_one_is_asked_for(live):
    after = {"anchor": "created_at", "seconds": 3600}
    file = live.client.files.create(file=("in.jsonl", line(1).encode()), purpose="batch", expires_after=after)
    assert file.expires_at == file.created_at + 3600
    batch = live.client.batches.create(
        input_file_id=file.id, endpoint="/v1/completions", completion_window="24h", output_expires_after=after
    )
    output = live.client.files.retrieve(ended(live.client, batch).output_file_id)
    assert output.expires_at == output.created_at + 3600
    assert live.client.files.retrieve(upload(live.client, line(1))).expires_at is None
    for wrong in ({"anchor": "created_at", "seconds": 60}, {"anchor": "now", "seconds": 3600}, {"seconds": 3600}):
        with pytest.raises(openai.BadRequestError) as refused:
            live.client.files.create(file=("in.jsonl", b"x"), purpose="batch", expires_after=wrong)
        assert refused.value.param == "expires_after"


def test_expired_files_are_deleted_once_no_batch_reads_them(tmp_path):
    store = BatchStore(tmp_path)
    try:
        ids = [store.add_file("", "in.jsonl", io.BytesIO(b"x"), expires_s).id for expires_s in (None, 3600, 0, 0)]
        store.add_batch("", StoredBatch(id="batch_1", digest="", document="{}"), ids[3], 1)
        store.expire()
        assert [store.path(each).exists() for each in ids] == [True, True, False, True]
        store.update_batch("batch_1", "{}", is_over=True)
        store.expire()
        assert [store.file("", each) is not None for each in ids] == [True, True, False, False]
        assert not store.path(ids[3]).exists()
    finally:
        store.close()


def test_a_store_of_an_older_version_is_opened(tmp_path):
    (tmp_path / "files").mkdir()
    with closing(sqlite3.connect(tmp_path / "batches.db")) as database:
        database.execute(
            "CREATE TABLE files (id TEXT UNIQUE, tenant TEXT, filename TEXT, bytes INTEGER, purpose TEXT, "
            "created_at INTEGER)"
        )
        database.execute("INSERT INTO files VALUES ('file-1', '', 'in.jsonl', 1, 'batch', 5)")
        database.commit()
    store = BatchStore(tmp_path)
    found = store.file("", "file-1")
    store.close()
    assert found is not None
    assert (found.created_at, found.expires_at) == (5, None)


def test_ends_of_batches_and_lines_are_counted(tiny_model, tmp_path):
    config = config_for(tiny_model, batches=BatchesConfig(folder=str(tmp_path)))
    with serving(config) as live:
        ended(live.client, create(live.client, line(1) + line(2, temperature=-1)))
        ended(live.client, create(live.client, "no line"))
        found = live.get("/metrics").text
        assert 'portcullis_batches_total{status="completed"} 1.0' in found
        assert 'portcullis_batches_total{status="failed"} 1.0' in found
        assert 'portcullis_batch_lines_total{result="completed"} 1.0' in found
        assert 'portcullis_batch_lines_total{result="failed"} 1.0' in found
        assert "portcullis_batches_unfinished 0.0" in found


@pytest.mark.parametrize("endpoint", BODIES)
def test_each_line_is_answered_once_in_the_order_of_the_input(live, endpoint):
    wrong = {"temperature": -1}
    text = "\n".join(line(number, endpoint, **(wrong if number == 2 else {})) for number in range(6))
    batch = ended(live.client, create(live.client, text, endpoint))
    assert (batch.status, batch.request_counts.completed, batch.request_counts.failed) == ("completed", 5, 1)
    done, failed = results(live.client, batch.output_file_id), results(live.client, batch.error_file_id)
    assert [each["custom_id"] for each in done] == [f"id-{number}" for number in (0, 1, 3, 4, 5)]
    assert all(each["response"]["status_code"] == 200 and each["error"] is None for each in done)
    assert [each["custom_id"] for each in failed] == ["id-2"]
    assert failed[0]["response"]["status_code"] == 400
    assert failed[0]["response"]["body"]["error"]["param"] == "temperature"
    assert live.client.batches.list(limit=1).data[0].id == batch.id


def test_malformed_lines_fail_the_batch_before_any_is_sent(live):
    wrong = (
        "{}",
        "[",
        line(1),
        line(1),
        line(2, stream=True),
        line(3).replace("POST", "GET"),
        line(4, "/v1/responses"),
    )
    batch = ended(live.client, create(live.client, "\n".join(wrong)))
    assert (batch.status, batch.output_file_id) == ("failed", None)
    found = [(each.line, each.param) for each in batch.errors.data]
    assert found == [(1, "custom_id"), (2, None), (5, "custom_id"), (7, "body.stream"), (9, "method"), (11, "url")]
    assert ended(live.client, create(live.client, "\n")).errors.data[0].message == "the file has no line"
    many = "".join(line(number) for number in range(301))
    assert "at most 300 lines" in ended(live.client, create(live.client, many)).errors.data[0].message


def test_a_cancelled_batch_reports_every_line_once(live):
    text = "".join(line(number, max_tokens=100, ignore_eos=True) for number in range(200))
    batch = create(live.client, text)
    wait_for(lambda: live.client.batches.retrieve(batch.id).request_counts.completed > 2)
    reader = live.client.files.delete
    with pytest.raises(openai.BadRequestError, match="cancel it first"):
        reader(batch.input_file_id)
    assert live.client.batches.cancel(batch.id).status in ("cancelling", "cancelled")
    batch = ended(live.client, batch)
    done, failed = results(live.client, batch.output_file_id), results(live.client, batch.error_file_id)
    assert batch.status == live.client.batches.cancel(batch.id).status == "cancelled"
    assert sorted(each["custom_id"] for each in done + failed) == sorted(f"id-{number}" for number in range(200))
    assert done
    assert {each["error"]["code"] for each in failed} == {"batch_cancelled"}
    assert reader(batch.input_file_id).deleted


def test_files_are_listed_and_deleted(live):
    one, two = upload(live.client, line(1)), upload(live.client, line(2))
    listed = live.client.files.list(limit=1, purpose="batch")
    assert ([each.id for each in listed.data], listed.has_more) == ([two], True)
    assert live.client.files.list(limit=1, after=two).data[0].id == one
    assert live.client.files.list(order="asc", after=one).data[0].id == two
    assert live.client.files.content(one).text == line(1)
    assert live.client.files.delete(one).deleted
    with pytest.raises(openai.NotFoundError, match="no file"):
        live.client.files.retrieve(one)


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"endpoint": "/v1/embeddings"}, "endpoint"),
        ({"endpoint": "/v1/moderations"}, "endpoint"),
        ({"completion_window": "1 week"}, "completion_window"),
        ({"metadata": {"a" * 65: "b"}}, "metadata"),
        ({"input_file_id": "file-none"}, "input_file_id"),
    ],
)
def test_a_batch_that_cannot_be_is_refused_by_field(live, fields, param):
    right = {"input_file_id": upload(live.client, line(1)), "endpoint": "/v1/completions", "completion_window": "24h"}
    with pytest.raises(openai.APIStatusError) as caught:
        live.client.batches.create(**right | fields)
    assert caught.value.param == param


def test_uploads_are_bounded(live):
    with pytest.raises(openai.APIStatusError, match="max_file_bytes") as caught:
        upload(live.client, "x" * 200_000)
    assert caught.value.status_code == 413
    for form in ({"files": {"file": ("a", b"x")}}, {"data": {"purpose": "batch"}, "files": {"other": ("a", b"x")}}):
        assert live.post("/v1/files", **form).status_code == 400
    page = {"data": {"purpose": "batch"}, "files": {"file": ("a", b"x")}, "headers": {"origin": "http://localhost"}}
    assert live.post("/v1/files", **page).status_code == 415
    assert live.get("/v1/files?limit=0").status_code == live.get("/v1/batches?limit=101").status_code == 400


def test_unfinished_batches_of_a_key_are_bounded(live):
    text = "".join(line(number, max_tokens=200, ignore_eos=True) for number in range(50))
    running = [create(live.client, text) for _ in range(2)]
    with pytest.raises(openai.RateLimitError, match="max_unfinished"):
        create(live.client, text)
    for batch in running:
        live.client.batches.cancel(batch.id)
        ended(live.client, batch)


def test_without_a_folder_the_setting_is_named(tiny_live):
    for reply in (tiny_live.get("/v1/files"), tiny_live.post("/v1/batches", json={}), tiny_live.get("/v1/batches/b")):
        assert (reply.status_code, reply.json()["error"]["code"]) == (404, "batches_off")
        assert "batches.folder" in reply.json()["error"]["hint"]


def test_keys_own_their_files_and_batches_count_as_their_use(tiny_model, tmp_path):
    server = ServerConfig(port=0, api_keys=("a", "b"))
    batches = BatchesConfig(folder=str(tmp_path), max_stored_bytes=150)
    with serving(config_for(tiny_model, server=server, batches=batches)) as live:
        first, second = (live.client.with_options(api_key=key) for key in "ab")
        batch = ended(first, create(first, line(1)))
        assert batch.status == "completed"
        with pytest.raises(openai.NotFoundError, match="no batch"):
            second.batches.retrieve(batch.id)
        with pytest.raises(openai.NotFoundError, match="no file"):
            second.files.content(batch.output_file_id)
        assert second.batches.list().data == second.files.list().data == []
        usage = live.get("/v1/usage", headers={"authorization": "Bearer a"}).json()
        assert usage["today"]["completion_tokens"] == 3
        with pytest.raises(openai.APIStatusError, match="max_stored_bytes"):
            upload(first, line(2))


def test_lines_have_the_lowest_priority():
    options = Options(priority=-5)
    context = RequestContext.of(options, Caller(is_batch=True), LimitsConfig(priorities=False))
    assert context.priority == MAX_PRIORITY


def test_an_expired_batch_ends_at_the_next_start(tiny_model, tmp_path):
    store = BatchStore(tmp_path)
    (tmp_path / "in").write_text(line(1) + line(2))
    with (tmp_path / "in").open("rb") as source:
        file = store.add_file("", "in.jsonl", source)
    document = BatchOut(
        id="batch_1",
        endpoint="/v1/completions",
        input_file_id=file.id,
        completion_window="24h",
        created_at=1,
        expires_at=int(time.time()) - 1,
        request_counts=RequestCounts(),
    )
    assert store.add_batch("", StoredBatch(id="batch_1", digest="", document=written_batch(document)), file.id, 1)
    with pytest.raises(ConfigError, match="another server"):
        BatchStore(tmp_path)
    store.close()
    (tmp_path / "files" / "file-orphan").touch()
    with serving(config_for(tiny_model, batches=BatchesConfig(folder=str(tmp_path)))) as live:
        batch = ended(live.client, live.client.batches.retrieve("batch_1"))
        assert (batch.status, batch.request_counts.failed, batch.output_file_id) == ("expired", 2, None)
        assert {each["error"]["code"] for each in results(live.client, batch.error_file_id)} == {"batch_expired"}
    assert not (tmp_path / "files" / "file-orphan").exists()


def survives_kills(model: Path, folder: Path, num_lines: int, *, is_fake: bool) -> None:
    """Kill the engine and the server during a batch; every line must be in the output once."""
    fields = {"prompt": [process_entry.SLOW, 70], "max_tokens": 20, "ignore_eos": True}
    text = "".join(line(number, **fields) for number in range(num_lines))
    with served(model, is_fake=is_fake, BATCHES_FOLDER=folder) as command:
        client = openai.OpenAI(base_url=f"{command.url}/v1", api_key="none", timeout=60)
        batch = create(client, text)
        wait_for(lambda: client.batches.retrieve(batch.id).request_counts.completed > num_lines // 8)
        os.kill(command.engine_pids()[1], signal.SIGKILL)
        wait_for(lambda: client.batches.retrieve(batch.id).request_counts.completed > num_lines // 2)
        assert client.batches.retrieve(batch.id).status == "in_progress"
        command.process.kill()
        command.process.wait()
    with served(model, is_fake=is_fake, BATCHES_FOLDER=folder) as command:
        client = openai.OpenAI(base_url=f"{command.url}/v1", api_key="none", timeout=60)
        assert client.batches.retrieve(batch.id).request_counts.completed > num_lines // 2
        batch = ended(client, batch)
        assert (batch.status, batch.request_counts.completed) == ("completed", num_lines)
        done = results(client, batch.output_file_id)
        assert [each["custom_id"] for each in done] == [f"id-{number}" for number in range(num_lines)]


def test_a_batch_survives_the_death_of_engine_and_server(tiny_model, tmp_path):
    survives_kills(tiny_model, tmp_path, 32, is_fake=True)


@pytest.mark.slow
def test_a_long_batch_survives_the_death_of_engine_and_server(tiny_model, tmp_path):
    survives_kills(tiny_model, tmp_path, 2_000, is_fake=False)
