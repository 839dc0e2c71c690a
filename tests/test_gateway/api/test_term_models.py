"""Other models as terms of `logit_arithmetic` over HTTP: the draft model, and those that the settings name."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from guarded_dialects import policy_of
from scripted import policies
from serving import Live, config_for, serving
from test_arithmetic import (
    CHAT,
    CHATS,
    COMPLETION,
    COMPLETIONS,
    OTHER,
    PROMPT,
    TURN,
    ask,
    assert_answers_fit_their_schema,
    assert_calls_fit_their_schema,
    by_hand,
    tokens,
)
from tiny_model import write_tiny_model
from transformers import AutoModelForCausalLM

from gateway.config import CacheConfig, Config, ServerConfig
from gateway.errors import ModelLoadError
from gateway.keys import ApiKey, KeyLimits, key_digest
from gateway.keys.key_file import add_key
from gateway.service.model.description import Description
from gateway.service.model.engines import engine_settings
from gateway.service.model.loaded import _stamp

CONTRAST = {"formula": "1.5*base - 0.5*draft + plausible(base, 0.1)"}
SMALL = {"formula": "base + 0.5*(base - small)", "terms": {"small": {"model": "small"}}}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("terms")
    return {name: write_tiny_model(folder / name, seed=seed) for seed, name in enumerate(("draft", "small"), 1)}


@pytest.fixture(scope="module")
def stock(tiny_model: Path, folders: dict[str, Path]) -> dict[str, Any]:
    paths = {"base": tiny_model, **folders}
    return {
        name: AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32).eval() for name, path in paths.items()
    }


def config_of(model: Path, folders: dict[str, Path], *terms: str, **sections: Any) -> Config:
    config = config_for(model, **sections)
    terms = terms or (f"small={folders['small']}",)
    return replace(config, engine=replace(config.engine, draft_model=str(folders["draft"]), term_models=terms))


@pytest.fixture(scope="module")
def served(tiny_model: Path, folders: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with a cache, and keys: `every`, and `plain`, which may not use the further model."""
    path = tmp_path_factory.mktemp("keys") / "keys.jsonl"
    for name, models in (("every", ()), ("plain", ("test-model",))):
        limits = KeyLimits(models=models)
        add_key(path, ApiKey(name=name, sha256=key_digest(name), created=0, expires=None, limits=limits))
    server, cache = ServerConfig(port=0, key_file=str(path)), CacheConfig(max_bytes=1 << 20)
    with serving(config_of(tiny_model, folders, server=server, cache=cache)) as live:
        live.http.headers["authorization"] = "Bearer every"
        yield live


def test_answers_are_the_formula_of_both_models_by_hand(served: Live, stock: dict[str, Any]) -> None:
    rng, formula = random.Random(4), {"formula": "1.5 * base - 0.5 * draft"}
    prompts = [[rng.randrange(3, 300) for _ in range(length)] for length in range(2, 22)]
    with ThreadPoolExecutor(1) as threads:
        plain = threads.submit(tokens, served, max_tokens=40)
        choices = ask(served, COMPLETIONS, COMPLETION, prompt=prompts, logit_arithmetic=formula)["choices"]
    models = [stock["base"], stock["draft"]]
    for prompt, choice in zip(prompts, choices, strict=True):
        assert choice["token_ids"] == by_hand(models, [prompt, prompt], lambda a, b: 1.5 * a - 0.5 * b)
    assert plain.result() == by_hand([stock["base"]], [PROMPT], lambda a: a, 40)


def test_terms_have_models_and_prompts(served: Live, stock: dict[str, Any]) -> None:
    terms = {"small": {"model": "small"}, "other": {"model": "draft", "prompt": OTHER}}
    given = {"formula": "union(base, small) - .3*other + .2*draft + plausible(base, 0.2)", "terms": terms}
    expected = by_hand(
        [stock[name] for name in ("base", "small", "draft", "draft")],
        [PROMPT, PROMPT, OTHER, PROMPT],
        lambda a, b, c, d: (torch.maximum(a, b) - 0.3 * c + 0.2 * d).masked_fill(
            a.exp() < 0.2 * a.exp().max(), -torch.inf
        ),
    )
    assert tokens(served, logit_arithmetic=given) == expected


@pytest.mark.parametrize("more", [{}, {"n": 3, "temperature": 1, "seed": 3}, {"use_beam_search": True, "num_beams": 2}])
@pytest.mark.parametrize("arithmetic", [CONTRAST, SMALL], ids=["draft", "small"])
def test_answers_fit_their_schema_whole_and_streamed(
    served: Live, arithmetic: dict[str, Any], more: dict[str, Any]
) -> None:
    assert_answers_fit_their_schema(served, arithmetic, more)


def test_calls_fit_their_schema(served: Live) -> None:
    assert_calls_fit_their_schema(served, CONTRAST)


def test_prompts_of_other_models_and_answers_are_screened(served: Live, tmp_path: Path) -> None:
    terms = {"a": {"model": "small", "messages": [{"role": "user", "content": "the secret word"}]}}
    body = {**CHAT, "logit_arithmetic": {"formula": "base-a", "terms": terms}}
    with policies(served, tmp_path, policy_of("terms", 'terms = ["secret"]', "block", "input")):
        assert served.post(CHATS, json=body).json()["error"]["code"] == "content_filter"
    word = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"const": "secret"}, "strict": True}}
    body = {**CHAT, "max_tokens": 20, "response_format": word, "logit_arithmetic": CONTRAST}
    with policies(served, tmp_path, policy_of("terms", 'terms = ["secret"]', "block", "output")):
        assert "secret" not in served.post(CHATS, json=body).text.partition('"choices"')[2]


def test_a_key_uses_the_models_that_it_may(served: Live) -> None:
    def post(key: str, arithmetic: dict[str, Any]) -> Any:
        body = {**COMPLETION, "logit_arithmetic": arithmetic}
        return served.post(COMPLETIONS, json=body, headers={"authorization": f"Bearer {key}"})

    refused = post("plain", SMALL)
    assert (refused.status_code, refused.json()["error"]["param"]) == (404, "logit_arithmetic.terms.small.model")
    assert [post("every", SMALL).status_code, post("plain", CONTRAST).status_code] == [200, 200]


def test_models_that_are_not_there_are_refused_by_name(served: Live) -> None:
    for name in ("test-model", "gpt-test", "base", "", "Draft", "small ", "../small"):
        given = {"formula": "base-a", "terms": {"a": {"model": name}}}
        error = served.post(CHATS, json={**CHAT, "logit_arithmetic": given}).json()["error"]
        assert error["param"] == "logit_arithmetic.terms.a.model"
        assert "draft, small" in error["message"]


def test_cached_responses_are_of_the_same_models(served: Live) -> None:
    def cached(**more: Any) -> str:
        reply = served.post(COMPLETIONS, json={**COMPLETION, "max_tokens": 3, "logit_arithmetic": more})
        return reply.headers["x-portcullis-cache"]

    first, second = ({"formula": "base-a", "terms": {"a": {"model": name}}} for name in ("draft", "small"))
    assert [cached(**first), cached(**first), cached(**second)] == ["miss", "hit", "miss"]


def test_the_stamp_of_answers_covers_the_files_of_all_models(tiny_model: Path, folders: dict[str, Path]) -> None:
    seen = Description.of(tiny_model, None, can_call=False, can_think=False)
    given = [config_of(tiny_model, folders, f"small={folders[name]}") for name in ("draft", "small")]
    stamps = {_stamp(given[0], engine_settings(each), "name", seen) for each in given}
    assert len(stamps) == 2


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        (("test-model=draft",), "the name test-model is taken"),
        (("gpt-test=draft",), "the name gpt-test is taken"),
        (("draft=draft",), "the name draft is taken"),
        (("a=draft", "a=draft"), "the name a is taken"),
        (("a=./nowhere",), "there is no folder ./nowhere"),
    ],
)
def test_settings_that_name_no_further_model_are_refused(
    tiny_model: Path, folders: dict[str, Path], terms: tuple[str, ...], message: str
) -> None:
    given = tuple(each.replace("=draft", f"={folders['draft']}") for each in terms)
    with pytest.raises(ModelLoadError, match=message):
        engine_settings(config_of(tiny_model, folders, *given))


def test_responses_take_models_too(served: Live) -> None:
    body = {"input": TURN["content"], "max_output_tokens": 4, "logit_arithmetic": SMALL}
    assert ask(served, "/v1/responses", body)["status"] in ("completed", "incomplete")
