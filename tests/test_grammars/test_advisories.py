"""Weaknesses that engines for constraints were published with: each is tried here, and the next constraint works."""

from __future__ import annotations

import pytest

from grammars import (
    Choice,
    Compiler,
    Gbnf,
    GrammarError,
    InvalidGrammarError,
    JsonSchema,
    Lark,
    Limits,
    Regex,
    TooComplexError,
    UnsatisfiableError,
    Vocabulary,
)
from grammars.byte_bounded_cache import ANSWERS
from grammars.frontends.regex.language import language_of
from grammars.limits import REMEMBERED_BYTES
from tests.oracles import mask_of

EOS = 256


@pytest.fixture
def compiler():
    made = Compiler(Vocabulary.from_tokens([*(bytes([i]) for i in range(256)), None, b'{"'], [EOS]))
    yield made
    # Whatever was sent, the next constraint works.
    assert mask_of(made.compile(Choice(["next", "new"])).matcher()) == {ord("n")}


def _refusal(compiler, constraint) -> GrammarError:
    with pytest.raises(GrammarError) as caught:
        compiler.compile(constraint)
    return caught.value


def test_unique_schemas_leave_nothing_on_the_disk(compiler, tmp_path, monkeypatch):
    """CVE-2025-29770: a cache on disk was filled by schemas that differ."""
    monkeypatch.setenv("PORTCULLIS_CACHE", str(tmp_path))
    for i in range(20):
        assert mask_of(compiler.compile(JsonSchema({"const": f"unique {i}"})).matcher()) == {ord('"')}
    assert list(tmp_path.iterdir()) == []


def test_unique_schemas_are_kept_within_bytes():
    """CVE-2025-32381, GHSA-hf3c-wxg2-49q9: compiled schemas stayed in memory for ever."""
    limits = Limits(max_compiled_bytes=3_000_000)
    compiler = Compiler(Vocabulary.from_tokens([*(bytes([i]) for i in range(256)), None], [EOS]), limits)
    sizes = []
    for i in range(40):
        compiler.compile(JsonSchema({"enum": [f"unique {i} {j}" for j in range(100)]}))
        sizes.append(compiler._cache.num_bytes)
    assert 0 < max(sizes) <= limits.max_compiled_bytes
    assert max(sizes[30:]) <= max(sizes[:30])


def test_what_patterns_leave_behind_is_kept_within_bytes(compiler):
    """CVE-2025-32381: the same of the parts that constraints are made of."""
    language_of.cache_clear()
    for i in range(60):
        compiler.compile(Regex(f"(x{i}|" + "|".join(rf"[\w{chr(0x4E00 + 60 * i + j)}]" for j in range(60)) + ")(^a)?b"))
    assert 0 < ANSWERS.num_bytes <= REMEMBERED_BYTES


@pytest.mark.parametrize(
    "constraint",
    [
        Gbnf("root ::= root"),
        Gbnf("root ::= a\na ::= b\nb ::= a | root"),
        Lark("start: a\na: b\nb: a"),
        JsonSchema({"$ref": "#"}),
        JsonSchema({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
    ],
    ids=["itself", "three", "lark", "reference", "references"],
)
def test_rules_that_only_call_each_other_end(compiler, constraint):
    """CVE-2025-57809: infinite recursion over rules that refer to themselves."""
    assert isinstance(_refusal(compiler, constraint), InvalidGrammarError | UnsatisfiableError)


def test_left_recursion_compiles(compiler):
    """CVE-2025-57809."""
    matcher = compiler.compile(Gbnf('root ::= root "a" | "b"')).matcher()
    assert mask_of(matcher) == {ord("b")}
    assert matcher.accept(ord("b"))
    assert mask_of(matcher) == {ord("a"), EOS}


def test_huge_enums_compile_and_larger_ones_name_their_limit(compiler):
    """CVE-2025-58446: a long list of choices took minutes to compile."""
    values = [f"value {i}" for i in range(50_000)]
    assert mask_of(compiler.compile(JsonSchema({"enum": values})).matcher()) == {ord('"')}
    assert mask_of(compiler.compile(Choice(values)).matcher()) == {ord("v")}
    error = _refusal(compiler, Choice([f"value {i}" for i in range(100_001)]))
    assert isinstance(error, TooComplexError)
    assert error.limit == "max_enum_values"


def _nested_schema(depth: int):
    schema = {"type": "integer"}
    for i in range(depth):
        schema = {"type": "array", "items": schema, "maxItems": i}
    return schema


@pytest.mark.parametrize(
    ("constraint", "limit"),
    [
        (Regex("(" * 9_000 + "a" + ")" * 9_000), "max_depth"),
        (Gbnf("root ::= " + "(" * 9_000 + '"a"' + ")" * 9_000), "max_depth"),
        (Lark("start: " + "(" * 9_000 + '"a"' + ")" * 9_000), "max_depth"),
    ],
    ids=["regex", "gbnf", "lark"],
)
def test_deep_nesting_names_its_limit(compiler, constraint, limit):
    """CVE-2026-25048, GHSA-7rgv-gqhr-fxg3: nesting overran the stack."""
    error = _refusal(compiler, constraint)
    assert isinstance(error, TooComplexError)
    assert error.limit == limit


def test_deeply_nested_schemas_compile_or_name_their_limit(compiler):
    """CVE-2026-25048, GHSA-7rgv-gqhr-fxg3: the same of a schema."""
    assert ord("[") in mask_of(compiler.compile(JsonSchema(_nested_schema(400))).matcher())
    with pytest.raises(TooComplexError, match="max_depth"):
        compiler.compile(JsonSchema(_nested_schema(5_000)))


def test_schema_text_nested_beyond_the_stack_is_refused(compiler):
    """CVE-2026-25048: the same before the schema is even read."""
    with pytest.raises(GrammarError):
        compiler.compile(JsonSchema("[" * 100_000 + "]" * 100_000))


@pytest.mark.parametrize(
    "schema",
    [
        "{",
        {"type": "stsring"},
        {"type": 5},
        {"pattern": "("},
        {"$ref": "#/nowhere"},
        {"properties": 5},
        {"items": "x"},
        {"minimum": "a"},
    ],
)
def test_invalid_schemas_are_refused_by_name(compiler, schema):
    """CVE-2025-48942, CVE-2025-48944: a schema or a tool's `pattern` or `type` that is none ended the server."""
    with pytest.raises(InvalidGrammarError):
        compiler.compile(JsonSchema(schema))


@pytest.mark.parametrize("pattern", ["(", "a{3,1}", "[z-a]", "*a", "(?<n", "\\", "a{" + "9" * 5_000 + "}"])
def test_invalid_patterns_are_refused(compiler, pattern):
    """CVE-2025-48943: a pattern that is none ended the server."""
    assert isinstance(_refusal(compiler, Regex(pattern)), InvalidGrammarError | TooComplexError)


def _nested(shape: str, depth: int) -> str:
    pattern = "a"
    for _ in range(depth):
        pattern = shape.replace("@", pattern)
    return pattern


@pytest.mark.parametrize("shape", ["(@+)+b", "(b|@)*", "(@b)+", "(a?@){0,50}", "(b?(@)?){0,60}", "((@)*a*)*"])
def test_nested_repeats_take_states_in_proportion_to_the_pattern(compiler, shape):
    """CVE-2026-55574, PYSEC-2026-3933: compiling ``(a+)+b`` had no bound; here nesting doubles nothing."""
    small, large = (compiler.compile(Regex(_nested(shape, depth))).network.num_states for depth in (15, 30))
    assert large < 2.5 * small


def test_patterns_that_blow_up_when_determinized_stay_small(compiler):
    """CVE-2026-55574: ``(a|b)*a(a|b){n}`` has 2 to the power of n states when it is determinized."""
    network = compiler.compile(Regex("(a|b)*a" + "(a|b)" * 40)).network
    assert network.num_states < 2_000


@pytest.mark.parametrize("pattern", ["(" + "a?" * 3_000 + "^)*", "(?=(a{7})*$)(?=(a{11})*$)(?=(a{1300})*$).*"])
def test_patterns_that_are_too_much_name_their_limit(compiler, pattern):
    """CVE-2026-55574: work on a pattern ends at a limit instead of a clock."""
    error = _refusal(compiler, Regex(pattern))
    assert isinstance(error, TooComplexError)
    assert error.limit == "max_pattern_states"


@pytest.mark.parametrize("token_id", [-1, -(1 << 31), 10_000_000, EOS])
def test_tokens_that_are_none_are_refused(compiler, token_id):
    """CVE-2026-105757, GHSA-85xf-c7hm-whqw: padding tokens of a draft ended the engine."""
    matcher = compiler.compile(Regex("ab")).matcher()
    assert not matcher.accept(token_id)
    assert mask_of(matcher) == {ord("a")}


@pytest.mark.parametrize("constraint", [Choice([]), Regex("[^\\s\\S]"), JsonSchema({"enum": []}), Gbnf(""), Lark("")])
def test_empty_constraints_are_refused(compiler, constraint):
    """CVE-2026-105757: empty values ended the engine."""
    assert isinstance(_refusal(compiler, constraint), InvalidGrammarError | UnsatisfiableError)


def test_a_match_that_takes_much_ends_no_other():
    """CVE-2026-105757: an error of one request ended all others."""
    limits = Limits(max_configurations=300)
    compiler = Compiler(Vocabulary.from_tokens([*(bytes([i]) for i in range(256)), None], [EOS]), limits)
    compiled = compiler.compile(Regex("(ab|ba){0,5000}"))
    matcher, other = compiled.matcher(), compiled.matcher()
    assert all(matcher.accept(ord("ab"[i % 2])) for i in range(2_000))
    assert other.accept(ord("b"))
    assert mask_of(other) == {ord("a")}


@pytest.mark.parametrize(
    "text",
    [
        'root ::= "a"{99999999999}',
        "root ::= [",
        'root ::= "',
        "root ::= [a-",
        'root ::= "\\x',
        "root ::= ((",
        "root ::= a{",
    ],
)
def test_grammar_texts_that_break_off_and_huge_counts_are_handled(compiler, text):
    """llama.cpp PR 22606, llamafile 22aba95: bounds, recursion and overruns of a GBNF parser."""
    assert isinstance(_refusal(compiler, Gbnf(text)), InvalidGrammarError | TooComplexError)
