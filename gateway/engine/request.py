"""What goes into the engine and what comes out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from gateway.engine.errors import InvalidSamplingError
from gateway.engine.protocols import StopCriterion, TokenConstraint

FinishReason = Literal["stop", "length", "cancelled", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingParams:
    """How the tokens of one request are chosen.

    Attributes:
        max_tokens: Most tokens of the answer.
        temperature: Divides the scores; 0 takes the best token (greedy).
        top_p: Smallest set of best tokens whose probabilities sum to this; 1 keeps all.
        top_k: This many best tokens; 0 keeps all.
        min_p: Tokens at least this fraction as likely as the best; 0 keeps all.
        seed: Same seed, same tokens, whatever else runs. None: drawn at random.
        repetition_penalty: Divides (multiplies) the positive (negative) scores of tokens seen in prompt or answer.
        presence_penalty: Subtracted from the scores of tokens of the answer.
        frequency_penalty: Subtracted once per occurrence in the answer.
        logit_bias: Added to the scores of these token ids.
        min_tokens: No end of sequence and no stop token before so many. A constraint that allows nothing else wins.
        stop_token_ids: End the request, like the end-of-sequence tokens; not part of the answer.
        ignore_eos: Go on after end of sequence. Without effect under a constraint, which decides itself.
        logprobs: None: none. n: log-probability of each token and of the n best, before any warper.
    """

    max_tokens: int
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0
    seed: int | None = None
    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    logit_bias: Mapping[int, float] = field(default_factory=dict)
    min_tokens: int = 0
    stop_token_ids: Sequence[int] = ()
    ignore_eos: bool = False
    logprobs: int | None = None

    def validate(self, vocab_size: int) -> None:
        """Raise unless every parameter is in range.

        Raises:
            InvalidSamplingError: Names the parameter.
        """
        finite = ("temperature", "top_p", "min_p", "repetition_penalty", "presence_penalty", "frequency_penalty")
        checks = [(name, math.isfinite(getattr(self, name)), "must be a finite number") for name in finite]
        checks += [
            ("max_tokens", self.max_tokens >= 1, "must be at least 1"),
            ("temperature", self.temperature >= 0, "must not be negative"),
            ("top_p", 0 < self.top_p <= 1, "must be in (0, 1]"),
            ("top_k", self.top_k >= 0, "must not be negative"),
            ("min_p", 0 <= self.min_p <= 1, "must be in [0, 1]"),
            ("repetition_penalty", self.repetition_penalty > 0, "must be positive"),
            ("min_tokens", 0 <= self.min_tokens <= self.max_tokens, "must be in [0, max_tokens]"),
            ("logprobs", self.logprobs is None or 0 <= self.logprobs <= vocab_size, "must be in [0, vocabulary]"),
            ("logit_bias", all(0 <= i < vocab_size for i in self.logit_bias), "names a token that does not exist"),
            ("logit_bias", all(map(math.isfinite, self.logit_bias.values())), "must be finite"),
        ]
        for name, holds, message in checks:
            if not holds:
                raise InvalidSamplingError(name, message)


@dataclass(slots=True, kw_only=True)
class GenerationRequest:
    """One prompt to be continued.

    Attributes:
        request_id: Unique among the requests in the engine.
        prompt_ids: At least one token.
        sampling: How tokens are chosen.
        constraint: What the answer may be; the engine owns it until the last event.
        stop: Ends the answer with the token that completes a stop string.
        priority: Lower goes first; equal ones in order of arrival.
    """

    request_id: str
    prompt_ids: list[int]
    sampling: SamplingParams
    constraint: TokenConstraint | None = None
    stop: StopCriterion | None = None
    priority: int = 0


@dataclass(frozen=True, slots=True)
class TokenLogprobs:
    """Natural log-probabilities of the model itself: before penalties, masks and temperature.

    Attributes:
        token_id: The chosen token.
        logprob: Of the chosen token.
        top: The n best tokens with theirs, best first; the chosen one need not be among them.
    """

    token_id: int
    logprob: float
    top: tuple[tuple[int, float], ...]


@dataclass(slots=True)
class TokenEvent:
    """What one step brought one request.

    Attributes:
        token_ids: New tokens; empty if the step only ended the request. Never an end-of-sequence or stop token.
        logprobs: One per new token, if asked for.
        finish_reason: None while the request goes on. "stop": end of sequence, stop token, stop string or a complete
            constrained text that used its whole budget; "length": max_tokens.
        stop_reason: The stop token id that ended it, if one did.
        error: Set iff finish_reason is "error".
        num_cached_tokens: Prompt tokens that were taken from the prefix cache.
    """

    request_id: str
    token_ids: list[int]
    logprobs: list[TokenLogprobs] | None = None
    finish_reason: FinishReason | None = None
    stop_reason: int | str | None = None
    error: BaseException | None = None
    num_cached_tokens: int = 0
    num_prompt_tokens: int = 0
