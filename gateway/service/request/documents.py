"""Documents in the prompt, and the constraint that holds citations to them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gateway.core.constraints import QuotationConstraint, Segment, TagsConstraint
from gateway.core.documents import CITE, CITE_END, Document, cite_begin
from gateway.core.request import ChatRequest
from gateway.errors import InvalidRequestError, UnsupportedParameterError
from gateway.text import ChatTemplate

MAX_DOCUMENTS = 1_000
MAX_CITED_CHARACTERS = 100_000
"""Longest text of all documents that can be cited. The constraint takes some 4 us and 90 bytes a character."""

_HOW_TO_CITE = (
    f"Answer from the documents. After each statement, cite the document that it rests on: {cite_begin(1)}words copied "
    f"exactly from document 1{CITE_END}"
)


def citing(request: ChatRequest) -> ChatRequest:
    """Return the request under the constraint that its citations are of its documents, if it asks for citations.

    Raises:
        InvalidRequestError: There are too many documents, none to cite, or too long ones.
        UnsupportedParameterError: The answer is under another constraint.
    """
    documents, options = request.documents, request.options
    if len(documents) > MAX_DOCUMENTS:
        raise InvalidRequestError(
            f"{documents[0].place} is one of {len(documents)} documents; at most {MAX_DOCUMENTS} are served",
            param=documents[0].place,
        )
    if not request.cites:
        return request
    if not documents:
        raise InvalidRequestError("citations needs documents to cite", param="citations")
    if options.constraint is not None:
        origin = options.constraint.origin
        raise UnsupportedParameterError(f"{origin} together with citations is not served", param=origin)
    begun = options.answer_prefix if not options.returns_prefix else ""
    if CITE in begun or any(begun.endswith(CITE[:length]) for length in range(1, len(CITE))):
        raise UnsupportedParameterError(
            f"{options.answer_prefix_origin}: a message with citations cannot be continued", param="messages"
        )
    size = sum(len(document.text) for document in documents)
    if size > MAX_CITED_CHARACTERS:
        raise InvalidRequestError(
            f"{documents[0].place}: the documents have {size} characters; {MAX_CITED_CHARACTERS} at most can be cited",
            param=documents[0].place,
        )
    if (empty := next((each for each in documents if not each.text.strip()), None)) is not None:
        raise InvalidRequestError(f"{empty.place} has no text to cite", param=empty.place)
    segments = tuple(
        Segment(
            cite_begin(number),
            QuotationConstraint(document=document, without=CITE_END, origin=document.place),
            CITE_END,
        )
        for number, document in enumerate(documents, 1)
    )
    constraint = TagsConstraint(segments=segments, triggers=(CITE,), origin="citations")
    return replace(request, options=replace(options, constraint=constraint))


def with_documents(request: ChatRequest, template: ChatTemplate) -> ChatRequest:
    """Return the request with its documents as text of its messages, unless the template shows them.

    A document without a message of its own goes to the first one of the user. Documents that are to be cited are
    numbered as citations name them, so a template, which may number them otherwise, does not show them.
    """
    if not request.documents or (
        "documents" in template.variables
        and not request.cites
        and not any(document.context for document in request.documents)
    ):
        return request
    messages = [dict(message) for message in request.messages]
    first = next((index for index, message in enumerate(messages) if message["role"] == "user"), None)
    if first is None:
        first = len(messages)
        messages.append({"role": "user", "content": ""})
    shown: dict[int, list[str]] = {}
    for number, document in enumerate(request.documents, 1):
        place = first if document.message is None else document.message
        shown.setdefault(place, []).append(_written(number, document))
    if request.cites:
        shown[max(shown)].append(_HOW_TO_CITE)
    for place, texts in shown.items():
        said = messages[place]["content"]
        messages[place]["content"] = "\n\n".join([*texts, said] if said else texts)
    return replace(request, messages=tuple(messages), documents=())


def template_documents(request: ChatRequest) -> list[dict[str, Any]] | None:
    """Return the documents for a template that shows them; None without any."""
    return [_for_template(number, each) for number, each in enumerate(request.documents, 1)] or None


def _for_template(number: int, document: Document) -> dict[str, Any]:
    return {"title": document.title, "text": document.text, "doc_id": document.id or str(number)}


def _written(number: int, document: Document) -> str:
    heads = [("title", document.title), ("context", document.context)]
    lines = [f"<{name}>{text}</{name}>" for name, text in heads if text]
    return "\n".join([f'<document index="{number}">', *lines, document.text, "</document>"])
