"""Tokens of one answer to deltas: what is counted and told where the answer ends within a step's tokens."""

import pytest

from gateway.core.answer import TextDelta
from gateway.engine import TokenEvent, TokenLogprobs
from gateway.service.answers.answer_writer import AnswerWriter
from gateway.service.request.plan import Plan, ToolPlan
from gateway.text import StopAutomaton
from tools import Tool, ToolChoice, ToolSet, get_format

BYTES = [bytes([byte]) for byte in range(256)]
TOOLS = ToolSet((Tool("f"),))
TEXT = b"one two three"
CALLS = b'<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>\n<tool_call>\n{"name": "f", "arguments": {}}'


def plan_of(max_calls: int | None = None, stops: tuple[str, ...] = ()) -> Plan:
    tool_plan = ToolPlan(tools=TOOLS, choice=ToolChoice("auto"), format=get_format("hermes"), max_calls=max_calls)
    return Plan(tool_plan=tool_plan, stops=StopAutomaton(stops) if stops else None)


def event_of(data: bytes) -> TokenEvent:
    return TokenEvent("r", list(data), logprobs=[TokenLogprobs(byte, -1.0, []) for byte in data])


@pytest.mark.parametrize("size", [1, 2, 5, 100])
@pytest.mark.parametrize(
    ("plan", "text", "content", "num_tokens"),
    [(plan_of(stops=("wo",)), TEXT, "one t", 7), (plan_of(max_calls=1), CALLS, "", CALLS.rindex(b"{}") + 1)],
    ids=["stop string", "most calls"],
)
def test_tokens_behind_the_end_are_neither_counted_nor_told(plan, text, content, num_tokens, size):
    writer, deltas = AnswerWriter(plan, 0, BYTES), []
    for at in range(0, len(text), size):
        if not writer.is_stopped:
            deltas += writer.feed(event_of(text[at : at + size]))
    assert writer.is_stopped
    assert "".join(getattr(delta, "text", "") for delta in deltas if isinstance(delta, TextDelta)) == content
    assert writer.num_tokens == num_tokens
    told = [entry for delta in deltas for entry in getattr(delta, "logprobs", ())]
    assert len(told) <= num_tokens
