"""`parameters`: bodies of TGI to requests."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import Any

from gateway.api.http.decode import read_json
from gateway.api.repetition import repetition_of
from gateway.api.tgi.requests import GenerateBody, GrammarIn, Parameters
from gateway.core.constraints import Constraint, GrammarConstraint, JsonConstraint, RegexConstraint, StoredConstraint
from gateway.core.request import BeamOptions, CompletionRequest, Options, Sampling
from gateway.errors import InvalidRequestError, UnsupportedParameterError

DEFAULT_MAX_NEW_TOKENS = 100
REFUSED_FIELDS = ("watermark",)
"""Parameters that are refused by name."""

_SCHEMA_KEYS = frozenset({"name", "description", "schema", "strict"})


@dataclass(frozen=True, slots=True)
class ReplyFields:
    """Fields of a request that its reply needs.

    Attributes:
        inputs: The prompt as it was sent, before it was truncated.
        seed: Seed of a sampled answer; None otherwise.
        top_n: Alternatives per token.
    """

    inputs: str
    seed: int | None
    top_n: int
    wants_details: bool
    wants_prefill: bool
    returns_full_text: bool
    has_stops: bool

    @property
    def prefix(self) -> str:
        """Return the text before the answer."""
        return self.inputs if self.returns_full_text else ""


def reply_fields_of(body: GenerateBody, *, streams: bool) -> tuple[ReplyFields, CompletionRequest]:
    """Return the fields that the reply needs, and the request with its prompt not yet truncated.

    Raises:
        GatewayError: The request cannot be served; names the parameter.
    """
    # TGI draws where nothing at all is said about it.
    given = body.parameters or Parameters(do_sample=True)
    _refuse(body.inputs, given, streams)
    draws = bool(given.do_sample) or _warps(given)
    seed = (secrets.randbits(63) if given.seed is None else given.seed) if draws else None
    fields = ReplyFields(
        inputs=body.inputs,
        seed=seed,
        top_n=given.top_n_tokens or 0,
        # As in TGI, prompt tokens are part of the details.
        wants_details=bool(given.details or given.decoder_input_details),
        wants_prefill=bool(given.decoder_input_details),
        returns_full_text=bool(given.return_full_text),
        has_stops=bool(given.stop),
    )
    constraint, kept = _grammar(given.grammar)
    options = Options(
        model=given.adapter_id or None,
        sampling=_sampling(given, seed, draws),
        max_tokens=given.max_new_tokens,
        max_tokens_origin="max_new_tokens",
        default_max_tokens=DEFAULT_MAX_NEW_TOKENS,
        stop=tuple(given.stop or ()),
        include_stop=True,
        # All answers are returned: the likeliest, and the others in its details.
        n=given.best_of or 1,
        # Several answers that are not drawn are those of a beam search.
        beams=BeamOptions(width=given.best_of) if given.best_of and given.best_of > 1 and not draws else None,
        logprobs=fields.top_n,
        prompt_logprobs=0 if fields.wants_prefill else None,
        constraint=constraint,
        kept=kept,
    )
    return fields, CompletionRequest(prompts=(body.inputs,), options=options)


def truncated(request: CompletionRequest, ids: tuple[int, ...], most: int) -> CompletionRequest:
    """Return the request with the last `most` tokens of its prompt."""
    return replace(request, prompts=(ids[-most:],))


def _refuse(inputs: str, given: Parameters, streams: bool) -> None:
    if not inputs:
        raise InvalidRequestError("inputs cannot be empty", param="inputs")
    for name in REFUSED_FIELDS:
        if getattr(given, name):
            raise UnsupportedParameterError(f"{name} is not served", param=name)
    if given.truncate is not None and given.truncate < 1:
        raise InvalidRequestError("truncate must be strictly positive", param="truncate")
    if given.temperature is not None and given.temperature <= 0:
        raise InvalidRequestError("temperature must be strictly positive", param="temperature")
    if given.best_of is not None and given.best_of < 1:
        raise InvalidRequestError("best_of must be strictly positive", param="best_of")
    if (given.best_of or 1) > 1 and streams:
        raise UnsupportedParameterError("best_of != 1 is not supported when streaming tokens", param="best_of")
    if given.decoder_input_details and streams:
        raise UnsupportedParameterError(
            "decoder_input_details == true is not supported when streaming tokens", param="decoder_input_details"
        )


def _warps(given: Parameters) -> bool:
    """True if a parameter controls sampling; TGI then samples in any case."""
    return any(
        value is not None and value != neutral
        for value, neutral in ((given.temperature, 1), (given.top_k, 0), (given.top_p, 1), (given.typical_p, 1))
    )


def _sampling(given: Parameters, seed: int | None, draws: bool) -> Sampling:
    said: dict[str, Any] = {
        "temperature": given.temperature if draws else 0.0,
        "top_p": given.top_p,
        "top_k": given.top_k,
        "typical_p": given.typical_p,
        "repetition_penalty": given.repetition_penalty,
        "frequency_penalty": given.frequency_penalty,
        "seed": seed,
        "repetition": repetition_of(given.repetition_detection),
    }
    return Sampling(**{name: value for name, value in said.items() if value is not None})


def _grammar(given: GrammarIn | None) -> tuple[Constraint | None, StoredConstraint | None]:
    """Return the constraint, or the id of a stored one."""
    origin = "parameters.grammar.value"
    if given is None:
        return None, None
    if given.value is None:
        raise InvalidRequestError(f"the field {origin} is missing", param=origin)
    if given.type in ("json", "json_schema"):
        return _schema(given, origin), None
    if given.type not in ("regex", "lark", "gbnf", "grammar_id"):
        raise InvalidRequestError("parameters.grammar.type must be json, json_schema or regex", param=origin)
    if not isinstance(given.value, str):
        raise InvalidRequestError(f"{origin} must be a string", param=origin)
    if given.type == "grammar_id":
        return None, StoredConstraint(id=given.value, origin=origin)
    if given.type == "regex":
        return RegexConstraint(pattern=given.value, origin=origin), None
    return GrammarConstraint(text=given.value, origin=origin, syntax=given.type), None


def _schema(given: GrammarIn, origin: str) -> JsonConstraint:
    schema = read_json(given.value, origin) if isinstance(given.value, str) else given.value
    # TGI's `json_schema` may have a name beside the schema itself.
    is_named = isinstance(schema, dict) and "schema" in schema and schema.keys() <= _SCHEMA_KEYS
    if given.type == "json_schema" and is_named:
        schema, origin = schema["schema"], f"{origin}.schema"
    if not isinstance(schema, dict | bool):
        raise InvalidRequestError(f"{origin} must be a JSON schema: an object or a boolean", param=origin)
    return JsonConstraint(schema=schema, origin=origin)
