import pytest

from gateway.service.request.schema_in_words import MAX_VALUES, fields_in_words


def object_of(**properties):
    return {"type": "object", "properties": properties}


NODE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "value": {"type": "number"}}}


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (object_of(city={"type": "string"}, days={"type": "integer"}), "city (string), days (integer)"),
        (object_of(unit={"type": "string", "enum": ["C", "F"]}), "unit (string)"),
        (object_of(unit={"enum": ["C", "F"]}), "unit (string)"),
        (object_of(unit={"enum": ["C", 1]}), "unit (anything)"),
        (object_of(a={"type": "string", "description": "the A"}), "a (string, the A)"),
        (object_of(a={"type": "array", "items": {"type": "string"}}), "a (array of string)"),
        (object_of(a={"type": "array"}), "a (array of anything)"),
        (object_of(a={"anyOf": [{"type": "string"}, {"type": "null"}]}), "a (string or null)"),
        (object_of(a={"type": ["integer", "null"]}), "a (integer or null)"),
        (object_of(a=object_of(b={"type": "boolean"})), "a (object of b (boolean))"),
        (object_of(a={"type": "object"}), "a (object)"),
        (
            object_of(a={"$ref": "https://example.org/a"}, b=True, c={"pattern": "x"}),
            "a (anything), b (anything), c (anything)",
        ),
        ({"$defs": {"node": NODE}, **object_of(n={"$ref": "#/$defs/node"})}, None),
        (object_of(), ""),
        ({"type": "string"}, ""),
        (True, ""),
        (object_of(a={"anyOf": [{}] * (MAX_VALUES + 1)}), ""),
        (object_of(**{f"p{number}": {} for number in range(MAX_VALUES + 1)}), ""),
    ],
)
def test_fields_in_words_says_what_members_are(schema, words):
    told = fields_in_words(schema)
    if words is None:
        assert told.startswith("n (object of next (object of next")
        assert told.count("next") == 4
    else:
        assert told == words


def test_fields_in_words_ends_however_references_multiply():
    members = object_of(**{f"p{number}": {"$ref": "#/$defs/wide"} for number in range(90)})
    assert fields_in_words({**members, "$defs": {"wide": members}}) == ""
