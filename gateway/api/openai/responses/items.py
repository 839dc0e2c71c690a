"""Items of `input`, validated and in full form.

What is given loosely (a message without `type`, a text in place of parts, an item without an id) is spelled in full
here, once; later readers need not know the loose forms.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from gateway.api.openai.messages import call_arguments, image_source
from gateway.api.openai.responses.requests import ItemIn, PartIn
from gateway.core.ignored_fields import MEDIA, placeholder
from gateway.errors import InvalidRequestError, UnsupportedParameterError

T = TypeVar("T")

Item = dict[str, Any]
"""An item in OpenAI's full spelling."""

Lookup = Callable[[str], Item | None]
"""Finds a kept item by its id."""

ROLES = ("user", "assistant", "system", "developer")
DETAILS = ("low", "high", "auto", "original")
"""Values of an image's `detail`."""

UNSERVED = frozenset(
    {
        "additional_tools",
        "apply_patch_call",
        "apply_patch_call_output",
        "code_interpreter_call",
        "compaction",
        "compaction_trigger",
        "computer_call",
        "computer_call_output",
        "configuration_update",
        "file_search_call",
        "image_generation_call",
        "local_shell_call",
        "local_shell_call_output",
        "mcp_approval_request",
        "mcp_approval_response",
        "mcp_call",
        "mcp_list_tools",
        "program",
        "program_output",
        "shell_call",
        "shell_call_output",
        "web_search_call",
    }
)
"""Items of OpenAI's hosted tools, which this server does not have."""


def new_id(prefix: str) -> str:
    """Return a fresh id of an item or a response."""
    return f"{prefix}_{secrets.token_hex(24)}"


def items_of(given: str | list[ItemIn] | None, place: str, lookup: Lookup) -> list[Item]:
    """Return all items in full form; a string is one user message.

    Raises:
        GatewayError: An item is incomplete, unknown or of a kind that is not served; says which.
    """
    if given is None:
        return []
    if isinstance(given, str):
        given = [ItemIn(role="user", content=given)]
    return [_item(item, f"{place}[{index}]", lookup) for index, item in enumerate(given)]


def check_outputs(items: Sequence[Item], earlier: Sequence[Item]) -> None:
    """Raise unless each output of `input` is that of a call before it.

    Args:
        earlier: Items of the responses that are continued.

    Raises:
        InvalidRequestError: An output belongs to no call; says which.
    """
    known: set[str] = set()
    for index, item in enumerate((*earlier, *items), -len(earlier)):
        # What a policy ended inside a call is none that anybody could have answered.
        if item["type"] in ("function_call", "custom_tool_call", "tool_search_call") and item["status"] != "incomplete":
            known.add(item["call_id"])
        elif item["type"].endswith("_output") and index >= 0 and item["call_id"] not in known:
            place = f"input[{index}].call_id"
            raise InvalidRequestError(f"{place}: no earlier call has the id {item['call_id'][:100]!r}", param=place)


def _item(given: ItemIn, place: str, lookup: Lookup) -> Item:
    kind = given.type or ("message" if given.role is not None else "item_reference")
    if kind == "item_reference":
        return _referred(given, place, lookup)
    reader = _READERS.get(kind)
    if reader is not None:
        return reader(given, place)
    if kind in UNSERVED:
        raise UnsupportedParameterError(f"{place}: items of type '{kind}' are not served", param=f"{place}.type")
    raise InvalidRequestError(
        f"{place}.type must be one of {', '.join(_READERS)} or item_reference, not '{kind[:64]}'", param=f"{place}.type"
    )


def _referred(given: ItemIn, place: str, lookup: Lookup) -> Item:
    name = _needed(given.id, f"{place}.id")
    found = lookup(name)
    if found is None:
        raise InvalidRequestError(f"{place}: no item with the id {name[:200]!r} is kept", param=f"{place}.id")
    return found


def _message(given: ItemIn, place: str) -> Item:
    role = _needed(given.role, f"{place}.role")
    if role not in ROLES:
        raise InvalidRequestError(f"{place}.role must be {', '.join(ROLES)}, not '{role[:64]}'", param=f"{place}.role")
    kind = "output_text" if role == "assistant" else "input_text"
    if given.content is None:
        raise _missing(f"{place}.content")
    content = _parts(given.content, kind, f"{place}.content")
    return {**_head(given, "message", "msg"), "role": role, "content": content}


def _reasoning(given: ItemIn, place: str) -> Item:
    content = given.content or []
    if isinstance(content, str):
        content = [PartIn(type="reasoning_text", text=content)]
    return {
        **_head(given, "reasoning", "rs"),
        "summary": [_text_part(part, "summary_text", f"{place}.summary") for part in given.summary or ()],
        "content": [_text_part(part, "reasoning_text", f"{place}.content") for part in content],
    }


def _function_call(given: ItemIn, place: str) -> Item:
    arguments = _needed(given.arguments, f"{place}.arguments")
    if not isinstance(arguments, str):
        raise InvalidRequestError(f"{place}.arguments must be JSON in a string", param=f"{place}.arguments")
    if given.status != "incomplete":
        call_arguments(arguments, f"{place}.arguments")
    return {**_head(given, "function_call", "fc"), **_call(given, place), "arguments": arguments}


def _custom_call(given: ItemIn, place: str) -> Item:
    return {
        **_head(given, "custom_tool_call", "ctc"),
        **_call(given, place),
        "input": _needed(given.input, f"{place}.input"),
    }


def _call(given: ItemIn, place: str) -> Item:
    namespace = {"namespace": given.namespace} if given.namespace else {}
    return {
        "call_id": _needed(given.call_id, f"{place}.call_id"),
        "name": _needed(given.name, f"{place}.name"),
        **namespace,
    }


def _output(given: ItemIn, place: str) -> Item:
    assert given.type is not None, "readers are found by it"
    if given.output is None:
        raise _missing(f"{place}.output")
    output = given.output
    return {
        **_head(given, given.type, "fc" if given.type == "function_call_output" else "ctc"),
        "call_id": _needed(given.call_id, f"{place}.call_id"),
        "output": output if isinstance(output, str) else _parts(output, "input_text", f"{place}.output"),
    }


def _search_call(given: ItemIn, place: str) -> Item:
    arguments = _needed(given.arguments, f"{place}.arguments")
    if isinstance(arguments, str):
        arguments = call_arguments(arguments, f"{place}.arguments")
    return {**_head(given, "tool_search_call", "tsc"), **_of_client(given, place), "arguments": arguments}


def _search_output(given: ItemIn, place: str) -> Item:
    tools = _needed(given.tools, f"{place}.tools")
    return {**_head(given, "tool_search_output", "tso"), **_of_client(given, place), "tools": tools}


def _of_client(given: ItemIn, place: str) -> Item:
    if given.execution not in (None, "client"):
        raise UnsupportedParameterError(
            f"{place}.execution: only searches that the client executes are served", param=f"{place}.execution"
        )
    return {"call_id": _needed(given.call_id, f"{place}.call_id"), "execution": "client"}


_READERS: dict[str, Callable[[ItemIn, str], Item]] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": _function_call,
    "function_call_output": _output,
    "custom_tool_call": _custom_call,
    "custom_tool_call_output": _output,
    "tool_search_call": _search_call,
    "tool_search_output": _search_output,
}


def _head(given: ItemIn, kind: str, prefix: str) -> Item:
    return {"id": given.id or new_id(prefix), "type": kind, "status": given.status or "completed"}


def _parts(content: str | Sequence[PartIn], kind: str, place: str) -> list[Item]:
    if isinstance(content, str):
        content = [PartIn(type=kind, text=content)]
    return [_part(part, kind, f"{place}[{index}]") for index, part in enumerate(content)]


def _part(part: PartIn, kind: str, place: str) -> Item:
    if part.type == "refusal" and kind == "output_text":
        return {"type": "refusal", "refusal": part.refusal or ""}
    if MEDIA.get(part.type) == "image":
        return _image(part, place)
    if part.type not in ("input_text", "output_text", "text"):
        part = PartIn(type=kind, text=placeholder(part.type, place))
    plain = _text_part(part, kind, place)
    return {**plain, "annotations": [], "logprobs": []} if kind == "output_text" else plain


def _image(part: PartIn, place: str) -> Item:
    if part.file_id is not None:
        raise UnsupportedParameterError(
            f"{place}.file_id: images of files are not served; send them as image_url", param=f"{place}.file_id"
        )
    detail = part.detail or "auto"
    if detail not in DETAILS:
        raise InvalidRequestError(
            f"{place}.detail must be one of {', '.join(DETAILS)}, not {detail[:64]!r}", param=f"{place}.detail"
        )
    url, _ = image_source(part.image_url)
    return {"type": "input_image", "image_url": url if isinstance(url, str) else None, "detail": detail}


def _text_part(part: PartIn, kind: str, place: str) -> Item:
    return {"type": kind, "text": _needed(part.text, f"{place}.text")}


def _needed(value: T | None, place: str) -> T:
    if value is None:
        raise _missing(place)
    return value


def _missing(place: str) -> InvalidRequestError:
    return InvalidRequestError(f"the field {place} is missing", param=place)
