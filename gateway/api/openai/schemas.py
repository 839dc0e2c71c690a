"""JSON schemas in request fields."""

from __future__ import annotations

from gateway.api.http.decode import read_json
from gateway.api.openai.requests import Schema, StructuredOutputs
from gateway.core.constraints import JsonConstraint
from gateway.errors import InvalidRequestError

ANY_OBJECT: Schema = {"type": "object"}


def schema_constraint(
    value: Schema, origin: str, structured: StructuredOutputs | None = None, *, strict: bool = False
) -> JsonConstraint:
    """Return the schema in a field: an object, a boolean, or the JSON text of one.

    Raises:
        InvalidRequestError: The value is neither an object nor a boolean.
    """
    schema = read_json(value, origin) if isinstance(value, str) else value
    if not isinstance(schema, dict | bool):
        raise InvalidRequestError(f"{origin} must be a JSON schema: an object or a boolean", param=origin)
    return JsonConstraint(
        schema=schema,
        origin=origin,
        compact=bool(structured and structured.disable_any_whitespace),
        closed=bool(structured and structured.disable_additional_properties),
        strict=strict,
    )
