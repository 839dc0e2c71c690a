"""Answers and deltas as TGI's replies: a body, or one event per token."""

from __future__ import annotations

from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass

from msgspec import UNSET

from gateway.api.http.sse import event, written
from gateway.api.tgi.bodies import (
    BestOfSequence,
    Details,
    FinishReason,
    GenerateReply,
    PrefillToken,
    StreamDetails,
    StreamEvent,
    Token,
)
from gateway.api.tgi.parameters import ReplyFields
from gateway.api.verdict import verdict_out
from gateway.core.answer import Answer, ChatAnswers, Delta, Finish, TextDelta, TokenLogprob, TopLogprob, Usage

Names = Callable[[int], str | None]
"""Returns the name of a special token; None for any other."""


def new_decoder() -> IncrementalDecoder:
    """Return a decoder for the tokens of one answer."""
    return getincrementaldecoder("utf-8")("replace")


def tokens_of(entries: Sequence[TokenLogprob], text: str, names: Names, decoder: IncrementalDecoder) -> list[Token]:
    """Return the tokens of a text; the parts of those that are not special join to the text.

    A character that takes several tokens belongs to the last of them. Where the text is not just what the tokens say
    (a part was held back, as it might have begun a stop string), the last one has the rest.

    Args:
        decoder: Decoder that has read the tokens before; the last may have ended inside a character.
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
    """Return the likeliest tokens at each place, each with its own text."""
    return [[_alone(top, names) for top in entry.top] for entry in entries]


def prefill_of(first: PrefillToken, entries: Sequence[TokenLogprob], names: Names) -> list[PrefillToken]:
    """Return the tokens of the prompt. `first` has no probability."""
    others = [_alone(entry.drawn, names) for entry in entries]
    return [first, *(PrefillToken(id=token.id, text=token.text, logprob=token.logprob) for token in others)]


def _alone(token: TopLogprob, names: Names) -> Token:
    name = names(token.token_id)
    return Token(id=token.token_id, text=name or token.token, logprob=token.logprob, special=name is not None)


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """State of a request before its first token.

    Attributes:
        first: The prompt's first token.
        num_prompt: Tokens of the prompt.
        max_tokens: Most tokens of the answer.
        seeds: Seed of each answer; None without sampling.
        names: Names of special tokens.
    """

    fields: ReplyFields
    first: PrefillToken
    num_prompt: int
    max_tokens: int
    seeds: Sequence[int | None]
    names: Names


def reply_of(answers: ChatAnswers, context: ReplyContext) -> GenerateReply:
    """Return the reply with the likeliest answer, and among its details the others."""
    ranked = sorted(answers.choices, key=lambda answer: -_mean_logprob(answer))
    best, *others = [_sequence(answer, context) for answer in ranked]
    verdict = verdict_out(answers.usage)
    if not context.fields.wants_details:
        return GenerateReply(generated_text=best.generated_text, verdict=verdict)
    details = Details(
        finish_reason=best.finish_reason,
        generated_tokens=best.generated_tokens,
        seed=best.seed,
        prefill=best.prefill,
        tokens=best.tokens,
        top_tokens=best.top_tokens,
        best_of_sequences=others or UNSET,
        budget_steered=best.budget_steered,
    )
    return GenerateReply(generated_text=best.generated_text, details=details, verdict=verdict)


def _mean_logprob(answer: Answer) -> float:
    entries = [*answer.logprobs, *answer.rest]
    return sum(entry.drawn.logprob for entry in entries) / max(len(entries), 1)


def _sequence(answer: Answer, context: ReplyContext) -> BestOfSequence:
    fields, names = context.fields, context.names
    decoder = new_decoder()
    tokens = [*tokens_of(answer.logprobs, answer.text, names, decoder), *tokens_of(answer.rest, "", names, decoder)]
    prefill: list[PrefillToken] = []
    if answer.prompt_logprobs is not None:
        prefill = prefill_of(context.first, answer.prompt_logprobs, names)
    return BestOfSequence(
        generated_text=fields.prefix + answer.text,
        finish_reason=_reason(answer.finish_reason, answer.stop_reason),
        generated_tokens=len(tokens),
        seed=context.seeds[answer.choice],
        prefill=prefill,
        tokens=tokens,
        top_tokens=top_tokens_of([*answer.logprobs, *answer.rest], names) if fields.top_n else UNSET,
        budget_steered=answer.is_steered or UNSET,
    )


def _reason(reason: str, stop_reason: int | str | None) -> FinishReason:
    if reason == "length":
        return "length"
    if reason == "content_filter":
        return "stop_sequence"  # clients know no other reason for an end before the model's own
    return "stop_sequence" if isinstance(stop_reason, str) else "eos_token"


def generation_events(batches: AsyncGenerator[list[Delta], None], context: ReplyContext) -> AsyncGenerator[bytes, None]:
    """Return the reply as events, one per token.

    The last event has the whole text, so the last token is held back until the answer's end is known. Which token may
    be the last is known mostly: the one that ends a text, the one that uses up the budget, any where texts may stop it.
    """
    told = _EventWriter(context)

    def write(delta: Delta) -> bytes:
        if isinstance(delta, TextDelta):
            return b"".join(told.add(delta.text, delta.logprobs))
        if isinstance(delta, Finish):
            return b"".join(told.finish(delta))
        return told.last(delta) if isinstance(delta, Usage) else b""

    return written(batches, write)


class _EventWriter:
    """The events of one answer."""

    def __init__(self, context: ReplyContext) -> None:
        self._context = context
        self._pieces: list[str] = []
        self._decoder = new_decoder()
        self._held: tuple[Token, TokenLogprob] | None = None
        self._count = 0
        self._finish: Finish | None = None

    def add(self, text: str, entries: Sequence[TokenLogprob], *, is_end: bool = False) -> list[bytes]:
        """Return the events of more tokens, except one that may be the last."""
        self._pieces.append(text)
        framed = []
        if not entries and self._held is not None:
            self._held[0].text += text  # what was held back of its text
        tokens = tokens_of(entries, text, self._context.names, self._decoder)
        for token, entry in zip(tokens, entries, strict=True):
            framed += self._release()
            self._held = token, entry
            self._count += 1
        may_be_last = is_end or self._context.fields.has_stops or self._count >= self._context.max_tokens
        return framed if may_be_last else [*framed, *self._release()]

    def finish(self, finish: Finish) -> list[bytes]:
        """Return the events of the last tokens, except the very last."""
        self._finish = finish
        return self.add("", finish.rest, is_end=True)

    def last(self, usage: Usage) -> bytes:
        """Return the event of the last token, with the whole text."""
        finish = self._finish
        assert finish is not None, "usage comes last"
        assert self._held is not None, "an answer ends with a token"
        fields = self._context.fields
        details = StreamDetails(
            finish_reason=_reason(finish.reason, finish.stop_reason),
            generated_tokens=self._count,
            seed=self._context.seeds[0],
            input_length=self._context.num_prompt,
            budget_steered=finish.is_steered or UNSET,
        )
        last = self._event(*self._held)
        last.generated_text = fields.prefix + "".join(self._pieces)
        last.details = details if fields.wants_details else None
        last.verdict = verdict_out(usage)
        return event(last)

    def _release(self) -> list[bytes]:
        if self._held is None:
            return []
        released, self._held = event(self._event(*self._held)), None
        return [released]

    def _event(self, token: Token, entry: TokenLogprob) -> StreamEvent:
        tops = top_tokens_of([entry], self._context.names)[0]
        # Held tokens are the newest: all before them have been sent.
        return StreamEvent(index=self._count, token=token, top_tokens=tops if self._context.fields.top_n else UNSET)
