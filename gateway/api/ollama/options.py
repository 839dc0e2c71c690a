"""`options`, `format` and `think`: fields that chats and completions share."""

from __future__ import annotations

from typing import Any

from gateway.api.http.decode import read_json
from gateway.api.ollama.requests import AnswerFields, OptionsIn
from gateway.api.repetition import repetition_of
from gateway.core.constraints import JsonConstraint
from gateway.core.ignored_fields import ignore_field
from gateway.core.model import ServedModel
from gateway.core.request import Options, ReasoningOptions, Sampling
from gateway.errors import InvalidRequestError, UnsupportedParameterError
from gateway.service import Service

ANY_OBJECT: dict[str, Any] = {"type": "object"}

_DEFAULTS = {"temperature": 0.8, "top_k": 40, "top_p": 0.9, "min_p": 0.0}
"""Ollama's own. Its default penalty for repetition looks at 64 tokens; ours would look at all, so it has none."""

REFUSED_FIELDS: dict[str, tuple[Any, ...]] = {
    "tfs_z": (1.0,),
    "mirostat": (0,),
    "penalize_newline": (True,),
    "vocab_only": (False,),
    "embedding_only": (False,),
}
"""Refused options, with the values that are accepted because they ask for nothing."""

LATEST = ":latest"


def served_name(model: ServedModel, name: str) -> str:
    """Return the name that the gateway knows: Ollama's clients add a tag to names without one.

    Raises:
        ModelNotFoundError: No model has this name.
    """
    return model.resolve(name if name in model.names else name.removesuffix(LATEST))


def options_of(body: AnswerFields, service: Service) -> Options:
    """Return the options that chats and completions share.

    Raises:
        GatewayError: Something in them cannot be served; says which field is at fault.
    """
    given = body.options or OptionsIn()
    _check_unserved(given, service.model.max_context)
    if body.top_logprobs and not body.logprobs:
        raise InvalidRequestError("top_logprobs needs logprobs: true", param="top_logprobs")
    return Options(
        model=served_name(service.model, body.model),
        sampling=_sampling(given),
        # Zero and less ask for as many as the context has.
        max_tokens=given.num_predict if (given.num_predict or 0) > 0 else None,
        max_tokens_origin="options.num_predict",
        default_max_tokens=None if given.num_predict is None else service.model.max_context,
        stop=(given.stop,) if isinstance(given.stop, str) else tuple(given.stop or ()),
        logprobs=(body.top_logprobs or 0) if body.logprobs else None,
        constraint=_constraint(body.format),
        reasoning=_reasoning(body),
    )


def _check_unserved(given: OptionsIn, max_context: int) -> None:
    for name, harmless in REFUSED_FIELDS.items():
        value = getattr(given, name)
        if value is not None and value not in harmless:
            raise UnsupportedParameterError(f"options.{name} is not served", param=f"options.{name}")
    if given.repeat_last_n not in (None, -1, 0) and _penalty(given) != 1.0:
        ignore_field(
            "options.repeat_last_n", "options.repeat_last_n: only -1 (all tokens) and 0 (no penalty) are served"
        )
    if given.num_ctx is not None and given.num_ctx < 1:
        raise InvalidRequestError(f"options.num_ctx must be at least 1, not {given.num_ctx}", param="options.num_ctx")
    if given.num_ctx is not None and given.num_ctx > max_context:
        ignore_field("options.num_ctx", f"options.num_ctx must be between 1 and {max_context}, not {given.num_ctx}")


def _penalty(given: OptionsIn) -> float:
    if given.repeat_penalty is None or given.repeat_last_n == 0:
        return 1.0
    return given.repeat_penalty


def _sampling(given: OptionsIn) -> Sampling:
    chosen: dict[str, Any] = {
        "temperature": given.temperature,
        "top_k": None if given.top_k is None else max(given.top_k, 0),
        "top_p": given.top_p,
        "min_p": given.min_p,
        "typical_p": given.typical_p,
        # -1 asks for another one each time.
        "seed": None if given.seed == -1 else given.seed,
        "repetition_penalty": _penalty(given),
        "presence_penalty": given.presence_penalty,
        "frequency_penalty": given.frequency_penalty,
        "repetition": repetition_of(given.repetition_detection),
    }
    return Sampling(**_DEFAULTS | {name: value for name, value in chosen.items() if value is not None})


def _constraint(given: str | dict[str, Any] | None) -> JsonConstraint | None:
    if given is None or given == "":
        return None
    if given == "json":
        return JsonConstraint(schema=ANY_OBJECT, origin="format")
    schema = read_json(given, "format") if isinstance(given, str) and given.lstrip().startswith("{") else given
    if not isinstance(schema, dict):
        raise InvalidRequestError('format must be "json" or a JSON schema', param="format")
    return JsonConstraint(schema=schema, origin="format")


def _reasoning(body: AnswerFields) -> ReasoningOptions:
    if isinstance(body.think, str):
        return ReasoningOptions(enabled=True, effort=body.think, origin="think")
    return ReasoningOptions(enabled=body.think, origin="think")
