"""The Litestar app: routes of all dialects, one envelope for all failures; `app` is the whole server."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litestar import Litestar, Request, Response, Router
from litestar._openapi.plugin import OpenAPIPlugin
from litestar.di import NamedDependency, Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.status_codes import HTTP_404_NOT_FOUND
from litestar.types import ControllerRouterHandler, Guard, LifeSpanScope, Receive, Scope, Send

from gateway.api.anthropic.routes import routers as anthropic_routers
from gateway.api.decisions.routes import routers as decision_routers
from gateway.api.embeddings.routes import routers as embedding_routers
from gateway.api.fallback import respond
from gateway.api.grammars.routes import routers as grammar_routers
from gateway.api.http.caller import add_cache_header, add_limit_headers, close_admission, require_key, tenant_in
from gateway.api.http.cors import cross_origin
from gateway.api.http.ignored_fields import IgnoredFieldsReporter
from gateway.api.http.model_choice import chosen_model, generative, release_model
from gateway.api.http.openapi import complete
from gateway.api.http.origin_check import entry, keep_metrics_apart, require_json, require_local
from gateway.api.http.request_ids import add_request_id
from gateway.api.ollama.routes import routers as ollama_routers
from gateway.api.openai.batches.worker import BatchWorker
from gateway.api.openai.routes import routers as openai_routers
from gateway.api.openai.socket import MESSAGES as SOCKET_MESSAGES
from gateway.api.operation.access_log import log_access
from gateway.api.operation.drain import drain_of
from gateway.api.operation.health import health, is_alive, is_ready, ping, ready
from gateway.api.operation.metrics import BatchMetrics, metrics_of
from gateway.api.operation.observation import AtEnd, HttpRequests, observed
from gateway.api.operation.pages import routers as page_routers
from gateway.api.operation.playground import routers as playground_routers
from gateway.api.operation.policies import routers as policy_routers
from gateway.api.operation.request_metrics import RequestMetrics
from gateway.api.operation.usage import routers as usage_routers
from gateway.api.shared_routes import routers as shared_routers
from gateway.api.tgi.routes import routers as tgi_routers
from gateway.api.tokens.routes import routers as token_routers
from gateway.config import BatchesConfig, Config
from gateway.errors import BatchesOffError, GatewayError, RouteNotFoundError
from gateway.service import Service
from gateway.service.model_pool import ModelPool
from gateway.service.model_service import ModelService
from gateway.service.query_embedding import embed_query
from gateway.service.shared import Shared

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer
    from prometheus_client.registry import Collector

DIALECTS: Sequence[Callable[[Sequence[Guard]], Sequence[ControllerRouterHandler]]] = (
    openai_routers,
    anthropic_routers,
    tgi_routers,
    token_routers,
    decision_routers,
    embedding_routers,
    grammar_routers,
    ollama_routers,
    shared_routers,
    usage_routers,
    policy_routers,
)
"""Routers of each dialect, behind the given guards; each has its own error envelope."""


_DOCUMENT = threading.Lock()
"""Held while the document is written."""


def create_app(
    served: Service | ModelPool,
    *,
    is_local: bool = False,
    tracer: Tracer | None = None,
    collectors: Sequence[Collector] = (),
) -> Litestar:
    """The app around models that are ready. Closing them is their owner's business.

    Args:
        served: A pool, or the service of the only model.
        is_local: The server is reachable from this machine only: without keys, other sites are refused.
        tracer: Makes spans of requests; None makes none.
        collectors: Further metrics for `/metrics`.
    """
    pool = served if isinstance(served, ModelPool) else ModelPool.of(served)
    shared, config = pool.shared, pool.config
    shared.embed = partial(embed_query, pool)
    settings, ignored, requests = config.server, IgnoredFieldsReporter(), HttpRequests()
    request_metrics = RequestMetrics(pool)
    guards = [] if shared.keys.is_empty else [require_key(shared)]
    is_open = is_local and shared.keys.is_empty
    keeps_out = [require_local(settings.allowed_hosts, settings.allowed_origins)] if is_open else []
    if settings.metrics_port is not None:
        keeps_out.append(keep_metrics_apart(settings.metrics_port))
    # Handlers at an address that others have, too, must come after these: Litestar merges them in this order alone.
    routes = sorted((route for dialect in DIALECTS for route in dialect(guards)), key=_is_no_router)
    batches = _batch_worker(config.batches)
    more = [request_metrics, *([] if batches is None else [BatchMetrics(batches)]), *collectors]
    app = Litestar(
        route_handlers=[
            health,
            is_alive,
            is_ready,
            metrics_of(pool, ignored.counts, requests.counts, more),
            ping,
            ready,
            *([drain_of(settings.drain_key)] if settings.drain_key else []),
            *page_routers(),
            *routes,
            *playground_routers(is_served=settings.playground),
        ],
        dependencies={
            **_service_providers(pool),
            "pool": Provide(lambda: pool, sync_to_thread=False, use_cache=True),
            "batches": Provide(lambda: _running(batches), sync_to_thread=False),
            "tenant": Provide(_tenant_of_request, sync_to_thread=False),
        },
        on_startup=[pool.count_idle_times],
        lifespan=[] if batches is None else [batches.running],
        guards=[entry([*keeps_out, require_json], refuses_unserved=settings.unserved == "refuse")],
        before_send=[
            add_request_id,
            ignored.report,
            *([] if shared.keys.is_empty else [add_limit_headers]),
            *([] if shared.cache is None else [add_cache_header]),
        ],
        exception_handlers={Exception: respond},
        request_max_body_size=config.limits.max_body_bytes,
        openapi_config=OpenAPIConfig(
            title="Portcullis",
            version=version("portcullis"),
            description="Structured output and tool calls over the APIs of OpenAI, Anthropic, TGI and Ollama.",
            # Pages that draw the document load their scripts from elsewhere; the document itself needs nothing.
            render_plugins=[JsonRenderPlugin()],
            openapi_router=Router(
                "/schema",
                route_handlers=[],
                include_in_schema=False,
                before_request=_write_document,
                after_request=_no_page,
            ),
        ),
        # The command sets logging up; an app that others embed leaves theirs alone.
        logging_config=None,
        debug=False,
    )
    if shared.audit is not None:
        from gateway.api.operation.audit import audited

        # Outside of everything that may answer: addresses that nobody has are requests, too.
        app.asgi_handler = audited(app.asgi_handler, shared.audit)
    if settings.allowed_origins:
        # Outside of the audit log: replies that it puts in place of others are for pages, too.
        app.asgi_handler = cross_origin(app.asgi_handler, settings.allowed_origins)
    at_end: list[AtEnd] = [close_admission, requests.count, request_metrics.count]
    at_end += [] if pool.is_fixed else [lambda scope, record, reply: release_model(pool, scope)]
    if tracer is not None:
        from opentelemetry.metrics import get_meter

        from gateway.api.operation.traces import measure_with, trace_with

        at_end += [trace_with(tracer), measure_with(get_meter("portcullis"))]
    if settings.access_log:
        at_end.append(log_access)
    app.asgi_handler = observed(app.asgi_handler, at_end, keeps_stages=tracer is not None)
    return app


def _service_providers(pool: ModelPool) -> dict[str, Provide]:
    """Return what gives handlers the service of any model, and that of a model that generates."""
    if pool.is_fixed:
        (only,) = pool.services
        return {
            "any_service": Provide(lambda: only, sync_to_thread=False, use_cache=True),
            "service": Provide(lambda: generative(only), sync_to_thread=False, use_cache=True),
        }

    async def service_of_request(request: Request[Any, Any, Any]) -> ModelService:
        return await chosen_model(request, pool)

    async def generative_service(request: Request[Any, Any, Any]) -> Service:
        return generative(await chosen_model(request, pool))

    return {"any_service": Provide(service_of_request), "service": Provide(generative_service)}


def _tenant_of_request(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> str:
    return tenant_in(request, service)


def _batch_worker(config: BatchesConfig) -> BatchWorker | None:
    return None if config.folder is None else BatchWorker(config, Path(config.folder))


def _running(batches: BatchWorker | None) -> BatchWorker:
    if batches is None:
        raise BatchesOffError("this server stores no files and runs no batches")
    return batches


def _is_no_router(route: ControllerRouterHandler) -> bool:
    return not isinstance(route, Router)


def openapi_document() -> dict[str, Any]:
    """Return the OpenAPI document of the app; no model is needed."""
    config = Config()
    plugin = create_app(ModelPool(config, Shared(config), [])).plugins.get(OpenAPIPlugin)
    _complete_document(plugin)
    return plugin.provide_openapi_schema()


async def _write_document(request: Request[Any, Any, Any]) -> None:
    """Have the document ready for the handler: it takes half a second, once, which the event loop has not."""
    await asyncio.to_thread(_complete_document, request.app.plugins.get(OpenAPIPlugin))


def _complete_document(plugin: OpenAPIPlugin) -> None:
    with _DOCUMENT:
        complete(plugin.provide_openapi(), SOCKET_MESSAGES)
        plugin.provide_openapi_schema()


def _no_page(response: Response[Any]) -> Response[Any]:
    """The response, unless it is Litestar's own page about a path that its document does not have."""
    if response.status_code == HTTP_404_NOT_FOUND:
        raise RouteNotFoundError("there is nothing at this path")
    return response


class HostedApp:
    """The whole server for an ASGI server: `uvicorn gateway.app:app`, `hypercorn gateway.app:app`.

    Settings come from the environment and the file that `PORTCULLIS_CONFIG` names. The lifespan loads the service,
    whose engine has a process of its own, and at the end finishes the answers under way. Address, TLS, and bounds on
    headers and connections are the ASGI server's.
    """

    def __init__(self) -> None:
        self._app: Litestar | None = None

    async def __call__(self, scope: Scope | LifeSpanScope, receive: Receive, send: Send) -> None:
        """Answer a request, or live through the lifespan."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif self._app is None:
            raise RuntimeError("no model is loaded: the ASGI server must send lifespan events (uvicorn: --lifespan on)")
        else:
            await self._app(scope, receive, send)

    async def _live(self, receive: Any, send: Any) -> None:
        from gateway.api.http.origin_check import is_local_name
        from gateway.api.http.request_ids import RequestIdFilter
        from gateway.hosting.lifespan import hosted_config, running_service
        from gateway.hosting.tracing import tracing
        from gateway.logs import set_up_logs

        await receive()
        async with AsyncExitStack() as stack:
            try:
                config = hosted_config()
                set_up_logs(logging.INFO, config.server.log_format, RequestIdFilter().filter)
                tracer = stack.enter_context(tracing(config.server.traces))
                running = await stack.enter_async_context(running_service(config))
            except GatewayError as error:
                await send(
                    {"type": "lifespan.startup.failed", "message": f"{error.message} {error.hint or ''}".strip()}
                )
                return
            is_local = is_local_name(config.server.host)
            self._app = create_app(running.pool, is_local=is_local, tracer=tracer, collectors=(running.stalls,))
            await stack.enter_async_context(self._app.lifespan())
            await send({"type": "lifespan.startup.complete"})
            await receive()
        self._app = None
        await send({"type": "lifespan.shutdown.complete"})


app = HostedApp()
