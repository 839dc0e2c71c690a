"""Families of vision models over the wire: prompts as their processors write them, and the stock class's tokens."""

import io
from base64 import b64encode
from types import SimpleNamespace

import jinja2
import pytest
import torch
import transformers
from PIL import Image
from tokenizers import Tokenizer

from gateway.engine.images.reader import image_processor
from tests.test_gateway.serving import config_for, serving
from tests.test_gateway.vision_models import KINDS, png, save_vision_model, stock_inputs

FIRST, SECOND = png(60, 40), png(30, 64, seed=1)


@pytest.fixture(scope="module", params=["gemma3", "qwen2_vl", "qwen2_5_vl"])
def live(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    stock = save_vision_model(folder, request.param)
    with serving(config_for(folder)) as live:
        yield live, folder, stock


def stock_ids(folder, kind, prompt, files):
    """Return the tokens of a prompt as the stock processor writes it, with special tokens by the names it asks for."""
    opened = [Image.open(io.BytesIO(file)) for file in files]
    names = {"boi_token": "<start_of_image>", "eoi_token": "<end_of_image>", "image_token": "<image_soft_token>"}
    if kind == "gemma3":
        tokenizer = transformers.PreTrainedTokenizerFast(
            tokenizer_file=str(folder / "tokenizer.json"), extra_special_tokens=names
        )
        processor = transformers.Gemma3Processor(image_processor(folder), tokenizer, image_seq_length=16)
        return processor(images=opened or None, text=prompt, add_special_tokens=False)["input_ids"][0]
    # Qwen2VLProcessor cannot be made without torchvision.
    cutter = image_processor(folder)
    processor = SimpleNamespace(image_processor=cutter, image_token="<|image_pad|>")
    first, *rest = prompt.split("<|image_pad|>")
    for index, piece in enumerate(rest):
        cut = cutter(images=opened, return_tensors="np")
        first += transformers.Qwen2VLProcessor.replace_image_token(processor, cut, index) + piece
    return Tokenizer.from_file(str(folder / "tokenizer.json")).encode(first, add_special_tokens=False).ids


def url_of(file):
    return f"data:image/png;base64,{b64encode(file).decode()}"


@pytest.mark.parametrize(
    "parts",
    [
        ["What is it?", FIRST],
        [FIRST, "\n\nor ", SECOND, "\nthat?"],
        [SECOND, FIRST, "<start_of_image> <|image_pad|> same?"],
        ["Only text"],
    ],
)
@torch.inference_mode()
def test_prompt_and_answer_are_those_of_the_stock_class(live, parts):
    live, folder, stock = live
    kind = stock.config.model_type
    shown = [{"type": "image"} if isinstance(each, bytes) else {"type": "text", "text": each} for each in parts]
    files = [each for each in parts if isinstance(each, bytes)]
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(KINDS[kind].template)
    prompt = template.render(messages=[{"role": "user", "content": shown}], add_generation_prompt=True)
    is_typed = any(isinstance(each, str) and "<" in each for each in parts)
    content = [
        {"type": "image_url", "image_url": {"url": url_of(each)}}
        if isinstance(each, bytes)
        else {"type": "text", "text": each}
        for each in parts
    ]
    body = {"messages": [{"role": "user", "content": content}], "max_tokens": 8, "temperature": 0}
    reply = live.post("/v1/chat/completions", json={**body, "return_token_ids": True}).json()
    ids = reply["prompt_token_ids"]
    if not is_typed:  # what looks like an image is text here
        assert ids == stock_ids(folder, kind, prompt, files)
    given = stock_inputs(folder, stock, ids, files)
    written = stock.generate(input_ids=torch.tensor([ids]), **given, max_new_tokens=8, do_sample=False)
    end = stock.config.get_text_config().eos_token_id
    assert reply["choices"][0]["token_ids"] == [each for each in written[0, len(ids) :].tolist() if each != end]
    assert reply["usage"]["prompt_tokens"] == len(ids)


@pytest.mark.parametrize("live", ["qwen2_vl"], indirect=True)
def test_an_image_that_the_processor_refuses_is_refused_by_the_field(live):
    live, _, _ = live
    part = {"type": "image_url", "image_url": {"url": url_of(png(1, 250))}}
    reply = live.post("/v1/chat/completions", json={"messages": [{"role": "user", "content": [part]}]})
    assert (reply.status_code, reply.json()["error"]["param"]) == (400, "messages[0].content[0].image_url.url")
    assert "absolute aspect ratio must be smaller than 200" in reply.json()["error"]["message"]
