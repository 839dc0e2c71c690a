"""What the makers of checks ask for: subschemas, references, languages, and the values of their keywords."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import Any, NoReturn

from grammars.errors import InvalidGrammarError
from grammars.frontends.json.document import Document, Resource, Site
from grammars.frontends.json.strings import pattern_language
from grammars.frontends.json.validation.evaluation import Check, Evaluated, Scope, never
from grammars.limits import Limits

Search = Callable[[str], bool]
_MAX_CACHED_TEXTS = 1024


class Subschema:
    """The check of one site; filled in once all that it leads to is known."""

    __slots__ = ("check", "site")

    def __init__(self, site: Site) -> None:
        self.site = site
        self.check: Check = never


class Compilation:
    """Checks of sites, made once each.

    Attributes:
        asserts_format: whether `format` is asserted wherever it stands.
        waiting: sites whose checks are still to be made.
        when_met: called when nothing waits any more, since dynamic references lead to whatever was met until then.
    """

    def __init__(self, document: Document, limits: Limits, *, asserts_format: bool) -> None:
        self.document = document
        self.limits = limits
        self.asserts_format = asserts_format
        self.waiting: list[Subschema] = []
        self.when_met: list[Callable[[], None]] = []
        self._subschemas: dict[Site, Subschema] = {}
        self._entering: dict[Site, Subschema] = {}

    def subschema(self, site: Site) -> Subschema:
        """The check of a site; it can be called when `waiting` is empty again."""
        found = self._subschemas.get(site)
        if found is None:
            found = self._subschemas[site] = Subschema(site)
            self.waiting.append(found)
        return found

    def child(self, site: Site, schema: Any, *tokens: str) -> Subschema:
        """The check of the schema at `tokens` below `site`."""
        return self.reached(site.resource, self.document.child(site, schema, *tokens))

    def children(self, site: Site, schemas: Any, keyword: str) -> list[Subschema]:
        """The checks of a keyword that is an array of schemas."""
        if not isinstance(schemas, list):
            bad(site, keyword, "an array of schemas")
        return [self.child(site, schema, keyword, str(index)) for index, schema in enumerate(schemas)]

    def reached(self, source: Resource, target: Site) -> Subschema:
        """The check of a site as it is met from a resource: the site's own resource is entered if it is another."""
        inner = target.resource.origin
        if isinstance(target.schema, bool) or inner is source.origin:
            return self.subschema(target)
        found = self._entering.get(target)
        if found is None:
            found = self._entering[target] = Subschema(target)
            found.check = _entering(self.subschema(target), inner)
        return found

    def search(self, pattern: Any, where: str) -> Search:
        """Whether a pattern is found in a text."""
        if not isinstance(pattern, str):
            raise InvalidGrammarError("a pattern is text", where)
        language = pattern_language(pattern, where, self.limits)
        max_states = self.limits.max_pattern_states
        return lru_cache(maxsize=_MAX_CACHED_TEXTS)(lambda text: language.accepts(text, max_states))


def _entering(target: Subschema, resource: Resource) -> Check:
    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        return target.check(value, scope.entered(resource), seen)

    return check


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
