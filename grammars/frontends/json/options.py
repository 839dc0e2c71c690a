"""How a schema is read and how its texts are spelled."""

from __future__ import annotations

from dataclasses import dataclass

from grammars.errors import InvalidGrammarError, UnsupportedError
from grammars.frontends.json.dialects import dialect_number

_CHOICES = {
    "property_order": ("schema", "any"),
    "whitespace": ("bounded", "compact", "any"),
    "formats": ("assert", "annotate"),
    "spelling": ("canonical", "any"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonOptions:
    """Options of a `JsonSchema`; the defaults are for generation.

    Attributes:
        property_order: "any": any order, in which a name still comes once and a required one does not fail to;
            "schema": declared properties in the schema's order, additional ones last. JSON knows no order: a valid
            text in another one is only accepted by "any". An answer whose members build on each other, such as
            reasons before a verdict, wants "schema".
        whitespace: "bounded": after ``{ [ ,`` and before ``} ]`` nothing, one space, or a newline and an indent of
            up to 20 spaces or 8 tabs, after a colon nothing or one space; "compact": none; "any": any, everywhere.
        formats: whether `format` is asserted.
        additional_properties_default: what an object schema without `additionalProperties` allows.
        spelling: "canonical": characters are escaped where they have to be, numbers have no superfluous digits; "any":
            every spelling that JSON has, in any order of members and with any whitespace. Then a text is held against
            the schema where its value ends, and the masks before it only see to its being JSON.
        dialect: URI of the dialect of schemas that do not name one.
    """

    property_order: str = "any"
    whitespace: str = "bounded"
    formats: str = "assert"
    additional_properties_default: bool = True
    spelling: str = "canonical"
    dialect: str = "https://json-schema.org/draft/2020-12/schema"

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise InvalidGrammarError(f"{name} is one of {', '.join(choices)}")
        if dialect_number(self.dialect) is None:
            raise UnsupportedError(f"the dialect {self.dialect!r}")

    @staticmethod
    def validation(dialect: str = "https://json-schema.org/draft/2020-12/schema") -> JsonOptions:
        """Every JSON text that is valid, however it is spelled; `format` says as much as the dialect lets it say."""
        return JsonOptions(whitespace="any", formats="annotate", spelling="any", dialect=dialect)
