"""Everything at once: whatever is batched, chunked, preempted, cached, forked, drafted, constrained and cancelled with
whatever else, greedy answers are those of the stock model."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from engine_models import PATHS, VOCAB, make_model, stock_greedy
from engine_runs import Prophet, eager, make_engine, make_request, random_prompts
from hypothesis import given, settings
from hypothesis import strategies as st
from test_engine_constraints import EOS, Dfa, brackets

from gateway.engine import Engine, EngineStats, GenerationRequest
from gateway.engine.scheduling import run_ahead
from tests.counts import examples
from tests.stock_models import stock_answers

MAX_TOKENS = 10
CONSTRAINTS = ("free", "brackets", "forced")


def forced(seed: int) -> Dfa:
    """Eight tokens, most of them the only one in their place."""
    chooser = random.Random(seed)
    edges = {
        state: dict.fromkeys(chooser.sample(range(2, VOCAB), chooser.choice((1, 1, 4))), state + 1)
        for state in range(8)
    }
    return Dfa(edges | {8: {}}, {8})


@dataclass(frozen=True)
class Job:
    """A prompt and who answers it.

    Attributes:
        length: Tokens of the prompt behind the head that all share.
        num_members: Answers; more than one are a group.
        kind: What constrains them.
        num_sampled: How many of the members, the last ones, are not greedy: they are there to differ from the others.
        pause: Steps between this job's members and the next one's.
    """

    length: int
    num_members: int = 1
    kind: str = "free"
    num_sampled: int = 0
    pause: int = 0

    def constraint(self, number: int) -> Dfa | None:
        """A new one, the same for all members of job `number`."""
        return {"free": None, "brackets": brackets(number % 3 + 1), "forced": forced(number)}[self.kind]


@cache
def expected(name: str, prompt: tuple[int, ...], job: Job, number: int) -> list[int]:
    """What transformers answers, by itself, under the same constraint."""
    model, constraint = stock(name), job.constraint(number)
    if constraint is None:
        return stock_greedy(model, list(prompt), MAX_TOKENS)

    def allowed(_: int, tokens: torch.Tensor) -> list[int]:
        follower, answer = constraint.fork(), tokens[len(prompt) :].tolist()
        assert all(follower.accept(token) for token in answer)
        row = np.zeros(-(-VOCAB // 32), dtype=np.uint32)
        follower.fill_mask(row, MAX_TOKENS - len(answer))
        return [token for token in range(VOCAB) if row[token // 32] >> np.uint32(token % 32) & 1]

    (answer,) = stock_answers(
        model, [list(prompt)], MAX_TOKENS, min_new_tokens=0, eos_token_id=EOS, prefix_allowed_tokens_fn=allowed
    )
    return [token for token in answer if token != EOS]


@cache
def stock(name: str) -> Any:
    return make_model(name)


def requests_of(number: int, job: Job, prompt: list[int]) -> list[GenerationRequest]:
    """Members of a job; its first ones are greedy."""
    return [
        make_request(
            10 * number + member,
            prompt,
            MAX_TOKENS,
            group=f"group {number}" if job.num_members > 1 else None,
            constraint=job.constraint(number),
            temperature=1.0 if member >= job.num_members - job.num_sampled else 0.0,
            seed=member,
            tenant="ab"[number % 2],
            priority=number % 3 // 2,
        )
        for member in range(job.num_members)
    ]


def run_mix(
    engine: Engine, jobs: list[Job], prompts: list[list[int]], cancelled: dict[str, int]
) -> tuple[dict[str, list[int]], set[str]]:
    """The answers, and which requests were cancelled; sound after every step.

    Args:
        cancelled: By request, before which step.
    """
    answers: dict[str, list[int]] = {}
    gone: set[str] = set()
    num_steps = 0

    def step() -> None:
        nonlocal num_steps
        num_steps += 1
        gone.update(name for name, at in cancelled.items() if at == num_steps and engine.cancel(name))
        for event in engine.step():
            assert event.error is None
            answers[event.request_id] += event.token_ids
        engine.check_integrity()

    for number, (job, prompt) in enumerate(zip(jobs, prompts, strict=True)):
        for request in requests_of(number, job, prompt):
            answers[request.request_id] = []
            engine.add(request)
        for _ in range(job.pause):
            step()
    while engine.has_work:
        step()
    stats = engine.stats()
    assert stats.num_free_blocks == stats.num_blocks
    return answers, gone


def check_mix(
    path: tuple[str, str],
    jobs: list[Job],
    cancelled: dict[str, int],
    *,
    head: int,
    seed: int,
    truth: float,
    **sizes: Any,
) -> EngineStats:
    """Run the jobs and compare every greedy answer; what the engine counted.

    Args:
        head: Tokens that all prompts begin with.
        truth: How often the prophet's drafts are right.
    """
    name, decoder = path
    (shared,) = random_prompts(seed, [head])
    prompts = [shared + prompt for prompt in random_prompts(seed + 10, [job.length for job in jobs])]
    room = sizes["num_blocks"] * sizes["block_size"] - MAX_TOKENS
    prompts = [prompt[-room:] for prompt in prompts]
    texts = [
        prompt + expected(name, tuple(prompt), job, number)
        for number, (job, prompt) in enumerate(zip(jobs, prompts, strict=True))
    ]
    engine = make_engine(
        model=make_model(name), decoder=decoder, drafters=[Prophet(texts, truth, seed)], eos_token_ids=(EOS,), **sizes
    )
    with pytest.MonkeyPatch.context() as patch:
        eager(patch)
        patch.setattr(run_ahead, "TRIAL", 2)
        patch.setattr(run_ahead, "PERIOD", 8)
        answers, gone = run_mix(engine, jobs, prompts, cancelled)
    for number, (job, prompt) in enumerate(zip(jobs, prompts, strict=True)):
        for member in range(job.num_members):
            got, request_id = answers[str(10 * number + member)], str(10 * number + member)
            wanted = texts[number][len(prompt) :]
            if member >= job.num_members - job.num_sampled:
                assert request_id in gone or job.kind != "free" or len(got) == MAX_TOKENS
            else:
                assert got == (wanted[: len(got)] if request_id in gone else wanted), (number, member)
    return engine.stats()


JOBS = st.builds(
    Job,
    length=st.integers(1, 24),
    num_members=st.sampled_from([1, 1, 2, 3, 4]),
    kind=st.sampled_from(CONSTRAINTS),
    num_sampled=st.sampled_from([0, 0, 1]),
    pause=st.sampled_from([0, 0, 1, 2, 4]),
)


@settings(max_examples=examples(40), deadline=None)
@given(
    path=st.sampled_from(PATHS),
    jobs=st.lists(JOBS, min_size=1, max_size=5),
    cancelled=st.dictionaries(
        st.tuples(st.integers(0, 4), st.integers(0, 3)).map(lambda place: str(10 * place[0] + place[1])),
        st.integers(1, 12),
        max_size=3,
    ),
    head=st.integers(0, 16),
    seed=st.integers(0, 3),
    truth=st.sampled_from([0.0, 0.5, 0.9, 1.0]),
    num_blocks=st.integers(12, 40),
    block_size=st.sampled_from([2, 4, 5, 7]),
    max_num_seqs=st.integers(1, 6),
    max_batch_tokens=st.integers(6, 40),
    max_draft_tokens=st.integers(1, 9),
    prefix_caching=st.booleans(),
    run_ahead=st.booleans(),
    attention_backend=st.sampled_from(["compiled", "sdpa"]),
)
def test_any_mix_equals_stock(
    path: tuple[str, str], jobs: list[Job], cancelled: dict[str, int], **settings: Any
) -> None:
    check_mix(path, jobs, cancelled, **settings)


@pytest.mark.parametrize("path", PATHS, ids="-".join)
def test_everything_at_once_equals_stock(path: tuple[str, str]) -> None:
    """What the random mix is made of happens, all of it, in one run."""
    jobs = [
        Job(9, 4, pause=2),
        Job(14, 2, "forced"),
        Job(3, pause=3),
        Job(20, 3, "brackets", num_sampled=1),
        Job(1),
        Job(9, 3, num_sampled=1),
    ]
    num_blocks = 10 if path[0] == "mistral" else 12  # it gives back what left its window
    sizes = {
        "num_blocks": num_blocks,
        "block_size": 4,
        "max_num_seqs": 6,
        "max_batch_tokens": 13,
        "max_draft_tokens": 4,
    }
    stats = check_mix(path, jobs, {"1": 4, "30": 8}, head=7, seed=1, truth=0.8, **sizes)
    assert stats.finished["cancelled"] == 2
    assert stats.num_copied_blocks > 3 or path[0] == "mistral"
    assert stats.num_preemptions > 0
    assert stats.num_cached_tokens > 0
    assert stats.num_forced > 0
    assert 0 < stats.num_accepted["prophet"] < stats.num_drafted["prophet"]
