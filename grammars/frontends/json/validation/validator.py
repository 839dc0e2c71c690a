"""True if values are valid against the subschemas of a document."""

from __future__ import annotations

import math
import threading
from decimal import Decimal
from functools import partial
from typing import Any

from grammars.errors import TooComplexError
from grammars.frontends.json.document.decoding import is_multiple, refuse_deep
from grammars.frontends.json.document.document import Document, Subschema
from grammars.frontends.json.document.options import JsonOptions, is_known
from grammars.frontends.json.meaning.keywords import types_named
from grammars.frontends.json.meaning.type_bounds import ANY_TYPE, INTEGER, NUMBER, TYPE_BITS
from grammars.frontends.json.validation.compilation import Check, Compilation, Evaluated, Evaluation, Seen
from grammars.frontends.json.validation.keywords import KEYWORDS, READ_WITH, is_listed
from grammars.limits import Limits


class Validator(Compilation):
    """Says whether a value is valid; every keyword of every dialect counts, exactly.

    Threads may share it.

    Args:
        document: whose subschemas are asked about.
        options: `formats` says whether ``format`` is asserted where the meta-schema leaves that open.
        limits: `max_depth` bounds the values, `max_validation_steps` the work for one of them.
    """

    def __init__(self, document: Document, options: JsonOptions, limits: Limits) -> None:
        super().__init__(document, limits, asserts_format=options.formats == "assert")
        self._lock = threading.Lock()

    def is_valid(self, subschema: Subschema, value: Any, *, is_bounded: bool = True) -> bool:
        """True if the value is valid against the subschema.

        Args:
            subschema: one of the document's.
            value: as ``json.loads(text, parse_float=Decimal)`` gives it: no binary floating point anywhere.
            is_bounded: by the limits, which no text runs into that has begun: where it is not, what is too deep for
                the stack is a RecursionError.

        Raises:
            InvalidGrammarError: a keyword is malformed, or references go in a circle.
            UnsupportedError: a document was not given, or a pattern cannot be read.
            TooComplexError: the value is too deep, or takes too much work.
        """
        check, most = self.prepare(subschema), self.limits.max_depth
        scope = self.entered(self.entered(frozenset(), self.document.root.resource.origin), subschema.resource.origin)
        if not is_bounded:
            return check(value, Evaluation(scope, math.inf), None)
        refuse_deep(value, most)
        try:
            return check(value, Evaluation(scope, self.limits.max_validation_steps), None)
        except RecursionError:
            raise TooComplexError("max_depth", most + 1, most, subschema.pointer) from None

    def prepare(self, subschema: Subschema) -> Check:
        """Read all that the subschema leads to, so that what is wrong with it shows before any value does.

        Raises:
            GrammarError: see `is_valid`.
        """
        with self._lock:
            compiled_schema = self.compiled_schema(subschema)
            while self.waiting:
                waiting = self.waiting.pop()
                try:
                    waiting.check = _subschema_check(self, waiting.subschema)
                except BaseException:
                    self.waiting.append(waiting)  # the next caller is given the same
                    raise
                if not self.waiting:
                    self.reach_dynamic()
            return compiled_schema.check


def _subschema_check(compilation: Compilation, subschema: Subschema) -> Check:
    """Return the conjunction of the keywords, apart for each type of value."""
    schema, resource = subschema.schema, subschema.resource
    if isinstance(schema, bool):
        return _always if schema else _never
    # To older dialects a reference is alone; no document can say what complements are written with.
    is_alone, is_made = resource.dialect <= 7 and "$ref" in schema, resource is not resource.origin
    names = {"$ref"} if is_alone else {READ_WITH.get(name, name) for name in schema if is_made or name[:1] != "\0"}
    checks = _by_type(subschema, is_told="type" in names and is_listed("validation", resource))
    for name, keyword in KEYWORDS.items():
        if name not in names or not is_known(name, resource.dialect) or not is_listed(keyword.vocabulary, resource):
            continue
        said = keyword.read(compilation, subschema, name, schema.get(name))
        for kind in keyword.types if said is not None else ():
            if checks[kind] != [_never]:
                checks[kind].append(partial(keyword.check, said))
    conjunction = _conjunction({kind: tuple(each) for kind, each in checks.items()})
    has_last = any(name.startswith("unevaluated") and is_known(name, resource.dialect) for name in names)
    return partial(_collecting, conjunction) if has_last else conjunction


def _by_type(subschema: Subschema, *, is_told: bool) -> dict[type, list[Check]]:
    """Return the check of `type` alone for values of each type."""
    types = types_named(subschema, subschema.schema["type"]) if is_told else ANY_TYPE
    checks: dict[type, list[Check]] = {kind: [] if types & bit else [_never] for kind, bit in TYPE_BITS.items()}
    if types & NUMBER == INTEGER:
        # To draft 4 an integer is a number written without a fraction or an exponent.
        is_draft_4 = subschema.resource.dialect == 4
        checks[Decimal] = [_never if is_draft_4 else lambda value, run, seen: is_multiple(value, 1)]
    return checks


def _conjunction(tables: dict[type, tuple[Check, ...]]) -> Check:
    alternatives = set(tables.values())
    if len(alternatives) == 1:
        (checks,) = alternatives
        if len(checks) <= 1:
            return checks[0] if checks else _always

    def check(value: Any, run: Evaluation, seen: Seen) -> bool:
        for keyword in tables[type(value)]:
            if not keyword(value, run, seen):
                return False
        return True

    return check


def _collecting(check: Check, value: Any, run: Evaluation, seen: Seen) -> bool:
    """Return the check of a schema that looks at what its other keywords have evaluated."""
    own = Evaluated()
    if not check(value, run, own):
        return False
    if seen is not None:
        seen |= own
    return True


def _always(value: Any, run: Evaluation, seen: Seen) -> bool:
    return True


def _never(value: Any, run: Evaluation, seen: Seen) -> bool:
    return False
