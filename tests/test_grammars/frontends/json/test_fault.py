"""An unsatisfiable schema is refused with the smallest place without which a value would be valid."""

from __future__ import annotations

import pytest

from grammars import Compiler, Concat, InvalidGrammarError, JsonSchema, Regex, UnsatisfiableError, Vocabulary
from grammars.frontends.arguments.emitter import Arguments
from grammars.frontends.json.document.options import unescape
from tests.test_grammars.argument_spellings import TAGS

_BAD = {"type": "string", "minLength": 5, "maxLength": 3}


def _object(members, **more):
    return {"type": "object", "properties": members, "required": list(members), **more}


def _optional(**members):
    return {"type": "object", "properties": members}


@pytest.fixture(scope="module")
def compiler():
    return Compiler(Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256]))


UNSATISFIABLE = {
    "lengths": (
        _object({"a": _object({"b": _object({"c": _BAD})})}),
        "/properties/a/properties/b/properties/c/minLength",
    ),
    "closed": (
        _object({"u": _object({"nme": {}}, additionalProperties=False) | {"required": ["nme", "name"]}}),
        "/properties/u/required/1",
    ),
    "enum": (_object({"a": {"type": "string"}, "x": {"enum": []}}), "/properties/x/enum"),
    "const": (_object({"x": {"type": "string", "const": 3}}), "/properties/x/const"),
    "false": (_object({"a": {}, "x": False}), "/properties/x"),
    "range": ({"type": "integer", "minimum": 3, "maximum": 2}, "/minimum"),
    "endless": (_object({"a": {"$ref": "#"}}), "/properties/a/$ref"),
    "allOf": (_object({"x": {"allOf": [{"type": "string"}, {"type": "number"}]}}), "/properties/x/allOf/0/type"),
    "reference": ({"$defs": {"n": _BAD}, **_object({"x": {"$ref": "#/$defs/n"}})}, "/$defs/n/minLength"),
    "anyOf": (
        _object({"x": {"anyOf": [_BAD, {"type": "array", "minItems": 1, "items": False}]}}),
        "/properties/x/anyOf/0/minLength",
    ),
    "oneOf": (_object({"x": {"oneOf": [{"type": "string"}, {"type": "string"}]}}), "/properties/x/oneOf/0/type"),
    "not": (_object({"x": {"type": "string", "not": {"type": "string"}}}), "/properties/x/not"),
    "items": (_object({"x": {"type": "array", "minItems": 1, "items": _BAD}}), "/properties/x/items/minLength"),
    "pattern": (_object({"x": {"type": "string", "pattern": "^ab$", "maxLength": 1}}), "/properties/x/pattern"),
    "several": (_object({"a": {"type": "null"}, "x": _BAD, "y": _BAD}), "/properties"),
    "wide": (_object({f"p{n}": {"type": "string"} for n in range(100)} | {"x": _BAD}), "/properties/x/minLength"),
    "escaped": (_object({"a/b~c": _BAD}), "/properties/a~1b~0c/minLength"),
    "nothing": (False, ""),
}


def _left_out(value, path):
    """The schema without what stands at the path; a subschema is taken for true."""
    if not path:
        return True
    copied = value.copy()
    key = path[0] if isinstance(value, dict) else int(path[0])
    if len(path) == 1 and (key == "not" or not isinstance(copied[key], (dict, bool))):
        del copied[key]
    else:
        copied[key] = _left_out(copied[key], path[1:])
    return copied


@pytest.mark.parametrize("name", UNSATISFIABLE)
def test_unsatisfiable_schema_is_refused_with_its_place(compiler, name):
    schema, where = UNSATISFIABLE[name]
    with pytest.raises(UnsatisfiableError) as caught:
        compiler.compile(JsonSchema(schema))
    assert caught.value.where == where
    assert str(caught.value).endswith(f"(at {where or '/'})")


@pytest.mark.parametrize("name", [name for name in UNSATISFIABLE if name not in ("several", "nothing")])
def test_without_the_place_a_value_is_valid(compiler, name):
    schema, where = UNSATISFIABLE[name]
    path = [unescape(token) for token in where.split("/")[1:]]
    compiler.compile(JsonSchema(_left_out(schema, path)))


@pytest.mark.parametrize("holder", ["concat", "arguments"])
def test_place_is_found_in_what_holds_the_schema(compiler, holder):
    schema = JsonSchema(_object({"x": _BAD}))
    spec = Concat(["a", schema]) if holder == "concat" else Arguments(schema, TAGS, "tool f")
    with pytest.raises(UnsatisfiableError) as caught:
        compiler.compile(spec)
    assert caught.value.where == ("" if holder == "concat" else "tool f: ") + "/properties/x/minLength"


def test_schemas_that_can_be_met_are_not_blamed(compiler):
    with pytest.raises(UnsatisfiableError) as caught:
        compiler.compile(Concat([JsonSchema({"type": "integer"}), JsonSchema(_object({"x": _BAD}))]))
    assert caught.value.where == "/properties/x/minLength"
    with pytest.raises(UnsatisfiableError) as caught:
        compiler.compile(Concat([JsonSchema({"type": "integer"}), Regex(r"[^\s\S]")]))
    assert caught.value.where is None


def test_search_without_time_says_what_is_known(compiler, monkeypatch):
    monkeypatch.setattr("grammars.frontends.fault._MAX_SECONDS", -1)
    with pytest.raises(UnsatisfiableError) as caught:
        compiler.compile(JsonSchema(_object({"x": _BAD})))
    assert caught.value.where == ""


def test_search_ends_after_so_many_trials(compiler, monkeypatch):
    monkeypatch.setattr("grammars.frontends.fault._MAX_TRIALS", 2)
    with pytest.raises(UnsatisfiableError) as caught:
        compiler.compile(JsonSchema(_object({"a": _object({"b": _object({"c": _BAD})})})))
    assert caught.value.where == "/properties/a/properties/b"


def test_malformed_schema_keeps_its_own_place(compiler):
    with pytest.raises(InvalidGrammarError) as caught:
        compiler.compile(JsonSchema(_object({"x": {"minLength": "a"}})))
    assert caught.value.where == "/properties/x/minLength"


NEVER = {
    "plain": (_optional(a=_BAD, b={"type": "string"}), ["/properties/a"]),
    "within": (_optional(a=_object({"x": _BAD})), ["/properties/a", "/properties/a/properties/x"]),
    "in items": ({"type": "array", "items": _optional(a=_BAD)}, ["/items/properties/a"]),
    "conjunction": (
        {"allOf": [_optional(a={"type": "string"}), _optional(a={"type": "number"})]},
        ["/allOf/0/properties/a", "/allOf/1/properties/a"],
    ),
    "referred": ({"$defs": {"n": _BAD}, **_optional(a={"$ref": "#/$defs/n"})}, ["/properties/a"]),
    "endless": (
        _optional(a=_object({"b": {"$ref": "#/properties/a"}})),
        ["/properties/a", "/properties/a/properties/b"],
    ),
    "forbidden outright": (_optional(a=False), []),
    "an array that stays empty": (_optional(a={"type": "array", "items": _BAD}), []),
    "in one branch alone": (
        {
            **_optional(k={"enum": ["a", "b"]}, v={"type": "string"}),
            "oneOf": [
                {"properties": {"k": {"const": "a"}, "v": {"minLength": 2}}, "required": ["k"]},
                {"properties": {"k": {"const": "b"}}, "required": ["k"]},
            ],
        },
        [],
    ),
}


@pytest.mark.parametrize("name", NEVER)
def test_report_names_members_that_no_value_fits(compiler, name):
    schema, expected = NEVER[name]
    report = compiler.compile(JsonSchema(schema)).report
    assert list(report.never_written) == expected
    assert all(entry.how in ("mask", "check") for entry in report)
