"""JSON Schema: document -> alternatives of constraints by type -> network."""

from grammars.frontends.json.document.options import JsonOptions
from grammars.frontends.json.spec import JsonSchema

__all__ = ["JsonOptions", "JsonSchema"]
