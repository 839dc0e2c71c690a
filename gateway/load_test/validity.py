"""Check of an answer against what its request demands, independent of the server's own."""

from __future__ import annotations

from typing import Any, NamedTuple

from gateway.load_test.client import Answer
from gateway.load_test.prompts import Prompt
from gateway.verify import Verifier


class Tool(NamedTuple):
    """Declared tool."""

    name: str
    arguments_schema: dict[str, Any] | bool


class Call(NamedTuple):
    """Tool call of an answer; `arguments` is JSON text."""

    name: str
    arguments: str


class Validity:
    """Verifier of answers to chat completions with `response_format` or `tools`."""

    def __init__(self) -> None:
        self._verifier = Verifier()

    def check(self, prompt: Prompt) -> None:
        """Raise `GatewayError` if answers to a prompt could not be verified."""
        for schema in (_schema(prompt.body), *(tool.arguments_schema for tool in _tools(prompt.body))):
            if schema is not None:
                self._verifier.check_schema(schema)

    def fault(self, prompt: Prompt, answer: Answer) -> str | None:
        """Return the reason for which an answer is not valid; `""` if it is, None if its request demands nothing."""
        body, tools = prompt.body, _tools(prompt.body)
        shape = (body.get("response_format") or {}).get("type", "text")
        if not tools and shape == "text":
            return None
        if answer.error is not None:
            return answer.error
        fault = self._text_fault(body, tools, shape, answer)
        # An answer may be complete at the very end of its budget.
        return "the answer is cut off" if fault and answer.finish_reason == "length" else fault

    def _text_fault(self, body: dict[str, Any], tools: list[Tool], shape: str, answer: Answer) -> str:
        if answer.calls:
            made = [Call(*call) for _, call in sorted(answer.calls.items())]
            return self._verifier.verify_tool_calls(tools, made).reason or ""
        if tools and body.get("tool_choice", "auto") not in ("auto", "none"):
            return "no tool is called"
        if shape == "text":
            return ""
        return self._verifier.verify_json(_schema(body), answer.text).reason or ""


def _schema(body: dict[str, Any]) -> Any:
    return ((body.get("response_format") or {}).get("json_schema") or {}).get("schema")


def _tools(body: dict[str, Any]) -> list[Tool]:
    functions = [each["function"] for each in body.get("tools") or () if each.get("type") == "function"]
    return [Tool(each["name"], each.get("parameters") or True) for each in functions]
