"""The dialects of JSON Schema: their URIs, the meta-schemas that are published under them, and what those list."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from grammars.errors import UnsupportedError

DIALECTS = {
    "http://json-schema.org/draft-04/schema": 4,
    "http://json-schema.org/draft-06/schema": 6,
    "http://json-schema.org/draft-07/schema": 7,
    "https://json-schema.org/draft/2019-09/schema": 2019,
    "https://json-schema.org/draft/2020-12/schema": 2020,
    "http://json-schema.org/schema": 2020,
}
_DRAFTS = {f"http://json-schema.org/draft-0{number}/schema": f"draft-0{number}" for number in (4, 6, 7)}
_PARTS = {
    "2019-09": ("applicator", "content", "core", "format", "meta-data", "validation"),
    "2020-12": (
        "applicator", "content", "core", "format-annotation", "format-assertion", "meta-data", "unevaluated",
        "validation",
    ),
}  # fmt: skip
_FILES = {
    **_DRAFTS,
    **{f"https://json-schema.org/draft/{draft}/schema": draft for draft in _PARTS},
    **{
        f"https://json-schema.org/draft/{draft}/meta/{name}": f"{draft}-{name}"
        for draft, names in _PARTS.items()
        for name in names
    },
}
URIS = tuple(_FILES)
_VOCABULARY = "https://json-schema.org/draft/{}/vocab/"
_SHARED_VOCABULARIES = frozenset(("core", "applicator", "validation", "meta-data", "content"))
_VOCABULARIES = {
    2019: _SHARED_VOCABULARIES | {"format"},
    2020: _SHARED_VOCABULARIES | {"unevaluated", "format-annotation", "format-assertion"},
}


def dialect_number(uri: str) -> int | None:
    """4, 6, 7, 2019 or 2020; None for an unknown dialect."""
    return DIALECTS.get(uri.rstrip("#"))


@cache
def published(uri: str) -> str | None:
    """The text of the document that the specifications publish at the URI (without a fragment), if any."""
    name = _FILES.get(uri)
    if name is None:
        return None
    return files("grammars.frontends.json").joinpath("metaschemas", f"{name}.json").read_text("utf-8")


def listed_vocabularies(listed: dict[str, Any], dialect: int, where: str) -> tuple[frozenset[str], bool]:
    """The vocabularies that a meta-schema's ``$vocabulary`` lists, and whether `format` is asserted by them.

    Raises:
        UnsupportedError: it demands one that no published dialect has.
    """
    prefix = _VOCABULARY.format({2019: "2019-09", 2020: "2020-12"}[dialect])
    names = set()
    for uri, is_required in listed.items():
        name = uri.removeprefix(prefix)
        if name in _VOCABULARIES[dialect]:
            names.add(name)
        elif is_required is True:
            raise UnsupportedError(f"the vocabulary {uri!r}", where)
    is_asserted = "format-assertion" in names or listed.get(prefix + "format") is True
    # What later dialects have split is one here.
    names |= {"format"} if any(name.startswith("format") for name in names) else set()
    names |= {"unevaluated"} if dialect == 2019 and "applicator" in names else set()
    return frozenset(names), is_asserted
