"""Guards of JSON values: what is said of a whole value once it is there."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import cached_property
from typing import Any

from grammars.frontends.json.bundle import canonical
from grammars.frontends.json.document import Document, Site
from grammars.frontends.json.options import JsonOptions
from grammars.frontends.json.regions import RepeatedNameError, last_item, last_value
from grammars.frontends.json.subschemas import Place, below
from grammars.frontends.json.validation.table import KEYWORDS, LAST, TYPE
from grammars.frontends.json.validation.validator import Validator
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.network.guards import Guard, Predicate, register

_ITEM, _VALUE = "json-unique-item", "json-value"
_KEYWORDS = {name: keyword for keyword in (TYPE, *KEYWORDS, *LAST) for name in keyword.names}


def _is_new_item(text: bytes) -> bool:
    item, before = last_item(text)
    wanted = canonical(item)
    return all(canonical(other) != wanted for other in before)


UNIQUE_ITEM = Guard(_ITEM, "", _is_new_item)
"""The item that ends here equals no earlier item of its array."""


class ValueGuards:
    """Guards that a value is valid against one document.

    Args:
        text: of the schema, resources: texts of the other documents; what a guard is made from again elsewhere.

    Attributes:
        is_needed: the network says less than the document does.
    """

    def __init__(
        self, document: Document, text: str, resources: Mapping[str, str], options: JsonOptions, limits: Limits
    ) -> None:
        self.is_needed = False
        self._document = document
        self._options, self._limits = options, limits
        self._data = (text, resources)

    def root(self) -> Guard:
        """The guard that the value is valid against the document's root.

        Raises:
            GrammarError: a keyword is malformed, or leads nowhere.
        """
        site, validator = self._document.root, self._validator
        validator.prepare(site)
        return Guard(_VALUE, json.dumps([*self._data, asdict(self._options)]), _is_valid(validator, site))

    def allows(self, site: Site, value: Any) -> bool:
        """Whether the value is valid against a site of the document."""
        return self._validator.is_valid(site, value)

    @cached_property
    def _validator(self) -> Validator:
        return Validator(self._document, self._options, self._limits)


def _is_valid(validator: Validator, site: Site) -> Predicate:
    def predicate(text: bytes) -> bool:
        try:
            value = last_value(text)
        except RepeatedNameError:
            return False
        return validator.is_valid(site, value)

    return predicate


def _restored(data: str) -> Callable[[bytes], bool]:
    text, resources, fields = json.loads(data)
    options, limits = JsonOptions(**fields), Limits()
    document = Document(text, options, resources, limits)
    return _is_valid(Validator(document, options, limits), document.root)


def note_keywords(builder: NetworkBuilder, document: Document) -> None:
    """Notes every keyword of the document's own text as guarded."""
    dialect = document.root.resource.dialect
    stack: list[tuple[Any, str, Place]] = [(document.root.schema, "", Place.SCHEMA)]
    while stack:
        value, pointer, place = stack.pop()
        if place is Place.DATA or not isinstance(value, (dict, list)):
            continue
        members = value.items() if isinstance(value, dict) else ((str(i), item) for i, item in enumerate(value))
        for token, item in members:
            keyword = _KEYWORDS.get(token) if place is Place.SCHEMA else None
            if keyword is not None and keyword.since <= dialect <= keyword.until:
                builder.note(pointer, token, "guard")
            escaped = token.replace("~", "~0").replace("/", "~1")
            stack.append((item, f"{pointer}/{escaped}", below(place, token, item, dialect)))


def emit_guarded(builder: NetworkBuilder, guard: Guard, rule: int) -> int:
    """The rule of the texts of `rule` after which the guard holds."""
    start, after, end = builder.rule(), builder.state(), builder.state()
    builder.accept(end)
    builder.call(start, rule, after)
    builder.epsilon(after, builder.check(guard, end))
    return start


register(_ITEM, lambda data: _is_new_item)
register(_VALUE, _restored)
