"""Tokens of the user's words are favoured where a prompt tells fields to take from them."""

import asyncio
import threading
from dataclasses import replace

import pytest
from serving import config_for
from test_service_tools import PLAIN_TEMPLATE
from tiny_model import write_tiny_model

from gateway.core.constraints import JsonConstraint
from gateway.core.request import ChatRequest, Options, Sampling
from gateway.service import Service
from gateway.service.request import copying
from gateway.service.request.copying import BIAS

SAID = {"role": "user", "content": "Room (Alpha) has 30 seats."}
RECORD = {"type": "object", "properties": {"room": {"type": "string"}}}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    config = config_for(write_tiny_model(tmp_path_factory.mktemp("copying"), template=PLAIN_TEMPLATE))
    service = Service.load(replace(config, model=replace(config.model, schema_telling="on")))
    yield service
    service.close()


def bias_of(service, messages=(SAID,), schema=RECORD, bias=None):
    constraint = None if schema is None else JsonConstraint(schema=schema, origin="response_format")
    options = Options(constraint=constraint, max_tokens=300, sampling=Sampling(logit_bias=bias or {}))
    request = ChatRequest(messages=messages, options=options)
    return asyncio.run(service.prepare_chat(request)).prompts[0].sampling.logit_bias


def tokens_of(service, *texts):
    return {token for text in texts for token in service._loaded.encode(text, add_special_tokens=False)}


def test_tokens_of_the_text_and_of_its_words_are_favoured(service):
    bias = bias_of(service)
    assert set(bias.values()) == {BIAS}
    assert tokens_of(service, SAID["content"], "Alpha", "alpha", "room", "seats", "30", '{"', '", "') <= bias.keys()
    assert not tokens_of(service, "z") & bias.keys()


def test_only_tokens_with_a_text_are_favoured(service):
    names = [name for name, _ in service._loaded.vocabulary.special_tokens]
    assert names
    bias = bias_of(service, ({"role": "user", "content": " ".join(names)},))
    assert bias
    assert all(service._loaded.vocabulary.tokens[token] is not None for token in bias)


def test_tokens_without_a_score_are_not_favoured(service, monkeypatch):
    """A tokenizer may know more tokens than the model; the engine would refuse the request for them."""
    favoured = sorted(bias_of(service))
    monkeypatch.setattr(service._loaded.engine, "vocab_size", favoured[-1])
    assert sorted(bias_of(service)) == favoured[:-1]


def test_a_bias_of_the_client_stays(service):
    (token,) = tokens_of(service, "3")
    assert bias_of(service, bias={token: -5.0, 0: 2.0}).items() >= {token: -5.0, 0: 2.0}.items()


@pytest.mark.parametrize(
    ("messages", "schema"),
    [((SAID,), None), ((SAID,), {"type": "string"}), ((SAID, {"role": "assistant", "content": "On it."}), RECORD)],
    ids=["no schema", "no fields", "the user did not speak last"],
)
def test_nothing_is_favoured_where_no_fields_are_told(service, messages, schema):
    assert not bias_of(service, messages, schema)


def test_nothing_is_favoured_of_a_long_text(service, monkeypatch):
    monkeypatch.setattr(copying, "MAX_CHARACTERS", len(SAID["content"]) - 1)
    assert not bias_of(service)


def test_tokens_to_favour_are_found_off_the_event_loop(service, monkeypatch):
    """The longest text takes longer than a loop should be held."""
    threads = []
    monkeypatch.setattr(copying, "_tokens_of", lambda *_: threads.append(threading.get_ident()) or frozenset())
    bias_of(service)
    assert threads
    assert threading.get_ident() not in threads
