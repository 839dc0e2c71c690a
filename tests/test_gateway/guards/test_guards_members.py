"""Names that a redaction makes equal are told apart: no object leaves with a member twice."""

import json

import pytest
from scripted import policies, scripted
from test_screening_channels import ANY, chat, completion, policy_of, responses

from gateway.guards.escapes import DistinctNames

EMAILS = ("ann@example.org", "bob@example.org", "cy@example.org")


@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('{"a":1,"a":2,"b":3,"a":4}', '{"a":1,"a_2":2,"b":3,"a_3":4}'),
        ('{"a":1,"a_2":2,"a":3}', '{"a":1,"a_2":2,"a_3":3}'),
        ('{"a":{"a":1,"a":2},"b":["a","a",{"a":1}],"a":"a"}', '{"a":{"a":1,"a_2":2},"b":["a","a",{"a":1}],"a_2":"a"}'),
        (r'{"\u0061":1,"a":2,"x\"":3,"x\"":4}', r'{"\u0061":1,"a_2":2,"x\"":3,"x\"_2":4}'),
        ('{"":1,"":2}', '{"":1,"_2":2}'),
        ('[{"a":1},{"a":1}]', '[{"a":1},{"a":1}]'),
        ('"{a,a}"', '"{a,a}"'),
    ],
    ids=["numbered", "a number that is there", "in objects of objects", "escapes", "empty", "items", "a string"],
)
def test_names_of_an_object_are_numbered(text, left, size):
    names = DistinctNames()
    assert "".join(names.feed(text[at : at + size]) for at in range(0, len(text), size)) == left


def content_of(reply, is_streamed):
    if not is_streamed:
        told = reply.json()
        if "output" in told:
            return told["output"][0]["content"][0]["text"]
        (choice,) = told["choices"]
        return choice["message"]["content"] if "message" in choice else choice["text"]
    events = [json.loads(line[6:]) for line in reply.text.splitlines() if line.startswith("data: {")]
    deltas = [each["delta"] for each in events if each.get("type") == "response.output_text.delta"]
    choices = [choice for each in events for choice in each.get("choices", ())]
    return "".join(deltas) + "".join(
        (choice["delta"].get("content") or "") if "delta" in choice else choice["text"] for choice in choices
    )


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("dialect", [chat, completion, responses])
def test_members_whose_names_were_replaced_leave_apart(tiny_live, tmp_path, dialect, is_streamed):
    route, fields = dialect(ANY)
    body = {"model": "test-model", "stream": is_streamed, **fields}
    text = json.dumps(dict(zip(EMAILS, range(3), strict=True)))
    with policies(tiny_live, tmp_path, policy_of("redact")), scripted(tiny_live, text):
        reply = tiny_live.post(route, json=body)
    assert reply.status_code == 200, reply.text
    assert json.loads(content_of(reply, is_streamed)) == {"[EMAIL]": 0, "[EMAIL]_2": 1, "[EMAIL]_3": 2}
    assert "content_filter" not in reply.text
