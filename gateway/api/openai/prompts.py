"""Log-probabilities of a prompt, in vLLM's shape."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from gateway.api.openai.bodies import PromptLogprobOut, PromptLogprobs
from gateway.core.answer import TokenLogprob, TopLogprob


def prompt_logprobs_out(entries: tuple[TokenLogprob, ...] | None) -> PromptLogprobs | UnsetType:
    """The entries after a null for the first token; unset if nobody asked."""
    return UNSET if entries is None else [None, *map(_candidates, entries)]


def _candidates(entry: TokenLogprob) -> dict[str, PromptLogprobOut]:
    """The token that is there first, then the best ones; one that is both has a rank."""
    out = {str(entry.drawn.token_id): _candidate(entry.drawn, None)}
    for rank, top in enumerate(entry.top, start=1):
        out[str(top.token_id)] = _candidate(top, rank)
    return out


def _candidate(token: TopLogprob, rank: int | None) -> PromptLogprobOut:
    return PromptLogprobOut(logprob=token.logprob, rank=rank, decoded_token=token.token)
