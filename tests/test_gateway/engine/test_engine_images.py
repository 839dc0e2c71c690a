"""Prompts with images: tokens and logits of the stock class, in batches, chunks and after preemption."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import count

import numpy as np
import pytest
import torch
from PIL import Image

from gateway.engine import EngineConfig, GenerationRequest, SamplingParams
from gateway.engine.adapters import Weights
from gateway.engine.companions import Companion
from gateway.engine.engine import Engine
from gateway.engine.errors import InvalidSamplingError
from gateway.engine.images.pixels import ImagePixels
from gateway.engine.images.reader import ImageReader
from gateway.errors import InvalidImageError
from tests.lora_files import merged, random_pairs
from tests.test_gateway.vision_models import KINDS, png, save_vision_model, stock_inputs, stock_logits

NUM_TOKENS = 12
CHUNKS = {"max_batch_tokens": 16, "block_size": 4}


@pytest.fixture(scope="module", params=["smolvlm"])
def served(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    return folder, save_vision_model(folder, request.param)


def request_of(name: str, stock, images: list[ImagePixels], text: list[int], **more) -> GenerationRequest:
    """Return a request for greedy tokens, none of which is the image's: the stock class would want a row for it."""
    token = stock.config.image_token_id
    ids = [*text]
    for image in images:
        ids += [*[token] * (image.num_tile_tokens * image.shape[0]), 7]
    sampling = SamplingParams(
        max_tokens=NUM_TOKENS, temperature=0.0, ignore_eos=True, logit_bias={token: -100.0}, **more
    )
    return GenerationRequest(request_id=name, prompt_ids=[*ids, *text], sampling=sampling, images=tuple(images))


def assert_stock_writes(served, request: GenerationRequest, answer: list[int], files: list[bytes]) -> None:
    folder, stock = served
    logits = stock_logits(folder, stock, list(request.prompt_ids), answer, files)
    logits = logits.index_fill(1, torch.tensor(stock.config.image_token_id), -100.0)
    assert logits[len(request.prompt_ids) - 1 : -1].argmax(-1).tolist() == answer, request.request_id


@pytest.mark.parametrize(("served", "options"), [(kind, CHUNKS) for kind in KINDS], indirect=["served"])
def test_scores_of_several_prompts_with_images_and_without_are_combined(served, options):
    folder, stock = served
    engine = Engine(str(folder), EngineConfig(dtype="float32", **options), eos_token_ids=())
    file = png(60, 40)
    image = ImageReader(folder).read(file, 1 << 20, 4096)
    request = request_of("a", stock, [image], [3, 9, 11])
    request.companions = [Companion([5, *request.prompt_ids], has_images=True), Companion([3, 9, 11, 9])]
    request.formula = (0, 1, "-", 1.5, "*", 1, "+", 2, 0.5, "*", "+")
    (answer,), written = engine.generate([request]), []
    prompts = [
        (request.prompt_ids, [file]),
        *((each.prompt_ids, [file][: each.has_images]) for each in request.companions),
    ]
    for _ in range(NUM_TOKENS):
        base, other, text = (
            stock_logits(folder, stock, list(prompt), written, files)[-1].log_softmax(-1) for prompt, files in prompts
        )
        scores = 1.5 * (base - other) + other + 0.5 * text
        scores[stock.config.image_token_id] -= 100
        written.append(int(scores.argmax()))
    assert answer == written
    assert answer != engine.generate([request_of("b", stock, [image], [3, 9, 11])])[0]
    engine.check_integrity()
    engine.close()


@pytest.mark.parametrize("served", ["smolvlm", "gemma3", "qwen2_5_vl"], indirect=True)
def test_a_lora_adapter_reads_images_beside_its_model(served):
    folder, stock = served
    engine = Engine(str(folder), EngineConfig(dtype="float32", max_adapters=1, **CHUNKS), eos_token_ids=())
    pairs = random_pairs(engine.adapters.shapes, size=0.2, targets=("q_proj", "v_proj", "down_proj"))
    engine.adapters.add("one", Weights.of({name: (a, b.t()) for name, (a, b) in pairs.items()}))
    file = png(60, 40)
    image = ImageReader(folder).read(file, 1 << 20, 4096)
    requests = [replace(request_of(str(name), stock, [image], [3, 9, 11]), adapter=name) for name in (None, "one")]
    answers = engine.generate(requests)
    assert answers[0] != answers[1]
    models = (stock, merged(stock, pairs, dict.fromkeys(pairs, 1.0)))
    for model, request, answer in zip(models, requests, answers, strict=True):
        assert_stock_writes((folder, model), request, answer, [file])
    engine.close()


SIZES = [[], [(60, 40)], [(30, 64), (10, 10)], [(1, 50)], [(60, 40)]]
SERVED = [
    ("smolvlm", CHUNKS),
    ("smolvlm", {"num_blocks": 24, "block_size": 16}),
    ("idefics3", {}),
    ("gemma3", CHUNKS),
    ("gemma3", {"num_blocks": 24, "block_size": 4}),
    ("gemma3", {"max_batch_tokens": 60}),
    ("qwen2_vl", CHUNKS),
    ("qwen2_5_vl", {"num_blocks": 24, "block_size": 4}),
]


@pytest.mark.parametrize(("served", "options"), SERVED, indirect=["served"])
def test_a_batch_writes_what_the_stock_class_writes(served, options):
    folder, stock = served
    reader = ImageReader(folder)
    engine = Engine(str(folder), EngineConfig(dtype="float32", **options), eos_token_ids=())
    requests, files = [], []
    for number, sizes in enumerate(SIZES):
        files.append([png(*size, seed=number % 4) for size in sizes])
        images = [reader.read(file, 1 << 20, 4096) for file in files[-1]]
        requests.append(request_of(str(number), stock, images, [number % 4 + 3, 9, 11], logprobs=0))
    answers = engine.generate(requests)
    for request, answer, given in zip(requests, answers, files, strict=True):
        assert_stock_writes(served, request, answer, given)
    assert answers[1] != engine.generate([request_of("other", stock, list(requests[2].images), [4, 9, 11])])[0]
    again = engine.generate([request_of("again", stock, list(requests[1].images), [4, 9, 11])])
    assert again == [answers[1]]
    engine.check_integrity()
    engine.close()


@pytest.mark.parametrize(
    ("served", "options"),
    [(kind, options) for kind in KINDS for options in (CHUNKS, {"block_size": 4})],
    indirect=["served"],
)
def test_logits_are_those_of_the_stock_class(served, options, monkeypatch):
    folder, stock = served
    reader = ImageReader(folder)
    engine = Engine(str(folder), EngineConfig(dtype="float32", **options), eos_token_ids=())
    found: dict[int, torch.Tensor] = {}
    forward = engine._decoder.forward

    def recorded(batch, cache):
        logits = forward(batch, cache)
        rows = slice(None) if batch.logits_indices is None else batch.logits_indices.numpy()
        found.update(zip(batch.layout.host_positions[rows].tolist(), logits.clone(), strict=True))
        return logits

    monkeypatch.setattr(engine._decoder, "forward", recorded)
    files = [png(60, 40), png(20, 64, seed=1)]
    images = [reader.read(file, 1 << 20, 4096) for file in files]
    request = request_of("a", stock, images, [3, 9, 11], prompt_logprobs=0)
    (answer,) = engine.generate([request])
    whole = stock_logits(folder, stock, list(request.prompt_ids), answer, files)
    got = torch.stack([found[position] for position in range(len(whole) - 1)])
    torch.testing.assert_close(got, whole[:-1], atol=1e-4, rtol=1e-4)
    # The prefix cache ends inside the last image, or right after it, where another text follows.
    found.clear()
    other = request_of("b", stock, images, [3, 9, 11])
    other.prompt_ids = [*other.prompt_ids[:-4], 5, 6]
    (answer,) = engine.generate([other])
    assert engine.stats().num_cached_tokens > len(other.prompt_ids) - 8
    whole = stock_logits(folder, stock, list(other.prompt_ids), answer, files)
    got = torch.stack([found[position] for position in range(len(other.prompt_ids) - 1, len(whole) - 1)])
    torch.testing.assert_close(got, whole[len(other.prompt_ids) - 1 : -1], atol=1e-4, rtol=1e-4)
    engine.close()


@pytest.mark.parametrize("served", ["smolvlm", "gemma3", "qwen2_5_vl"], indirect=True)
@pytest.mark.parametrize("prefix_caching", [True, False])
def test_a_prompt_that_was_preempted_is_read_again(served, prefix_caching):
    folder, stock = served
    options = {"max_batch_tokens": 16, "block_size": 4, "prefix_caching": prefix_caching}
    engine = Engine(str(folder), EngineConfig(dtype="float32", **options), eos_token_ids=())
    files = [png(60, 40), png(20, 64, seed=1)]
    images = [ImageReader(folder).read(file, 1 << 20, 4096) for file in files]
    request = request_of("a", stock, images, [3, 9, 11])
    engine.add(request)
    answer, scheduler = list[int](), engine._scheduler
    for step in count():
        answer += [token for event in engine.step() for token in event.token_ids]
        if not engine.has_work:
            break
        if scheduler.running and step % 7 in (1, 3):
            scheduler._preempt(scheduler.running[0])
            engine.check_integrity()
    assert engine.stats().num_preemptions >= 3
    assert_stock_writes(served, request, answer, files)
    engine.close()


@pytest.mark.parametrize("served", ["smolvlm", "gemma3", "qwen2_5_vl"], indirect=True)
def test_several_answers_to_a_prompt_with_an_image_share_its_blocks(served):
    folder, stock = served
    engine = Engine(str(folder), EngineConfig(dtype="float32", max_batch_tokens=24), eos_token_ids=())
    file = png(60, 40)
    images = [ImageReader(folder).read(file, 1 << 20, 4096)]
    requests = [replace(request_of(name, stock, images, [3, 9, 11]), group="a") for name in "bcd"]
    for request, answer in zip(requests, engine.generate(requests), strict=True):
        assert_stock_writes(served, request, answer, [file])
    assert engine.stats().num_copied_blocks == 2
    engine.close()


@pytest.mark.parametrize("served", ["gemma3", "qwen2_vl"], indirect=True)
def test_an_image_that_is_one_tile_is_in_one_piece(served):
    folder, stock = served
    engine = Engine(str(folder), EngineConfig(dtype="float32"), eos_token_ids=())
    request = request_of("a", stock, [ImageReader(folder).read(png(60, 40), 1 << 20, 4096)], [3, 4])
    request.prompt_ids = [*request.prompt_ids[:5], 9, *request.prompt_ids[5:]]
    with pytest.raises(InvalidSamplingError, match="images have other tokens between those of one image"):
        engine.add(request)
    engine.close()


def test_blocks_are_shared_with_equal_images_alone(served):
    folder, stock = served
    engine = Engine(str(folder), EngineConfig(dtype="float32", block_size=4), eos_token_ids=())
    reader = ImageReader(folder)
    one, other = (reader.read(png(60, 40, seed=seed), 1 << 20, 4096) for seed in (1, 2))

    def cached(name: str, image: ImagePixels) -> int:
        before = engine.stats().num_cached_tokens
        engine.generate([request_of(name, stock, [image], list(range(3, 20)))])
        return engine.stats().num_cached_tokens - before

    assert [cached("a", one), cached("b", other)] == [0, 0]
    assert cached("c", one) > 20
    engine.close()


def test_images_that_the_prompt_has_no_tokens_for_are_refused(served):
    folder, stock = served
    engine = Engine(str(folder), EngineConfig(dtype="float32"), eos_token_ids=())
    image = ImageReader(folder).read(png(60, 40), 1 << 20, 4096)
    request = request_of("a", stock, [image], [3, 4])
    request.prompt_ids = request.prompt_ids[4:]
    with pytest.raises(InvalidSamplingError, match="images have 20 tokens, before others; the prompt has 18"):
        engine.add(request)
    assert not engine.has_work
    engine.close()


def test_a_tile_that_fails_ends_its_request_alone(served, monkeypatch):
    folder, stock = served
    engine = Engine(str(folder), EngineConfig(dtype="float32"), eos_token_ids=())
    image = ImageReader(folder).read(png(60, 40), 1 << 20, 4096)
    broken = ImagePixels(bytes(8), (5, 3, 32, 32), 4, (2, 2), 1.0, (0.0,) * 3, (1.0,) * 3)
    for request in (request_of("bad", stock, [broken], [3]), request_of("good", stock, [image], [3])):
        engine.add(request)
    engine.add(request_of("gone", stock, [broken], [3]))
    engine.cancel("gone")
    ended: dict[str, str] = {}
    while engine.has_work:
        ended |= {event.request_id: event.finish_reason for event in engine.step() if event.finish_reason}
        engine.check_integrity()
    assert ended == {"bad": "error", "good": "length", "gone": "cancelled"}
    engine.close()


def test_prompts_that_wait_take_turns(served):
    folder, stock = served
    engine = Engine(str(folder), EngineConfig(dtype="float32"), eos_token_ids=())
    images = [ImageReader(folder).read(png(60, 40, seed=seed), 1 << 20, 4096) for seed in range(3)]
    engine.add(request_of("two", stock, images[:2], [3]))
    engine.add(request_of("one", stock, images[2:], [3]))
    begun = []
    while engine.has_work:
        begun += [event.request_id for event in engine.step() if event.request_id not in begun]
    assert begun == ["one", "two"]
    engine.close()


def test_an_engine_of_a_text_model_reads_no_images(served):
    folder, stock = served
    engine = Engine(str(folder), EngineConfig(dtype="float32", decoder="one_by_one"), eos_token_ids=())
    image = ImageReader(folder).read(png(60, 40), 1 << 20, 4096)
    with pytest.raises(InvalidSamplingError, match="reads none"):
        engine.add(request_of("a", stock, [image], [3]))
    engine.close()


@pytest.mark.parametrize("served", ["smolvlm", "gemma3", "qwen2_5_vl"], indirect=True)
def test_pixels_are_scaled_as_the_processor_does(served):
    folder, stock = served
    file = png(50, 64, seed=3)
    image = ImageReader(folder).read(file, 1 << 20, 4096)
    expected = stock_inputs(folder, stock, [], [file])["pixel_values"]
    from gateway.engine.images.rows import _scaled

    got = np.stack([_scaled(image, tile).numpy() for tile in range(image.shape[0])])
    expected = expected.numpy()
    if stock.config.model_type.startswith("qwen"):  # two frames of each patch
        got = got.reshape(3, -1, 4, 4).swapaxes(0, 1)
        expected = expected.reshape(-1, 3, 2, 4, 4)[:, :, 1]
    np.testing.assert_allclose(got, expected.reshape(got.shape), atol=1e-6)


@pytest.mark.parametrize("served", ["qwen2_vl"], indirect=True)
@pytest.mark.parametrize(("max_tokens", "grid"), [(4096, (3, 4)), (11, (2, 4)), (4, (1, 2)), (1, (1, 1))])
def test_an_image_of_open_size_is_made_smaller(served, max_tokens, grid):
    image = ImageReader(served[0]).read(png(60, 40), 1 << 20, max_tokens)
    assert image.grid == grid
    assert image.num_tile_tokens == grid[0] * grid[1] <= max_tokens


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_each_format_is_read_as_pillow_reads_it(served, kind):
    reader, file = ImageReader(served[0]), png(60, 40, kind=kind)
    again = io.BytesIO()
    Image.open(io.BytesIO(file)).convert("RGB").save(again, "PNG")
    assert reader.read(file, 1 << 20, 4096) == reader.read(again.getvalue(), 1 << 20, 4096)
    with pytest.raises(InvalidImageError, match=r"it has 60 x 40 pixels; at most 2399 are read \(images.max_pixels\)"):
        reader.read(file, 2399, 4096)


def test_an_animation_is_its_first_frame_and_a_photo_is_upright(served):
    reader = ImageReader(served[0])
    frames = [Image.open(io.BytesIO(png(60, 40, seed=seed, kind="GIF"))) for seed in range(2)]
    moving, turned, upright = io.BytesIO(), io.BytesIO(), io.BytesIO()
    frames[0].save(moving, "GIF", save_all=True, append_images=frames[1:])
    assert reader.read(moving.getvalue(), 1 << 20, 4096) == reader.read(png(60, 40, kind="GIF"), 1 << 20, 4096)
    photo = Image.open(io.BytesIO(png(60, 40)))
    exif = photo.getexif()
    exif[0x0112] = 6  # the camera was turned: rows are columns
    photo.save(turned, "PNG", exif=exif)
    photo.transpose(Image.Transpose.ROTATE_270).save(upright, "PNG")
    assert reader.read(turned.getvalue(), 1 << 20, 4096) == reader.read(upright.getvalue(), 1 << 20, 4096)
