"""What is replaced in answers and arguments under a schema: within strings, and only if the schema still holds."""

import json
import random

import pytest
from guarded_dialects import KEY, MESSAGES, data_of, policy_of
from scripted import policies, scripted
from test_guards_answers import ANTHROPIC_TOOLS, TOOLS, arguments_in, ask, call, chunks

from gateway.guards import JsonScreen, read_policies

AWS = 'kinds = ["aws"]'
TEXT = {"type": "object", "properties": {"q": {"type": "string"}}}


def answered(live, schema, **fields):
    told = []
    for stream in (False, True):
        reply = ask(live, structured_outputs={"json": schema}, stream=stream, **fields)
        if stream:
            choices = [choice for chunk in data_of(reply)[0] for choice in chunk["choices"]]
            text = "".join(choice["delta"].get("content") or "" for choice in choices)
        else:
            choices = reply.json()["choices"]
            text = choices[0]["message"]["content"]
        told.append((text, choices[-1]["finish_reason"], choices[-1].get("guards", [{}])[0].get("action")))
    assert told[0] == told[1]
    return told[0]


@pytest.mark.parametrize(
    ("written", "options", "schema", "text", "reason", "action"),
    [
        (f'{{"q": "a {KEY} b"}}', AWS, TEXT, '{"q": "a [AWS] b"}', "stop", "redact"),
        (f'{{"q": "\\u0041{KEY[1:]}\\n"}}', AWS, TEXT, '{"q": "[AWS]\\n"}', "stop", "redact"),
        (f'["{KEY}","{KEY}"]', AWS, {"type": "array"}, '["[AWS]","[AWS]"]', "stop", "redact"),
        (f'{{"{KEY}": 1}}', AWS, {"type": "object"}, '{"[AWS]": 1}', "stop", "redact"),
        ('{"q": "\\u0041KIA"}', AWS, TEXT, '{"q": "\\u0041KIA"}', "stop", None),
        # What is put in its place is escaped.
        (
            f'"{KEY}"',
            AWS + ', replacement = "a \\"key\\"\\n\\\\ é"',
            {"type": "string"},
            '"a \\"key\\"\\n\\\\ é"',
            "stop",
            "redact",
        ),
        # The schema no longer holds.
        (f'"{KEY}"', AWS, {"enum": [KEY]}, '"[AWS]"', "content_filter", "redact"),
        (f'"{KEY}"', AWS, {"type": "string", "pattern": "^A"}, '"[AWS]"', "content_filter", "redact"),
        (f'"{KEY}"', AWS, {"type": "string", "minLength": 9}, '"[AWS]"', "content_filter", "redact"),
        (f'{{"{KEY}": 1}}', AWS, {"properties": {}, "required": [KEY]}, '{"[AWS]": 1}', "content_filter", "redact"),
        # What is found is not, or not only, within one string.
        ("[4111111111111111]", 'kinds = ["card"]', {"type": "array"}, "[", "content_filter", "block"),
        ('["a","b"]', 'pattern = "a.,"', {"type": "array"}, '["', "content_filter", "block"),
        ('["a","b"]', 'pattern = "a.{3}b"', {"type": "array"}, '["', "content_filter", "block"),
        ('["abc"]', 'pattern = "c."', {"type": "array"}, '["ab', "content_filter", "block"),
    ],
)  # fmt: skip
def test_records_are_redacted_within_strings(tiny_live, tmp_path, written, options, schema, text, reason, action):
    guard = "pattern" if "pattern =" in options else "pii" if "card" in options else "secrets"
    with policies(tiny_live, tmp_path, policy_of(guard, options, "redact")), scripted(tiny_live, written):
        assert answered(tiny_live, schema) == (text, reason, action)


def test_arguments_are_redacted_in_every_dialect_that_has_calls(tiny_live, tmp_path):
    text, redacted = "Wait. " + call(f'"x {KEY}"'), {"q": "x [AWS]"}
    body = {"model": "test-model", "messages": MESSAGES, "max_tokens": 99}
    with policies(tiny_live, tmp_path, policy_of("secrets", AWS, "redact")), scripted(tiny_live, text):
        (choice,) = ask(tiny_live, tools=TOOLS).json()["choices"]
        assert choice["finish_reason"] == "tool_calls"
        assert json.loads(choice["message"]["tool_calls"][0]["function"]["arguments"]) == redacted
        assert choice["guards"] == [
            {"guard": "secrets", "kind": "aws", "action": "redact", "where": "arguments", "count": 1}
        ]
        assert json.loads(arguments_in(chunks(tiny_live, tools=TOOLS))) == redacted
        told = tiny_live.post("/v1/messages", json={**body, "tools": ANTHROPIC_TOOLS}).json()
        assert (told["stop_reason"], told["content"][1]["input"]) == ("tool_use", redacted)
        events, _ = data_of(tiny_live.post("/v1/messages", json={**body, "tools": ANTHROPIC_TOOLS, "stream": True}))
        parts = [event["delta"].get("partial_json", "") for event in events if event["type"] == "content_block_delta"]
        assert json.loads("".join(parts)) == redacted
        for is_streamed in (False, True):
            reply = tiny_live.post("/api/chat", json={**body, "tools": TOOLS, "stream": is_streamed})
            lines = [json.loads(line)["message"] for line in reply.text.splitlines()]
            assert [each["function"]["arguments"] for line in lines for each in line.get("tool_calls", ())] == [
                redacted
            ]


def test_a_call_whose_arguments_no_longer_hold_is_none(tiny_live, tmp_path):
    strict = [{"type": "function", "function": {"name": "find", "parameters": {"properties": {"q": {"enum": [KEY]}}}}}]
    with policies(tiny_live, tmp_path, policy_of("secrets", AWS, "redact")), scripted(tiny_live, call(f'"{KEY}"')):
        (choice,) = ask(tiny_live, tools=strict).json()["choices"]
        assert (choice["finish_reason"], "tool_calls" in choice["message"]) == ("content_filter", False)
        told = chunks(tiny_live, tools=strict)
        assert told[-1]["choices"][0]["finish_reason"] == "content_filter"
        assert KEY not in json.dumps(told)


def test_log_probabilities_of_what_was_replaced_are_not_told(tiny_live, tmp_path):
    with policies(tiny_live, tmp_path, policy_of("secrets", AWS, "redact")), scripted(tiny_live, f'{{"q": "{KEY}"}}'):
        reply = ask(tiny_live, structured_outputs={"json": TEXT}, logprobs=True, top_logprobs=2).json()["choices"][0]
    told = reply["logprobs"]["content"]
    assert "".join(entry["token"] for entry in told) == reply["message"]["content"] == '{"q": "[AWS]"}'
    assert "IOSFODNN" not in json.dumps(told)


def test_records_that_come_in_any_pieces_leave_as_the_same(tmp_path):
    file = tmp_path / "policies.toml"
    file.write_text(
        'default = "p"\n[policies.p]\noutput = [{ guard = "terms", terms = ["ab", "b\\\\"], action = "redact", '
        'replacement = "\\"" }, { guard = "pattern", pattern = "x+y", action = "redact" }]\n'
    )
    rules = read_policies(file).named["p"].output
    rng = random.Random(3)
    replaced = 0
    for _ in range(500):
        value = ["".join(rng.choice('abxy"\\é\n') for _ in range(rng.randrange(9))) for _ in range(3)]
        text = json.dumps(value, ensure_ascii=rng.random() < 0.5)
        outs = []
        for _ in range(2):
            screen, out, at = JsonScreen(rules), "", 0
            while at < len(text):
                step = rng.randrange(1, 6)
                out += screen.feed(text[at : at + step])
                at += step
            outs.append(out + screen.flush())
        assert outs[0] == outs[1]
        assert screen.blocked is None
        left = json.loads(outs[0])
        assert len(left) == 3
        assert not any("xy" in each for each in left)
        assert all(
            was == now for was, now in zip(value, left, strict=True) if not any(t in was for t in ("ab", "b\\", "xy"))
        )
        replaced += screen.num_redacted
    assert replaced > 200
