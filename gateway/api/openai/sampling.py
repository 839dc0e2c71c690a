"""Sampling and reasoning fields of a body as `Options`."""

from __future__ import annotations

from typing import Any

from gateway.api.openai.arithmetic import arithmetic_of
from gateway.api.openai.chunks import reports_continuous_usage
from gateway.api.openai.constraints import constraint_of, stored_constraint_of
from gateway.api.openai.requests import ChatCompletionRequest, GenerationFields
from gateway.api.repetition import repetition_of
from gateway.core.constraints import Constraint
from gateway.core.ignored_fields import ignore_field, note_ignored
from gateway.core.request import Adaptation, BeamOptions, Options, ReasoningOptions, Sampling
from gateway.errors import InvalidRequestError, UnsupportedParameterError
from tools.reasoning import EFFORTS

_SWITCHES = ("enable_thinking", "thinking")
"""Variables of chat templates that clients set directly."""


def reasoning_of(body: ChatCompletionRequest) -> ReasoningOptions:
    """Return the reasoning options of a body.

    Raises:
        InvalidRequestError: The effort is none that is known.
    """
    effort = body.reasoning_effort
    if effort is not None and effort not in EFFORTS:
        raise InvalidRequestError(f"reasoning_effort must be one of {', '.join(EFFORTS)}", param="reasoning_effort")
    given = body.chat_template_kwargs or {}
    switch = next((given[name] for name in _SWITCHES if isinstance(given.get(name), bool)), None)
    origin = "reasoning_effort" if switch is None else "chat_template_kwargs"
    if switch is None and effort == "none":
        switch = False
    return ReasoningOptions(
        enabled=switch,
        effort=effort,
        origin=origin,
        budget=body.thinking_token_budget,
        budget_message=body.reasoning_budget_message or "",
        include=body.include_reasoning is not False,
    )


UNSAID = ReasoningOptions()
"""Nothing is wanted of the reasoning."""

REFUSED_FIELDS: dict[str, tuple[Any, ...]] = {
    "logits_processors": ([],),
    "stop_regex": ("", []),
    "moderation": (),
    "functions": ([],),
    "function_call": ("none",),
    # Without "audio" among them, `audio` asks for nothing.
    "modalities": (["text"], []),
    "chat_template": (),
    "prompt_embeds": (),
    "logprob_token_ids": ([],),
    "truncate_prompt_tokens": (),
    "skip_special_tokens": (True,),
    "return_tokens_as_token_ids": (False,),
    "kv_transfer_params": ({},),
    "vllm_xargs": ({},),
    "custom_logit_processor": ("",),
    "custom_params": ({},),
    "logprob_start_len": (-1,),
    "top_logprobs_num": (0,),
    "lora_path": ("",),
    "session_params": ({},),
    "return_hidden_states": (False,),
    "add_generation_prompt": (True,),
    "stream_reasoning": (True,),
}
"""Fields that are refused by name, with the values that are accepted because they ask for nothing."""

CHAT_FIELDS = ("documents", "citations", "retrieval")
"""Fields that are refused by name except in chats."""

IGNORED_FIELDS = ("prediction", "prompt_cache_key", "prompt_cache_retention", "verbosity")
"""Fields that are accepted without effect and reported in `x-portcullis-ignored`."""


def refuse_unserved(body: GenerationFields) -> None:
    """Refuse fields that cannot be served, and note those that can be ignored.

    Raises:
        UnsupportedParameterError: `param` is the field.
    """
    for name, harmless in REFUSED_FIELDS.items():
        value = getattr(body, name, None)
        if name == "functions" and getattr(body, "function_call", None) == "none":
            continue  # no function may be called
        if name == "add_generation_prompt" and getattr(body, "continue_final_message", None):
            continue
        if value is not None and value not in harmless:
            raise UnsupportedParameterError(f"{name} is not served", param=name)
    for name in CHAT_FIELDS if not isinstance(body, ChatCompletionRequest) else ():
        if getattr(body, name, None):
            raise UnsupportedParameterError(f"{name} is served in chats alone (/v1/chat/completions)", param=name)
    if getattr(body, "web_search_options", None) is not None:
        ignore_field("web_search_options")
    for name in IGNORED_FIELDS:
        if getattr(body, name, None):
            note_ignored(name)
    if body.stream and not _searches(body) and body.best_of and body.best_of > (1 if body.n is None else body.n):
        raise UnsupportedParameterError(
            "best_of above n cannot be streamed: which answers are best is known at their ends", param="best_of"
        )
    if body.stream and body.prompt_logprobs is not None:
        raise UnsupportedParameterError("prompt_logprobs together with stream is not served", param="prompt_logprobs")


def options_of(
    body: GenerationFields,
    logprobs: int | None,
    max_tokens: int | None,
    origin: str,
    *constraints: Constraint,
    reasoning: ReasoningOptions = UNSAID,
) -> Options:
    """Return the options that all kinds of requests share.

    Args:
        origin: The field that `max_tokens` came from.
        constraints: Constraints from fields of the endpoint itself.
        reasoning: Reasoning options from fields of the endpoint itself.
    """
    refuse_unserved(body)
    beams = _beams(body)
    if body.logprobs_details and logprobs is None:
        raise InvalidRequestError("logprobs_details needs logprobs", param="logprobs_details")
    return Options(
        model=body.model,
        sampling=_sampling(body),
        max_tokens=max_tokens,
        max_tokens_origin=origin,
        stop=_stop(body.stop),
        stop_token_ids=tuple(body.stop_token_ids or ()),
        include_stop=bool(body.include_stop_str_in_output or body.no_stop_trim),
        n=1 if body.n is None else body.n,
        # 0 asks for nothing.
        best_of=body.best_of or None if beams is None else None,
        beams=beams,
        arithmetic=arithmetic_of(body),
        logprobs=logprobs,
        logprob_details=bool(body.logprobs_details),
        prompt_logprobs=body.prompt_logprobs,
        token_ids=bool(body.return_token_ids),
        report_fields=bool(body.stream and body.stream_options and body.stream_options.include_fields),
        confidence=bool(body.confidence),
        constraint=constraint_of(body, *constraints),
        kept=stored_constraint_of(body),
        reasoning=reasoning,
        priority=body.priority or 0,
        timeout_s=body.timeout,
        continuous_usage=reports_continuous_usage(body),
        cache_salt=body.cache_salt or "",
        policy=body.guardrails.config_id if body.guardrails is not None else None,
        answer_prefix=body.answer_prefix or "",
    )


def _sampling(body: GenerationFields) -> Sampling:
    given: dict[str, Any] = {
        "temperature": body.temperature,
        "top_p": body.top_p,
        # vLLM's clients switch it off with -1.
        "top_k": 0 if body.top_k == -1 else body.top_k,
        "min_p": body.min_p,
        # 0 asks for nothing, as elsewhere.
        "typical_p": body.typical_p or None,
        "seed": body.seed,
        "repetition_penalty": body.repetition_penalty,
        "presence_penalty": body.presence_penalty,
        "frequency_penalty": body.frequency_penalty,
        "no_repeat_ngram_size": body.no_repeat_ngram_size,
        "allowed_token_ids": tuple(body.allowed_token_ids or ()) or None,
        "bad_words": tuple(body.bad_words or ()),
        "logit_bias": _logit_bias(body.logit_bias),
        "min_tokens": body.min_tokens,
        "ignore_eos": body.ignore_eos,
        "repetition": repetition_of(body.repetition_detection),
        "adaptation": _adaptation(body),
    }
    return Sampling(**{name: value for name, value in given.items() if value is not None})


def _adaptation(body: GenerationFields) -> Adaptation | None:
    """Return how the answer adapts the model; 0 tokens ask for nothing."""
    given = {"rank": body.adapt_rank, "learning_rate": body.adapt_learning_rate}
    named: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if body.adapt_every_tokens:
        return Adaptation(every_tokens=body.adapt_every_tokens, **named)
    for name in named:
        raise InvalidRequestError(f"adapt_{name} needs adapt_every_tokens", param=f"adapt_{name}")
    return None


_BEAM_FIELDS = {"length_penalty": 1.0, "early_stopping": False, "num_beam_groups": 1, "diversity_penalty": 0.0}
"""Fields of a beam search, with the values that ask for nothing."""


def _searches(body: GenerationFields) -> bool:
    return body.num_beams not in (None, 1) if body.use_beam_search is None else body.use_beam_search


def _beams(body: GenerationFields) -> BeamOptions | None:
    """Return the options of a beam search: `num_beams` of them, else as many as `best_of` or `n` say."""
    given = {name: getattr(body, name) for name in _BEAM_FIELDS if getattr(body, name) is not None}
    if not _searches(body):
        for name, value in given.items():
            if value != _BEAM_FIELDS[name]:
                raise InvalidRequestError(f"{name} needs use_beam_search", param=name)
        return None
    width = body.num_beams if body.num_beams is not None else body.best_of or body.n or 1
    given["groups"] = given.pop("num_beam_groups", 1)
    return BeamOptions(width=width, **given)


def _stop(given: str | list[str] | None) -> tuple[str, ...]:
    if given is None:
        return ()
    return (given,) if isinstance(given, str) else tuple(given)


def _logit_bias(given: dict[str, float] | None) -> dict[int, float]:
    bias = {}
    for key, value in (given or {}).items():
        if not value:
            continue
        if not (key.isascii() and key.isdecimal() and len(key) < 10):
            raise InvalidRequestError(f"logit_bias: {key[:32]!r} is not a token id", param="logit_bias")
        bias[int(key)] = value
    return bias
