"""The forms that values of keywords must have."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, NoReturn

from grammars.errors import InvalidGrammarError
from grammars.frontends.json.document import Site


def bad(site: Site, keyword: str, expected: str) -> NoReturn:
    """Refuses a keyword whose value has the wrong form."""
    raise InvalidGrammarError(f"{keyword} is {expected}", f"{site.pointer}/{keyword}")


def count(site: Site, keyword: str, value: Any) -> int:
    """A keyword's value that must be a whole number of at least 0."""
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)) or value != int(value) or value < 0:
        bad(site, keyword, "a whole number of at least 0")
    return int(value)


def number(site: Site, keyword: str, value: Any) -> int | Decimal:
    """A keyword's value that must be a number."""
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        bad(site, keyword, "a number")
    return value


def names(site: Site, keyword: str, value: Any) -> list[str]:
    """A keyword's value that must be an array of names."""
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        bad(site, keyword, "an array of names")
    return value


def table(site: Site, keyword: str, value: Any) -> dict[str, Any]:
    """A keyword's value that must be an object."""
    if not isinstance(value, dict):
        bad(site, keyword, "an object")
    return value
