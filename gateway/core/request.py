"""Requests, independent of the dialect, before any decision about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal

from gateway.core.arithmetic import Arithmetic, Term
from gateway.core.constraints import Constraint, StoredConstraint
from gateway.core.documents import Document
from gateway.core.images import ImageInput
from tools.choice import ToolChoice
from tools.toolset import ToolSet


@dataclass(frozen=True, slots=True, kw_only=True)
class Repetition:
    """Bounds from which an answer counts as looping: it ends with `min_count` repetitions of one run of tokens.

    Attributes:
        max_pattern_size: Most tokens of the run; 0: answers may repeat themselves.
        min_pattern_size: Fewest; 0 is the same as 1.
    """

    max_pattern_size: int = 0
    min_pattern_size: int = 0
    min_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Adaptation:
    """Training of an answer's temporary LoRA adapter.

    Attributes:
        every_tokens: Tokens of the answer after which it is trained, on these tokens.
        rank: Of its matrices.
        learning_rate: Step of the optimizer.
    """

    every_tokens: int
    rank: int = 8
    learning_rate: float = 2e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingDefaults:
    """Sampling parameters for fields that a request leaves out."""

    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0
    repetition_penalty: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """Sampling parameters. None in a field of `SamplingDefaults` takes the model's default.

    Attributes:
        temperature: 0 takes the likeliest token.
        top_k: 0 leaves all tokens in.
        seed: None chooses one per request.
        typical_p: Share of the probability that the most typical tokens hold; 1 leaves all in.
        no_repeat_ngram_size: Length of token runs that must not repeat, prompt included; 0 for none.
        logit_bias: Added to the logits, by token id.
        allowed_token_ids: No other tokens; None allows all.
        bad_words: Texts that are not written in the tokenizer's own spelling, nor after a space.
        min_tokens: End of sequence is out of reach before that many tokens.
        ignore_eos: Go on past the end of sequence, until `max_tokens`.
        adaptation: How the answer adapts the model that writes the rest of it; None: it does not.
        repetition: Bounds at which a looping answer is ended; None takes the server's.
    """

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    typical_p: float = 1.0
    seed: int | None = None
    repetition_penalty: float | None = None
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    no_repeat_ngram_size: int = 0
    logit_bias: Mapping[int, float] = field(default_factory=dict)
    allowed_token_ids: tuple[int, ...] | None = None
    bad_words: tuple[str, ...] = ()
    min_tokens: int = 0
    ignore_eos: bool = False
    repetition: Repetition | None = None
    adaptation: Adaptation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasoningOptions:
    """Reasoning options of a client; ignored for models without reasoning.

    Attributes:
        enabled: Reasoning on or off; None leaves it to the chat template and the model.
        effort: How hard, in a word that the chat template knows; "none" is the same as not at all.
        origin: The field that asked for it, for messages.
        budget: Most tokens of reasoning, its markers not counted; then it is ended. None sets no bound of its own.
        budget_origin: The field that set the budget, for messages.
        budget_message: Text that ends reasoning whose budget is spent; empty for none.
        budget_message_origin: The field that set it, for messages.
        include: Return the reasoning; otherwise it is dropped.
    """

    enabled: bool | None = None
    effort: str | None = None
    origin: str = "reasoning_effort"
    budget: int | None = None
    budget_origin: str = "thinking_token_budget"
    budget_message: str = ""
    budget_message_origin: str = "reasoning_budget_message"
    include: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class BeamOptions:
    """Options of beam search, as in transformers.

    Attributes:
        width: Beginnings that are followed at a time, in all groups.
        length_penalty: Exponent of the length that scores are divided by; above 0, longer answers gain.
        early_stopping: True: stop once each group has as many answers as beams. False: once the best beam, ended now,
            would not be among them. "never": once it cannot come among them at any length.
        groups: Groups of beams; each disfavours tokens that those before it have chosen in the same step.
        diversity_penalty: Taken from the score for each time that another group has chosen the token.
    """

    width: int
    length_penalty: float = 1.0
    early_stopping: bool | Literal["never"] = False
    groups: int = 1
    diversity_penalty: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options that chats and completions share.

    Attributes:
        model: Name or alias; None means the served one.
        max_tokens: Most tokens of an answer; None lets the service choose.
        max_tokens_origin: The field that set it, for messages.
        default_max_tokens: The length that is chosen where `max_tokens` is None and no constraint needs more; None
            takes the server's own.
        stop: Texts that end an answer, themselves not part of it.
        stop_token_ids: Tokens that end an answer.
        include_stop: The stop text stays in the answer.
        n: Answers per prompt.
        best_of: Answers generated per prompt, of which the likeliest `n` are returned; None generates `n`.
        beams: Options of a beam search, whose best `n` answers are returned; None: answers are sampled.
        logprobs: Alternatives to report per token; 0 reports the drawn token alone, None nothing.
        logprob_details: With `logprobs`: report also how each token came to be chosen.
        prompt_logprobs: Alternatives per prompt token but the first.
        report_fields: Streams report each value of a JSON answer, and each argument, when it is complete.
        confidence: Report how sure the model was of each value of a JSON answer and of each argument.
        token_ids: Report the tokens of prompts and answers.
        constraint: Constraint on every answer; None for free text.
        kept: Reference to a stored constraint; the service replaces it by `constraint`.
        reasoning: Reasoning options.
        priority: Lower goes first.
        timeout_s: Seconds from the request's arrival to the end of its answer; None sets no bound of its own.
        continuous_usage: Each chunk carries the usage so far.
        cache_salt: Prompts share the prefix cache only with prompts of the same salt.
        policy: Name of the policy that screens prompt and answers; None leaves it to the server.
        policy_origin: The field that named it, for messages.
        answer_prefix: Text that every answer begins with.
        answer_prefix_origin: The field that it came from, for messages.
        returns_prefix: Answers are returned with their prefix.
        arithmetic: Scores of other prompts, adapters and models that are combined with the request's own.
    """

    model: str | None = None
    sampling: Sampling = field(default_factory=Sampling)
    max_tokens: int | None = None
    max_tokens_origin: str = "max_tokens"
    default_max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    stop_token_ids: tuple[int, ...] = ()
    include_stop: bool = False
    n: int = 1
    best_of: int | None = None
    beams: BeamOptions | None = None
    logprobs: int | None = None
    logprob_details: bool = False
    prompt_logprobs: int | None = None
    report_fields: bool = False
    confidence: bool = False
    token_ids: bool = False
    constraint: Constraint | None = None
    kept: StoredConstraint | None = None
    reasoning: ReasoningOptions = field(default_factory=ReasoningOptions)
    priority: int = 0
    timeout_s: float | None = None
    continuous_usage: bool = False
    cache_salt: str = ""
    policy: str | None = None
    policy_origin: str = "guardrails.config_id"
    answer_prefix: str = ""
    answer_prefix_origin: str = "answer_prefix"
    returns_prefix: bool = True
    arithmetic: Arithmetic | None = None

    @property
    def num_candidates(self) -> int:
        """Answers that are written for each prompt."""
        return self.n if self.best_of is None else self.best_of

    @property
    def num_beginnings(self) -> int:
        """Beginnings of answers to each prompt that are written at a time."""
        return self.num_candidates if self.beams is None else max(self.num_candidates, self.beams.width)

    @property
    def terms(self) -> tuple[Term, ...]:
        """Terms whose scores are combined with the request's own."""
        return () if self.arithmetic is None else self.arithmetic.terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The caller of a request.

    Attributes:
        tenant: Digest of the API key; empty if the server has no keys.
        timeout_s: Timeout of the client's connection, in seconds; None if it does not state one.
        policy: Name of the policy that a header of its asks for.
        wants_verdict: A header of its asks for what was checked.
        is_batch: The request is a line of a batch: every other request has priority.
    """

    tenant: str = ""
    timeout_s: float | None = None
    policy: str | None = None
    wants_verdict: bool = False
    is_batch: bool = False


NOBODY = Caller()


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalQuery:
    """Search for documents.

    Attributes:
        source: Name of the retriever.
        query: Text to search for; None: the last message of the user.
        limit: Most documents.
    """

    source: str
    query: str | None
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """A conversation to continue.

    Attributes:
        messages: As chat templates read them: role, content (text), and for calls `tool_calls` / `tool_call_id`. The
            results of a turn's calls are in the order of the calls, whatever order they are given in.
        tools: Tools that may be called; None for none.
        tool_choice: Tools that must be called; None without tools.
        max_calls: Most calls in one answer; None sets no bound.
        template_kwargs: Extra variables for the chat template.
        documents: Documents that the answer may rest on.
        cites: Answers cite the documents, and nothing that does not occur in them.
        retrieval: Search for further documents; None once they are among these.
        images: Images, in the order of their marks in the messages. They are given as `images` of each message.
        opens_answer: The prompt ends with the head of the answer; without it, it can only be looked at.
    """

    messages: tuple[Mapping[str, Any], ...]
    tools: ToolSet | None = None
    tool_choice: ToolChoice | None = None
    max_calls: int | None = None
    template_kwargs: Mapping[str, Any] = field(default_factory=dict)
    documents: tuple[Document, ...] = ()
    cites: bool = False
    retrieval: RetrievalQuery | None = None
    images: tuple[ImageInput, ...] = ()
    opens_answer: bool = True
    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        messages = in_call_order(self.messages)
        if given := tuple(image for message in messages for image in message.get("images", ())):
            messages = tuple({key: message[key] for key in message if key != "images"} for message in messages)
            object.__setattr__(self, "images", given)
        object.__setattr__(self, "messages", messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRequest:
    """Prompts to continue unchanged.

    Attributes:
        prompts: Text, or token ids.
        echo: Prepend the prompt to each answer.
        suffix: Text after the answer, for infilling; empty otherwise.
    """

    prompts: tuple[str | tuple[int, ...], ...]
    echo: bool = False
    suffix: str = ""
    options: Options = field(default_factory=Options)


def in_call_order(messages: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """Return the conversation with the results of each turn in the order of the calls.

    Many chat templates show no ids: there the model takes the first result for that of the first call. A result that
    names no call stays in its place, which is all that says which call it belongs to.
    """
    ordered = list(messages)
    numbers = count()
    order: dict[str, int] = {}
    places: list[int] = []
    for place, message in enumerate(messages):
        if calls := message.get("tool_calls"):
            _sort(ordered, places, order)
            places = []
            order.update((call["id"], next(numbers)) for call in calls if call.get("id") is not None)
        elif message.get("role") == "tool" and message.get("tool_call_id") in order:
            places.append(place)
    _sort(ordered, places, order)
    return tuple(ordered)


def _sort(messages: list[Mapping[str, Any]], places: Sequence[int], order: Mapping[str, int]) -> None:
    """Sort the messages at these places by the order of their calls."""
    results = sorted((messages[place] for place in places), key=lambda result: order[result["tool_call_id"]])
    for place, result in zip(places, results, strict=True):
        messages[place] = result
