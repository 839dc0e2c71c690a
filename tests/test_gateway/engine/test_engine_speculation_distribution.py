"""Free requests are distributed as without drafts: the joint distribution of whole answers against the exact one.

Thousands of short answers of a tiny model go through the engine with a draft model that disagrees with it, under a
constraint, a temperature and a truncation. How far the observed frequencies may be from the exact probabilities follows
from their number. Then the mistakes that such code is prone to are made on purpose, and each is seen.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy as np
import pytest
import torch
from engine_models import make_model
from engine_runs import eager, make_engine, make_request

from gateway.engine import Engine
from gateway.engine.rows import SamplingRows
from gateway.engine.sampler import Sampler
from gateway.engine.speculation.draft_model import DraftModel
from gateway.engine.speculation.verify import draw, verify

VOCAB, EOS, PROMPT, LENGTH = 8, 1, [5, 3, 9, 30, 2], 4
TEMPERATURE, TOP_P = 0.5, 0.85
SAMPLES, AT_ONCE = 6_000, 200
ALLOWED = {0: {2, 3, 4, 5, 6}, 1: {1, 3, 5, 7}, 2: {0, 2, 4, 6, 7}}

Answer = tuple[int, ...]


class Shifting:
    """What may come depends on the last token modulo three. Takes what it is given, so that mistakes are seen."""

    def __init__(self, state: int = 0) -> None:
        self.state = state

    @property
    def is_complete(self) -> bool:
        return False

    def fill_mask(self, row: np.ndarray, tokens_left: int | None = None) -> None:
        for token in ALLOWED[self.state]:
            row[0] |= np.uint32(1 << token)

    def accept(self, token_id: int) -> bool:
        self.state = token_id % 3
        return True

    def forced_tokens(self) -> list[int]:
        return []

    def fork(self) -> Self:
        return type(self)(self.state)

    def rollback(self, n: int) -> None:
        raise NotImplementedError


@pytest.fixture(scope="module")
def exact() -> dict[Answer, float]:
    """Every answer and its probability, from the stock model, one warper after another in plain words."""
    model, answers = make_model("llama"), {(): 1.0}
    for _ in range(LENGTH):
        longer: dict[Answer, float] = {}
        open_answers = [answer for answer in answers if not answer or answer[-1] != EOS]
        with torch.no_grad():
            texts = torch.tensor([PROMPT + list(answer) for answer in open_answers])
            scores = model(texts).logits[:, -1, :VOCAB].double()
        for answer, row in zip(open_answers, scores, strict=True):
            for token, chance in next_chances(row, answer).items():
                longer[*answer, token] = answers[answer] * chance
        answers = {answer: chance for answer, chance in answers.items() if answer[-1:] == (EOS,)} | longer
    assert math.isclose(sum(answers.values()), 1)
    return answers


def next_chances(scores: torch.Tensor, answer: Answer) -> dict[int, float]:
    allowed = sorted(ALLOWED[answer[-1] % 3 if answer else 0])
    chances = (scores[allowed] / TEMPERATURE).softmax(-1).tolist()
    ranked = sorted(zip(chances, allowed, strict=True), reverse=True)
    kept: dict[int, float] = {}
    for chance, token in ranked:
        if sum(kept.values()) >= TOP_P:
            break
        kept[token] = chance
    return {token: chance / sum(kept.values()) for token, chance in kept.items()}


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drafts whether they pay or not; and free requests, which draw their seeds, draw always the same ones."""
    numbers: Iterator[int] = iter(range(10**9))
    monkeypatch.setattr("secrets.randbits", lambda bits: next(numbers))
    eager(monkeypatch)


def make_similar() -> Any:
    """A model that often says what the other says."""
    model, generator = make_model("llama"), torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.08 * torch.randn(parameter.shape, generator=generator)
    return model


def make_speculative(**settings: Any) -> Engine:
    sizes = {"max_num_seqs": AT_ONCE, "max_batch_tokens": 8 * AT_ONCE, "num_blocks": 8 * AT_ONCE}
    options = {"speculation": ("model",), "draft_model": make_similar(), "max_draft_tokens": LENGTH}
    return make_engine(vocab_size=VOCAB, eos_token_ids=(EOS,), **(sizes | options | settings))


def observe(engine: Engine, **options: Any) -> Counter[Answer]:
    """How often each answer came."""
    answers: Counter[Answer] = Counter()
    drawn = {"temperature": TEMPERATURE, "top_p": TOP_P, "ignore_eos": False}
    for start in range(0, SAMPLES, AT_ONCE):
        tokens: dict[str, Answer] = {}
        for number in range(start, start + AT_ONCE):
            tokens[str(number)] = ()
            request = make_request(number, PROMPT, LENGTH, constraint=Shifting(), **(drawn | options))
            engine.add(request)
        while engine.has_work:
            for event in engine.step():
                assert event.error is None
                tokens[event.request_id] += tuple(event.token_ids) + (EOS,) * (event.finish_reason == "stop")
        answers.update(tokens.values())
    return answers


def distance(answers: Counter[Answer], exact: dict[Answer, float]) -> float:
    """Total variation."""
    known = set(answers) | set(exact)
    return sum(abs(answers[answer] / SAMPLES - exact.get(answer, 0.0)) for answer in known) / 2


def bound(exact: dict[Answer, float]) -> float:
    """What the distance of so many samples exceeds once in ten thousand times.

    Its mean is below the sum of the standard deviations, halved; one sample more or less changes it by 1 / SAMPLES.

    See: McDiarmid, "On the method of bounded differences" (1989).
    """
    mean = sum(math.sqrt(chance * (1 - chance) / SAMPLES) for chance in exact.values()) / 2
    return mean + math.sqrt(math.log(1e4) / (2 * SAMPLES))


@pytest.mark.usefixtures("always")
def test_answers_are_distributed_as_without_drafts(exact: dict[Answer, float]) -> None:
    engine = make_speculative()
    assert distance(observe(engine), exact) < bound(exact)
    drafted, accepted = engine.stats().num_drafted["model"], engine.stats().num_accepted["model"]
    assert drafted > SAMPLES, "hardly anything was drafted"
    assert 0.2 < accepted / drafted < 0.9, "the draft model agrees too much or too little to tell"


def only_first_position_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    unmask(monkeypatch, lambda rows, proposals: rows.positions > 0)


def unmasked_bonus(monkeypatch: pytest.MonkeyPatch) -> None:
    unmask(monkeypatch, lambda rows, proposals: [row not in proposals for row in range(len(rows))])


def unmask(monkeypatch: pytest.MonkeyPatch, which: Callable[[SamplingRows, Any], Any]) -> None:
    sample = Sampler.sample

    def sample_freely(self: Sampler, logits: Any, rows: SamplingRows, proposals: Any = None) -> Any:
        if rows.drafts:
            self._context.masks.rows[rows.mask_rows[np.flatnonzero(which(rows, proposals))]] = 0xFFFFFFFF
        return sample(self, logits, rows, proposals)

    monkeypatch.setattr(Sampler, "sample", sample_freely)


def raw_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = Sampler.sample
    raw = torch.zeros(0)

    def remember(self: Sampler, logits: torch.Tensor, rows: SamplingRows, proposals: Any = None) -> Any:
        nonlocal raw
        raw = logits[sorted(proposals or ())].clone()
        return sample(self, logits, rows, proposals)

    def verify_raw(scores: torch.Tensor, *others: Any) -> Any:
        return verify(raw.masked_fill(scores == float("-inf"), float("-inf")), *others)

    monkeypatch.setattr(Sampler, "sample", remember)
    monkeypatch.setattr("gateway.engine.sampler.verify", verify_raw)


def no_residual(monkeypatch: pytest.MonkeyPatch) -> None:
    def verify_plain(scores: torch.Tensor, probabilities: Any, drafted: Any, points: Any) -> Any:
        tokens, accepted = verify(scores, probabilities, drafted, points)
        return torch.where(accepted, tokens, draw(scores.softmax(-1), torch.from_numpy(points[1]))), accepted

    monkeypatch.setattr("gateway.engine.sampler.verify", verify_plain)


def dropped_for_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not proposing what one is not sure of looks like thrift."""
    append = DraftModel._append

    def thrifty(self: DraftModel, run: Any, token: int) -> bool:
        return float(run.rows[-1][token]) >= 0.4 and append(self, run, token)

    monkeypatch.setattr(DraftModel, "_append", thrifty)


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize(
    "mistake", [only_first_position_masked, unmasked_bonus, raw_scores, no_residual, dropped_for_what_it_is]
)
def test_mistakes_are_seen(
    exact: dict[Answer, float], mistake: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = make_speculative()
    mistake(monkeypatch)
    assert distance(observe(engine), exact) > bound(exact)
