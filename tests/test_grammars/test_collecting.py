"""The garbage collector waits while a constraint is compiled, and finds nothing when it comes."""

from __future__ import annotations

import contextlib
import gc
import threading
from collections.abc import Iterator

import pytest

from grammars import (
    Choice,
    Compiler,
    Gbnf,
    GrammarError,
    JsonSchema,
    Limits,
    Regex,
    StructuralTag,
    Tag,
    UnsupportedError,
    Vocabulary,
    collecting,
)
from grammars.collecting import CollectorPause


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.from_tokens([*(bytes([i]) for i in range(256)), None, b"ab", b'"}'], [256])


@pytest.fixture(autouse=True)
def _collector_as_it_was() -> Iterator[None]:
    was_enabled = gc.isenabled()
    gc.enable()
    yield
    (gc.enable if was_enabled else gc.disable)()


class _Looking:
    """A constraint that tells whether the collector was on while it was emitted."""

    def __init__(self, meet=lambda: None, error: Exception | None = None) -> None:
        self.seen: list[bool] = []
        self._meet, self._error = meet, error

    def cache_key(self) -> str:
        return f"test:{id(self)}"

    def emit(self, builder) -> int:
        self._meet()
        self.seen.append(gc.isenabled())
        if self._error is not None:
            raise self._error
        return Choice(["a"]).emit(builder)


def test_collector_waits_while_a_constraint_is_compiled(vocabulary):
    compiler, looking = Compiler(vocabulary), _Looking()
    compiler.compile(looking)
    assert looking.seen == [False]
    assert gc.isenabled()


@pytest.mark.parametrize("error", [UnsupportedError("this"), ValueError("that"), RecursionError()])
def test_collector_comes_back_after_an_error(vocabulary, error):
    looking = _Looking(error=error)
    with pytest.raises((GrammarError, ValueError)):
        Compiler(vocabulary).compile(looking)
    assert looking.seen == [False]
    assert gc.isenabled()


def test_collector_that_was_off_stays_off(vocabulary):
    compiler = Compiler(vocabulary)
    gc.disable()
    compiler.compile(_Looking())
    assert not gc.isenabled()


def test_collector_waits_for_the_last_of_several_threads(vocabulary):
    compiler, num_threads = Compiler(vocabulary), 4
    both, first_done = threading.Barrier(num_threads), threading.Event()

    def wait_for_the_first() -> None:
        both.wait(30)
        first_done.wait(30)

    first = _Looking(lambda: both.wait(30) and None)
    others = [_Looking(wait_for_the_first) for _ in range(num_threads - 1)]
    threads = [threading.Thread(target=compiler.compile, args=(one,)) for one in (first, *others)]
    for thread in threads:
        thread.start()
    threads[0].join(30)
    assert not gc.isenabled()
    first_done.set()
    for thread in threads[1:]:
        thread.join(30)
    assert [one.seen for one in (first, *others)] == [[False]] * num_threads
    assert gc.isenabled()


def test_pause_ends_under_steady_load(monkeypatch):
    monkeypatch.setattr(collecting, "_MAX_JOINED", 3)
    pause = CollectorPause()
    assert [pause.begin() for _ in range(3)] == [True] * 3
    for _ in range(2):
        pause.end()
        assert not pause.begin()
        assert not gc.isenabled()
    pause.end()
    assert gc.isenabled()
    assert pause.begin()
    assert not gc.isenabled()
    pause.end()
    assert gc.isenabled()


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


@pytest.mark.parametrize("constraint", _CONSTRAINTS, ids=lambda constraint: constraint.cache_key()[:60])
def test_nothing_of_a_compilation_waits_for_the_collector(vocabulary, constraint):
    compiler = Compiler(vocabulary, Limits(max_compiled=2))
    gc.disable()
    gc.collect()
    with contextlib.suppress(GrammarError):
        compiler.compile(constraint)
    assert gc.collect() == 0


def test_pause_ends_with_young_objects_alone():
    pause, generations, kept = CollectorPause(), [], []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            generations.append(info["generation"])

    def pause_once() -> None:
        assert pause.begin()
        kept.append([[] for _ in range(2 * gc.get_threshold()[0])])
        pause.end()

    gc.collect()
    gc.callbacks.append(note)
    try:
        for _ in range(3):
            pause_once()
        assert generations == [0, 0, 0]
        # They are looked at again in the end.
        for _ in range(collecting._MAX_YOUNG + 5):
            pause_once()
            kept.append([])
        assert max(generations) >= 1
    finally:
        gc.callbacks.remove(note)
