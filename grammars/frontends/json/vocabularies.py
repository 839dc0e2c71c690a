"""What a meta-schema's ``$vocabulary`` says about the schemas in its dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grammars.errors import UnsupportedError

if TYPE_CHECKING:
    from grammars.frontends.json.document import Resource

_VOCABULARY = "https://json-schema.org/draft/{}/vocab/"
_SHARED_VOCABULARIES = frozenset(("core", "applicator", "validation", "meta-data", "content"))
_VOCABULARIES = {
    2019: _SHARED_VOCABULARIES | {"format"},
    2020: _SHARED_VOCABULARIES | {"unevaluated", "format-annotation", "format-assertion"},
}


def take_vocabularies(resource: Resource, listed: dict[str, Any]) -> None:
    """Reads a meta-schema's ``$vocabulary``.

    Raises:
        UnsupportedError: it demands one that no published dialect has.
    """
    prefix = _VOCABULARY.format({2019: "2019-09", 2020: "2020-12"}[resource.dialect])
    names = set()
    for uri, is_required in listed.items():
        name = uri.removeprefix(prefix)
        if name in _VOCABULARIES[resource.dialect]:
            names.add(name)
        elif is_required is True:
            raise UnsupportedError(f"the vocabulary {uri!r}", f"{resource.pointer}/$schema")
    resource.vocabularies = frozenset(names)
    resource.asserts_format = "format-assertion" in names or listed.get(prefix + "format") is True
