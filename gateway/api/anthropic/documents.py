"""`document` blocks as documents, and citations of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from gateway.api.anthropic.requests import BlockIn, MessageIn, SourceIn
from gateway.api.anthropic.responses import CharLocation, ContentBlockLocation
from gateway.core.documents import Citation, Document
from gateway.errors import InvalidRequestError, UnsupportedParameterError

DOCUMENT = "document"


def document_of(block: BlockIn, place: str) -> Document:
    """Return the document of a block.

    Raises:
        UnsupportedParameterError: The source is of a type that is not served, such as a PDF.
        InvalidRequestError: The source is malformed.
    """
    source, place = _source(block.source, f"{place}.source"), f"{place}.source"
    if source.type == "text":
        parts, field = _plain_text(source, place), "data"
    else:
        parts, field = _blocks(source, f"{place}.content"), "content"
    return Document(
        parts=parts,
        title=block.title or "",
        context=block.context or "",
        is_blocks=source.type == "content",
        place=f"{place}.{field}",
    )


def _plain_text(source: SourceIn, place: str) -> tuple[str, ...]:
    if source.media_type not in (None, "text/plain"):
        raise UnsupportedParameterError(
            f"{place}.media_type must be text/plain, not '{source.media_type[:100]}'", param=f"{place}.media_type"
        )
    return (_present(source.data, f"{place}.data"),)


def _blocks(source: SourceIn, place: str) -> tuple[str, ...]:
    content = _present(source.content, place)
    if isinstance(content, str):
        return (content,)
    for index, part in enumerate(content):
        if part.type != "text":
            raise UnsupportedParameterError(
                f"{place}[{index}].type must be text, not '{part.type[:100]}'", param=f"{place}[{index}].type"
            )
    return tuple(_present(part.text, f"{place}[{index}].text") for index, part in enumerate(content))


def cites(messages: Sequence[MessageIn]) -> bool:
    """Return whether the documents of a conversation are to be cited.

    Raises:
        InvalidRequestError: Some are and some are not, or `citations` is malformed.
    """
    found: set[bool] = set()
    for number, message in enumerate(messages):
        blocks = () if isinstance(message.content, str) else message.content
        for index, block in enumerate(blocks):
            if block.type == DOCUMENT and message.role == "user":
                place = f"messages[{number}].content[{index}].citations"
                found.add(_is_enabled(block.citations, place))
                if len(found) > 1:
                    raise InvalidRequestError(f"{place}: enable citations for all documents or for none", param=place)
    return True in found


def location(citation: Citation) -> CharLocation | ContentBlockLocation:
    """Return a citation with its place in characters, or in blocks for a document of blocks."""
    title = citation.title or None
    if citation.blocks is None:
        return CharLocation(
            cited_text=citation.quote,
            document_index=citation.document,
            document_title=title,
            start_char_index=citation.start,
            end_char_index=citation.end,
        )
    first, last = citation.blocks
    return ContentBlockLocation(
        cited_text=citation.quote,
        document_index=citation.document,
        document_title=title,
        start_block_index=first,
        end_block_index=last,
    )


def _source(given: Any, place: str) -> SourceIn:
    kind = given.get("type") if isinstance(given, dict) else None
    if isinstance(kind, str) and kind not in ("text", "content"):
        raise UnsupportedParameterError(
            f"{place}.type: documents of type '{kind[:100]}' are not served; send text or content",
            param=f"{place}.type",
        )
    try:
        return msgspec.convert(_present(given, place), SourceIn)
    except msgspec.ValidationError as error:
        raise InvalidRequestError(f"{place}: {error}", param=place) from None


def _is_enabled(given: Any, place: str) -> bool:
    if given is None:
        return False
    enabled = given.get("enabled", False) if isinstance(given, dict) else None
    if not isinstance(enabled, bool):
        raise InvalidRequestError(f'{place} must be {{"enabled": true}} or {{"enabled": false}}', param=place)
    return enabled


def _present(value: Any, place: str) -> Any:
    if value is None:
        raise InvalidRequestError(f"the field {place} is missing", param=place)
    return value
