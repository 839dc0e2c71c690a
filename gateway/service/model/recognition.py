"""Recognition of the formats in which a model writes tool calls and reasoning."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from gateway.errors import ConfigError, ModelLoadError
from gateway.service.model.folder import ModelFolder
from gateway.text import ChatTemplate
from tools.calls import ToolCall
from tools.detection import Evidence, Finding, Rendering, finding, findings
from tools.errors import InvalidFormatError, UnknownFormatError, UnknownReasoningError
from tools.format_file import FormatFile, load_format, load_reasoning
from tools.formats import FALLBACK, Format, get_format
from tools.formats.ids import kimi_id, nine_of, with_known_ids
from tools.reasoning import Reasoning, detect_reasoning, get_reasoning
from tools.toolset import ToolSet

NAME = "find_city_tool"
TOOL = {
    "type": "function",
    "function": {
        "name": NAME,
        "description": "Finds a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
            "required": ["city", "days"],
        },
    },
}
"""Sample tool, with a name that no template contains."""

TOOLS = ToolSet.from_openai([TOOL])
_VALUES = ("Zaragoza", "Yokohama")
_DAYS = ', "days": 3'
_USER = {"role": "user", "content": "Where?"}
_SAID = "Reykjavik"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognized:
    """Formats of a model, and the evidence for them.

    Attributes:
        tool_format: None without a chat template.
        reasoning: None where the model marks no reasoning.
        best: Evidence for the tool format; None where it is the fallback.
        others: Other formats with some evidence, the best first.
    """

    tool_format: Format | None
    reasoning: Reasoning | None
    best: Finding | None = None
    others: tuple[Finding, ...] = ()


def recognized(
    folder: ModelFolder, template: ChatTemplate | None, tool_format: str | None, reasoning_format: str
) -> Recognized:
    """Return the formats of the model in a folder.

    Args:
        template: Template for requests with tools.
        tool_format: Name of a format, or path of a TOML file that describes one; None detects it.
        reasoning_format: The same for reasoning; `auto` takes that of the tool format's file or detects it, `none` has
            none.

    Raises:
        ModelLoadError: There is no format of this name, or the template writes calls in another one.
    """
    wished = None if tool_format is None else named(tool_format)
    reasoning = _reasoning(reasoning_format, folder.every_template)
    if wished is not None and wished.reasoning is not None and reasoning_format == "auto":
        reasoning = wished.reasoning
    if template is None:
        return Recognized(tool_format=None if wished is None else wished.format, reasoning=reasoning)
    evidence = evidence_of(folder, template)
    if wished is None:
        found = findings(evidence)
        best = found[0] if found and found[0].is_enough else None
        others = tuple(found if best is None else found[1:])
        spec = get_format(FALLBACK) if best is None else best.format
        return Recognized(tool_format=spec, reasoning=reasoning, best=best, others=others)
    spec = wished.format
    own = finding(spec, evidence)
    if own.contradiction and spec.is_known_to(template.variables):
        written = evidence.renderings[0].calls
        raise ModelLoadError(
            f"the model's chat template does not write calls in the format {spec.name}: of a past call it makes "
            f"{own.contradiction[:300]!r}, the format {spec.render(written, TOOLS)[:300]!r}"
        )
    return Recognized(tool_format=spec, reasoning=reasoning, best=own)


def evidence_of(folder: ModelFolder, template: ChatTemplate) -> Evidence:
    """Return the evidence of a model's files for tool formats."""
    return Evidence(
        template=template.source,
        tokens=frozenset(token.content for token in folder.tokenizer.get_added_tokens_decoder().values()),
        model_type=folder.model_type,
        tools=TOOLS,
        renderings=_renderings(template),
    )


def sample_messages(spec: Format) -> list[dict[str, Any]]:
    """Return a conversation with a call and its result, with ids in the format's form."""
    call = _call("call_0", _VALUES[0])
    messages = [_USER, _turn((call,)), {"role": "tool", "tool_call_id": call.id, "content": "found"}]
    return [dict(message) for message in with_known_ids(messages, spec.known_id)]


def _renderings(template: ChatTemplate) -> tuple[Rendering, ...]:
    """Return the template's renderings of a turn with one call, and of one with two where it supports that.

    Also with a single argument: some templates write no separator between two.
    """
    found = []
    before, said, _ = _rendered(template, {"role": "assistant", "content": _SAID}).partition(_SAID)
    for num_calls in (1, 2):
        for kind, more in ((nine_of, _DAYS), (lambda id: kimi_id(NAME, int(id[-1])), _DAYS), (nine_of, "")):
            calls = tuple(_call(kind(f"call_{index}"), value, more) for index, value in enumerate(_VALUES[:num_calls]))
            text = _rendered(template, _turn(calls)) if num_calls == 1 or not template.requirements.calls_alone else ""
            if text and all(value in text for value in (NAME, *_VALUES[:num_calls])):
                answer = text.removeprefix(before) if said and text.startswith(before) else ""
                found.append(Rendering(calls=calls, text=text, answer=answer))
    return tuple(found)


def _call(id: str, value: str, more: str = _DAYS) -> ToolCall:
    return ToolCall(id, NAME, f'{{"city": "{value}"{more}}}')


def _rendered(template: ChatTemplate, turn: dict[str, Any]) -> str:
    """Return the text that the template renders for this turn."""
    before = template.told([_USER], [TOOL])
    after = template.told([_USER, turn], [TOOL])
    if before is None or after is None:
        return ""
    same = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), len(before))
    return after[same:]


def _turn(calls: tuple[ToolCall, ...]) -> dict[str, Any]:
    calls_made = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": json.loads(call.arguments)}}
        for call in calls
    ]
    return {"role": "assistant", "content": "", "tool_calls": calls_made}


def check_names(tool_format: str | None, reasoning_format: str) -> None:
    """Return if there are formats of these names, for any model.

    Raises:
        ConfigError: Names the setting whose format is unknown, and those that are known.
    """
    for setting, check in (
        ("model.tool_format", lambda: None if tool_format is None else named(tool_format)),
        ("model.reasoning_format", lambda: _reasoning(reasoning_format, "")),
    ):
        try:
            check()
        except ModelLoadError as error:
            raise ConfigError(f"'{setting}': {error.message}") from error


def named(name: str) -> FormatFile:
    """Return the format of this name, or of this TOML file.

    Raises:
        ModelLoadError: There is no such format, or the file is invalid.
    """
    try:
        return load_format(name) if name.endswith(".toml") else FormatFile(get_format(name), None)
    except (UnknownFormatError, InvalidFormatError) as error:
        raise ModelLoadError(str(error)) from error


def _reasoning(name: str, template: str | None) -> Reasoning | None:
    if name == "none" or template is None:
        return None
    try:
        if name.endswith(".toml"):
            return load_reasoning(name)
        return detect_reasoning(template) if name == "auto" else get_reasoning(name)
    except (UnknownReasoningError, InvalidFormatError) as error:
        raise ModelLoadError(str(error)) from error
