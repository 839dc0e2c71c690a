"""Schemas that are nothing but a way to another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grammars.frontends.json.document import Site
from grammars.frontends.json.members import says_nothing

if TYPE_CHECKING:
    from grammars.frontends.json.algebra import Algebra

_OF_SCHEMAS = frozenset(("allOf", "anyOf", "oneOf"))


def target(algebra: Algebra, site: Site) -> Site:
    """The site that the schema leads to where it says nothing itself; any other site itself.

    Where references lead back to each other it is one of them, which `Algebra.bundles` then refuses.
    """
    seen: set[Site] = set()
    while type(site.schema) is dict and site not in seen:
        following = _followed(algebra, site)
        if following is None:
            break
        seen.add(site)
        site.is_noted = True
        site = following
    return site


def _followed(algebra: Algebra, site: Site) -> Site | None:
    """The one schema that a reference, or a conjunction or choice of one, leads to where nothing else is said."""
    schema = site.schema
    if "$ref" in schema:
        if site.resource.dialect > 7 and len(algebra.said(schema)) > 1:
            return None
        algebra.note(site, "$ref")
        return algebra.document.resolve(site, schema["$ref"])
    if _OF_SCHEMAS.isdisjoint(schema):
        return None
    said = algebra.said(schema)
    if len(said) != 1:
        return None
    (keyword,) = said
    found = algebra.schemas(site, keyword, schema[keyword])
    if keyword == "allOf":
        found = [child for child in found if not says_nothing(child)]
    if len(found) != 1:
        return None
    algebra.note(site, keyword)
    return found[0]
