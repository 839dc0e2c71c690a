"""Arguments of a call in other spellings than JSON: members between markers, keyword arguments, raw strings."""

from grammars.frontends.arguments.spec import Arguments, RawString, argument_types
from grammars.frontends.arguments.spelling import ANY_TYPES, JSON_TYPES, ArgumentSpelling, ValueTag
from grammars.frontends.arguments.types import ArgumentTypes

__all__ = [
    "ANY_TYPES",
    "JSON_TYPES",
    "ArgumentSpelling",
    "ArgumentTypes",
    "Arguments",
    "RawString",
    "ValueTag",
    "argument_types",
]
