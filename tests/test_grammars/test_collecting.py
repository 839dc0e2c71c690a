"""The garbage collector finds nothing of a constraint that was compiled, and does not look at what was there before."""

from __future__ import annotations

import contextlib
import gc

import pytest

from grammars import Choice, Compiler, Gbnf, GrammarError, JsonSchema, Limits, Regex, StructuralTag, Tag, Vocabulary
from grammars.process_memory import freeze_gc


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.from_tokens([*(bytes([i]) for i in range(256)), None, b"ab", b'"}'], [256])


# No Lark grammar: the library that reads them leaves cycles of its own.
_CONSTRAINTS = [
    JsonSchema({"type": "object", "properties": {"a": {"type": "string"}, "b": {"enum": [1, "x"]}}, "required": ["a"]}),
    JsonSchema({"$defs": {"t": {"properties": {"next": {"$ref": "#/$defs/t"}}}}, "$ref": "#/$defs/t"}),
    JsonSchema({"oneOf": [{"type": "string", "pattern": "^[é-ü]x*"}, {"properties": {"n": {"multipleOf": 7}}}]}),
    JsonSchema({"not": {"properties": {"a": {"not": {"type": "string", "maxLength": 3}}}, "required": ["a"]}}),
    JsonSchema({"if": {"required": ["a"]}, "then": {"properties": {"a": {"const": 1}}}, "else": {"minProperties": 2}}),
    JsonSchema({"type": "array", "uniqueItems": True, "contains": {"type": "integer"}, "items": {"maximum": 9.5}}),
    JsonSchema({"patternProperties": {"^x": {"format": "date"}}, "unevaluatedProperties": False}),
    JsonSchema({"dependentSchemas": {"a": {"propertyNames": {"maxLength": 3}}}, "type": ["object", "null"]}),
    JsonSchema({"allOf": [{"type": "string"}, {"type": "integer"}]}),
    JsonSchema({"properties": {"a": {"type": "what"}}}),
    JsonSchema({"$ref": "#/nowhere"}),
    JsonSchema({"$ref": "https://example.com/not-given"}),
    JsonSchema({"pattern": "("}),
    JsonSchema("{"),
    Regex(r"(?=.*[0-9])[a-zß]{2,9}"),
    Regex("(a"),
    Choice(["one", "other"]),
    Choice([]),
    Gbnf('root ::= "a" root | "b"'),
    Gbnf('root ::= "a" root'),
    StructuralTag((Tag("<t>", JsonSchema({"type": "integer", "minimum": 3})),), ("<t>",)),
]


def garbage_of_a_compilation(vocabulary, constraint):
    compiler = Compiler(vocabulary, Limits(max_compiled=2))
    gc.collect()
    with contextlib.suppress(GrammarError):
        compiler.compile(constraint)
    return gc.collect()


@pytest.fixture(scope="module")
def only_what_is_new():
    """What was there before is not looked through by each collection."""
    gc.collect()
    gc.freeze()


@pytest.mark.usefixtures("only_what_is_new")
@pytest.mark.parametrize("constraint", _CONSTRAINTS, ids=lambda constraint: constraint.cache_key()[:60])
def test_nothing_of_a_compilation_waits_for_the_collector(vocabulary, constraint):
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        # Threads that earlier tests left may make garbage of their own; a compilation's would be found each time.
        assert 0 in (garbage_of_a_compilation(vocabulary, constraint) for _ in range(5))
    finally:
        (gc.enable if was_enabled else gc.disable)()


def test_collections_leave_out_what_was_there_before_the_first_constraint(vocabulary):
    freeze_gc.cache_clear()
    kept = [[] for _ in range(1000)]
    Compiler(vocabulary)
    assert not {id(one) for one in kept} & {id(one) for one in gc.get_objects()}
    assert gc.get_freeze_count() >= 1000
