"""The served models in Anthropic's list of models."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from gateway.api.anthropic.responses import (
    Capabilities,
    ContextSupport,
    EffortSupport,
    ModelInfo,
    ModelPage,
    ServerToolsSupport,
    Support,
    ThinkingSupport,
    ThinkingTypes,
)
from gateway.api.http.paging import check_limit
from gateway.core.model import ServedModel
from gateway.errors import InvalidRequestError

MAX_LIMIT = 1000

_YES, _NO = Support(supported=True), Support(supported=False)


class Listed(NamedTuple):
    """A model as it is listed."""

    served: ServedModel
    can_think: bool
    can_see: bool


def model_info(name: str, model: Listed) -> ModelInfo:
    """Return the model under a name."""
    served = model.served
    return ModelInfo(
        id=name,
        display_name=name,
        created_at=datetime.fromtimestamp(served.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        max_input_tokens=served.max_context,
        max_tokens=served.max_context,
        capabilities=_capabilities(model.can_think, model.can_see),
    )


def model_page(
    models: Mapping[str, Listed],
    limit: int = 20,
    after_id: str | None = None,
    before_id: str | None = None,
    stages: Collection[str] = (),
) -> ModelPage:
    """Return one page of the models, each under its name.

    Args:
        stages: Lifecycle stages to list; served models are `active`. Empty lists all.

    Raises:
        InvalidRequestError: A parameter is invalid; names it.
    """
    check_limit(limit, MAX_LIMIT)
    if after_id is not None and before_id is not None:
        raise InvalidRequestError("after_id and before_id exclude each other", param="before_id")
    rest: Sequence[str] = [*models] if not stages or "active" in stages else ()
    if after_id is not None:
        rest = rest[_place(rest, after_id, "after_id") + 1 :]
    elif before_id is not None:
        rest = rest[: _place(rest, before_id, "before_id")]
    told = rest[:limit] if before_id is None else rest[-limit:]
    return ModelPage(
        data=[model_info(name, models[name]) for name in told],
        has_more=len(told) < len(rest),
        first_id=told[0] if told else None,
        last_id=told[-1] if told else None,
    )


def _place(names: Sequence[str], name: str, param: str) -> int:
    if name not in names:
        raise InvalidRequestError(f"{param}: no model has the id {name[:100]!r}", param=param)
    return names.index(name)


def _capabilities(can_think: bool, can_see: bool) -> Capabilities:
    thinks = Support(supported=can_think)
    return Capabilities(
        batch=_NO,
        citations=_YES,
        code_execution=_NO,
        context_management=ContextSupport(supported=False),
        effort=EffortSupport(supported=False, low=_NO, medium=_NO, high=_NO, xhigh=_NO, max=_NO),
        image_input=Support(supported=can_see),
        pdf_input=_NO,
        server_tools=ServerToolsSupport(supported=False, code_execution=_NO, web_search=_NO),
        structured_outputs=_YES,
        thinking=ThinkingSupport(
            supported=can_think, types=ThinkingTypes(adaptive=_YES, between_tools=_NO, disabled=_YES, enabled=thinks)
        ),
    )
