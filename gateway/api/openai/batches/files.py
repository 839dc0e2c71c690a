"""Routes of OpenAI's files: input and output of batches."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, Any, cast

import msgspec
from litestar import Request, Response, delete, get, post
from litestar.datastructures import UploadFile
from litestar.di import NamedDependency
from litestar.openapi.spec import (
    OpenAPIFormat,
    OpenAPIMediaType,
    OpenAPIType,
    Operation,
    Reference,
    RequestBody,
    Schema,
)
from litestar.params import FromPath, FromQuery
from litestar.response import File
from litestar.types import ControllerRouterHandler

from gateway.api.http.json_response import json_response
from gateway.api.http.openapi import replies
from gateway.api.http.paging import check_limit, check_order, page
from gateway.api.openai.batches.bodies import DeletedFile, ExpiresAfter, FileList, FileOut
from gateway.api.openai.batches.worker import BatchWorker
from gateway.api.openai.envelope import FAILURES
from gateway.batches.store import StoredFile
from gateway.errors import InvalidRequestError, PayloadTooLargeError, StoredFileNotFoundError

MAX_LISTED_FILES = 10_000
MAX_LISTED_BATCHES = 100
_MAX_FORM_BYTES = 64 * 1024
"""Bytes of an upload beside its file."""
_MAX_NAME = 255

_EXPIRES = (("anchor", OpenAPIType.STRING), ("seconds", OpenAPIType.INTEGER))

_STATUSES = (400, 401, 403, 404)


@dataclass
class _Upload(Operation):
    def __post_init__(self) -> None:
        text, data = Schema(type=OpenAPIType.STRING), Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY)
        expires: dict[str, Schema | Reference] = {
            f"expires_after[{name}]": Schema(type=kind) for name, kind in _EXPIRES
        }
        form = Schema(
            type=OpenAPIType.OBJECT, properties={"purpose": text, "file": data, **expires}, required=["purpose", "file"]
        )
        self.request_body = RequestBody(content={"multipart/form-data": OpenAPIMediaType(schema=form)}, required=True)


@post(
    "/files",
    status_code=200,
    summary="Upload a file of batch requests",
    tags=["OpenAI"],
    operation_class=_Upload,
    responses=replies(FileOut, FAILURES),
    request_max_body_size=None,
)
async def create_file(
    request: Request[Any, Any, Any], batches: NamedDependency[BatchWorker], tenant: NamedDependency[str]
) -> Response[Any]:
    """Store the form's `file`; its `purpose` must be `batch`. `expires_after` has OpenAI's form."""
    config = batches.config
    _check_size(request, config.max_file_bytes)
    stored = await asyncio.to_thread(batches.store.stored_bytes, tenant)
    check_room(stored, config.max_stored_bytes)
    form = await request.form()
    purpose, file = form.get("purpose"), form.get("file")
    if purpose != "batch":
        raise InvalidRequestError("purpose must be batch", param="purpose")
    if not isinstance(file, UploadFile):
        raise InvalidRequestError("file must be a file of the form, with a name", param="file")
    try:
        source, expires_s = cast(IO[bytes], file.file), _expires_s(form)
        made = await asyncio.to_thread(batches.store.add_file, tenant, file.filename[:_MAX_NAME], source, expires_s)
    finally:
        await file.close()
    return json_response(_out(made))


@get("/files", summary="List files", tags=["OpenAI"], responses=replies(FileList, FAILURES, *_STATUSES))
async def list_files(
    batches: NamedDependency[BatchWorker],
    tenant: NamedDependency[str],
    purpose: FromQuery[str | None] = None,
    limit: FromQuery[int] = MAX_LISTED_FILES,
    order: FromQuery[str] = "desc",
    after: FromQuery[str | None] = None,
) -> Response[Any]:
    """Return the files of the caller's key, newest first unless `order` is `asc`."""
    check_limit(limit, MAX_LISTED_FILES)
    check_order(order)
    found = await asyncio.to_thread(batches.store.files, tenant, purpose, after, limit + 1, oldest=order == "asc")
    data, first, last, has_more = page([_out(each) for each in found], limit)
    return json_response(FileList(data=data, first_id=first, last_id=last, has_more=has_more))


@get("/files/{file_id:str}", summary="Return a file", tags=["OpenAI"], responses=replies(FileOut, FAILURES, *_STATUSES))
async def get_file(
    batches: NamedDependency[BatchWorker], tenant: NamedDependency[str], file_id: FromPath[str]
) -> Response[Any]:
    """Return name, size and purpose of a file."""
    return json_response(_out(await found_file(batches, tenant, file_id)))


@get(
    "/files/{file_id:str}/content",
    summary="Return the contents of a file",
    tags=["OpenAI"],
    media_type="application/octet-stream",
    responses={status: FAILURES[status] for status in _STATUSES},
)
async def get_file_content(
    batches: NamedDependency[BatchWorker], tenant: NamedDependency[str], file_id: FromPath[str]
) -> File:
    """Return the lines of a file as they are."""
    found = await found_file(batches, tenant, file_id)
    return File(batches.store.path(found.id), filename=found.filename)


@delete(
    "/files/{file_id:str}",
    status_code=200,
    summary="Delete a file",
    tags=["OpenAI"],
    responses=replies(DeletedFile, FAILURES, *_STATUSES),
)
async def delete_file(
    batches: NamedDependency[BatchWorker], tenant: NamedDependency[str], file_id: FromPath[str]
) -> Response[Any]:
    """Delete a file that no unfinished batch reads."""
    found = await found_file(batches, tenant, file_id)
    reader = await asyncio.to_thread(batches.store.delete_file, tenant, found.id)
    if reader is not None:
        raise InvalidRequestError(f"the unfinished batch {reader} reads this file; cancel it first", param="file_id")
    return json_response(DeletedFile(id=found.id))


async def found_file(batches: BatchWorker, tenant: str, file_id: str, param: str = "file_id") -> StoredFile:
    """Return a file of the tenant.

    Raises:
        StoredFileNotFoundError: There is none of this id.
    """
    found = await asyncio.to_thread(batches.store.file, tenant, file_id)
    if found is None:
        raise StoredFileNotFoundError(f"no file with the id {file_id[:200]!r} is stored", param=param)
    return found


def check_room(stored: int, limit: int) -> None:
    """Raise `PayloadTooLargeError` if a key's files have as many bytes as they may."""
    if stored >= limit:
        raise PayloadTooLargeError(
            f"the files of this API key have {stored} bytes, {limit} are allowed (batches.max_stored_bytes)"
        )


def _check_size(request: Request[Any, Any, Any], max_file_bytes: int) -> None:
    size = request.headers.get("content-length", "")
    if not (size.isascii() and size.isdigit()):
        raise InvalidRequestError("an upload must have the header content-length", param="content-length")
    if int(size[:20]) > max_file_bytes + _MAX_FORM_BYTES:
        raise PayloadTooLargeError(f"the file has more than {max_file_bytes} bytes (batches.max_file_bytes)")


def _expires_s(form: Mapping[str, Any]) -> int | None:
    """Return the seconds after which the form has the file deleted; None for never.

    Raises:
        InvalidRequestError: The form asks for another time than OpenAI's API allows.
    """
    given = {name: form[place] for name in ("anchor", "seconds") if (place := f"expires_after[{name}]") in form}
    if not given:
        return None
    try:
        return msgspec.convert(given, ExpiresAfter, strict=False).seconds
    except msgspec.ValidationError as error:
        raise InvalidRequestError(f"expires_after: {error}", param="expires_after") from None


def _out(file: StoredFile) -> FileOut:
    return FileOut(
        id=file.id,
        bytes=file.bytes,
        created_at=file.created_at,
        expires_at=file.expires_at,
        filename=file.filename,
        purpose=file.purpose,  # type: ignore[arg-type]
    )


HANDLERS: list[ControllerRouterHandler] = [create_file, list_files, get_file, get_file_content, delete_file]
