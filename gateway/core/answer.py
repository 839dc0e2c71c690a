"""Answers: deltas while they are generated, and whole ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from gateway.core.documents import Citation
from gateway.core.verdict import UNCHECKED, AnswerVerdict, VerifiedBy

FinishReason = Literal["stop", "length", "tool_calls", "content_filter"]
GuardAction = Literal["pass", "annotate", "redact", "block", "retry", "forbid"]
CallKind = Literal["function", "custom"]


@dataclass(frozen=True, slots=True)
class TopLogprob:
    """A candidate for a position.

    Attributes:
        token: Text of the token; incomplete characters show as U+FFFD.
        data: Bytes of the token.
        logprob: Natural logarithm of its probability; finite.
        is_removed: The constraint's mask forbids it; only known for candidates of tokens with details.
    """

    token_id: int
    token: str
    data: bytes
    logprob: float
    is_removed: bool = False


@dataclass(frozen=True, slots=True)
class TokenDetails:
    """How a token came to be chosen.

    Attributes:
        is_forced: The constraint's mask allowed this token alone.
        is_drafted: It was accepted from a draft.
        time_ms: Since the token before it; of the first token, since the first step of the request.
        removed_mass: Probability of all tokens that the mask forbids, in the model's distribution at temperature 1; 0
            without a constraint.
    """

    is_forced: bool
    is_drafted: bool
    time_ms: float
    removed_mass: float


@dataclass(frozen=True, slots=True)
class TokenLogprob:
    """The drawn token and the likeliest candidates beside it.

    Attributes:
        details: None unless asked for, and for text that a policy replaced.
    """

    drawn: TopLogprob
    top: tuple[TopLogprob, ...]
    details: TokenDetails | None = None


@dataclass(frozen=True, slots=True)
class PromptDelta:
    """Log-probabilities of the prompt of answer `choice`, for each token but the first."""

    choice: int
    logprobs: tuple[TokenLogprob, ...]


@dataclass(frozen=True, slots=True)
class CompleteField:
    """A complete value inside JSON that is being generated.

    Attributes:
        path: JSON pointer to it.
        value: As it is written: JSON text.
    """

    path: str
    value: str


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More text of answer `choice`.

    Attributes:
        fields: If asked for, those that it completes.
    """

    choice: int
    text: str
    logprobs: tuple[TokenLogprob, ...] = ()
    fields: tuple[CompleteField, ...] = ()


@dataclass(frozen=True, slots=True)
class CitationDelta:
    """A citation for the text of answer `choice` before it."""

    choice: int
    citation: Citation


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """More reasoning of answer `choice`."""

    choice: int
    text: str


@dataclass(frozen=True, slots=True)
class CallDelta:
    """Tool call `index` of answer `choice` begins.

    Attributes:
        kind: Kind of the call's text: JSON arguments of a function, or input of a custom tool.
        logprobs: If asked for, of the tokens that began it.
    """

    choice: int
    index: int
    id: str
    name: str
    kind: CallKind = "function"
    logprobs: tuple[TokenLogprob, ...] = ()


@dataclass(frozen=True, slots=True)
class ArgumentsDelta:
    """More text of tool call `index` of answer `choice`: arguments, or a custom tool's input.

    Attributes:
        fields: If asked for, those of the arguments that it completes.
    """

    choice: int
    index: int
    text: str
    fields: tuple[CompleteField, ...] = ()
    logprobs: tuple[TokenLogprob, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Number of matches of a policy's rule in a text; never the text itself.

    Attributes:
        guard: Name of the guard.
        kind: Kind of the match.
        where: `input`, `content`, `reasoning` or `arguments`.
        probability: The highest that a judge gave to what counts; None where none says how likely it is.
    """

    guard: str
    kind: str
    action: GuardAction
    where: str
    count: int
    probability: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """Other values in the place of one.

    Attributes:
        values: The value; several if the known tokens do not distinguish them.
        probability: Probability of any of them in its place, given the text before.
    """

    values: tuple[Any, ...]
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldConfidence:
    """Confidence in one value, by the probabilities among the tokens that the constraint allowed.

    Attributes:
        path: JSON pointer to the value, which is no object and no array, or an empty one.
        call: Index of the call in whose arguments it is; None: in the text.
        logprob: Natural log-probability of the value, given all before it.
        num_tokens: Tokens that were chosen for it; `logprob` is their sum.
        num_forced: Tokens of it that were the only ones possible.
        alternative: The likeliest other value of an enum or boolean, as far as known.
    """

    path: str
    call: int | None
    logprob: float
    num_tokens: int
    num_forced: int
    alternative: Alternative | None = None

    @property
    def mean_logprob(self) -> float:
        """Return the mean over the sampled tokens; 0 without any."""
        return self.logprob / self.num_tokens if self.num_tokens else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Figures of an answer that has ended.

    Attributes:
        has_looped: The answer looped, and was ended like one out of tokens.
        is_steered: The budget, not the model, decided how it ended (`length`); it is complete and valid all the same.
        rest: With log-probabilities: the tokens after its last text, such as the one that ended it.
        findings: Findings of the policy.
        verdict: Checks of the answer.
        confidence: If asked for, of each value of its JSON and of its calls.
        token_ids: If asked for, all tokens of the answer but the one that ended it.
        prompt_token_ids: Tokens of its prompt, with them.
    """

    has_looped: bool = False
    is_steered: bool = False
    rest: tuple[TokenLogprob, ...] = ()
    findings: tuple[Finding, ...] = ()
    verdict: AnswerVerdict = UNCHECKED
    confidence: tuple[FieldConfidence, ...] | None = None
    token_ids: tuple[int, ...] | None = None
    prompt_token_ids: tuple[int, ...] | None = None

    @property
    def verified_by(self) -> VerifiedBy | None:
        """Return how text under a grammar or with tags was verified."""
        return self.verdict.verified_by


@dataclass(frozen=True, slots=True)
class Finish(Outcome):
    """Answer `choice` is complete and verified; or a policy ended it (`content_filter`) early.

    Attributes:
        stop_reason: The stop string or token id that ended it, when one did.
    """

    choice: int
    reason: FinishReason
    stop_reason: int | str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens read and written, over all answers of a request.

    Attributes:
        reasoning_tokens: Completion tokens of the reasoning, its markers included.
        companion_tokens: Tokens of other prompts whose scores were combined with the request's, answers included. They
            count for the limits of a key, and are not part of replies.
        verdicts: Verdict on each answer, by `choice`; with the last usage, if asked for.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    companion_tokens: int = 0
    verdicts: tuple[AnswerVerdict, ...] = ()

    @property
    def total_tokens(self) -> int:
        """Prompt and answers together."""
        return self.prompt_tokens + self.completion_tokens


Delta = PromptDelta | TextDelta | ReasoningDelta | CallDelta | ArgumentsDelta | CitationDelta | Finish | Usage


@dataclass(frozen=True, slots=True)
class Call:
    """A complete tool call. `arguments` is the JSON text as generated, or the input of a custom tool."""

    id: str
    name: str
    arguments: str
    kind: CallKind = "function"


@dataclass(frozen=True, slots=True)
class Answer(Outcome):
    """A verified answer; or the part of it that a policy passed, without calls.

    Attributes:
        prompt_logprobs: Log-probabilities of each prompt token but the first; None if not asked for.
        reasoning: Reasoning before the answer; not part of `text`.
        citations: Citations of documents, in order.
    """

    choice: int
    text: str
    calls: tuple[Call, ...]
    finish_reason: FinishReason
    stop_reason: int | str | None
    logprobs: tuple[TokenLogprob, ...]
    prompt_logprobs: tuple[TokenLogprob, ...] | None = None
    reasoning: str = ""
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatAnswers:
    """Answers of a request, in order of `choice`."""

    choices: tuple[Answer, ...]
    usage: Usage
