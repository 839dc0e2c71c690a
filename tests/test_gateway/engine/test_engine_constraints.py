"""Token constraints: obeyed to the letter, never cut, and each other's faults are not theirs."""

from __future__ import annotations

import copy
import gc
import weakref
from typing import Any, Self

import numpy as np
import pytest
from engine_models import VOCAB
from engine_runs import make_engine, make_request, random_prompts, run_checked, tokens_of

from gateway.engine import TokenConstraint
from gateway.engine.errors import ConstraintFailedError, DeadMaskError

EOS = 1


class Dfa:
    """A deterministic automaton over tokens: state -> {token: state}. Knows how far each state is from an end."""

    def __init__(self, edges: dict[int, dict[int, int]], accepting: set[int]) -> None:
        self.edges, self.accepting = edges, accepting
        self.history = [0]
        self.seen_tokens_left: list[int | None] = []
        self.distance = dict.fromkeys(accepting, 0)
        for _ in edges:
            for state, targets in edges.items():
                known = [self.distance[target] + 1 for target in targets.values() if target in self.distance]
                if known:
                    self.distance[state] = min(self.distance.get(state, 1 << 30), *known)

    @property
    def state(self) -> int:
        return self.history[-1]

    @property
    def is_complete(self) -> bool:
        return self.state in self.accepting

    def fill_mask(self, row: np.ndarray, tokens_left: int | None = None) -> None:
        self.seen_tokens_left.append(tokens_left)
        budget = (1 << 30) if tokens_left is None else tokens_left - 1
        tokens = [
            t for t, state in self.edges.get(self.state, {}).items() if self.distance.get(state, 1 << 30) <= budget
        ]
        for token in tokens + ([EOS] if self.is_complete else []):
            row[token // 32] |= np.uint32(1 << (token % 32))

    def accept(self, token_id: int) -> bool:
        state = self.edges.get(self.state, {}).get(token_id)
        if state is not None:
            self.history.append(state)
        return state is not None

    def forced_tokens(self) -> list[int]:
        targets = self.edges.get(self.state, {})
        return list(targets) if len(targets) == 1 and not self.is_complete else []

    def fork(self) -> Self:
        return copy.deepcopy(self)

    def rollback(self, n: int) -> None:
        del self.history[len(self.history) - n :]


def brackets(depth: int) -> Dfa:
    """One pair of balanced brackets (10 opens, 11 closes) up to this depth, anything of 20..29 inside."""
    end = -1
    edges: dict[int, dict[int, int]] = {0: {10: 1}, end: {}}
    for level in range(1, depth + 1):
        edges[level] = dict.fromkeys(range(20, 30), level) | {11: level - 1 if level > 1 else end}
        if level < depth:
            edges[level][10] = level + 1
    return Dfa(edges, {end})


def is_balanced(tokens: list[int]) -> bool:
    level = 0
    for index, token in enumerate(tokens):
        level += (token == 10) - (token == 11)
        if level == 0 and index < len(tokens) - 1:
            return False
    return level == 0 and bool(tokens)


def test_dfa_is_a_token_constraint() -> None:
    constraint: TokenConstraint = brackets(3)
    assert constraint.forced_tokens() == [10]


@pytest.mark.parametrize("threaded", [True, False])
@pytest.mark.parametrize("temperature", [0.0, 1.5])
def test_constraint_is_obeyed_and_never_cut(
    threaded: bool, temperature: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.engine.masks.WORTH_A_THREAD", 0.0 if threaded else 1e9)
    prompts = random_prompts(1, [5, 9, 30, 2, 7])
    engine = make_engine()
    constraints = [brackets(depth) for depth in (1, 2, 3, 4, 5)]
    requests = [
        make_request(i, prompt, 9, constraint=constraint, temperature=temperature, seed=i)
        for i, (prompt, constraint) in enumerate(zip(prompts, constraints, strict=True))
    ]
    free = make_request(9, prompts[0], 9, temperature=temperature, seed=9)
    events = run_checked(engine, [*requests, free])
    for i, constraint in enumerate(constraints):
        assert is_balanced(tokens_of(events[str(i)]))
        assert events[str(i)][-1].finish_reason == "stop"
        # Forks were asked about the tokens of drafts.
        assert constraint.seen_tokens_left[0] == 9
        assert constraint.seen_tokens_left == sorted(set(constraint.seen_tokens_left), reverse=True)
    alone = run_checked(make_engine(), [free])
    assert tokens_of(events["9"]) == tokens_of(alone["9"])


def test_constraint_that_uses_its_whole_budget_stops_complete() -> None:
    exact = Dfa({0: {5: 1}, 1: {6: 2}}, {2})
    events = run_checked(make_engine(), [make_request(0, [3], 2, constraint=exact)])["0"]
    assert tokens_of(events) == [5, 6]
    assert events[-1].finish_reason == "stop"
    assert EOS not in tokens_of(events)


def test_constraint_incomplete_at_the_end_of_the_budget_is_a_length_stop() -> None:
    class Heedless(Dfa):
        def fill_mask(self, row: np.ndarray, tokens_left: int | None = None) -> None:
            super().fill_mask(row, None)

    endless = Heedless({0: {5: 0}}, set())
    endless.distance = {0: 1}
    events = run_checked(make_engine(), [make_request(0, [3], 4, constraint=endless)])["0"]
    assert tokens_of(events) == [5, 5, 5, 5]
    assert events[-1].finish_reason == "length"


def test_constraint_survives_preemption() -> None:
    prompts = random_prompts(2, [9, 11, 10, 8])
    requests = [
        make_request(i, prompt, 22, constraint=brackets(4), temperature=1.0, seed=i) for i, prompt in enumerate(prompts)
    ]
    tight = make_engine(num_blocks=13)
    events = run_checked(tight, requests)
    roomy = run_checked(
        make_engine(),
        [make_request(i, prompts[i], 22, constraint=brackets(4), temperature=1.0, seed=i) for i in range(4)],
    )
    assert tight.stats().num_preemptions > 0
    for i in range(4):
        assert tokens_of(events[str(i)]) == tokens_of(roomy[str(i)])
        assert is_balanced(tokens_of(events[str(i)]))


def test_batch_hook_fills_all_rows_in_one_call() -> None:
    calls: list[int] = []

    def hook(constraints: list[Any], rows: np.ndarray, tokens_left: list[int | None]) -> None:
        calls.append(len(constraints))
        for constraint, row, left in zip(constraints, rows, tokens_left, strict=True):
            constraint.fill_mask(row, left)

    requests = [make_request(i, [3, 4], 7, constraint=brackets(3)) for i in range(3)]
    events = run_checked(make_engine(fill_masks=hook, speculation=()), requests)
    assert max(calls) == 3
    assert all(is_balanced(tokens_of(events[str(i)])) for i in range(3))


class Raising(Dfa):
    """Fails in one of its methods after two tokens."""

    def __init__(self, method: str) -> None:
        super().__init__({0: dict.fromkeys(range(20, 30), 0)}, {0})
        self.method = method

    def fill_mask(self, row: np.ndarray, tokens_left: int | None = None) -> None:
        if self.method == "fill_mask" and len(self.history) > 2:
            raise RuntimeError("broken constraint")
        super().fill_mask(row, tokens_left)

    def accept(self, token_id: int) -> bool:
        if len(self.history) > 2:
            if self.method == "accept":
                raise RuntimeError("broken constraint")
            if self.method == "refuse":
                return False
        return super().accept(token_id)


class Dying(Dfa):
    """Comes to a state from which nothing leads on."""

    def __init__(self) -> None:
        super().__init__({0: {20: 1}, 1: {21: 2}, 2: {}}, set())
        self.distance = {0: 0, 1: 0, 2: 0}


FAULTS = [
    pytest.param(lambda: Raising("fill_mask"), ConstraintFailedError, id="fill_mask raises"),
    pytest.param(lambda: Raising("accept"), ConstraintFailedError, id="accept raises"),
    pytest.param(lambda: Raising("refuse"), ConstraintFailedError, id="accept refuses what the mask allowed"),
    pytest.param(Dying, DeadMaskError, id="the mask allows nothing"),
]


@pytest.mark.parametrize("hooked", [False, True])
@pytest.mark.parametrize(("make", "error"), FAULTS)
def test_faulty_constraint_ends_its_request_alone(make: Any, error: type[Exception], hooked: bool) -> None:
    def hook(constraints: list[Any], rows: np.ndarray, tokens_left: list[int | None]) -> None:
        for constraint, row, left in zip(constraints, rows, tokens_left, strict=True):
            constraint.fill_mask(row, left)

    def bystanders() -> list[Any]:
        return [make_request(1, [3, 4, 5], 9, constraint=brackets(3)), make_request(2, [6, 7], 9)]

    engine = make_engine(fill_masks=hook if hooked else None)
    events = run_checked(engine, [make_request(0, [2, 3], 9, constraint=make(), min_tokens=9), *bystanders()])
    assert events["0"][-1].finish_reason == "error"
    assert isinstance(events["0"][-1].error, error)
    assert len(tokens_of(events["0"])) == 2
    alone = run_checked(make_engine(), bystanders())
    for name in ("1", "2"):
        assert tokens_of(events[name]) == tokens_of(alone[name])
        assert events[name][-1].error is None


def test_min_tokens_delays_the_end_unless_nothing_else_is_allowed() -> None:
    def loop() -> Dfa:
        return Dfa({0: dict.fromkeys(range(20, 30), 0)}, {0})

    only = Dfa({0: {5: 1}}, {1})
    requests = [
        make_request(0, [3], 12, constraint=loop(), min_tokens=8, logit_bias={EOS: 100.0}),
        make_request(1, [3], 12, constraint=only, min_tokens=8),
    ]
    events = run_checked(make_engine(), requests)
    assert len(tokens_of(events["0"])) == 8
    assert tokens_of(events["1"]) == [5]
    assert [events[name][-1].finish_reason for name in ("0", "1")] == ["stop", "stop"]


def test_masks_reach_the_last_token_of_the_vocabulary() -> None:
    last = Dfa({0: {VOCAB - 1: 1}, 1: {31: 2}, 2: {32: 3}}, {3})
    events = run_checked(make_engine(), [make_request(0, [3], 5, constraint=last)])["0"]
    assert tokens_of(events) == [VOCAB - 1, 31, 32]


def test_an_idle_engine_lets_go_of_constraints() -> None:
    """They may hold much memory, and nobody knows when the next request comes."""
    engine = make_engine()
    requests = [make_request(number, [2, 3, 4], constraint=brackets(2)) for number in range(3)]
    held = [weakref.ref(request.constraint) for request in requests]
    engine.generate(requests)
    del requests
    gc.collect()
    assert [each() for each in held] == [None] * 3
