"""The meta-schemas of the dialects, which every schema may refer to without giving them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

_DRAFTS = {f"http://json-schema.org/draft-0{number}/schema": f"draft-0{number}" for number in (4, 6, 7)}
_VOCABULARIES = {
    "2019-09": ("applicator", "content", "core", "format", "meta-data", "validation"),
    "2020-12": (
        "applicator", "content", "core", "format-annotation", "format-assertion", "meta-data", "unevaluated",
        "validation",
    ),
}  # fmt: skip
_FILES = {
    **_DRAFTS,
    **{f"https://json-schema.org/draft/{draft}/schema": draft for draft in _VOCABULARIES},
    **{
        f"https://json-schema.org/draft/{draft}/meta/{name}": f"{draft}-{name}"
        for draft, names in _VOCABULARIES.items()
        for name in names
    },
}
URIS = tuple(_FILES)


@cache
def published(uri: str) -> str | None:
    """The text of the document that the specifications publish at the URI (without a fragment), if any."""
    name = _FILES.get(uri)
    if name is None:
        return None
    return files("grammars.frontends.json").joinpath("metaschemas", f"{name}.json").read_text("utf-8")
