"""Each optional technique, and several at a time, with schemas, tools, streams, drafts, policies, stop strings, bounds,
API keys, clients that leave, and an engine short of blocks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from guarded_dialects import data_of, policy_of
from held_engine import after_tokens, held, wait_for
from safetensors import safe_open
from scripted import policies
from serving import Live, config_for, serving

from gateway.config import Config, ServerConfig
from gateway.embedded import target_path
from gateway.engine.attention import sparse
from gateway.engine.scheduling.plan import Plan
from gateway.keys import ApiKey, KeyLimits, key_digest
from gateway.keys.key_file import add_key
from tests.lora_files import TARGETS, random_pairs, write_adapter

CHATS, COMPLETIONS = "/v1/chat/completions", "/v1/completions"
BEAMS = {"use_beam_search": True, "num_beams": 2, "n": 2}
ADAPTER = {"model": "one"}
GUIDED = {"guidance_scale": 1.5, "negative_prompt": "Be dull."}
DOCUMENTS = {"documents": [{"title": "Rome", "text": "Rome is warm <|im_end|> in May."}, "Oslo is cold."]}
TECHNIQUES: dict[str, dict[str, Any]] = {
    "none": {},
    "beams": BEAMS,
    "adapter": ADAPTER,
    "guidance": GUIDED,
    "arithmetic": {
        "logit_arithmetic": {
            "formula": "union(base, 0.5 * one + 0.5 * rude)",
            "terms": {"one": {"adapter": "one"}, "rude": {"system": "Be rude."}},
        }
    },
    "adaptation": {**ADAPTER, "adapt_every_tokens": 8, "adapt_rank": 4, "adapt_learning_rate": 0.02},
    "documents": DOCUMENTS,
    "together": {**BEAMS, **ADAPTER, **GUIDED, **DOCUMENTS},
}
SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"enum": ["Paris", "Rome", "Oslo"]},
        "days": {"type": "integer", "minimum": 1, "maximum": 99},
    },
    "required": ["city", "days"],
    "additionalProperties": False,
}
FORMAT = {"response_format": {"type": "json_schema", "json_schema": {"name": "trip", "schema": SCHEMA}}}
TOOLS = {
    "tools": [{"type": "function", "function": {"name": "book", "parameters": SCHEMA}}],
    "tool_choice": "required",
    "parallel_tool_calls": False,
}
ASKED = {"schema": FORMAT, "tools": TOOLS}
CHAT = {"messages": [{"role": "user", "content": "Three days in Rome, please."}], "max_tokens": 40, "temperature": 0}
FREE = {"max_tokens": 12, "ignore_eos": True}


def config_with(model: Path, folder: Path, **engine: Any) -> Config:
    """A server with an adapter, adaptations and keys: `every` and `poor`."""
    with safe_open(model / "model.safetensors", framework="pt") as opened:
        shapes = {name.removesuffix(".weight"): tuple(opened.get_slice(name).get_shape()) for name in opened.keys()}  # noqa: SIM118
    pairs = random_pairs({name: shape for name, shape in shapes.items() if name.endswith(TARGETS)}, size=0.05)
    keys = folder / "keys.jsonl"
    for name, limits in (("every", KeyLimits()), ("poor", KeyLimits(tokens_per_minute=60))):
        add_key(keys, ApiKey(name=name, sha256=key_digest(name), created=0, expires=None, limits=limits))
    config = config_for(None if model == target_path() else model, server=ServerConfig(port=0, key_file=str(keys)))
    adapters = (f"one={write_adapter(folder / 'one', pairs)}",)
    return replace(
        config,
        model=replace(config.model, adapters=adapters),
        engine=replace(config.engine, max_adaptations=2, **engine),
    )


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """With the embedded model, its draft model, and two tiers of few blocks."""
    folder = tmp_path_factory.mktemp("techniques")
    with serving(config_with(target_path(), folder, num_blocks=64, kv_offload_bytes=1 << 22)) as live:
        live.http.headers["authorization"] = "Bearer every"
        yield live


def ask(live: Live, *fields: dict[str, Any], path: str = CHATS, key: str = "every") -> dict[str, Any]:
    body = {name: value for each in fields for name, value in each.items()}
    reply = live.post(path, json=body, headers={"authorization": f"Bearer {key}"})
    assert reply.status_code == 200, reply.text
    return reply.json()


def texts_of(reply: dict[str, Any]) -> list[str]:
    """The text of each answer, or the arguments of its one call."""
    messages = [choice["message"] for choice in reply["choices"]]
    calls = [each.get("tool_calls") for each in messages]
    return [
        call[0]["function"]["arguments"] if call else each["content"]
        for each, call in zip(messages, calls, strict=True)
    ]


def streamed(live: Live, *fields: dict[str, Any]) -> list[str]:
    """The same of a stream."""
    body = {name: value for each in fields for name, value in each.items()} | {"stream": True}
    texts: dict[int, str] = {}
    for chunk in data_of(live.post(CHATS, json=body))[0]:
        assert "error" not in chunk, chunk
        for choice in chunk["choices"]:
            delta = choice["delta"]
            pieces = [call["function"].get("arguments") or "" for call in delta.get("tool_calls", ())]
            text = "".join([delta.get("content") or "", *pieces])
            texts[choice["index"]] = texts.get(choice["index"], "") + text
    return [texts[index] for index in sorted(texts)]


def check(text: str) -> None:
    """Assert that a text is a trip."""
    trip = json.loads(text)
    assert trip.keys() == {"city", "days"}
    assert trip["city"] in ("Paris", "Rome", "Oslo")
    assert 1 <= trip["days"] <= 99


@pytest.fixture(scope="module")
def alone(served: Live) -> Callable[[str, str], list[str]]:
    """What each technique streams for each kind of request, alone and without drafts."""
    engine = served.service._loaded.engine._engine

    @cache
    def answers(technique: str, asked: str) -> list[str]:
        with patch.object(engine, "_forced", None), patch.object(engine._speculator, "draft", lambda *_: None):
            return streamed(served, CHAT, ASKED[asked], TECHNIQUES[technique])

    return answers


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("technique", TECHNIQUES)
def test_streams_keep_to_their_schema(technique: str, asked: str, alone: Callable[[str, str], list[str]]) -> None:
    answers = alone(technique, asked)
    assert len(answers) == TECHNIQUES[technique].get("n", 1)
    for text in answers:
        check(text)


def test_whole_answers_are_the_same_with_drafts_and_preemptions(
    served: Live, alone: Callable[[str, str], list[str]]
) -> None:
    jobs = [(technique, asked) for technique in TECHNIQUES for asked in ASKED]
    expected = [alone(*job) for job in jobs]
    engine = served.service._loaded.engine
    before, scheduler, turns = engine.stats(), engine._engine._scheduler, count()
    schedule = scheduler.schedule

    def schedule_less() -> Plan:
        last = next((each for each in reversed(scheduler.running) if each.sampling.adaptation is None), None)
        if last is not None and next(turns) % 9 == 8:
            scheduler.restart(last, last.salt)
        return schedule()

    with patch.object(scheduler, "schedule", schedule_less), ThreadPoolExecutor(len(jobs)) as threads:
        answers = [threads.submit(ask, served, CHAT, ASKED[asked], TECHNIQUES[each]) for each, asked in jobs]
        found = [texts_of(answer.result()) for answer in answers]
    assert found == expected
    after = engine.stats()
    assert after.num_preemptions > before.num_preemptions
    assert after.num_accepted["model"] > before.num_accepted["model"]
    assert after.offload_hits["memory"] > before.offload_hits["memory"]
    served.wait_until_idle()
    engine._engine.check_integrity()


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_stops_budgets_and_clients_that_leave(technique: str, served: Live) -> None:
    fields = TECHNIQUES[technique]
    free = texts_of(ask(served, CHAT, FREE, fields))[0]
    stop = free[len(free) // 2 :][:2]
    for choice in ask(served, CHAT, FREE, fields, {"stop": [stop]})["choices"]:
        assert stop not in choice["message"]["content"]
    named = {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "string", "minLength": 3}}}
    short = ask(served, CHAT, fields, {"max_tokens": 7, "response_format": named})
    assert all(len(json.loads(text)) >= 3 for text in texts_of(short))
    assert short["usage"]["completion_tokens"] <= 7 * len(short["choices"])
    engine = served.service._loaded.engine
    with held(engine, after_tokens(engine, 4)), pytest.raises(httpx.ReadTimeout):
        served.post(CHATS, json=CHAT | FREE | {"max_tokens": 200} | fields, timeout=0.1)
    served.wait_until_idle()
    wait_for(lambda: not engine._engine._adaptations._going)


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_a_policy_screens_each_answer(technique: str, served: Live, tmp_path: Path) -> None:
    fields = CHAT | FORMAT | TECHNIQUES[technique]
    with policies(served, tmp_path, policy_of("terms", 'terms = ["city"]', "block")):
        choices = ask(served, fields)["choices"]
        assert [choice["finish_reason"] for choice in choices] == ["content_filter"] * len(choices)
    with policies(served, tmp_path, policy_of("terms", 'terms = ["Rome", "Oslo", "Paris"]', "redact")):
        text = "".join(streamed(served, fields))
    assert "city" in text
    assert not any(city in text for city in ("Rome", "Oslo", "Paris"))


def use_of(live: Live, key: str) -> tuple[int, int]:
    used = live.get("/v1/usage", headers={"authorization": f"Bearer {key}"}).json()["today"]
    return used["prompt_tokens"], used["completion_tokens"]


def test_keys_pay_for_what_was_computed_and_no_more(served: Live) -> None:
    for technique, fields in TECHNIQUES.items():
        prompt, completion = use_of(served, "every")
        usage = ask(served, CHAT, FORMAT, fields)["usage"]
        more_prompt, more_completion = (
            now - was for now, was in zip(use_of(served, "every"), (prompt, completion), strict=True)
        )
        assert more_completion == usage["completion_tokens"], technique
        has_others = "guidance_scale" in fields or "logit_arithmetic" in fields
        assert (more_prompt > usage["prompt_tokens"]) if has_others else (more_prompt == usage["prompt_tokens"]), (
            technique
        )
    ask(served, CHAT, FORMAT, key="poor")
    for fields in TECHNIQUES.values():
        reply = served.post(CHATS, json=CHAT | FORMAT | fields, headers={"authorization": "Bearer poor"})
        assert reply.status_code == 429, reply.text


TEXTS = ["the secret garden", "a red house"]
EMBEDDINGS: dict[str, tuple[dict[str, Any], str]] = {
    "/v1/embeddings": ({"input": TEXTS}, "data"),
    "/v1/rerank": ({"query": "Where?", "documents": TEXTS}, "results"),
    "/v1/score": ({"text_1": "Where?", "text_2": TEXTS}, "data"),
}


@pytest.mark.parametrize("path", EMBEDDINGS)
def test_vectors_are_of_screened_texts_and_paid_for(path: str, served: Live, tmp_path: Path) -> None:
    body, place = EMBEDDINGS[path]
    before = use_of(served, "every")[0]
    plain = ask(served, body, path=path)
    assert use_of(served, "every")[0] - before == plain["usage"]["prompt_tokens"] > 0
    assert ask(served, body, ADAPTER, path=path)[place] != plain[place]
    with policies(served, tmp_path, policy_of("terms", 'terms = ["secret"]', "block", "input")):
        blocked = served.post(path, json=body)
        assert (blocked.status_code, blocked.json()["error"]["code"]) == (400, "content_filter")
    with policies(served, tmp_path, policy_of("terms", 'terms = ["secret"]', "redact", "input")):
        redacted = ask(served, body, path=path)
    hidden = json.loads(json.dumps(body).replace("secret", "[TERMS]"))
    assert [{**each, "document": None} for each in redacted[place]] == [
        {**each, "document": None} for each in ask(served, hidden, path=path)[place]
    ]
    while served.post(path, json=body, headers={"authorization": "Bearer poor"}).status_code == 200:
        pass
    assert served.post(path, json=body, headers={"authorization": "Bearer poor"}).status_code == 429


CACHES: dict[str, dict[str, Any]] = {
    "eight bits": {"quantization": "int8", "kv_cache_dtype": "fp8", "kv_offload_bytes": 1 << 20},
    "sparse": {"sparse_attention_tokens": 64, "kv_offload_bytes": 1 << 20},
}


@pytest.mark.parametrize("kind", CACHES)
def test_caches_that_round_or_leave_out_keep_every_form(kind: str, tiny_model: Path, tmp_path: Path) -> None:
    with (
        patch.object(sparse, "NUM_DENSE_LAYERS", 0),
        serving(config_with(tiny_model, tmp_path, **CACHES[kind])) as live,
    ):
        live.http.headers["authorization"] = "Bearer every"
        for technique, asked in (("none", FORMAT), ("adaptation", TOOLS), ("together", FORMAT)):
            answers = texts_of(ask(live, CHAT, asked, TECHNIQUES[technique]))
            for text in answers:
                check(text)
            assert streamed(live, CHAT, asked, TECHNIQUES[technique]) == answers
        with policies(live, tmp_path, policy_of("terms", 'terms = ["city"]', "block")):
            assert ask(live, CHAT, FORMAT)["choices"][0]["finish_reason"] == "content_filter"
