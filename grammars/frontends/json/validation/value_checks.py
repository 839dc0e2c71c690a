"""Checks of JSON values: what is said of a whole value once it is there, read backwards from where the text ends."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from decimal import Decimal
from functools import cached_property
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from grammars.byte_bounded_cache import ByteBoundedCache, num_bytes_of
from grammars.errors import GrammarError
from grammars.frontends.json.document.decoding import MAX_DIGITS, as_double, canonical
from grammars.frontends.json.document.document import Document, Not, SchemaTerm, Subschema
from grammars.frontends.json.document.options import JsonOptions, escape, is_known, nested_schemas
from grammars.frontends.json.meaning.keywords import SAID
from grammars.frontends.json.meaning.type_bounds import Conjunction
from grammars.frontends.json.validation.validator import Validator
from grammars.kernels.unique import container_start, string_start
from grammars.limits import DEFAULT_LIMITS, Limits
from grammars.network import checks
from grammars.network.builder import NetworkBuilder
from grammars.network.checks import Check, Predicate, register

_ITEM = "json-unique-item"
_GOAL = "json-goal"
# Each holds the schema's text. What more conjunctions need is said of the whole text.
_MAX_GOALS = 32
# What a document and its checks take for a byte of its text, measured over many.
_BYTES_PER_BYTE = 60
_CHOICES = ("anyOf", "if", "dependencies", "dependentRequired", "dependentSchemas")
# Keywords whose meaning depends on the way that led to them.
_DYNAMIC = ('"$dynamicRef"', '"$recursiveRef"')

_QUOTE, _CLOSERS, _SCALARS = 0x22, b"]}", b"+-.0123456789Eaeflnrstu"
_FAR = "1" + 17 * "0"  # for exponents of more digits


# The items of arrays under way, by their texts: the masks within one item ask about the same items before it.
_ITEMS: ByteBoundedCache[bytes, frozenset[Any]] = ByteBoundedCache(4 << 20, 256, num_bytes_of, lambda items: False)


def _judged(judge: Predicate) -> Predicate:
    # A value in which a name comes twice is none.
    def predicate(text: bytes) -> bool:
        try:
            return judge(text)
        except RepeatedNameError:
            return False

    return predicate


def _is_new_item(text: bytes) -> bool:
    item, before = last_item(text)
    items = _ITEMS.get(before)
    if items is None:
        items = frozenset(map(canonical, read(before)))
        _ITEMS.put(before, items)
    return canonical(item) not in items


def _can_be_new(data: str) -> Predicate:
    endings = [ending.encode() for ending in json.loads(data)]
    return _judged(lambda text: any(_is_new_item(text + ending) for ending in endings))


def unique_after(endings: Iterable[str], kind: int = checks.ASKED) -> Check:
    """True if an ending makes the item that ends here differ from all earlier items of its array."""
    data = json.dumps(list(endings))
    return Check(_ITEM, data, _can_be_new(data), kind)


UNIQUE_ITEM = unique_after([""], checks.UNIQUE_ITEM)
"""The item that ends here equals no earlier item of its array."""

UNIQUE_WHEN_CLOSED = {ord(bracket): unique_after([bracket], checks.UNIQUE_CLOSED) for bracket in "]}"}
"""As `UNIQUE_ITEM`, where this bracket ends the item."""


_is_repeated_item = _judged(lambda text: not _is_new_item(text))
REPEATED_ITEM = Check("json-repeated-item", "", _is_repeated_item)
"""The item that ends here equals an earlier item of its array."""


class ValueChecks:
    """Checks that a value is valid against one document.

    Args:
        text: of the schema, resources: texts of the other documents; what a check is made from again elsewhere.

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
        self._num_conjunctions = 0
        # Checks share the document: the first one is said to hold it.
        self._unweighed_bytes = _BYTES_PER_BYTE * sum(map(len, (text, *resources.values())))

    def root(self) -> Check:
        """The check that the value is valid against the document's root.

        Raises:
            GrammarError: a keyword is malformed, or leads nowhere.
        """
        return self._check((self._document.root,), [("", True)])

    def terms(self, terms: Conjunction) -> Check | None:
        """The check that the value meets the conjunction; None where it depends on more than the conjunction's places.

        Raises:
            GrammarError: a keyword is malformed, or leads nowhere.
        """
        places = [self._place(term) for term in terms]
        if self._num_conjunctions == _MAX_GOALS or None in places or any(name in self._data[0] for name in _DYNAMIC):
            return None
        self._num_conjunctions += 1
        return self._check(terms, places)

    def meets(self, terms: Conjunction, value: Any) -> bool:
        """True if the value is valid against every term of the conjunction."""
        return _is_met(self._validator, terms, value, is_bounded=True)

    def _check(self, terms: Conjunction, places: list[tuple[str, bool] | None]) -> Check:
        for term in terms:
            self._validator.prepare(term.subschema if isinstance(term, Not) else term)
        data = json.dumps([*self._data, asdict(self._options), places])
        num_bytes, self._unweighed_bytes = self._unweighed_bytes, 0
        return Check(_GOAL, data, _meets(self._validator, terms), num_bytes=num_bytes)

    def _place(self, term: SchemaTerm) -> tuple[str, bool] | None:
        """Return the term's pointer and if it must hold; None for a derived term."""
        subschema, holds = (term.subschema, False) if isinstance(term, Not) else (term, True)
        try:
            found = subschema.resource is subschema.resource.origin and _subschema_at(self._document, subschema.pointer)
        except GrammarError:
            return None
        return (subschema.pointer, holds) if found is subschema else None

    @cached_property
    def _validator(self) -> Validator:
        return Validator(self._document, self._options, self._limits)


def _subschema_at(document: Document, pointer: str) -> Subschema:
    return document.resolve(document.root, "#" + quote(pointer)) if pointer else document.root


def _meets(validator: Validator, terms: Conjunction) -> Predicate:
    return _judged(lambda text: _is_met(validator, terms, last_value(text), is_bounded=False))


def _is_met(validator: Validator, terms: Conjunction, value: Any, *, is_bounded: bool) -> bool:
    signed = [(term.subschema, False) if isinstance(term, Not) else (term, True) for term in terms]
    return all(validator.is_valid(subschema, value, is_bounded=is_bounded) == holds for subschema, holds in signed)


def _restored(data: str) -> Callable[[bytes], bool]:
    text, resources, fields, places = json.loads(data)
    options, limits = JsonOptions(**fields), DEFAULT_LIMITS
    document = Document(text, options, resources, limits)
    subschemas = [(_subschema_at(document, pointer), holds) for pointer, holds in places]
    return _meets(
        Validator(document, options, limits),
        tuple(subschema if holds else Not(subschema) for subschema, holds in subschemas),
    )


def note_keywords(builder: NetworkBuilder, document: Document) -> None:
    """Note every keyword of the document's own text as checked."""
    dialect = document.root.resource.dialect
    stack: list[tuple[Any, str]] = [(document.root.schema, "")]
    while stack:
        schema, pointer = stack.pop()
        if not isinstance(schema, bool):
            for keyword in schema:
                if keyword in SAID and is_known(keyword, dialect):
                    builder.note(pointer, keyword, "check")
            stack += [
                (each, "/".join((pointer, *map(escape, tokens)))) for tokens, each in nested_schemas(schema, dialect)
            ]


def note_choice(builder: NetworkBuilder, asking: SchemaTerm, is_exclusive: bool) -> None:
    """Note that the choice which a term demands is checked."""
    if isinstance(asking, Not):
        pointer, _, keyword = asking.subschema.pointer.rpartition("/")
        builder.note(pointer, keyword, "check")
        return
    for keyword in ("oneOf",) if is_exclusive else _CHOICES:
        if keyword in asking.schema:
            builder.note(asking.pointer, keyword, "check")


def emit_checked(builder: NetworkBuilder, check: Check, rule: int, slack: int = 1) -> int:
    """Return the rule of the texts of `rule` after which the check holds; for `slack` see `NetworkBuilder.require`."""
    start, after = builder.rule(), builder.state()
    builder.call(start, rule, after)
    builder.epsilon(after, builder.require(check, builder.end(), slack))
    return start


register(_ITEM, _can_be_new)
register(REPEATED_ITEM.name, lambda data: _is_repeated_item)
register(_GOAL, _restored)


class RepeatedNameError(ValueError):
    """An object has two members of one name."""


def _value_start(text: bytes) -> int:
    """Return the start of the value that ends with the text; -1 if none does."""
    if not text:
        return -1
    if text[-1] == _QUOTE:
        return int(string_start(_array(text), len(text) - 1))
    if text[-1] in _CLOSERS:
        return int(container_start(_array(text), len(text) - 1))
    start = len(text.rstrip(_SCALARS))
    return start if start < len(text) else -1


def _array(text: bytes) -> NDArray[np.uint8]:
    # Kernels are found at once for arrays that can be written, and these are the ones that they call each other with.
    return np.frombuffer(bytearray(text), dtype=np.uint8)


def last_value(text: bytes) -> Any:
    """The value that ends with the text.

    Raises:
        RepeatedNameError: an object in it has two members of one name.
        RecursionError: values are too deep.
    """
    return read(text[_value_start(text) :])


def last_item(text: bytes) -> tuple[Any, bytes]:
    """Return the item of an array that ends with the text, and the text of the array as it would be without it."""
    start = _value_start(text)
    container = int(container_start(_array(text), start))
    return read(text[start:]), text[container:start].rstrip(b", \t\r\n") + b"]"


def read(data: bytes) -> Any:
    """The value of a JSON text; raises what `last_value` does."""
    return _DECODER.decode(data.decode(errors="surrogatepass"))


def _integer(text: str) -> int:
    # The interpreter reads no longer ones itself.
    return int(text) if len(text) <= MAX_DIGITS else int(Decimal(text))


def _decimal(text: str) -> Decimal:
    digits, _, exponent = text.lower().partition("e")
    if len(exponent) > len(_FAR):
        text = f"{digits}e{exponent[0].strip('0123456789')}{_FAR}"
    return as_double(Decimal(text))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise RepeatedNameError
    return members


_DECODER = json.JSONDecoder(parse_float=_decimal, parse_int=_integer, object_pairs_hook=_unique)
