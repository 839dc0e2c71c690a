"""Each warper against transformers' own, or against the formula where transformers has none."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from engine_runs import random_prompts
from transformers import (
    MinPLogitsWarper,
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
    TypicalLogitsWarper,
)

from gateway.engine.masks import MaskFiller
from gateway.engine.request import GenerationRequest, SamplingParams
from gateway.engine.rows import SamplingRows
from gateway.engine.sampler import best
from gateway.engine.sequence import Sequence
from gateway.engine.warpers import ORDER, WarpContext, build_chain
from gateway.engine.warpers.bans import MinTokens
from gateway.engine.warpers.base import LOOKS, best_scores, best_tokens
from gateway.engine.warpers.penalties import LogitBias, Penalties
from gateway.engine.warpers.token_mask import TokenMask, forbid, forbid_elsewhere
from gateway.engine.warpers.truncation import Truncation

VOCAB = 500
EOS = 1


def make_sequences(*options: dict[str, Any]) -> list[Sequence]:
    """One sequence per set of options, each with a prompt of 20 and an answer of 10 tokens."""
    sequences = []
    for number, option in enumerate(options):
        prompt, answer = random_prompts(number, [20, 10])
        sampling = SamplingParams(**({"max_tokens": 100} | option))
        sequence = Sequence(GenerationRequest(request_id=str(number), prompt_ids=prompt, sampling=sampling), number)
        sequence.token_ids += answer
        sequences.append(sequence)
    return sequences


def make_context(vocab_size: int = VOCAB) -> WarpContext:
    masks = MaskFiller(vocab_size, 8, None, overlap=False)
    return WarpContext(torch.device("cpu"), vocab_size, (EOS,), masks)


def make_logits(rows: int, vocab_size: int = VOCAB, seed: int = 0) -> torch.Tensor:
    return torch.randn(rows, vocab_size, generator=torch.Generator().manual_seed(seed)) * 3


PEERS = [
    pytest.param(Truncation, "temperature", [0.3, 1.7, 1.0], TemperatureLogitsWarper, id="temperature"),
    pytest.param(Truncation, "top_k", [1, 40, 499], TopKLogitsWarper, id="top_k"),
    pytest.param(Truncation, "top_p", [0.1, 0.9, 0.999], TopPLogitsWarper, id="top_p"),
    pytest.param(Truncation, "min_p", [0.01, 0.3, 1.0], MinPLogitsWarper, id="min_p"),
    pytest.param(Truncation, "typical_p", [0.1, 0.5, 0.95], TypicalLogitsWarper, id="typical_p"),
    pytest.param(Penalties, "repetition_penalty", [0.8, 1.2, 2.0], RepetitionPenaltyLogitsProcessor, id="repetition"),
]


@pytest.mark.parametrize(("kind", "parameter", "values", "peer"), PEERS)
def test_warper_equals_transformers(kind: Any, parameter: str, values: list[float], peer: Any) -> None:
    sequences = make_sequences(*({parameter: value} for value in values), {})
    logits = make_logits(len(sequences))
    expected = logits.clone()
    for row, value in enumerate(values):
        ids = torch.tensor([sequences[row].token_ids])
        expected[row] = peer(value)(ids, logits[row : row + 1].clone())[0]
    (warper,) = build_chain(sequences, make_context())
    assert isinstance(warper, kind)
    warper.apply(logits, SamplingRows(sequences))
    torch.testing.assert_close(logits, expected)


@pytest.mark.parametrize("width", [1, 7, 500, 3001])
@pytest.mark.parametrize("ties", [False, True])
def test_best_scores_and_tokens_are_those_of_a_sort(width: int, ties: bool) -> None:
    rows = make_logits(3, width).round() if ties else make_logits(3, width)
    rows[:, : width // 3] = float("-inf")
    rows[:, -1] = 50.0  # where groups do not reach
    for count in {1, 5, 40, 128, width} - set(range(width + 1, 200)):
        expected = rows.sort(dim=-1, descending=True).values[:, :count]
        torch.testing.assert_close(best_scores(rows, count), expected, rtol=0, atol=0)
        values, tokens = best_tokens(rows, count)
        torch.testing.assert_close(values, expected, rtol=0, atol=0)
        torch.testing.assert_close(rows.gather(1, tokens), expected, rtol=0, atol=0)
        assert all(len(set(row)) == count for row in tokens.tolist())


@pytest.mark.parametrize("parameter", ["top_p", "typical_p"])
@pytest.mark.parametrize("vocab_size", [VOCAB, 9000])
def test_share_warper_looks_at_the_whole_vocabulary_when_it_must(parameter: str, vocab_size: int) -> None:
    peer = {"top_p": TopPLogitsWarper, "typical_p": TypicalLogitsWarper}[parameter]
    logits = torch.arange(vocab_size)[None] * 1e-4  # flat: no look but the last holds the share
    expected = peer(0.9)(torch.zeros(1, 1), logits.clone())
    sequences = make_sequences({parameter: 0.9})
    (warper,) = build_chain(sequences, make_context(vocab_size))
    warper.apply(logits, SamplingRows(sequences))
    assert logits.isfinite().sum() > max(look for look in LOOKS if look < vocab_size)
    torch.testing.assert_close(logits, expected)


def test_warpers_leave_greedy_rows_alone() -> None:
    options = {"top_k": 3, "top_p": 0.5, "min_p": 0.5, "typical_p": 0.5, "temperature": 0.0}
    assert build_chain(make_sequences(options), make_context()) == []


def test_chain_is_empty_when_nothing_is_asked() -> None:
    assert build_chain(make_sequences({}, {"temperature": 0.0}), make_context()) == []


def test_chain_follows_the_documented_order() -> None:
    everything = {
        "logit_bias": {5: 1.0},
        "repetition_penalty": 1.1,
        "presence_penalty": 0.1,
        "frequency_penalty": 0.1,
        "allowed_token_ids": range(2, 300),
        "bad_words_ids": [[7, 8]],
        "no_repeat_ngram_size": 3,
        "min_tokens": 50,
        "classifiers": [("polite", 1.0)],
        "temperature": 0.5,
        "top_k": 5,
        "top_p": 0.5,
        "min_p": 0.1,
        "typical_p": 0.9,
    }
    chain = build_chain(make_sequences(everything), make_context())
    assert [type(warper) for warper in chain] == [kind for kind in ORDER if kind.__name__ != "TokenMask"]


@pytest.mark.parametrize("seed", range(8))
def test_truncation_in_chain_equals_transformers_in_its_order(seed: int) -> None:
    chooser = random.Random(seed)
    options = [
        {
            "temperature": chooser.choice([0.5, 1.0, 2.0]),
            "top_k": chooser.choice([0, 5, 100]),
            "top_p": chooser.choice([0.7, 0.95, 1.0]),
            "min_p": chooser.choice([0.0, 0.02, 0.2]),
            "typical_p": chooser.choice([0.3, 0.9, 1.0]),
        }
        for _ in range(6)
    ]
    logits = make_logits(len(options), seed=seed)
    logits[:, chooser.sample(range(VOCAB), 200)] = float("-inf")  # as a mask leaves them
    expected = logits.clone()
    for row, option in enumerate(options):
        scores = expected[row : row + 1]
        chain = [TemperatureLogitsWarper(option["temperature"])]
        chain += [TopKLogitsWarper(option["top_k"])] if option["top_k"] else []
        chain += [TopPLogitsWarper(option["top_p"]), MinPLogitsWarper(option["min_p"])]
        chain += [TypicalLogitsWarper(option["typical_p"])] if option["typical_p"] < 1 else []
        for peer in chain:
            scores = peer(torch.zeros(1, 1), scores)
        expected[row] = scores[0]
    sequences = make_sequences(*options)
    for warper in build_chain(sequences, make_context()):
        warper.apply(logits, SamplingRows(sequences))
    torch.testing.assert_close(logits, expected)


def test_logit_bias_is_added() -> None:
    logits = make_logits(2)
    expected = logits.clone()
    expected[1, 7] += 2.5
    expected[1, 9] -= 100
    sequences = make_sequences({}, {"logit_bias": {7: 2.5, 9: -100}})
    warper = LogitBias.build(sequences, make_context())
    assert warper is not None
    warper.apply(logits, SamplingRows(sequences))
    torch.testing.assert_close(logits, expected)


def test_logit_bias_of_a_sequence_is_read_once() -> None:
    """Whoever favours the tokens of a text names a thousand, and the rows of a batch change with each that ends."""

    class Counting(dict[int, float]):
        num_reads = 0

        def __iter__(self) -> Iterator[int]:
            Counting.num_reads += 1
            return super().__iter__()

    sequences = make_sequences({"logit_bias": {3: 1.0}}, {}, {"logit_bias": {3: 2.0, 8: -0.5}})
    for sequence in sequences:
        sequence.sampling = replace(sequence.sampling, logit_bias=Counting(sequence.sampling.logit_bias))
    for rows in (sequences, sequences[1:], sequences[::-1]):
        logits = make_logits(len(rows))
        expected = logits.clone()
        for row, sequence in enumerate(rows):
            for token, bias in sequence.sampling.logit_bias.items():
                expected[row, token] += bias
        warper = LogitBias.build(rows, make_context())
        assert warper is not None
        warper.apply(logits, SamplingRows(rows))
        torch.testing.assert_close(logits, expected)
    assert Counting.num_reads == 2


@pytest.mark.parametrize("parameter", ["presence_penalty", "frequency_penalty"])
def test_penalty_counts_the_answer_only_and_keeps_counting(parameter: str) -> None:
    is_presence = parameter == "presence_penalty"
    sequences = make_sequences({}, {parameter: 0.5}, {parameter: -1.5})
    (warper,) = build_chain(sequences, make_context())
    for _ in range(3):
        logits = make_logits(3)
        expected = logits.clone()
        for row, strength in ((1, 0.5), (2, -1.5)):
            counts = np.bincount(sequences[row].token_ids[20:], minlength=VOCAB)
            expected[row] -= torch.tensor(strength * (np.minimum(counts, 1) if is_presence else counts))
        warper.apply(logits, SamplingRows(sequences))
        torch.testing.assert_close(logits, expected)
        for sequence in sequences:
            sequence.token_ids += [sequence.token_ids[-1], 3]


def filled_mask(sequences: Any, vocab_size: int) -> tuple[TokenMask, SamplingRows]:
    context = make_context(vocab_size)
    warper = TokenMask.build(sequences, context)
    assert warper is not None
    rows = SamplingRows(sequences)
    context.masks.begin(rows)
    assert context.masks.finish() == {}
    return warper, rows


@pytest.mark.parametrize("warp", [forbid, forbid_elsewhere])
@pytest.mark.parametrize("vocab_size", [31, 32, 33, 500])
def test_token_mask_forbids_exactly_what_the_rows_say(
    warp: Any, vocab_size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.engine.warpers.token_mask.forbid", warp)
    sequences = make_sequences({}, {}, {})
    for row in (0, 2):
        sequences[row].constraint = RandomMask(vocab_size, row)
    warper, rows = filled_mask(sequences, vocab_size)
    logits = make_logits(3, vocab_size)
    expected = logits.clone()
    for row in (0, 2):
        expected[row, ~sequences[row].constraint.allowed] = float("-inf")
    warper.apply(logits, rows)
    torch.testing.assert_close(logits, expected, rtol=0, atol=0)


def test_token_mask_chooses_what_is_best_after_it() -> None:
    sequences = make_sequences({}, {}, {}, {})
    for row in (0, 2, 3):
        sequences[row].constraint = RandomMask(VOCAB, row)
    sequences[3].constraint.allowed[:] = False
    warper, rows = filled_mask(sequences, VOCAB)
    logits = make_logits(4, VOCAB)
    kept = logits.clone()
    tokens, are_finite = warper.choose(logits, rows)
    torch.testing.assert_close(logits, kept, rtol=0, atol=0)
    warper.apply(logits, rows)
    expected, expected_finite = best(logits)
    assert (tokens[:3], are_finite) == (expected[:3], expected_finite)
    assert expected != best(kept)[0]
    assert are_finite == [True, True, True, False]


class RandomMask:
    """Allows a random half of the vocabulary."""

    def __init__(self, vocab_size: int, seed: int) -> None:
        self.allowed = np.random.default_rng(seed).random(vocab_size) < 0.5

    def fill_mask(self, row: np.ndarray, tokens_left: int | None = None) -> None:
        for token in np.flatnonzero(self.allowed):
            row[token // 32] |= np.uint32(1 << int(token % 32))


def test_min_tokens_holds_every_end_back_until_then() -> None:
    sequences = make_sequences({"min_tokens": 11, "stop_token_ids": [9]}, {"min_tokens": 11, "ignore_eos": True})
    warper = MinTokens.build(sequences, make_context())
    assert warper is not None
    logits = make_logits(2)
    warper.apply(logits, SamplingRows(sequences))
    assert (~logits.isfinite()).nonzero().tolist() == [[0, EOS], [0, 9]]
    for sequence in sequences:
        sequence.token_ids.append(3)
    logits = make_logits(2)
    warper.apply(logits, SamplingRows(sequences))
    assert logits.isfinite().all()
