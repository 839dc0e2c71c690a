"""What the makers of checks ask for: subschemas, references, languages, and the values of their keywords."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grammars.errors import InvalidGrammarError
from grammars.frontends.json.document import Document, Resource, Site
from grammars.frontends.json.forms import bad
from grammars.frontends.json.strings import pattern_language
from grammars.frontends.json.validation.evaluation import Check, Evaluated, Scope, never
from grammars.frontends.regex.parser import parse
from grammars.limits import Limits

# What of its texts a pattern remembers.
_MAX_KNOWN_TEXTS = 1024
_MAX_KNOWN_LENGTH = 256
_POSITIONS_A_STEP = 32  # of a pattern that are looked at for the price of one step


class Pattern:
    """A pattern that texts are searched for."""

    __slots__ = ("_known", "_language", "_max_states", "_price")

    def __init__(self, pattern: str, where: str, limits: Limits) -> None:
        self._language = pattern_language(pattern, where, limits)
        self._max_states = limits.max_pattern_states
        self._price = 1 + parse(pattern, "ecma", limits.max_depth).facts.weight // _POSITIONS_A_STEP
        self._known: dict[str, bool] = {}

    def is_in(self, text: str, spend: Callable[[int], None]) -> bool:
        """Whether the pattern is found in the text; `spend` is told the work."""
        found = self._known.get(text)
        if found is None:
            spend(1 + len(text) * self._price)
            found = self._language.accepts(text, self._max_states)
            if len(text) <= _MAX_KNOWN_LENGTH and len(self._known) < _MAX_KNOWN_TEXTS:
                self._known[text] = found
        return found


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
        self._patterns: dict[str, Pattern] = {}
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

    def pattern(self, pattern: Any, where: str) -> Pattern:
        """The pattern, one for each text of one."""
        if not isinstance(pattern, str):
            raise InvalidGrammarError("a pattern is text", where)
        found = self._patterns.get(pattern)
        if found is None:
            found = self._patterns[pattern] = Pattern(pattern, where, self.limits)
        return found


# Makes the check of a keyword with this value at the site; None where it asks for nothing.
Maker = Callable[[Compilation, Site, Any], Check | None]


def _entering(target: Subschema, resource: Resource) -> Check:
    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        return target.check(value, scope.entered(resource), seen)

    return check
