"""Log lines as text and as JSON."""

import io
import json
import logging
import re
import sys
from datetime import datetime

import pytest

from gateway.logs import JsonFormatter, TextFormatter

TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00"


def line_of(formatter, message, *arguments, level=logging.INFO, **attributes):
    """The text that a handler writes for a record."""
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(formatter)
    exc_info = attributes.pop("exc_info", None)
    record = logging.LogRecord("gateway.test", level, __file__, 1, message, arguments, exc_info)
    vars(record).update(attributes)
    handler.handle(record)
    return out.getvalue()


def error():
    try:
        raise ValueError("one\ntwo")
    except ValueError:
        return sys.exc_info()


@pytest.mark.parametrize("message", ["plain", 'a "quote"', "two\nlines\r\n", "\u2028 \x00 \x1b[31m", "\udcff", "é 漢"])
def test_a_json_record_is_one_line_whatever_its_message(message):
    line = line_of(JsonFormatter(), "%s", message, request_id="req_1", fields={"message": "other", "tokens": 5})
    assert len(line.splitlines()) == 1
    assert line.isascii()
    found = json.loads(line)
    assert datetime.fromisoformat(found.pop("time")).utcoffset() is not None
    assert found == {"level": "INFO", "logger": "gateway.test", "message": message, "request_id": "req_1", "tokens": 5}


def test_a_json_record_holds_its_exception():
    found = json.loads(line_of(JsonFormatter(), "failed", level=logging.ERROR, exc_info=error()))
    assert found["level"] == "ERROR"
    assert found["exception"].endswith("ValueError: one\ntwo")
    assert "request_id" not in found


def test_a_text_record_begins_with_time_level_and_logger():
    line = line_of(TextFormatter(), "took %d s", 3)
    assert re.fullmatch(rf"{TIME} INFO gateway\.test: took 3 s\n", line)


def test_a_text_record_has_its_request_and_fields():
    fields = {"status": 200, "model": "a b=c\n", "key": None, "streamed": True}
    line = line_of(TextFormatter(), "request", request_id="req_1", fields=fields)
    assert re.fullmatch(rf'{TIME} INFO gateway\.test req_1: request status=200 model="a b=c\\n" streamed=true\n', line)


def test_no_text_message_looks_like_another_record():
    line = line_of(TextFormatter(), "one\n2026-11-28T00:00:00.000+00:00 ERROR gateway: forged", exc_info=error())
    first, *rest = line.splitlines()
    assert first.endswith("gateway.test: one")
    assert all(each.startswith("    ") for each in rest)
