"""`portcullis bench`: load test of any server with OpenAI's API, with a check of every answer."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import cycle, islice
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from gateway.commands.progress import LoadingProgress
from gateway.commands.request_target import KEY_VARIABLE, check_base_url, served_model
from gateway.commands.settings import MODEL, add_setting_arguments, config_of
from gateway.errors import ConfigError, GatewayError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from gateway.config import Config
    from gateway.load_test.arrival import Load
    from gateway.load_test.client import Answer, Client
    from gateway.load_test.prompts import Prompt
    from gateway.load_test.validity import Validity

NAME = "bench"
HELP = "measure latency, throughput and valid answers of a server under load"
EXAMPLE = "portcullis bench --rate 1,2,4 --goodput ttft:500 tpot:50 --html report.html"

MAX_REQUESTS = 100_000
MAX_RUNS = 32
MAX_RATE = 10_000.0
DEFAULT_CONCURRENCY = "8"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    url = f"server to test (http://host:8000/v1), with the key of ${KEY_VARIABLE}; default: one of its own"
    parser.add_argument("--base-url", metavar="URL", help=url)
    parser.add_argument("--served-model", metavar="NAME", help="model on the server; default: the first that it lists")
    load = parser.add_mutually_exclusive_group()
    load.add_argument(
        "--concurrency", metavar="N,...", help=f"requests under way, a run each; default: {DEFAULT_CONCURRENCY}"
    )
    load.add_argument("--rate", metavar="X,...", help="requests a second that arrive as a Poisson process, a run each")
    parser.add_argument("--requests", type=int, default=100, metavar="N", help="requests of a run; default: 100")
    parser.add_argument("--warm-up", type=int, default=4, metavar="N", help="requests before, not measured; default: 4")
    source = parser.add_mutually_exclusive_group()
    mix = "weights of made requests: chat, extraction, tools; default: all alike"
    source.add_argument("--mix", nargs="+", default=["chat", "extraction", "tools"], metavar="KIND:WEIGHT", help=mix)
    source.add_argument("--input", metavar="FILE", help="JSONL of prompts, bodies, batch lines or BFCL's entries")
    parser.add_argument("--max-tokens", type=int, default=128, metavar="N", help="longest answer; default: 128")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of made requests and arrivals; default: 0")
    parser.add_argument("--timeout", type=float, default=600.0, metavar="S", help="longest silence; default: 600")
    goodput = "latencies in ms within which a request is good: ttft, tpot, e2el"
    parser.add_argument("--goodput", nargs="+", default=[], metavar="NAME:MS", help=goodput)
    parser.add_argument("--json", metavar="FILE", help="write figures, and each answer's, to a file")
    parser.add_argument("--html", metavar="FILE", help="write table and plots to a page that needs no other file")
    parser.add_argument("--png", metavar="FILE", help="write the plots to a picture; needs matplotlib")
    add_setting_arguments(parser, MODEL)


def run(arguments: Namespace) -> int:
    """Run each load and print the table; 1 if a run had no complete answer."""
    from gateway.load_test.plots import check_png, write_png
    from gateway.load_test.prompts import file_prompts, made_prompts, read_mix
    from gateway.load_test.report import html, text
    from gateway.load_test.statistics import read_objectives
    from gateway.load_test.validity import Validity

    check_base_url(arguments.base_url)
    loads, objectives = _loads(arguments), read_objectives(arguments.goodput)
    for flag, number, least in (("requests", arguments.requests, 1), ("warm-up", arguments.warm_up, 0)):
        if not least <= number <= MAX_REQUESTS:
            raise ConfigError(f"--{flag} must be between {least} and {MAX_REQUESTS}, not {number}")
    if arguments.png is not None:
        check_png()
    validity = Validity()
    if arguments.input is None:
        prompts = made_prompts(read_mix(arguments.mix), arguments.seed)
    else:
        found = file_prompts(Path(arguments.input))
        for prompt in found:
            validity.check(prompt)
        prompts = cycle(found)
    for name in (arguments.json, arguments.html, arguments.png):
        if name is not None and not Path(name).absolute().parent.is_dir():
            raise ConfigError(f"cannot write {name}: its folder does not exist")
    with _server(arguments) as base_url:
        model = arguments.served_model or served_model(base_url)
        report: dict[str, Any] = {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "server": arguments.base_url or "own process",
            "model": model,
            "requests_of": arguments.input or " ".join(arguments.mix),
            "seed": arguments.seed,
            "goodput": objectives,
            "runs": asyncio.run(_runs(arguments, base_url, model, loads, prompts, validity, objectives)),
        }
    print(text(report), end="")
    for name, content in ((arguments.json, json.dumps), (arguments.html, html)):
        if name is not None:
            Path(name).write_text(content(report) + "\n", encoding="utf-8")
    if arguments.png is not None:
        write_png(report, Path(arguments.png))
    return int(any(each["failed"] == each["requests"] for each in report["runs"]))


def _loads(arguments: Namespace) -> list[Load]:
    from gateway.load_test.arrival import Load
    from gateway.load_test.client import MAX_CONNECTIONS

    is_open = arguments.rate is not None
    words = (arguments.rate or arguments.concurrency or DEFAULT_CONCURRENCY).split(",")
    try:
        loads = [Load("rate", float(word)) if is_open else Load("concurrency", int(word)) for word in words]
    except ValueError:
        loads = []
    most = MAX_RATE if is_open else MAX_CONNECTIONS
    if not 1 <= len(loads) <= MAX_RUNS or not all(0 < load.value <= most for load in loads):
        flag = "--rate" if is_open else "--concurrency"
        raise ConfigError(
            f"{flag} takes 1 to {MAX_RUNS} numbers from 0 to {most:g}, with commas, not {','.join(words)}"
        )
    return loads


async def _runs(
    arguments: Namespace,
    base_url: str,
    model: str,
    loads: list[Load],
    prompts: Iterator[Prompt],
    validity: Validity,
    objectives: dict[str, float],
) -> list[dict[str, Any]]:
    """Return the figures of each load."""
    from gateway.load_test.arrival import Load
    from gateway.load_test.client import Client
    from gateway.load_test.statistics import run_figures

    runs = []
    defaults = {"max_tokens": arguments.max_tokens, "temperature": 0}
    async with Client(base_url, os.environ.get(KEY_VARIABLE), model, arguments.timeout, defaults) as client:
        if arguments.warm_up:
            await _answers(client, islice(prompts, arguments.warm_up), Load("concurrency", 1), arguments.seed)
        for load in loads:
            asked = list(islice(prompts, arguments.requests))
            answers = await _answers(client, asked, load, arguments.seed)
            # After the last answer: what it costs is in no latency.
            faults = [validity.fault(prompt, answer) for prompt, answer in zip(asked, answers, strict=True)]
            runs.append(run_figures(load, answers, faults, objectives))
    return runs


async def _answers(client: Client, prompts: Iterable[Prompt], load: Load, seed: int) -> list[Answer]:
    from tqdm import tqdm

    from gateway.load_test.arrival import send_all

    asked = list(prompts)
    answers: dict[int, Answer] = {}
    # None: no bar unless stderr is a terminal.
    with tqdm(total=len(asked), unit="request", desc=str(load), disable=None) as bar:

        async def ask(numbered: tuple[int, Prompt], due_s: float) -> None:
            number, prompt = numbered
            answers[number] = await client.ask(prompt.kind, prompt.body, due_s)
            bar.update()

        await send_all(enumerate(asked), load, ask, seed)
    return [answers[number] for number in range(len(asked))]


@contextmanager
def _server(arguments: Namespace) -> Iterator[str]:
    """Yield the URL of the server; one of its own is another process, so that it does not wait for the client."""
    if arguments.base_url is not None:
        yield arguments.base_url.rstrip("/").removesuffix("/v1") + "/v1"
        return
    config = config_of(arguments)
    # Of this machine alone, and nothing that belongs to another server of these settings.
    server = replace(
        config.server,
        host="127.0.0.1",
        port=0,
        api_keys=(),
        key_file=None,
        metrics_port=None,
        tls_cert=None,
        tls_key=None,
    )
    config = replace(
        config, server=server, audit=replace(config.audit, url=None), batches=replace(config.batches, folder=None)
    )
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(config, there))
    process.start()
    there.close()
    try:
        url = here.recv_bytes().decode()
        if not url.startswith("http"):
            raise ConfigError(url)
        yield url
    except EOFError:
        raise ConfigError("the server has ended; see above") from None
    finally:
        process.terminate()
        process.join()


def _serve(config: Config, connection: Connection) -> None:
    """Serve until the other end of the connection is closed."""
    from gateway.commands.serve import serve

    def end_with_client() -> None:
        with suppress(EOFError):
            connection.recv_bytes()
        os.kill(os.getpid(), signal.SIGTERM)

    def report(stage: str) -> None:
        if not urls:
            progress(stage)

    def tell(url: str) -> None:
        urls.append(url)
        connection.send_bytes(url.encode())

    progress, urls = LoadingProgress(), list[str]()
    Thread(target=end_with_client, daemon=True).start()
    try:
        serve(config, report, "warning", tell)
    except GatewayError as error:
        connection.send_bytes(error.message.encode())
