"""Why no value is valid against a schema: the smallest place without which one would be, found by leaving parts out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from grammars.errors import GrammarError, UnsatisfiableError
from grammars.frontends.arguments.emitter import Arguments
from grammars.frontends.json.document.options import Place, escape, place_of
from grammars.frontends.json.spec import JsonSchema
from grammars.frontends.regex.dfa import Effort
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder

# What a search costs at most. At its end the place is the smallest that was found until then.
_MAX_TRIALS = 256
_MAX_SECONDS = 0.5
_DEFINITIONS = ("$defs", "definitions")
# Of these schemas more are not less: each is tried alone.
_EXCLUSIVE = ("oneOf", "not", "if")
_Path = tuple[str | int, ...]
_REMOVED = object()


def find_fault(constraint: object, limits: Limits) -> UnsatisfiableError | None:
    """Return what to say of an unsatisfiable constraint: the first schema in it that no value meets, and where."""
    end = time.thread_time() + _MAX_SECONDS
    for label, spec in _schemas_in(constraint):
        if time.thread_time() > end:
            break
        if _is_unsatisfiable(spec, limits):
            search = _Search(spec, limits, end)
            path = search.smallest((), search.schema)
            where = "".join(f"/{escape(str(token))}" for token in path)
            message = "no text matches the constraint"
            error = UnsatisfiableError(f"{message}; without this part one would" if path else message, where)
            if label:
                error.place_within(label)
            return error
    return None


def _schemas_in(constraint: object, label: str = "") -> Iterator[tuple[str, JsonSchema]]:
    """The schemas, each with what errors call the arguments that it is about."""
    if isinstance(constraint, JsonSchema):
        yield label, constraint
    elif isinstance(constraint, tuple):
        for each in constraint:
            yield from _schemas_in(each, label)
    elif is_dataclass(constraint):
        label = constraint.label if isinstance(constraint, Arguments) else label
        for field in fields(constraint):
            yield from _schemas_in(getattr(constraint, field.name), label)


def _is_unsatisfiable(spec: JsonSchema, limits: Limits) -> bool:
    try:
        _assemble(spec, limits)
    except UnsatisfiableError:
        return True
    except (GrammarError, RecursionError):
        pass
    return False


def _assemble(spec: JsonSchema, limits: Limits) -> None:
    builder = NetworkBuilder(limits)
    with Effort():
        builder.finish(spec.emit(builder))


class _Search:
    """Leaves parts of a schema out, one after the other.

    A subschema is left out by taking it for true, so that whatever else looks at the names of members still sees it.
    """

    def __init__(self, spec: JsonSchema, limits: Limits, end: float) -> None:
        self.schema: Any = json.loads(spec.text)
        self._spec, self._limits = spec, limits
        self._resources: Any = dict(spec.resources)
        self._trials, self._end = 0, end

    def is_possible(self, schema: Any) -> bool:
        """True if some value is known to be valid against the schema; False if that takes too long to decide."""
        self._trials += 1
        if self._trials > _MAX_TRIALS or time.thread_time() > self._end:
            return False
        try:
            _assemble(JsonSchema(schema, self._spec.options, self._resources), self._limits)
        except (GrammarError, RecursionError):
            return False
        return True

    def smallest(self, path: _Path, schema: Any) -> _Path:
        """The smallest place in the subschema at `path`, without which a value would be valid."""
        while True:
            found = self._within(path, schema)
            if found is None:
                return path
            path, schema = found
            if not isinstance(schema, dict):
                return path

    def _within(self, path: _Path, schema: Any) -> tuple[_Path, Any] | None:
        """Return the parent place with its subschema; None in place of a value that is no subschema."""
        if not isinstance(schema, dict):
            return None
        for keyword in sorted(schema, key=_rank):
            children = _children(keyword, schema[keyword])
            found = self._child((*path, keyword), schema[keyword], children, keyword in _EXCLUSIVE)
            if found is not None:
                return found
        required = schema.get("required")
        if isinstance(required, list):
            names: list[_Path] = [(index,) for index in range(len(required))]
            name = self._one_of(names, lambda some: self._without_names((*path, "required"), required, some))
            if name is not None:
                return (*path, "required", *name), None
        for keyword in sorted(schema, key=lambda each: each == "type"):
            if self.is_possible(_replaced(self.schema, (*path, keyword), _REMOVED)):
                return (*path, keyword), None
        return None

    def _child(
        self, path: _Path, value: Any, children: Sequence[_Path], is_exclusive: bool
    ) -> tuple[_Path, Any] | None:
        groups = [[child] for child in children] if is_exclusive else [list(children)]
        for group in groups:
            found = self._one_of(group, lambda some: self._with_true(path, some))
            if found is not None:
                for token in found:
                    value = value[token]
                return (*path, *found), value
        return None

    def _one_of(self, places: list[_Path], without: Callable[[list[_Path]], Any]) -> _Path | None:
        """Return a place whose removal alone makes a value valid; the empty one if several are needed."""
        if not places or not self.is_possible(without(places)):
            return None
        while len(places) > 1:
            middle = len(places) // 2
            halves = (places[:middle], places[middle:])
            half = next((each for each in halves if self.is_possible(without(each))), None)
            if half is None:
                return ()
            places = half
        return places[0]

    def _with_true(self, path: _Path, places: list[_Path]) -> Any:
        schema = self.schema
        for place in places:
            schema = _replaced(schema, (*path, *place), True)
        return schema

    def _without_names(self, path: _Path, names: list[Any], places: list[_Path]) -> Any:
        left = {place[0] for place in places}
        return _replaced(self.schema, path, [name for index, name in enumerate(names) if index not in left])


def _rank(keyword: str) -> bool:
    return keyword not in _DEFINITIONS


def _children(keyword: str, value: Any) -> list[_Path]:
    """Return the paths of non-trivial subschemas in a keyword's value."""
    place = place_of(keyword, value, 2019 if keyword in ("items", "additionalItems") else 2020)
    if place is Place.SCHEMA:
        return [()] if isinstance(value, dict) else []
    if place is Place.TABLE and isinstance(value, dict):
        return [(name,) for name, each in value.items() if each is False or isinstance(each, dict)]
    if place is Place.LIST and isinstance(value, list):
        return [(index,) for index, each in enumerate(value) if each is not True]
    return []


def _replaced(value: Any, path: _Path, new: Any) -> Any:
    """Return a copy of the value with another one at the path, or without it."""
    if not path:
        return new
    copied = value.copy()
    copied[path[0]] = _replaced(value[path[0]], path[1:], new)
    if copied[path[0]] is _REMOVED:
        del copied[path[0]]
    return copied
