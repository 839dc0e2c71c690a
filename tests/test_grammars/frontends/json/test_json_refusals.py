"""JSON Schema: what is refused and where, limits, options, the report."""

from __future__ import annotations

import pytest

from grammars.errors import InvalidGrammarError, TooComplexError, UnsatisfiableError, UnsupportedError
from grammars.frontends.json import JsonOptions, JsonSchema
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from tests.test_grammars.simulator import Simulator

REFUSED = {
    "not a schema": (3, InvalidGrammarError, ""),
    "not JSON": ("{", InvalidGrammarError, ""),
    "type": ({"properties": {"a": {"type": "text"}}}, InvalidGrammarError, "/properties/a/type"),
    "required": ({"required": "a"}, InvalidGrammarError, "/required"),
    "dangling ref": ({"items": {"$ref": "#/$defs/x"}}, InvalidGrammarError, "/items/$ref"),
    "circular ref": ({"$ref": "#"}, InvalidGrammarError, ""),
    "circular anyOf": ({"anyOf": [{"$ref": "#"}, {"type": "null"}]}, InvalidGrammarError, ""),
    "remote ref": ({"$ref": "http://nowhere/x"}, UnsupportedError, "/$ref"),
    "pattern": ({"properties": {"a/b": {"pattern": "("}}}, InvalidGrammarError, "/properties/a~1b/pattern"),
    "backreference": ({"pattern": r"(x)\1"}, UnsupportedError, "/pattern"),
    "false": (False, UnsatisfiableError, ""),
    "contradiction": ({"type": "integer", "minimum": 3, "maximum": 2}, UnsatisfiableError, ""),
    "endless": ({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}, UnsatisfiableError, ""),
    "draft 3": ({"$schema": "http://json-schema.org/draft-03/schema#"}, UnsupportedError, "/$schema"),
    "far exponent": ({"minimum": 1, "maximum": "1"}, InvalidGrammarError, "/maximum"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_json_schema_refuses_by_name(name):
    schema, error, where = REFUSED[name]
    with pytest.raises(error) as caught:
        Simulator.of(JsonSchema(schema))
    assert caught.value.where == where


def test_json_schema_survives_deep_nesting():
    deep = {"type": "null"}
    for _ in range(150):
        deep = {"type": "object", "properties": {"a": deep}, "required": ["a"]}
    text = '{"a":' * 150 + "null" + "}" * 150
    assert Simulator.of(JsonSchema(deep)).accepts(text)


@pytest.mark.parametrize("keyword", ["anyOf", "allOf", "oneOf", "not"])
def test_json_schema_bounds_nested_choices(keyword):
    deep = {"type": "null"}
    for _ in range(400):
        deep = {keyword: deep if keyword == "not" else [deep]}
    try:
        network = Simulator.of(JsonSchema(deep))
    except (TooComplexError, UnsupportedError):
        return
    assert network.accepts("null")


def test_json_schema_far_exponents_cost_nothing():
    with pytest.raises(InvalidGrammarError):
        Simulator.of(JsonSchema('{"maximum": 1e999999999}'))


def test_json_schema_limits():
    with pytest.raises(TooComplexError) as caught:
        Simulator.of(JsonSchema({"const": "x" * 100}), Limits(max_schema_bytes=50))
    assert caught.value.limit == "max_schema_bytes"


def test_json_schema_is_a_value():
    schema = {"type": "object", "properties": {"a": {}}}
    first = JsonSchema(schema)
    schema["type"] = "null"
    assert first == JsonSchema({"type": "object", "properties": {"a": {}}})
    assert hash(first) == hash(JsonSchema('{"type":"object","properties":{"a":{}}}'))
    assert first != JsonSchema(schema)


def test_json_schema_resources_are_used_and_never_fetched():
    schema = {"items": {"$ref": "http://h/other.json#/$defs/x"}}
    network = Simulator.of(JsonSchema(schema, resources={"http://h/other.json": {"$defs": {"x": {"type": "null"}}}}))
    assert network.accepts("[null]")
    assert not network.accepts("[1]")


def test_json_schema_reports_every_enforced_keyword():
    builder = NetworkBuilder()
    schema = {"type": "object", "title": "t", "properties": {"a": {"maxLength": 3}}, "required": ["a"]}
    network = builder.finish(JsonSchema(schema).emit(builder))
    entries = {(entry.pointer, entry.keyword) for entry in network.report}
    assert entries == {("", "type"), ("", "properties"), ("", "required"), ("/properties/a", "maxLength")}


def test_json_schema_is_linear_in_its_properties():
    def states(count):
        builder = NetworkBuilder()
        schema = {"type": "object", "properties": {f"property{i:04}": {"type": "string"} for i in range(count)}}
        JsonSchema(schema).emit(builder)
        return builder.num_states

    assert states(400) - states(200) < 1.1 * (states(200) - states(0))


def test_formats_are_annotations_when_asked():
    options = JsonOptions(formats="annotate")
    assert Simulator.of(JsonSchema({"format": "date"}, options)).accepts('"x"')


def test_additional_properties_default_closes_objects():
    options = JsonOptions(additional_properties_default=False)
    network = Simulator.of(JsonSchema({"type": "object", "properties": {"a": {}}}, options))
    assert network.accepts('{"a":1}')
    assert not network.accepts('{"b":1}')


@pytest.mark.parametrize("name", ["a", "b", "c"], ids=["to itself", "round", "into a circle"])
def test_json_schema_refuses_references_that_lead_back(name):
    schema = {"$defs": {"a": {"$ref": "#/$defs/a"}, "b": {"$ref": "#/$defs/d"}, "d": {"$ref": "#/$defs/b"}}}
    schema["$defs"]["c"] = {"$ref": "#/$defs/b", "description": "outside"}
    schema["properties"] = {"x": {"$ref": f"#/$defs/{name}"}}
    with pytest.raises(InvalidGrammarError, match="leads back"):
        JsonSchema(schema).emit(NetworkBuilder())


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_json_schema_refuses_wrappers_that_lead_back(keyword):
    wrapped = {keyword: [{"$ref": "#/properties/x"}], "title": "round"}
    with pytest.raises(InvalidGrammarError, match="leads back"):
        JsonSchema({"properties": {"x": wrapped}}).emit(NetworkBuilder())


@pytest.mark.parametrize(
    "wrapper",
    [
        {"allOf": [{"$ref": "#/$defs/a"}], "title": "one"},
        {"allOf": [{"description": "first"}, {"$ref": "#/$defs/a"}, True, {}]},
        {"anyOf": [{"$ref": "#/$defs/a"}]},
        {"oneOf": [{"allOf": [{"$ref": "#/$defs/a"}]}], "default": {}},
    ],
    ids=["allOf", "annotations", "anyOf", "nested"],
)
def test_json_schema_makes_what_wrappers_lead_to_once(wrapper):
    inner = {"properties": {"b": {"enum": ["x", "y"]}}, "required": ["b"], "minProperties": 1}
    schema = {"$defs": {"a": {"type": "object", **inner}}, "properties": {"p": {"$ref": "#/$defs/a"}}}
    plain, builder = NetworkBuilder(), NetworkBuilder()
    JsonSchema(schema | {"properties": {"p": {"$ref": "#/$defs/a"}, "q": {"$ref": "#/$defs/a"}}}).emit(plain)
    network = builder.finish(
        JsonSchema(schema | {"properties": {"p": {"$ref": "#/$defs/a"}, "q": wrapper}}).emit(builder)
    )
    # One more where the wrapper is no plain schema: the state that leads to what is there.
    assert builder.num_states - plain.num_states in (0, 1)
    simulator = Simulator(network)
    assert simulator.accepts('{"q":{"b":"x"}}')
    assert not simulator.accepts('{"q":{"b":"z"}}')
    assert not simulator.accepts('{"q":{}}')
    keywords = {entry.keyword for entry in network.report if entry.pointer.startswith("/properties/q")}
    assert keywords == {"$ref", *(key for key in ("allOf", "anyOf", "oneOf") if key in str(wrapper))}


def test_json_schema_makes_what_references_share_once():
    sizes = []
    for number in (2, 12):
        properties = {f"p{index:02}": {"$ref": "#/$defs/a"} for index in range(number)}
        shared = {"type": "object", "properties": {"long name of a member": {"enum": ["a long value"]}}}
        builder = NetworkBuilder()
        JsonSchema({"properties": properties, "additionalProperties": False, "$defs": {"a": shared}}).emit(builder)
        sizes.append(builder.num_states)
    # Ten more members, each a few bytes of name and a colon.
    assert sizes[1] - sizes[0] <= 10 * 8


def test_json_schema_bounds_enumerated_values():
    with pytest.raises(TooComplexError) as caught:
        Simulator.of(JsonSchema({"enum": list(range(20))}), Limits(max_enum_values=10))
    assert caught.value.limit == "max_enum_values"


def test_a_place_that_was_said_stays():
    error = UnsatisfiableError("nothing fits", "/a")
    error.place("")
    assert error.where == "/a"
    assert str(error) == "nothing fits (at /a)"
    other = UnsatisfiableError("nothing fits")
    assert str(other) == "nothing fits"
    other.place("/b")
    assert str(other) == "nothing fits (at /b)"
