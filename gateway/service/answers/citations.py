"""Citations in an answer: its text without them, and the place of each in its document."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from gateway.core.answer import CitationDelta, Delta, Finish, TextDelta, TokenLogprob
from gateway.core.constraints import Constraint, QuotationConstraint, TagsConstraint
from gateway.core.documents import CITE, CITE_END, Citation, Document
from gateway.verify.quotes import place_of_quote

_CITATION = re.compile(rf'{CITE} doc="([1-9][0-9]{{0,5}})">(.*?){CITE_END}', re.DOTALL)
_BEGINNINGS = tuple(CITE[:size] for size in range(len(CITE) - 1, 0, -1))
_CLOSING = ".,;:!?)]}"
"""Characters that follow a statement without a blank."""


class CitationReader:
    """Reader of one answer's citations: `feed` its deltas in order.

    A citation is for the statement before it: the text since the last citation. Where there is none, the quotation is
    the statement, and becomes part of the text. A citation whose quotation does not occur in the document is left out.
    """

    def __init__(self, choice: int, documents: Sequence[Document]) -> None:
        self._choice = choice
        self._documents = documents
        self._texts = [document.text for document in documents]
        self._held = ""
        self._statement = ""
        self._is_cited = self._is_quote = False
        # Blanks at the end of what was read, and before the last citation; they leave with the text after them.
        self._blank = self._blank_before = ""
        self._size = 0
        self._logprobs: list[TokenLogprob] = []

    @classmethod
    def of(cls, choice: int, constraint: Constraint | None) -> CitationReader | None:
        """Return the reader of an answer under a constraint; None if that has no quotations."""
        segments = constraint.segments if isinstance(constraint, TagsConstraint) else ()
        documents = [each.content.document for each in segments if isinstance(each.content, QuotationConstraint)]
        return cls(choice, documents) if documents else None

    def feed(self, deltas: Sequence[Delta]) -> list[Delta]:
        """Return the deltas, citations apart from the text. The beginning of a citation is held back."""
        out: list[Delta] = []
        for delta in deltas:
            if isinstance(delta, TextDelta):
                self._logprobs += delta.logprobs
                self._read(self._held + delta.text, out)
                continue
            if isinstance(delta, Finish):
                self._finish(out)
            out.append(delta)
        return out

    def _read(self, text: str, out: list[Delta]) -> None:
        while CITE in text:
            before, _, rest = text.partition(CITE)
            self._say(before, out)
            quoted, mark, after = rest.partition(CITE_END)
            if not mark:
                self._held = CITE + rest
                return
            self._cite(CITE + quoted + mark, out)
            text = after
        self._held = next((each for each in _BEGINNINGS if text.endswith(each)), "")
        self._say(text.removesuffix(self._held), out)

    def _finish(self, out: list[Delta]) -> None:
        """Pass on what was held back, without a citation that was cut."""
        if not self._held.startswith(CITE):
            self._say(self._held, out)
        blank = "" if self._is_cited else self._blank
        if blank or self._logprobs:
            out.append(self._text(blank))

    def _say(self, text: str, out: list[Delta]) -> None:
        text = self._blank + text
        said = text.rstrip()
        self._blank = text[len(said) :]
        if not said:
            return
        if self._is_cited:
            stripped = said.lstrip()
            blank = said[: len(said) - len(stripped)] or self._blank_before
            said = stripped if stripped[0] in _CLOSING else blank + stripped
            self._statement, self._is_cited, self._is_quote = "", False, False
        elif not self._size:
            said = said.lstrip("\n")  # between reasoning and answer
        self._statement += said
        out.append(self._text(said))

    def _text(self, text: str) -> TextDelta:
        entries, self._logprobs = tuple(self._logprobs), []
        self._size += len(text)
        return TextDelta(self._choice, text, entries)

    def _cite(self, written: str, out: list[Delta]) -> None:
        found = _CITATION.fullmatch(written)
        index = -1 if found is None else int(found[1]) - 1
        if found is None or index >= len(self._documents):
            return
        quote = found[2]
        start = place_of_quote(self._texts[index], quote)
        if start is None:
            return
        if self._is_quote or not self._statement:
            blank = self._blank or " " if self._is_quote else ""
            out.append(self._text(blank + quote))
            self._statement, self._is_quote = quote, True
        if not self._is_cited:
            self._blank_before = self._blank
        self._blank, self._is_cited = "", True
        document, end = self._documents[index], start + len(quote)
        begun = self._statement.lstrip().lstrip(_CLOSING).lstrip() or self._statement.lstrip()
        cited = Citation(
            document=index,
            id=document.id,
            title=document.title,
            quote=quote,
            start=start,
            end=end,
            blocks=_blocks(document, start, end) if document.is_blocks else None,
            claim=begun,
            claim_start=self._size - len(begun),
        )
        out.append(CitationDelta(self._choice, cited))


def _blocks(document: Document, start: int, end: int) -> tuple[int, int]:
    """Return the first block of a quotation and the one after its last."""
    begins = list(accumulate((len(part) + 1 for part in document.parts), initial=0))
    return bisect_right(begins, start) - 1, bisect_right(begins, end - 1)
