"""The audit log in a PostgreSQL of its own, where one is installed."""

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import closing
from pathlib import Path

import pytest
from audit_files import check, fill, links_of, log_at

from gateway.audit.chain import Chain, record_of
from gateway.audit.log import AuditLog
from gateway.audit.store import ContinuedError, Store
from gateway.cli import main
from gateway.config import AuditConfig
from gateway.errors import AuditError, ConfigError


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
            kinds = [record_of(link)["kind"] for link in links_of(url)]
            assert kinds == ["begun", "request", "dropped", "request"]
            check(url)
        finally:
            log.close()
            again.send_signal(signal.SIGINT)
            again.wait()

    asyncio.run(run(AuditLog(AuditConfig(url=url))))
