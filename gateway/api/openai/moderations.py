"""`POST /v1/moderations`: findings of a policy in texts, in OpenAI's format; the model is the policy."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from msgspec import Struct

from gateway.api.http.caller import caller_of
from gateway.api.http.decode import decode
from gateway.api.http.disconnect import while_connected
from gateway.api.http.json_response import json_response
from gateway.api.http.openapi import failures, json_post
from gateway.api.openai.bodies import ErrorEnvelope
from gateway.api.openai.reply_parts import Identity
from gateway.errors import InvalidRequestError, UnsupportedParameterError
from gateway.guards import Applied, Policy
from gateway.service import Service
from gateway.service.policy.moderation import Screened
from gateway.service.request.limits import MAX_PROMPTS

CATEGORIES = (
    "harassment",
    "harassment/threatening",
    "hate",
    "hate/threatening",
    "illicit",
    "illicit/violent",
    "self-harm",
    "self-harm/instructions",
    "self-harm/intent",
    "sexual",
    "sexual/minors",
    "violence",
    "violence/graphic",
)
"""OpenAI's. A rule of a policy that is named so counts for it; nothing else knows them."""

OPENAI_MODELS = ("omni-moderation", "text-moderation")
"""Prefixes of the model names that OpenAI's clients send by default."""


class InputPart(Struct, kw_only=True):
    """A part of the one text that a list of parts is."""

    type: str
    text: str | None = None


class ModerationBody(Struct, kw_only=True):
    """`POST /v1/moderations`. A list of strings is several texts, a list of parts is one; `model` names a policy."""

    input: str | list[str | InputPart]
    model: str | None = None


class ModerationResult(Struct, kw_only=True):
    """Findings in a text.

    Attributes:
        categories: OpenAI's, and `guard/kind` of each rule of the policy.
        category_scores: 1 where a category was found, else 0: guards know no more.
        category_applied_input_types: `["text"]` where the policy looks for it, else nothing.
    """

    flagged: bool
    categories: dict[str, bool]
    category_scores: dict[str, float]
    category_applied_input_types: dict[str, list[str]]


class Moderation(Struct, kw_only=True):
    """The reply; `model` is the policy."""

    id: str
    model: str
    results: list[ModerationResult]


@json_post(
    "/moderations",
    "Screen texts by a policy",
    "OpenAI",
    ModerationBody,
    {200: ResponseSpec(Moderation, generate_examples=False), **failures(ErrorEnvelope)},
)
async def create_moderation(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[Any]:
    """Check each text with the guards of both sides of a policy; the language model is not involved."""
    body = decode(ModerationBody, await request.body())
    texts = _texts(body.input)
    caller = caller_of(request, service, is_streamed=False)
    asked = None if body.model is None or body.model.startswith(OPENAI_MODELS) else body.model
    policy = service.moderator.policy(caller, asked, "model")
    screened = await while_connected(request, service.moderator.moderate(policy, texts, caller.tenant))
    identity = Identity.new("modr", policy.name)
    looked_for = {_category(each) for each in (*policy.input.applied, *policy.output.applied)}
    results = [_result(each, policy, looked_for) for each in screened]
    return json_response(Moderation(id=identity.id, model=identity.model, results=results))


def _texts(given: str | list[str | InputPart]) -> list[str]:
    """Return the texts of a body, one per result."""
    if isinstance(given, str):
        return [given]
    if not given:
        raise InvalidRequestError("input is empty", param="input")
    if len(given) > MAX_PROMPTS:
        raise InvalidRequestError(f"input has {len(given)} entries; at most {MAX_PROMPTS} are looked at", param="input")
    parts = [part for part in given if isinstance(part, InputPart)]
    for index, part in enumerate(given):
        if isinstance(part, InputPart) and part.type != "text":
            raise UnsupportedParameterError(
                f"input[{index}] is of type '{part.type[:100]}'; texts are looked at, and nothing else",
                param=f"input[{index}].type",
            )
        if isinstance(part, InputPart) and part.text is None:
            raise InvalidRequestError(f"the field input[{index}].text is missing", param=f"input[{index}].text")
        if parts and isinstance(part, str):
            raise InvalidRequestError("input has texts beside parts; send one or the other", param=f"input[{index}]")
    return (
        ["\n".join(part.text or "" for part in parts)] if parts else [part for part in given if isinstance(part, str)]
    )


def _category(applied: Applied) -> str:
    rule = applied.rule
    return rule.kind if rule.kind in CATEGORIES else f"{rule.guard}/{rule.kind}"


def _result(screened: Screened, policy: Policy, looked_for: set[str]) -> ModerationResult:
    met = {(found.where, found.guard, found.kind) for found in screened.findings}
    sides = (("input", policy.input), ("content", policy.output))
    found = {
        _category(each)
        for where, rules in sides
        for each in rules.applied
        if (where, each.rule.guard, each.rule.kind) in met
    }
    names = [*CATEGORIES, *sorted(looked_for - set(CATEGORIES))]
    return ModerationResult(
        flagged=bool(found),
        categories={name: name in found for name in names},
        category_scores={name: float(name in found) for name in names},
        category_applied_input_types={name: ["text"] if name in looked_for else [] for name in names},
    )
