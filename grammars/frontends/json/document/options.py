"""Options for reading a schema and spelling its texts; keywords of the dialects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files
from typing import Any

from grammars.errors import InvalidGrammarError, UnsupportedError

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
    """Return the text of the document that the specifications publish at the URI (without a fragment), if any."""
    name = _FILES.get(uri)
    if name is None:
        return None
    return files("grammars.frontends.json.document").joinpath("metaschemas", f"{name}.json").read_text("utf-8")


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


# The first dialect with a keyword, if that is not draft 4.
_SINCE = {
    **dict.fromkeys(("const", "contains", "propertyNames"), 6),
    **dict.fromkeys(("if", "then", "else"), 7),
    **dict.fromkeys(("$defs", "$recursiveRef", "contentSchema", "dependentRequired", "dependentSchemas"), 2019),
    **dict.fromkeys(("unevaluatedItems", "unevaluatedProperties"), 2019),
    **dict.fromkeys(("$dynamicRef", "prefixItems"), 2020),
}


def is_known(keyword: str, dialect: int) -> bool:
    """True if the dialect has the keyword; to an older one it is an annotation."""
    return _SINCE.get(keyword, 0) <= dialect


class Place(Enum):
    """Role of a value inside a schema."""

    SCHEMA = 0
    LIST = 1  # an array of schemas
    TABLE = 2  # an object of schemas
    DATA = 3


_PLACES = {
    **dict.fromkeys(("additionalProperties", "contains", "contentSchema", "propertyNames", "not"), Place.SCHEMA),
    **dict.fromkeys(("if", "then", "else", "unevaluatedItems", "unevaluatedProperties"), Place.SCHEMA),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), Place.LIST),
    **dict.fromkeys(("properties", "patternProperties", "definitions", "$defs"), Place.TABLE),
    **dict.fromkeys(("dependencies", "dependentSchemas"), Place.TABLE),
}


def place_of(keyword: str, value: Any, dialect: int) -> Place:
    """Return the role of a keyword's value in the dialect."""
    if keyword == "items":
        if isinstance(value, list):
            return Place.LIST if dialect < 2020 else Place.DATA
        return Place.SCHEMA
    if keyword == "additionalItems":
        return Place.SCHEMA if dialect < 2020 else Place.DATA
    return _PLACES.get(keyword, Place.DATA) if is_known(keyword, dialect) else Place.DATA


def below(place: Place, token: str, value: Any, dialect: int) -> Place:
    """Return the role of the value at `token` inside a value of role `place`."""
    if place is Place.SCHEMA:
        return place_of(token, value, dialect)
    return Place.DATA if place is Place.DATA else Place.SCHEMA


def nested_schemas(schema: dict[str, Any], dialect: int) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Return the subschemas that are objects, each with the tokens that lead to it."""
    for keyword, value in schema.items():
        if not isinstance(value, (dict, list)):
            continue
        place = place_of(keyword, value, dialect)
        if place is Place.SCHEMA and isinstance(value, dict):
            yield (keyword,), value
        elif place is Place.LIST and isinstance(value, list):
            yield from (((keyword, str(i)), item) for i, item in enumerate(value) if isinstance(item, dict))
        elif place is Place.TABLE and isinstance(value, dict):
            yield from (((keyword, name), item) for name, item in value.items() if isinstance(item, dict))


_CHOICES = {
    "property_order": ("schema", "any"),
    "whitespace": ("bounded", "compact", "any"),
    "formats": ("assert", "annotate"),
    "spelling": ("canonical", "any"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonOptions:
    """Options of a `JsonSchema`; the defaults are for generation.

    Attributes:
        property_order: "any": any order, in which a name still comes once and a required one does not fail to;
            "schema": declared properties in the schema's order, additional ones last. JSON knows no order: a valid
            text in another one is only accepted by "any". An answer whose members build on each other, such as
            reasons before a verdict, wants "schema".
        whitespace: "bounded": after ``{ [ ,`` and before ``} ]`` nothing, one space, or a newline and an indent of
            up to 20 spaces or 8 tabs, after a colon nothing or one space; "compact": none; "any": any, everywhere.
        formats: whether `format` is asserted.
        additional_properties_default: what an object schema without `additionalProperties` allows.
        spelling: "canonical": characters are escaped where they have to be, numbers have no superfluous digits; "any":
            every spelling that JSON has, in any order of members and with any whitespace. Then a text is held against
            the schema where its value ends, and the masks before it only see to its being JSON.
        dialect: URI of the dialect of schemas that do not name one.
    """

    property_order: str = "any"
    whitespace: str = "bounded"
    formats: str = "assert"
    additional_properties_default: bool = True
    spelling: str = "canonical"
    dialect: str = "https://json-schema.org/draft/2020-12/schema"

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise InvalidGrammarError(f"{name} is one of {', '.join(choices)}")
        if dialect_number(self.dialect) is None:
            raise UnsupportedError(f"the dialect {self.dialect!r}")

    @staticmethod
    def validation(dialect: str = "https://json-schema.org/draft/2020-12/schema") -> JsonOptions:
        """Every JSON text that is valid, however it is spelled; `format` says as much as the dialect lets it say."""
        return JsonOptions(whitespace="any", formats="annotate", spelling="any", dialect=dialect)


_URI = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.\-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


def escape(token: str) -> str:
    """The token as written in a pointer."""
    return token.replace("~", "~0").replace("/", "~1") if "~" in token or "/" in token else token


def unescape(token: str) -> str:
    """Return the token that a pointer has escaped."""
    return token.replace("~1", "/").replace("~0", "~")


def step(node: Any, escaped: str) -> Any:
    """Return the value at one token of a pointer, still escaped, from `node`.

    Raises:
        KeyError: nothing is there.
    """
    token = unescape(escaped)
    if isinstance(node, dict):
        return node[token]
    if isinstance(node, list) and token.isascii() and token.isdigit() and int(token) < len(node):
        return node[int(token)]
    raise KeyError(token)


def resolved(base: str, reference: str) -> tuple[str, str]:
    """The URI that a reference means where `base` is the base, without and then its fragment."""
    scheme, authority, path, query, fragment = _split(reference)
    if scheme is None:
        scheme, base_authority, base_path, base_query, _ = _split(base)
        if authority is None:
            authority = base_authority
            if not path:
                path = base_path
                query = base_query if query is None else query
            elif not path.startswith("/"):
                path = _merged(base_authority, base_path, path)
    return _joined(scheme, authority, _without_dots(path), query), fragment or ""


def _split(uri: str) -> tuple[str | None, str | None, str, str | None, str | None]:
    match = _URI.fullmatch(uri)
    assert match is not None  # every part is optional, and together they leave no character out
    scheme, authority, path, query, fragment = match.groups()
    return scheme, authority, path, query, fragment


def _merged(authority: str | None, base_path: str, path: str) -> str:
    if authority is not None and not base_path:
        return "/" + path
    return base_path[: base_path.rfind("/") + 1] + path


def _without_dots(path: str) -> str:
    segments = path.split("/")
    if "." not in segments and ".." not in segments:
        return path
    kept: list[str] = []
    for segment in segments:
        if segment == "..":
            if len(kept) > 1 or (kept and kept[0]):
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    joined = "/".join(kept)
    return joined if joined.startswith("/") or not path.startswith("/") else "/" + joined


def _joined(scheme: str | None, authority: str | None, path: str, query: str | None) -> str:
    start = "" if scheme is None else scheme + ":"
    host = "" if authority is None else "//" + authority
    return start + host + path + ("" if query is None else "?" + query)
