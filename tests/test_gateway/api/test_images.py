"""Images in requests, from the wire to the tokens that the stock class writes."""

import io
import json
import os
import random
import signal
import struct
import threading
import time
import zlib
from base64 import b64encode
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import jinja2
import pytest
import torch
import transformers
from PIL import Image
from scripted import policies
from tokenizers import Tokenizer

from gateway.config import AuditConfig, CacheConfig, ImagesConfig, ProcessConfig
from gateway.engine.images.families import FAMILIES
from gateway.engine.images.pixels import ImagePixels
from gateway.engine.images.reader import ImageReader, image_processor, why_no_images
from gateway.service.constraints.pool import ConstraintWorker
from gateway.service.request import image_fetch
from tests.test_gateway.audit.test_audit_api import new_records
from tests.test_gateway.serving import config_for, serving
from tests.test_gateway.vision_models import TEMPLATE, png, save_vision_model

FIRST, SECOND = png(60, 40), png(30, 64, seed=1)
MARKS = ("<fake_token_around_image>", "<image>", "<global-img>")
PLACE = "messages[0].content[1].image_url.url"


class Files(BaseHTTPRequestHandler):
    """A server of images, some of which are not served well."""

    def do_GET(self):
        if self.path == "/slow.png":
            time.sleep(1.5)
        self.send_response({"/moved.png": 302, "/gone.png": 404}.get(self.path, 200))
        self.send_header("location", "/a.png")
        self.end_headers()
        self.wfile.write(b"x" * 200_000 if self.path == "/large.png" else FIRST)

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def host():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Files)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def stock(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vision")
    return folder, save_vision_model(folder)


@pytest.fixture(scope="module")
def live(stock, host, tmp_path_factory):
    config = config_for(
        stock[0],
        process=ProcessConfig(mode="process"),
        images=ImagesConfig(
            allowed_hosts=(host, "metadata.example"), max_images=3, max_bytes=100_000, fetch_timeout_s=0.5
        ),
        cache=CacheConfig(max_bytes=1 << 20),
        audit=AuditConfig(url=str(tmp_path_factory.mktemp("audit") / "a.db"), contents=True),
    )
    with serving(config) as live:
        yield live


def url_of(file, kind="png"):
    return f"data:image/{kind};base64,{b64encode(file).decode()}"


def part(url):
    return {"type": "image_url", "image_url": {"url": url}}


def text(words):
    return {"type": "text", "text": words}


def chat(*parts, **fields):
    content = [
        part(url_of(each)) if isinstance(each, bytes) else text(each) if isinstance(each, str) else each
        for each in parts
    ]
    return {"messages": [{"role": "user", "content": content}], "max_tokens": 8, "temperature": 0, **fields}


def block(file):
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": b64encode(file).decode()}}


@torch.inference_mode()
def stock_tokens(stock, content, files, **options):
    """Return the prompt and the best answers of transformers: its processor's text and pixels, its class."""
    from transformers.models.smolvlm.processing_smolvlm import get_image_prompt_string

    folder, model = stock
    messages = [{"role": "user", "content": content}]
    prompt = (
        jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
        .from_string(TEMPLATE)
        .render(messages=messages, add_generation_prompt=True)
    )
    opened = [Image.open(io.BytesIO(file)) for file in files]
    cut = image_processor(folder)(images=[opened], return_row_col_info=True, return_tensors="pt")
    first, *rest = prompt.split("<image>")
    for rows, columns, piece in zip(cut["rows"][0], cut["cols"][0], rest, strict=True):
        first += get_image_prompt_string(rows, columns, 4, *MARKS) + piece
    ids = Tokenizer.from_file(str(folder / "tokenizer.json")).encode(first, add_special_tokens=False).ids
    given = {"pixel_values": cut["pixel_values"], "pixel_attention_mask": cut["pixel_attention_mask"]}
    written = model.generate(input_ids=torch.tensor([ids]), **given, max_new_tokens=8, do_sample=False, **options)
    end = model.config.text_config.eos_token_id
    return ids, [[each for each in row[len(ids) :].tolist() if each != end] for row in written]


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ([text("What is it?"), {"type": "image"}], ["What is it?", FIRST]),
        ([{"type": "image"}, text("or\n"), {"type": "image"}], [FIRST, "or\n", SECOND]),
        ([{"type": "image"}, {"type": "image"}, text("Same?")], [SECOND, SECOND, "Same?"]),
    ],
)
def test_an_answer_is_that_of_the_stock_class(live, stock, content, parts):
    for beams in (1, 3):
        files, asked = [each for each in parts if isinstance(each, bytes)], {"num_beams": beams, "n": beams}
        ids, written = stock_tokens(stock, content, files, num_beams=beams, num_return_sequences=beams)
        reply = live.post("/v1/chat/completions", json=chat(*parts, return_token_ids=True, **asked)).json()
        assert reply["prompt_token_ids"] == ids
        assert [choice["token_ids"] for choice in reply["choices"]] == written
        assert reply["usage"]["prompt_tokens"] == len(ids)


@pytest.mark.parametrize("grid", [(0, 0), (1, 1), (2, 3)])
@pytest.mark.parametrize("kind", ["SmolVLM", "Idefics3"])
def test_an_image_is_written_as_the_processors_write_it(kind, grid):
    around, each, whole = MARKS
    processor = SimpleNamespace(
        fake_image_token=around, image_token=each, global_image_token=whole, global_image_tag=whole, image_seq_len=5
    )
    found = {"rows": [[grid[0]]], "cols": [[grid[1]]]}
    written = getattr(transformers, f"{kind}Processor").replace_image_token(processor, found, 0)
    image = ImagePixels(b"", (1, 3, 8, 8), 5, grid, 1.0, (0.0,), (1.0,))
    assert FAMILIES[kind.lower()].text(image) == written


@pytest.mark.parametrize("kind", ["mllama", "qwen3_vl"])
def test_other_vision_models_are_served_for_text_alone(kind, tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"model_type": kind, "vision_config": {}}))
    assert ImageReader.of(tmp_path) is None
    known = "gemma3, idefics3, qwen2_5_vl, qwen2_vl, smolvlm"
    assert f"images of {kind} are not read; those of {known} are" in why_no_images(tmp_path)


def test_every_dialect_reads_images(live):
    wanted = live.post("/v1/chat/completions", json=chat("Look:", FIRST)).json()
    words = wanted["choices"][0]["message"]["content"]
    message = {"role": "user", "content": [text("Look:"), block(FIRST)]}
    body = {"model": "test-model", "messages": [message], "max_tokens": 8, "temperature": 0}
    said = live.post("/v1/messages", json=body).json()
    assert said["content"][0]["text"] == words
    counted = live.post("/v1/messages/count_tokens", json={key: body[key] for key in ("model", "messages")}).json()
    usage = said["usage"]
    read = usage["input_tokens"] + usage["cache_read_input_tokens"]
    assert counted["input_tokens"] == read == wanted["usage"]["prompt_tokens"] > 20
    options = {"temperature": 0, "num_predict": 8}
    ollama = {"model": "test-model", "stream": False, "options": options}
    given = [b64encode(FIRST).decode()]
    asked = {**ollama, "messages": [{"role": "user", "content": "Look:", "images": given}]}
    assert live.post("/api/chat", json=asked).json()["message"]["content"] == words
    assert live.post("/api/generate", json={**ollama, "prompt": "Look:", "images": given}).json()["response"] == words
    frames = live.post("/v1/chat/completions", json=chat("Look:", FIRST, stream=True)).text.split("\n\n")
    chunks = [json.loads(frame.removeprefix("data: ")) for frame in frames if frame.startswith("data: {")]
    assert "".join(chunk["choices"][0]["delta"].get("content") or "" for chunk in chunks) == words
    assert "vision" in live.post("/api/show", json={"model": "test-model"}).json()["capabilities"]
    headers = {"anthropic-version": "2023-06-01"}
    listed = live.get("/v1/models/test-model", headers=headers).json()
    assert listed["capabilities"]["image_input"] == {"supported": True}


def test_results_of_tools_show_images(live):
    calls = [{"type": "tool_use", "id": id, "name": "look", "input": {}} for id in ("a", "b")]
    results = [
        {"type": "tool_result", "tool_use_id": id, "content": [block(file), text(id)]}
        for id, file in (("b", SECOND), ("a", FIRST))
    ]
    messages = [{"role": "user", "content": "?"}, {"role": "assistant", "content": calls}]
    body = {"model": "test-model", "max_tokens": 40, "temperature": 0}
    tools = [{"name": "look", "input_schema": {"type": "object"}}]
    prompts = [
        live.post(
            "/v1/messages", json={**body, "tools": tools, "messages": [*messages, {"role": "user", "content": given}]}
        )
        for given in (results, results[::-1])
    ]
    assert [reply.status_code for reply in prompts] == [200, 200], prompts[0].text
    first, second = (reply.json() for reply in prompts)
    assert first["content"] == second["content"]
    assert second["usage"]["cache_read_input_tokens"] > 40


BEAMS, GUIDED = {"use_beam_search": True, "n": 2}, {"guidance_scale": 2, "negative_prompt": "Be dull."}


def test_schemas_and_tools_hold_beside_images(live):
    schema = {
        "type": "object",
        "properties": {"red": {"type": "boolean"}},
        "required": ["red"],
        "additionalProperties": False,
    }
    format = {"type": "json_schema", "json_schema": {"name": "s", "schema": schema}}
    for fields in ({}, {"stream": True}, {"n": 2, "seed": 1, "temperature": 1}, BEAMS, GUIDED):
        body = chat("Red?", FIRST, response_format=format, **fields) | {"max_tokens": 40}
        reply = live.post("/v1/chat/completions", json=body)
        assert reply.status_code == 200, reply.text
        if "stream" not in fields:
            for choice in reply.json()["choices"]:
                assert json.loads(choice["message"]["content"]).keys() == {"red"}
    function = {"name": "paint", "parameters": schema}
    body = chat("Red?", FIRST, tools=[{"type": "function", "function": function}], tool_choice="required")
    (call,) = live.post("/v1/chat/completions", json=body | {"max_tokens": 80}).json()["choices"][0]["message"][
        "tool_calls"
    ]
    assert json.loads(call["function"]["arguments"]).keys() == {"red"}


def test_a_cached_response_is_that_of_its_image(live):
    cached = [
        live.post("/v1/chat/completions", json=chat("Which?", file)).headers["x-portcullis-cache"]
        for file in (FIRST, SECOND, FIRST)
    ]
    assert cached == ["miss", "miss", "hit"]


def test_policies_screen_the_texts_and_the_audit_log_has_the_digest(live, tmp_path):
    text = """
        default = "strict"
        [policies.strict]
        input = [{ guard = "pattern", pattern = "secret-[0-9]+", action = "block" }]
    """
    with policies(live, tmp_path, text), new_records(live) as records:
        assert live.post("/v1/chat/completions", json=chat("A", FIRST, "B")).status_code == 200
        split = live.post("/v1/chat/completions", json=chat("secret-", FIRST, "12"))
    assert split.json()["error"]["code"] == "content_filter"
    assert {"image": sha256(FIRST).hexdigest()} in records[0]["contents"]["prompt"]


def test_an_image_is_fetched_from_an_allowed_host(live, host, monkeypatch):
    def asked(url):
        reply = live.post("/v1/chat/completions", json=chat("Look:", part(url)))
        return reply.json() if reply.status_code == 200 else reply.json()["error"]["message"]

    there = f"http://{host}"
    assert "has an address that is not public" in asked(f"{there}/a.png")
    monkeypatch.setattr(image_fetch, "_is_public", lambda address: True)
    wanted = live.post("/v1/chat/completions", json=chat("Look:", FIRST)).json()
    assert asked(f"{there}/a.png")["choices"] == wanted["choices"]
    assert "replied 302; redirects are not followed" in asked(f"{there}/moved.png")
    assert "replied 404" in asked(f"{there}/gone.png")
    assert "more than 100000 bytes" in asked(f"{there}/large.png")
    assert "did not send it within 0.5 s" in asked(f"{there}/slow.png")


def test_an_image_that_takes_too_long_ends_its_process_alone(live, monkeypatch):
    pool = live.service.compilations.backend
    workers = set(pool.pids)
    with monkeypatch.context() as patched:
        patched.setattr(pool, "_timeout_s", 0.0)
        reply = live.post("/v1/chat/completions", json=chat("?", png(64, 64, seed=5)))
    assert reply.status_code == 400
    assert reply.json()["error"]["message"].startswith(f"{PLACE}: reading it takes longer than")
    assert live.post("/v1/chat/completions", json=chat("?", FIRST)).status_code == 200
    assert not workers & set(pool.pids)


def test_a_file_that_crashes_its_decoder_is_refused_by_its_place(live, monkeypatch):
    async def ask(self, *arguments):
        os.kill(self.pid, signal.SIGKILL)
        return await whole(self, *arguments)

    whole = ConstraintWorker.ask
    with monkeypatch.context() as patched:
        patched.setattr(ConstraintWorker, "ask", ask)
        reply = live.post("/v1/chat/completions", json=chat("?", png(64, 64, seed=6)))
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "invalid_image")
    assert reply.json()["error"]["message"].startswith(f"{PLACE} cannot be decoded")
    assert live.post("/v1/chat/completions", json=chat("?", FIRST)).status_code == 200


@pytest.mark.parametrize(
    ("address", "is_public"),
    [
        *[
            (address, False)
            for address in ("127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.0.1", "0.0.0.0", "::1")
        ],
        *[(address, False) for address in ("fe80::1", "fd00::1", "::ffff:10.0.0.1", "224.0.0.1", "100.64.0.1")],
        *[(address, True) for address in ("8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8")],
    ],
)
def test_private_addresses_are_known(address, is_public):
    assert image_fetch._is_public(address) is is_public


def test_terms_that_share_the_conversation_see_its_images(live):
    def words(**fields):
        reply = live.post("/v1/chat/completions", json=chat(FIRST, "What is it?", **fields))
        assert reply.status_code == 200, reply.text
        return [choice["message"]["content"] for choice in reply.json()["choices"]]

    def mean(**term):
        return {"logit_arithmetic": {"formula": "0.5*base + 0.5*a", "terms": {"a": term}}}

    assert words() == words(**mean(system="")) != words(**mean(messages=[{"role": "user", "content": "Who?"}]))
    assert words(num_beams=2, n=2) == words(num_beams=2, n=2, **mean(system=""))
    assert words() != words(guidance_scale=8) != words(guidance_scale=8, negative_prompt="Be dull.")


def test_what_is_not_served_beside_images_is_refused_by_name(live):
    term = {"messages": chat("?", FIRST)["messages"]}
    for fields, message in (
        ({"logit_arithmetic": {"formula": "base + a", "terms": {"a": term}}}, "images are not served here"),
        ({"n": 17}, "n"),
    ):
        error = live.post("/v1/chat/completions", json=chat("?", FIRST, **fields)).json()["error"]
        assert message in error["message"]
    error = live.post("/v1/chat/completions", json=chat(*[FIRST] * 4)).json()["error"]
    assert "at most 3 are read (images.max_images)" in error["message"]
    error = live.post("/v1/chat/completions", json=chat("\ufdd0", FIRST)).json()["error"]
    assert "the prompt has places for 2 images, and 1 are sent" in error["message"]


def png_of(width, height, *chunks):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + b"".join(chunk(*each) for each in chunks) + chunk(b"IEND", b"")


def hostile_urls():
    """Yield URLs of images that cannot be read."""
    whole = {kind: png(40, 30, kind=kind) for kind in ("PNG", "JPEG", "WEBP", "GIF")}
    yield from (
        url_of(png_of(*size)) for size in ((10**9, 1), (31_623, 31_623), (2**31 - 1, 2**31 - 1), (0, 5), (6_000, 6_000))
    )
    yield url_of(png_of(30, 30, (b"tEXt", b"a\0" + zlib.compress(b"x" * 10**6))))
    yield url_of(png_of(30, 30, (b"zTXt", b"a\0\0" + zlib.compress(b"x" * 50_000_000))))
    yield url_of(png_of(30, 30, (b"IDAT", zlib.compress(b"\0" * 100))))
    yield url_of(struct.pack("<6sHHBBB", b"GIF89a", 65_535, 65_535, 0, 0, 0) + b"\x2c" + bytes(9) + b"\x02\x00;")
    yield url_of(b'<svg xmlns="http://www.w3.org/2000/svg"/>', "svg+xml")
    yield from (url_of(data) for data in (b"", b"x", b"%PDF-1.7", b"BM" + bytes(60), b"II*\0" + bytes(60), bytes(1000)))
    yield from (
        "",
        " ",
        "x",
        "data:",
        "data:,",
        "data:image/png,x",
        "data:image/png;base64",
        "data:image/png;base64,###",
    )
    yield from (
        "data:;base64,a",
        "data:;base64,\u00e9\u00e9\u00e9\u00e9",
        url_of(bytes(100_100)),
        "data:image/png;base64,aaaa aaaa",
    )
    yield from (
        "file:///etc/passwd",
        "ftp://localhost/a.png",
        "http://",
        "https://[",
        "http://localhost:x/a.png",
        "//localhost/a",
    )
    yield from (
        f"http://{each}/a.png" for each in ("127.0.0.1", "169.254.169.254", "[::1]", "example.com", "localhost", "0")
    )
    yield from ("http://a@metadata.example/", "https://metadata.example@127.0.0.1/", "https://metadata.example.evil/")
    yield from (
        "http://metadata.example:99999/",
        "http://metadata.example:22/",
        "\ufdd0",
        "data:image/png;base64,\ufdd0",
    )
    for number in range(60):
        rng = random.Random(number)
        kind, file = rng.choice(list(whole.items()))
        cut = bytearray(file[: rng.randrange(1, len(file) * 3 // 4)])
        if number % 2:
            cut[: rng.randrange(1, 12)] = rng.randbytes(8)
        yield url_of(bytes(cut), kind.lower())


def in_a_chat(url):
    return "/v1/chat/completions", chat("?", part(url)), PLACE


def in_a_message(url):
    _, _, data = url.partition(";base64,")
    source = {"type": "base64", "media_type": "image/png", "data": data} if data else {"type": "url", "url": url}
    given = [{"role": "user", "content": [{"type": "image", "source": source}]}]
    place = f"messages[0].content[0].source.{'data' if data else 'url'}"
    return "/v1/messages", {"model": "test-model", "max_tokens": 2, "messages": given}, place


def in_ollamas_chat(url):
    given = [{"role": "user", "content": "?", "images": [url.partition(";base64,")[2] or url]}]
    return "/api/chat", {"model": "test-model", "messages": given, "stream": False}, "messages[0].images[0]"


def said(*parts):
    written = [{"type": "input_text", "text": each} if isinstance(each, str) else each for each in parts]
    return {"role": "user", "content": [shown(url_of(each)) if isinstance(each, bytes) else each for each in written]}


def shown(url, **fields):
    return {"type": "input_image", "image_url": url, **fields}


def in_a_response(url):
    return "/v1/responses", {"input": [said("?", shown(url))], "store": False}, "input[0].content[1].image_url"


@pytest.mark.parametrize("write", [in_a_chat, in_a_message, in_ollamas_chat, in_a_response])
def test_hostile_images_are_refused_by_the_field(live, write):
    urls = list(hostile_urls())
    assert len(urls) >= 100
    for url in urls:
        path, body, place = write(url)
        reply = live.post(path, json=body)
        assert reply.status_code == 400, (url[:100], reply.text)
        error = reply.json()["error"]
        message = error if isinstance(error, str) else error["message"]
        assert place in message, (url[:100], reply.text)
        if path == "/v1/chat/completions":
            assert (error["code"], error["param"]) == ("invalid_image", PLACE), (url[:100], reply.text)
    assert live.post("/v1/chat/completions", json=chat("?", FIRST)).status_code == 200


def test_hostile_parts_are_refused_by_the_field(live):
    for source in (
        None,
        1,
        [],
        {},
        {"type": "base64"},
        {"type": "base64", "data": 1},
        {"type": "url", "url": 1},
        {"type": "file", "file_id": "f"},
    ):
        given = [{"role": "user", "content": [{"type": "image", "source": source}]}]
        reply = live.post("/v1/messages", json={"model": "test-model", "max_tokens": 2, "messages": given})
        assert reply.status_code == 400, (source, reply.text)
        assert "messages[0].content[0].source" in reply.json()["error"]["message"], (source, reply.text)
    for value in (None, 1, [], {}, {"url": None}, {"url": 1}):
        reply = live.post("/v1/chat/completions", json=chat("?", {"type": "image_url", "image_url": value}))
        assert reply.status_code == 400, (value, reply.text)
        assert reply.json()["error"]["param"].startswith("messages[0].content[1].image_url"), (value, reply.text)
    for value in (None, 1, [], {}):
        given = [{"role": "user", "content": "?", "images": [value]}]
        reply = live.post("/api/chat", json={"model": "test-model", "messages": given})
        assert "the field messages[0].images[0] is missing" in reply.text, (value, reply.text)


def hostile_values(number):
    rng = random.Random(number)
    text = "".join(map(chr, rng.choices((*range(1, 127), 0xFDD0, 0x202E, 0x1F600), k=rng.choice((1, 9, 3000)))))
    return rng.choice((text, text, rng.randint(-(10**9), 10**9), [text], {"url": text}, {text: {}}, True))


def test_hostile_parts_of_responses_are_refused_by_the_field(live):
    given = [({"image_url": value}, "image_url") for value in (None, [], {}, {"url": None}, {"url": []}, False)]
    given += [({"image_url": url_of(FIRST), "detail": hostile_values(number)}, "detail") for number in range(100)]
    given += [({"file_id": hostile_values(number)}, "file_id") for number in range(100)]
    given += [({"image_url": hostile_values(number)}, "image_url") for number in range(100)]
    given += [({"file_id": ""}, "file_id"), ({"image_url": url_of(FIRST), "file_id": "file-1"}, "file_id")]
    for fields, name in given:
        reply = live.post("/v1/responses", json={"input": [said("?", {"type": "input_image", **fields})]})
        assert reply.status_code == 400, (fields, reply.text)
        assert f"input[0].content[1].{name}" in reply.json()["error"]["message"], (fields, reply.text)
        assert len(reply.text) < 1000, reply.text
    assert live.post("/v1/responses", json={"input": [said("?", FIRST)]}).status_code == 200


def test_responses_show_images(live):
    def asked(*given, **fields):
        body = {"input": list(given), "max_output_tokens": 8, "temperature": 0, **fields}
        reply = live.post("/v1/responses", json=body)
        assert reply.status_code == 200, reply.text
        return reply.json()

    turn = said("Look:", shown(url_of(FIRST), detail="low"), "What?")
    once = asked(turn)
    wanted = live.post("/v1/chat/completions", json=chat("Look:", FIRST, "What?")).json()
    words = once["output"][0]["content"][0]["text"]
    assert words == wanted["choices"][0]["message"]["content"]
    assert once["usage"]["input_tokens"] == wanted["usage"]["prompt_tokens"]
    counted = live.post("/v1/responses/input_tokens", json={"input": [turn]}).json()
    assert counted["input_tokens"] == once["usage"]["input_tokens"]
    more = said("And?", SECOND)
    answer = {"role": "assistant", "content": words}
    kept, sent = asked(more, previous_response_id=once["id"]), asked(turn, answer, more)
    assert kept["output"][0]["content"] == sent["output"][0]["content"]
    assert kept["usage"]["input_tokens"] == sent["usage"]["input_tokens"] > once["usage"]["input_tokens"] + 20
    listed = live.get(f"/v1/responses/{kept['id']}/input_items?order=asc").json()["data"]
    assert listed[0]["content"][1] == {"type": "input_image", "image_url": url_of(FIRST), "detail": "low"}
    referred = asked({"type": "item_reference", "id": listed[0]["id"]})
    assert referred["usage"]["input_tokens"] == once["usage"]["input_tokens"]
    reply = live.post("/v1/responses", json={"input": [said(*[FIRST] * 2)], "previous_response_id": kept["id"]})
    assert reply.json()["error"]["message"].startswith("previous_response_id.items[0].content[1].image_url is one of 4")


def test_an_output_of_a_tool_shows_an_image_in_responses(live):
    call = {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"}
    counts = [
        live.post(
            "/v1/responses/input_tokens",
            json={"input": [said("?"), call, {"type": "function_call_output", "call_id": "c", "output": output}]},
        ).json()["input_tokens"]
        for output in ([shown(url_of(FIRST))], [])
    ]
    assert counts[0] >= counts[1] + 20


def test_turns_that_are_dropped_take_their_images_along(live):
    given = [said(SECOND, "x" * 460), {"role": "assistant", "content": "y"}, said("Look:", FIRST)]
    body = {"input": given, "max_output_tokens": 8, "temperature": 0, "store": False}
    assert live.post("/v1/responses", json=body).status_code == 400
    cut = live.post("/v1/responses", json={**body, "truncation": "auto"}).json()
    short = live.post("/v1/responses", json={**body, "input": given[2:]}).json()
    assert cut["usage"]["input_tokens"] == short["usage"]["input_tokens"]
    assert cut["output"][0]["content"] == short["output"][0]["content"]
