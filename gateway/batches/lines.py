"""Lines of batch files in OpenAI's format: one request a line, one reply a line."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from gateway.batches.exchange import Reply

ENDPOINTS = ("/v1/chat/completions", "/v1/completions", "/v1/responses")
"""Endpoints that a line may be for."""

MAX_ID_CHARACTERS = 512
MAX_REPORTED = 100
"""Malformed lines that are reported of one file."""

EMBEDDINGS = f"batches of /v1/embeddings are not served: send the texts there; batches are for {', '.join(ENDPOINTS)}"


class LineError(ValueError):
    """A line of a batch file is malformed.

    Attributes:
        param: Field at fault, or None.
        number: Line of the file, from 1.
    """

    def __init__(self, message: str, param: str | None = None, number: int = 0) -> None:
        super().__init__(message)
        self.param = param
        self.number = number


@dataclass(frozen=True, slots=True)
class Line:
    """One request of a batch.

    Attributes:
        number: Line of the file, from 1.
        body: JSON of the request.
    """

    number: int
    custom_id: str
    url: str
    body: bytes


def raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield number and text of each line that is not blank."""
    with path.open("rb") as file:
        for number, text in enumerate(file, start=1):
            if text.strip():
                yield number, text


def parse_line(number: int, text: bytes, endpoint: str | None = None) -> Line:
    """Return the request of a line.

    Raises:
        LineError: The line is malformed, or not for the endpoint.
    """
    try:
        plain: Any = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise LineError(f"the line is not JSON: {error}") from None
    if not isinstance(plain, dict):
        raise LineError("the line must be a JSON object")
    custom_id, url, body = plain.get("custom_id"), plain.get("url"), plain.get("body")
    if not isinstance(custom_id, str) or not 0 < len(custom_id) <= MAX_ID_CHARACTERS:
        raise LineError(f"custom_id must be a text of 1 to {MAX_ID_CHARACTERS} characters", "custom_id")
    if plain.get("method") != "POST":
        raise LineError("method must be POST", "method")
    if url == "/v1/embeddings":
        raise LineError(EMBEDDINGS, "url")
    if url not in ENDPOINTS:
        raise LineError(f"url must be one of {', '.join(ENDPOINTS)}", "url")
    if endpoint is not None and url != endpoint:
        raise LineError(f"url must be the batch's endpoint, {endpoint}", "url")
    if not isinstance(body, dict):
        raise LineError("body must be a JSON object", "body")
    if body.get("stream"):
        raise LineError("a line of a batch cannot be streamed; leave stream out", "body.stream")
    return Line(number, custom_id, url, json.dumps(body).encode())


def check_file(path: Path, endpoint: str | None, max_lines: int, max_line_bytes: int) -> tuple[int, list[LineError]]:
    """Return the number of lines, and the errors of malformed ones, at most `MAX_REPORTED`.

    Args:
        endpoint: The one that every line must be for; None allows all of `ENDPOINTS`.
    """
    errors, ids, count = list[LineError](), set[str](), 0
    for count, (number, text) in enumerate(raw_lines(path), start=1):
        try:
            if count > max_lines:
                raise LineError(f"a batch has at most {max_lines} lines")
            if len(text) > max_line_bytes:
                raise LineError(f"the line has {len(text)} bytes; at most {max_line_bytes} are read")
            line = parse_line(number, text, endpoint)
            if line.custom_id in ids:
                raise LineError(f"the custom_id {line.custom_id!r} is there twice", "custom_id")
            ids.add(line.custom_id)
        except LineError as error:
            error.number = number
            errors.append(error)
            if len(errors) == MAX_REPORTED or count > max_lines:
                break
    if not count:
        errors.append(LineError("the file has no line"))
    return count, errors


def reply_line(line: Line, reply: Reply) -> str:
    """Return the line of the output or error file for a reply."""
    body = json.loads(reply.body)
    response = {"status_code": reply.status, "request_id": reply.request_id, "body": body}
    return _result(line, response, None)


def unanswered_line(line: Line, code: str, message: str) -> str:
    """Return the line of the error file for a request that was not sent."""
    return _result(line, None, {"code": code, "message": message})


def _result(line: Line, response: dict[str, Any] | None, error: dict[str, Any] | None) -> str:
    made = f"batch_req_{secrets.token_hex(12)}"
    return json.dumps({"id": made, "custom_id": line.custom_id, "response": response, "error": error}) + "\n"


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
