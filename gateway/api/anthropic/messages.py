"""Content blocks as messages for chat templates, and ids of calls in Anthropic's form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from gateway.api.anthropic.documents import DOCUMENT, document_of
from gateway.api.anthropic.requests import BlockIn, MessageIn, PromptFields, TextIn
from gateway.core.documents import Document
from gateway.core.ignored_fields import note_ignored, placeholder
from gateway.core.images import IMAGE_MARK, ImageInput
from gateway.core.parts import in_parts
from gateway.errors import InvalidRequestError

_PLAIN = re.compile(r"call_([A-Za-z0-9]+)")
_PREFIX = "toolu_"
_ENCODED = "toolu_id-"


REFERENCE = "tool_reference"
"""Type of blocks of a result that name a tool of the request."""


def to_wire(id: str) -> str:
    """Return the id in the form of Anthropic; `from_wire` reverses it. Clients allow letters, digits, `_` and `-`."""
    plain = _PLAIN.fullmatch(id)
    return _PREFIX + plain[1] if plain else _ENCODED + id.encode().hex()


def from_wire(id: str) -> str:
    """Return the id behind one of ours, others unchanged. Templates may know only the form of the model."""
    if id.startswith(_ENCODED):
        try:
            return bytes.fromhex(id.removeprefix(_ENCODED)).decode()
        except ValueError:
            return id
    rest = id.removeprefix(_PREFIX)
    return f"call_{rest}" if rest != id and rest.isascii() and rest.isalnum() else id


_BILLING = "x-anthropic-billing-header:"

Placed = tuple[BlockIn, str]
"""A block with its place in the body."""


def template_messages(body: PromptFields) -> tuple[tuple[dict[str, Any], ...], tuple[Document, ...]]:
    """Return the conversation as templates read it, with consecutive turns of one role joined; and its documents.

    Raises:
        UnsupportedParameterError: A block is of a type that is not served.
        InvalidRequestError: A block is incomplete, or not allowed at its place.
    """
    plain = _system(body.system)
    names: dict[str, str] = {}
    for role, turns in groupby(enumerate(body.messages), key=lambda turn: turn[1].role):
        blocks = [placed for index, message in turns for placed in _blocks(message, f"messages[{index}].content")]
        if role == "assistant":
            plain.append(_assistant(blocks, names))
        else:
            plain.extend(_said(role, blocks, names))
    given = [(index, each) for index, message in enumerate(plain) for each in message.pop("documents", ())]
    return tuple(plain), tuple(replace(each, message=index) for index, each in given)


def _system(given: str | list[TextIn] | None) -> list[dict[str, Any]]:
    content = given if isinstance(given, str) else in_parts(_read(given or []))
    return [{"role": "system", "content": content}] if content else []


def _read(system: Sequence[TextIn]) -> Iterator[str]:
    """Yield the texts meant for the model. Claude Code's billing header is dropped: it differs between conversations,
    so prompts would share no prefix in the cache."""
    for index, block in enumerate(system):
        text = _text(block, f"system[{index}]")
        if text.startswith(_BILLING):
            note_ignored(f"system[{index}] (billing header)")
        else:
            yield text


def _blocks(message: MessageIn, place: str) -> list[Placed]:
    if isinstance(message.content, str):
        return [(BlockIn("text", text=message.content), place)]
    return [(block, f"{place}[{index}]") for index, block in enumerate(message.content)]


def _assistant(blocks: list[Placed], names: dict[str, str]) -> dict[str, Any]:
    """Return the assistant's turn, and enter its calls into `names`, tool by id."""
    texts, thoughts, calls = [], [], []
    for block, place in blocks:
        _tell_cached(block)
        if block.type == "text":
            texts.append(_given(block.text, f"{place}.text"))
        elif block.type == "redacted_thinking":
            note_ignored(place)  # no other server can read it
        elif block.type == "thinking":
            thoughts.append(_given(block.thinking, f"{place}.thinking"))
        elif block.type == "tool_use":
            call = _call(block, place)
            names[call["id"]] = call["function"]["name"]
            calls.append(call)
        else:
            texts.append(placeholder(block.type, place))
    plain: dict[str, Any] = {"role": "assistant", "content": "".join(texts)}
    if any(thoughts):
        plain["reasoning_content"] = "".join(thoughts)
    if calls:
        plain["tool_calls"] = calls
    return plain


def _call(block: BlockIn, place: str) -> dict[str, Any]:
    function = {"name": _given(block.name, f"{place}.name"), "arguments": _given(block.input, f"{place}.input")}
    return {"id": from_wire(_given(block.id, f"{place}.id")), "type": "function", "function": function}


def _said(role: str, blocks: list[Placed], names: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the texts of one turn as one message; each tool result is a message of its own and splits them."""
    for is_result, run in groupby(blocks, key=lambda placed: placed[0].type == "tool_result"):
        if is_result and role == "user":
            yield from (_result(block, place, names) for block, place in run)
        else:
            yield _turn(role, list(run))
    if not blocks:
        yield {"role": role, "content": ""}


def _turn(role: str, blocks: list[Placed]) -> dict[str, Any]:
    """Return one message; a user's documents and images are apart from its text."""
    texts, documents, images = [], [], list[ImageInput]()
    for block, place in blocks:
        if block.type == DOCUMENT and role == "user":
            _tell_cached(block)
            documents.append(document_of(block, place))
        else:
            texts.append(_text(block, place, images))
    message = {"role": role, "content": in_parts(texts), "documents": documents, "images": images}
    return {name: value for name, value in message.items() if value or name == "content"}


def _text(block: BlockIn | TextIn, place: str, images: list[ImageInput] | None = None) -> str:
    """Return the block's text, or the mark of an image, which is added to `images`, or a placeholder."""
    _tell_cached(block)
    if block.type == "image" and images is not None:
        images.append(_image(block, place))
        return IMAGE_MARK
    if block.type == "text":
        text: str = _given(block.text, f"{place}.text")
        return text
    return placeholder(block.type, place)


def _image(block: BlockIn | TextIn, part: str) -> ImageInput:
    """Return the image of a block: base64 as a data URL."""
    source = block.source if isinstance(block.source, dict) else {}
    if source.get("type") != "base64":
        return ImageInput.of(block.type, part, ".source.url", source.get("url"))
    data = source.get("data")
    return ImageInput.of(block.type, part, ".source.data", f"data:;base64,{data}" if isinstance(data, str) else None)


def _tell_cached(block: BlockIn | TextIn) -> None:
    if block.cache_control is not None:
        note_ignored("cache_control")


def _result(block: BlockIn, place: str, names: dict[str, str]) -> dict[str, Any]:
    _tell_cached(block)
    given = _given(block.tool_use_id, f"{place}.tool_use_id")
    id = from_wire(given)
    if id not in names:
        raise InvalidRequestError(
            f"{place}.tool_use_id: no earlier tool_use block has the id {given[:100]!r}", param=f"{place}.tool_use_id"
        )
    images: list[ImageInput] = []
    content = (
        block.content if isinstance(block.content, str) else _joined(block.content or [], f"{place}.content", images)
    )
    # Templates know no failed calls; the text says it.
    text = f"Error: {content}" if block.is_error else content
    message = {"role": "tool", "tool_call_id": id, "name": names[id], "content": text}
    return {**message, "images": images} if images else message


def _joined(blocks: Sequence[TextIn], place: str, images: list[ImageInput]) -> str:
    return in_parts(_result_text(block, f"{place}[{index}]", images) for index, block in enumerate(blocks))


def _result_text(block: TextIn, place: str, images: list[ImageInput]) -> str:
    if block.type == REFERENCE:
        return f"The tool {_given(block.tool_name, f'{place}.tool_name')} is there to be called."
    return _text(block, place, images)


def found_tools(messages: Sequence[MessageIn]) -> set[str]:
    """Return the names of the tools that the client's own search has found."""
    blocks = [block for message in messages if not isinstance(message.content, str) for block in message.content]
    parts = [part for block in blocks if not isinstance(block.content, str) for part in block.content or ()]
    return {part.tool_name for part in parts if part.type == REFERENCE and part.tool_name is not None}


def _given(value: Any, place: str) -> Any:
    if value is None:
        raise InvalidRequestError(f"the field {place} is missing", param=place)
    return value
