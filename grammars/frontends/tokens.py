"""Tokens of the vocabulary in a constraint: a certain one, any but some, or any number of these.

A token is given by its number, or by its name or text. A special token is that token alone. One that has a text stands
for this text, in whatever tokens it is written.
"""

from __future__ import annotations

from dataclasses import dataclass

from grammars.errors import UnsupportedError
from grammars.frontends.structural_tag import StructuralTag, is_special, units
from grammars.network.builder import NetworkBuilder
from grammars.vocabulary.spelling import SpecialTokens


@dataclass(frozen=True, slots=True)
class Token:
    """One token."""

    token: int | str

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return f"token:{self.token!r}"

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        special = _vocabulary_of(builder)
        start = builder.rule()
        builder.accept(builder.literal(start, b"".join(units(special.text_of(self.token), special))))
        return start


@dataclass(frozen=True, slots=True)
class OneToken:
    """Any one token but the excluded. Tokens with part of a character are left out."""

    excluded: tuple[int | str, ...] = ()

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return f"one_token:{self.excluded!r}"

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        special = _vocabulary_of(builder)
        excluded = {special.text_of(token) for token in self.excluded}
        start, end = builder.rule(), builder.end()
        builder.words(start, [text.encode() for text in special.texts() - excluded], end)
        for name, token_id in special:
            if name not in excluded:
                builder.literal(start, special.spelling(token_id), end)
        return start


@dataclass(frozen=True, slots=True)
class AnyTokens:
    """Any number of tokens, special ones among them.

    Attributes:
        excluded: Tokens that are not among them; of those that have a text, this does not occur in any tokens.
        without: Texts that do not occur; of one that holds special tokens, the first of these does not.
    """

    excluded: tuple[int | str, ...] = ()
    without: tuple[str, ...] = ()

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return f"any_tokens:{self.excluded!r}:{self.without!r}"

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        special = _vocabulary_of(builder)
        texts, barred = set[str](), set[bytes]()
        for text in (*self.without, *map(special.text_of, self.excluded)):
            held = [unit for unit in units(text, special) if is_special(unit)]
            if held:
                barred.add(held[0])
            else:
                texts.add(text)
        least = tuple(text for text in texts if not any(other != text and other in text for other in texts))
        start, behind = builder.rule(), builder.state()
        builder.accept(behind)
        builder.call(start, StructuralTag((), triggers=least).emit(builder), behind)
        for _, token_id in special:
            if (spelling := special.spelling(token_id)) not in barred:
                builder.literal(behind, spelling, start)
        return start


def _vocabulary_of(builder: NetworkBuilder) -> SpecialTokens:
    if builder.special_tokens is None:
        raise UnsupportedError("a token without a vocabulary")
    return builder.special_tokens
