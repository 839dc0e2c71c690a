"""Tool choices: every spelling, and what each allows."""

from typing import Any

import pytest
from reading import TOOLS

from tools import InvalidToolChoiceError, ToolChoice, ToolSet


def named(name: object) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name}}


def narrowed(mode: object, *names: str) -> dict[str, Any]:
    return {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": [named(name) for name in names]}}


@pytest.mark.parametrize(
    ("value", "choice", "allowed"),
    [
        (None, ToolChoice("auto"), ("f", "g", "get_weather")),
        ("auto", ToolChoice("auto"), ("f", "g", "get_weather")),
        ("none", ToolChoice("none"), ()),
        ("required", ToolChoice("required"), ("f", "g", "get_weather")),
        (named("g"), ToolChoice("named", "g", allowed=("g",)), ("g",)),
        (narrowed("auto", "g", "f"), ToolChoice("auto", allowed=("g", "f")), ("f", "g")),
        (narrowed("required", "f"), ToolChoice("required", allowed=("f",)), ("f",)),
    ],
)
def test_tool_choice_parses(value: object, choice: ToolChoice, allowed: tuple[str, ...]) -> None:
    parsed = ToolChoice.parse(value, TOOLS)
    assert parsed == choice
    assert parsed.callable_tools(TOOLS).names == allowed


@pytest.mark.parametrize(("given", "parallel"), [(None, True), (True, True), (False, False)])
def test_tool_choice_allows_parallel_calls_unless_told_otherwise(given: bool | None, parallel: bool) -> None:
    assert ToolChoice.parse("auto", TOOLS, given).parallel is parallel


def test_tool_choice_is_none_without_tools() -> None:
    assert ToolChoice.parse(None, ToolSet()).mode == "none"
    assert ToolChoice.parse("none", ToolSet()).mode == "none"


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("any", "tool_choice"),
        (1, "tool_choice"),
        ({}, "tool_choice"),
        ({"type": "function"}, "tool_choice.function.name"),
        (named(3), "tool_choice.function.name"),
        (named("h"), "tool_choice.function.name"),
        ({"type": "allowed_tools"}, "tool_choice.allowed_tools"),
        (narrowed("none", "f"), "tool_choice.allowed_tools.mode"),
        (narrowed("auto"), "tool_choice.allowed_tools.tools"),
        (narrowed("auto", "f", "h"), "tool_choice.allowed_tools.tools[1].function.name"),
        (
            {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": ["f"]}},
            "tool_choice.allowed_tools.tools[0]",
        ),
    ],
)
def test_tool_choice_refuses_with_the_path(value: object, path: str) -> None:
    with pytest.raises(InvalidToolChoiceError) as caught:
        ToolChoice.parse(value, TOOLS)
    assert caught.value.path == path


@pytest.mark.parametrize("value", ["auto", "required", named("f")])
def test_tool_choice_needs_tools(value: object) -> None:
    with pytest.raises(InvalidToolChoiceError):
        ToolChoice.parse(value, ToolSet())
