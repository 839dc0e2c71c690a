"""The API's process is killed under load, again and again: who was answered is in the log, and its chain holds."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import audit_entry
import httpx

from gateway.audit.chain import Anchor, Chain, told_by
from gateway.audit.store import Store
from gateway.audit.verification import verified

NUM_KILLS = 20
NUM_CLIENTS = 8


def ask(port, name, number, answered):
    """One client, until the server is gone. `answered` gets the requests whose replies said that they are done."""
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as client:
        while True:
            number += 1
            request_id = f"{name}-{number}"
            headers = {"x-request-id": request_id}
            body = {"prompt": "a", "stream": bool(number % 2)}
            try:
                if number % 5 == 0:
                    reply = client.get("/nowhere", headers=headers)
                    assert reply.status_code == 404
                    answered.append(request_id)
                    continue
                with client.stream("POST", "/v1/completions", json=body, headers=headers) as reply:
                    assert reply.status_code == 200
                    for line in reply.iter_lines():
                        # What tells the end of a stream comes before the stream's own end.
                        if '"finish_reason":"stop"' in line:
                            answered.append(request_id)
            except httpx.TransportError:
                return


def test_nobody_was_answered_whose_record_is_lost(tiny_model, tmp_path):
    path, head = tmp_path / "a.db", tmp_path / "head"
    settings = {"url": str(path), "head_file": str(head), "rotate_bytes": 40_000}
    command = [sys.executable, str(Path(audit_entry.__file__)), str(tiny_model), json.dumps(settings)]
    answered, chance = [], random.Random(5)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as servers:
        try:
            for turn in range(NUM_KILLS):
                servers.stdin.write("\n")
                servers.stdin.flush()
                pid, port = map(int, servers.stdout.readline().split())
                clients = [
                    threading.Thread(target=ask, args=(port, f"{turn}-{name}", name, answered))
                    for name in range(NUM_CLIENTS)
                ]
                for client in clients:
                    client.start()
                time.sleep(chance.uniform(0.05, 0.6))
                os.kill(pid, signal.SIGKILL)
                for client in clients:
                    client.join(60)
                    assert not client.is_alive()
                assert int(servers.stdout.readline()) == -signal.SIGKILL
                with closing(Store(str(path), may_create=False)) as store:
                    verified(store, Chain(), [Anchor.read(str(head))])
        finally:
            servers.kill()
    with closing(Store(str(path), may_create=False)) as store:
        records = [told_by(link) for link in store.links()]
        assert len(store.files) > 1
    recorded = [record["request"] for record in records if record["kind"] == "request"]
    assert len(recorded) == len(set(recorded))
    assert len(answered) > 5 * NUM_KILLS
    assert set(answered) - set(recorded) == set()
    assert {record["status"] for record in records if record["kind"] == "request"} == {200, 404}
