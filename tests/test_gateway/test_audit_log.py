"""The audit log by itself: links that hold or do not, files that follow on each other, room, failures, processes."""

import asyncio
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from gateway.audit.chain import NOTHING, Anchor, BrokenChainError, Chain, canonical, told_by
from gateway.audit.log import AuditLog
from gateway.audit.store import ContinuedError, Store
from gateway.audit.verification import verified
from gateway.cli import main
from gateway.config import AuditConfig, load_config
from gateway.errors import AuditError, ConfigError


@contextmanager
def log_at(path, **settings):
    log = AuditLog(AuditConfig(url=str(path), **settings))
    try:
        yield log
    finally:
        log.close()


def fill(path, num, **settings):
    """A log with so many requests; the end of it."""

    async def write(log):
        for number in range(num):
            await log.write([{"kind": "request", "number": number}])

    with log_at(path, **settings) as log:
        asyncio.run(write(log))
        return log._tail


def links_of(path):
    store = Store(str(path), may_create=False)
    with closing(store):
        return list(store.links())


def check(path, *anchors, key=None, first=1):
    store = Store(str(path), may_create=False)
    with closing(store):
        return verified(store, Chain(key), anchors, first)


def tamper(path, *statements):
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_records_are_canonical_and_numbered(tmp_path):
    assert canonical({"b": [1.5, None], "a": {"z": "é", "c": True}}) == '{"a":{"c":true,"z":"é"},"b":[1.5,null]}'
    assert canonical({"name": "half \ud83d of it"}) == '{"name":"half ? of it"}'
    tail = fill(tmp_path / "a.db", 3)
    links = links_of(tmp_path / "a.db")
    assert [told_by(link)["seq"] for link in links] == [1, 2, 3, 4]
    assert [told_by(link)["kind"] for link in links] == ["begun", "request", "request", "request"]
    assert check(tmp_path / "a.db") == tail == links[-1].anchor
    # Of another make: the hash of the one before, in hexadecimal, and the record as it is kept.
    openssl = subprocess.run(
        ["sha256sum"], input=(links[2].hash + links[3].record).encode(), capture_output=True, check=True
    )
    assert openssl.stdout.decode().split()[0] == links[3].hash


SWAP = (
    "UPDATE portcullis_audit SET seq = -1 WHERE seq = 4",
    "UPDATE portcullis_audit SET seq = 4 WHERE seq = 5",
    "UPDATE portcullis_audit SET seq = 5 WHERE seq = -1",
)
TAMPERED = {
    "changed": (["UPDATE portcullis_audit SET record = replace(record, '\"number\":2', '\"number\":7')"], 4, "changed"),
    "its hash": (["UPDATE portcullis_audit SET hash = '00' WHERE seq = 3"], 3, "changed"),
    "removed": (["DELETE FROM portcullis_audit WHERE seq = 5"], 5, "missing: after 4 comes 6"),
    "closed up": (
        ["DELETE FROM portcullis_audit WHERE seq = 5", "UPDATE portcullis_audit SET seq = seq - 1 WHERE seq > 5"],
        5,
        "not where it was written: it says that it is 6",
    ),
    "swapped": (SWAP, 4, "not where it was written: it says that it is 5"),
    "the first": (["DELETE FROM portcullis_audit WHERE seq = 1"], 1, "missing"),
    "all": (["DELETE FROM portcullis_audit"], 1, "missing"),
    "no JSON": (["UPDATE portcullis_audit SET record = 'x' WHERE seq = 2"], 2, "changed"),
}


@pytest.mark.parametrize(("statements", "seq", "said"), TAMPERED.values(), ids=TAMPERED)
def test_the_first_record_that_does_not_hold_is_named(tmp_path, statements, seq, said):
    path = tmp_path / "a.db"
    fill(path, 6)
    check(path)
    tamper(path, *statements)
    with pytest.raises(BrokenChainError, match=said) as raised:
        check(path)
    assert raised.value.seq == seq


def test_an_end_that_was_cut_off_shows_against_an_anchor(tmp_path):
    path, head = tmp_path / "a.db", tmp_path / "head"
    tail = fill(path, 5, head_file=str(head))
    assert Anchor.read(str(head)) == Anchor.read(str(tail)) == tail == check(path, tail)
    tamper(path, "DELETE FROM portcullis_audit WHERE seq > 4")
    check(path)
    with pytest.raises(BrokenChainError, match="record 5 is missing: the chain once reached 6 and ends at 4"):
        check(path, tail)
    # One that goes on differently from there is none of it either.
    fill(path, 9)
    check(path)
    with pytest.raises(BrokenChainError, match="record 6 is another one"):
        check(path, tail)


def test_without_the_key_nobody_makes_a_chain_that_holds(tmp_path):
    path, key = tmp_path / "a.db", tmp_path / "key"
    key.write_bytes(b"a secret of enough bytes\n")
    fill(path, 3, key_file=str(key))
    check(path, key=b"a secret of enough bytes")
    for other in (None, b"another secret of as many"):
        with pytest.raises(BrokenChainError, match="record 1 was changed, or was made with another key"):
            check(path, key=other)
    # Who writes the file recomputes what needs no key.
    links = Chain().linked(NOTHING, [{**told_by(link), "number": 9} for link in links_of(path)])
    rows = [(link.seq, link.record, link.hash) for link in links]
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM portcullis_audit")
        connection.executemany("INSERT INTO portcullis_audit VALUES (?, ?, ?)", rows)
        connection.commit()
    check(path)
    with pytest.raises(BrokenChainError):
        check(path, key=b"a secret of enough bytes")


@pytest.mark.parametrize("why", [{"rotate_bytes": 16_384}, {"rotate_s": 1e-3}], ids=["size", "age"])
def test_files_follow_on_each_other(tmp_path, why):
    path = tmp_path / "a.db"
    anchors = []
    for _ in range(4):
        anchors.append(fill(path, 40, **why))
        time.sleep(2e-3)
    files = Store(str(path), may_create=False).files
    assert len(files) > 2
    tail = check(path, *anchors)
    assert tail == anchors[-1]
    links = links_of(path)
    kinds = [told_by(link)["kind"] for link in links]
    assert kinds.count("request") == 160
    for place, kind in enumerate(kinds):
        if kind == "ended":
            begun = told_by(links[place + 1])
            assert begun["kind"] == "begun"
            assert begun["follows"]["hash"] == links[place].hash
            assert (
                told_by(links[place])["next"] == files[files.index(path.with_name(begun["follows"]["file"])) + 1].name
            )
    assert kinds.count("ended") == len(files) - 1
    # A file in the middle that is gone is missed; the first ones may be where it is said so.
    second = told_by(links[kinds.index("ended") + 1])["seq"]
    files[0].unlink()
    with pytest.raises(BrokenChainError, match="record 1 is missing"):
        check(path, tail)
    assert check(path, *anchors, first=second) == tail
    files[1].rename(tmp_path / "aside")
    with pytest.raises(BrokenChainError, match=f"record {second} is missing"):
        check(path, tail, first=second)


def test_a_kill_between_two_files_leaves_a_chain(tmp_path):
    path = tmp_path / "a.db"
    tail = fill(path, 3)
    # The last record says that another file follows, and none is there; or one without a record.
    store = Store(str(path))
    store.append(
        Chain().linked(tail, [{"kind": "ended", "time": "2026-01-01T00:00:00+00:00", "next": "a.000000000006.db"}])
    )
    store.close()
    (tmp_path / "a.000000000006.db").touch()
    assert check(path).seq == 5
    end = fill(path, 2)
    assert check(path, end).seq == 8
    assert [told_by(link)["kind"] for link in links_of(path)][4:] == ["ended", "begun", "request", "request"]


@pytest.mark.parametrize("rotation", [{}, {"rotate_bytes": 12_288}], ids=["one file", "several"])
def test_two_servers_write_one_chain(tmp_path, rotation):
    path = tmp_path / "a.db"

    async def both(logs):
        async def write(log, name):
            for number in range(60):
                await log.write([{"kind": "request", "by": name, "number": number}])

        await asyncio.gather(*(write(log, name) for name, log in enumerate(logs)))

    with log_at(path, **rotation) as one, log_at(path, **rotation) as other:
        asyncio.run(both((one, other)))
    check(path)
    records = [told_by(link) for link in links_of(path)]
    written = [(record["by"], record["number"]) for record in records if record["kind"] == "request"]
    assert sorted(written) == [(name, number) for name in (0, 1) for number in range(60)]
    assert bool(rotation) == (len(Store(str(path), may_create=False).files) > 1)


class Held:
    """A store that waits, or fails, before it keeps links."""

    def __init__(self, log):
        self.log, self.real = log, log._store.append
        self.may = threading.Event()
        self.error = None
        log._store.append = self.append

    def append(self, links):
        assert self.may.wait(20)
        if self.error is not None:
            raise self.error
        self.real(links)


def test_replies_wait_for_the_disk_and_for_room(tmp_path):
    path = tmp_path / "a.db"

    async def run(log, held):
        tasks = [asyncio.create_task(log.write([{"kind": "request", "number": number}])) for number in range(7)]
        await asyncio.sleep(0.05)
        assert not any(task.done() for task in tasks)
        assert len(log._entries) <= 3
        held.may.set()
        await asyncio.gather(*tasks)
        # Committed when it returns: another connection sees all of them.
        assert len(links_of(path)) == 8

    with log_at(path, max_waiting=3) as log:
        asyncio.run(run(log, Held(log)))
        assert (log.num_records, log.num_dropped) == (8, 0)


def test_what_finds_no_room_is_dropped_and_counted_in_the_chain(tmp_path):
    path = tmp_path / "a.db"

    async def run(log, held):
        for number in range(20):
            await log.write([{"kind": "request", "number": number}])
        held.may.set()

    with log_at(path, backpressure="drop", max_waiting=3) as log:
        asyncio.run(run(log, Held(log)))
    check(path)
    records = [told_by(link) for link in links_of(path)]
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
        assert log.num_dropped == 1
    check(path)
    assert "No space left on device" in caplog.text
    told = [(record["kind"], record.get("num", record.get("number"))) for record in map(told_by, links_of(path))]
    assert told[1:] == [("dropped", 1), ("request", 1)]


def test_a_database_that_hangs_holds_no_reply_for_ever(tmp_path):
    async def run(log, held):
        with pytest.raises(AuditError):
            await log.write([{"kind": "request"}])
        held.may.set()

    with log_at(tmp_path / "a.db", commit_timeout_s=0.05) as log:
        asyncio.run(run(log, Held(log)))


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


def test_what_others_keep_in_the_file_is_left_alone(tmp_path):
    path = tmp_path / "a.db"
    path.write_text("this is no database, and longer than its header would be: " + "x" * 200)
    with pytest.raises(ConfigError, match="cannot open the audit log"):
        AuditLog(AuditConfig(url=str(path)))


def test_the_command_verifies_shows_and_exports(tmp_path, capsys):
    path, head, config = tmp_path / "a.db", tmp_path / "head", tmp_path / "p.toml"
    config.write_text(f'[audit]\nurl = "{path}"\nhead_file = "{head}"\n')
    settings = load_config(config, environment={}).audit
    with closing(AuditLog(settings)) as log:
        common = {"request": "req_1", "time": "2026-01-01T00:00:00+00:00", "findings": []}
        finding = {"guard": "pii", "kind": "card", "where": "content", "action": "redact", "count": 2}
        asyncio.run(log.write([{**common, "kind": "decision", "findings": [finding]}, {**common, "kind": "request"}]))
        asyncio.run(log.write([{**common, "kind": "request", "request": "req_2", "finish": ["stop", "length"]}]))
    assert main(["audit", "verify", "--config", str(config)]) == 0
    assert f"whole: records 1 to 4; the end is {Anchor.read(str(head))}" in capsys.readouterr().out
    assert main(["audit", "verify", "--audit", str(path)]) == 0
    assert "not shown" in capsys.readouterr().out
    assert main(["audit", "show", "--config", str(config), "--request", "req_1"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[2] for line in shown] == ["decision", "request"]
    assert "findings=content:pii/card:redact:2" in shown[0]
    assert main(["audit", "show", "--config", str(config), "--last", "1"]) == 0
    assert "finish=stop,length" in capsys.readouterr().out
    assert main(["audit", "export", "--config", str(config), "--from", "2"]) == 0
    exported = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["record"]["seq"] for line in exported] == [2, 3, 4]
    assert exported[-1]["hash"] == Anchor.read(str(head)).hash
    tamper(path, "DELETE FROM portcullis_audit WHERE seq = 4")
    assert main(["audit", "verify", "--config", str(config)]) == 1
    assert "record 4 is missing" in capsys.readouterr().err
    tamper(path, "UPDATE portcullis_audit SET record = replace(record, 'redact', 'annotate')")
    assert main(["audit", "verify", "--audit", str(path)]) == 1
    assert "broken: record 2 was changed" in capsys.readouterr().err


def test_the_command_says_what_it_cannot_read(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("PORTCULLIS_CONFIG", raising=False)
    assert main(["audit", "verify"]) == 1
    assert "no audit log is named" in capsys.readouterr().err
    assert main(["audit", "show", "--audit", str(tmp_path / "absent.db")]) == 1
    assert "there is no audit log" in capsys.readouterr().err
    assert not (tmp_path / "absent.db").exists()
    fill(tmp_path / "a.db", 1)
    assert main(["audit", "verify", "--audit", str(tmp_path / "a.db"), "--head", "12:xyz"]) == 1
    assert "no number:hash" in capsys.readouterr().err


@pytest.fixture(scope="module")
def postgresql():
    """The URL of a server of its own."""
    pytest.importorskip("psycopg", reason="PostgreSQL's driver is not installed")
    if shutil.which("initdb") is None or shutil.which("postgres") is None:
        pytest.skip("PostgreSQL (initdb, postgres) is not installed")
    # The path of a socket is short, and whoever runs the server reaches it: it does not run as root.
    folder = Path(tempfile.mkdtemp(prefix="audit"))
    user = {"user": "nobody"} if os.geteuid() == 0 else {}
    if user:
        shutil.chown(folder, "nobody")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, **user}
    subprocess.run(["initdb", "-D", folder / "data", "-U", "portcullis", "-A", "trust"], check=True, **quiet)
    command = ["postgres", "-D", folder / "data", "-k", folder, "-c", "listen_addresses="]
    server = subprocess.Popen(command, **quiet)
    url = f"postgresql+psycopg://portcullis@/postgres?host={folder}"
    try:
        end = time.monotonic() + 60
        while True:
            try:
                Store(url).close()
                break
            except ConfigError:
                assert server.poll() is None
                assert time.monotonic() < end
                time.sleep(0.1)
        yield url, server, command, quiet
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()
        shutil.rmtree(folder)


def test_a_chain_in_postgresql(postgresql, capsys):
    url, *_ = postgresql
    tail = fill(url, 50)
    with pytest.raises(ConfigError, match="are about SQLite files"):
        AuditLog(AuditConfig(url=url, rotate_s=5.0))

    async def both(logs):
        await asyncio.gather(*(log.write([{"kind": "request"}]) for log in logs for _ in range(20)))

    with log_at(url) as one, log_at(url) as other:
        asyncio.run(both((one, other)))
    end = check(url, tail)
    assert end.seq == 91
    assert main(["audit", "verify", "--audit", url, "--head", str(end)]) == 0
    store = Store(url, may_create=False)
    with closing(store), pytest.raises(ContinuedError):
        store.append(Chain().linked(tail, [{"kind": "request"}]))
    with store._engine.begin() as connection:
        connection.exec_driver_sql("UPDATE portcullis_audit SET record = replace(record, '7', '8') WHERE seq = 9")
    assert main(["audit", "verify", "--audit", url]) == 1
    assert "record 9 was changed" in capsys.readouterr().err
    with store._engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM portcullis_audit")
    store.close()


def test_a_postgresql_that_was_away_goes_on(postgresql):
    url, server, command, quiet = postgresql

    async def run(log):
        await log.write([{"kind": "request", "number": 0}])
        server.send_signal(signal.SIGINT)
        server.wait()
        with pytest.raises(AuditError):
            await log.write([{"kind": "request", "number": 1}])
        again = subprocess.Popen(command, **quiet)
        try:
            end = time.monotonic() + 60
            while True:
                try:
                    await log.write([{"kind": "request", "number": 2}])
                    break
                except AuditError:
                    assert time.monotonic() < end
                    await asyncio.sleep(0.1)
            kinds = [told_by(link)["kind"] for link in links_of(url)]
            assert kinds == ["begun", "request", "dropped", "request"]
            check(url)
        finally:
            log.close()
            again.send_signal(signal.SIGINT)
            again.wait()

    asyncio.run(run(AuditLog(AuditConfig(url=url))))
