"""`best_of`: which of the answers to a prompt are told."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gateway.core.answer import Answer
from gateway.engine import TokenEvent


@dataclass(slots=True)
class Likelihood:
    """How likely the model found an answer: the mean log-probability of its tokens, as OpenAI defines `best_of`.

    They are the model's own, before penalties, mask and temperature; what ended the answer is not a token of it.
    """

    total: float = 0.0
    num_tokens: int = 0

    def add(self, event: TokenEvent) -> None:
        """Count the tokens of an event."""
        entries = event.logprobs
        if not entries:
            return
        self.total += sum(entry.logprob for entry in entries)
        self.num_tokens += len(entries)

    @property
    def mean(self) -> float:
        """Per token; of an answer without any, less than of every other."""
        return self.total / self.num_tokens if self.num_tokens else -math.inf


def told(answers: Sequence[Answer], likelihoods: Sequence[Likelihood], candidates: int, n: int) -> tuple[Answer, ...]:
    """The `n` likeliest of each prompt's candidates, likeliest first; equal ones in their order.

    All of them tell what the first candidate was told of the prompt, which is the only one that asked.
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
