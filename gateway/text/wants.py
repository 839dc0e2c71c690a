"""What a chat template wants of a conversation, found by rendering samples of everything that clients send."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Message = dict[str, Any]
Render = Callable[[Sequence[Message]], str | None]
"""The prompt of a conversation; None where the template refuses it or fails on it."""

_FIRST, _SECOND, _NAME, _VALUE = "Alder", "Birch", "cedar_tool", "Dogwood"
_ID = "call12345"
_OTHER_WORD = "hazel"
_USER: Message = {"role": "user", "content": "Elm"}
_SAID: Message = {"role": "assistant", "content": "Fir"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wants:
    """How a conversation has to be given to a template.

    Attributes:
        arguments: Those of earlier calls are objects, or the JSON text of them.
        content: Text, or a list of parts.
        system: Messages of the system may stand anywhere, or one at the start alone, or are none and become the user's.
        takes_turns: Neighbours of one role are one message.
        names_results: A tool's result tells the tool's name.
        calls_alone: Each call is a message of its own, with its result behind it.
        answers_results: A tool's result has an answer, be it empty, before the user goes on.
        user: Nothing need be the user's, or something, or what is said first, the system aside.
    """

    arguments: Literal["objects", "text"] = "objects"
    content: Literal["text", "parts"] = "text"
    system: Literal["anywhere", "first", "none"] = "anywhere"
    takes_turns: bool = False
    names_results: bool = False
    calls_alone: bool = False
    answers_results: bool = False
    user: Literal["optional", "needed", "first"] = "optional"

    @classmethod
    def of(cls, render: Render) -> Wants:
        """What the template wants, as its prompts show."""
        content: Literal["text", "parts"] = "text"
        if not _shows(render([_says("user", _FIRST)]), _FIRST):
            parts = [{"type": "text", "text": _FIRST}]
            content = "parts" if _shows(render([{"role": "user", "content": parts}]), _FIRST) else "text"
        given = render if content == "text" else lambda messages: render([_in_parts(each) for each in messages])
        arguments = _arguments(given)
        return cls(
            arguments=arguments,
            content=content,
            system=_system(given),
            takes_turns=given([_USER, _USER]) is None and given([_USER, _SAID, _USER]) is not None,
            names_results=_names_results(given, arguments),
            calls_alone=given(_calling(arguments, 2)) is None and given(_calling(arguments, 1)) is not None,
            answers_results=_answers_results(given, arguments),
            user=_user(given),
        )


def _says(role: str, text: str) -> Message:
    return {"role": role, "content": text}


def _in_parts(message: Message) -> Message:
    return {**message, "content": [{"type": "text", "text": message["content"]}]}


def _shows(prompt: str | None, *texts: str) -> bool:
    return prompt is not None and all(text in prompt for text in texts)


def _calling(arguments: str, num_calls: int) -> list[Message]:
    given: Any = {"city": _VALUE} if arguments == "objects" else f'{{"city": "{_VALUE}"}}'
    ids = [f"{_ID[:-1]}{index}" for index in range(num_calls)]
    calls = [{"id": id, "type": "function", "function": {"name": _NAME, "arguments": given}} for id in ids]
    results = [{"role": "tool", "content": "Elder", "tool_call_id": id, "name": _NAME} for id in ids]
    return [_USER, {"role": "assistant", "content": "", "tool_calls": calls}, *results]


def _arguments(render: Render) -> Literal["objects", "text"]:
    """Objects, unless the template fails on them or writes them as Python does, and does better with text."""
    objects = render(_calling("objects", 1))
    if _shows(objects, _VALUE) and "'city': " not in (objects or ""):
        return "objects"
    text = render(_calling("text", 1))
    return "text" if _shows(text, _VALUE) and '\\"city' not in (text or "") else "objects"


def _system(render: Render) -> Literal["anywhere", "first", "none"]:
    first, second = _says("system", _FIRST), _says("system", _SECOND)
    if not _shows(render([first, _USER]), _FIRST):
        return "none" if _shows(render([_USER]), _USER["content"]) else "anywhere"
    is_late = _shows(render([first, _USER, _SAID, second, _USER]), _FIRST, _SECOND)
    return "anywhere" if is_late and _shows(render([first, second, _USER]), _FIRST, _SECOND) else "first"


def _answers_results(render: Render, arguments: str) -> bool:
    asked = _calling(arguments, 1)
    return render([*asked, _USER]) is None and render([*asked, _says("assistant", ""), _USER]) is not None


def _user(render: Render) -> Literal["optional", "needed", "first"]:
    if render([_SAID, _USER]) is None and render([_USER, _SAID, _USER]) is not None:
        return "first"
    first = _says("system", _FIRST)
    return "needed" if not _shows(render([first]), _FIRST) and _shows(render([first, _USER]), _FIRST) else "optional"


def _names_results(render: Render, arguments: str) -> bool:
    """Whether it needs the name: it fails without, or leaves the place for it empty."""
    other = "juniper_tool"
    named = _calling(arguments, 1)
    named[-1] = {**named[-1], "name": other}
    unnamed = [*named[:-1], {key: value for key, value in named[-1].items() if key != "name"}]
    with_name, without = render(named), render(unnamed)
    if with_name is None or other not in with_name:
        return False
    return without is None or "None" in without or with_name.replace(other, "") == without


def known_words(words: Sequence[str], source: str, render: Callable[[str], str | None]) -> tuple[str, ...]:
    """Those of some words that a template knows, and does not refuse or take for another.

    Args:
        source: Of the template. A word of which its prompts show nothing is known if it is spelled out there.
        render: The prompt with a word as a variable; None where the template refuses it.
    """
    other = render(_OTHER_WORD)
    prompts = {word: render(word) for word in words}
    spelled = {word for word in words if f"'{word}'" in source or f'"{word}"' in source}
    return tuple(
        word for word, prompt in prompts.items() if prompt is not None and (prompt != other or word in spelled)
    )
