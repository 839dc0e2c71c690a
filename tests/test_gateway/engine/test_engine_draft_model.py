"""The draft model by itself: what it proposes is what it would write, however its text came about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from engine_models import SHAPE, VOCAB, make_model, stock_greedy, stock_logits
from engine_runs import make_engine, make_request, random_prompts, run_checked, tokens_of
from test_engine_constraints import brackets
from transformers import AutoModelForCausalLM, LlamaConfig

from gateway.engine import EngineConfig
from gateway.engine.errors import InvalidEngineConfigError
from gateway.engine.masks import MaskFiller
from gateway.engine.models.load import load_draft_model, load_model
from gateway.engine.sequence import Sequence
from gateway.engine.speculation import Draft
from gateway.engine.speculation.draft_model import DraftModel
from gateway.engine.warpers import WarpContext

CONFIG = EngineConfig(max_num_seqs=4, max_batch_tokens=16, block_size=4, check_model=False, speculation=("model",))
NUM_BLOCKS = 64


def make_draft_model(model: Any) -> DraftModel:
    model = load_model(model, CONFIG)
    context = WarpContext(model.decoder.device, VOCAB, (1,), MaskFiller(VOCAB, 4, None, overlap=False))
    return DraftModel(model, CONFIG, NUM_BLOCKS, context, None)


def make_sequence(prompt: list[int], first_block: int = 0, **options: Any) -> Sequence:
    """A sequence that the target has read but for its last token, with blocks to spare."""
    sequence = Sequence(make_request(first_block, prompt, **({"max_tokens": 100} | options)), 0)
    sequence.block_table = list(range(first_block, first_block + 16))
    sequence.num_computed = len(prompt) - 1
    return sequence


@torch.inference_mode()
def propose(drafter: DraftModel, sequences: list[Sequence], lengths: list[int]) -> list[Draft]:
    """Proposals; what the draft model has still to read may take several calls."""
    drafts = drafter.propose(sequences, lengths)
    for _ in range(20):
        if all(draft.token_ids or not length for draft, length in zip(drafts, lengths, strict=True)):
            break
        drafts = drafter.propose(sequences, lengths)
    return drafts


def count_rows(drafter: DraftModel) -> list[int]:
    """How many tokens each forward pass of the draft model computes, from now on."""
    rows: list[int] = []
    forward = drafter.decoder.forward

    def counting(batch: Any, cache: Any) -> Any:
        rows.append(len(batch.input_ids))
        return forward(batch, cache)

    drafter.decoder.forward = counting  # type: ignore[method-assign]
    return rows


@pytest.fixture(scope="module")
def stock() -> Any:
    return make_model("llama", seed=5)


@pytest.fixture
def drafter() -> DraftModel:
    return make_draft_model(make_model("llama", seed=5))


def test_propose_writes_what_the_model_would_write(stock: Any, drafter: DraftModel) -> None:
    prompts = random_prompts(1, [5, 23, 1, 12])
    sequences = [make_sequence(prompt, 16 * number) for number, prompt in enumerate(prompts)]
    drafts = propose(drafter, sequences, [5, 3, 0, 7])
    for prompt, draft, length in zip(prompts, drafts, [5, 3, 0, 7], strict=True):
        assert draft.token_ids == (stock_greedy(stock, prompt, length) if length else [])
        assert draft.probabilities is None


@pytest.mark.parametrize("accepted", [0, 1, 4, 5])
def test_propose_goes_on_after_any_outcome(stock: Any, drafter: DraftModel, accepted: int) -> None:
    (prompt,) = random_prompts(2, [9])
    sequence = make_sequence(prompt)
    for _ in range(4):
        (draft,) = propose(drafter, [sequence], [5])
        sequence.token_ids += [*draft.token_ids[:accepted], 7]
        sequence.num_computed = len(sequence.token_ids) - 1
    rows = count_rows(drafter)
    (draft,) = propose(drafter, [sequence], [5])
    assert draft.token_ids == stock_greedy(stock, sequence.token_ids, 5)
    # After full acceptance the last draft was never computed, and comes along.
    assert rows == [2 if accepted == 5 else 1, 1, 1, 1, 1]


def test_propose_reads_long_texts_in_pieces(stock: Any, drafter: DraftModel) -> None:
    (prompt,) = random_prompts(3, [40])
    sequence = make_sequence(prompt)
    rows = count_rows(drafter)
    with torch.inference_mode():
        lengths = [len(drafter.propose([sequence], [2])[0].token_ids) for _ in range(3)]
    assert lengths == [0, 0, 2]
    assert rows == [16, 16, 8, 1]


@pytest.mark.parametrize("missed", [2, 4, 5, 11])
def test_propose_catches_up_with_what_others_proposed(stock: Any, drafter: DraftModel, missed: int) -> None:
    prompt, *others = random_prompts(8, [9, missed, missed])
    sequence = make_sequence(prompt)
    for text in ([], *others):
        sequence.token_ids += text
        (draft,) = propose(drafter, [sequence], [3])
        assert draft.token_ids == stock_greedy(stock, sequence.token_ids, 3)


def test_propose_follows_preemption_and_shared_blocks(stock: Any, drafter: DraftModel) -> None:
    (prompt,) = random_prompts(4, [18])
    sequence = make_sequence(prompt)
    propose(drafter, [sequence], [2])
    propose(drafter, [sequence], [2])  # what was computed is known once the text was followed again
    sequence.num_preemptions += 1
    sequence.block_table = [0, 1, 2, 40, 41, 42, 43]
    rows = count_rows(drafter)
    (draft,) = propose(drafter, [sequence], [3])
    assert draft.token_ids == stock_greedy(stock, prompt, 3)
    assert rows == [6, 1, 1]
    other = make_sequence([*prompt[:14], 9, 9, 9, 9], 20)
    other.block_table[:3] = [0, 1, 2]
    rows.clear()
    (draft,) = propose(drafter, [other], [3])
    assert draft.token_ids == stock_greedy(stock, other.token_ids, 3)
    assert rows == [6, 1, 1]


def test_propose_does_not_trust_blocks_of_another_text(stock: Any, drafter: DraftModel) -> None:
    first, second = random_prompts(5, [18, 18])
    for prompt in (first, second, first):
        sequence = make_sequence(prompt)
        assert propose(drafter, [sequence], [3])[0].token_ids == stock_greedy(stock, prompt, 3)
        assert propose(drafter, [sequence], [3])[0].token_ids == stock_greedy(stock, prompt, 3)


def test_propose_tells_what_free_tokens_were_drawn_from(stock: Any, drafter: DraftModel) -> None:
    (prompt,) = random_prompts(6, [9])
    sequence = make_sequence(prompt, temperature=0.7, top_k=5)
    (draft,) = propose(drafter, [sequence], [4])
    assert draft.probabilities is not None
    for index, (token, row) in enumerate(zip(draft.token_ids, draft.probabilities, strict=True)):
        text = [*prompt, *draft.token_ids[:index]]
        scores = stock_logits(stock, text)[-1] / 0.7
        scores[scores < scores.topk(5).values[-1]] = float("-inf")
        torch.testing.assert_close(row, scores.softmax(-1), atol=1e-5, rtol=1e-4)
        assert row[token] > 0


@pytest.mark.parametrize(
    "options",
    [
        {"repetition_penalty": 1.5, "no_repeat_ngram_size": 2},
        {"frequency_penalty": 0.8, "presence_penalty": 0.3, "temperature": 1.0, "seed": 4},
        {"allowed_token_ids": range(20, 60), "bad_words_ids": [[25], [30, 31]], "temperature": 2.0, "seed": 5},
        {"constraint": brackets(3)},
        {"constraint": brackets(2), "temperature": 1.5, "top_p": 0.9, "seed": 6, "frequency_penalty": 0.5},
    ],
)
@pytest.mark.parametrize("accepted", [1, 3, 4])
def test_propose_warps_and_masks_as_the_engine_would(drafter: DraftModel, options: Any, accepted: int) -> None:
    """The draft model drafting for itself: what the engine would answer, whatever was accepted before."""
    (prompt,) = random_prompts(9, [9])
    constraint = options.get("constraint")
    engine = make_engine(model=make_model("llama", seed=5))
    request = make_request(0, prompt, 20, **(options | {"constraint": constraint and constraint.fork()}))
    answer = tokens_of(run_checked(engine, [request])["0"])
    sequence = make_sequence(prompt, max_tokens=20, **(options | {"constraint": constraint and constraint.fork()}))
    while sequence.num_output + 4 <= len(answer):
        (draft,) = propose(drafter, [sequence], [4])
        assert draft.token_ids == answer[sequence.num_output : sequence.num_output + 4]
        for token in draft.token_ids[:accepted]:
            sequence.token_ids.append(token)
            assert sequence.constraint is None or sequence.constraint.accept(token)


def test_propose_for_a_seed_tells_no_probabilities(drafter: DraftModel) -> None:
    (prompt,) = random_prompts(6, [9])
    drafts = [propose(drafter, [make_sequence(prompt, seed=3, temperature=1.0)], [4])[0] for _ in range(2)]
    assert drafts[0].token_ids == drafts[1].token_ids
    assert drafts[0].probabilities is None


def test_propose_stops_before_an_end_that_is_certain_and_behind_one_that_is_drawn(drafter: DraftModel) -> None:
    (prompt,) = random_prompts(7, [9])
    ends = {"logit_bias": {1: 100.0}, "ignore_eos": False}
    assert drafter.propose([make_sequence(prompt, **ends)], [4])[0].token_ids == []
    (draft,) = drafter.propose([make_sequence(prompt, temperature=1.0, **ends)], [4])
    assert draft.token_ids == [1]


def test_propose_has_nothing_to_say_about_tokens_that_it_does_not_know(drafter: DraftModel) -> None:
    drafts = drafter.propose([make_sequence([5, VOCAB, 7]), make_sequence([5, 6, 7], 20)], [3, 3])
    assert [len(draft.token_ids) for draft in drafts] == [0, 3]


def load(draft: Any, target: Any, vocab_size: int | None = None) -> Any:
    return load_draft_model(draft, target, load_model(target, CONFIG), CONFIG, vocab_size)


def test_load_draft_model_refuses_another_vocabulary(tmp_path: Path) -> None:
    target, draft = folders = [tmp_path / name for name in ("target", "draft")]
    for number, folder in enumerate(folders):
        make_model("llama").save_pretrained(folder)
        vocabulary = {"a": number, "b": 1 - number}
        (folder / "tokenizer.json").write_text(json.dumps({"model": {"vocab": vocabulary}}))
    with pytest.raises(InvalidEngineConfigError, match="another vocabulary"):
        load(draft, target)
    reordered = {"model": {"vocab": {"b": 1, "a": 0}}, "added_tokens": []}
    (draft / "tokenizer.json").write_text(json.dumps(reordered))
    assert load(draft, target).decoder.vocab_size == VOCAB


@pytest.mark.parametrize("shape", [{"vocab_size": VOCAB - 1}, {"max_position_embeddings": 255}])
def test_load_draft_model_refuses_a_model_that_is_too_small(shape: dict[str, int]) -> None:
    small = AutoModelForCausalLM.from_config(LlamaConfig(**(SHAPE | shape)))
    with pytest.raises(InvalidEngineConfigError, match="the draft model"):
        load(small, make_model("llama"))
    if "vocab_size" in shape:
        assert load(small, make_model("llama"), VOCAB - 1).decoder.vocab_size == VOCAB - 1


def test_load_draft_model_wants_to_be_told_of_a_model() -> None:
    with pytest.raises(InvalidEngineConfigError, match="no draft_model"):
        load(None, make_model("llama"))
