"""True if a JSON value is valid against a subschema: subschema -> checks -> verdict."""
