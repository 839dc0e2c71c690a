"""Cohere's Command R and R+: a fenced array of calls."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.json_call import JsonCall
from tools.formats.reading.frame import Frame
from tools.formats.reading.text import quoted


@dataclass(frozen=True, slots=True)
class ActionCall(JsonCall):
    """An object with its members on lines."""

    def closing(self) -> str:
        """Return the text after the arguments."""
        return "\n    }"

    def _parts(self, name: str) -> tuple[str, str]:
        named = f'"{self.name_key}": {quoted(name)}'
        return "", f'{{\n        {named},\n        "{self.arguments_key}": '


_ACTION = Block(
    section=Frame(("Action: ```json", "\n", "[", "\n    "), ("\n", "]", "```")),
    body=ActionCall("tool_name", "parameters", (), nothing="directly_answer"),
    separator=",\n    ",
)

COMMAND_R = Format(
    name="command_r",
    native=_ACTION,
    variants=(replace(_ACTION, section=Frame(("Action:\n```json", "["), ("]", "```"))),),
    aliases=("command-r", "command-r-plus", "command_r_plus"),
    signs=(TemplateMarkers(("Action:", "```json", "tool_name"), ("<|START_ACTION|>",)),),
)
