"""The sources of drafts, and how much is drafted."""

from __future__ import annotations

import numpy as np
import pytest
from engine_models import VOCAB, make_model, stock_greedy
from engine_runs import Prophet, make_engine, make_request, random_prompts, run_checked
from hypothesis import given
from hypothesis import strategies as st

from gateway.engine import EngineConfig
from gateway.engine.errors import InvalidEngineConfigError
from gateway.engine.masks import MANY, MaskFiller, count_few, first_token
from gateway.engine.request import EngineStats, GenerationRequest, SamplingParams
from gateway.engine.sequence import Sequence
from gateway.engine.speculation.guess import (
    LONGEST,
    MOST_GUESSED,
    MOST_SEARCHED,
    SHORTEST,
    TRIED,
    USUALLY_RIGHT,
    Guesser,
    Trust,
)


def make_sequence(tokens: list[int]) -> Sequence:
    sampling = SamplingParams(max_tokens=1_000)
    return Sequence(GenerationRequest(request_id="0", prompt_ids=tokens, sampling=sampling), 0)


def make_guesser() -> Guesser:
    """Of what stood in the text before, however likely."""
    masks = MaskFiller(VOCAB, 4, None, overlap=False)
    return Guesser(("ngram",), masks, Trust(), EngineStats(), 1 << 20, frozenset())


def looked_up(text: list[int], drafted: list[int]) -> tuple[int, int] | None:
    """Slow and obvious: (length of the longest run of last tokens that occurred before, where it went on last)."""
    tail = text + drafted
    for length in range(min(LONGEST, len(tail)), SHORTEST - 1, -1):
        run = tail[len(tail) - length :]
        for start in range(len(text) - length - 1, -1, -1):
            if text[start : start + length] == run:
                return length, start + length
    return None


@given(
    text=st.lists(st.integers(0, 3), min_size=1, max_size=30),
    grown=st.lists(st.integers(0, 3), max_size=12),
    drafted=st.lists(st.integers(0, 3), max_size=6),
)
def test_ngram_guesses_what_came_last_after_the_longest_run(
    text: list[int], grown: list[int], drafted: list[int]
) -> None:
    sequence, guesser = make_sequence(text), make_guesser()
    for token in [None, *grown]:
        if token is not None:
            sequence.token_ids.append(token)
        tokens, kinds = guesser._copied(sequence, drafted, None, 1.0)
        expected = looked_up(sequence.token_ids, drafted)
        assert bool(guesser._hopeful(sequence)) == (looked_up(sequence.token_ids, []) is not None)
        assert bool(tokens) == (expected is not None)
        if expected is not None:
            length, follower = expected
            assert tokens == sequence.token_ids[follower : follower + MOST_GUESSED]
            assert kinds[: len(tokens)] == [f"ngram {min(length + more, LONGEST)}" for more in range(len(tokens))]


def test_ngram_looks_at_the_end_of_long_texts() -> None:
    start = list(range(5000, 5000 + MOST_SEARCHED - 205))
    sequence, guesser = make_sequence([9, 8, 7, *start, 1, 2, 3, *range(100, 298), 1, 2]), make_guesser()
    assert guesser._copied(sequence, [], None, 1.0)[0][:2] == [3, 100]
    assert guesser._copied(sequence, [9, 8], None, 1.0)[0]
    sequence.token_ids += [1, 2]
    assert not guesser._copied(sequence, [9, 8], None, 1.0)[0]  # it stands before what is searched


def test_ngram_finds_tokens_where_they_begin() -> None:
    sequence, guesser = make_sequence([256, 256, 0, 65536, 0, 1, 1]), make_guesser()  # the same bytes, elsewhere
    assert not guesser._copied(sequence, [], None, 1.0)[0]
    sequence.token_ids += [7, 1, 1]
    assert guesser._copied(sequence, [], None, 1.0)[0] == [7, 1, 1]
    for _ in range(20):
        guesser._trust.learn(sequence, "ngram 2", False)
    guesser._trust.least = 0.5
    assert not guesser._copied(sequence, [], None, 1.0)[0]


def test_trust_starts_from_others_and_follows_its_own_text() -> None:
    trust, text, other = Trust(), make_sequence([1]), make_sequence([1])
    assert trust.chance(text, "a") == pytest.approx(USUALLY_RIGHT)
    for _ in range(20):
        trust.learn(text, "a", False)
    assert trust.chance(text, "a") < 0.1
    assert trust.chance(text, "b") == pytest.approx(USUALLY_RIGHT)
    assert 0.1 < trust.chance(other, "a") < USUALLY_RIGHT / 2
    for _ in range(20):
        trust.learn(text, "a", True)
    assert trust.chance(text, "a") > USUALLY_RIGHT


def test_what_is_not_likely_enough_is_tried_now_and_then() -> None:
    trust = Trust()
    tries = [trust.is_tried() for _ in range(4 * TRIED)]
    assert [number for number, tried in enumerate(tries) if tried] == [TRIED - 1 + TRIED * turn for turn in range(4)]


def test_guesses_are_made_where_they_are_likely_enough() -> None:
    sequence, guesser = make_sequence([1, 2, 3, 9, 1, 2, 3]), make_guesser()
    (draft,) = guesser.guess([sequence], lambda each: 3).values()
    assert (draft.token_ids, draft.kinds) == ([9, 1, 2], ["ngram 3", "ngram 4", "ngram 4"])
    guesser._trust.least = 0.6
    (draft,) = guesser.guess([sequence], lambda each: 3).values()
    assert draft.token_ids == [9, 1][: len(draft.token_ids)]
    guesser._trust.least = 0.9
    drafts = [guesser.guess([sequence], lambda each: 3) for _ in range(2 * TRIED)]
    assert 1 <= sum(map(len, drafts)) <= 6
    assert not guesser.guess([make_sequence([1, 2, 3, 9])], lambda each: 3)


def test_useless_drafts_die_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.engine.scheduling.step_cost.StepCost.line", (1.0, 0.1))
    (prompt,) = random_prompts(1, [5])
    answer = stock_greedy(make_model("llama"), prompt, 200)
    liar = Prophet([prompt + answer], truth=0.0)
    engine = make_engine(drafters=[liar], speculation=())
    events = run_checked(engine, [make_request(0, prompt, 200)])["0"]
    assert [token for event in events for token in event.token_ids] == answer
    assert engine.stats().num_drafted["prophet"] < 60  # of 1,600 that there was room for


def test_allowed_tokens_are_counted() -> None:
    tokens = (0, 31, 32, 95)
    masks = np.zeros((5, 3), dtype=np.uint32)
    for mask, token in zip(masks, tokens, strict=False):
        mask[token // 32] = np.uint32(1) << np.uint32(token % 32)
    assert count_few(masks) == [1, 1, 1, 1, 0]
    assert [first_token(mask) for mask in masks[:4]] == list(tokens)
    masks[:, 2] |= np.uint32(7 << 28)
    assert count_few(masks) == [4, 4, 4, 4, 3]
    assert [first_token(mask) for mask in masks] == [0, 31, 32, 92, 92]
    masks = np.zeros((3, 4096), np.uint32)
    masks[0, :2], masks[1, :3], masks[2, 4000:] = 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF
    few, *others = count_few(masks)
    assert few == MANY == 64
    assert min(others) > MANY


@pytest.mark.parametrize("wrong", [{"speculation": ("guessing",)}, {"max_draft_tokens": 0}])
def test_config_refuses_what_is_no_source(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidEngineConfigError):
        EngineConfig(**wrong)  # type: ignore[arg-type]
