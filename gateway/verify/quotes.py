"""Places of quotations in documents."""

from __future__ import annotations


def place_of_quote(document: str, quote: str) -> int | None:
    """Return where a quotation first occurs in a document, with a word's border at its begin and end; None if nowhere.

    A quotation is not empty, and neither begins nor ends with a blank.
    """
    if not quote or quote[0].isspace() or quote[-1].isspace():
        return None
    at = document.find(quote)
    while at >= 0:
        end = at + len(quote)
        if not _is_inside_word(document, at) and not _is_inside_word(document, end):
            return at
        at = document.find(quote, at + 1)
    return None


def _is_inside_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and _is_of_word(text[at - 1]) and _is_of_word(text[at])


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character == "_"
