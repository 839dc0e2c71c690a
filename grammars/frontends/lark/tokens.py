"""Special tokens in a grammar: ``<|name|>``, ``<name>``, ``<[7]>``, ``<[5-7,9]>``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grammars.errors import InvalidGrammarError, TooComplexError, UnsupportedError
from grammars.network.builder import NetworkBuilder

_NUMBERS = re.compile(r"<\[(\d{1,9}(?:-\d{1,9})?(?:,\d{1,9}(?:-\d{1,9})?)*)\]>")
_MAX_NUMBERS = 4096


@dataclass(frozen=True, slots=True)
class TokenReference:
    """One token, as the grammar names it; of several numbers any one.

    What it stands for is a matter of the vocabulary: it is looked up when the network is written.
    """

    text: str

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return f"token:{self.text}"

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        special = builder.special_tokens
        if special is None:
            raise UnsupportedError(f"the token {self.text} without a vocabulary")
        numbers = self._numbers()
        found = [special.named(self.text)] if numbers is None else [special.numbered(number) for number in numbers]
        start, end = builder.rule(), builder.state()
        builder.accept(end)
        for token_id in dict.fromkeys(found):
            # A chain of its own for each: a shared beginning would hide that one token covers it.
            chain = builder.state()
            builder.epsilon(start, chain)
            builder.literal(chain, special.spelling(token_id), end)
        return start

    def _numbers(self) -> list[int] | None:
        """The token ids that are listed; None where the token is named."""
        if not self.text.startswith("<["):
            return None
        listed = _NUMBERS.fullmatch(self.text)
        if listed is None:
            if re.match(r"<\[(\^|\*)", self.text):
                raise UnsupportedError(f"any token but some ({self.text})")
            raise InvalidGrammarError(f"{self.text} lists no token numbers")
        numbers: list[int] = []
        for part in listed[1].split(","):
            low, _, high = part.partition("-")
            count = int(high or low) - int(low) + 1
            if count < 1:
                raise InvalidGrammarError(f"the range {part} is empty")
            if len(numbers) + count > _MAX_NUMBERS:
                raise TooComplexError("max_token_numbers", len(numbers) + count, _MAX_NUMBERS)
            numbers += range(int(low), int(high or low) + 1)
        return numbers
