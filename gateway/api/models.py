"""The list of models, which two dialects have at one address: the request says whose client it is from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar import Request, Response, Router, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery
from litestar.types import ControllerRouterHandler, Guard

from gateway.api.anthropic.models import model_info, model_page
from gateway.api.anthropic.responses import ModelInfo, ModelPage
from gateway.api.fallback import is_anthropic, respond
from gateway.api.openai.bodies import ModelList, ModelOut
from gateway.api.openai.documents import FAILURES
from gateway.api.openai.models import model_list, model_out
from gateway.api.whole import whole
from gateway.service import Service

_EITHER_LIST: Any = ModelList | ModelPage
_EITHER_MODEL: Any = ModelOut | ModelInfo
_LIST = {200: ResponseSpec(_EITHER_LIST, generate_examples=False), 400: FAILURES[400], 401: FAILURES[401]}
_ONE = {200: ResponseSpec(_EITHER_MODEL, generate_examples=False), **{each: FAILURES[each] for each in (400, 401, 404)}}


@get("/models", summary="The served model and its aliases", tags=["OpenAI", "Anthropic"], responses=_LIST)
async def list_models(
    request: Request[Any, Any, Any],
    service: NamedDependency[Service],
    limit: FromQuery[int] = 20,
    after_id: FromQuery[str | None] = None,
    before_id: FromQuery[str | None] = None,
) -> Response[Any]:
    """Every name that `model` may take. The parameters, and pages, are Anthropic's alone."""
    if not is_anthropic(request):
        return whole(model_list(service.model))
    # The client of Anthropic's puts brackets behind the names of lists.
    stages = [stage for name in ("lifecycle", "lifecycle[]") for stage in request.query_params.getall(name, [])]
    can_think = service.description.can_think
    page = model_page(service.model, limit, after_id, before_id, stages, can_think=can_think)
    return whole(page)


@get("/models/{model_id:path}", summary="One model", tags=["OpenAI", "Anthropic"], responses=_ONE)
async def get_model(
    request: Request[Any, Any, Any], service: NamedDependency[Service], model_id: FromPath[str]
) -> Response[Any]:
    """The model behind a name."""
    # The path parameter begins with the slash before it; hub names contain slashes of their own.
    name = service.model.resolve(model_id.removeprefix("/"))
    if not is_anthropic(request):
        return whole(model_out(service.model, name))
    return whole(model_info(service.model, name, can_think=service.description.can_think))


def routers(guards: Sequence[Guard]) -> list[Router]:
    """The routes that two dialects share, for those whom the guards let in."""
    handlers: list[ControllerRouterHandler] = [list_models, get_model]
    return [Router(path="/v1", route_handlers=handlers, guards=guards, exception_handlers={Exception: respond})]
