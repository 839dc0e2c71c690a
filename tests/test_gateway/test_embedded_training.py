"""Training: the lean model, the optimizer, batches, resuming."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

from gateway.embedded.data import draw_sample
from gateway.embedded.tokenizer import END, Renderer, train_tokenizer
from gateway.embedded.training.batches import Batches, Encoder, make_batch
from gateway.embedded.training.curve import draw_curve
from gateway.embedded.training.export import export_model
from gateway.embedded.training.growth import grow
from gateway.embedded.training.initial import initialise
from gateway.embedded.training.loop import Plan, Trainer, rate_factor
from gateway.embedded.training.model import SHAPES, LeanLlama, Shape
from gateway.embedded.training.optimizer import orthogonalise
from gateway.embedded.training.validation import spans

TINY = Shape(hidden=32, intermediate=48, num_layers=2, num_heads=4, num_kv_heads=2)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    renderer = Renderer()
    return train_tokenizer([renderer.render(draw_sample(1, "train", index)) for index in range(2500)])


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def _randomised() -> LeanLlama:
    torch.manual_seed(0)
    model = LeanLlama(TINY)
    for weight in model.parameters():
        torch.nn.init.normal_(weight, mean=1.0 if weight.ndim == 1 else 0.0, std=0.2)
    return model


def test_grow_keeps_the_function_and_refuses_what_does_not_fit() -> None:
    small = _randomised()
    large = LeanLlama(Shape(hidden=32, intermediate=80, num_layers=3, num_heads=4, num_kv_heads=2))
    initialise(large)
    grow(large, small.state_dict())
    ids = torch.randint(0, TINY.vocabulary, (2, 20))
    everywhere = torch.ones_like(ids, dtype=torch.bool)
    with torch.no_grad():
        torch.testing.assert_close(large.logits(ids, everywhere), small.logits(ids, everywhere), atol=1e-4, rtol=1e-4)
    with pytest.raises(ValueError, match="room for"):
        grow(small, large.state_dict())


def test_lean_model_equals_transformers_on_the_exported_weights(tokenizer: Tokenizer, tmp_path: Path) -> None:
    model = _randomised()
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(weight.bfloat16().float())
    export_model(model, tokenizer, tmp_path)
    stock = AutoModelForCausalLM.from_pretrained(tmp_path, dtype=torch.float32)
    assert isinstance(stock, LlamaForCausalLM)
    ids = torch.randint(0, TINY.vocabulary, (2, 40))
    with torch.no_grad():
        ours = model.logits(ids, torch.ones_like(ids, dtype=torch.bool)).view(2, 40, -1)
        theirs = stock(input_ids=ids).logits
    assert theirs.std() > 0.5
    torch.testing.assert_close(ours, theirs, atol=2e-4, rtol=1e-4)


def test_exported_folder_loads_in_transformers(tokenizer: Tokenizer, tmp_path: Path) -> None:
    export_model(LeanLlama(TINY), tokenizer, tmp_path)
    loaded = AutoTokenizer.from_pretrained(tmp_path)
    assert loaded.eos_token == END
    messages = [{"role": "user", "content": "Hi  there, é!"}]
    text = loaded.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
    ids = loaded.encode(text, add_special_tokens=False)
    assert ids == tokenizer.encode(text).ids
    assert loaded.decode(ids) == text
    assert AutoModelForCausalLM.from_pretrained(tmp_path).dtype == torch.bfloat16


def test_padding_to_the_right_changes_nothing() -> None:
    model = _randomised()
    ids = torch.randint(0, TINY.vocabulary, (1, 20))
    padded = torch.cat((ids, torch.zeros(1, 12, dtype=torch.long)), dim=1)
    where = torch.zeros(1, 32, dtype=torch.bool)
    where[:, :20] = True
    with torch.no_grad():
        alone = model.logits(ids, torch.ones(1, 20, dtype=torch.bool))
        torch.testing.assert_close(model.logits(padded, where), alone, atol=1e-4, rtol=1e-4)


def _share_copied(model: LeanLlama) -> float:
    """How often the model continues a random text right that it has seen once."""
    once = torch.randint(300, model.shape.vocabulary, (4, 40), generator=torch.Generator().manual_seed(0))
    twice = torch.cat((once, once), dim=1)
    with torch.no_grad():
        logits = model.logits(twice, torch.ones_like(twice, dtype=torch.bool)).view(4, 80, -1)
    return float((logits[:, 40:-1].argmax(-1) == twice[:, 41:]).float().mean())


@pytest.mark.parametrize(("name", "least"), [("target", 0.4), ("draft", 0.1)])
def test_initial_weights_can_copy(name: str, least: float) -> None:
    torch.manual_seed(0)
    model = LeanLlama(SHAPES[name])
    initialise(model)
    assert _share_copied(model) > least
    torch.nn.init.zeros_(model.model.attention(1).o_proj.weight)
    assert _share_copied(model) < 0.02


@pytest.mark.parametrize("shape", [(24, 24), (16, 40), (40, 16)])
def test_orthogonalise_brings_singular_values_near_one(shape: tuple[int, int]) -> None:
    torch.manual_seed(0)
    values = torch.linalg.svdvals(orthogonalise(torch.randn(shape)))
    assert values.max() < 1.3
    assert values.median() > 0.65


def test_encoder_marks_what_the_assistant_wrote(tokenizer: Tokenizer) -> None:
    for index in range(30):
        ids, written = Encoder(tokenizer).encode(2, "train", index)
        text = tokenizer.decode([t for t, w in zip(ids, written, strict=True) if w], skip_special_tokens=False)
        whole = Renderer().render(draw_sample(2, "train", index))
        parts = [part.split(END)[0] + END for part in whole.split("<|im_start|>assistant\n")[1:]]
        assert text == "".join(parts)


def test_make_batch_weighs_the_assistant_fully() -> None:
    batch = make_batch([([5, 6, 7], [False, True, True]), ([8, 9], [False, False])], 0, random.Random(0))
    assert batch.ids.tolist() == [[5, 6], [8, 0]]
    assert batch.targets.tolist() == [[6, 7], [9, 0]]
    assert batch.weights[0].tolist() == [1.0, 1.0]
    assert batch.weights[1, 1] == 0.0
    assert spans(batch.weights[0] == 1.0) == [(0, 2)]


def test_batches_are_a_function_of_the_step(tokenizer: Tokenizer) -> None:
    encoder = Encoder(tokenizer)
    one, other = (Batches(encoder, 3, lambda step: 600, lambda step: 0.5) for _ in range(2))
    later = other.at(17)
    assert torch.equal(one.at(17).ids, later.ids)
    assert not torch.equal(one.at(16).ids, later.ids)
    sizes = [one.at(step).ids.numel() for step in range(16)]
    filled = [int((one.at(step).ids != encoder.pad).sum()) for step in range(16)]
    assert sum(filled) > 0.85 * sum(sizes)


def test_rate_factor_warms_up_and_decays() -> None:
    factors = [rate_factor(step, step / 1000, 0.35) for step in range(1000)]
    assert factors[0] < 0.1
    assert factors[500] == 1.0
    assert factors[-1] < 0.05


def _plan(folder: Path, steps: int) -> Plan:
    return Plan(
        shape=TINY, seed=5, folder=folder / "out", run=folder / "run", steps=steps, batch_tokens=300,
        first_batch_tokens=300, ramp_steps=2,
    )  # fmt: skip


def test_resuming_gives_the_state_of_an_unbroken_run(tokenizer: Tokenizer, tmp_path: Path) -> None:
    unbroken = Trainer(_plan(tmp_path / "a", 4), tokenizer)
    unbroken.train()
    first = Trainer(_plan(tmp_path / "b", 4), tokenizer)
    first.train_step()
    first.train_step()
    first.save()
    resumed = Trainer(_plan(tmp_path / "b", 4), tokenizer)
    assert resumed.step == 2
    resumed.train()
    before, after = unbroken.model.state_dict(), resumed.model.state_dict()
    assert before.keys() == after.keys()
    assert all(torch.equal(before[name], after[name]) for name in before)
    assert resumed.tokens_seen == unbroken.tokens_seen


def test_training_lowers_the_loss_and_leaves_a_curve(tokenizer: Tokenizer, tmp_path: Path) -> None:
    Trainer(_plan(tmp_path, 40), tokenizer).train()
    records = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    losses = [record["loss"] for record in records if "loss" in record]
    assert sum(losses[-5:]) < 0.97 * sum(losses[:5])
    pytest.importorskip("matplotlib")
    draw_curve(tmp_path / "run" / "log.jsonl", tmp_path / "loss.png")
    assert (tmp_path / "loss.png").read_bytes().startswith(b"\x89PNG")
