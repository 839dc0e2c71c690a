"""Rows of drafts: what is done to a row is what would be done if the draft before it were text."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import torch
from engine_runs import random_prompts
from hypothesis import given, settings
from hypothesis import strategies as st
from test_engine_constraints import Dfa, brackets

from gateway.engine.masks import MaskFiller
from gateway.engine.request import GenerationRequest, SamplingParams
from gateway.engine.rows import SamplingRows, ranges
from gateway.engine.sampler import Sampler
from gateway.engine.sequence import Sequence
from gateway.engine.warpers import WarpContext

VOCAB, EOS = 160, 1
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "temperature": st.sampled_from([0.0, 0.7, 1.5]),
        "top_k": st.sampled_from([1, 20]),
        "top_p": st.sampled_from([0.3, 0.9]),
        "min_p": st.just(0.1),
        "typical_p": st.just(0.8),
        "repetition_penalty": st.just(1.4),
        "presence_penalty": st.just(0.5),
        "frequency_penalty": st.just(0.5),
        "no_repeat_ngram_size": st.sampled_from([1, 2, 3]),
        "bad_words_ids": st.just([[10], [11, 20], [20, 21, 22]]),
        "allowed_token_ids": st.just(range(5, 60)),
        "min_tokens": st.sampled_from([4, 9]),
        "logit_bias": st.just({10: 2.0, 25: 3.0}),
        "logprobs": st.sampled_from([0, 3]),
    },
)


def make_sequence(number: int, text: list[int], constraint: Dfa | None, **options: Any) -> Sequence:
    """With a prompt of four tokens."""
    sampling = SamplingParams(max_tokens=40, seed=number, **options)
    request = GenerationRequest(request_id=str(number), prompt_ids=text[:4], sampling=sampling, constraint=constraint)
    sequence = Sequence(request, number)
    sequence.token_ids += text[4:]
    return sequence


def follow(constraint: Dfa | None, tokens: list[int]) -> Dfa | None:
    assert constraint is None or all(map(constraint.accept, tokens))
    return constraint


@settings(max_examples=60, deadline=None)
@given(
    options=st.lists(st.tuples(OPTIONS, st.booleans(), st.integers(0, 4)), min_size=1, max_size=5),
    seed=st.integers(0, 1 << 30),
)
def test_rows_of_a_draft_are_sampled_as_if_it_were_text(
    options: list[tuple[dict[str, Any], bool, int]], seed: int
) -> None:
    chooser, noise = random.Random(seed), torch.Generator().manual_seed(seed)
    drafted, plain, drafts = list[Sequence](), list[Sequence](), dict[Sequence, list[int]]()
    for number, (option, is_constrained, length) in enumerate(options):
        (prompt,) = random_prompts(number, [4])
        text = prompt + ([10, 20] if is_constrained else [20, 11])
        draft = chooser.choices([20, 21, 22] if is_constrained else [10, 11, 20, 21, 22, 5], k=length)
        for position in range(length + 1):
            answer = text[4:] + draft[:position]
            constraint = follow(brackets(2), answer) if is_constrained else None
            plain.append(make_sequence(number, text[:4] + answer, constraint, **option))
        drafted.append(make_sequence(number, text, follow(brackets(2), text[4:]) if is_constrained else None, **option))
        if draft:
            drafts[drafted[-1]] = draft
    logits = torch.randn(len(plain), VOCAB, generator=noise) * 3
    found = []
    for rows in (SamplingRows(drafted, drafts), SamplingRows(plain)):
        masks = MaskFiller(VOCAB, 2, None, overlap=False)
        sampler = Sampler(WarpContext(torch.device("cpu"), VOCAB, (EOS,), masks))
        assert len(rows) == len(plain)
        masks.begin(rows)
        assert masks.finish() == {}
        scores = logits.clone()
        found.append((sampler.sample(scores, rows).finish(), scores))
    assert found[0][0] == found[1][0]
    torch.testing.assert_close(found[0][1], found[1][1], rtol=0, atol=0)


def test_rows_behind_a_refused_draft_are_unknown() -> None:
    constrained, free = make_sequence(0, [2] * 4, brackets(1)), make_sequence(1, [2] * 4, None)
    rows = SamplingRows([free, constrained], {constrained: [10, 99, 20], free: [99]})
    assert rows.unknown == {4, 5}
    assert [state is None for state in rows.states] == [True, True, False, False, True, True]
    assert rows.starts.tolist() == [0, 2]
    assert [rows.tail(row) for row in range(len(rows))] == [[], [99], [], [10], [10, 99], [10, 99, 20]]
    masks = MaskFiller(VOCAB, 1, None, overlap=False)
    masks.begin(rows)
    assert masks.finish() == {}
    assert (rows.mask_rows >= 0).tolist() == [False, False, True, True, False, False]


class Short(Dfa):
    """Each of its masks took too long."""

    num_short_masks = 0

    def is_narrowed_by(self, tokens_left: int) -> bool:
        return tokens_left < 38

    def fill_mask(self, row: np.ndarray, tokens_left: int | None = None) -> None:
        super().fill_mask(row, tokens_left)
        self.num_short_masks += 1


def test_rows_of_a_draft_tell_what_their_masks_lack() -> None:
    brief = brackets(2)
    sequence = make_sequence(0, [2] * 4, Short(brief.edges, brief.accepting))
    masks = MaskFiller(VOCAB, 1, None, overlap=False)
    assert masks.look([sequence]) == [sequence]
    assert masks.only_token(sequence) == 10
    rows = SamplingRows([sequence], {sequence: [10, 20, 20]})
    masks.begin(rows)
    assert masks.finish() == {}
    assert sequence.tokens_left == 40
    assert rows.may_be_steered([0]) == [3]
    assert [rows.num_short_masks(sequence, row) for row in (1, 2, 3)] == [1, 1, 1]
    assert sequence.budgeted is not None
    assert sequence.budgeted.num_short_masks == 1


@pytest.mark.parametrize(("starts", "counts"), [([], []), ([5], [0]), ([3, 9, 1], [2, 0, 3])])
def test_ranges_are_those_of_python(starts: list[int], counts: list[int]) -> None:
    expected = [number for start, count in zip(starts, counts, strict=True) for number in range(start, start + count)]
    assert ranges(np.array(starts, np.int64), np.array(counts, np.int64)).tolist() == expected
