"""JSON strings that spell texts of a constraint: exactly those texts, canonically spelled."""

import json
import random
import re

import numpy as np
import pytest

from grammars import (
    Choice,
    Compiler,
    Concat,
    Gbnf,
    InvalidGrammarError,
    JsonSchema,
    JsonString,
    Lark,
    Regex,
    UnsupportedError,
    Vocabulary,
)

TOKENS: list[bytes | None] = [*(bytes([value]) for value in range(256)), b'"', b"\\n", b'\\"', b"\\\\", b"\\u00", None]
END = len(TOKENS) - 1

ARITHMETIC = """
start: sum
sum: sum "+" product | product
product: product "*" atom | atom
atom: NUMBER | "(" sum ")"
NUMBER: /[0-9]+/
%ignore /[ \\t\\n]+/
"""

CONSTRAINTS = {
    "anything": Regex(r"[\s\S]*"),
    "class": Regex(r'["\\a-c\n\x00-\x02\x7fé😀]{0,4}'),
    "counted": Regex(r'(?:"\n){2,3}|\\{60,70}'),
    "lookahead": Regex(r'(?!"")[\s\S]*'),
    "choice": Choice(["", 'say "hi"', "C:\\n", "a\tb\rc\bd\fe\x1f"]),
    "lark": Lark(ARITHMETIC),
    "lark-literals": Lark('start: item*\nitem: "\\"" WORD? "\\"" | "\\\\" | "\\n"\nWORD: /[a-z\\t]+/'),
    "lark-left": Lark('start: start "\\n" | "\\"x\\""'),
    "gbnf": Gbnf('root ::= "\\"" [^"\\\\]* "\\"" | "\\\\" root'),
}

PIECES = ['"', "\\", "\n", "\t", "\x00", "\x1f", "\x7f", "é", "😀", "a", "b", "1", "+", "(", ")", " ", "x", 'say "hi"']

constraints = pytest.mark.parametrize("constraint", CONSTRAINTS.values(), ids=CONSTRAINTS)


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    return Compiler(Vocabulary.from_tokens(TOKENS, [END]))


def written(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


@constraints
def test_json_string_spells_the_texts_of_its_constraint_and_no_others(compiler: Compiler, constraint: Regex) -> None:
    raw, spelled = compiler.compile(constraint), compiler.compile(JsonString(constraint))
    source = random.Random(3)
    texts = ["".join(source.choices(PIECES, k=size)) for size in range(7) for _ in range(60)]
    for seed in range(12):
        text = walk(raw.matcher(), random.Random(seed), budget=200)
        assert raw.matcher().accept_text(text.encode())
        at = source.randrange(len(text) + 1)
        texts += [text, text[:at] + text[at + 1 :], text[:at] + source.choice(PIECES) + text[at:]]
    for text in texts:
        holds = raw.matcher().accept_text(text.encode())
        assert spelled.matcher().accept_text(written(text).encode()) == holds, text


@constraints
def test_json_string_can_be_written_to_its_end(compiler: Compiler, constraint: Regex) -> None:
    raw, spelled = compiler.compile(constraint), compiler.compile(JsonString(constraint))
    for seed in range(12):
        text = walk(spelled.matcher(), random.Random(seed), budget=200)
        inner = json.loads(text)
        assert written(inner) == text
        assert raw.matcher().accept_text(inner.encode()), inner


def walk(matcher, source: random.Random, budget: int) -> str:
    row = np.zeros((len(TOKENS) + 31) // 32, dtype=np.uint32)
    data = b""
    for left in range(budget, 0, -1):
        matcher.fill_mask(row, left)
        bits = np.unpackbits(row.view(np.uint8), bitorder="little")[: len(TOKENS)]
        allowed = [int(token) for token in np.flatnonzero(bits)]
        allowed = allowed or [END]
        token = source.choice([END] if END in allowed and source.random() < 0.3 else allowed)
        assert matcher.accept(token)
        if token == END:
            return data.decode()
        data += TOKENS[token] or b""
    assert matcher.is_complete
    return data.decode()


@pytest.mark.parametrize(
    "text", ['"\\u0041"', '"\\/"', '"\\u000a"', '"\n"', '"\\u001F"', '"', '""x', "a", '"\\x"', '"\\ud83d\\ude00"']
)
def test_json_string_is_spelled_canonically(compiler: Compiler, text: str) -> None:
    assert not compiler.compile(JsonString(CONSTRAINTS["anything"])).matcher().accept_text(text.encode())


@pytest.mark.parametrize(
    "constraint", [JsonSchema({}), Lark("start: %json {}"), JsonString(Regex("a"))], ids=["json", "embedded", "itself"]
)
def test_json_string_refuses_what_it_cannot_spell(compiler: Compiler, constraint: JsonSchema) -> None:
    with pytest.raises(UnsupportedError, match="inside a JSON string"):
        compiler.compile(JsonString(constraint))


def test_json_string_reports_what_is_wrong_with_its_constraint(compiler: Compiler) -> None:
    with pytest.raises(InvalidGrammarError):
        compiler.compile(JsonString(Regex("(")))


def test_concat_is_its_parts_one_after_another(compiler: Compiler) -> None:
    grammar = compiler.compile(Concat(("<", Regex("a*"), JsonString(Choice(["\n"])), Regex("b?"), ">")))
    pattern = re.compile(r'<a*"\\n"b?>')
    for text in ('<"\\n">', '<aa"\\n"b>', '<"\\n"', '<b"\\n">', '"\\n">'):
        assert grammar.matcher().accept_text(text.encode()) == bool(pattern.fullmatch(text)), text


def test_keys_tell_constraints_apart() -> None:
    keys = [each.cache_key() for each in CONSTRAINTS.values()]
    keys += [JsonString(each).cache_key() for each in CONSTRAINTS.values()]
    keys += [Concat(parts).cache_key() for parts in (("ab",), ("a", "b"), ("a", Choice(["b"])), (Choice(["a"]), "b"))]
    assert len(set(keys)) == len(keys)
