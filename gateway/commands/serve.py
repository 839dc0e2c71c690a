"""`portcullis serve`: the gateway on a socket."""

from __future__ import annotations

import gc
import signal
import socket
from argparse import ArgumentParser, Namespace
from types import FrameType
from typing import TYPE_CHECKING

from gateway.commands.progress import LoadingProgress
from gateway.commands.settings import add_model_arguments, config_of
from gateway.config import Config
from gateway.errors import ConfigError

if TYPE_CHECKING:
    from gateway.service import Service

NAME = "serve"
HELP = "serve a model over OpenAI's API"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_model_arguments(parser)
    parser.add_argument("--host", help="address to bind; default: 127.0.0.1")
    parser.add_argument("--port", help="TCP port, 0 for a free one; default: 8000")
    parser.add_argument("--name", help="the model's name on the wire; default: the last part of its path")
    parser.add_argument("--alias", action="append", help="a further name for it; may be repeated")
    parser.add_argument("--api-key", action="append", help="a key that is let in; may be repeated; default: everyone")
    parser.add_argument("--tool-format", help="how the model writes tool calls; default: read from its chat template")
    parser.add_argument("--log-level", default="info", choices=["debug", "info", "warning", "error"])


def run(arguments: Namespace) -> int:
    """Serve until a signal ends it; answers under way are finished first."""
    config = config_of(arguments)
    _leave_on(signal.SIGTERM)
    progress = LoadingProgress()
    # Bound before the model loads: an address that is taken is reported at once.
    listener = _bind(config)
    with listener:
        import logging

        from gateway.service import Service

        logging.basicConfig(level=arguments.log_level.upper(), format="%(levelname)s %(name)s: %(message)s")
        # Other libraries' chatter is worth reading only when something is being looked for.
        logging.getLogger("gateway").setLevel(arguments.log_level.upper())
        service = Service.load(config, progress)
        try:
            _serve(service, listener, progress, arguments.log_level)
        except (KeyboardInterrupt, SystemExit):
            progress("stopped")
        finally:
            service.close()
    return 0


def _serve(service: Service, listener: socket.socket, progress: LoadingProgress, log_level: str) -> None:
    import uvicorn

    from gateway.app import create_app

    class AnnouncingServer(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                _settle()
                progress(f"serving {service.model.name} on {_url(listener)}/v1")

    settings = uvicorn.Config(
        create_app(service),
        log_level=log_level if log_level == "debug" else "warning",
        timeout_graceful_shutdown=service.config.server.graceful_timeout_s,
        server_header=False,
    )
    AnnouncingServer(settings).run([listener])


def _settle() -> None:
    """Has the garbage collector leave alone what was loaded: looking at all of it stops every request for 0.1 s."""
    gc.collect()
    gc.freeze()


def _bind(config: Config) -> socket.socket:
    host, port = config.server.host, config.server.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise ConfigError(f"cannot bind {host}:{port}: {error}") from error
    return listener


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _leave_on(number: signal.Signals) -> None:
    """Have a signal unwind the stack, so that everything is closed on the way out."""

    def leave(received: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + received)

    signal.signal(number, leave)
