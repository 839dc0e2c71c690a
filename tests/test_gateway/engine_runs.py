"""Small engines around tiny models, requests for them, and runs that check the engine after every step."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from collections.abc import Sequence as Seq
from itertools import count
from typing import Any

import pytest
from engine_models import VOCAB, make_model

from gateway.engine import Engine, EngineConfig, GenerationRequest, SamplingParams, TokenEvent
from gateway.engine.sequence import Sequence
from gateway.engine.speculation import Draft
from gateway.engine.speculation.speculator import Race

ARGUMENTS = ("fill_masks", "vocab_size", "eos_token_ids", "draft_model", "term_models", "drafters")


def make_engine(name: str = "llama", model: Any = None, **settings: Any) -> Engine:
    """A small engine around a small model. Sizes that force chunks, and blocks of four tokens."""
    sizes = {"max_num_seqs": 4, "max_batch_tokens": 16, "block_size": 4, "num_blocks": 64, "check_model": False}
    arguments = {key: settings.pop(key) for key in ARGUMENTS if key in settings}
    return Engine(model or make_model(name), EngineConfig(**(sizes | settings)), **arguments)


def make_request(number: int, prompt: list[int], max_tokens: int = 12, **options: Any) -> GenerationRequest:
    """A greedy request that ignores the end of sequence, unless told otherwise."""
    extra = {
        key: options.pop(key)
        for key in ("constraint", "stop", "priority", "tenant", "deadline", "group")
        if key in options
    }
    sampling = SamplingParams(max_tokens=max_tokens, **({"temperature": 0.0, "ignore_eos": True} | options))
    return GenerationRequest(request_id=str(number), prompt_ids=prompt, sampling=sampling, **extra)


class Prophet:
    """A drafter that knows the answers, and tells the truth as often as it is told to."""

    name = "prophet"
    reading_s = 0.0

    def __init__(self, texts: Iterable[list[int]], truth: float = 1.0, seed: int = 0) -> None:
        """Args: texts: Prompts, each with its answer."""
        self._texts = list(texts)
        self._truth = truth
        self._chooser = random.Random(seed)

    def propose(self, sequences: Seq[Sequence], lengths: Seq[int]) -> list[Draft]:
        drafts = (self._continue(each.token_ids)[:length] for each, length in zip(sequences, lengths, strict=True))
        return [Draft(tokens, [self.name] * len(tokens)) for tokens in drafts]

    def count_unread(self, sequence: Sequence) -> int:
        return 0

    def _continue(self, text: list[int]) -> list[int]:
        known = next((known for known in self._texts if known[: len(text)] == text), text)
        return [
            token if self._chooser.random() < self._truth else self._chooser.randrange(VOCAB)
            for token in known[len(text) :]
        ]


def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let engines draft as much as they may, from all sources by turns, and take what is certain: whatever it costs,
    how long masks take, and how little of it was right."""
    turns = count()

    def order(self: Race) -> list[int]:
        sources = list(range(1, len(self._taken)))
        turn = next(turns) % max(len(sources), 1)
        return [*sources[turn:], *sources[:turn], 0]

    monkeypatch.setattr("gateway.engine.masks.WORTH_A_THREAD", math.inf)
    monkeypatch.setattr("gateway.engine.scheduling.step_cost.StepCost.line", (1.0, 0.0))
    monkeypatch.setattr("gateway.engine.speculation.speculator.READ_AHEAD", math.inf)
    monkeypatch.setattr(Race, "order", order)


def run_checked(
    engine: Engine,
    requests: list[GenerationRequest],
    others: Iterable[int] = (),
    cancelled: Mapping[int, int] | None = None,
) -> dict[str, list[TokenEvent]]:
    """Run to the end, checking the engine's invariants after every step; the events of each request.

    Args:
        others: Numbers of requests that are in the engine already.
        cancelled: By number of step, which request is cancelled before it.
    """
    events: dict[str, list[TokenEvent]] = {request.request_id: [] for request in requests}
    events |= {str(number): [] for number in others}
    for request in requests:
        engine.add(request)
    for step in count():
        engine.cancel(str((cancelled or {}).get(step)))
        if not engine.has_work:
            break
        for event in engine.step():
            events[event.request_id].append(event)
        engine.check_integrity()
    stats = engine.stats()
    assert stats.num_free_blocks == stats.num_blocks
    return events


def tokens_of(events: list[TokenEvent]) -> list[int]:
    """The answer that these events make."""
    return [token for event in events for token in event.token_ids]


def random_prompts(seed: int, lengths: list[int]) -> list[list[int]]:
    """Random prompts of these lengths, without special tokens."""
    chooser = random.Random(seed)
    return [[chooser.randrange(2, VOCAB) for _ in range(length)] for length in lengths]
