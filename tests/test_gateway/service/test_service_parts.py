"""The service's parts on their own, without a model."""

import asyncio
import gc
import threading
from contextlib import aclosing, contextmanager
from unittest.mock import patch

import pytest
from streams import stream_of

from gateway.api.http.failures import status_of
from gateway.config import LimitsConfig
from gateway.core.constraints import ChoiceConstraint, GrammarConstraint, JsonConstraint, RegexConstraint
from gateway.engine import errors as engine_errors
from gateway.engine.errors import (
    ContextLengthExceededError,
    DeadMaskError,
    EngineClosedError,
    InvalidSamplingError,
    QueueFullError,
)
from gateway.errors import (
    BudgetError,
    ConstraintError,
    ContextLengthError,
    DeadEndError,
    EngineError,
    InvalidRequestError,
    NotReadyError,
    OverloadedError,
)
from gateway.service.answers.merge import merged
from gateway.service.answers.stop_strings import ContentStop
from gateway.service.constraints.backends import ThreadBackend
from gateway.service.constraints.compilations import CompilationCounts, Compilations
from gateway.service.constraints.jobs import JobContext
from gateway.service.constraints.specs import spec_of
from gateway.service.gate import Gate
from gateway.service.request.engine_requests import as_gateway_error
from gateway.service.request.plan import derive_seed
from gateway.text import StopAutomaton
from gateway.verify import Verifier
from grammars import Choice, Gbnf, JsonSchema, Lark, Regex, TooComplexError, UnsatisfiableError
from tools.choice import ToolChoice
from tools.events import CallStart, ContentDelta
from tools.formats import get_format
from tools.formats.parser import EitherParser
from tools.toolset import Tool, ToolSet


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.mark.parametrize(
    ("stops", "text", "expected"),
    [
        (["b"], "aabcc", "aa"),
        (["abc", "bcd"], "xabxabc", "xabx"),
        (["é!"], "caféé!x", "café"),
        (["zz"], "azaz", "azaz"),
        (["ab", "b"], "ab", ""),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_content_stop_does_not_depend_on_cuts(stops, text, expected, size):
    stopping = ContentStop(StopAutomaton(stops), include_stop=False)
    pieces = [stopping.feed(text[at : at + size]) for at in range(0, len(text), size)]
    assert "".join(pieces) + stopping.finish() == expected
    assert (stopping.match is not None) == (expected != text)


def test_content_stop_holds_back_what_may_begin_a_stop():
    stopping = ContentStop(StopAutomaton(["</end>"]), include_stop=True)
    assert [stopping.feed("text</"), stopping.feed("b></en"), stopping.feed("d>more")] == ["text", "</b>", "</end>"]


def test_derive_seed_keeps_the_first_and_spreads_the_others():
    assert derive_seed(5, 0) == 5
    seeds = {derive_seed(seed, index) for seed in range(50) for index in range(1, 20)}
    assert len(seeds) == 50 * 19
    assert all(0 <= seed < 1 << 63 for seed in seeds)


@pytest.mark.anyio
async def test_merged_keeps_each_streams_order():
    items = [item async for item in merged([stream_of(1, 2, 3), stream_of(), stream_of(4, 5)])]
    assert sorted(items) == [1, 2, 3, 4, 5]
    assert [value for value in items if value < 4] == [1, 2, 3]


@pytest.mark.parametrize("num_streams", [1, 3])
@pytest.mark.anyio
async def test_merged_closes_all_when_it_is_closed(num_streams):
    closed = []
    streams = [stream_of(*range(100), closed=closed) for _ in range(num_streams)]
    async with aclosing(merged(streams)) as merging:
        async for _ in merging:
            break
    assert len(closed) == num_streams


@pytest.mark.parametrize("num_others", [0, 2])
@pytest.mark.anyio
async def test_merged_raises_the_first_failure_and_closes_all(num_others):
    closed = []
    others = [stream_of(*range(10_000), closed=closed) for _ in range(num_others)]
    with pytest.raises(ZeroDivisionError):
        async for _ in merged([stream_of(1, fails=ZeroDivisionError(), closed=closed), *others]):
            pass
    assert len(closed) == num_others + 1


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (QueueFullError(3), OverloadedError),
        (ContextLengthExceededError(9, 8), ContextLengthError),
        (InvalidSamplingError("top_k", "must not be negative"), InvalidRequestError),
        (EngineClosedError("closed"), NotReadyError),
        (DeadMaskError("at token 5"), DeadEndError),
        (RuntimeError("secret"), EngineError),
        (None, EngineError),
    ],
    ids=lambda value: type(value).__name__,
)
def test_faults_of_the_engine_have_an_error_each(fault, kind):
    error = as_gateway_error(fault)
    assert type(error) is kind
    assert "secret" not in error.message
    if isinstance(fault, InvalidSamplingError):
        assert error.param == "top_k"


@pytest.mark.parametrize(
    ("constraint", "kind"),
    [
        (JsonConstraint(schema=True, origin="x"), JsonSchema),
        (RegexConstraint(pattern="a", origin="x"), Regex),
        (ChoiceConstraint(options=("a",), origin="x"), Choice),
        (GrammarConstraint(text='start: "a"', origin="x"), Lark),
        (GrammarConstraint(text='root ::= "a"', origin="x"), Gbnf),
        (GrammarConstraint(text='?start: A\nA: "::="', origin="x"), Lark),
        (GrammarConstraint(text="x ::= y", origin="x", syntax="lark"), Lark),
        (GrammarConstraint(text="x: y", origin="x", syntax="gbnf"), Gbnf),
    ],
)
def test_spec_of_each_constraint(constraint, kind):
    assert isinstance(spec_of(constraint), kind)


class Spec:
    """A constraint that compiles to itself, after a wait, or raises."""

    def __init__(self, name, raises=None, waits_for=None):
        self.name, self.raises, self.waits_for = name, raises, waits_for

    def cache_key(self):
        return self.name


class StubCompiler:
    """Does what the spec says; counts."""

    def __init__(self):
        self.num_compiled = 0

    def compile(self, spec):
        self.num_compiled += 1
        if spec.waits_for is not None:
            spec.waits_for.wait(30)
        if spec.raises is not None:
            raise spec.raises
        return spec


def compilations_of(compiler, **limits):
    chosen, bench = LimitsConfig(**limits), JobContext(compiler, Verifier())
    return Compilations(ThreadBackend(bench, chosen), bench, chosen, CompilationCounts())


@contextmanager
def in_haste(compilations):
    """What takes long takes too long at once; what is to succeed has all the time that the limits say."""
    with patch.object(compilations.backend, "_timeout_s", 0.05), patch.object(compilations.queue, "_max_wait_s", 0.1):
        yield


@pytest.mark.anyio
async def test_compilations_name_the_origin_and_the_place():
    compilations = compilations_of(StubCompiler())
    refused = Spec("x", raises=UnsatisfiableError("nothing fits", "/properties/a"))
    with pytest.raises(ConstraintError) as caught:
        await compilations.compile(lambda: refused, "guided_json")
    error = caught.value
    assert (error.code, error.where, error.param) == ("unsatisfiable", "/properties/a", "guided_json")
    assert "guided_json" in error.message
    assert "/properties/a" in error.message
    compilations.close()


@pytest.mark.anyio
async def test_compilations_name_the_origin_of_what_is_no_specification():
    compilations = compilations_of(StubCompiler())
    with pytest.raises(ConstraintError, match="regex"):
        await compilations.compile(lambda: Regex("a", dialect="none"), "regex")
    compilations.close()


@pytest.mark.anyio
async def test_compilations_that_take_long_hold_up_nobody_who_is_known():
    released = threading.Event()
    compiler = StubCompiler()
    compilations = compilations_of(compiler, max_compilations=1)
    known = Spec("known")
    assert await compilations.compile(lambda: known, "regex") is known
    slow = Spec("slow", waits_for=released)
    with in_haste(compilations):
        for _ in range(2):
            with pytest.raises(ConstraintError, match="takes longer") as caught:
                await compilations.compile(lambda: slow, "regex")
            assert caught.value.code == "too_complex"
        # The only thread is busy; what is known needs none, what is new waits for it.
        assert await compilations.compile(lambda: Spec("known"), "regex") is known
        with pytest.raises(OverloadedError, match="were ahead"):
            await compilations.compile(lambda: Spec("new"), "regex")
    released.set()
    assert await compilations.compile(lambda: Spec("newer"), "regex")
    assert compiler.num_compiled == 3, "known, slow, newer: the second time it was refused at once"
    compilations.close()


@pytest.mark.anyio
async def test_what_took_too_long_may_be_tried_again_after_a_while(monkeypatch):
    released = threading.Event()
    compilations = compilations_of(StubCompiler())
    monkeypatch.setattr("gateway.service.constraints.compilations.REFUSED_S", 0.05)
    with in_haste(compilations), pytest.raises(ConstraintError, match="takes longer"):
        await compilations.compile(lambda: Spec("slow", waits_for=released), "regex")
    released.set()
    await asyncio.sleep(0.1)
    assert await compilations.compile(lambda: Spec("slow"), "regex")
    compilations.close()


@pytest.mark.anyio
async def test_no_memory_for_more_constraints_is_told_as_such():
    compilations = compilations_of(StubCompiler())
    full = Spec("x", raises=TooComplexError("max_held_bytes", 2, 1))
    with pytest.raises(OverloadedError, match="memory"):
        await compilations.compile(lambda: full, "regex")
    compilations.close()


@pytest.mark.anyio
async def test_compilations_forget_what_the_compiler_forgets():
    compiler = StubCompiler()
    compilations = compilations_of(compiler, max_compilations=1)
    await compilations.compile(lambda: Spec("x"), "regex")
    # The thread lets go of its last result when it does something else.
    await compilations.compile(lambda: Spec("y"), "regex")
    gc.collect()
    await compilations.compile(lambda: Spec("x"), "regex")
    assert compiler.num_compiled == 3
    compilations.close()


def parser():
    tools = ToolSet((Tool("f"),))
    hermes = get_format("hermes")
    return EitherParser(hermes.parser(tools, ToolChoice("required")), hermes.beginnings(tools))


CALL = '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>'


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize(
    ("text", "num_calls"),
    [(CALL, 1), ('{"a": "' + CALL.replace('"', '\\"') + '"}', 0), ("<tool", 0), ("", 0), ("<tool_cat>", 0)],
)
def test_either_parser_reads_calls_only_where_the_text_begins_as_one(text, num_calls, size):
    reading = parser()
    events = [event for at in range(0, len(text), size) for event in reading.feed(text[at : at + size])]
    events += reading.finish()
    assert sum(isinstance(event, CallStart) for event in events) == num_calls
    content = "".join(event.text for event in events if isinstance(event, ContentDelta))
    assert content == ("" if num_calls else text)


def test_budget_error_says_both_numbers():
    error = BudgetError("no", needed=9, allowed=3, param="max_tokens")
    assert (error.needed, error.allowed, error.param) == (9, 3, "max_tokens")


def test_a_shut_gate_lets_nobody_in_and_those_inside_go_on():
    gate = Gate()
    with gate.entering():
        gate.shut()
        with pytest.raises(NotReadyError), gate.entering():
            raise AssertionError("it was let in")
        with gate.inside():
            assert gate.num_inside == 2
    assert gate.num_inside == 0


@pytest.mark.parametrize(
    ("fault", "code", "status", "retryable"),
    [
        (engine_errors.EngineDiedError("it died: SIGKILL"), "engine_died", 503, True),
        (engine_errors.EngineMemoryError("of a secret size"), "engine_out_of_memory", 503, True),
        (engine_errors.EngineUnavailableError("it is starting again"), "not_ready", 503, True),
        (engine_errors.EngineClosedError("it was closed"), "not_ready", 503, True),
        (engine_errors.StepFailedError("a secret"), "engine_error", 500, True),
        (engine_errors.FrameTooLargeError(9, 8), "engine_error", 500, False),
        (ValueError("a secret"), "engine_error", 500, False),
        (None, "engine_error", 500, False),
    ],
)
def test_what_a_client_learns_of_the_engines_faults(fault, code, status, retryable):
    error = as_gateway_error(fault)
    assert (error.code, status_of(error)) == (code, status)
    assert error.retryable is retryable
    assert "secret" not in error.message


def test_a_dead_end_is_not_worth_another_try():
    error = as_gateway_error(DeadMaskError("no token may come next"))
    assert (error.code, status_of(error), error.retryable) == ("constraint_dead_end", 422, False)
