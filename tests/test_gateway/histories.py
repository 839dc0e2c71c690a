"""Conversations with calls, and the chat templates that render them."""

from datetime import datetime
from functools import cache
from typing import Any

import msgspec
from family_shapes import SHAPES, template_of
from family_templates import FAMILIES

from gateway.api.openai.messages import template_message
from gateway.api.openai.requests import MessageIn
from gateway.text import ChatTemplate

TEMPLATES = FAMILIES | {name: template_of(shape) for name, shape in SHAPES.items()}


FORMATS = {"mistral": "mistral"} | {name: shape.format for name, shape in SHAPES.items()}


SPECIAL = {"bos_token": "<s>", "eos_token": "</s>"}


NOW = datetime(2031, 5, 1)


def call(id: str = "call_1", city: str = "Bern", name: str = "get_weather") -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": f'{{"city": "{city}"}}'}}


USER = {"role": "user", "content": "Weather in Bern, <b>please</b>?"}


RESULT = {"role": "tool", "tool_call_id": "call_1", "content": "12 degrees"}


CALLING = {"role": "assistant", "content": None, "tool_calls": [call()]}


THOUGHTFUL = {"role": "assistant", "content": "Let me look.", "reasoning_content": "A tool.", "tool_calls": [call()]}


WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Of a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


BARE = {"type": "function", "function": {"name": "get_weather"}}


EMPTY = {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}


# name -> (messages, tools, texts that the prompt shows)
HISTORIES: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]], list[str]]] = {
    "plain": ([USER], [], ["<b>please</b>"]),
    "system": ([{"role": "system", "content": "Be brief."}, USER], [], ["Be brief.", "Bern"]),
    "turns": (
        [USER, {"role": "assistant", "content": "Mild."}, {"role": "user", "content": "More"}],
        [],
        ["Mild", "More"],
    ),
    "null-content": ([USER, CALLING, RESULT], [WEATHER], ["get_weather", "12 degrees"]),
    "no-content": (
        [USER, {"role": "assistant", "tool_calls": [call()]}, RESULT],
        [WEATHER],
        ["get_weather", "Bern", "12 degrees"],
    ),
    "text-and-call": ([USER, THOUGHTFUL, RESULT], [WEATHER], ["get_weather", "12 degrees"]),
    "parallel": (
        [
            USER,
            {"role": "assistant", "content": None, "tool_calls": [call(), call("call_2", "Lima")]},
            RESULT,
            {"role": "tool", "tool_call_id": "call_2", "content": "21 degrees"},
        ],
        [WEATHER],
        ["Bern", "Lima", "12 degrees", "21 degrees"],
    ),
    "systems": (
        [
            {"role": "system", "content": "Be brief."},
            {"role": "system", "content": "Be kind."},
            USER,
            {"role": "assistant", "content": "Mild."},
            {"role": "system", "content": "Be slow."},
            {"role": "user", "content": "More"},
        ],
        [],
        ["Be brief.", "Be kind.", "Be slow.", "Mild.", "More"],
    ),
    "developer": ([{"role": "developer", "content": "Be brief."}, USER], [WEATHER], ["Be brief.", "Bern"]),
    "parts": (
        [
            {"role": "user", "content": [{"type": "text", "text": "Weather?"}, {"type": "text", "text": "Now."}]},
            CALLING,
            {**RESULT, "content": [{"type": "text", "text": "12"}, {"type": "text", "text": "degrees"}]},
        ],
        [WEATHER],
        ["Weather?", "Now.", "12", "degrees"],
    ),
    "bare-tools": ([USER], [BARE, {**EMPTY, "function": {**EMPTY["function"], "name": "other"}}], ["Bern"]),
    "system-alone": ([{"role": "system", "content": "Be brief."}], [], ["Be brief."]),
    "developer-alone": ([{"role": "developer", "content": "Call."}], [WEATHER], ["Call.", "get_weather"]),
    "greeting": (
        [{"role": "system", "content": "Be brief."}, {"role": "assistant", "content": "Hello!"}, USER],
        [],
        ["Be brief.", "Hello!", "Bern"],
    ),
    "assistants": (
        [USER, {"role": "assistant", "content": "Mild."}, {"role": "assistant", "content": "And dry."}, USER],
        [],
        ["Mild.", "And dry."],
    ),
    "said-last": ([USER, {"role": "assistant", "content": "It is"}], [], ["Bern", "It is"]),
    "named-and-empty": (
        [{**USER, "name": "bob"}, {"role": "assistant", "content": ""}, {"role": "user", "content": "More"}],
        [],
        ["Bern", "More"],
    ),
    "asked-amid-calls": (
        [USER, CALLING, RESULT, CALLING, RESULT, {"role": "user", "content": "More"}, THOUGHTFUL, RESULT],
        [WEATHER],
        ["get_weather", "More", "12 degrees"],
    ),
    "system-amid-calls": (
        [USER, CALLING, RESULT, {"role": "system", "content": "Be slow."}],
        [WEATHER],
        ["Be slow.", "12 degrees"],
    ),
    "nobody-asked": ([CALLING, RESULT], [WEATHER], ["get_weather", "12 degrees"]),
    "users": ([USER, {"role": "user", "content": "Please."}], [], ["Bern", "Please."]),
}


@cache
def made(source: str) -> ChatTemplate:
    """A template, once for all tests: to make one takes as long as a dozen prompts."""
    return ChatTemplate(source, SPECIAL, now=lambda: NOW)


def wired(given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Messages as they come out of OpenAI's dialect."""
    wire = [msgspec.convert(message, MessageIn) for message in given]
    return [template_message(message, f"messages[{index}]") for index, message in enumerate(wire)]
