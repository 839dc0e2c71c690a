"""Calls that a conversation holds already, told in formats whose arguments are not JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.service.request.tools_in_prompt import with_tools_as_text
from tools import Tool, ToolSet, UnwritableCallError, get_format

TOOLS = ToolSet((Tool("f", parameters={"type": "object", "properties": {"a": {"type": "string"}}}),))


def conversation(arguments: dict[str, Any]) -> list[dict[str, Any]]:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": json.dumps(arguments)}}
    return [{"role": "user", "content": "hi"}, {"role": "assistant", "content": None, "tool_calls": [call]}]


def test_calls_are_told_as_the_schema_has_them() -> None:
    told = with_tools_as_text(conversation({"a": "1"}), TOOLS, get_format("qwen3_coder"))[1]
    assert told["content"] == "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>"


def test_names_that_hold_what_ends_a_tag_are_told_with_entities() -> None:
    told = with_tools_as_text(conversation({"a>b": 1}), TOOLS, get_format("qwen3_coder"))[1]
    assert (
        told["content"] == "<tool_call>\n<function=f>\n<parameter=a&gt;b>\n1\n</parameter>\n</function>\n</tool_call>"
    )


@pytest.mark.parametrize("arguments", [{"a\nb": 1}, {"a": "</parameter>\n<parameter=b>"}])
def test_calls_that_cannot_be_written_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(UnwritableCallError):
        with_tools_as_text(conversation(arguments), TOOLS, get_format("qwen3_coder"))
