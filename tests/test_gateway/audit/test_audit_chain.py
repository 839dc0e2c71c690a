"""Chains on a disk: links that hold or do not, files that follow on each other, two who write, the command."""

import asyncio
import json
import sqlite3
import subprocess
import time
from contextlib import closing

import pytest
from audit_files import check, fill, links_of, log_at, tamper

from gateway.audit.chain import NOTHING, Anchor, BrokenChainError, Chain, canonical, record_of
from gateway.audit.log import AuditLog
from gateway.audit.store import Store
from gateway.cli import main
from gateway.config import load_config
from gateway.errors import ConfigError


def test_records_are_canonical_and_numbered(tmp_path):
    assert canonical({"b": [1.5, None], "a": {"z": "é", "c": True}}) == '{"a":{"c":true,"z":"é"},"b":[1.5,null]}'
    assert canonical({"name": "half \ud83d of it"}) == '{"name":"half ? of it"}'
    tail = fill(tmp_path / "a.db", 3)
    links = links_of(tmp_path / "a.db")
    assert [record_of(link)["seq"] for link in links] == [1, 2, 3, 4]
    assert [record_of(link)["kind"] for link in links] == ["begun", "request", "request", "request"]
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
LOOSE = (
    "CREATE TABLE loose (seq, record, hash)",
    "INSERT INTO loose SELECT seq, record, hash FROM portcullis_audit",
    "DROP TABLE portcullis_audit",
    "ALTER TABLE loose RENAME TO portcullis_audit",
)
"""Columns take every type."""
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
    **{
        f"{column} of {what}": (
            [*LOOSE, f"UPDATE portcullis_audit SET {column} = {value} WHERE seq = 3"],
            3,
            "3 was changed",
        )
        for column in ("hash", "record")
        for what, value in {
            "NULL": "NULL",
            "a blob": f"CAST({column} AS BLOB)",
            "a number": "7",
            "other letters": "'\u00e9'",
            "no UTF-8": "CAST(x'ff7b' AS TEXT)",
        }.items()
    },
    "seq of text": ([*LOOSE, "UPDATE portcullis_audit SET seq = 'x' WHERE seq = 7"], 0, "'x' was changed: it has str"),
    "seq of a fraction": ([*LOOSE, "UPDATE portcullis_audit SET seq = 3.0 WHERE seq = 3"], 0, "changed: it has float"),
    "seq of nothing": ([*LOOSE, "UPDATE portcullis_audit SET seq = NULL WHERE seq = 3"], 3, "missing: after 2 comes 4"),
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


@pytest.mark.parametrize("verb", ["verify", "show", "export"])
@pytest.mark.parametrize(
    "value", ["NULL", "CAST(record AS BLOB)", "7", "'[]'", "'{\"seq\":3}'", '\'{"kind":3,"seq":3}\'']
)
def test_the_command_names_a_record_that_nobody_wrote(tmp_path, capsys, verb, value):
    path = tmp_path / "a.db"
    fill(path, 4)
    tamper(path, *LOOSE, f"UPDATE portcullis_audit SET record = {value} WHERE seq = 3")
    is_shown = verb == "export" and value.startswith("'")  # as it stands: text, whatever it says
    assert main(["audit", verb, "--audit", str(path)]) == (0 if is_shown else 1)
    assert is_shown or capsys.readouterr().err.startswith("broken: record 3 was changed")


@pytest.mark.parametrize("value", ["NULL", "7", "'{}'"])
def test_a_log_whose_end_was_changed_is_not_gone_on_with(tmp_path, value):
    path = tmp_path / "a.db"
    fill(path, 4)
    tamper(path, *LOOSE, f"UPDATE portcullis_audit SET record = {value} WHERE seq = 5")
    with pytest.raises(ConfigError, match="record 5 was changed"):
        fill(path, 1)


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
    links = Chain().linked(NOTHING, [{**record_of(link), "number": 9} for link in links_of(path)])
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
    kinds = [record_of(link)["kind"] for link in links]
    assert kinds.count("request") == 160
    for place, kind in enumerate(kinds):
        if kind == "ended":
            begun = record_of(links[place + 1])
            assert begun["kind"] == "begun"
            assert begun["follows"]["hash"] == links[place].hash
            assert (
                record_of(links[place])["next"] == files[files.index(path.with_name(begun["follows"]["file"])) + 1].name
            )
    assert kinds.count("ended") == len(files) - 1
    # A file in the middle that is gone is missed; the first ones may be where it is said so.
    second = record_of(links[kinds.index("ended") + 1])["seq"]
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
    assert [record_of(link)["kind"] for link in links_of(path)][4:] == ["ended", "begun", "request", "request"]


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
    records = [record_of(link) for link in links_of(path)]
    written = [(record["by"], record["number"]) for record in records if record["kind"] == "request"]
    assert sorted(written) == [(name, number) for name in (0, 1) for number in range(60)]
    assert bool(rotation) == (len(Store(str(path), may_create=False).files) > 1)


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
