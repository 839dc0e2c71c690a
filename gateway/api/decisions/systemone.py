"""`POST /v1/systemone`: body to questions, weights to a body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gateway.api.decisions.bodies import Diagnostics, SystemOneReply, SystemOneUsage
from gateway.api.decisions.requests import SystemOneBody, SystemOneQuestion
from gateway.api.decisions.transcript import as_text, described
from gateway.api.openai.reply_parts import Identity
from gateway.core.decisions import DecisionRequest, LabelQuestion, LabelWeights, label_question
from gateway.core.labels import YES_NO, letters, numbers
from gateway.core.request import Options
from gateway.errors import InvalidRequestError, UnsupportedParameterError

REFUSED_FIELDS = ("images", "audio", "videos", "assets")


def decision_request(body: SystemOneBody) -> DecisionRequest:
    """Return the questions that a body asks.

    Raises:
        GatewayError: A question is invalid; names the field.
    """
    for name in REFUSED_FIELDS:
        if getattr(body, name):
            raise UnsupportedParameterError(f"{name} is not served", param=name)
    variables = body.chat_template_kwargs or {}
    if variables.get("enable_thinking"):
        raise UnsupportedParameterError(
            "thinking must be off: an answer is read off before anything is written",
            param="chat_template_kwargs.enable_thinking",
        )
    about = "\n\n".join(text for text in (as_text(body.instructions), as_text(body.state)) if text)
    return DecisionRequest(
        questions=tuple(_question(about, asked, f"questions.{name}") for name, asked in body.questions.items()),
        template_kwargs=variables,
        options=Options(model=body.model, timeout_s=body.timeout, priority=body.priority or 0),
    )


def _question(about: str, asked: SystemOneQuestion, origin: str) -> LabelQuestion:
    said, origin = as_text(asked.instructions), f"{origin}.criteria"
    if asked.type == "noul":
        meanings = _meanings(asked, origin)
        return label_question(
            about, said, (as_text(meanings.get("true")), as_text(meanings.get("false"))), YES_NO, origin
        )
    if asked.type == "choice":
        if not isinstance(asked.criteria, dict) or not asked.criteria:
            raise InvalidRequestError(f"{origin} must be an object with an entry for each option", param=origin)
        options = [described(name, as_text(meaning)) for name, meaning in asked.criteria.items()]
        return label_question(about, said, options, letters(len(options)), origin)
    if not isinstance(asked.criteria, list) or len(asked.criteria) < 2:
        raise InvalidRequestError(f"{origin} must be a list of at least 2 levels", param=origin)
    return label_question(
        about, said, [as_text(level) for level in asked.criteria], numbers(len(asked.criteria)), origin
    )


def _meanings(asked: SystemOneQuestion, origin: str) -> dict[str, Any]:
    if asked.criteria is None:
        return {}
    if not isinstance(asked.criteria, dict) or not asked.criteria.keys() <= {"true", "false"}:
        raise InvalidRequestError(f"{origin} of a noul may say what true and false mean, and no more", param=origin)
    return asked.criteria


def reply(identity: Identity, body: SystemOneBody, weights: Sequence[LabelWeights]) -> SystemOneReply:
    """Return the reply. `confidence` is the likeliest answer's share of the model's whole probability."""
    answered = dict(zip(body.questions, weights, strict=True))
    return SystemOneReply(
        id=identity.id,
        created=identity.created,
        model=identity.model,
        answers={name: _answer(body.questions[name], each) for name, each in answered.items()},
        usage=SystemOneUsage(
            input_tokens=sum(each.num_prompt_tokens for each in weights),
            output_tokens=sum(each.num_places for each in weights),
        ),
        diagnostics={
            name: Diagnostics(label_mass=each.mass, argmax_is_label=each.is_best) for name, each in answered.items()
        },
    )


def _answer(asked: SystemOneQuestion, weights: LabelWeights) -> dict[str, Any]:
    shares = weights.probabilities
    confidence = max(shares) * weights.mass
    if asked.type == "noul":
        shown = dict(zip(YES_NO, shares, strict=True))
        return {"type": "noul", "noul": shares[0], "probabilities": shown, "confidence": confidence}
    if asked.type == "choice":
        names = list(asked.criteria or ())
        best = names[shares.index(max(shares))]
        by_name = dict(zip(names, shares, strict=True))
        return {"type": "choice", "choice": best, "probabilities": by_name, "confidence": confidence}
    levels = list(asked.criteria or ())
    return {
        "type": "score",
        "score": sum(place * share for place, share in enumerate(shares)),
        "legend": {str(place): level for place, level in enumerate(levels)},
        "probabilities": {str(place): share for place, share in enumerate(shares)},
        "confidence": confidence,
    }
