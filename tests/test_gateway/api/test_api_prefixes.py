"""Whose prompts find each other in the prefix cache: `usage` and times tell how another's prompt began."""

import pytest
from serving import config_for, serving

from gateway.config import LimitsConfig, ServerConfig

ONE, TWO = {"x-api-key": "key-one"}, {"x-api-key": "key-two"}
SERVER = ServerConfig(port=0, api_keys=("key-one", "key-two"))


def num_cached(live, prompt, headers, **fields):
    body = {"prompt": prompt, "max_tokens": 1, **fields}
    reply = live.post("/v1/completions", json=body, headers=headers)
    assert reply.status_code == 200, reply.text
    return reply.json()["usage"]["prompt_tokens_details"]["cached_tokens"]


@pytest.fixture(scope="module")
def keyed_live(tiny_model):
    with serving(config_for(tiny_model, server=SERVER)) as live:
        yield live


def test_prompts_of_another_key_are_not_found(keyed_live):
    prompt = "a secret of the first key " * 8
    assert num_cached(keyed_live, prompt, ONE) == 0
    assert num_cached(keyed_live, prompt, TWO) == 0
    assert num_cached(keyed_live, prompt, ONE) > 0
    assert num_cached(keyed_live, prompt, TWO) > 0


def test_prompts_with_another_salt_are_not_found(keyed_live):
    prompt = "what a user of one key said " * 8
    assert num_cached(keyed_live, prompt, ONE, cache_salt="user 1") == 0
    assert num_cached(keyed_live, prompt, ONE, cache_salt="user 2") == 0
    assert num_cached(keyed_live, prompt, ONE) == 0
    assert num_cached(keyed_live, prompt, ONE, cache_salt="") > 0
    assert num_cached(keyed_live, prompt, ONE, cache_salt="user 1") > 0
    chat = {"messages": [{"role": "user", "content": prompt}], "max_tokens": 1, "cache_salt": "x" * 513}
    reply = keyed_live.post("/v1/chat/completions", json=chat, headers=ONE)
    assert (reply.status_code, reply.json()["error"]["message"][:10]) == (400, "cache_salt")


def test_keys_that_trust_each_other_share(tiny_model):
    prompt = "what both keys say " * 8
    with serving(config_for(tiny_model, server=SERVER, limits=LimitsConfig(share_prefixes=True))) as live:
        assert num_cached(live, prompt, ONE) == 0
        assert num_cached(live, prompt, TWO) > 0
        assert num_cached(live, prompt, TWO, cache_salt="own") == 0


def test_without_keys_everyone_is_the_same(tiny_live):
    prompt = "what nobody hides " * 8
    assert num_cached(tiny_live, prompt, {}) == 0
    assert num_cached(tiny_live, prompt, {}) > 0
