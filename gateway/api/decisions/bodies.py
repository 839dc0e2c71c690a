"""Reply bodies."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from gateway.api.openai.responses.bodies import ResponseUsage


class PredicateAnswer(Struct, kw_only=True, tag_field="type", tag="predicate"):
    """The probability that a statement is true."""

    name: str | None
    probability: float
    label_mass: float


class ChoiceProbability(Struct, kw_only=True):
    """The probability of a choice."""

    value: str | bool
    probability: float


class ChoiceAnswer(Struct, kw_only=True, tag_field="type", tag="choice"):
    """The value that fits best. `confidence` is its probability."""

    name: str | None
    choice: str | bool
    confidence: float
    probabilities: list[ChoiceProbability]
    label_mass: float


class LevelProbability(Struct, kw_only=True):
    """The probability of a level; `value` is its position, from 0."""

    label: str
    value: int
    probability: float


class ScoreAnswer(Struct, kw_only=True, tag_field="type", tag="score"):
    """A score: the mean of the levels' positions. `confidence` is the probability of the likeliest level."""

    name: str | None
    score: float
    confidence: float
    probabilities: list[LevelProbability]
    label_mass: float


AnswerOut = PredicateAnswer | ChoiceAnswer | ScoreAnswer


class Decision(Struct, kw_only=True):
    """The reply of `POST /v1/decisions`.

    `label_mass` in its answers is not OpenAI's: the probability that the model gave to all answers together. The others
    are shares of it; where it is small, the model would rather have said something else.
    """

    model: str
    answers: list[AnswerOut]
    usage: ResponseUsage


class Diagnostics(Struct, kw_only=True):
    """Diagnostics of a question.

    Attributes:
        label_mass: The probability that the model gave to all labels together.
        argmax_is_label: The likeliest token begins a label.
    """

    label_mass: float
    argmax_is_label: bool


class SystemOneUsage(Struct, kw_only=True):
    """`usage` of `/v1/systemone`; output tokens are the positions at which labels differ."""

    input_tokens: int
    output_tokens: int


class SystemOneReply(Struct, kw_only=True):
    """The reply of `POST /v1/systemone`. The format of an answer depends on its type."""

    id: str
    object: Literal["structured_decision"] = "structured_decision"
    created: int
    model: str
    answers: dict[str, dict[str, Any]]
    usage: SystemOneUsage
    diagnostics: dict[str, Diagnostics]
