"""Why a call cannot be read is said without any text of the call: it may be told where the text is held back."""

import json
import random

import pytest
from reading import read

from tools import Tool, ToolCall, ToolSet, Transcript, UnwritableCallError, format_names, get_format

SECRET = "ann@example.org"
TOOLS = ToolSet((Tool("order", parameters={"type": "object", "additionalProperties": True}),))
ARGUMENTS = ({SECRET: "x", "b": {"c": [1]}}, {"a": SECRET}, {"a": {SECRET: [SECRET]}}, {"a": {"b": 1}, SECRET: 2})
DAMAGE = ("", SECRET, "}", "]", "<", "</x>", '"', ":")


@pytest.mark.parametrize("name", format_names())
def test_a_reason_holds_nothing_of_the_text(name):
    spec, rng = get_format(name), random.Random(1)
    for arguments in ARGUMENTS:
        try:
            text = spec.render([ToolCall("call_1a", "order", json.dumps(arguments))], TOOLS)
        except UnwritableCallError:
            continue
        for _ in range(40):
            at, size = rng.randrange(len(text)), rng.choice([0, 1, 2, 8])
            damaged = text[:at] + rng.choice(DAMAGE) + text[at + size :]
            for broken in Transcript.of(read(spec, [damaged], TOOLS)).broken:
                assert "ann@" not in broken.reason
                assert "example.org" not in broken.reason
