"""Training: the lean model, the optimizer, batches, resuming."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

from embedded_model.data import draw_sample
from embedded_model.tokenizer import END, Renderer, load_or_train_tokenizer, train_tokenizer
from embedded_model.train import loop as loop_module
from embedded_model.train.attention import Blocks, attend_flash
from embedded_model.train.batches import KEY_WEIGHT, Batches, Encoder, make_pack, share_out
from embedded_model.train.curve import draw_curve
from embedded_model.train.export import export_model
from embedded_model.train.functions import Gate, Normalise, Rotate
from embedded_model.train.growth import grow
from embedded_model.train.initial import initialise
from embedded_model.train.loop import Plan, Trainer, load_teacher, pack_loss, rate_factor
from embedded_model.train.model import SHAPES, LeanLlama, Shape
from embedded_model.train.optimizer import orthogonalise
from embedded_model.train.stream import stream
from embedded_model.train.validation import spans

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


def _logits(model: LeanLlama, ids: torch.Tensor, lengths: list[int] | None = None) -> torch.Tensor:
    """Logits everywhere."""
    return model.logits(ids, lengths or [len(ids)], torch.arange(len(ids)))


def test_grow_keeps_the_function_and_refuses_what_does_not_fit() -> None:
    small = _randomised()
    large = LeanLlama(Shape(hidden=32, intermediate=80, num_layers=3, num_heads=4, num_kv_heads=2))
    ids = torch.randint(0, TINY.vocabulary, (20,))
    initialise(large)
    grow(large, small.state_dict())
    with torch.no_grad():
        torch.testing.assert_close(_logits(large, ids), _logits(small, ids), atol=1e-4, rtol=1e-4)
    with pytest.raises(ValueError, match="room for"):
        grow(small, large.state_dict())


def test_grow_widens_the_residual_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embedded_model.train.growth.NEW_SCALE", 1e-4)
    small = _randomised()
    wide = LeanLlama(Shape(hidden=48, intermediate=80, num_layers=3, num_heads=6, num_kv_heads=3))
    initialise(wide)
    grow(wide, small.state_dict())
    ids = torch.randint(0, TINY.vocabulary, (20,))
    with torch.no_grad():
        torch.testing.assert_close(_logits(wide, ids), _logits(small, ids), atol=1e-2, rtol=1e-2)


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
        ours = _logits(model, ids.flatten(), [40, 40]).view(2, 40, -1)
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


def test_packed_sequences_do_not_see_each_other() -> None:
    model = _randomised()
    ids = torch.randint(0, TINY.vocabulary, (32,))
    where = torch.tensor([0, 19, 20, 31])
    with torch.no_grad():
        packed = model.logits(ids, [20, 12], where)
        alone = torch.cat((_logits(model, ids[:20])[[0, 19]], _logits(model, ids[20:])[[0, 11]]))
        torch.testing.assert_close(packed, alone, atol=1e-4, rtol=1e-4)


def _attend_one_by_one(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, lengths: list[int]) -> torch.Tensor:
    """What each way of attending must compute."""
    k, v = (t.repeat_interleave(q.shape[1] // t.shape[1], 1) for t in (k, v))
    parts = zip(*(t.transpose(0, 1).split(lengths, 1) for t in (q, k, v)), strict=True)
    found = [torch.nn.functional.scaled_dot_product_attention(*part, is_causal=True) for part in parts]
    return torch.cat(found, 1).transpose(0, 1)


def test_blocks_attend_within_each_sequence() -> None:
    lengths = [5, 1, 300, 32, 33]
    inputs = [torch.randn(sum(lengths), heads, 8, requires_grad=True) for heads in (4, 2, 2)]
    one, other = Blocks.apply(*inputs, lengths), _attend_one_by_one(*inputs, lengths)
    torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-5)
    ones, others = (torch.autograd.grad(out, inputs, one.detach().cos()) for out in (one, other))
    torch.testing.assert_close(ones, others, atol=1e-5, rtol=1e-4)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
def test_flash_attends_within_each_sequence() -> None:
    lengths = [5, 1, 300, 32, 33]
    inputs = [torch.randn(sum(lengths), heads, 64, device="cuda", requires_grad=True) for heads in (4, 2, 2)]
    one, other = attend_flash(*inputs, lengths), _attend_one_by_one(*inputs, lengths)
    torch.testing.assert_close(one, other, atol=3e-2, rtol=3e-2)
    ones, others = (torch.autograd.grad(out, inputs, one.detach().cos()) for out in (one, other))
    torch.testing.assert_close(ones, others, atol=6e-2, rtol=6e-2)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
def test_a_gpu_trains_as_a_cpu_does(tokenizer: Tokenizer, tmp_path: Path) -> None:
    losses = []
    for device in ("cpu", "cuda"):
        run = tmp_path / device
        shape = Shape(hidden=128, intermediate=96, num_layers=2, num_heads=2, num_kv_heads=1)
        Trainer(replace(_plan(run, 24_000), device=device, num_workers=2, shape=shape), tokenizer).train()
        records = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
        losses.append([record["loss"] for record in records if "loss" in record])
    assert losses[0][0] == pytest.approx(losses[1][0], rel=0.02)
    assert sum(losses[0][-20:]) == pytest.approx(sum(losses[1][-20:]), rel=0.05)


def test_functions_have_the_gradients_of_what_they_compute() -> None:
    one, other = torch.randn(2, 6, 5, dtype=torch.double, requires_grad=True).unbind()
    torch.testing.assert_close(Gate.apply(one, other), torch.nn.functional.silu(one) * other)
    assert torch.autograd.gradcheck(Gate.apply, (one, other))
    weight = torch.randn(5, dtype=torch.double, requires_grad=True)

    def norm(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        return Normalise.apply(x, weight, 1e-5, torch.double)

    torch.testing.assert_close(norm(one, weight), torch.nn.functional.rms_norm(one, (5,), weight, 1e-5))
    assert torch.autograd.gradcheck(norm, (one, weight))
    angle = torch.rand(6, 1, 2, dtype=torch.double)
    assert torch.autograd.gradcheck(
        Rotate.apply, (torch.cat((one[:, None, 1:], other[:, None, 1:]), 1), angle.cos(), angle.sin())
    )


def test_products_in_bfloat16_have_the_gradients_of_float32(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = torch.randint(0, TINY.vocabulary, (80,)).tolist()
    pack = make_pack([(ids[:50], [1.0] * 50), (ids[50:], [1.0] * 30)], random.Random(0))
    gradients = []
    for dtype in (torch.float32, torch.bfloat16):
        monkeypatch.setattr(loop_module, "product_type", lambda device, dtype=dtype: dtype)
        model = _randomised()
        torch.autograd.backward(pack_loss(model, pack))
        gradients.append([weight.grad for weight in model.parameters()])
    for exact, rounded in zip(*gradients, strict=True):
        assert rounded.dtype == torch.float32
        assert torch.nn.functional.cosine_similarity(exact.flatten(), rounded.flatten(), 0) > 0.99


def _share_copied(model: LeanLlama) -> float:
    """How often the model continues a random text right that it has seen once."""
    once = torch.randint(300, model.shape.vocabulary, (4, 40), generator=torch.Generator().manual_seed(0))
    twice = torch.cat((once, once), dim=1)
    with torch.no_grad():
        logits = _logits(model, twice.flatten(), [80] * 4).view(4, 80, -1)
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
    values = torch.linalg.svdvals(orthogonalise(torch.randn(2, *shape)).float())
    assert values.max() < 1.3
    assert values.median() > 0.65


def test_encoder_weighs_what_the_assistant_wrote(tokenizer: Tokenizer) -> None:
    for index in range(60):
        sample = draw_sample(2, "train", index)
        ids, weights = Encoder(tokenizer).encode(sample)
        text = tokenizer.decode([t for t, w in zip(ids, weights, strict=True) if w], skip_special_tokens=False)
        whole = Renderer().render(sample)
        parts = [part.split(END)[0] + END for part in whole.split("<|im_start|>assistant\n")[1:]]
        assert text == "".join(parts)
        assert (KEY_WEIGHT in weights) == (not sample.foretold)


def test_encoder_splits_scaffolding_and_names_alone(tokenizer: Tokenizer) -> None:
    encoder, longer = Encoder(tokenizer), 0
    for index in range(160):
        sample = draw_sample(2, "train", index)
        (whole, before), (split, after) = encoder.encode(sample), encoder.encode(sample, random.Random(index))
        assert tokenizer.decode(split, skip_special_tokens=False) == tokenizer.decode(whole, skip_special_tokens=False)
        assert [weight for weight in after if weight] == [weight for weight in before if weight]
        longer += len(split) > len(whole)
    assert longer > 10


def test_make_pack_weighs_the_assistant_fully() -> None:
    pack = make_pack([([5, 6, 7], [0.0, 1.0, 0.1]), ([8, 9], [0.0, 0.0])], random.Random(0))
    assert pack.ids.tolist() == [5, 6, 8]
    assert pack.targets.tolist() == [6, 7, 9]
    assert pack.lengths == [2, 1]
    assert pack.weights[:2].tolist() == pytest.approx([1.0, 0.1])
    assert spans(torch.tensor([0.0, 1.0, 0.1, 0.5, 1.0, 1.0, 0.0]), [4, 3]) == [(1, 3), (4, 6)]


def test_share_out_fills_packs_and_loses_nothing() -> None:
    samples = [([0] * length, [0.0] * length) for length in (300, 40, 250, 90, 10, 120, 390)]
    packs = share_out(samples, 400)
    assert sorted(len(ids) for pack in packs for ids, _ in pack) == [10, 40, 90, 120, 250, 300, 390]
    assert all(sum(len(ids) for ids, _ in pack) <= 400 for pack in packs)
    assert len(packs) <= 5


def test_batches_are_a_function_of_the_step(tokenizer: Tokenizer) -> None:
    one, other = (Batches(Encoder(tokenizer), 3, lambda step: 600, lambda step: 0.5) for _ in range(2))
    later = other.at(17)
    assert torch.equal(one.at(17)[0].ids, later[0].ids)
    assert not torch.equal(one.at(16)[0].ids, later[0].ids)
    assert all(sum(pack.lengths) == len(pack.ids) for pack in later)


def test_stream_is_the_same_however_many_draw(tokenizer: Tokenizer) -> None:
    def make() -> Batches:
        return Batches(Encoder(tokenizer), 3, lambda step: 300, lambda step: 0.5)

    alone, shared = (stream(make, 5, num_workers) for num_workers in (0, 1))
    for _ in range(3):
        assert [p.ids.tolist() for p in next(alone)] == [p.ids.tolist() for p in next(shared)]
    shared.close()


def test_rate_factor_warms_up_and_decays() -> None:
    factors = [rate_factor(step, step / 1000, 0.35) for step in range(1000)]
    assert factors[0] < 0.1
    assert factors[500] == 1.0
    assert factors[-1] < 0.05


def _plan(folder: Path, tokens: int) -> Plan:
    return Plan(shape=TINY, seed=5, run=folder, tokens=tokens, batch_tokens=300, ramp_steps=2)


def test_resuming_gives_the_state_of_an_unbroken_run(tokenizer: Tokenizer, tmp_path: Path) -> None:
    unbroken = Trainer(_plan(tmp_path / "a", 1500), tokenizer)
    unbroken.train()
    first = Trainer(_plan(tmp_path / "b", 1500), tokenizer)
    for step in range(2):
        first.train_step(first.batches().at(step))
    first.save()
    resumed = Trainer(_plan(tmp_path / "b", 1500), tokenizer)
    assert resumed.step == 2
    resumed.train()
    for one, other in ((unbroken.model, resumed.model), (unbroken.average, resumed.average)):
        before, after = one.state_dict(), other.state_dict()
        assert before.keys() == after.keys()
        assert all(torch.equal(before[name], after[name]) for name in before)
    assert resumed.tokens_seen == unbroken.tokens_seen >= 1500


def test_a_model_has_nothing_to_learn_from_itself() -> None:
    model = _randomised()
    pack = make_pack([([5, 6, 7, 8], [0.0, 1.0, 1.0, 1.0])], random.Random(0))
    torch.autograd.backward(pack_loss(model, pack, teacher=model))
    learnt = [weight.grad.abs().max() for weight in model.parameters() if weight.grad is not None]
    assert max(learnt) < 1e-4
    torch.autograd.backward(pack_loss(model, pack))
    assert max(weight.grad.abs().max() for weight in model.parameters() if weight.grad is not None) > 1e-2


def test_load_teacher_reads_exported_weights(tokenizer: Tokenizer, tmp_path: Path) -> None:
    target = LeanLlama(SHAPES["target"])
    export_model(target, tokenizer, tmp_path)
    loaded = load_teacher(tmp_path, "cpu").state_dict()
    assert all(torch.equal(loaded[name], weight.bfloat16().float()) for name, weight in target.state_dict().items())


def test_stopping_saves(tokenizer: Tokenizer, tmp_path: Path) -> None:
    trainer = Trainer(_plan(tmp_path, 10**9), tokenizer)
    trainer.stop()
    trainer.train()
    assert (tmp_path / "checkpoint.pt").exists()
    assert (tmp_path / "model" / "model.safetensors").exists()


def test_a_budget_in_time_ends_a_run(tokenizer: Tokenizer, tmp_path: Path) -> None:
    trainer = Trainer(replace(_plan(tmp_path, 10**9), seconds=600), tokenizer)
    assert 0 < trainer.share_done() < 1
    trainer._began -= 598
    trainer.train()
    assert trainer.share_done() == 1
    assert trainer.tokens_seen < 10**9
    assert (tmp_path / "model" / "model.safetensors").exists()


def test_training_lowers_the_loss_and_leaves_a_curve(tokenizer: Tokenizer, tmp_path: Path) -> None:
    Trainer(_plan(tmp_path, 24_000), tokenizer).train()
    records = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    losses = [record["loss"] for record in records if "loss" in record]
    assert sum(losses[-5:]) < 0.97 * sum(losses[:5])
    pytest.importorskip("matplotlib")
    draw_curve(tmp_path / "log.jsonl", tmp_path / "loss.png")
    assert (tmp_path / "loss.png").read_bytes().startswith(b"\x89PNG")


def test_a_run_keeps_load_or_train_tokenizer_that_it_began_with(tokenizer: Tokenizer, tmp_path: Path) -> None:
    given, other, run = tmp_path / "given.json", tmp_path / "other.json", tmp_path / "run"
    tokenizer.save(str(given))
    first = load_or_train_tokenizer(run, given, seed=1)
    assert load_or_train_tokenizer(run, None, seed=2).to_str() == first.to_str() == tokenizer.to_str()
    other.write_text(tokenizer.to_str().replace("Portcullis", "portcullis"), encoding="utf-8")
    with pytest.raises(SystemExit, match="another tokenizer"):
        load_or_train_tokenizer(run, other, seed=1)
