"""Screening of text against what a policy denies."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.verify.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class DenyPolicy:
    """Phrases that a text must not contain.

    Attributes:
        phrases: Literal texts, none of them empty.
        ignore_case: Upper and lower case count as the same.
        whole_words: A phrase counts only where no letter, digit or underscore touches it.
    """

    phrases: tuple[str, ...]
    ignore_case: bool = True
    whole_words: bool = False

    def __post_init__(self) -> None:
        if not all(self.phrases):
            raise ValueError("a denied phrase must not be empty")


def screen(text: str, policy: DenyPolicy) -> Verdict:
    """Return whether the text is free of denied phrases; the verdict names the phrase by its number, not its text.

    Cost: one search in the text for each phrase, each linear in the text.
    """
    folded = text.casefold() if policy.ignore_case else text
    for index, phrase in enumerate(policy.phrases):
        at = _find(folded, phrase.casefold() if policy.ignore_case else phrase, policy.whole_words)
        if at >= 0:
            # Folding may lengthen a text ("ß" becomes "ss"), and then offsets mean nothing in the original.
            offset = at if len(folded) == len(text) else None
            return Verdict.failed(
                "screen", "the text contains a denied phrase", path=f"/phrases/{index}", offset=offset
            )
    return Verdict.ok("screen")


def _find(text: str, phrase: str, whole_words: bool) -> int:
    at = text.find(phrase)
    while at >= 0 and whole_words and (_is_word(text, at - 1) or _is_word(text, at + len(phrase))):
        at = text.find(phrase, at + 1)
    return at


def _is_word(text: str, at: int) -> bool:
    return 0 <= at < len(text) and (text[at].isalnum() or text[at] == "_")
