"""`portcullis inspect`: how a model writes calls and thoughts, why that is believed, and what a prompt looks like."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateway.service.model.folder import ModelFolder
    from gateway.service.model.recognition import Recognized
    from gateway.text import ChatTemplate
    from tools.detection import Finding
    from tools.formats import Format
    from tools.reasoning import Reasoning

NAME = "inspect"
HELP = "say how a model writes tool calls and reasoning, and why; no weights are loaded"
EXAMPLE = "portcullis inspect Qwen/Qwen3-0.6B"

_MOST_OTHERS = 3


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", nargs="?", help="its folder, file or name; may be left out with a format")
    taken = "take this format, by name or from a TOML file, instead of the one that is detected"
    parser.add_argument("--format", "--tool-format", metavar="NAME|FILE", dest="tool_format", help=taken)
    parser.add_argument(
        "--reasoning-format", metavar="NAME|FILE", default="auto", help="the same for reasoning; `none`: no reasoning"
    )


def run(arguments: Namespace) -> int:
    """Print the report; 0 when the model is of a known family, 1 when it is of none."""
    from gateway.errors import ConfigError
    from gateway.service.model.folder import ModelFolder, locate
    from gateway.service.model.recognition import named, recognized
    from gateway.text import ChatTemplate

    if arguments.model is None:
        if arguments.tool_format is None:
            raise ConfigError("a model, or a format, expected")
        told_of = named(arguments.tool_format)
        print("\n".join((f"tool format       {told_of.format.name}", *_reasoning(told_of.reasoning))))
        print("\n".join(_call(told_of.format)))
        return 0
    folder = ModelFolder.open(locate(arguments.model))
    source = folder.tools_template or folder.chat_template
    template = None if source is None else ChatTemplate(source, folder.special_tokens)
    told = recognized(folder, template, arguments.tool_format, arguments.reasoning_format)
    print("\n".join(_report(folder, template, told)))
    return 0 if template is not None and told.best is not None else 1


def _report(folder: ModelFolder, template: ChatTemplate | None, told: Recognized) -> Iterator[str]:
    yield f"model type        {folder.model_type or 'not told'}"
    if template is None:
        yield "chat template     none: completions are served, and nothing else"
        return
    names = "one for requests with tools, one for all others" if folder.tools_template else "one"
    yield f"chat template     {names}"
    yield from _of_tools(told)
    yield from _reasoning(told.reasoning)
    wants = template.requirements
    yield f"conversations     {', '.join(f'{name}={getattr(wants, name)}' for name in wants.__dataclass_fields__)}"
    yield from _sample(template, told)


def _reasoning(reasoning: Reasoning | None) -> Iterator[str]:
    marks = f" ({reasoning.begin.strip()!r} to {reasoning.end.strip()!r})" if reasoning and reasoning.thinks else ""
    yield f"reasoning format  {reasoning.name if reasoning else 'none'}{marks}"


def _of_tools(told: Recognized) -> Iterator[str]:
    best, spec = told.best, told.tool_format
    assert spec is not None, "there is a chat template"
    if best is None:
        yield f"tool format       {spec.name}, told in words: the model is of no known family"
    else:
        yield f"tool format       {_found(best)}"
    for other in told.others[:_MOST_OTHERS]:
        yield f"  and not         {_found(other)}"
        if other.contradiction:
            yield f"    but the template writes {other.contradiction!r}"


def _found(found: Finding) -> str:
    return f"{found.format.name}, score {found.score}: {'; '.join(found.reasons) or 'nothing speaks for it'}"


def _sample(template: ChatTemplate, told: Recognized) -> Iterator[str]:
    from gateway.service.model.recognition import TOOL, TOOLS, sample_messages
    from gateway.service.request.tools_in_prompt import with_tools_as_text

    spec = told.tool_format
    assert spec is not None, "there is a chat template"
    messages, declared = sample_messages(spec), [TOOL]
    if not spec.is_known_to(template.variables):
        messages, declared = with_tools_as_text(messages, TOOLS, spec), []
    prompt = template.prompt(messages, declared)
    yield f"\na prompt with a tool, a call of it and its result:\n{prompt}"
    if told.reasoning is not None:
        yield f"\nof reasoning it says: {told.reasoning.opening(prompt)}"
    yield from _call(spec)


def _call(spec: Format) -> Iterator[str]:
    from gateway.service.model.recognition import NAME as TOOL_NAME
    from gateway.service.model.recognition import TOOLS
    from tools.calls import ToolCall

    call = spec.render([ToolCall("", TOOL_NAME, '{"city": "Zaragoza", "days": 3}')], TOOLS)
    yield f"\na call begins with one of {list(spec.beginnings(TOOLS))}, and looks so:\n{call}"
