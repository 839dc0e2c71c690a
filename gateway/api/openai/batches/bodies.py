"""Bodies of OpenAI's files and batches."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Status = Literal["validating", "failed", "in_progress", "finalizing", "completed", "expired", "cancelling", "cancelled"]


class FileOut(Struct, kw_only=True):
    """A file."""

    id: str
    object: Literal["file"] = "file"
    bytes: int
    created_at: int
    expires_at: int | None = None
    filename: str
    purpose: Literal["batch", "batch_output"]
    status: Literal["processed"] = "processed"


class FileList(Struct, kw_only=True):
    """A page of files."""

    object: Literal["list"] = "list"
    data: list[FileOut]
    first_id: str | None
    last_id: str | None
    has_more: bool


class DeletedFile(Struct, kw_only=True):
    """Confirmation that a file is deleted."""

    id: str
    object: Literal["file"] = "file"
    deleted: Literal[True] = True


class ExpiresAfter(Struct, kw_only=True):
    """Time after which a file is deleted."""

    anchor: Literal["created_at"]
    seconds: Annotated[int, Meta(ge=3600, le=2_592_000)]


class BatchBody(Struct, kw_only=True):
    """A batch to create."""

    input_file_id: str
    endpoint: str
    completion_window: str = "24h"
    metadata: dict[str, str] | None = None
    output_expires_after: ExpiresAfter | None = None


class BatchLineError(Struct, kw_only=True):
    """A malformed line of an input file."""

    code: str
    message: str
    param: str | None
    line: int | None


class BatchErrors(Struct, kw_only=True):
    """Reasons of a failed batch."""

    object: Literal["list"] = "list"
    data: list[BatchLineError]


class RequestCounts(Struct, kw_only=True):
    """Lines of a batch."""

    total: int = 0
    completed: int = 0
    failed: int = 0


class BatchOut(Struct, kw_only=True):
    """A batch. Times are Unix times in seconds."""

    id: str
    object: Literal["batch"] = "batch"
    endpoint: str
    errors: BatchErrors | None = None
    input_file_id: str
    completion_window: str
    status: Status = "validating"
    output_file_id: str | None = None
    error_file_id: str | None = None
    created_at: int
    in_progress_at: int | None = None
    expires_at: int
    finalizing_at: int | None = None
    completed_at: int | None = None
    failed_at: int | None = None
    expired_at: int | None = None
    cancelling_at: int | None = None
    cancelled_at: int | None = None
    request_counts: RequestCounts
    metadata: dict[str, str] | None = None
    output_expires_after: ExpiresAfter | None = None


class BatchList(Struct, kw_only=True):
    """A page of batches."""

    object: Literal["list"] = "list"
    data: list[BatchOut]
    first_id: str | None
    last_id: str | None
    has_more: bool
