"""`POST /v1/decisions`: body to questions, weights to a body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from gateway.api.decisions.bodies import (
    AnswerOut,
    ChoiceAnswer,
    ChoiceProbability,
    Decision,
    LevelProbability,
    PredicateAnswer,
    ScoreAnswer,
)
from gateway.api.decisions.requests import ChoiceIn, DecisionsBody, LevelIn, QuestionIn
from gateway.api.decisions.transcript import described, text_of, transcript
from gateway.api.openai.responses.bodies import InputTokensDetails, OutputTokensDetails, ResponseUsage
from gateway.core.decisions import DecisionRequest, LabelQuestion, LabelWeights, label_question
from gateway.core.labels import YES_NO, letters, numbers
from gateway.core.request import Options
from gateway.errors import InvalidRequestError

T = TypeVar("T", ChoiceIn, LevelIn)


def decision_request(body: DecisionsBody) -> DecisionRequest:
    """Return the questions that a body asks.

    Raises:
        GatewayError: A question is invalid; names the field.
    """
    about = transcript(body.input)
    return DecisionRequest(
        questions=tuple(_question(about, asked, f"questions[{index}]") for index, asked in enumerate(body.questions)),
        options=Options(model=body.model, timeout_s=body.timeout, priority=body.priority or 0),
    )


def _question(about: str, asked: QuestionIn, origin: str) -> LabelQuestion:
    said = text_of(asked.instructions, f"{origin}.instructions")
    if asked.type == "predicate":
        return label_question(about, f"Is this true? {said}", ("", ""), YES_NO, origin)
    if asked.type == "choice":
        choices = _at_least_two(asked.choices, f"{origin}.choices")
        if len({(type(choice.value), choice.value) for choice in choices}) < len(choices):
            raise InvalidRequestError(f"{origin}.choices holds a value twice", param=f"{origin}.choices")
        options = [described(_value_text(choice.value), choice.description) for choice in choices]
        return label_question(about, said, options, letters(len(options)), f"{origin}.choices")
    levels = _at_least_two(asked.levels, f"{origin}.levels")
    options = [described(level.label, level.description) for level in levels]
    return label_question(about, said, options, numbers(len(options)), f"{origin}.levels")


def _at_least_two(given: list[T] | None, origin: str) -> list[T]:
    if given is None or len(given) < 2:
        raise InvalidRequestError(f"{origin} must have at least 2 entries", param=origin)
    return given


def _value_text(value: str | bool) -> str:
    return value if isinstance(value, str) else str(value).lower()


def decision(model: str, body: DecisionsBody, weights: Sequence[LabelWeights]) -> Decision:
    """Return the reply."""
    read = sum(each.num_prompt_tokens for each in weights)
    return Decision(
        model=model,
        answers=[_answer(asked, each) for asked, each in zip(body.questions, weights, strict=True)],
        usage=ResponseUsage(
            input_tokens=read,
            input_tokens_details=InputTokensDetails(cached_tokens=sum(each.num_cached_tokens for each in weights)),
            output_tokens=0,
            output_tokens_details=OutputTokensDetails(reasoning_tokens=0),
            total_tokens=read,
        ),
    )


def _answer(asked: QuestionIn, weights: LabelWeights) -> AnswerOut:
    shares = weights.probabilities
    if asked.type == "predicate":
        return PredicateAnswer(name=asked.name, probability=shares[0], label_mass=weights.mass)
    if asked.type == "choice":
        values = [choice.value for choice in asked.choices or ()]
        return ChoiceAnswer(
            name=asked.name,
            choice=values[shares.index(max(shares))],
            confidence=max(shares),
            probabilities=[
                ChoiceProbability(value=value, probability=share) for value, share in zip(values, shares, strict=True)
            ],
            label_mass=weights.mass,
        )
    levels = [
        LevelProbability(label=level.label, value=place, probability=share)
        for place, (level, share) in enumerate(zip(asked.levels or (), shares, strict=True))
    ]
    return ScoreAnswer(
        name=asked.name,
        score=sum(level.value * level.probability for level in levels),
        confidence=max(shares),
        probabilities=levels,
        label_mass=weights.mass,
    )
