"""Validation against the client's own schema: decided by `jsonschema-rs`, explained by `jsonschema`'s best match."""

import json
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from gateway.errors import ConstraintError
from gateway.verify.effort import is_explainable
from gateway.verify.verdict import Verdict, pointer

Schema = dict[str, Any] | bool

MAX_BACKTRACKS = 100_000
"""Steps of a pattern with look-around or backreferences, before it counts as not matching. Others are linear."""

MAX_REASON_CHARACTERS = 500


class SchemaCache:
    """Compiled validators of the schemas seen last, shared by all threads.

    Formats are asserted, unknown ones ignored. References are resolved within the schema and `resources`; nothing is
    ever fetched.

    Args:
        max_validators: How many are kept.
        resources: Other documents that schemas may refer to, by URI.
    """

    def __init__(self, max_validators: int = 256, resources: Mapping[str, Schema] | None = None) -> None:
        self._max_validators = max_validators
        self._validators: OrderedDict[str, jsonschema_rs.Validator] = OrderedDict()
        self._lock = threading.Lock()
        self._registry = jsonschema_rs.Registry(list(resources.items())) if resources else None

    def validator(self, schema: Schema) -> jsonschema_rs.Validator:
        """Return the validator of a schema.

        Raises:
            ConstraintError: the schema is not one, or refers to a document that is not there.
        """
        try:
            key = json.dumps(schema, separators=(",", ":"))
        except RecursionError as error:
            raise ConstraintError("the schema is nested too deeply", kind="too_complex") from error
        with self._lock:
            found = self._validators.get(key)
            if found is not None:
                self._validators.move_to_end(key)
                return found
        built = self._build(schema)
        with self._lock:
            self._validators[key] = built
            while len(self._validators) > self._max_validators:
                self._validators.popitem(last=False)
        return built

    def _build(self, schema: Schema) -> jsonschema_rs.Validator:
        try:
            return jsonschema_rs.validator_for(
                schema,
                validate_formats=True,
                offline=True,
                registry=self._registry,
                pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=MAX_BACKTRACKS),
            )
        except jsonschema_rs.ValidationError as error:
            where = pointer(error.instance_path)
            raise ConstraintError(error.message, kind="invalid_grammar", where=where) from error
        except (jsonschema_rs.ReferencingError, ValueError) as error:
            raise ConstraintError(str(error), kind="invalid_grammar") from error

    def check(self, schema: Schema, value: Any, check: str = "schema") -> Verdict:
        """Return whether a value, as `parse_strict` gives it, is valid."""
        validator = self.validator(schema)
        if validator.is_valid(value):
            return Verdict.ok(check)
        if not is_explainable(schema, value):
            return Verdict.failed(
                check, "the value is not valid under the schema; finding out where would take too long"
            )
        fault = best_match(_explain(validator.iter_errors(value), schema))
        if fault is None:
            return Verdict.failed(check, "the value is not valid under the schema")
        return Verdict.failed(
            check, _shorten(fault.message), path=pointer(list(fault.absolute_path)), keyword=str(fault.validator)
        )


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
