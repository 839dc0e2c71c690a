"""Log-probabilities of an answer: as chats and Responses tell them, and as completions do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gateway.api.openai.bodies import CompletionLogprobs, TokenLogprobOut, TopLogprobOut
from gateway.core.answer import TokenLogprob, TopLogprob


def token_logprobs(entries: Iterable[TokenLogprob]) -> list[TokenLogprobOut]:
    """Each drawn token with its candidates."""
    return [
        TokenLogprobOut(
            token=entry.drawn.token,
            logprob=entry.drawn.logprob,
            bytes=list(entry.drawn.data),
            top_logprobs=[_candidate(top) for top in entry.top],
        )
        for entry in entries
    ]


def _candidate(top: TopLogprob) -> TopLogprobOut:
    return TopLogprobOut(token=top.token, logprob=top.logprob, bytes=list(top.data))


def completion_logprobs(entries: Sequence[TokenLogprob], offset: int) -> tuple[CompletionLogprobs | None, int]:
    """The entries, the first at this offset of the text, and the offset after them. None of no entries."""
    if not entries:
        return None, offset
    offsets = []
    for entry in entries:
        offsets.append(offset)
        offset += len(entry.drawn.token)
    shaped = CompletionLogprobs(
        text_offset=offsets,
        token_logprobs=[entry.drawn.logprob for entry in entries],
        tokens=[entry.drawn.token for entry in entries],
        # As OpenAI's: the drawn token is always among them.
        top_logprobs=[{top.token: top.logprob for top in (*entry.top, entry.drawn)} for entry in entries],
    )
    return shaped, offset
