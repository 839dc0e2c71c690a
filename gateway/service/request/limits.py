"""Bounds and ranges of a request, checked once, before any work is done for it."""

from __future__ import annotations

from typing import Any

from gateway.config import LimitsConfig
from gateway.core import constraints
from gateway.core.arithmetic import Arithmetic
from gateway.core.constraints import Constraint, Piece
from gateway.core.json_text import json_text
from gateway.core.request import BeamOptions, ChatRequest, CompletionRequest, Options, Repetition, Sampling
from gateway.engine.adaptation.rule import MAX_EVERY, MAX_LEARNING_RATE, MAX_RANK, MIN_EVERY
from gateway.engine.config import EngineConfig, tenant_share
from gateway.engine.loops import MAX_PATTERN_SIZE
from gateway.engine.request import MAX_NGRAM_SIZE
from gateway.errors import InvalidRequestError, UnsupportedParameterError

MAX_SEED = 1 << 64
MAX_PRIORITY = (1 << 31) - 1
MAX_TOKENS = 1 << 31
MAX_TIMEOUT_S = 1e9
MAX_CHOICES = 10_000
"""Alternatives of `choice`, and parts of any other constraint."""
MAX_MESSAGES = 2_000
MAX_PROMPTS = 32
MAX_STOP_SEQUENCES = 16
MAX_STOP_BYTES = 512
"""Of one stop text, bad word or cache salt."""
MAX_TOP_LOGPROBS = 20
MAX_BEAM_PENALTY = 100.0
NEUTRAL_UNDER_BEAMS: dict[str, tuple[Any, ...]] = {
    "temperature": (None, 0, 1),
    "top_p": (None, 1),
    "top_k": (None, 0),
    "min_p": (None, 0),
    "typical_p": (1,),
    "repetition_penalty": (None, 1),
    "presence_penalty": (0,),
    "frequency_penalty": (0,),
    "no_repeat_ngram_size": (0,),
    "logit_bias": ({},),
    "allowed_token_ids": (None,),
    "bad_words": ((),),
    "repetition": (None,),
    "adaptation": (None,),
}
"""Parameters of sampling that a beam search does not look at, with the values that ask for nothing."""
MAX_LOGIT_BIAS = 1_024
MAX_BAD_WORDS = 512
MAX_TEMPLATE_KWARGS_BYTES = 8 * 1024


def check_chat(request: ChatRequest, limits: LimitsConfig, vocabulary_size: int) -> None:
    """Raise unless the request is within all bounds.

    Raises:
        InvalidRequestError: Names the field, the value and the bound.
    """
    if not request.messages:
        raise InvalidRequestError("messages is empty", param="messages")
    _at_most(len(request.messages), MAX_MESSAGES, "messages", "entries")
    if request.tools is not None:
        _at_most(len(request.tools), limits.max_tools, "tools", "entries")
        for tool in request.tools:
            size = len(json_text(tool.arguments_schema))
            _at_most(size, limits.max_schema_bytes, f"{tool.place}.function.parameters", "bytes")
    if request.template_kwargs:
        size = len(json_text(dict(request.template_kwargs)))
        _at_most(size, MAX_TEMPLATE_KWARGS_BYTES, "chat_template_kwargs", "bytes")
    check_options(request.options, limits, vocabulary_size)


def check_completion(request: CompletionRequest, limits: LimitsConfig, vocabulary_size: int) -> None:
    """Raise unless the request is within all bounds.

    Raises:
        InvalidRequestError: Names the field, the value and the bound.
    """
    _at_most(len(request.prompts), MAX_PROMPTS, "prompt", "entries")
    for prompt in request.prompts:
        if isinstance(prompt, tuple) and not all(0 <= token < vocabulary_size for token in prompt):
            raise InvalidRequestError(f"prompt holds a token id that is not in [0, {vocabulary_size})", param="prompt")
    check_options(request.options, limits, vocabulary_size)


def check_options(options: Options, limits: LimitsConfig, vocabulary_size: int) -> None:
    """Raise unless what all requests share is within bounds.

    Raises:
        InvalidRequestError: Names the field, the value and the bound.
    """
    _between(options.n, 1, limits.max_n, "n")
    if options.best_of is not None:
        _between(options.best_of, 1, limits.max_n, "best_of")
        if options.best_of < options.n:
            raise InvalidRequestError(f"best_of is {options.best_of}; n is {options.n} of them", param="best_of")
    if options.beams is not None:
        _check_beams(options, options.beams, limits)
    if options.arithmetic is not None:
        _check_terms(options.arithmetic, limits, vocabulary_size)
    check_scheduling(options, limits)
    if options.max_tokens is not None:
        check_max_tokens(options.max_tokens, options.max_tokens_origin)
    _at_most(len(options.stop), MAX_STOP_SEQUENCES, "stop", "entries")
    for stop in options.stop:
        if not stop:
            raise InvalidRequestError("stop holds an empty text", param="stop")
        _at_most(len(stop.encode()), MAX_STOP_BYTES, "stop", "bytes per entry")
    _at_most(len(options.stop_token_ids), MAX_STOP_SEQUENCES, "stop_token_ids", "entries")
    for token in options.stop_token_ids:
        _between(token, 0, vocabulary_size - 1, "stop_token_ids")
    if options.logprobs is not None:
        _between(options.logprobs, 0, MAX_TOP_LOGPROBS, "top_logprobs")
    if options.prompt_logprobs is not None:
        _between(options.prompt_logprobs, 0, MAX_TOP_LOGPROBS, "prompt_logprobs")
    if options.reasoning.budget is not None:
        _between(options.reasoning.budget, 0, MAX_TOKENS, options.reasoning.budget_origin)
    elif options.reasoning.budget_message:
        origin = options.reasoning.budget_message_origin
        raise InvalidRequestError(f"{origin} needs {options.reasoning.budget_origin}", param=origin)
    _at_most(len(options.cache_salt.encode()), MAX_STOP_BYTES, "cache_salt", "bytes")
    _check_sampling(options.sampling, vocabulary_size)
    if options.constraint is not None:
        check_constraint(options.constraint, limits)


def _check_beams(options: Options, beams: BeamOptions, limits: LimitsConfig) -> None:
    """Raise unless the beam search is within bounds, and nothing is asked for that would change its scores."""
    _between(beams.width, 1, limits.max_n, "num_beams")
    if beams.width < options.n:
        raise InvalidRequestError(f"num_beams is {beams.width}; n is {options.n} of them", param="n")
    _between(beams.groups, 1, beams.width, "num_beam_groups")
    if beams.width % beams.groups:
        raise InvalidRequestError(f"num_beam_groups must divide {beams.width} beams", param="num_beam_groups")
    _between(beams.length_penalty, -MAX_BEAM_PENALTY, MAX_BEAM_PENALTY, "length_penalty")
    _between(beams.diversity_penalty, 0, MAX_BEAM_PENALTY, "diversity_penalty")
    for name, neutral in NEUTRAL_UNDER_BEAMS.items():
        value = getattr(options.sampling, name)
        if value not in neutral:
            name = {"repetition": "repetition_detection", "adaptation": "adapt_every_tokens"}.get(name, name)
            raise UnsupportedParameterError(f"{name} is not served together with use_beam_search", param=name)
    if options.logprob_details:
        raise UnsupportedParameterError("logprobs_details is not served with beams", param="logprobs_details")
    if options.arithmetic is not None and options.arithmetic.classifiers:
        param = "logit_arithmetic.formula"
        raise UnsupportedParameterError(f"{param}: classifiers are not served together with beams", param=param)


def _check_terms(arithmetic: Arithmetic, limits: LimitsConfig, vocabulary_size: int) -> None:
    terms = arithmetic.terms
    if len(terms) > limits.max_terms:
        param = terms[0].place.partition(".")[0]
        raise InvalidRequestError(
            f"{param}: {len(terms)} other prompts; this server combines at most {limits.max_terms} with the request "
            "(limits.max_terms)",
            param=param,
        )
    for term in terms:
        _at_most(len(term.messages or ()), MAX_MESSAGES, term.place, "messages")
        if isinstance(term.prompt, tuple) and not all(0 <= token < vocabulary_size for token in term.prompt):
            raise InvalidRequestError(
                f"{term.place}.prompt holds a token id that is not in [0, {vocabulary_size})",
                param=f"{term.place}.prompt",
            )


def check_capacity(num_answers: int, options: Options, config: EngineConfig, has_tenant: bool) -> None:
    """Raise if the server is too small for the request, even when idle.

    Args:
        num_answers: Answers that are generated.

    Raises:
        InvalidRequestError: Names the field.
    """
    waiting = tenant_share(config.max_waiting, config.max_waiting_per_tenant) if has_tenant else config.max_waiting
    rows, terms = config.least_num_seqs, options.terms
    if len(terms) >= rows:
        raise InvalidRequestError(
            f"{terms[0].place}: {len(terms)} other prompts do not fit beside an answer into the {rows} rows of a step",
            param=terms[0].place.partition(".")[0],
        )
    num_texts = num_answers * (1 + len(terms))
    if num_texts > rows + waiting:
        param = "n" if options.best_of is None else "best_of"
        what = f"{num_answers} answers are asked for" + (f", with {len(terms)} other prompts each" if terms else "")
        raise InvalidRequestError(f"{what}; at most {rows + waiting} are served", param=param)


def check_max_tokens(max_tokens: int, param: str) -> None:
    """Raise unless an answer may be so long.

    Raises:
        InvalidRequestError: It may not.
    """
    if max_tokens < 1:
        raise InvalidRequestError(f"{param} must be at least 1, not {_spelled(max_tokens)}", param=param)
    if max_tokens > MAX_TOKENS:
        raise InvalidRequestError(f"{param} must be at most {MAX_TOKENS}, not {_spelled(max_tokens)}", param=param)


def check_scheduling(options: Options, limits: LimitsConfig) -> None:
    """Raise unless priority and timeout are served.

    Raises:
        InvalidRequestError: Names the field.
    """
    if options.priority and not limits.priorities:
        raise InvalidRequestError("this server takes no priorities (limits.priorities)", param="priority")
    _between(options.priority, -MAX_PRIORITY, MAX_PRIORITY, "priority")
    if options.timeout_s is not None:
        check_timeout(options.timeout_s, "timeout")


def check_timeout(seconds: float, param: str) -> None:
    """Raise unless it is a time that something can be done in.

    Raises:
        InvalidRequestError: It is not.
    """
    if not 0 < seconds < MAX_TIMEOUT_S:
        raise InvalidRequestError(f"{param} must be a positive number of seconds, not {_spelled(seconds)}", param=param)


def _check_sampling(sampling: Sampling, vocabulary_size: int) -> None:
    _between(sampling.temperature, 0, 100, "temperature")
    _between(sampling.top_p, 0, 1, "top_p")
    if sampling.top_p == 0:
        raise InvalidRequestError("top_p must be above 0", param="top_p")
    _between(sampling.top_k, 0, 1 << 31, "top_k")
    _between(sampling.min_p, 0, 1, "min_p")
    _between(sampling.typical_p, 0, 1, "typical_p")
    _between(sampling.no_repeat_ngram_size, 0, MAX_NGRAM_SIZE, "no_repeat_ngram_size")
    if not all(0 <= token < vocabulary_size for token in sampling.allowed_token_ids or ()):
        raise InvalidRequestError(
            f"allowed_token_ids holds a token id that is not in [0, {vocabulary_size})", param="allowed_token_ids"
        )
    _at_most(len(sampling.bad_words), MAX_BAD_WORDS, "bad_words", "entries")
    for word in sampling.bad_words:
        if not word:
            raise InvalidRequestError("bad_words holds an empty text", param="bad_words")
        _at_most(len(word.encode()), MAX_STOP_BYTES, "bad_words", "bytes per entry")
    _between(sampling.repetition_penalty, 0.01, 100, "repetition_penalty")
    _between(sampling.presence_penalty, -2, 2, "presence_penalty")
    _between(sampling.frequency_penalty, -2, 2, "frequency_penalty")
    _between(sampling.min_tokens, 0, MAX_TOKENS, "min_tokens")
    if sampling.seed is not None:
        _between(sampling.seed, -MAX_SEED, MAX_SEED, "seed")
    if sampling.repetition is not None:
        _check_repetition(sampling.repetition)
    if (adaptation := sampling.adaptation) is not None:
        _between(adaptation.every_tokens, MIN_EVERY, MAX_EVERY, "adapt_every_tokens")
        _between(adaptation.rank, 1, MAX_RANK, "adapt_rank")
        _between(adaptation.learning_rate, 0, MAX_LEARNING_RATE, "adapt_learning_rate")
    _at_most(len(sampling.logit_bias), MAX_LOGIT_BIAS, "logit_bias", "entries")
    for token, bias in sampling.logit_bias.items():
        _between(token, 0, vocabulary_size - 1, "logit_bias")
        _between(bias, -100, 100, "logit_bias")


def _check_repetition(repetition: Repetition) -> None:
    most, name = repetition.max_pattern_size, "repetition_detection"
    _between(most, 0, MAX_PATTERN_SIZE, f"{name}.max_pattern_size")
    _between(repetition.min_pattern_size, 0, most, f"{name}.min_pattern_size")
    if most:
        _between(repetition.min_count, 2, MAX_TOKENS, f"{name}.min_count")


def check_constraint(constraint: Constraint | Piece, limits: LimitsConfig) -> None:
    """Raise unless a constraint's text is within bounds.

    Raises:
        InvalidRequestError: Names the field, the value and the bound.
    """
    match constraint:
        case constraints.JsonConstraint(schema=schema) | constraints.ArgumentsConstraint(schema=schema):
            size = len(json_text(schema).encode())
        case constraints.RegexConstraint(pattern=text) | constraints.GrammarConstraint(text=text):
            size = len(text.encode())
        case constraints.ChoiceConstraint(options=options):
            _at_most(len(options), MAX_CHOICES, constraint.origin, "entries")
            size = sum(len(option.encode()) for option in options)
        case constraints.SequenceConstraint(parts=parts):
            _at_most(len(parts), MAX_CHOICES, constraint.origin, "entries")
            for part in parts:
                check_constraint(part, limits)
            return
        case constraints.TokensConstraint(excluded=excluded, without=without):
            _at_most(len(excluded), MAX_CHOICES, constraint.origin, "entries")
            size = sum(len(str(text).encode()) for text in (*excluded, *without))
        case constraints.TokenConstraint(token=token):
            size = len(str(token).encode())
        case constraints.QuotationConstraint(document=document):
            size = len(document.text.encode())
        case constraints.ShortTextConstraint(without=without):
            size = sum(len(text.encode()) for text in without)
        case constraints.TagsConstraint(segments=segments, triggers=triggers):
            _at_most(len(segments), MAX_CHOICES, constraint.origin, "entries")
            for segment in segments:
                check_constraint(segment.content, limits)
            texts = [*triggers, *(text for segment in segments for text in (segment.begin, segment.end))]
            size = sum(len(text.encode()) for text in texts)
    _at_most(size, limits.max_schema_bytes, constraint.origin, "bytes")


def _at_most(value: int, maximum: int, param: str, unit: str) -> None:
    if value > maximum:
        raise InvalidRequestError(f"{param} has {value} {unit}; at most {maximum} are served", param=param)


def _between(value: float | None, least: float, most: float, param: str) -> None:
    if value is not None and not least <= value <= most:
        raise InvalidRequestError(f"{param} must be between {least:g} and {most:g}, not {_spelled(value)}", param=param)


def _spelled(value: float) -> str:
    """The number in few characters; a whole one may have thousands of digits."""
    if isinstance(value, int) and value.bit_length() > 64:
        return f"a whole number of {value.bit_length()} bits"
    return f"{value:g}"
