"""Prompts that are far too long: refused at once, while others are served."""

import time

import pytest

LONG = "hello, this is said again and again. " * 100_000


@pytest.mark.parametrize(
    ("path", "body", "param"),
    [
        ("/v1/completions", {"prompt": LONG, "max_tokens": 1}, "prompt"),
        ("/v1/chat/completions", {"messages": [{"role": "user", "content": LONG}], "max_tokens": 1}, "messages"),
    ],
    ids=["completion", "chat"],
)
def test_a_prompt_of_megabytes_is_refused_without_being_encoded(tiny_live, monkeypatch, path, body, param):
    encoded = []
    kind = type(tiny_live.service._loaded)
    encode = kind.encode
    monkeypatch.setattr(
        kind, "encode", lambda self, text, *rest: encoded.append(len(text)) or encode(self, text, *rest)
    )
    reply = tiny_live.post(path, json=body)
    assert reply.status_code == 400
    error = reply.json()["error"]
    assert (error["code"], error["param"]) == ("context_length_exceeded", param)
    assert f"the prompt has {len(LONG)}"[:16] in error["message"]
    assert encoded == []


def test_no_prompt_that_fits_is_refused_by_its_length(tiny_live):
    loaded = tiny_live.service._loaded
    longest = max(loaded.vocabulary.tokens, key=lambda token: len(token or b""))
    assert loaded.max_prompt_characters >= loaded.served.max_context * len(longest)
    ids = loaded.encode_prompt("a" * loaded.max_prompt_characters, False, "prompt")
    assert len(ids) >= loaded.served.max_context


def test_others_are_served_while_a_long_text_is_counted(tiny_live):
    from concurrent.futures import ThreadPoolExecutor

    num_served = num_tries = 0
    while num_served <= 3:  # within one try: a machine that does something else meanwhile gets another one
        assert num_tries < 10, "nobody was served"
        num_served, num_tries = 0, num_tries + 1
        with ThreadPoolExecutor(1) as one:
            counting = one.submit(tiny_live.post, "/tokenize", json={"prompt": LONG[:1_000_000]})
            while not counting.done():
                assert tiny_live.get("/health").status_code == 200
                num_served += 1
                time.sleep(0.01)
            assert counting.result().json()["count"] > 100_000
