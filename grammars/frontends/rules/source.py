"""The text of a grammar: its size, and places in it for messages."""

from __future__ import annotations

from grammars.errors import InvalidGrammarError, TooComplexError
from grammars.limits import Limits

# Deeper groups would exhaust Python's own stack.
MAX_NESTING = 60


class Source:
    """A grammar's text.

    Raises:
        InvalidGrammarError: it is no text, or has half of a surrogate pair in it.
        TooComplexError: longer than `limits.max_grammar_bytes`.
    """

    def __init__(self, text: str, limits: Limits) -> None:
        if not isinstance(text, str):
            raise InvalidGrammarError("a grammar is text")
        self.text = text
        if len(text) > limits.max_grammar_bytes:
            raise TooComplexError("max_grammar_bytes", len(text), limits.max_grammar_bytes)
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InvalidGrammarError("half of a surrogate pair", self.place(error.start)) from None
        self.max_depth = min(limits.max_depth, MAX_NESTING)

    def place(self, offset: int) -> str:
        """The offset as a line and a column, both counted from 1."""
        line_start = self.text.rfind("\n", 0, offset) + 1
        return f"line {self.text.count(chr(10), 0, offset) + 1}, column {offset - line_start + 1}"
