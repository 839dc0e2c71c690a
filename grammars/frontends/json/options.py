"""How a schema is read and how its texts are spelled."""

from __future__ import annotations

from dataclasses import dataclass

from grammars.errors import InvalidGrammarError, UnsupportedError

DIALECTS = {
    "http://json-schema.org/draft-04/schema": 4,
    "http://json-schema.org/draft-06/schema": 6,
    "http://json-schema.org/draft-07/schema": 7,
    "https://json-schema.org/draft/2019-09/schema": 2019,
    "https://json-schema.org/draft/2020-12/schema": 2020,
    "http://json-schema.org/schema": 2020,
}
_CHOICES = {
    "property_order": ("schema", "any"),
    "whitespace": ("bounded", "compact", "any"),
    "formats": ("assert", "annotate"),
    "spelling": ("canonical", "any"),
    "strict_subset": ("off", "convert", "refuse"),
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
        strict_subset: what becomes of a schema that breaks the rules of OpenAI's ``strict: true``. "off": it is read as
            it is written; "convert": objects that leave `additionalProperties` out are closed and all properties
            required, see `strict_subset`; "refuse": it is refused with the place, see `strict_rules`. In each case
            every keyword is enforced.
    """

    property_order: str = "any"
    whitespace: str = "bounded"
    formats: str = "assert"
    additional_properties_default: bool = True
    spelling: str = "canonical"
    dialect: str = "https://json-schema.org/draft/2020-12/schema"
    strict_subset: str = "off"

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise InvalidGrammarError(f"{name} is one of {', '.join(choices)}")
        if dialect_number(self.dialect) is None:
            raise UnsupportedError(f"the dialect {self.dialect!r}")

    @staticmethod
    def validation(
        dialect: str = "https://json-schema.org/draft/2020-12/schema", strict_subset: str = "off"
    ) -> JsonOptions:
        """Every JSON text that is valid, however it is spelled; `format` says as much as the dialect lets it say."""
        return JsonOptions(
            property_order="any",
            whitespace="any",
            formats="annotate",
            spelling="any",
            dialect=dialect,
            strict_subset=strict_subset,
        )


def dialect_number(uri: str) -> int | None:
    """4, 6, 7, 2019 or 2020; None for an unknown dialect."""
    return DIALECTS.get(uri.rstrip("#"))
