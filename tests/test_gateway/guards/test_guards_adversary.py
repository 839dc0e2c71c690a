"""Nothing that a policy forbids leaves: in no place of an answer, spelling, dialect; by the mask or held back."""

import json
import re
import unicodedata
from collections import defaultdict

import pytest
from guarded_dialects import MESSAGES, policy_of
from pushing import pushing
from scripted import policies, scripted

SECRET = "Nightingale"
TERMS = f'terms = ["{SECRET}"], nfkc = true, confusables = true'
SPELLINGS = {
    "plain": SECRET,
    "case": "nIGHTINGALE",
    "look-alike": "Nіghtіngаlе",
    "wide": "Ｎｉｇｈｔｉｎｇａｌｅ",
    "bold": "𝐍𝐢𝐠𝐡𝐭𝐢𝐧𝐠𝐚𝐥𝐞",
}
ESCAPED = {
    "escaped": "\\u004eightingale",
    "escaped within": "Night\\u0069ngale",
    "escaped look-alike": "N\\u0456ghtingale",
    "all escaped": "".join(f"\\u{ord(letter):04x}" for letter in SECRET),
}
ALIKE = {"і": "i", "а": "a", "е": "e"}
SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
TOOLS = [{"type": "function", "function": {"name": "find", "parameters": SCHEMA}}]
FORMAT = {"type": "json_schema", "name": "s", "schema": SCHEMA}

# Of each dialect: its path, a body, and what asks for a record and for calls, where it can be asked for that.
BODY = {"model": "test-model", "messages": MESSAGES}
DIALECTS = {
    "chat": ("/v1/chat/completions", BODY, {"structured_outputs": {"json": SCHEMA}}, {"tools": TOOLS}),
    "completions": (
        "/v1/completions", {"model": "test-model", "prompt": "Say"}, {"structured_outputs": {"json": SCHEMA}}, None
    ),
    "responses": (
        "/v1/responses", {"model": "test-model", "input": "Say", "store": False}, {"text": {"format": FORMAT}},
        {"tools": [{"type": "function", "name": "find", "parameters": SCHEMA}]},
    ),
    "anthropic": (
        "/v1/messages", BODY | {"max_tokens": 2000}, {"output_config": {"format": FORMAT}},
        {"tools": [{"name": "find", "input_schema": SCHEMA}]},
    ),
    "ollama": ("/api/chat", BODY, {"format": SCHEMA}, {"tools": TOOLS}),
    "ollama generate": ("/api/generate", {"model": "test-model", "prompt": "Say"}, {"format": SCHEMA}, None),
    "tgi": (
        "/generate", {"inputs": "Say", "parameters": {"details": True}},
        {"parameters": {"details": True, "grammar": {"type": "json", "value": SCHEMA}}}, None,
    ),
}  # fmt: skip
THINKING = {
    "responses": {"reasoning": {"summary": "auto"}},
    "anthropic": {"thinking": {"type": "enabled", "budget_tokens": 1024}},
}
PLACES = {
    "text": "Well, {} it is.",
    "record": '{{"q": "Well, {} it is."}}',
    "call": 'Wait. <tool_call>\n{{"name": "find", "arguments": {{"q": "Well, {} it is."}}}}\n</tool_call>',
    "thoughts": "Well, {} it is.</think>All fine.",
}


def told_in(reply, place):
    """What the reply's members hold, those of events put together; and once more with escapes read, if it is JSON."""
    held = defaultdict(str)

    def collect(value, name):
        if isinstance(value, dict):
            for key, each in value.items():
                collect(each, f"{name}.{key}")
        elif isinstance(value, list):
            for each in value:
                collect(each, name)
        elif isinstance(value, str):
            held[name] += value

    lines = [line.removeprefix("data:").strip() for line in reply.text.splitlines()]
    for line in [reply.text] if reply.text.startswith("{") and len(lines) == 1 else lines:
        if line.startswith("{"):
            event = json.loads(line)
            collect(event, event.get("type", ""))
    assert held, reply.text
    for name, text in held.items():
        yield text
        if place == "record" or re.search("arguments|partial_json", name):
            yield re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)


def assert_clean(reply, place):
    assert reply.status_code == 200, reply.text
    for text in told_in(reply, place):
        read = "".join(ALIKE.get(each, each) for each in unicodedata.normalize("NFKC", text)).lower()
        assert SECRET.lower() not in read


def asked(live, dialect, place, is_streamed):
    path, body, record, calls = DIALECTS[dialect]
    extra = {"record": record, "call": calls, "thoughts": THINKING.get(dialect, {})}.get(place, {})
    if path == "/generate":
        return live.post("/generate_stream" if is_streamed else path, json=body | extra)
    return live.post(path, json=body | extra | {"stream": is_streamed})


def can_be_asked(dialect, place):
    return place != "call" or DIALECTS[dialect][3] is not None


@pytest.mark.parametrize("action", ["redact", "block", "forbid"])
@pytest.mark.parametrize(("dialect", "place"), [
    (dialect, place) for dialect in DIALECTS for place in PLACES if can_be_asked(dialect, place)
])  # fmt: skip
def test_nothing_leaves(tiny_live, thinker, tmp_path, dialect, place, action):
    live = thinker if place == "thoughts" else tiny_live
    spellings = SPELLINGS | (ESCAPED if place in ("record", "call") else {})
    with policies(live, tmp_path, policy_of("terms", TERMS, action)):
        for is_streamed in (False, True):
            if action == "forbid":
                with pushing(live, *spellings.values()) as pusher:
                    assert_clean(asked(live, dialect, place, is_streamed), place)
                assert pusher.written[0]
                continue
            for spelled in spellings.values():
                with scripted(live, PLACES[place].format(spelled)):
                    assert_clean(asked(live, dialect, place, is_streamed), place)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_it_would_leave(tiny_live, thinker, dialect):
    """Unscreened, it does: what is looked for above is seen where it is."""
    for place, text in PLACES.items():
        if not can_be_asked(dialect, place):
            continue
        live = thinker if place == "thoughts" else tiny_live
        for spelled in (SPELLINGS | (ESCAPED if place in ("record", "call") else {})).values():
            for is_streamed in (False, True):
                with scripted(live, text.format(spelled)):
                    reply = asked(live, dialect, place, is_streamed)
                    with pytest.raises(AssertionError, match="not in"):
                        assert_clean(reply, place)
