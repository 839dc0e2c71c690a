"""Prompts that an engine computes: of known tokens, not too long, and asked for what the decoder gives."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from gateway.engine.errors import ContextLengthExceededError, InvalidSamplingError
from gateway.engine.models.base import Decoder
from gateway.engine.other_models import OtherModel
from gateway.engine.request import GenerationRequest


def check_prompts(
    request: GenerationRequest,
    decoder: Decoder,
    others: Mapping[str, OtherModel],
    classifiers: Collection[str],
    vocab_size: int,
    max_model_len: int,
) -> None:
    """Raise unless the engine computes the prompts of a request.

    Args:
        others: Models that companions may name.
        classifiers: Names of classifiers that it may ask for.
        vocab_size: Of the tokenizer.
        max_model_len: Most tokens of a prompt and its answer.

    Raises:
        InvalidSamplingError: Names the parameter.
        ContextLengthExceededError: A prompt and its answer are too long.
    """
    prompts, known = [request.prompt_ids], [decoder.vocab_size]
    for each in request.companions:
        own = decoder if each.model is None else others[each.model].decoder if each.model in others else None
        if own is None:
            raise InvalidSamplingError("companions", f"are of no model {each.model!r}; {sorted(others)} may be named")
        if each.model is not None and own.rope is not None:
            raise InvalidSamplingError("companions", f"of {each.model} are not served: its keys depend on the length")
        prompts.append(each.prompt_ids)
        known.append(own.vocab_size)
    if not all(ids and all(0 <= token < size for token in ids) for ids, size in zip(prompts, known, strict=True)):
        raise InvalidSamplingError("prompt_ids", "must be at least one token that the model knows")
    for name, _ in request.sampling.classifiers:
        if name not in classifiers:
            raise InvalidSamplingError("classifiers", f"name no classifier {name!r}; {sorted(classifiers)} are there")
    if request.sampling.prompt_logprobs is not None and max(request.prompt_ids) >= vocab_size:
        raise InvalidSamplingError("prompt_logprobs", "cannot be computed for a prompt token beyond the vocabulary")
    if request.pooling is not None and not decoder.can_pool:
        raise InvalidSamplingError("pooling", "is not served: this model's decoder does not give states of tokens")
    needed = max(map(len, prompts)) + (request.sampling.max_tokens if request.pooling is None else 0)
    if needed > max_model_len:
        raise ContextLengthExceededError(needed, max_model_len)
