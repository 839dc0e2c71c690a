"""The ready-made grammars: what they accept, what they refuse, and that texts under their masks are what they claim."""

from __future__ import annotations

import ast
import csv
import datetime
import io
import ipaddress
import json
import re
import sqlite3
import urllib.parse
import uuid

import pytest

from grammars import library
from grammars.errors import UnsupportedError
from tests.test_grammars.sampling import samples
from tests.test_grammars.simulator import Simulator

CASES = {
    "arithmetic": (["1", "1+2*(3 - x) ^ -2", "f(1, g())%4.5"], ["", "1+", "(1", "f(,)", "1 2"]),
    "csv": (['a,b\r\n"x""y\n",\n', "", "a"], ['a"b', '"a']),
    "email": (["a.b+c@x-y.example.com"], ["a@b", "a..b@c.de", "@c.de", "a@-b.de"]),
    "ipv4": (["0.0.0.0", "255.199.10.9"], ["256.1.1.1", "01.1.1.1", "1.1.1"]),
    "ipv6": (["::", "::1", "1:2:3:4:5:6:7:8", "fe80::1:2", "::ffff:1.2.3.4"], ["1:2", ":::", "1::2::3", "12345::"]),
    "iso-8601-date": (["2024-02-29", "2000-02-29", "1999-12-31"], ["2023-02-29", "1900-02-29", "2024-04-31", "24-1-1"]),
    "iso-8601-datetime": (["2024-02-29T23:59:59.5Z"], ["2024-01-01 00:00:00", "2024-01-01T24:00:00"]),
    "iso-8601-duration": (["P1Y2M3DT4H5M6.7S", "P2W", "PT0S", "P1YT5M"], ["P", "PT", "P1S", "P1D2Y"]),
    "iso-8601-time": (["23:59:59", "00:00:00.001+05:30"], ["24:00:00", "1:00:00", "12:60:00"]),
    "json": ([' {"a": [1, -2.5e+3, "\\u00e9\\n", null, true]} ', "[]", '"é"'], ["01", "[1,]", "{a:1}", '"\n"', "'a'"]),
    "json-lines": (['{"a":1}\n[1, 2]\n', "1"], ["1\n\n2", "", "{\n}"]),
    "markdown-list": (["- a\n  - b c\n- d\n"], ["a\n", "-a\n", "  - b\n"]),
    "python-literal": (["None", "[1, 'a\\n', (2.5,), {'k': {1, 2}}, [], {}]"], ["a", "[1", "{,}", "(1)", "'a", "01"]),
    "semver": (["1.0.0", "0.1.2-alpha.1+build.5"], ["1.0", "01.0.0", "1.0.0-01"]),
    "sql-select": (
        [
            "SELECT * FROM t WHERE a = 1 AND b IN (SELECT c FROM d) ORDER BY a DESC LIMIT 5;",
            "SELECT count(*), max(t.a) AS m",
        ],
        ["SELECT", "SELECT a FROM", "select a", "SELECT a FROM t WHERE", "DROP TABLE t"],
    ),
    "uri": (["http://u@h:80/p/q?x=1#f", "urn:isbn:1", "http://[::1]/"], ["/a", "http://[::1", "1a:b", "a:%zz"]),
    "uuid": (["123e4567-e89b-12d3-a456-426614174000"], ["123e4567e89b12d3a456426614174000"]),
    "yaml-scalar-list": (["- a b\n- 1.5\n"], ["a\n", "- a", "- \n"]),
}  # fmt: skip


def _is_date(text: str) -> None:
    # Python knows no year 0.
    datetime.date.fromisoformat(text.replace("0000-", "2000-", 1) if text.startswith("0000-") else text)


def _is_datetime(text: str) -> None:
    day, _, time = text.partition("T")
    _is_date(day)
    datetime.time.fromisoformat(time)


def _selects(text: str) -> None:
    """Sqlite reads the statement as far as asking for tables, columns and functions that are not there."""
    try:
        sqlite3.connect(":memory:").execute(text)
    except sqlite3.OperationalError as error:
        if re.search("syntax error|unrecognized token|incomplete", str(error)):
            raise


ORACLES = {
    "csv": lambda text: list(csv.reader(io.StringIO(text, newline=""), strict=True)),
    "ipv4": ipaddress.IPv4Address,
    "ipv6": ipaddress.IPv6Address,
    "iso-8601-date": _is_date,
    "iso-8601-datetime": _is_datetime,
    "iso-8601-time": datetime.time.fromisoformat,
    "json": json.loads,
    "json-lines": lambda text: [json.loads(line) for line in text.removesuffix("\n").split("\n")],
    "python-literal": lambda text: ast.parse(text.strip(), mode="eval"),
    "sql-select": _selects,
    "uri": urllib.parse.urlsplit,
    "uuid": uuid.UUID,
}


def test_names_are_those_of_the_cases():
    assert library.names() == tuple(sorted(CASES))


@pytest.mark.parametrize("name", sorted(CASES))
def test_library_accepts_and_refuses(name):
    accepted, refused = CASES[name]
    network = Simulator.of(library.load(name))
    assert [text for text in accepted if not network.accepts(text)] == []
    assert [text for text in refused if network.accepts(text)] == []


@pytest.mark.parametrize("name", sorted(CASES))
def test_library_texts_under_masks_are_what_they_claim(name):
    constraint = library.load(name)
    network, check = Simulator.of(constraint), ORACLES.get(name, len)
    for text in samples(constraint, 12):
        assert network.accepts(text)
        check(text)


def test_load_refuses_unknown_names():
    with pytest.raises(UnsupportedError, match="klingon"):
        library.load("klingon")
