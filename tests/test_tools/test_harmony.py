"""Harmony: every golden text says the same however it is cut, and what the constraint allows can be read."""

import itertools
import json
import random
import re

import pytest
from reading import TOOLS, read

from grammars import Compiler, Vocabulary
from tests.oracles import mask_of
from tools import CallBroken, ToolCall, ToolChoice, Transcript, detect_format, get_format
from tools.formats.families.harmony import MARKS, NEXT
from tools.reasoning import detect_reasoning, get_reasoning

SPEC = get_format("harmony")
J = '{"a": "x<|call|>é", "n": [1, {}]}'
THOUGHT = "<|channel|>analysis<|message|> Let me see.\n<|end|><|start|>assistant"
# text, reasoning, content, calls
GOLDEN = [
    (f"{THOUGHT}<|channel|>final<|message|>It is 7.<|return|>", "Let me see.", "It is 7.", []),
    (f"{THOUGHT}<|channel|>final<|message|> {{}}\n", "Let me see.", " {}\n", []),
    (
        f"{THOUGHT}<|channel|>commentary to=functions.f <|constrain|>json<|message|>{J}<|call|>",
        "Let me see.",
        "",
        [("f", J)],
    ),
    (f"<|channel|>commentary to=functions.f<|constrain|>json<|message|>{J}", "", "", [("f", J)]),
    (f" to=functions.f<|channel|>commentary <|constrain|>json<|message|>{J}<|call|>", "", "", [("f", J)]),
    (f"<|start|>assistant to=functions.f<|channel|>commentary json<|message|>{J}<|call|>", "", "", [("f", J)]),
    (
        f"<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>commentary<|message|>I look.<|end|>"
        "<|start|>assistant<|channel|>analysis<|message|>b<|end|><|start|>assistant<|channel|>commentary to=functions.g"
        f" <|constrain|>json<|message|>{{}}<|call|><|start|>assistant<|channel|>commentary to=functions.f"
        f" <|constrain|>json<|message|> {J} <|call|>",
        "a\n\nb",
        "I look.",
        [("g", "{}"), ("f", J)],
    ),
    (
        "<|channel|>commentary<|message|>One.<|end|><|start|>assistant<|channel|>final<|message|>Two.<|return|>",
        "",
        "One.\n\nTwo.",
        [],
    ),
    ('<|channel|>analysis to=browser.search code<|message|>{"q": 1}<|call|>', "", "", [("browser.search", '{"q": 1}')]),
    ("<|channel|>commentary to=functions.g<|message|><|call|>", "", "", [("g", "{}")]),
    ("Plain words, today.", "", "Plain words, today.", []),
    ("tomorrow<|end|><|start|>assistant<|channel|>final<|message|>", "", "tomorrow", []),
    ("<|channel|>analysis<|message|>cut off", "cut off", "", []),
    ("<|message|>no channel<|return|>", "", "no channel", []),
]  # fmt: skip
cases = pytest.mark.parametrize(("text", "reasoning", "content", "calls"), GOLDEN, ids=range(len(GOLDEN)))


@cases
def test_messages_are_told_apart(text, reasoning, content, calls):
    transcript = Transcript.of(read(SPEC, [text]))
    assert not transcript.broken
    assert (transcript.reasoning, transcript.content) == (reasoning, content)
    # Of whatever the arguments hold, only what ends a message ends them; this one stands inside a string.
    assert [(call.name, call.arguments) for call in transcript.calls] == calls


@cases
def test_events_do_not_depend_on_cuts(text, reasoning, content, calls):
    whole = Transcript.of(read(SPEC, [text]))
    assert Transcript.of(read(SPEC, list(text))) == whole
    for cut in range(1, len(text)):
        assert Transcript.of(read(SPEC, [text[:cut], text[cut:]])) == whole, cut
    pairs = list(itertools.combinations(range(1, len(text)), 2))
    for a, b in random.Random(1).sample(pairs, min(40, len(pairs))):
        assert Transcript.of(read(SPEC, [text[:a], text[a:b], text[b:]])) == whole, (a, b)


@pytest.mark.parametrize(
    ("text", "truncated"),
    [
        ('<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": ', True),
        ("<|channel|>commentary to=functions.f <|constrain|>js", True),
        ("<|channel|>commentary to=functions.f<|message|>", True),
        ("<|channel|>commentary to=functions.f<|message|>words<|call|>", False),
        ('<|channel|>commentary to=functions.f<|message|>{"a"]}<|call|>', False),
    ],
)
def test_a_broken_call_is_told_and_no_content(text, truncated):
    for pieces in ([text], list(text)):
        events = read(SPEC, pieces)
        assert [event.truncated for event in events if isinstance(event, CallBroken)] == [truncated]
        assert not Transcript.of(events).content


def test_reading_gives_back_what_was_rendered():
    calls = [ToolCall("", "f", J), ToolCall("", "g", "{}")]
    transcript = Transcript.of(read(SPEC, [SPEC.render(calls)]))
    assert [(call.name, call.arguments) for call in transcript.calls] == [("f", J), ("g", "{}")]


def test_templates_of_gpt_oss_are_found():
    template = "<|start|>system<|message|>...<|end|>{{ '<|start|>assistant<|channel|>final<|message|>' }}"
    assert detect_format(template) is SPEC
    assert detect_reasoning(template) is get_reasoning("gpt-oss") is get_reasoning("harmony")
    assert get_format("gpt-oss") is SPEC


SPECIAL = {mark: 258 + place for place, mark in enumerate(MARKS) if mark not in ("<|call|>", "<|return|>")}
BYTES = [*(bytes([byte]) for byte in range(256)), *([None] * (2 + len(SPECIAL)))]
VOCABULARIES = {
    "special": Vocabulary.from_tokens(BYTES, [256, 257], {"<|call|>": 256, "<|return|>": 257, **SPECIAL}),
    "text": Vocabulary.from_tokens(BYTES[:258], [256, 257]),
}


@pytest.fixture(scope="module", params=VOCABULARIES)
def compiler(request):
    return Compiler(VOCABULARIES[request.param])


def written(compiler, constraint, drawn, max_tokens):
    """A text that a model without sense writes under the constraint."""
    compiled = compiler.compile(constraint)
    matcher = compiled.matcher()
    names = {token_id: name for name, token_id in compiler.vocabulary.special_tokens}
    data = b""
    for left in range(compiled.min_tokens + max_tokens, -1, -1):
        allowed = sorted(mask_of(matcher, left))
        assert allowed
        marks = [token for token in allowed if token in names or chr(token) == "<"]
        token = drawn.choice(marks if marks and drawn.random() < 0.3 else allowed)
        assert matcher.accept(token)
        if matcher.is_ended:
            return data.decode("utf-8")
        data += names[token].encode() if token in names else BYTES[token]
    raise AssertionError("the budget was not enough")


@pytest.mark.parametrize("mode", ["auto", "required", "named"])
@pytest.mark.parametrize("thinks", [True, False])
def test_whatever_the_constraint_allows_is_read(compiler, mode, thinks):
    choice = ToolChoice(mode, "g" if mode == "named" else None, allowed=("g",) if mode == "named" else None)
    constraint = SPEC.constraint(TOOLS, choice)
    if thinks:
        constraint = get_reasoning("harmony").constraint(constraint, "undecided", "none")
    drawn, seen = random.Random(3), set()
    for extra in [*range(12), 40, 60, 80] * 2:
        text = written(compiler, constraint, drawn, extra)
        transcript = Transcript.of(read(SPEC, [text]))
        assert not transcript.broken, text
        assert len(transcript.calls) <= 1
        assert mode == "auto" or (len(transcript.calls) == 1 and not transcript.content)
        assert thinks or not transcript.reasoning
        for call in transcript.calls:
            assert call.name in (choice.allowed or TOOLS.names)
            assert json.loads(call.arguments) == {}
        seen |= {"call"} if transcript.calls else {"text"}
        seen |= {"thoughts"} if transcript.reasoning else set()
    assert seen >= ({"call", "text"} if mode == "auto" else {"call"})


@pytest.mark.parametrize("kind", ["json", "<|constrain|>json"])
def test_a_call_may_be_written_as_chat_templates_tell_of_it(compiler, kind):
    constraint = get_reasoning("harmony").constraint(
        SPEC.constraint(TOOLS, ToolChoice("required")), "undecided", "none"
    )
    matcher = compiler.compile(constraint).matcher()
    text = f"<|channel|>analysis<|message|>A tool.{NEXT} to=functions.g<|channel|>commentary {kind}<|message|>{{}}"
    ids = dict(compiler.vocabulary.special_tokens)
    for piece in re.split(r"(<\|[a-z]+\|>)", text):
        tokens = [ids[piece]] if piece in ids else piece.encode()
        assert all(matcher.accept(token) for token in tokens), piece
    assert matcher.is_complete
    (call,) = Transcript.of(read(SPEC, [text])).calls
    assert (call.name, call.arguments) == ("g", "{}")
