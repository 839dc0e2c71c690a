"""Processes are killed under load: who was answered is in the log, its chain holds, and service goes on."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path

import audit_entry
import httpx
import pytest
from served_process import Served, wait_for

from gateway.audit.chain import Anchor, Chain, record_of
from gateway.audit.store import Store
from gateway.audit.verification import verified
from tests.counts import few_or_all

NUM_KILLS = 20
NUM_CLIENTS = 8


def ask(url, name, numbers, answered, body_of):
    """One client, until the server is gone. `answered` gets the requests whose replies said that they are done."""
    # Certificates are not read: it takes the time that a server wants to start in.
    with httpx.Client(base_url=url, timeout=20, verify=False) as client:
        for number in numbers:
            request_id = f"{name}-{number}"
            headers = {"x-request-id": request_id}
            try:
                if number % 5 == 0:
                    assert client.get("/nowhere", headers=headers).status_code == 404
                    answered.append(request_id)
                    continue
                path, body = body_of(name, number)
                with client.stream("POST", path, json=body, headers=headers) as reply:
                    assert reply.status_code in (200, 503)
                    for line in reply.iter_lines():
                        # What tells the end of a stream comes before the stream's own end. That there is no record, for
                        # a commit took too long, say, is an answer of which none is asked for.
                        if '"finish_reason":"' in line or ('"error":{' in line and '"audit_failed"' not in line):
                            answered.append(request_id)
            except httpx.TransportError:
                return


def completion(name, number):
    return "/v1/completions", {"prompt": "a", "stream": bool(number % 2)}


def recorded_in(path):
    """Records of requests in a chain that holds."""
    with closing(Store(str(path), may_create=False)) as store:
        verified(store, Chain())
        assert len(store.files) > 1
        return [record for record in map(record_of, store.links()) if record["kind"] == "request"]


def check_all(answered, records):
    recorded = [record["request"] for record in records]
    assert len(recorded) == len(set(recorded))
    assert set(answered) - set(recorded) == set()


@pytest.mark.parametrize("num_kills", few_or_all(4, NUM_KILLS))
def test_nobody_was_answered_whose_record_is_lost(tiny_model, tmp_path, num_kills):
    path, head = tmp_path / "a.db", tmp_path / "head"
    settings = {"url": str(path), "head_file": str(head), "rotate_bytes": 40_000}
    command = [sys.executable, str(Path(audit_entry.__file__)), str(tiny_model), json.dumps(settings)]
    answered, chance = [], random.Random(5)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as servers:
        try:
            for turn in range(num_kills):
                servers.stdin.write("\n")
                servers.stdin.flush()
                pid, port = map(int, servers.stdout.readline().split())
                url = f"http://127.0.0.1:{port}"
                clients = [
                    threading.Thread(target=ask, args=(url, f"{turn}-{name}", count(name), answered, completion))
                    for name in range(NUM_CLIENTS)
                ]
                for client in clients:
                    client.start()
                time.sleep(chance.uniform(0.05, 0.6))
                # There are as many by then, but where the machine does much else.
                wait_for(lambda least=5 * turn + 6: len(answered) >= least, 60)
                os.kill(pid, signal.SIGKILL)
                for client in clients:
                    client.join(60)
                    assert not client.is_alive()
                assert int(servers.stdout.readline()) == -signal.SIGKILL
                with closing(Store(str(path), may_create=False)) as store:
                    verified(store, Chain(), [Anchor.read(str(head))])
        finally:
            servers.kill()
    records = recorded_in(path)
    check_all(answered, records)
    assert len(answered) > 5 * num_kills
    assert {record["status"] for record in records} == {200, 404}


def held_completion(name, number):
    """Every other one under a constraint that is new, for which a worker is needed."""
    path, body = completion(name, number)
    body |= {"max_tokens": 12}
    return path, body | {"structured_outputs": {"regex": f"{name}.{number}[ab]"}} if number % 4 < 2 else body


def engine_and_api(command, chance):
    return [command.engine_pids()[1], command.process.pid]


def all_processes(command, chance):
    """Engine, standby of the forkserver and constraint workers in any order, the forkserver, the API."""
    forkserver, *forks = command.engine_pids()
    return [*chance.sample(forks, len(forks)), forkserver, command.process.pid]


def kill(pid):
    """Whether the process was there: one may have ended by itself since it was chosen, a worker past its time."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def answers(url):
    """Answers under a constraint that nobody asked for before, and that only a worker compiles, and a model writes."""
    body = {"prompt": "a", "max_tokens": 20, "structured_outputs": {"regex": f"{time.monotonic_ns()}[ab]"}}
    try:
        return httpx.post(f"{url}/v1/completions", json=body, timeout=60).status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.parametrize(
    ("victims", "num_kills", "back_s"),
    [
        pytest.param(engine_and_api, 2, 120, id="engine and api"),
        # A machine that does something else beside may take longer.
        pytest.param(all_processes, NUM_KILLS, 10, id="all", marks=pytest.mark.slow),
    ],
)
def test_whichever_process_dies_no_answer_is_missing_and_service_goes_on(
    tiny_model, tmp_path, victims, num_kills, back_s
):
    path, head = tmp_path / "a.db", tmp_path / "head"
    settings = {"AUDIT_URL": path, "AUDIT_HEAD_FILE": head, "AUDIT_ROTATE_BYTES": 20_000}
    answered, chance, is_over = [], random.Random(7), threading.Event()
    command = Served(tiny_model, False, **settings)

    def client(name):
        numbers = count()
        while not is_over.wait(0.5):
            ask(command.url, name, numbers, answered, held_completion)

    clients = [threading.Thread(target=client, args=(f"client{name}",)) for name in range(NUM_CLIENTS)]
    try:
        for each in clients:
            each.start()
        while num_kills:
            for pid in victims(command, chance)[:num_kills]:
                time.sleep(chance.uniform(0.3, 1.5))
                if not kill(pid):
                    continue
                num_kills -= 1
                begun = time.monotonic()
                if pid == command.process.pid:
                    command.end()
                    command = Served(tiny_model, False, **settings)
                wait_for(partial(answers, command.url), back_s - (time.monotonic() - begun))
                anchor = Anchor.read(str(head))
                with closing(Store(str(path), may_create=False)) as store:
                    verified(store, Chain(), [anchor])
    finally:
        is_over.set()
        command.end()
        for each in clients:
            each.join(60)
    assert not any(each.is_alive() for each in clients)
    records = recorded_in(path)
    check_all(answered, records)
    assert {200, 404} <= {record["status"] for record in records}
