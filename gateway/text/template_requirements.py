"""Requirements of a chat template on conversations, found by rendering samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Message = dict[str, Any]
Tools = Sequence[Mapping[str, Any]]
Render = Callable[[Sequence[Message], Tools], str | None]
"""Returns the prompt of a conversation; None if the template refuses or fails."""

Given = Callable[..., str | None]
"""Renders content in the form that the template takes; tools are optional."""

_FIRST, _SECOND, _NAME, _VALUE, _OTHER_VALUE = "Alder", "Birch", "cedar_tool", "Dogwood", "Holly"
_ID = "call12345"
_OTHER_WORD = "hazel"
_USER: Message = {"role": "user", "content": "Elm"}
_SAID: Message = {"role": "assistant", "content": "Fir"}
_RESULT = "Elder"
_NO_TOOLS: Tools = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateRequirements:
    """Requirements of a chat template on conversations.

    Attributes:
        arguments: Arguments of earlier calls: objects, or their JSON text.
        content: Text, or a list of parts.
        shows_images: Images are shown, in a list of parts.
        system: System messages: anywhere, one at the start only, or none (they become part of the user's).
        needs_system: A message of the system, be it empty, comes first.
        takes_turns: Neighbours of one role are one message.
        names_results: Tool results carry the tool's name.
        tools: Declarations are as OpenAI has them, or the functions alone, or none is shown.
        describes: Every parameter has a description.
        shows_calls: Earlier calls are shown; in other templates they have to be a part of the content.
        shows_results: So are their results; in other templates they have to be the user's.
        calls_alone: Each call is a message of its own, followed by its result.
        thinks_or_says: A message with calls has either reasoning or text.
        tells_thoughts: Reasoning may accompany text; other templates drop the text then.
        says_something: No message of the assistant's is empty.
        answers_results: A tool's result has an answer, be it empty, before the user goes on.
        user: User messages: optional, at least one, or the first message after the system's.
    """

    arguments: Literal["objects", "text"] = "objects"
    content: Literal["text", "parts"] = "text"
    shows_images: bool = False
    system: Literal["anywhere", "first", "none"] = "anywhere"
    needs_system: bool = False
    takes_turns: bool = False
    names_results: bool = False
    tools: Literal["declarations", "functions", "none"] = "declarations"
    describes: bool = False
    shows_calls: bool = True
    shows_results: bool = True
    calls_alone: bool = False
    thinks_or_says: bool = False
    tells_thoughts: bool = True
    says_something: bool = False
    answers_results: bool = False
    user: Literal["optional", "needed", "first"] = "optional"

    @classmethod
    def of(cls, render: Render) -> TemplateRequirements:
        """Return the requirements of the template behind `render`."""
        content: Literal["text", "parts"] = "text"
        if not _shows(render([_says("user", _FIRST)], _NO_TOOLS), _FIRST):
            parts = [{"type": "text", "text": _FIRST}]
            told = render([{"role": "user", "content": parts}], _NO_TOOLS)
            content = "parts" if _shows(told, _FIRST) else "text"

        nothing = _says("system", "")
        needs_system = render([_USER], _NO_TOOLS) is None and _shows(render([nothing, _USER], _NO_TOOLS), "Elm")

        def given(messages: Sequence[Message], tools: Tools = _NO_TOOLS) -> str | None:
            if needs_system and messages[0]["role"] != "system":
                messages = [nothing, *messages]
            return render(messages if content == "text" else [_in_parts(each) for each in messages], tools)

        arguments = _arguments(given)
        tools = _tools(given)
        declared = [_tool(tools, "Of trees.")]
        one, two = (_either(given, _calling(arguments, number), declared) for number in (1, 2))
        shows_calls = _shows(one, _NAME, _VALUE)
        result = {"role": "tool", "content": _RESULT, "tool_call_id": _ID, "name": _NAME}
        after = one if shows_calls else _either(given, [_USER, _SAID, result], declared)
        return cls(
            arguments=arguments,
            content=content,
            shows_images=_shows_images(render),
            system=_system(given),
            needs_system=needs_system,
            takes_turns=given([_USER, _USER]) is None and given([_USER, _SAID, _USER]) is not None,
            names_results=_names_results(given, arguments),
            tools=tools,
            describes=given([_USER], [_tool(tools, None)]) is None and given([_USER], declared) is not None,
            shows_calls=shows_calls,
            shows_results=_shows(after, _RESULT),
            calls_alone=shows_calls and not _shows(two, _VALUE, _OTHER_VALUE),
            thinks_or_says=shows_calls and _thinks_or_says(given, arguments),
            tells_thoughts=_tells_thoughts(given),
            says_something=given([_USER, _says("assistant", ""), _USER]) is None
            and given([_USER, _SAID, _USER]) is not None,
            answers_results=_answers_results(given, arguments),
            user=_user(given),
        )


USUAL = TemplateRequirements()
"""Requirements of most templates."""


def _says(role: str, text: str) -> Message:
    return {"role": role, "content": text}


def _in_parts(message: Message) -> Message:
    return {**message, "content": [{"type": "text", "text": message["content"]}]}


def _shows_images(render: Render) -> bool:
    text = {"type": "text", "text": _FIRST}
    without, told = (
        render([{"role": "user", "content": parts}], _NO_TOOLS) for parts in ([text], [{"type": "image"}, text])
    )
    return _shows(without, _FIRST) and _shows(told, _FIRST) and told != without


def _shows(prompt: str | None, *texts: str) -> bool:
    return prompt is not None and all(text in prompt for text in texts)


def _calling(arguments: str, num_calls: int) -> list[Message]:
    calls: list[Message] = []
    for index, value in enumerate((_VALUE, _OTHER_VALUE)[:num_calls]):
        given: Any = {"city": value} if arguments == "objects" else f'{{"city": "{value}"}}'
        id = f"{_ID[:-1]}{index}"
        calls.append({"id": id, "type": "function", "function": {"name": _NAME, "arguments": given}})
    results = [{"role": "tool", "content": _RESULT, "tool_call_id": call["id"], "name": _NAME} for call in calls]
    return [_USER, {"role": "assistant", "content": "", "tool_calls": calls}, *results]


def _tool(kind: str, description: str | None) -> Mapping[str, Any]:
    """Return a declaration whose parameter has a description, or none."""
    value = {"type": "string"} if description is None else {"type": "string", "description": description}
    parameters = {"type": "object", "properties": {"city": value}, "required": ["city"]}
    function = {"name": _NAME, "description": "Finds.", "parameters": parameters}
    return function if kind == "functions" else {"type": "function", "function": function}


def _tools(render: Given) -> Literal["declarations", "functions", "none"]:
    told: Sequence[Sequence[Message]] = ([_USER], [_says("system", _FIRST), _USER])
    kinds: Sequence[Literal["declarations", "functions"]] = ("declarations", "functions")
    for kind in kinds:
        if any(_shows(render(messages, [_tool(kind, "Of trees.")]), _NAME) for messages in told):
            return kind
    return "none"


def _either(render: Given, messages: Sequence[Message], tools: Tools) -> str | None:
    """Return the prompt with tools, or without if the template fails on them."""
    beside = render(messages, tools)
    return beside if beside is not None else render(messages)


def _tells_thoughts(render: Given) -> bool:
    said = {**_SAID, "thinking": _FIRST, "reasoning_content": _FIRST}
    is_lost = not _shows(render([_USER, said, _USER]), _SAID["content"])
    return not (is_lost and _shows(render([_USER, _SAID, _USER]), _SAID["content"]))


def _thinks_or_says(render: Given, arguments: str) -> bool:
    user, turn, result = _calling(arguments, 1)
    thought = {**turn, "thinking": _FIRST, "reasoning_content": _FIRST}
    return (
        render([user, {**thought, "content": _SECOND}, result]) is None and render([user, thought, result]) is not None
    )


def _arguments(render: Given) -> Literal["objects", "text"]:
    """Return "objects", unless the template fails on them or writes Python literals, and does better with text."""
    objects = render(_calling("objects", 1))
    if _shows(objects, _VALUE) and "'city': " not in (objects or ""):
        return "objects"
    text = render(_calling("text", 1))
    return "text" if _shows(text, _VALUE) and '\\"city' not in (text or "") else "objects"


def _system(render: Given) -> Literal["anywhere", "first", "none"]:
    first, second = _says("system", _FIRST), _says("system", _SECOND)
    if not _shows(render([first, _USER]), _FIRST):
        return "none" if _shows(render([_USER]), _USER["content"]) else "anywhere"
    is_late = _shows(render([first, _USER, _SAID, second, _USER]), _FIRST, _SECOND)
    return "anywhere" if is_late and _shows(render([first, second, _USER]), _FIRST, _SECOND) else "first"


def _answers_results(render: Given, arguments: str) -> bool:
    asked = _calling(arguments, 1)
    return render([*asked, _USER]) is None and render([*asked, _says("assistant", ""), _USER]) is not None


def _user(render: Given) -> Literal["optional", "needed", "first"]:
    if render([_SAID, _USER]) is None and render([_USER, _SAID, _USER]) is not None:
        return "first"
    first = _says("system", _FIRST)
    return "needed" if not _shows(render([first]), _FIRST) and _shows(render([first, _USER]), _FIRST) else "optional"


def _names_results(render: Given, arguments: str) -> bool:
    """True if results need the tool's name: without it the template fails or leaves a gap."""
    other = "juniper_tool"
    named = _calling(arguments, 1)
    named[-1] = {**named[-1], "name": other}
    unnamed = [*named[:-1], {key: value for key, value in named[-1].items() if key != "name"}]
    with_name, without = render(named), render(unnamed)
    if with_name is None or other not in with_name:
        return False
    return without is None or "None" in without or with_name.replace(other, "") == without


def known_words(words: Sequence[str], source: str, render: Callable[[str], str | None]) -> tuple[str, ...]:
    """Return the words that a template knows: it neither refuses them nor treats them as another.

    Args:
        source: Source of the template. A word without effect on the prompt is known if it occurs there in quotes.
        render: The prompt with a word as a variable; None where the template refuses it.
    """
    other = render(_OTHER_WORD)
    prompts = {word: render(word) for word in words}
    spelled = {word for word in words if f"'{word}'" in source or f'"{word}"' in source}
    return tuple(
        word for word, prompt in prompts.items() if prompt is not None and (prompt != other or word in spelled)
    )
