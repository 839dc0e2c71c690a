"""Messages as chat templates read them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gateway.api.http.decode import read_json
from gateway.api.openai.requests import ContentPart, MessageIn, ToolCallIn
from gateway.core.ignored_fields import MEDIA, note_ignored, placeholder
from gateway.core.images import IMAGE_MARK, ImageInput
from gateway.core.parts import in_parts
from gateway.errors import GatewayError, InvalidRequestError, UnsupportedParameterError
from tools.tool import INPUT_KEY

_TEXTS = ("text", "input_text", "output_text")


def template_messages(given: Sequence[MessageIn]) -> tuple[dict[str, Any], ...]:
    """Return the conversation as templates read it. A function's message answers its last `function_call`.

    Raises:
        UnsupportedParameterError: A content part is of an unknown type, or the answer is begun by the client.
        InvalidRequestError: A call is incomplete, its arguments are no JSON object, or a result is that of no call.
    """
    if given and given[-1].prefix:
        place = f"messages[{len(given) - 1}].prefix"
        raise UnsupportedParameterError(f"{place}: an answer that the client begins is not served", param=place)
    plain: list[dict[str, Any]] = []
    known: set[str | None] = set()
    functions: dict[str | None, str] = {}
    for index, message in enumerate(given):
        place = f"messages[{index}]"
        turn = template_message(message, place)
        if message.function_call is not None:
            # Older than ids, without which many templates cannot do.
            name, id = message.function_call.name, f"function_call_{index}"
            arguments = call_arguments(message.function_call.arguments, f"{place}.function_call.arguments")
            call = {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}
            turn["tool_calls"] = [*turn.get("tool_calls", ()), call]
            functions[name] = id
        if message.role == "function":
            if message.name not in functions:
                raise _unasked(message.name, f"{place}.name", "function_call is of")
            turn |= {"role": "tool", "tool_call_id": functions[message.name]}
        elif message.role == "tool" and message.tool_call_id not in known:
            raise _unasked(message.tool_call_id, f"{place}.tool_call_id", "call has the id")
        known.update(call.id for call in message.tool_calls or ())
        plain.append(turn)
    return tuple(plain)


def _unasked(value: str | None, place: str, what: str) -> GatewayError:
    if value is None:
        return InvalidRequestError(f"the field {place} is missing", param=place)
    return InvalidRequestError(f"{place}: no earlier {what} {value[:100]!r}", param=place)


def template_message(message: MessageIn, place: str) -> dict[str, Any]:
    """Return a message as templates read it: content as text, arguments of calls as objects.

    Raises:
        UnsupportedParameterError: A part has an unknown type.
        InvalidRequestError: A call is incomplete or its arguments are not a JSON object.
    """
    if message.audio is not None:
        raise UnsupportedParameterError(f"{place}.audio is not served", param=f"{place}.audio")
    # "developer" is what newer clients call the system role; templates know only the latter.
    role = "system" if message.role == "developer" else message.role
    images: list[ImageInput] = []
    texts = (_content(message.content, f"{place}.content", images), message.refusal)
    plain: dict[str, Any] = {"role": role, "content": in_parts(filter(None, texts))}
    if images:
        plain["images"] = images
    if message.name is not None:
        plain["name"] = message.name
    if message.tool_call_id is not None:
        plain["tool_call_id"] = message.tool_call_id
    reasoning = message.reasoning if message.reasoning_content is None else message.reasoning_content
    if reasoning is not None:
        plain["reasoning_content"] = reasoning
    if message.tool_calls:
        calls = enumerate(message.tool_calls)
        plain["tool_calls"] = [_call(call, f"{place}.tool_calls[{index}]") for index, call in calls]
    return plain


def _content(content: str | list[ContentPart] | None, place: str, images: list[ImageInput]) -> str | None:
    if content is None or isinstance(content, str):
        return content
    return in_parts(_part(part, f"{place}[{index}]", images) for index, part in enumerate(content))


def _part(part: ContentPart, place: str, images: list[ImageInput]) -> str:
    """Return the part's text, the mark of an image, which is added to `images`, or the placeholder for other media."""
    if part.cache_control is not None:
        note_ignored("cache_control")
    if part.type == "refusal":
        return part.refusal or ""
    if MEDIA.get(part.type) == "image":
        source, is_object = image_source(part.image_url)
        images.append(ImageInput.of(part.type, place, ".image_url.url" if is_object else ".image_url", source))
        return IMAGE_MARK
    if part.type not in _TEXTS:
        return placeholder(part.type, place)
    if part.text is None:
        raise InvalidRequestError(f"the field {place}.text is missing", param=f"{place}.text")
    return part.text


def image_source(given: Any) -> tuple[Any, bool]:
    """Return the URL of `image_url`, and true if it is in an object."""
    return (given.get("url"), True) if isinstance(given, dict) else (given, False)


def _call(call: ToolCallIn, place: str) -> dict[str, Any]:
    if call.custom is not None:
        # Templates know functions alone; this is how a custom tool's call is written.
        function = {"name": call.custom.name, "arguments": {INPUT_KEY: call.custom.input}}
    elif call.function is not None:
        arguments = call_arguments(call.function.arguments, f"{place}.function.arguments")
        function = {"name": call.function.name, "arguments": arguments}
    else:
        kind = call.type if call.type == "custom" else "function"
        raise InvalidRequestError(f"the field {place}.{kind} is missing", param=f"{place}.{kind}")
    return {"id": call.id, "type": "function", "function": function}


def call_arguments(given: str | dict[str, Any] | None, place: str) -> dict[str, Any]:
    """Return the arguments of an earlier call, as templates read them.

    Raises:
        InvalidRequestError: The arguments are not a JSON object.
    """
    arguments = given
    if isinstance(given, str):
        arguments = read_json(given, place) if given.strip() else {}
    if not isinstance(arguments, dict | None):
        raise InvalidRequestError(f"{place} must be a JSON object", param=place)
    return arguments or {}
