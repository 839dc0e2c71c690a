"""What a schema says of a value on the spot, kept for those that are asked again."""

from __future__ import annotations

from typing import Any, NamedTuple

from grammars.frontends.json.bundle import Bundle
from grammars.frontends.json.document import Document, Site
from grammars.frontends.json.keywords import Narrow, narrowing


class Plan(NamedTuple):
    """How a schema narrows a bundle.

    Attributes:
        narrows: for each keyword that does, what does it, and its value.
        types: that the values can have.
    """

    narrows: list[tuple[Narrow, Any]]
    types: int


def plan_of(document: Document, site: Site, asserts_formats: bool) -> Plan:
    """The plan of a schema."""
    narrows, schema = narrowing(site.resource.dialect, asserts_formats), site.schema
    allowed = Bundle()
    if "type" in schema:
        narrows["type"](document, site, schema["type"], allowed)
    return Plan([(narrows[keyword], value) for keyword, value in schema.items() if keyword in narrows], allowed.types)
