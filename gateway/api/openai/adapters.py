"""`/v1/load_lora_adapter` and `/v1/unload_lora_adapter`, with vLLM's names and bodies."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import MediaType, Request, Response
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from msgspec import Struct

from gateway.api.http.caller import admission_in
from gateway.api.http.decode import decode
from gateway.api.http.model_choice import generative
from gateway.api.http.openapi import json_post
from gateway.api.openai.envelope import FAILURES
from gateway.errors import AdapterError, UnsupportedParameterError
from gateway.service.model_adapters import ModelAdapters
from gateway.service.model_pool import Entry, ModelPool

_DONE = {
    200: ResponseSpec(str, generate_examples=False, media_type=MediaType.TEXT),
    **{status: FAILURES[status] for status in (400, 401, 404, 413, 503)},
}


class LoadAdapterBody(Struct, kw_only=True):
    """`POST /v1/load_lora_adapter`. `lora_path` is below `model.adapter_folder`; `model` names one of several models
    that the adapter is for."""

    lora_name: str
    lora_path: str
    load_inplace: bool | None = None
    model: str | None = None


class UnloadAdapterBody(Struct, kw_only=True):
    """`POST /v1/unload_lora_adapter`."""

    lora_name: str
    lora_int_id: int | None = None


@json_post("/load_lora_adapter", "Load a LoRA adapter", "OpenAI", LoadAdapterBody, _DONE)
async def load_lora_adapter(request: Request[Any, Any, Any], pool: NamedDependency[ModelPool]) -> Response[str]:
    """Load an adapter in PEFT's layout; requests choose it by `model`. Off unless `model.adapter_folder` is set."""
    body = decode(LoadAdapterBody, await request.body())
    if body.load_inplace:
        raise UnsupportedParameterError("load_inplace is not supported: unload the adapter first", param="load_inplace")
    _check_key(request, body.lora_name)
    if any(body.lora_name in entry.served.names for entry in pool.entries):
        raise AdapterError(f"the name {body.lora_name[:256]!r} is taken", param="lora_name")
    async with _adapters_of(pool, pool.find(body.model)) as adapters:
        await adapters.load(body.lora_name, body.lora_path)
    return _done(body.lora_name, "added")


@json_post("/unload_lora_adapter", "Unload a LoRA adapter", "OpenAI", UnloadAdapterBody, _DONE)
async def unload_lora_adapter(request: Request[Any, Any, Any], pool: NamedDependency[ModelPool]) -> Response[str]:
    """Unload an adapter. New requests for it get 404; the reply comes when those under way have ended."""
    body = decode(UnloadAdapterBody, await request.body())
    _check_key(request, body.lora_name)
    async with _adapters_of(pool, _entry_with(pool, body.lora_name)) as adapters:
        await adapters.unload(body.lora_name)
    return _done(body.lora_name, "removed")


def _check_key(request: Request[Any, Any, Any], name: str) -> None:
    """Raise unless the caller's key may use a model of this name."""
    if (admission := admission_in(request.scope)) is not None:
        admission.check_model(name)


@asynccontextmanager
async def _adapters_of(pool: ModelPool, entry: Entry) -> AsyncIterator[ModelAdapters]:
    """Use a model, which is loaded first where it is not, and its adapters meanwhile."""
    service = await pool.use(entry)
    try:
        yield generative(service).adapters
    finally:
        pool.release(entry)


def _entry_with(pool: ModelPool, name: str) -> Entry:
    """Return the model that has an adapter of this name, else any: it says that there is none."""
    return next((entry for entry in pool.entries if name in entry.served.adapters), pool.default())


def _done(name: str, what: str) -> Response[str]:
    return Response(f"Success: LoRA adapter '{name}' {what} successfully.", media_type=MediaType.TEXT)
