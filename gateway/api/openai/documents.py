"""Documents of a chat, and citations of them as annotations."""

from __future__ import annotations

from gateway.api.openai.bodies import Annotation, FileCitation
from gateway.api.openai.requests import ChatDocumentIn, Documents
from gateway.core.documents import Citation, Document


def documents_of(documents: Documents | None) -> tuple[Document, ...]:
    """Return the documents of a body."""
    given = [ChatDocumentIn(text=each) if isinstance(each, str) else each for each in documents or ()]
    return tuple(
        Document(parts=(each.text,), title=each.title or "", id=each.id or "", place=f"documents[{index}]")
        for index, each in enumerate(given)
    )


def annotation(citation: Citation) -> Annotation:
    """Return a citation in the form of OpenAI's assistants."""
    file_id = citation.id or f"document-{citation.document + 1}"
    return Annotation(
        text=citation.claim,
        start_index=citation.claim_start,
        end_index=citation.claim_start + len(citation.claim),
        file_citation=FileCitation(
            file_id=file_id,
            filename=citation.title or file_id,
            index=citation.document,
            quote=citation.quote,
            start_index=citation.start,
            end_index=citation.end,
        ),
    )
