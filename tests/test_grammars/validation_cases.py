"""How the tests of validation ask: schemas and instances as JSON, numbers exactly as they are written."""

from __future__ import annotations

import json
from decimal import Decimal

from grammars.frontends.json.document.document import Document
from grammars.frontends.json.document.options import JsonOptions
from grammars.frontends.json.validation.validator import Validator
from grammars.limits import Limits

URIS = {
    4: "http://json-schema.org/draft-04/schema#",
    6: "http://json-schema.org/draft-06/schema#",
    7: "http://json-schema.org/draft-07/schema#",
    2019: "https://json-schema.org/draft/2019-09/schema",
    2020: "https://json-schema.org/draft/2020-12/schema",
}


def as_text(value) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def validator(schema, dialect=2020, formats="annotate", resources=None, limits=None):
    """A function from JSON text to a verdict; the schema is a dictionary or JSON text."""
    options = JsonOptions(dialect=URIS[dialect], formats=formats)
    texts = {uri: as_text(resource) for uri, resource in (resources or {}).items()}
    limits = limits or Limits()
    document = Document(as_text(schema), options, texts, limits)
    asked = Validator(document, options, limits)
    return lambda text: asked.is_valid(document.root, json.loads(text, parse_float=Decimal))


def verdicts(schema, texts, **options):
    """Which of the texts are valid."""
    is_valid = validator(schema, **options)
    return [text for text in texts if is_valid(text)]
