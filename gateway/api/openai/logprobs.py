"""Log-probabilities: of answers, of prompts in vLLM's format, and of echoed prompts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from msgspec import UNSET, UnsetType

from gateway.api.openai.bodies import (
    CompletionLogprobs,
    PromptLogprobOut,
    PromptLogprobs,
    TokenDetailsOut,
    TokenLogprobOut,
    TopLogprobOut,
)
from gateway.core.answer import TokenLogprob, TopLogprob
from gateway.service.request.plan import Prompt


def token_logprobs(entries: Iterable[TokenLogprob]) -> list[TokenLogprobOut]:
    """Return the sampled tokens with their candidates."""
    return [_token(entry) for entry in entries]


def _token(entry: TokenLogprob) -> TokenLogprobOut:
    drawn, details = entry.drawn, entry.details
    out = TokenLogprobOut(
        token=drawn.token,
        logprob=drawn.logprob,
        bytes=list(drawn.data),
        top_logprobs=[
            TopLogprobOut(
                token=top.token,
                logprob=top.logprob,
                bytes=list(top.data),
                removed=UNSET if details is None else top.is_removed,
            )
            for top in entry.top
        ],
    )
    if details is not None:
        out.forced, out.drafted = details.is_forced, details.is_drafted
        out.time_ms, out.removed_mass = round(details.time_ms, 3), details.removed_mass
    return out


def completion_logprobs(entries: Sequence[TokenLogprob], offset: int) -> tuple[CompletionLogprobs | None, int]:
    """Return the entries, the first at this offset of the text, and the offset after them; None for no entries."""
    if not entries:
        return None, offset
    offsets = []
    for entry in entries:
        offsets.append(offset)
        offset += len(entry.drawn.token)
    details = [_details(entry) for entry in entries]
    shaped = CompletionLogprobs(
        text_offset=offsets,
        token_logprobs=[entry.drawn.logprob for entry in entries],
        tokens=[entry.drawn.token for entry in entries],
        # As OpenAI's: the drawn token is always among them.
        top_logprobs=[{top.token: top.logprob for top in (*entry.top, entry.drawn)} for entry in entries],
        details=details if any(details) else UNSET,
    )
    return shaped, offset


def _details(entry: TokenLogprob) -> TokenDetailsOut | None:
    details = entry.details
    if details is None:
        return None
    return TokenDetailsOut(
        forced=details.is_forced,
        drafted=details.is_drafted,
        time_ms=round(details.time_ms, 3),
        removed_mass=details.removed_mass,
        removed=[top.token for top in entry.top if top.is_removed],
    )


def prompt_logprobs_out(entries: tuple[TokenLogprob, ...] | None) -> PromptLogprobs | UnsetType:
    """Return the entries after a null for the first token; unset if they were not asked for."""
    return UNSET if entries is None else [None, *map(_prompt_entry, entries)]


def _prompt_entry(entry: TokenLogprob) -> dict[str, PromptLogprobOut]:
    """Return the token of the prompt, then the best candidates; a token that is both has a rank."""
    out = {str(entry.drawn.token_id): _prompt_candidate(entry.drawn, None)}
    for rank, top in enumerate(entry.top, start=1):
        out[str(top.token_id)] = _prompt_candidate(top, rank)
    return out


def _prompt_candidate(token: TopLogprob, rank: int | None) -> PromptLogprobOut:
    return PromptLogprobOut(logprob=token.logprob, rank=rank, decoded_token=token.token)


@dataclass(frozen=True, slots=True)
class Echo:
    """The text before an answer.

    Attributes:
        logprobs: Log-probabilities of the echo; None without any.
        num_characters: Characters of the tokens in `logprobs`: offsets of the answer begin there.
    """

    text: str
    logprobs: CompletionLogprobs | None = None
    num_characters: int = 0


def echo_with_logprobs(
    prompt: Prompt, about_prompt: Sequence[TokenLogprob], num_top: int, decode: Callable[..., str]
) -> Echo:
    """Return the prompt's echo with its log-probabilities.

    Args:
        about_prompt: Log-probabilities of each prompt token but the first.
        num_top: Candidates per token.
        decode: Says what tokens are called; special ones have no name, unless `with_special`.
    """

    def called(token_id: int, text: str) -> str:
        """Return the token's text; for a special token its name, if the client wrote it in the prompt."""
        name = text or decode((token_id,), with_special=True)
        return name if text or name in prompt.echo else ""

    echoed = about_prompt[max(prompt.echo_begin - 1, 0) : prompt.echo_end - 1]
    told = tuple(
        TokenLogprob(replace(entry.drawn, token=called(entry.drawn.token_id, entry.drawn.token)), entry.top[:num_top])
        for entry in echoed
    )
    if prompt.echo_begin:
        return Echo(prompt.echo, *completion_logprobs(told, 0))
    # The first token of all has no probability, only its name.
    first = called(prompt.ids[0], decode(prompt.ids[:1]))
    alone = CompletionLogprobs(text_offset=[0], token_logprobs=[None], tokens=[first], top_logprobs=[None])
    rest, num_characters = completion_logprobs(told, len(first))
    return Echo(prompt.echo, joined(alone, rest), num_characters)


def joined(first: CompletionLogprobs | None, rest: CompletionLogprobs | None) -> CompletionLogprobs | None:
    """Return both in a row; either may be None."""
    if first is None or rest is None:
        return first or rest
    return CompletionLogprobs(
        text_offset=first.text_offset + rest.text_offset,
        token_logprobs=first.token_logprobs + rest.token_logprobs,
        tokens=first.tokens + rest.tokens,
        top_logprobs=first.top_logprobs + rest.top_logprobs,
        details=UNSET if first.details is rest.details is UNSET else _padded(first) + _padded(rest),
    )


def _padded(logprobs: CompletionLogprobs) -> list[TokenDetailsOut | None]:
    return [None] * len(logprobs.tokens) if logprobs.details is UNSET else logprobs.details
