"""Whether values are valid against the sites of a document."""

from __future__ import annotations

import threading
from decimal import Decimal
from typing import Any

from grammars.errors import TooComplexError
from grammars.frontends.json.decoding import refuse_deep
from grammars.frontends.json.document import Document, Resource, Site
from grammars.frontends.json.options import JsonOptions
from grammars.frontends.json.validation.compilation import Compilation
from grammars.frontends.json.validation.evaluation import Check, Evaluated, Evaluation, Scope, always, never
from grammars.frontends.json.validation.table import ANY, COMPLEMENTS, KEYWORDS, LAST, REF, TYPE, Keyword
from grammars.limits import Limits

# One value of each type but decimals, whose type alone does not say whether they are integers.
_SAMPLES: tuple[Any, ...] = (None, True, 0, "", [], {})
# The keywords that a name brings about, by their places in the order in which they are asked.
_ORDERED = (*KEYWORDS, *COMPLEMENTS)
_NUMBERS: dict[str, list[int]] = {}
for _number, _keyword in enumerate(_ORDERED):
    for _name in _keyword.names:
        _NUMBERS.setdefault(_name, []).append(_number)


class Validator:
    """Says whether a value is valid; every keyword of every dialect counts, exactly.

    Threads may share it.

    Args:
        document: whose sites are asked about.
        options: `formats` says whether ``format`` is asserted where the meta-schema leaves that open.
        limits: `max_depth` bounds the values, `max_validation_steps` the work for one of them.
    """

    def __init__(self, document: Document, options: JsonOptions, limits: Limits) -> None:
        self._document = document
        self._limits = limits
        self._compilation = Compilation(document, limits, asserts_format=options.formats == "assert")
        self._checks: dict[Site, Check] = {}
        self._lock = threading.Lock()

    def is_valid(self, site: Site, value: Any, scope: tuple[Resource, ...] = ()) -> bool:
        """Whether the value is valid against the subschema.

        Args:
            site: one of the document's.
            value: as ``json.loads(text, parse_float=Decimal)`` gives it: no binary floating point anywhere.
            scope: resources that evaluation would have gone through on its way from the root of the document.

        Raises:
            InvalidGrammarError: a keyword is malformed, or references go in a circle.
            UnsupportedError: a document was not given, or a pattern cannot be read.
            TooComplexError: the value is too deep, or takes too much work.
        """
        check = self._checks.get(site) or self.prepare(site)
        refuse_deep(value, self._limits.max_depth)
        resources = dict.fromkeys((self._document.root.resource.origin, *scope, site.resource.origin))
        try:
            return check(value, Evaluation(self._limits).scope(tuple(resources)), None)
        except RecursionError:
            raise TooComplexError(
                "max_depth", self._limits.max_depth + 1, self._limits.max_depth, site.pointer
            ) from None

    def prepare(self, site: Site) -> Check:
        """Reads all that the site leads to, so that what is wrong with it shows before any value does.

        Raises:
            GrammarError: see `is_valid`.
        """
        with self._lock:
            compilation = self._compilation
            subschema = compilation.subschema(site)
            while compilation.waiting:
                while compilation.waiting:
                    waiting = compilation.waiting.pop()
                    try:
                        waiting.check = _site_check(compilation, waiting.site)
                    except BaseException:
                        compilation.waiting.append(waiting)  # whoever asks next is told the same
                        raise
                for meet in compilation.when_met:
                    meet()
            self._checks[site] = subschema.check
            return subschema.check


def _site_check(compilation: Compilation, site: Site) -> Check:
    """The conjunction of the keywords, apart for each type of value."""
    schema, resource = site.schema, site.resource
    if isinstance(schema, bool):
        return always if schema else never
    if resource.dialect <= 7 and "$ref" in schema:
        return REF.maker(compilation, site, schema["$ref"]) or always
    tables = _type_tables(compilation, site)
    # A document has no name of a complement's.
    found = sorted({number for name in schema for number in _NUMBERS.get(name, ())})
    for keyword in (_ORDERED[number] for number in found if resource is not resource.origin or number < len(KEYWORDS)):
        _add(compilation, site, keyword, tables)
    for keyword in LAST:
        if schema.keys().isdisjoint(keyword.names):
            continue
        own: dict[type, list[Check]] = {kind: [] for kind in ANY}
        _add(compilation, site, keyword, own)
        for kind in keyword.types:
            if own[kind]:
                tables[kind] = [_collecting([*tables[kind], *own[kind]])]
    return _conjunction({kind: tuple(checks) for kind, checks in tables.items()})


def _type_tables(compilation: Compilation, site: Site) -> dict[type, list[Check]]:
    tables: dict[type, list[Check]] = {kind: [] for kind in ANY}
    if "type" not in site.schema or not TYPE.is_in(site.resource):
        return tables
    check = TYPE.maker(compilation, site, site.schema["type"])
    assert check is not None
    scope = Evaluation(compilation.limits).scope(())
    for sample in _SAMPLES:
        if not check(sample, scope, None):
            tables[type(sample)] = [never]
    tables[Decimal] = [] if check(Decimal("0.5"), scope, None) else [check]
    return tables


def _add(compilation: Compilation, site: Site, keyword: Keyword, tables: dict[type, list[Check]]) -> None:
    if not keyword.is_in(site.resource):
        return
    check = keyword.maker(compilation, site, site.schema.get(keyword.names[0]))
    if check is not None:
        for kind in keyword.types:
            if tables[kind] != [never]:
                tables[kind].append(check)


def _conjunction(tables: dict[type, tuple[Check, ...]]) -> Check:
    alternatives = set(tables.values())
    if len(alternatives) == 1:
        (checks,) = alternatives
        if len(checks) <= 1:
            return checks[0] if checks else always

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        for keyword in tables[type(value)]:
            if not keyword(value, scope, seen):
                return False
        return True

    return check


def _collecting(checks: list[Check]) -> Check:
    """The checks of a schema of which the last looks at what the others have evaluated."""
    *others, last = checks

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        own = Evaluated()
        for keyword in others:
            if not keyword(value, scope, own):
                return False
        if not last(value, scope, own):
            return False
        if seen is not None:
            seen.update(own)
        return True

    return check
