"""Log lines as text or JSON, each with its time in RFC 3339, level and logger. Importing this is light."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Literal

LogFormat = Literal["text", "json"]

_encode = json.JSONEncoder(default=str, separators=(",", ":")).encode
_PLAIN = re.compile(r"[\w./:@+,-]+", re.ASCII)
"""Values of fields that need no quotes in text."""


def set_up_logs(
    level: int | str, log_format: LogFormat, record_filter: Callable[[logging.LogRecord], bool] | None = None
) -> None:
    """Send the records of all libraries to stderr in this format; nothing changes if the root logger has a handler.

    Args:
        record_filter: Sets further attributes of records, such as `request_id`.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if log_format == "json" else TextFormatter())
    if record_filter is not None:
        handler.addFilter(record_filter)
    logging.basicConfig(level=level, handlers=[handler])
    logging.captureWarnings(capture=True)


def fields_of(record: logging.LogRecord) -> Mapping[str, Any]:
    """Return the fields that a record was logged with: `logger.info("...", extra={"fields": {...}})`."""
    fields: Mapping[str, Any] = getattr(record, "fields", {})
    return fields


class TextFormatter(logging.Formatter):
    """Formatter of `TIME LEVEL LOGGER REQUEST: MESSAGE NAME=VALUE ...`.

    Further lines of a record, such as a traceback's, are indented, so that no message looks like another record.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record, without the last line end."""
        request = getattr(record, "request_id", "")
        parts = [record.getMessage()]
        parts += [f"{name}={_quoted(value)}" for name, value in fields_of(record).items() if value is not None]
        text = " ".join(parts)
        if trace := _trace_of(self, record):
            text += f"\n{trace}"
        text = text.replace("\r", "\\r").replace("\n", "\n    ")
        return f"{_time_of(record)} {record.levelname} {record.name}{request and f' {request}'}: {text}"


class JsonFormatter(logging.Formatter):
    """Formatter of one JSON object a line: `time`, `level`, `logger`, `message`, `request_id` and `exception` if there
    are any, and the record's fields. All characters but ASCII's are escaped."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record, without its end."""
        line = {
            "time": _time_of(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request := getattr(record, "request_id", ""):
            line["request_id"] = request
        if trace := _trace_of(self, record):
            line["exception"] = trace
        return _encode({**fields_of(record), **line})


def _time_of(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _trace_of(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    trace = record.exc_text or (formatter.formatException(record.exc_info) if record.exc_info else "")
    return "\n".join(filter(None, (trace, record.stack_info)))


def _quoted(value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)
