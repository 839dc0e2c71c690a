"""Validation against the client's own schema: `jsonschema-rs` decides, `jsonschema` explains.

Where references would have it look at the same again and again, by an `Evaluation` that asks it about each place once.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from referencing.exceptions import Unresolvable

from gateway.core.json_text import json_text
from gateway.errors import ConstraintError
from gateway.verify.ecma import with_rust_patterns
from gateway.verify.effort import LIMIT, is_explainable, multiplies
from gateway.verify.evaluation import Evaluation
from gateway.verify.verdict import Verdict, pointer

Schema = dict[str, Any] | bool

MAX_BACKTRACKS = 100_000
"""Steps of a pattern with look-around or backreferences, before it counts as not matching. Others are linear."""

MAX_REASON_CHARACTERS = 500


_REFERENCES = ('"$ref":', '"$dynamicRef":', '"$recursiveRef":')
# Where more references meet `unevaluated...`, the library may take for ever to build a validator.
_MAX_REFERENCES = 16
# May be copied to explain a value under such a schema: what others have evaluated is found out again each time.
_MAX_COPIED = 1_000
# Of the texts of all schemas that are kept: a validator takes 20 bytes for each, or 100 where it is made for that.
_MAX_CHARACTERS = 200_000


@dataclass(slots=True, kw_only=True)
class _Known:
    """A schema with its validator.

    Attributes:
        refers: whether it refers to others, or to itself.
        asks: whether it refers, and asks what others have evaluated. The evaluation alone decides then.
        schema: with its patterns as the library reads them.
        patterns: what these were, by what they are.
        validator: None if building it might not end.
        evaluation: made when it is needed.
    """

    refers: bool
    asks: bool
    schema: Schema
    patterns: dict[str, str]
    validator: jsonschema_rs.Validator | None
    evaluation: Evaluation | None = None


class SchemaCache:
    """Recently compiled validators. Thread-safe.

    Formats are asserted, unknown ones ignored. References are resolved within the schema and `resources`; nothing is
    ever fetched.

    Args:
        max_validators: Most validators kept, if their schemas are short.
        resources: Other documents that schemas may refer to, by URI.
    """

    def __init__(self, max_validators: int = 256, resources: Mapping[str, Schema] | None = None) -> None:
        self._max_validators = max_validators
        self._validators: OrderedDict[str, _Known] = OrderedDict()
        self._num_characters = 0
        self._lock = threading.Lock()
        self._resources = {uri: with_rust_patterns(document, {}) for uri, document in (resources or {}).items()}
        self._registry = jsonschema_rs.Registry(list(self._resources.items())) if resources else None

    def keep(self, schema: Schema) -> _Known:
        """Return the schema's validator, built unless it is kept.

        Raises:
            ConstraintError: the schema is not one, or refers to a document that is not there.
        """
        try:
            key = json_text(schema)
        except RecursionError as error:
            raise ConstraintError("the schema is nested too deeply", kind="too_complex") from error
        with self._lock:
            found = self._validators.get(key)
            if found is not None:
                self._validators.move_to_end(key)
                return found
        built = self._known(schema, key)
        with self._lock:
            self._num_characters += 0 if key in self._validators else len(key)
            self._validators[key] = built
            while len(self._validators) > self._max_validators or self._num_characters > _MAX_CHARACTERS:
                gone, _ = self._validators.popitem(last=False)
                self._num_characters -= len(gone)
        return built

    def _known(self, given: Schema, text: str) -> _Known:
        patterns: dict[str, str] = {}
        schema = with_rust_patterns(given, patterns)
        num_references = sum(map(text.count, _REFERENCES))
        asks = num_references > 0 and '"unevaluated' in text
        if not asks or num_references <= _MAX_REFERENCES:
            validator = self._build(schema)
        else:
            validator = None
            with _refused():
                jsonschema_rs.meta.validate(schema)
        return _Known(refers=num_references > 0, asks=asks, schema=schema, patterns=patterns, validator=validator)

    def _build(self, schema: Schema) -> jsonschema_rs.Validator:
        with _refused():
            return jsonschema_rs.validator_for(
                schema,
                validate_formats=True,
                offline=True,
                registry=self._registry,
                pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=MAX_BACKTRACKS),
            )

    def check(self, schema: Schema, value: Any, check: str = "schema") -> Verdict:
        """Return whether a value, as `parse_strict` gives it, is valid."""
        known = self.keep(schema)
        try:
            if self._is_valid(known, value):
                return Verdict.ok(check)
        except Unresolvable as error:
            return Verdict.failed(check, f"the schema refers to what is not there: {error.ref}")
        limit = _MAX_COPIED if known.asks else LIMIT
        if known.validator is None or not is_explainable(known.schema, value, limit):
            return Verdict.failed(
                check, "the value is not valid under the schema; finding out where would take too long"
            )
        fault = best_match(_explain(known.validator.iter_errors(value), known.schema))
        if fault is None:
            return Verdict.failed(check, "the value is not valid under the schema")
        reason = fault.message
        for spelled, pattern in known.patterns.items() if fault.validator == "pattern" else ():
            if reason.endswith(f' "{spelled}"'):
                reason = reason[: -len(spelled) - 1] + pattern + '"'
                break
        return Verdict.failed(
            check, _shorten(reason), path=pointer(list(fault.absolute_path)), keyword=str(fault.validator)
        )

    def _is_valid(self, known: _Known, value: Any) -> bool:
        if known.validator is not None and not known.asks and not (known.refers and multiplies(known.schema, value)):
            return known.validator.is_valid(value)
        if known.evaluation is None:
            known.evaluation = Evaluation(known.schema, self._resources, self._build)
        return known.evaluation.is_valid(value)


@contextmanager
def _refused() -> Iterator[None]:
    """Translate the library's errors about a schema."""
    try:
        yield
    except jsonschema_rs.ValidationError as error:
        where = pointer(error.instance_path)
        raise ConstraintError(error.message, kind="invalid_grammar", where=where) from error
    except (jsonschema_rs.ReferencingError, ValueError) as error:
        raise ConstraintError(str(error), kind="invalid_grammar") from error


def _explain(errors: Iterable[jsonschema_rs.ValidationError], schema: Schema) -> Iterable[ValidationError]:
    """Give the deciding library's errors the form that `best_match` weighs.

    Validating again with `jsonschema` would run the client's patterns on a backtracking engine.
    """
    for error in errors:
        yield _translate(error, schema, parent_path=0)


def _translate(error: jsonschema_rs.ValidationError, schema: Schema, parent_path: int) -> ValidationError:
    kind = error.kind
    branches: list[list[jsonschema_rs.ValidationError]] = kind.as_dict().get("context") or []
    children = []
    for index, branch in enumerate(branches):
        for child in branch:
            translated = _translate(child, schema, parent_path=len(error.instance_path))
            translated.relative_schema_path.appendleft(index)
            children.append(translated)
    return ValidationError(
        error.message,
        validator=kind.name,
        path=error.instance_path[parent_path:],
        context=children,
        instance=error.instance,
        schema=_subschema(schema, error.schema_path[:-1]),
        type_checker=Draft202012Validator.TYPE_CHECKER,
    )


def _subschema(schema: Any, path: list[str | int]) -> Any:
    for part in path:
        try:
            schema = schema[part]
        except (KeyError, IndexError, TypeError):
            return {}  # below another document's root
    return schema


def _shorten(message: str) -> str:
    return message if len(message) <= MAX_REASON_CHARACTERS else message[: MAX_REASON_CHARACTERS - 1] + "…"
