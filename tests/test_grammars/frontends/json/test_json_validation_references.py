"""Validation across references: identifiers, anchors, dynamic scope, other documents, vocabularies."""

from __future__ import annotations

import json

import pytest

from grammars.errors import InvalidGrammarError, UnsupportedError
from grammars.frontends.json.document.options import URIS as PUBLISHED
from grammars.frontends.json.document.options import published, resolved
from grammars.limits import Limits
from tests.test_grammars.validation_cases import URIS, validator, verdicts

INTEGER, STRING = {"type": "integer"}, {"type": "string"}


@pytest.mark.parametrize(
    ("reference", "target"),
    [  # RFC 3986, sections 5.4.1 and 5.4.2
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."), ("./../g", "http://a/b/g"), ("g/../h", "http://a/b/c/h"),
    ],
)  # fmt: skip
def test_references_are_resolved_as_the_standard_says(reference, target):
    assert resolved("http://a/b/c/d;p?q", reference) == (target, "")


@pytest.mark.parametrize(
    ("base", "reference", "target"),
    [
        ("", "item.json#/a", ("item.json", "/a")),
        ("dir/one.json", "two.json", ("dir/two.json", "")),
        ("urn:example:root", "urn:example:other#x", ("urn:example:other", "x")),
        ("urn:example:root", "#x", ("urn:example:root", "x")),
        ("app://host/a/b", "c", ("app://host/a/c", "")),
        ("app://host", "c", ("app://host/c", "")),
    ],
)
def test_any_scheme_is_a_base(base, reference, target):
    assert resolved(base, reference) == target


def defs(dialect, **schemas):
    return {"definitions" if dialect < 2019 else "$defs": schemas}


@pytest.mark.parametrize("dialect", [4, 6, 7, 2019, 2020])
def test_reference_to_a_pointer(dialect):
    names = {"a/b": INTEGER, "c~d": INTEGER, "e%f": INTEGER, "": INTEGER, "list": {"allOf": [STRING, INTEGER]}}
    where = "definitions" if dialect < 2019 else "$defs"
    for pointer in ("a~1b", "c~0d", "e%25f", "", "list/allOf/1"):
        schema = {**defs(dialect, **names), "allOf": [{"$ref": f"#/{where}/{pointer}"}]}
        assert verdicts(schema, ["1", '"a"'], dialect=dialect) == ["1"]


@pytest.mark.parametrize(("dialect", "good"), [(4, ["3"]), (6, ["3"]), (7, ["3"]), (2019, []), (2020, [])])
def test_siblings_of_a_reference_count_from_2019_on(dialect, good):
    assert (
        verdicts({"$ref": "#/definitions/a", "maximum": 1, "definitions": {"a": INTEGER}}, ["3"], dialect=dialect)
        == good
    )


@pytest.mark.parametrize("dialect", [4, 6, 7, 2019, 2020])
def test_embedded_resource_is_a_base(dialect):
    key = "id" if dialect == 4 else "$id"
    inner = {
        key: "nested/inner.json",
        "allOf": [{"$ref": "leaf.json"}],
        **defs(dialect, x={key: "leaf.json", **INTEGER}),
    }
    schema = {key: "http://x.test/root.json", "allOf": [{"$ref": "nested/inner.json"}], **defs(dialect, a=inner)}
    assert verdicts(schema, ["1", '"a"'], dialect=dialect) == ["1"]
    schema["allOf"] = [{"$ref": "http://x.test/nested/leaf.json"}]
    assert verdicts(schema, ["1", '"a"'], dialect=dialect) == ["1"]


@pytest.mark.parametrize(
    ("dialect", "anchor"),
    [(4, {"id": "#here"}), (6, {"$id": "#here"}), (7, {"$id": "#here"}), (2019, {"$anchor": "here"}),
     (2020, {"$anchor": "here"}), (2020, {"$dynamicAnchor": "here"})],
)  # fmt: skip
def test_reference_to_an_anchor(dialect, anchor):
    schema = {"allOf": [{"$ref": "#here"}], **defs(dialect, a={**anchor, **INTEGER})}
    assert verdicts(schema, ["1", '"a"'], dialect=dialect) == ["1"]


@pytest.mark.parametrize("dialect", [6, 7])
def test_identifier_beside_a_reference_is_ignored(dialect):
    schema = {
        "$id": "http://x.test/a/root.json",
        "definitions": {
            "b": {"$id": "http://x.test/b/b.json", **STRING},
            "a": {"$id": "http://x.test/a/b.json", **INTEGER},
        },
        "allOf": [{"$id": "http://x.test/b/", "$ref": "b.json"}],
    }
    assert verdicts(schema, ["1", '"a"'], dialect=dialect) == ["1"]


@pytest.mark.parametrize("holder", ["const", "enum", "default", "unknown", "properties"])
def test_identifiers_in_data_are_data(holder):
    fake = {"$id": "http://x.test/a", "$anchor": "here", **STRING}
    inside = {
        "const": fake,
        "enum": [fake],
        "default": fake,
        "unknown": {"deep": fake},
        "properties": {"$id": INTEGER},
    }[holder]
    real = {"$id": "http://x.test/a", "$anchor": "here", **INTEGER}
    schema = {"$defs": {"0": {holder: inside}, "1": real}, "$ref": "http://x.test/a#here"}
    assert verdicts(schema, ["1", '"a"']) == ["1"]


def test_reference_into_an_unknown_keyword():
    assert verdicts({"$ref": "#/unknown/0/deep", "unknown": [{"deep": INTEGER}]}, ["1", '"a"']) == ["1"]


def test_given_documents_are_found_by_both_their_names():
    resources = {"http://x.test/given.json": {"$id": "http://y.test/own.json", "$anchor": "top", **INTEGER}}
    for reference in (
        "http://x.test/given.json",
        "http://y.test/own.json",
        "http://y.test/own.json#top",
        "given.json#top",
    ):
        schema = {"$id": "http://x.test/root", "$ref": reference}
        assert verdicts(schema, ["1", '"a"'], resources=resources) == ["1"]


def test_given_document_has_its_own_dialect():
    old = {"$schema": URIS[7], "$ref": "#/definitions/a", "maximum": 1, "definitions": {"a": INTEGER}}
    resources = {
        "urn:old": old,
        "urn:new": {"$schema": URIS[2020], "$ref": "#/$defs/a", "maximum": 1, "$defs": {"a": INTEGER}},
    }
    assert verdicts({"$ref": "urn:old"}, ["3"], resources=resources, dialect=2020) == ["3"]
    assert verdicts({"$ref": "urn:new"}, ["3"], resources=resources, dialect=7) == []


def test_document_that_was_not_given_is_named():
    with pytest.raises(UnsupportedError, match=r"http://x\.test/other"):
        validator({"$ref": "http://x.test/other"})("1")


def test_malformed_document_is_named():
    with pytest.raises(InvalidGrammarError) as caught:
        validator({"$ref": "urn:bad"}, resources={"urn:bad": "{"})("1")
    assert caught.value.where == "urn:bad"


def test_errors_in_a_given_document_name_it():
    with pytest.raises(InvalidGrammarError) as caught:
        validator({"$ref": "urn:a"}, resources={"urn:a": {"properties": {"b": {"type": "any"}}}})("1")
    assert caught.value.where == "urn:a#/properties/b/type"


TREE = {
    "$id": "http://x.test/tree",
    "$dynamicAnchor": "node",
    "properties": {"data": True, "children": {"items": {"$dynamicRef": "#node"}}},
}
STRICT = {"$id": "http://x.test/strict", "$dynamicAnchor": "node", "$ref": "tree", "unevaluatedProperties": False}


def test_dynamic_reference_leads_to_the_outermost_anchor():
    texts = ['{"children": [{"data": 1}]}', '{"children": [{"daat": 1}]}']
    resources = {"http://x.test/tree": TREE}
    assert verdicts(STRICT, texts, resources=resources) == texts[:1]
    assert verdicts({"$ref": "http://x.test/tree"}, texts, resources=resources) == texts


def test_dynamic_reference_needs_an_anchor_where_it_starts():
    tree = {**TREE, "$anchor": "node"}
    del tree["$dynamicAnchor"]
    text = '{"children": [{"daat": 1}]}'
    assert verdicts(STRICT, [text], resources={"http://x.test/tree": tree}) == [text]


def test_anchors_out_of_scope_do_not_count():
    schema = {
        "if": {"$id": "urn:first", "$defs": {"t": {"$dynamicAnchor": "t", "type": "number"}}},
        "then": {"$id": "urn:second", "$ref": "urn:start", "$defs": {"t": {"$dynamicAnchor": "t", "type": "null"}}},
        "$defs": {
            "start": {"$id": "urn:start", "$dynamicRef": "urn:inner#t"},
            "t": {"$id": "urn:inner", "$dynamicAnchor": "t", "type": "string"},
        },
    }
    assert verdicts(schema, ['"a"', "1", "null"]) == ["null"]


def test_answers_are_kept_apart_by_scope():
    """The same value meets the same schema in two scopes."""
    generic = {"$id": "urn:list", "items": {"$dynamicRef": "#of"}, "$defs": {"of": {"$dynamicAnchor": "of"}}}
    numbers = {"$id": "urn:numbers", "$ref": "urn:list", "$defs": {"of": {"$dynamicAnchor": "of", "type": "number"}}}
    strings = {"$id": "urn:strings", "$ref": "urn:list", "$defs": {"of": {"$dynamicAnchor": "of", "type": "string"}}}
    schema = {"anyOf": [numbers, strings], "$defs": {"list": generic}}
    assert verdicts(schema, ["[1]", '["a"]', '[1, "a"]']) == ["[1]", '["a"]']


@pytest.mark.parametrize(
    ("inner", "outer", "is_strict"), [(True, True, True), (True, False, False), (False, True, False)]
)
def test_recursive_reference_goes_out_if_both_allow_it(inner, outer, is_strict):
    tree = {"$id": "urn:tree", "$recursiveAnchor": inner, "properties": {"a": {"$recursiveRef": "#"}}}
    strict = {"$id": "urn:strict", "$recursiveAnchor": outer, "$ref": "urn:tree", "unevaluatedProperties": False}
    found = verdicts(strict, ['{"a": {"b": 1}}', '{"b": 1}'], resources={"urn:tree": tree}, dialect=2019)
    assert found == ([] if is_strict else ['{"a": {"b": 1}}'])


@pytest.mark.parametrize("dialect", [4, 6, 7, 2019, 2020])
def test_meta_schemas_are_always_there(dialect):
    is_valid = validator({"$ref": URIS[dialect]}, dialect=dialect)
    good = {"properties": {"a": {"minLength": 1, "items": {"enum": [1]}}}, "additionalProperties": False}
    assert is_valid(json.dumps(good))
    assert not is_valid('{"properties": {"a": {"not": {"minLength": -1}}}}')
    assert not is_valid('{"type": "any"}')
    assert not is_valid('{"allOf": [{"required": [1]}]}')


@pytest.mark.parametrize("uri", PUBLISHED)
def test_published_documents_are_named_as_they_name_themselves(uri):
    text = published(uri)
    assert text is not None
    document = json.loads(text)
    assert document.get("$id", document.get("id")).rstrip("#") == uri
    vocabularies = document.get("$vocabulary", {})
    assert all(name.replace("/vocab/", "/meta/") in PUBLISHED for name in vocabularies)


def custom(names, dialect=2020):
    draft = {2019: "2019-09", 2020: "2020-12"}[dialect]
    vocabulary = {f"https://json-schema.org/draft/{draft}/vocab/{name}": required for name, required in names.items()}
    return {"urn:meta": {"$schema": URIS[dialect], "$id": "urn:meta", "$vocabulary": vocabulary}}


@pytest.mark.parametrize("dialect", [2019, 2020])
def test_vocabulary_that_is_not_listed_is_off(dialect):
    schema = {"$schema": "urn:meta", "properties": {"a": False, "b": {"minimum": 5}}}
    texts = ['{"a": 1}', '{"b": 1}']
    only = custom({"core": True, "applicator": True}, dialect)
    both = custom({"core": True, "applicator": True, "validation": False}, dialect)
    assert verdicts(schema, texts, resources=only) == ['{"b": 1}']
    assert verdicts(schema, texts, resources=both) == []
    assert verdicts(schema, texts, resources=custom({"core": True, "validation": True}, dialect)) == texts


def test_meta_schema_without_vocabulary_gives_its_dialect():
    resources = {"urn:meta": {"$schema": URIS[7], "$id": "urn:meta"}}
    schema = {"$schema": "urn:meta", "$ref": "#/definitions/a", "maximum": 1, "definitions": {"a": INTEGER}}
    assert verdicts(schema, ["3"], resources=resources) == ["3"]


def test_unknown_vocabulary_that_is_required_is_refused():
    meta = {"$schema": URIS[2020], "$vocabulary": {"urn:mine": True}}
    with pytest.raises(UnsupportedError, match="urn:mine"):
        validator({"$schema": "urn:meta"}, resources={"urn:meta": meta})
    meta = {"$schema": URIS[2020], "$vocabulary": {"urn:mine": False}}
    assert validator({"$schema": "urn:meta"}, resources={"urn:meta": meta})("1")


@pytest.mark.parametrize(
    ("dialect", "names", "asserted"),
    [
        (2020, {"core": True, "format-assertion": True}, True),
        (2020, {"core": True, "format-assertion": False}, True),
        (2020, {"core": True, "format-annotation": True}, False),
        (2019, {"core": True, "format": True}, True),
        (2019, {"core": True, "format": False}, False),
    ],
)
def test_meta_schema_can_demand_formats(dialect, names, asserted):
    schema = {"$schema": "urn:meta", "format": "ipv4"}
    assert validator(schema, resources=custom(names, dialect))('"x"') is not asserted


def test_draft_3_is_refused():
    with pytest.raises(UnsupportedError, match="draft 3"):
        validator({"$schema": "http://json-schema.org/draft-03/schema#"})


def test_of_the_resources_that_were_entered_only_anchors_count():
    """By every order in which they may be entered there would be 9! answers."""
    number = 9
    definitions = {
        f"r{i}": {
            "$id": f"r{i}",
            "$dynamicAnchor": "leaf",
            "type": ["array", "integer"],
            "allOf": [
                *({"items": {"$ref": f"r{j}"}} for j in range(number) if j != i),
                {"items": {"$dynamicRef": "#leaf"}},
            ],
        }
        for i in range(number)
    }
    schema = {"$id": "http://x/root", "$ref": "r0", "$defs": definitions}
    is_valid = validator(schema, limits=Limits(max_validation_steps=10_000))
    assert is_valid("[" * number + "1" + "]" * number)
    assert not is_valid("[" * number + "null" + "]" * number)
