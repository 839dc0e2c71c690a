"""Whether a JSON value is valid against a subschema: site -> checks -> verdict."""
