"""The forms that values of keywords must have."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, NoReturn
from urllib.parse import unquote

from grammars.errors import InvalidGrammarError
from grammars.frontends.json.document import Document, Site

_NAMES = {str}


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


def divisor(site: Site, keyword: str, value: Any) -> int | Decimal:
    """A keyword's value that must be a number greater than 0."""
    if number(site, keyword, value) <= 0:
        bad(site, keyword, "a number greater than 0")
    return value  # type: ignore[no-any-return]


def flag(site: Site, keyword: str, value: Any) -> bool:
    """A keyword's value that must be a boolean."""
    if not isinstance(value, bool):
        bad(site, keyword, "a boolean")
    return value


def text(site: Site, keyword: str, value: Any) -> str:
    """A keyword's value that must be text."""
    if not isinstance(value, str):
        bad(site, keyword, "text")
    return value


def names(site: Site, keyword: str, value: Any) -> list[str]:
    """A keyword's value that must be an array of names."""
    if not isinstance(value, list) or not set(map(type, value)) <= _NAMES:
        bad(site, keyword, "an array of names")
    return value


def table(site: Site, keyword: str, value: Any) -> dict[str, Any]:
    """A keyword's value that must be an object."""
    if not isinstance(value, dict):
        bad(site, keyword, "an object")
    return value


def schemas(document: Document, site: Site, keyword: str) -> list[Site]:
    """The sites of a keyword whose value must be an array of schemas."""
    value = site.schema[keyword]
    if not isinstance(value, list) or not value:
        bad(site, keyword, "a non-empty array of schemas")
    return [document.child(site, schema, keyword, str(index)) for index, schema in enumerate(value)]


def dependents(document: Document, site: Site, keyword: str) -> dict[str, list[str] | Site]:
    """What members bring with them: others, or a schema; of `dependencies`, which later drafts split in two, either."""
    found: dict[str, list[str] | Site] = {}
    for name, entry in table(site, keyword, site.schema[keyword]).items():
        if keyword == "dependencies" and isinstance(entry, str):
            found[name] = [entry]
        elif keyword == "dependentRequired" or (keyword == "dependencies" and isinstance(entry, list)):
            found[name] = names(site, keyword, entry)
        else:
            found[name] = document.child(site, entry, keyword, name)
    return found


def reference(document: Document, site: Site, keyword: str) -> tuple[Site, str | None]:
    """Where a reference leads, and its anchor if the way to the site decides which one of that name it means."""
    value = site.schema[keyword]
    if keyword == "$recursiveRef" and value != "#":
        bad(site, keyword, '"#"')
    first = document.resolve(site, value)
    name = unquote(value.partition("#")[2]) if keyword == "$dynamicRef" else ""
    is_dynamic = keyword != "$ref" and document.dynamic(first.resource, name) is first
    return first, name if is_dynamic and bool(name) == (keyword == "$dynamicRef") else None
