"""Prompts with images: tokens and logits of the stock class, in batches, chunks and after preemption."""

from __future__ import annotations

import io

import numpy as np
import pytest
import torch
from PIL import Image

from gateway.engine import EngineConfig, GenerationRequest, SamplingParams
from gateway.engine.engine import Engine
from gateway.engine.errors import InvalidSamplingError
from gateway.engine.images.pixels import ImagePixels
from gateway.engine.images.reader import ImageReader, image_processor
from gateway.errors import InvalidImageError
from tests.test_gateway.vision_models import png, save_vision_model

NUM_TOKENS = 12


@pytest.fixture(scope="module", params=["smolvlm"])
def served(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    return folder, save_vision_model(folder, request.param)


def request_of(name: str, stock, images: list[ImagePixels], text: list[int], **more) -> GenerationRequest:
    token = stock.config.image_token_id
    ids = [*text, *(each for image in images for each in [*[token] * (4 * image.shape[0]), 7]), *text]
    sampling = SamplingParams(max_tokens=NUM_TOKENS, temperature=0.0, ignore_eos=True, **more)
    return GenerationRequest(request_id=name, prompt_ids=ids, sampling=sampling, images=tuple(images))


@torch.inference_mode()
def stock_answer(folder, stock, request: GenerationRequest, files: list[bytes]) -> tuple[list[int], torch.Tensor]:
    """The stock class's greedy tokens, with pixels by the stock processor, and the logits after the prompt."""
    ids, given = list(request.prompt_ids), {}
    if files:
        opened = [Image.open(io.BytesIO(file)).convert("RGB") for file in files]
        cut = image_processor(folder)(images=[opened], return_tensors="pt")
        given = {"pixel_values": cut["pixel_values"], "pixel_attention_mask": cut["pixel_attention_mask"]}
    first = None
    for _ in range(NUM_TOKENS):
        merged = dict(given)
        embedded = stock.get_input_embeddings()(torch.tensor([ids]))
        if given:
            rows = torch.cat(stock.get_image_features(**merged).pooler_output)
            mask = torch.tensor(request.prompt_ids) == stock.config.image_token_id
            embedded[0, : len(request.prompt_ids)][mask] = rows
        logits = stock(inputs_embeds=embedded).logits[0, -1]
        if first is None:
            whole = stock(input_ids=torch.tensor([ids]), **given).logits[0, -1]
            torch.testing.assert_close(whole, logits)
            first = whole
        ids.append(int(logits.argmax()))
    return ids[len(request.prompt_ids) :], first


SIZES = [[], [(60, 40)], [(30, 64), (10, 10)], [(1, 50)], [(60, 40)]]


@pytest.mark.parametrize(
    ("served", "options"),
    [
        ("smolvlm", {"max_batch_tokens": 16, "block_size": 4}),
        ("smolvlm", {"num_blocks": 24, "block_size": 16}),
        ("idefics3", {}),
    ],
    indirect=["served"],
)
def test_a_batch_writes_what_the_stock_class_writes(served, options):
    folder, stock = served
    reader = ImageReader(folder)
    engine = Engine(str(folder), EngineConfig(dtype="float32", **options), eos_token_ids=())
    requests, files = [], []
    for number, sizes in enumerate(SIZES):
        files.append([png(*size, seed=number % 4) for size in sizes])
        images = [reader.read(file, 1 << 20) for file in files[-1]]
        requests.append(request_of(str(number), stock, images, [number % 4 + 3, 9, 11], logprobs=0))
    answers = engine.generate(requests)
    for request, answer, given in zip(requests, answers, files, strict=True):
        assert answer == stock_answer(folder, stock, request, given)[0], request.request_id
    assert answers[1] != engine.generate([request_of("other", stock, list(requests[2].images), [4, 9, 11])])[0]
    again = engine.generate([request_of("again", stock, list(requests[1].images), [4, 9, 11])])
    assert again == [answers[1]]
    engine.check_integrity()
    engine.close()


def test_blocks_are_shared_with_equal_images_alone(served):
    folder, stock = served
    engine = Engine(str(folder), EngineConfig(dtype="float32", block_size=4), eos_token_ids=())
    reader = ImageReader(folder)
    one, other = (reader.read(png(60, 40, seed=seed), 1 << 20) for seed in (1, 2))

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
    image = ImageReader(folder).read(png(60, 40), 1 << 20)
    request = request_of("a", stock, [image], [3, 4])
    request.prompt_ids = request.prompt_ids[4:]
    with pytest.raises(InvalidSamplingError, match="images have 20 tokens, before others; the prompt has 18"):
        engine.add(request)
    assert not engine.has_work
    engine.close()


def test_a_tile_that_fails_ends_its_request_alone(served, monkeypatch):
    folder, stock = served
    engine = Engine(str(folder), EngineConfig(dtype="float32"), eos_token_ids=())
    image = ImageReader(folder).read(png(60, 40), 1 << 20)
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
    images = [ImageReader(folder).read(png(60, 40, seed=seed), 1 << 20) for seed in range(3)]
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
    image = ImageReader(folder).read(png(60, 40), 1 << 20)
    with pytest.raises(InvalidSamplingError, match="reads none"):
        engine.add(request_of("a", stock, [image], [3]))
    engine.close()


def test_pixels_are_scaled_as_the_processor_does(served):
    folder, _ = served
    file = png(50, 64, seed=3)
    image = ImageReader(folder).read(file, 1 << 20)
    opened = Image.open(io.BytesIO(file))
    expected = image_processor(folder)(images=[[opened]], return_tensors="np")["pixel_values"][0]
    from gateway.engine.images.rows import _scaled

    got = np.stack([_scaled(image, tile).numpy() for tile in range(image.shape[0])])
    np.testing.assert_allclose(got, expected, atol=1e-6)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_each_format_is_read_as_pillow_reads_it(served, kind):
    reader, file = ImageReader(served[0]), png(60, 40, kind=kind)
    again = io.BytesIO()
    Image.open(io.BytesIO(file)).convert("RGB").save(again, "PNG")
    assert reader.read(file, 1 << 20) == reader.read(again.getvalue(), 1 << 20)
    with pytest.raises(InvalidImageError, match=r"it has 60 x 40 pixels; at most 2399 are read \(images.max_pixels\)"):
        reader.read(file, 2399)


def test_an_animation_is_its_first_frame_and_a_photo_is_upright(served):
    reader = ImageReader(served[0])
    frames = [Image.open(io.BytesIO(png(60, 40, seed=seed, kind="GIF"))) for seed in range(2)]
    moving, turned, upright = io.BytesIO(), io.BytesIO(), io.BytesIO()
    frames[0].save(moving, "GIF", save_all=True, append_images=frames[1:])
    assert reader.read(moving.getvalue(), 1 << 20) == reader.read(png(60, 40, kind="GIF"), 1 << 20)
    photo = Image.open(io.BytesIO(png(60, 40)))
    exif = photo.getexif()
    exif[0x0112] = 6  # the camera was turned: rows are columns
    photo.save(turned, "PNG", exif=exif)
    photo.transpose(Image.Transpose.ROTATE_270).save(upright, "PNG")
    assert reader.read(turned.getvalue(), 1 << 20) == reader.read(upright.getvalue(), 1 << 20)
