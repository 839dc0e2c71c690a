"""Place that a command's requests go to: the engine in this process, or a server with OpenAI's API."""

from __future__ import annotations

import asyncio
import json
import os
import urllib.error
import urllib.request
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from gateway.commands.progress import LoadingProgress
from gateway.commands.settings import MODEL, add_setting_arguments
from gateway.errors import ConfigError

if TYPE_CHECKING:
    from gateway.batches.exchange import Reply, Send
    from gateway.config import Config

KEY_VARIABLE = "OPENAI_API_KEY"
REPLY_TIMEOUT_S = 600.0
"""Longest silence of a server while a reply is awaited."""
MAX_CONCURRENCY = 256


def add_target_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    url = (
        f"server with OpenAI's API (http://host:8000/v1), with the key of ${KEY_VARIABLE}; default: a model of its own"
    )
    parser.add_argument("--base-url", metavar="URL", help=url)
    parser.add_argument("--concurrency", type=int, default=8, metavar="N", help="requests at a time; default: 8")
    add_setting_arguments(parser, MODEL)


def check_target(arguments: Namespace) -> None:
    """Raise `ConfigError` if an argument is out of its range."""
    if not 1 <= arguments.concurrency <= MAX_CONCURRENCY:
        raise ConfigError(f"--concurrency must be between 1 and {MAX_CONCURRENCY}, not {arguments.concurrency}")
    check_base_url(arguments.base_url)


def check_base_url(base_url: str | None) -> None:
    """Raise `ConfigError` if an address does not begin with http:// or https://."""
    if base_url is not None and urlsplit(base_url).scheme not in ("http", "https"):
        raise ConfigError("--base-url must begin with http:// or https://")


@contextmanager
def request_target(arguments: Namespace, config: Config) -> Iterator[Send]:
    """Yield the sender of requests."""
    if arguments.base_url is not None:
        with ThreadPoolExecutor(arguments.concurrency) as threads:
            yield _HttpServer(arguments.base_url, threads)
        return
    progress = LoadingProgress()
    progress("loading")
    from gateway.api.http.in_process import InProcess
    from gateway.app import create_app
    from gateway.service.model_pool import ModelPool

    # Requests of a file owe no key, and no other server's batches are continued here.
    server = replace(config.server, api_keys=(), key_file=None)
    config = replace(config.with_engine_process(), server=server, batches=replace(config.batches, folder=None))
    pool = ModelPool.load(config, progress)
    try:
        yield InProcess(create_app(pool))
    finally:
        pool.close()


class _HttpServer:
    def __init__(self, base_url: str, threads: ThreadPoolExecutor) -> None:
        self._base, self._threads = base_url.rstrip("/").removesuffix("/v1"), threads

    async def __call__(self, path: str, body: bytes) -> Reply:
        return await asyncio.get_running_loop().run_in_executor(self._threads, fetch, self._base + path, body)


def served_model(base_url: str) -> str:
    """Return the first model that a server lists.

    Raises:
        ConfigError: It lists none.
    """
    reply = fetch(base_url.rstrip("/").removesuffix("/v1") + "/v1/models")
    try:
        return str(json.loads(reply.body)["data"][0]["id"])
    except (ValueError, TypeError, LookupError):
        raise ConfigError(f"{base_url} lists no model: status {reply.status}; name one with --served-model") from None


def fetch(url: str, body: bytes | None = None) -> Reply:
    """Return the reply of a server; without a connection, one with status 503."""
    from gateway.batches.exchange import Reply

    headers = {"content-type": "application/json"}
    if key := os.environ.get(KEY_VARIABLE):
        headers["authorization"] = f"Bearer {key}"
    request = urllib.request.Request(url, body, headers)  # noqa: S310  `check_target` looked at the scheme
    try:
        with urllib.request.urlopen(request, timeout=REPLY_TIMEOUT_S) as found:  # noqa: S310
            return Reply(found.status, found.headers.get("x-request-id", ""), found.read())
    except urllib.error.HTTPError as error:
        with error:
            data = error.read()
        return Reply(error.code, error.headers.get("x-request-id", ""), _json(data), _seconds(error.headers))
    except (OSError, ValueError) as error:
        message = f"{urlsplit(url).netloc} cannot be reached: {error}"
        return Reply(503, "", json.dumps({"error": {"code": "no_connection", "message": message}}).encode())


def _json(data: bytes) -> bytes:
    """Return the body of an error as JSON, whatever a proxy on the way made of it."""
    try:
        json.loads(data)
    except ValueError:
        return json.dumps({"error": {"code": None, "message": data.decode("utf-8", "replace")[:1000]}}).encode()
    return data


def _seconds(headers: Any) -> float:
    try:
        return max(float(headers.get("retry-after", "1")), 0.1)
    except ValueError:
        return 1.0
