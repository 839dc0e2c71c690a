"""Tokens as TGI tells them: each with its own part of the text."""

from __future__ import annotations

from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import Callable, Sequence

from gateway.api.tgi.bodies import PrefillToken, Token
from gateway.core.answer import TokenLogprob, TopLogprob

Names = Callable[[int], str | None]
"""What a special token is called; None of a token that is not special."""


def new_decoder() -> IncrementalDecoder:
    """What makes text of an answer's tokens, one after the other."""
    return getincrementaldecoder("utf-8")("replace")


def tokens_of(entries: Sequence[TokenLogprob], text: str, names: Names, decoder: IncrementalDecoder) -> list[Token]:
    """The tokens behind a text, whose parts, those of special tokens left out, join to it.

    A character that takes several tokens belongs to the last of them. Where the text is not just what the tokens say
    (a part was held back, as it might have begun a stop string), the last one has the rest.

    Args:
        decoder: Has read the answer's tokens before these, of which the last may have ended inside a character.
    """
    tokens, position = [], 0
    for entry in entries:
        drawn = entry.drawn
        name = names(drawn.token_id)
        part = "" if name is not None else decoder.decode(drawn.data)
        part = part if text.startswith(part, position) else ""
        position += len(part)
        tokens.append(Token(id=drawn.token_id, text=name or part, logprob=drawn.logprob, special=name is not None))
    plain = [token for token in tokens if not token.special]
    if plain:
        plain[-1].text += text[position:]
    return tokens


def top_tokens_of(entries: Sequence[TokenLogprob], names: Names) -> list[list[Token]]:
    """The likeliest tokens at each place, each with the text that it has alone."""
    return [[_alone(top, names) for top in entry.top] for entry in entries]


def prefill_of(first: PrefillToken, entries: Sequence[TokenLogprob], names: Names) -> list[PrefillToken]:
    """The tokens of the prompt. `first` is the one that nothing foretold."""
    others = [_alone(entry.drawn, names) for entry in entries]
    return [first, *(PrefillToken(id=token.id, text=token.text, logprob=token.logprob) for token in others)]


def _alone(token: TopLogprob, names: Names) -> Token:
    name = names(token.token_id)
    return Token(id=token.token_id, text=name or token.token, logprob=token.logprob, special=name is not None)
