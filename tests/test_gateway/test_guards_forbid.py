"""What is forbidden does not arise, however hard the model tries: in any place, spelling, dialect."""

import json
import re
import unicodedata

import pytest
from pushing import pushing
from scripted import policies
from test_guards_dialects import MESSAGES, data_of, policy_of

SECRET = "Nightingale"
TERMS = f'terms = ["{SECRET}", "zulu"], nfkc = true, confusables = true'
WISHES = (
    SECRET,
    SECRET.upper(),
    "zulu",
    "Nіghtіngаlе",
    "ｎｉｇｈｔｉｎｇａｌｅ",
    "\\u004eightingale",
    "z\\u0075lu",
    "𝐳𝐮𝐥𝐮",
)
ALIKE = {"і": "i", "а": "a", "е": "e", "ο": "o"}
SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "string"}, "b": {"type": "array", "items": {"type": "string"}}, "c": {}},
    "required": ["a", "b"],
}
FUNCTION = {"name": "find", "parameters": SCHEMA}
TOOLS = [{"type": "function", "function": FUNCTION}]
JSON = {"type": "json_schema", "json_schema": {"name": "s", "schema": SCHEMA}}


def leaked(data, is_json):
    """Whether it stands there, in any of the spellings; escapes are read where it is JSON, as in calls."""
    text = data.decode("utf-8", "replace")
    pieces = [("", text)] if is_json else re.findall(r"(<tool_call>|^)((?:(?!</?tool_call>)[\s\S])*)", text)
    for begin, piece in pieces:
        if begin or is_json:
            piece = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), piece)
        read = "".join(ALIKE.get(each, each) for each in unicodedata.normalize("NFKC", piece)).lower()
        if SECRET.lower() in read or "zulu" in read:
            return True
    return False


def ask(live, **fields):
    body = {"model": "test-model", "messages": MESSAGES, "max_tokens": 120, **fields}
    return live.post("/v1/chat/completions", json=body)


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize(
    "fields",
    [{}, {"response_format": JSON}, {"response_format": {"type": "json_object"}}, {"tools": TOOLS},
     {"tools": TOOLS, "tool_choice": "required"}, {"structured_outputs": {"regex": "[a-zA-Z ]{20,60}"}}],
)  # fmt: skip
def test_nothing_leaks_and_nothing_has_to_be_blocked(tiny_live, tmp_path, fields, is_streamed):
    with policies(tiny_live, tmp_path, policy_of("terms", TERMS, "forbid")):
        for seed in range(3):
            with pushing(tiny_live, *WISHES, seed=seed) as pusher:
                reply = ask(tiny_live, stream=is_streamed, **fields)
            assert reply.status_code == 200, reply.text
            assert "content_filter" not in reply.text
            assert not leaked(pusher.written[0], "response_format" in fields)
            assert len(pusher.written[0]) > 10


def test_it_tries_hard(tiny_live, tmp_path):
    """Where nothing is forbidden that it wishes, it writes it."""
    with policies(tiny_live, tmp_path, policy_of("terms", 'terms = ["other"]', "forbid")):
        for fields in ({}, {"response_format": JSON}, {"tools": TOOLS}):
            with pushing(tiny_live, *WISHES) as pusher:
                ask(tiny_live, **fields)
            assert leaked(pusher.written[0], "response_format" in fields)
