"""`best_of`: the likeliest answers to each prompt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gateway.core.answer import Answer
from gateway.engine import TokenLogprobs


@dataclass(slots=True)
class Likelihood:
    """Mean log-probability of an answer's tokens, by which OpenAI's `best_of` ranks.

    Log-probabilities are the model's own, before penalties, mask and temperature, without the end token.
    """

    total: float = 0.0
    num_tokens: int = 0

    def add(self, entries: Sequence[TokenLogprobs]) -> None:
        """Add the log-probabilities of tokens."""
        self.total += sum(entry.logprob for entry in entries)
        self.num_tokens += len(entries)

    @property
    def mean(self) -> float:
        """Return the mean per token; -inf for an empty answer."""
        return self.total / self.num_tokens if self.num_tokens else -math.inf


def likeliest(
    answers: Sequence[Answer], likelihoods: Sequence[Likelihood], candidates: int, n: int
) -> tuple[Answer, ...]:
    """Return the `n` likeliest candidates of each prompt, likeliest first, ties in their order.

    All carry the prompt's log-probabilities, which the first candidate alone computes.
    """
    chosen: list[Answer] = []
    for start in range(0, len(answers), candidates):
        order = list(range(start, start + candidates))
        if candidates > n:
            order.sort(key=lambda index: -likelihoods[index].mean)
        of_prompt = answers[start].prompt_logprobs
        for index in order[:n]:
            answer = answers[index]
            if (answer.choice, answer.prompt_logprobs) != (len(chosen), of_prompt):
                answer = replace(answer, choice=len(chosen), prompt_logprobs=of_prompt)
            chosen.append(answer)
    return tuple(chosen)
