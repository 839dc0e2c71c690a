"""`portcullis serve`: the gateway on a socket."""

from __future__ import annotations

import asyncio
import ctypes
import errno
import gc
import logging
import os
import resource
import signal
import socket
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from importlib import import_module
from math import ceil
from types import FrameType
from typing import TYPE_CHECKING

from gateway.api.http.request_ids import RequestIdFilter
from gateway.commands.loading_server import LoadingServer
from gateway.commands.loop_watch import LoopWatch, StallLog
from gateway.commands.progress import log_progress
from gateway.commands.reloading import Reloading
from gateway.commands.settings import AUDIT, MODEL, SERVER, add_setting_arguments, config_of
from gateway.commands.tracing import tracing
from gateway.config import Config
from gateway.config.tls import tls_context
from gateway.errors import ConfigError
from gateway.logs import set_up_logs

if TYPE_CHECKING:
    from ssl import SSLContext

    from opentelemetry.trace import Tracer

    from gateway.service import Service

NAME = "serve"
HELP = "serve a model over the APIs of OpenAI, Anthropic, TGI and Ollama"
EXAMPLE = "portcullis serve --model ./Qwen3-0.6B --port 8000"

EMBEDDED = "this package's own model, of 11 million parameters, fills in records and calls tools, for a first try"

M_ARENA_MAX = -8
SPARE_DESCRIPTORS = 256
"""For all that is open beside clients' connections."""
LAST_WORDS_S = 2
"""Seconds that the last answers get to reach their clients, at least."""
TRIM_TICKS = 20
"""Ticks of the server, each a tenth of a second, between looks at the memory."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_setting_arguments(parser, (*MODEL, *SERVER, *AUDIT))
    parser.add_argument("--log-level", default="info", choices=["debug", "info", "warning", "error"])


def run(arguments: Namespace) -> int:
    """Serve by these arguments."""
    return serve(config_of(arguments), log_progress, arguments.log_level, reread=lambda: config_of(arguments))


def serve(
    config: Config,
    progress: Callable[[str], None],
    log_level: str,
    told: Callable[[str], None] = lambda url: None,
    reread: Callable[[], Config] | None = None,
) -> int:
    """Serve until a signal ends it: answers under way are finished first, a second signal ends it at once. 1 where the
    engine died for good.

    Args:
        told: Called with the URL of the API, once it is there.
        reread: The settings, read again: at SIGHUP, keys and policies of these are taken. None takes none.
    """
    set_up_logs(log_level.upper(), config.server.log_format, RequestIdFilter().filter)
    # Other libraries' chatter is worth reading only when something is being looked for.
    logging.getLogger("gateway").setLevel(log_level.upper())
    reloading = Reloading(config, reread or (lambda: config), progress)
    signal.signal(signal.SIGHUP, signal.SIG_IGN if reread is None else reloading.ask)
    if config.process.mode == "auto":
        config = replace(config, process=replace(config.process, mode="process"))
    _leave_on(signal.SIGTERM)
    _share_one_heap()
    _allow_descriptors(config.server.max_connections, progress)
    # Bound before the model loads: an address that is taken is reported at once.
    listener = _bind(config)
    with listener, ExitStack() as stack:
        # Until all is loaded: each look of the collector at it takes up to 0.1 s, and none of it is garbage.
        gc.disable()
        stack.callback(gc.enable)
        from gateway.service.model.start_worker import spare_worker

        # What the engine's process imports takes as long as all that is imported here.
        first = spare_worker() if config.process.mode == "process" else None
        if first is not None:
            stack.callback(first.close)
        tracer = stack.enter_context(tracing(config.server.traces))
        from gateway.service import Service

        tls = tls_context(config.server)
        with LoadingServer(listener, progress, tls) as starting:
            service = Service.load(config, starting, first, _import_app)
        try:
            _serve(service, tracer, listener, tls, progress, log_level, told, reloading)
            code = int(service.is_given_up)
        finally:
            service.close()
        progress("stopped")
    return code


def _serve(
    service: Service,
    tracer: Tracer | None,
    listener: socket.socket,
    tls: SSLContext | None,
    progress: Callable[[str], None],
    log_level: str,
    told: Callable[[str], None],
    reloading: Reloading,
) -> None:
    import uvicorn

    from gateway.api.fallback import respond
    from gateway.api.http.connection import bounded_by
    from gateway.api.http.origin_check import is_local_name
    from gateway.app import create_app
    from gateway.service.model.installed import SMOLLM2, SMOLLM2_INSTALLED_BY
    from gateway.service.model.memory import HeapTrimmer

    is_local = is_local_name(service.config.server.host)
    if not is_local and service.keys.is_empty:
        progress("everyone who reaches this address is let in: no API key is set")
    if service.config.model.path is None:
        larger = f"--model FOLDER, FILE.gguf or {SMOLLM2} ({SMOLLM2_INSTALLED_BY})"
        progress(f"{EMBEDDED}; a larger one: {larger}")
    trimming, held = HeapTrimmer(), StallLog()
    graceful_s = service.config.graceful_s

    class DrainingServer(uvicorn.Server):
        """uvicorn's server that keeps listening while it drains, so that new requests get 503 and no closed port."""

        deadline: float | None = None
        was_idle = False

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            self.config.ssl = tls
            await super().startup(sockets)
            if self.started:
                _settle()
                url = f"{_url(listener, is_tls=tls is not None)}/v1"
                progress(f"serving {service.model.name} on {url}")
                told(url)

        async def main_loop(self) -> None:
            with LoopWatch(asyncio.get_running_loop(), held):
                await super().main_loop()

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            if self.deadline is not None:
                progress("stopped at once")
                os._exit(128 + sig)
            self.deadline = time.monotonic() + graceful_s
            service.drain()
            left = f"finishing {service.num_under_way} requests, for {graceful_s:g} s at most"
            progress(f"{left}; a second signal stops at once")

        async def on_tick(self, counter: int) -> bool:
            if service.is_given_up and not self.should_exit:
                progress(service.trouble)
                # Whoever started this process sees that it ended, and can start another.
                self.should_exit = True
            if self.deadline is None and reloading.is_asked and reloading.has_lost_terminal:
                self.handle_exit(signal.SIGHUP, None)
            if self.deadline is None:
                reloading.go_on(service)
            else:
                left_s = self.deadline - time.monotonic()
                if left_s <= 0 and service.num_under_way:
                    what = f"ending {service.num_under_way} requests that are not finished after {graceful_s:g} s"
                    progress(f"{what} (server.graceful_timeout_s)")
                    await asyncio.to_thread(service.end_answers)
                # Twice in a row: between its preparation and its answer a request is not counted for a moment.
                is_idle = not service.num_under_way
                self.should_exit, self.was_idle = left_s <= 0 or (is_idle and self.was_idle), is_idle
                # What is finished, or was told its end, is still to be written.
                self.config.timeout_graceful_shutdown = max(LAST_WORDS_S, ceil(left_s))
            if counter % TRIM_TICKS == 0:
                await asyncio.to_thread(trimming)
            return await super().on_tick(counter)

    settings = uvicorn.Config(
        create_app(service, is_local=is_local, tracer=tracer, collectors=(held,)),
        log_config=None,
        log_level=log_level if log_level == "debug" else "warning",
        access_log=False,
        server_header=False,
        loop="uvloop",
        http=bounded_by(service.config.server, respond),
        ws="none",
    )
    DrainingServer(settings).run([listener])


def _import_app() -> None:
    """Import what `_serve` does."""
    for name in ("uvicorn", "gateway.api.http.connection", "gateway.app"):
        import_module(name)


def _share_one_heap() -> None:
    """Has all threads allocate from one heap: what one of them left free serves the others, and few of them compute at
    the same time."""
    limit = getattr(ctypes.CDLL(None), "mallopt", None)  # the GNU C library's
    if limit is not None:
        limit(M_ARENA_MAX, 1)


def _allow_descriptors(max_connections: int, progress: Callable[[str], None]) -> None:
    """Raise the limit on open files to what the connections need, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = max_connections + SPARE_DESCRIPTORS
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    if most < wanted:
        progress(f"{max_connections} connections may need {wanted} open files, and {most} are allowed (ulimit -Hn)")


def _settle() -> None:
    """Has the garbage collector leave alone what was loaded: looking at all of it stops every request for 0.1 s."""
    gc.collect()
    gc.freeze()
    gc.enable()


def _bind(config: Config) -> socket.socket:
    host, port = config.server.host, config.server.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise ConfigError(f"cannot bind {host}:{port}: {error}{_way_out(error)}") from error
    return listener


def _way_out(error: OSError) -> str:
    match error.errno:
        case errno.EADDRINUSE | errno.EACCES:
            return "; --port chooses another port, --port 0 one that is free"
        case errno.EADDRNOTAVAIL:
            return "; --host chooses an address of this machine"
    return ""


def _url(listener: socket.socket, *, is_tls: bool) -> str:
    host, port = listener.getsockname()[:2]
    scheme = "https" if is_tls else "http"
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def _leave_on(number: signal.Signals) -> None:
    """Have a signal unwind the stack, so that everything is closed on the way out."""

    def leave(received: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + received)

    signal.signal(number, leave)
