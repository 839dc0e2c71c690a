"""Routes of OpenAI's batches."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from typing import Any

from litestar import Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.types import ControllerRouterHandler

from gateway.api.http.caller import digest_in
from gateway.api.http.decode import decode
from gateway.api.http.json_response import json_response
from gateway.api.http.openapi import json_post, replies
from gateway.api.http.paging import check_limit, page
from gateway.api.openai.batches.bodies import BatchBody, BatchList, BatchOut, RequestCounts
from gateway.api.openai.batches.files import HANDLERS as FILE_HANDLERS
from gateway.api.openai.batches.files import MAX_LISTED_BATCHES, check_room, found_file
from gateway.api.openai.batches.worker import BatchWorker, written_batch
from gateway.api.openai.envelope import FAILURES
from gateway.batches.lines import EMBEDDINGS, ENDPOINTS
from gateway.batches.store import StoredBatch
from gateway.errors import BatchNotFoundError, InvalidRequestError, NotServedError, OverloadedError
from gateway.service import Service

MAX_METADATA = 16
MAX_METADATA_NAME = 64
MAX_METADATA_VALUE = 512

_WINDOW = re.compile(r"([1-9][0-9]{0,3})h")
_STATUSES = (400, 401, 403, 404)
_BATCH = replies(BatchOut, FAILURES, *_STATUSES)


@json_post("/batches", "Create a batch", "OpenAI", BatchBody, replies(BatchOut, FAILURES))
async def create_batch(
    request: Request[Any, Any, Any],
    service: NamedDependency[Service],
    batches: NamedDependency[BatchWorker],
    tenant: NamedDependency[str],
) -> Response[Any]:
    """Answer each line of a file, after all other requests in priority. `completion_window` is a number of hours."""
    body, config = decode(BatchBody, await request.body()), batches.config
    if body.endpoint == "/v1/embeddings":
        raise NotServedError(EMBEDDINGS, param="endpoint")
    if body.endpoint not in ENDPOINTS:
        raise InvalidRequestError(f"endpoint must be one of {', '.join(ENDPOINTS)}", param="endpoint")
    window = _WINDOW.fullmatch(body.completion_window)
    if window is None:
        raise InvalidRequestError("completion_window must be a number of hours, as 24h", param="completion_window")
    _check_metadata(body.metadata)
    file = await found_file(batches, tenant, body.input_file_id, "input_file_id")
    if file.purpose != "batch":
        raise InvalidRequestError("the file is the output of a batch", param="input_file_id")
    check_room(await asyncio.to_thread(batches.store.stored_bytes, tenant), config.max_stored_bytes)
    now = int(time.time())
    document = BatchOut(
        id=f"batch_{secrets.token_hex(12)}",
        endpoint=body.endpoint,
        input_file_id=file.id,
        completion_window=body.completion_window,
        created_at=now,
        expires_at=now + int(window[1]) * 3600,
        request_counts=RequestCounts(),
        metadata=body.metadata,
        output_expires_after=body.output_expires_after,
    )
    batch = StoredBatch(id=document.id, digest=digest_in(request, service), document=written_batch(document))
    if not await asyncio.to_thread(batches.store.add_batch, tenant, batch, file.id, config.max_unfinished):
        raise OverloadedError(f"this API key has {config.max_unfinished} unfinished batches (batches.max_unfinished)")
    batches.start(batch)
    return json_response(document)


@get("/batches", summary="List batches", tags=["OpenAI"], responses=replies(BatchList, FAILURES, *_STATUSES))
async def list_batches(
    batches: NamedDependency[BatchWorker],
    tenant: NamedDependency[str],
    limit: FromQuery[int] = 20,
    after: FromQuery[str | None] = None,
) -> Response[Any]:
    """Return the batches of the caller's key, newest first."""
    check_limit(limit, MAX_LISTED_BATCHES)
    found = await asyncio.to_thread(batches.store.batches, tenant, after, limit + 1)
    shown = await asyncio.to_thread(lambda: [batches.shown(batch) for batch in found])
    data, first, last, has_more = page(shown, limit)
    return json_response(BatchList(data=data, first_id=first, last_id=last, has_more=has_more))


@get("/batches/{batch_id:str}", summary="Return a batch", tags=["OpenAI"], responses=_BATCH)
async def get_batch(
    batches: NamedDependency[BatchWorker], tenant: NamedDependency[str], batch_id: FromPath[str]
) -> Response[Any]:
    """Return status and counts of a batch."""
    return await _shown(batches, tenant, batch_id)


@post("/batches/{batch_id:str}/cancel", status_code=200, summary="Cancel a batch", tags=["OpenAI"], responses=_BATCH)
async def cancel_batch(
    batches: NamedDependency[BatchWorker], tenant: NamedDependency[str], batch_id: FromPath[str]
) -> Response[Any]:
    """End a batch; replies that it has are in its output file, its other lines in the error file."""
    await batches.cancel(await _found(batches, tenant, batch_id))
    return await _shown(batches, tenant, batch_id)


async def _shown(batches: BatchWorker, tenant: str, batch_id: str) -> Response[Any]:
    batch = await _found(batches, tenant, batch_id)
    return json_response(await asyncio.to_thread(batches.shown, batch))


async def _found(batches: BatchWorker, tenant: str, batch_id: str) -> StoredBatch:
    found = await asyncio.to_thread(batches.store.batch, tenant, batch_id)
    if found is None:
        raise BatchNotFoundError(f"no batch with the id {batch_id[:200]!r} is stored", param="batch_id")
    return found


def _check_metadata(metadata: dict[str, str] | None) -> None:
    entries = (metadata or {}).items()
    if len(entries) > MAX_METADATA or any(
        len(name) > MAX_METADATA_NAME or len(value) > MAX_METADATA_VALUE for name, value in entries
    ):
        raise InvalidRequestError(
            f"metadata has at most {MAX_METADATA} entries, with names of at most {MAX_METADATA_NAME} characters and "
            f"values of at most {MAX_METADATA_VALUE}",
            param="metadata",
        )


HANDLERS: list[ControllerRouterHandler] = [*FILE_HANDLERS, create_batch, list_batches, get_batch, cancel_batch]
