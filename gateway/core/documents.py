"""Documents given with a request, and citations of them in answers."""

from __future__ import annotations

from dataclasses import dataclass

CITE = "<cite"
"""Beginning of every citation; free text around citations does not contain it."""
CITE_END = "</cite>"


def cite_begin(number: int) -> str:
    """Return the text before a quotation from document `number`, counted from 1."""
    return f'{CITE} doc="{number}">'


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document.

    Attributes:
        parts: Its text; or its blocks, which citations count.
        title, context, id: Empty if not given. Context is shown to the model and not cited.
        is_blocks: Citations name blocks instead of characters.
        message: Index of the message that it belongs to; None: it is given beside the messages.
        place: The field that it comes from, for messages.
    """

    parts: tuple[str, ...]
    title: str = ""
    context: str = ""
    id: str = ""
    is_blocks: bool = False
    message: int | None = None
    place: str

    @property
    def text(self) -> str:
        """Return the whole text, a line feed between blocks."""
        return "\n".join(self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A quotation that occurs in a document.

    Attributes:
        document: Index of the document, counted from 0.
        id, title: Those of the document; empty if not given.
        quote: The quoted text.
        start, end: Its place in the document's text, in characters; where it occurs several times, the first.
        blocks: First block of the quotation and the one after its last; None unless citations name blocks.
        claim: The statement that the citation is for, a part of the answer's text.
        claim_start: Its place there, in characters.
    """

    document: int
    id: str
    title: str
    quote: str
    start: int
    end: int
    blocks: tuple[int, int] | None
    claim: str
    claim_start: int
