"""Whether a JSON value is valid against a subschema: site -> closures -> verdict."""

from grammars.frontends.json.validation.formats import format_holds
from grammars.frontends.json.validation.validator import Validator

__all__ = ["Validator", "format_holds"]
