"""Questions answered by one of a few labels, with the probability of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gateway.core.request import Options


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelQuestion:
    """A text that ends by asking for one of the labels.

    Attributes:
        text: The question, as the only user message.
        labels: Possible answers, all different.
        origin: The field that it comes from, for messages.
    """

    text: str
    labels: tuple[str, ...]
    origin: str


def label_question(
    about: str, instructions: str, options: Sequence[str], labels: Sequence[str], origin: str
) -> LabelQuestion:
    """Return a question after its subject, which several questions may share, with one line per described option."""
    lines = [f"{label}: {option}" for label, option in zip(labels, options, strict=True) if option]
    said = "\n".join([instructions, *lines]) if instructions else "\n".join(lines)
    names = f"{labels[0]} or {labels[1]}" if len(labels) == 2 else f"one of {labels[0]} to {labels[-1]}"
    text = f"{about}\n\n{said}\n\nReply with {names}, and nothing else."
    return LabelQuestion(text=text, labels=tuple(labels), origin=origin)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRequest:
    """Questions answered together.

    Attributes:
        template_kwargs: Extra variables for the chat template.
        options: The model, priority and timeout; nothing is drawn.
    """

    questions: tuple[LabelQuestion, ...]
    template_kwargs: Mapping[str, Any] = field(default_factory=dict)
    options: Options = field(default_factory=Options)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelWeights:
    """The model's probabilities for a question's labels.

    Attributes:
        logprobs: Natural logarithm of each label's probability to be what is written next, from its first token to
            its last.
        is_best: The token that the model finds likeliest begins a label.
        num_places: Places in the labels that were looked at.
        num_prompt_tokens: Tokens of the question.
        num_cached_tokens: Prompt tokens found in the prefix cache.
    """

    logprobs: tuple[float, ...]
    is_best: bool
    num_places: int
    num_prompt_tokens: int
    num_cached_tokens: int

    @property
    def mass(self) -> float:
        """Return the probability that any of the labels is written."""
        return min(math.fsum(map(math.exp, self.logprobs)), 1.0)

    @property
    def probabilities(self) -> tuple[float, ...]:
        """Return the probability of each label given that one is written; they sum to 1."""
        best = max(self.logprobs)
        weights = [math.exp(logprob - best) for logprob in self.logprobs]
        total = math.fsum(weights)
        return tuple(weight / total for weight in weights)
