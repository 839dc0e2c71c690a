"""Every format where its markers are special tokens: what masks allow is read, and what looks like a marker is text."""

import json
import random
import re

import jsonschema
import numpy as np
import pytest

from gateway.text import MarkedText, unbroken
from grammars import Compiler, Vocabulary
from tools import Tool, ToolChoice, ToolSet, Transcript, format_names, get_format, seeded_ids

_MARK = re.compile(
    r"<(?:function|param)(?= name=)|<\|[^<>|]+\|?>|<[^<>|]+\|>|<｜[^｜<>]+｜>|｜DSML｜|\[/?[A-Z_]+\]|</?[a-z_:]+>"
)
_NO_MARKS = ("<name>", "<type>")

NAMES = sorted({
    mark for name in format_names() for text in get_format(name).texts for mark in _MARK.findall(text)
    if mark not in _NO_MARKS
})  # fmt: skip
PARAMETERS = {
    "type": "object",
    "properties": {"text": {"type": "string", "maxLength": 9}, "n": {"type": "integer"}, "b": {"enum": [True, "x"]}},
    "required": ["text"],
    "additionalProperties": False,
}
TOOLS = ToolSet((Tool("f", parameters=PARAMETERS), Tool("g")))
# The same markers spelled by ordinary tokens, whole and in part.
WORDS = [*(name.encode() for name in NAMES), b"\n\n", b'{"', b'": ', b"tool", b"<|", b"|>", b"</"]
TEXT = [*(bytes([byte]) for byte in range(256)), *WORDS]
END = len(TEXT)
SPECIAL = {name: END + 1 + place for place, name in enumerate(NAMES)}
MARKS = {token_id: name for name, token_id in SPECIAL.items()}


@pytest.fixture(scope="module")
def compiler():
    return Compiler(Vocabulary.from_tokens([*TEXT, None, *[None] * len(NAMES)], [END], SPECIAL))


def written(compiler, constraint, drawn, spare):
    """Tokens of a model without sense that likes markers, and what looks like them."""
    compiled = compiler.compile(constraint)
    matcher, row, tokens = compiled.matcher(), np.zeros(compiled.num_words, dtype=np.uint32), []
    for left in range(compiled.min_tokens + spare, -1, -1):
        matcher.fill_mask(row, left)
        allowed = np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist()
        assert allowed
        liked = [token for token in allowed if token > END or 256 <= token < 256 + len(NAMES)]
        token = drawn.choice(liked if liked and drawn.random() < 0.3 else allowed)
        assert matcher.accept(token)
        if token == END:
            return tokens
        tokens.append(token)
    raise AssertionError("the budget was not enough")


def read(spec, tokens):
    marked, parser = MarkedText(compiler_tokens(), MARKS), spec.parser(TOOLS, ids=seeded_ids(1))
    events = [event for token in tokens for event in parser.feed(marked.feed([token]))]
    return Transcript.of(events + parser.feed(marked.finish()) + parser.finish())


def compiler_tokens():
    return [*TEXT, None, *[None] * len(NAMES)]


@pytest.mark.parametrize("mode", ["auto", "required"])
@pytest.mark.parametrize("name", format_names())
def test_what_masks_allow_is_read_from_tokens(compiler, name, mode):
    spec, drawn = get_format(name), random.Random(name)
    constraint = spec.constraint(TOOLS, ToolChoice(mode))
    for spare in (0, 1, 4, 9, 20, 60, 90):
        tokens = written(compiler, constraint, drawn, spare)
        transcript = read(spec, tokens)
        shown = [compiler_tokens()[token] or MARKS[token] for token in tokens]
        assert not transcript.broken, (transcript.broken, shown)
        assert mode == "auto" or transcript.calls, shown
        for call in transcript.calls:
            arguments = json.loads(unbroken(call.arguments))
            jsonschema.validate(arguments, TOOLS.get(unbroken(call.name)).arguments_schema)
        assert mode == "auto" or not transcript.content.strip(), shown
