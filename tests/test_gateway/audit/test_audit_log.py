"""The audit log by itself: room, failures, settings."""

import asyncio
import os
import subprocess
import sys
import threading

import pytest
from audit_files import Held, check, fill, links_of, log_at
from held_engine import wait_for

from gateway.audit.chain import Anchor, record_of
from gateway.audit.log import AuditLog
from gateway.audit.request_record import RequestRecord
from gateway.config import AuditConfig
from gateway.errors import AuditError, ConfigError


def test_replies_wait_for_the_disk_and_for_room(tmp_path):
    path = tmp_path / "a.db"

    async def run(log, held):
        tasks = [asyncio.create_task(log.write([{"kind": "request", "number": number}])) for number in range(7)]
        await asyncio.sleep(0.05)
        assert not any(task.done() for task in tasks)
        assert 3 <= log.num_waiting <= 6
        held.may.set()
        await asyncio.gather(*tasks)
        # Committed when it returns: another connection sees all of them.
        assert len(links_of(path)) == 8

    with log_at(path, max_waiting=3) as log:
        asyncio.run(run(log, Held(log)))
        assert (log.num_records, log.num_dropped, log.num_lost, log.num_failures, log.num_waiting) == (8, 0, 0, 0, 0)


def test_what_finds_no_room_is_dropped_and_counted_in_the_chain(tmp_path):
    path = tmp_path / "a.db"

    async def run(log, held):
        for number in range(20):
            await log.write([{"kind": "request", "number": number}])
        held.may.set()

    with log_at(path, backpressure="drop", max_waiting=3) as log:
        asyncio.run(run(log, Held(log)))
    check(path)
    records = [record_of(link) for link in links_of(path)]
    kept = [record["number"] for record in records if record["kind"] == "request"]
    told = sum(record["num"] for record in records if record["kind"] == "dropped")
    assert log.num_dropped == told == 20 - len(kept)
    # Those that waited, and what the thread had taken before.
    assert 3 <= len(kept) <= 6


@pytest.mark.parametrize("on_failure", ["refuse", "go_on"])
def test_what_cannot_be_written_is_told_or_counted(tmp_path, caplog, on_failure):
    path = tmp_path / "a.db"

    async def run(log, held):
        held.error = OSError(28, "No space left on device")
        held.may.set()
        if on_failure == "refuse":
            with pytest.raises(AuditError, match="withheld"):
                await log.write([{"kind": "request", "number": 0}])
        else:
            await log.write([{"kind": "request", "number": 0}])
        held.error = None
        await log.write([{"kind": "request", "number": 1}])

    with log_at(path, on_failure=on_failure) as log:
        asyncio.run(run(log, Held(log)))
        assert (log.num_dropped, log.num_lost, log.num_failures) == (0, 1, 1)
    check(path)
    assert "No space left on device" in caplog.text
    told = [(record["kind"], record.get("num", record.get("number"))) for record in map(record_of, links_of(path))]
    assert told[1:] == [("dropped", 1), ("request", 1)]


def remove(path):
    path.unlink()


def move_away(path):
    path.rename(path.with_suffix(".away"))


def replace(path):
    path.with_suffix(".other").write_bytes(path.read_bytes())
    path.with_suffix(".other").replace(path)


def cut(path):
    """As tools that rotate logs in place do."""
    os.truncate(path, 0)


DISPLACED = {
    "removed": (remove, "", "removed"),
    "moved away": (move_away, "", "removed"),
    "replaced": (replace, "", "replaced"),
    "cut": (cut, "", "cut"),
    "its log removed": (remove, "-wal", "removed"),
    "its log replaced": (replace, "-wal", "replaced"),
}


@pytest.mark.parametrize("on_failure", ["refuse", "go_on"])
@pytest.mark.parametrize(("displace", "suffix", "said"), DISPLACED.values(), ids=DISPLACED)
def test_what_is_written_where_nobody_finds_it_is_not_kept(tmp_path, caplog, displace, suffix, said, on_failure):
    path = tmp_path / "a.db"

    async def write(log):
        await log.write([{"kind": "request", "number": 0}])
        displace(tmp_path / f"a.db{suffix}")
        if on_failure == "go_on":
            return await log.write([{"kind": "request", "number": 1}])
        with pytest.raises(AuditError, match="withheld"):
            await log.write([{"kind": "request", "number": 1}])

    with log_at(path, on_failure=on_failure) as log:
        asyncio.run(write(log))
        assert (log.num_lost, log.num_failures) == (1, 1)
        assert bool(log.trouble) == (on_failure == "refuse")
    assert f"records of 1 requests are lost: {path}{suffix} was {said}" in caplog.text


def test_a_file_that_was_away_is_missed_and_found_again_without_a_request(tmp_path, caplog):
    path = tmp_path / "a.db"
    with log_at(path) as log:
        asyncio.run(log.write([{"kind": "request", "number": 0}]))
        path.rename(tmp_path / "away.db")
        wait_for(lambda: log.trouble)
        with pytest.raises(AuditError):
            asyncio.run(log.write([{"kind": "request", "number": 1}]))
        (tmp_path / "away.db").rename(path)
        wait_for(lambda: not log.trouble)
        asyncio.run(log.write([{"kind": "request", "number": 2}]))
    check(path)
    assert [record_of(link)["kind"] for link in links_of(path)] == ["begun", "request", "dropped", "request"]
    assert caplog.text.count("records cannot be written") == 1


def test_a_file_that_another_ended_may_be_moved_away(tmp_path):
    path = tmp_path / "a.db"
    with log_at(path, rotate_bytes=1) as first, log_at(path) as second:
        asyncio.run(first.write([{"kind": "request", "number": 0}]))  # in a file of its own
        path.rename(tmp_path / "away.db")
        wait_for(lambda: second._store.file != path)
        asyncio.run(second.write([{"kind": "request", "number": 1}]))
    check(path, first=3)


def test_a_database_that_hangs_holds_no_reply_for_ever(tmp_path):
    async def run(log, held):
        with pytest.raises(AuditError):
            await log.write([{"kind": "request"}])
        held.may.set()

    with log_at(tmp_path / "a.db", commit_timeout_s=0.05) as log:
        asyncio.run(run(log, Held(log)))


@pytest.mark.parametrize("is_cancelled", [False, True], ids=["waits in vain", "leaves"])
def test_what_nobody_waits_for_any_more_takes_up_room_or_is_counted(tmp_path, is_cancelled):
    path = tmp_path / "a.db"

    async def run(log):
        tasks = [asyncio.create_task(log.write([{"kind": "request", "number": number}])) for number in range(10)]
        await asyncio.sleep(0)
        for task in tasks if is_cancelled else ():
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        assert {type(end) for end in ends} == {asyncio.CancelledError if is_cancelled else AuditError}
        assert (log.num_waiting, log.num_dropped) == (3, 7)

    with log_at(path, max_waiting=3, commit_timeout_s=20 if is_cancelled else 0.05) as log:
        held = Held(log)
        asyncio.run(run(log))
        held.may.set()
    records = [record_of(link) for link in links_of(path)]
    assert sorted(record["number"] for record in records if record["kind"] == "request") == [0, 1, 2]
    assert sum(record["num"] for record in records if record["kind"] == "dropped") == 7


@pytest.mark.parametrize(
    ("waits_for", "ends_loop"),
    [("contents", False), ("room", False), ("contents", True)],
    ids=["contents", "room", "contents, and the server ends"],
)
def test_who_leaves_while_its_record_waits_leaves_it(tmp_path, waits_for, ends_loop):
    path = tmp_path / "a.db"
    is_read, may_read = threading.Event(), threading.Event()

    def contents():
        is_read.set()
        return "read" if may_read.wait(20) else None

    async def run(log, held):
        first = asyncio.create_task(log.write([{"kind": "request", "request": "first"}]))
        await asyncio.sleep(0)
        notes = RequestRecord(log=log, request_id="left", contents=contents)
        task = asyncio.create_task(notes.seal(200))
        if waits_for == "contents":
            held.may.set()
            await first
            await asyncio.to_thread(is_read.wait)
        else:
            may_read.set()
            while not log._slots._waiters:
                await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        may_read.set()
        held.may.set()
        if not ends_loop:
            await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))

    with log_at(path, contents=True, max_waiting=1) as log:
        asyncio.run(run(log, Held(log)))
    *_, record = (record_of(link) for link in links_of(path))
    assert (record["request"], record["status"], log.num_dropped) == ("left", 200, 0)
    assert ends_loop or record["contents"] == "read"


def test_what_is_kept_of_contents_that_fail_is_the_rest(tmp_path):
    async def run(log):
        await RequestRecord(log=log, contents=lambda: 1 // 0).seal(200)

    with log_at(tmp_path / "a.db", contents=True) as log, pytest.raises(ZeroDivisionError):
        asyncio.run(run(log))
    assert record_of(links_of(tmp_path / "a.db")[-1])["status"] == 200


def test_a_head_that_cannot_be_written_loses_no_record(tmp_path, caplog):
    path, head = tmp_path / "a.db", tmp_path / "heads/head"
    head.parent.mkdir()

    async def run(log):
        for number in range(6):
            is_there = number not in (1, 2, 4)
            if not is_there:
                head.parent.rename(tmp_path / "gone")
            await log.write([{"kind": "request", "number": number}])
            if not is_there:
                (tmp_path / "gone").rename(head.parent)

    with log_at(path, head_file=str(head)) as log:
        asyncio.run(run(log))
        assert (log.num_records, log.num_lost, log.num_failures) == (7, 0, 0)
        assert Anchor.read(str(head)) == log._tail
    assert [record_of(link)["kind"] for link in links_of(path)] == ["begun"] + ["request"] * 6
    told = [record for record in caplog.records if "audit.head_file is not" in record.message]
    assert len(told) == 2  # once each time


def test_a_bug_in_the_writer_ends_no_reply_silently(tmp_path, caplog):
    async def run(log, held):
        held.error = RuntimeError("a bug")
        held.may.set()
        with pytest.raises(AuditError):
            await log.write([{"kind": "request"}])
        held.error = None
        await log.write([{"kind": "request"}])

    with log_at(tmp_path / "a.db") as log:
        asyncio.run(run(log, Held(log)))
    assert "Traceback" in caplog.text


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"backpressure": "wait"}, "audit.backpressure must be block or drop"),
        ({"on_failure": "ignore"}, "audit.on_failure must be refuse or go_on"),
        ({"key_file": "absent"}, "cannot read the audit log's key"),
        ({"url": "sqlite://"}, "in memory keeps nothing"),
        ({"url": "nosuch://x"}, "cannot open the audit log"),
        ({"url": "://"}, "audit.url is no URL"),
        ({"url": "absent/a.db"}, "cannot open the audit log"),
    ],
)
def test_settings_that_cannot_be_used_are_said(tmp_path, monkeypatch, settings, said):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=said):
        AuditLog(AuditConfig(**{"url": "a.db", **settings}))


def test_a_short_key_is_refused_and_files_are_for_their_owner_alone(tmp_path):
    key = tmp_path / "key"
    key.write_text("  short  ")
    with pytest.raises(ConfigError, match="fewer than 16 bytes"):
        AuditLog(AuditConfig(url=str(tmp_path / "a.db"), key_file=str(key)))
    fill(tmp_path / "a.db", 1)
    assert (tmp_path / "a.db").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("backpressure", "level"), [("block", 2), ("drop", 1)])
def test_a_reply_that_waits_waits_for_the_disk(tmp_path, backpressure, level):
    with log_at(tmp_path / "a.db", backpressure=backpressure) as log, log._store._engine.connect() as connection:
        pragmas = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("journal_mode", "synchronous")
        ]
        assert pragmas == ["wal", level]


def test_the_databases_library_is_loaded_where_there_is_a_log():
    code = "import sys, gateway.app, gateway.service.service; print('sqlalchemy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"


def test_what_others_keep_in_the_file_is_left_alone(tmp_path):
    path = tmp_path / "a.db"
    path.write_text("this is no database, and longer than its header would be: " + "x" * 200)
    with pytest.raises(ConfigError, match="cannot open the audit log"):
        AuditLog(AuditConfig(url=str(path)))
