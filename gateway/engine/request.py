"""Requests to the engine, and their events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Literal

from gateway.engine.adaptation.rule import AdaptationRule
from gateway.engine.companions import Companion, Formula
from gateway.engine.errors import EngineFault, InvalidSamplingError
from gateway.engine.histograms import Histogram, empty_histograms
from gateway.engine.images.pixels import ImagePixels
from gateway.engine.loops import LoopRule
from gateway.engine.protocols import StopCriterion, TokenConstraint

MAX_BAD_WORDS = 4096
MAX_BAD_WORD_TOKENS = 64
MAX_NGRAM_SIZE = 64
LEAST_NUMBER, MOST_NUMBER = 1e-30, 1e30
"""Magnitudes that float32 holds, and still holds when scores are divided or multiplied by them."""
NUMBERS = ("temperature", "top_p", "min_p", "typical_p", "repetition_penalty", "presence_penalty", "frequency_penalty")
TOO_LARGE_OR_SMALL = f"must be 0, or of a magnitude in [{LEAST_NUMBER:g}, {MOST_NUMBER:g}]"
NGRAM_SIZES = f"must be in [0, {MAX_NGRAM_SIZE}]"
BAD_WORD_SIZES = f"must be words of 1 to {MAX_BAD_WORD_TOKENS} tokens"

Pooling = Literal["last", "mean", "cls", "max"]
FinishReason = Literal["stop", "length", "repetition", "cancelled", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingParams:
    """Sampling of the tokens of one request.

    Attributes:
        max_tokens: Most tokens of the answer.
        temperature: Divides the scores; 0 takes the best token (greedy).
        top_p: Smallest set of best tokens whose probabilities sum to this; 1 keeps all.
        top_k: This many best tokens; 0 keeps all.
        min_p: Tokens at least this fraction as likely as the best; 0 keeps all.
        typical_p: Tokens about as surprising as expected whose probabilities sum to this; 1 keeps all.
        seed: Same seed, same tokens, independent of other requests. None: drawn at random.
        repetition_penalty: Divides (multiplies) the positive (negative) scores of tokens seen in prompt or answer.
        presence_penalty: Subtracted from the scores of tokens of the answer.
        frequency_penalty: Subtracted once per occurrence in the answer.
        no_repeat_ngram_size: No run of this many tokens occurs twice in prompt and answer; 0: any may. At most
            `MAX_NGRAM_SIZE`. Costs one entry in a table for each token of the text.
        logit_bias: Added to the scores of these token ids.
        allowed_token_ids: No token but these; None: all. An end of sequence must be among them to be chosen.
        bad_words_ids: Runs of tokens that are not written; where the text ends in all but the last token of one, the
            last is out of reach. At most `MAX_BAD_WORDS` of `MAX_BAD_WORD_TOKENS`.
        min_tokens: No end of sequence and no stop token before this many tokens.
        stop_token_ids: End the request, like the end-of-sequence tokens; not part of the answer.
        ignore_eos: Go on after end of sequence. Without effect under a constraint, which decides itself.
        logprobs: None: none. n: log-probability of each token and of the n best, before any warper, and under a
            constraint also after its mask.
        logprob_details: With `logprobs`: report `TokenDetails` of each token as well.
        logprob_token_ids: With `logprobs`: tokens that are reported as well, at any rank.
        loops: When the answer counts as a loop, and ends: at once where it is free, under a constraint by the shortest
            way. Not before `min_tokens`. None: never.
        prompt_logprobs: None: none. n: the same of each token of the prompt but the first. Nothing of such a prompt
            is taken from the prefix cache, since log-probabilities are not in it, and the scores of all its tokens are
            computed: 4 bytes a token of a step and of the vocabulary.
        adaptation: How the answer trains a LoRA adapter that the rest of it is computed with. None: it does not.
        classifiers: Names and weights of `EngineConfig.term_classifiers` whose log-probabilities are added.

    Four of them forbid tokens: `allowed_token_ids`, `bad_words_ids`, `no_repeat_ngram_size` and `min_tokens`. They
    apply in this order; one that would forbid all tokens that the constraint and the ones before it leave is ignored in
    that step. So a constrained answer is always complete.
    """

    max_tokens: int
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0
    typical_p: float = 1.0
    seed: int | None = None
    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    no_repeat_ngram_size: int = 0
    logit_bias: Mapping[int, float] = field(default_factory=dict)
    allowed_token_ids: Sequence[int] | None = None
    bad_words_ids: Sequence[Sequence[int]] = ()
    min_tokens: int = 0
    stop_token_ids: Sequence[int] = ()
    ignore_eos: bool = False
    logprobs: int | None = None
    logprob_details: bool = False
    logprob_token_ids: Sequence[int] = ()
    prompt_logprobs: int | None = None
    loops: LoopRule | None = None
    adaptation: AdaptationRule | None = None
    classifiers: Sequence[tuple[str, float]] = ()

    def validate(self, vocab_size: int) -> None:
        """Raise unless every parameter is in range.

        Raises:
            InvalidSamplingError: Names the parameter.
        """
        allowed, words = self.allowed_token_ids, self.bad_words_ids
        never = {word[0] for word in words if len(word) == 1}
        unknown = "names a token that does not exist"
        checks = [
            *((name, _fits(getattr(self, name)), TOO_LARGE_OR_SMALL) for name in NUMBERS),
            ("max_tokens", self.max_tokens >= 1, "must be at least 1"),
            ("temperature", self.temperature >= 0, "must not be negative"),
            ("top_p", 0 < self.top_p <= 1, "must be in (0, 1]"),
            ("top_k", self.top_k >= 0, "must not be negative"),
            ("min_p", 0 <= self.min_p <= 1, "must be in [0, 1]"),
            ("typical_p", 0 < self.typical_p <= 1, "must be in (0, 1]"),
            ("repetition_penalty", self.repetition_penalty > 0, "must be positive"),
            ("min_tokens", 0 <= self.min_tokens <= self.max_tokens, "must be in [0, max_tokens]"),
            ("no_repeat_ngram_size", 0 <= self.no_repeat_ngram_size <= MAX_NGRAM_SIZE, NGRAM_SIZES),
            ("classifiers", all(_fits(weight) for _, weight in self.classifiers), TOO_LARGE_OR_SMALL),
            ("loops", self.loops is None or self.loops.is_sound, "has a number that is out of range"),
            ("adaptation", self.adaptation is None or self.adaptation.is_sound, "has a number that is out of range"),
            ("logprobs", 0 <= (self.logprobs or 0) <= vocab_size, "must be in [0, vocabulary]"),
            ("prompt_logprobs", 0 <= (self.prompt_logprobs or 0) <= vocab_size, "must be in [0, vocabulary]"),
            ("logprob_token_ids", _exist(self.logprob_token_ids, vocab_size), unknown),
            ("logprob_token_ids", not self.logprob_token_ids or self.logprobs is not None, "needs logprobs"),
            ("logprob_details", not self.logprob_details or self.logprobs is not None, "needs logprobs"),
            ("logit_bias", _exist(self.logit_bias, vocab_size), unknown),
            ("logit_bias", all(map(_fits, self.logit_bias.values())), TOO_LARGE_OR_SMALL),
            ("bad_words_ids", len(words) <= MAX_BAD_WORDS, f"may hold at most {MAX_BAD_WORDS} words"),
            ("bad_words_ids", all(1 <= len(word) <= MAX_BAD_WORD_TOKENS for word in words), BAD_WORD_SIZES),
            ("bad_words_ids", all(_exist(word, vocab_size) for word in words), unknown),
            ("allowed_token_ids", allowed is None or len(allowed) > 0, "must name a token"),
            ("allowed_token_ids", _exist(allowed or (), vocab_size), unknown),
            (
                "bad_words_ids",
                allowed is None or not never.issuperset(allowed),
                "forbid all that allowed_token_ids allows",
            ),
        ]
        for name, holds, message in checks:
            if not holds:
                raise InvalidSamplingError(name, message)


def _fits(number: float) -> bool:
    return number == 0 or LEAST_NUMBER <= abs(number) <= MOST_NUMBER


def _exist(token_ids: Iterable[int], vocab_size: int) -> bool:
    return all(0 <= token < vocab_size for token in token_ids)


@dataclass(slots=True, kw_only=True)
class GenerationRequest:
    """A prompt to be continued.

    Attributes:
        request_id: Unique among the requests in the engine.
        prompt_ids: At least one token.
        sampling: How tokens are chosen.
        constraint: What the answer may be; the engine owns it until the last event.
        stop: Ends the answer with the token that completes a stop string.
        priority: Lower goes first.
        tenant: Owner. Of equal priority, the tenant with the fewest computed tokens goes first; requests of one tenant
            go in order of arrival.
        deadline: Time at which it ends with `DeadlineExceededError`, in seconds of `time.monotonic`, which all
            processes of a machine share. None: never.
        since: On that clock, the arrival of the request that it continues: it has that one's place, and a full queue
            does not refuse it. None: it begins.
        group: Requests of one group have the same prompt, which is read once; see `ForkGroups`. Everything else is each
            one's own. Unique among the groups in the engine.
        cache_salt: Only prompts with the same salt share cached blocks.
        adapter: Name of the LoRA adapter that prompt and answer are computed with. None: the model itself.
        num_begun: Number of tokens at the end of the prompt that begin the answer: the constraint is advanced over
            them. They count as prompt in everything else.
        is_step: It ends after one token, though the text, and so its constraint, has `max_tokens`; others continue it.
        images: Images whose tokens the prompt holds, in order.
        second_text: Position at which the second text of a pair begins, for encoders; None: there is one text.
        pooling: Pool the states of the prompt's tokens and write nothing; see `pooling.Pool`. None: write an answer.
        companions: Other prompts whose scores are combined with its own, by `formula`; see `arithmetic`.
    """

    request_id: str
    prompt_ids: list[int]
    sampling: SamplingParams
    constraint: TokenConstraint | None = None
    stop: StopCriterion | None = None
    priority: int = 0
    tenant: str = ""
    deadline: float | None = None
    since: float | None = None
    group: str | None = None
    cache_salt: str = ""
    adapter: str | None = None
    num_begun: int = 0
    is_step: bool = False
    pooling: Pooling | None = None
    second_text: int | None = None
    companions: Sequence[Companion] = ()
    formula: Formula = ()
    images: tuple[ImagePixels, ...] = ()


@dataclass(frozen=True, slots=True)
class AdapterFile:
    """LoRA adapter to be loaded.

    Attributes:
        name: Name in requests.
        path: File of its matrices, in safetensors, named as PEFT does.
        scales: Factor of each product that it changes, by the product's name in the model.
    """

    name: str
    path: str
    scales: dict[str, float]


@dataclass(frozen=True, slots=True)
class MaskedLogprobs:
    """Natural log-probabilities after the token mask alone, which sum to one over what it allows.

    Attributes:
        logprob: Of the chosen token.
        top: The n best of the allowed tokens with theirs, best first; fewer where fewer are allowed.
        removed_mass: The probability that the model gave to all that the mask forbids. 0: the model would have kept to
            the constraint by itself.
    """

    logprob: float
    top: tuple[tuple[int, float], ...]
    removed_mass: float


@dataclass(frozen=True, slots=True)
class TokenDetails:
    """How a token came to be chosen.

    Attributes:
        is_forced: The mask allowed this token alone.
        removed: For each token of `TokenLogprobs.top`: the mask forbids it.
        is_drafted: It was accepted from a draft.
        time_ms: Since the token before it; of the first token, since the first step of the request.
    """

    is_forced: bool
    removed: tuple[bool, ...]
    is_drafted: bool = False
    time_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class TokenLogprobs:
    """Natural log-probabilities of the model itself: before penalties, masks and temperature.

    Attributes:
        token_id: The chosen token; of a prompt, the token that is there.
        logprob: Of that token.
        top: The n best tokens with theirs, best first; the chosen one need not be among them.
        masked: The same under the constraint's mask; None without a constraint.
        asked: Of the tokens of `logprob_token_ids`, in their order.
        details: None unless asked for.
    """

    token_id: int
    logprob: float
    top: tuple[tuple[int, float], ...]
    masked: MaskedLogprobs | None = None
    asked: tuple[float, ...] = ()
    details: TokenDetails | None = None


@dataclass(slots=True)
class TokenEvent:
    """Output of one step for one request.

    Attributes:
        token_ids: New tokens; empty if the step only ended the request. Never an end-of-sequence or stop token.
        logprobs: One per new token, if asked for.
        finish_reason: None while the request goes on. "stop": end of sequence, stop token, stop string or a complete
            constrained text that used its whole budget; "length": max_tokens; "repetition": the answer became a loop,
            and ended there, or under a constraint with the shortest end from there.
        stop_reason: The stop token id that ended it, if one did.
        is_full: True if the answer has as many tokens as it may have.
        times: With `finish_reason`: arrival, first step, first token and last token by `time.monotonic`; None without
            a token.
        is_steered: With `finish_reason`: whether the budget, not the model, decided how a constrained answer ended.
        error: Set iff finish_reason is "error".
        num_cached_tokens: Prompt tokens that were taken from the prefix cache, or from another request of the group.
        prompt_logprobs: If asked for, with the first event after the whole prompt was read, which is the one with the
            first token or the one that ends the request instead: one for each prompt token but the first.
        ending: Of the end-of-sequence or stop token that ended it, if one did and log-probabilities were asked for.
        pooled: With `finish_reason`, of a request with `pooling`: the vector as float32, little-endian.
    """

    request_id: str
    token_ids: list[int]
    logprobs: list[TokenLogprobs] | None = None
    finish_reason: FinishReason | None = None
    stop_reason: int | str | None = None
    error: BaseException | None = None
    num_cached_tokens: int = 0
    num_prompt_tokens: int = 0
    prompt_logprobs: list[TokenLogprobs] | None = None
    ending: TokenLogprobs | None = None
    is_full: bool = False
    is_steered: bool = False
    times: tuple[float, float, float, float] | None = None
    pooled: bytes = b""


@dataclass(slots=True)
class EngineStats:
    """Totals since the start, and current gauges.

    Attributes:
        num_steps: Forward passes.
        num_prompt_tokens: Tokens of admitted prompts.
        num_cached_tokens: Of those, taken from the prefix cache or from another request of the group.
        num_output_tokens: Tokens given out.
        num_copied_blocks: Blocks that were copied, because a request was about to write into what others hold too.
        num_preemptions: Sequences that had to give their blocks back and start over.
        num_running: Sequences in the batch now.
        num_waiting: Sequences in the queue now.
        num_blocks: Key/value blocks in all.
        block_size: Tokens of one.
        num_free_blocks: Blocks that a new sequence could get, cached ones included.
        offload_bytes: Keys and values in the second tier, by its parts "memory" and "file".
        num_drafts: Drafts that were checked.
        num_drafted: Tokens that were drafted, by source.
        num_accepted: Of those, tokens that became part of an answer.
        num_forced: Tokens of answers that a constraint left no choice about, taken without a row.
        num_short_masks: Masks that lacked tokens which their constraint allows, as they took too long to make.
        num_narrowed_masks: Masks that a budget of tokens left tokens out of, of answers that none has decided yet.
        num_draft_faults: Sources of drafts that raised instead.
        offload_hits: Tokens of prompts that were copied back from the second tier, by part.
        finished: Ended requests by finish reason.
        histograms: Times and sizes of requests, by the names in `histograms.BOUNDS`.
    """

    num_steps: int = 0
    num_prompt_tokens: int = 0
    num_cached_tokens: int = 0
    num_output_tokens: int = 0
    num_copied_blocks: int = 0
    num_preemptions: int = 0
    num_running: int = 0
    num_waiting: int = 0
    num_blocks: int = 0
    block_size: int = 0
    num_free_blocks: int = 0
    offload_bytes: Counter[str] = field(default_factory=Counter)
    num_drafts: int = 0
    num_drafted: Counter[str] = field(default_factory=Counter)
    num_accepted: Counter[str] = field(default_factory=Counter)
    num_forced: int = 0
    num_short_masks: int = 0
    num_narrowed_masks: int = 0
    num_draft_faults: int = 0
    offload_hits: Counter[str] = field(default_factory=Counter)
    finished: Counter[str] = field(default_factory=Counter)
    histograms: dict[str, Histogram] = field(default_factory=empty_histograms)

    def plus(self, later: EngineStats) -> EngineStats:
        """Return the totals of both, and the gauges of the later one."""
        both = replace(later)
        for name in (each.name for each in fields(EngineStats) if each.name not in GAUGES):
            mine, theirs = getattr(self, name), getattr(later, name)
            sums = {at: each.plus(mine[at]) for at, each in theirs.items()} if name == "histograms" else theirs + mine
            setattr(both, name, sums)
        return both


def sum_of(several: Iterable[EngineStats]) -> EngineStats:
    """Return the totals and gauges of several engines together."""
    total = EngineStats()
    for stats in several:
        gauges = {name: getattr(total, name) + getattr(stats, name) for name in GAUGES}
        total = replace(total.plus(stats), **gauges)
    return total


GAUGES = frozenset({"num_running", "num_waiting", "num_blocks", "block_size", "num_free_blocks", "offload_bytes"})
"""Fields of `EngineStats` that are no totals."""


def gather(requests: Sequence[GenerationRequest], items: Iterator[TokenEvent | EngineFault]) -> list[list[int]]:
    """Return the answers of requests, in their order, from an engine's events; raise the first fault of one."""
    answers: dict[str, list[int]] = {request.request_id: [] for request in requests}
    num_open = len(requests)
    while num_open:
        item = next(items)
        if isinstance(item, EngineFault):
            raise item
        if item.error is not None:
            raise item.error
        answers[item.request_id] += item.token_ids
        num_open -= item.finish_reason is not None
    return [answers[request.request_id] for request in requests]
