"""The model of a request, by the name in its body."""

from __future__ import annotations

from typing import Any, cast

import msgspec
from litestar import Request
from msgspec import Struct

from gateway.api.http.caller import admission_in
from gateway.errors import WrongModelError
from gateway.service.model_pool import Entry, ModelPool
from gateway.service.model_service import ModelService
from gateway.service.service import Service

_ENTRY = "portcullis.model"
_OTHER_MODELS = frozenset({"/v1/moderations"})
"""Paths where `model` names a policy."""


class _Named(Struct):
    """The names that a body may have for a model; `name` is Ollama's old one."""

    model: Any = None
    name: Any = None


_DECODER = msgspec.json.Decoder(_Named)


async def chosen_model(request: Request[Any, Any, Any], pool: ModelPool) -> ModelService:
    """Return the service of the model that a request names, which is loaded first where it is not.

    It is used until `release_model` is called at the request's end. A body that names none, or that its own
    handler will refuse, gets the first model; a request without a body any that is loaded.

    Raises:
        ModelNotFoundError: No model has this name, or the caller's key may not use it.
        NotReadyError: The model cannot be loaded now.
    """
    if request.method != "POST" or request.url.path in _OTHER_MODELS:
        entry = pool.default()
    else:
        name = _name_in(await request.body())
        if name is not None and (admission := admission_in(request.scope)) is not None:
            admission.check_model(name)
        entry = pool.find(name)
    service = await pool.use(entry)
    cast(dict[str, Any], request.scope)[_ENTRY] = entry
    return service


def generative(service: ModelService) -> Service:
    """Return the service as one that generates.

    Raises:
        WrongModelError: Its model is an encoder.
    """
    if not isinstance(service, Service):
        raise WrongModelError(
            f"the model {service.model.name} is an encoder: it embeds texts or scores pairs, and generates nothing",
            param="model",
        )
    return service


def entry_in(scope: Any) -> Entry | None:
    """Return the model that a request uses; None where it uses none."""
    found: Entry | None = scope.get(_ENTRY)
    return found


def release_model(pool: ModelPool, scope: Any) -> None:
    """End the use of a model by a request that is over."""
    entry = entry_in(scope)
    if entry is not None:
        pool.release(entry)


def _name_in(body: bytes) -> str | None:
    try:
        named = _DECODER.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return next((name for name in (named.model, named.name) if isinstance(name, str) and name), None)
