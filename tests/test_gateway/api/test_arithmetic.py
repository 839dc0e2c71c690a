"""Guidance and model arithmetic over HTTP: answers by the formula, in every shape that others have, within bounds."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import torch
from guarded_dialects import policy_of
from scripted import policies
from serving import Live, config_for, serving
from transformers import AutoModelForCausalLM

from gateway.audit.chain import record_of
from gateway.audit.store import Store
from gateway.config import AuditConfig, CacheConfig, ServerConfig
from gateway.core.arithmetic import MAX_FORMULA, read_formula
from gateway.engine import GenerationRequest
from gateway.errors import InvalidRequestError
from gateway.keys import ApiKey, KeyLimits, key_digest
from gateway.keys.key_file import add_key
from tests.lora_files import merged, random_pairs, shapes_of, write_adapter

CHATS, COMPLETIONS = "/v1/chat/completions", "/v1/completions"
TURN = {"role": "user", "content": "Say hello."}
CHAT = {"messages": [{"role": "system", "content": "Be kind."}, TURN], "max_tokens": 8, "temperature": 0}
PROMPT, OTHER = list(range(70, 88)), [100, 101, 102]
COMPLETION = {"prompt": PROMPT, "max_tokens": 10, "temperature": 0, "ignore_eos": True, "return_token_ids": True}
SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"enum": ["x", "y"]}},
    "required": ["a", "b"],
    "additionalProperties": False,
}
RUDE = {"formula": "base + 0.8*(base - rude)", "terms": {"rude": {"system": "Be rude."}}}
MARK = "<|im_end|>"


@pytest.fixture(scope="module")
def stock(tiny_model: Path) -> Any:
    return AutoModelForCausalLM.from_pretrained(tiny_model, dtype=torch.float32).eval()


@pytest.fixture(scope="module")
def served(tiny_model: Path, stock: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with an adapter, a cache, an audit log, and keys: `every`, `plain` (not the adapter) and `poor`."""
    folder = tmp_path_factory.mktemp("arithmetic")
    audit = AuditConfig(url=str(folder / "a.db"), contents=True)
    config = config_for(tiny_model, cache=CacheConfig(max_bytes=1 << 20), audit=audit)
    path = folder / "keys.jsonl"
    for name, limits in (
        ("every", KeyLimits()),
        ("plain", KeyLimits(models=("test-model",))),
        ("poor", KeyLimits(tokens_per_minute=120)),
    ):
        add_key(path, ApiKey(name=name, sha256=key_digest(name), created=0, expires=None, limits=limits))
    write_adapter(folder / "one", random_pairs(shapes_of(stock), 4, 1))
    model = replace(config.model, adapters=(f"one={folder / 'one'}",))
    server = ServerConfig(port=0, key_file=str(path))
    with serving(replace(config, model=model, server=server)) as live:
        live.http.headers["authorization"] = "Bearer every"
        yield live


def ask(live: Live, path: str, body: dict[str, Any], **more: Any) -> dict[str, Any]:
    reply = live.post(path, json={**body, **more})
    assert reply.status_code == 200, reply.text
    return reply.json()


def tokens(live: Live, **more: Any) -> list[int]:
    return ask(live, COMPLETIONS, COMPLETION, **more)["choices"][0]["token_ids"]


@contextmanager
def watched(live: Live) -> Iterator[list[GenerationRequest]]:
    """What the engine is asked meanwhile."""
    engine, asked = live.service._loaded.engine, list[GenerationRequest]()
    real = type(engine).batches

    def batches(self: Any, request: GenerationRequest, tick_s: float | None = None) -> Any:
        asked.append(request)
        return real(self, request, tick_s)

    with patch.object(type(engine), "batches", batches):
        yield asked


def by_hand(models: list[Any], prompts: list[list[int]], value: Any, num_tokens: int = 10) -> list[int]:
    """The greedy answer by a formula of the scores of models after prompts."""
    answer: list[int] = []
    with torch.inference_mode():
        for _ in range(num_tokens):
            pairs = zip(models, prompts, strict=True)
            scores = [model(torch.tensor([ids + answer])).logits[0, -1].log_softmax(-1) for model, ids in pairs]
            answer.append(int(value(*scores).argmax()))
    return answer


def test_guidance_is_that_of_transformers(served: Live, stock: Any) -> None:
    loaded, ids = served.service._loaded, torch.tensor([PROMPT])
    for text in (None, "Paris is mild", "no"):
        negative = PROMPT[-1:] if text is None else list(loaded.encode(text, True))
        with torch.inference_mode():
            found = stock.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                guidance_scale=2.5,
                negative_prompt_ids=None if text is None else torch.tensor([negative]),
                do_sample=False,
                max_new_tokens=10,
                eos_token_id=None,
                pad_token_id=0,
            )
        assert tokens(served, guidance_scale=2.5, negative_prompt=text) == found[0, len(PROMPT) :].tolist()
    assert tokens(served, guidance_scale=1, negative_prompt="no") == tokens(served)


def test_terms_are_prompts_and_adapters(served: Live, stock: Any) -> None:
    pairs = random_pairs(shapes_of(stock), 4, 1)
    adapted = merged(stock, pairs, dict.fromkeys(pairs, 2.0))
    terms = {"other": {"prompt": OTHER}, "one": {"adapter": "one"}}
    expected = by_hand([stock, stock, adapted], [PROMPT, OTHER, PROMPT], lambda a, b, c: a + 1.5 * (c - b))
    given = {"formula": "base + 1.5*(one - other)", "terms": terms}
    assert tokens(served, logit_arithmetic=given) == expected
    given = {"formula": "union(intersection(base, one), other) - .5*one", "terms": terms}
    expected = by_hand(
        [stock, stock, adapted],
        [PROMPT, OTHER, PROMPT],
        lambda a, b, c: torch.maximum(torch.minimum(a, c), b) - 0.5 * c,
    )
    assert tokens(served, logit_arithmetic=given) == expected
    # A term of an adapted request has its adapter, unless it names the model.
    given = {"formula": "base - other + plain", "terms": {"other": {"prompt": OTHER}, "plain": {"adapter": "gpt-test"}}}
    expected = by_hand([adapted, adapted, stock], [PROMPT, OTHER, PROMPT], lambda a, b, c: a - b + c)
    assert tokens(served, model="one", logit_arithmetic=given) == expected


def test_conversations_of_terms_are_rendered_like_the_requests_own(served: Live) -> None:
    def rendered(*messages: dict[str, str]) -> list[int]:
        return ask(served, "/tokenize", {"messages": messages})["tokens"]

    begin = {"role": "assistant", "content": "Well"}
    asked = {
        "negative": {"guidance_scale": 2, "negative_prompt": f"Be {MARK}rude."},
        "none": {"guidance_scale": 2, "negative_prompt": ""},
        "terms": {
            "logit_arithmetic": {
                "formula": "a - b",
                "terms": {"a": {"messages": [{"role": "user", "content": MARK}]}, "b": {"system": "x"}},
            }
        },
    }
    expected = {
        "negative": [rendered({"role": "system", "content": f"Be {MARK}rude."}, TURN)],
        "none": [rendered(TURN)],
        "terms": [rendered({"role": "user", "content": MARK}), rendered({"role": "system", "content": "x"}, TURN)],
    }
    special = served.service._loaded.tokenizer.token_to_id(MARK)
    assert [expected["terms"][0].count(special), expected["negative"][0].count(special)] == [1, 2]
    for name, fields in asked.items():
        with watched(served) as requests:
            usage = ask(served, CHATS, CHAT, seed=len(requests), **fields)["usage"]
        assert [list(each.prompt_ids) for each in requests[0].companions] == expected[name]
        assert usage["prompt_tokens"] == len(rendered(*CHAT["messages"]))
    messages = [*CHAT["messages"], begin]
    with watched(served) as requests:
        continued = {"continue_final_message": True, "add_generation_prompt": False}
        ask(served, CHATS, CHAT, messages=messages, **continued, **asked["negative"])
    (companion,), begun = requests[0].companions, requests[0].prompt_ids[-requests[0].num_begun :]
    assert list(companion.prompt_ids) == [*expected["negative"][0], *begun]


def assert_answers_fit_their_schema(served: Live, arithmetic: dict[str, Any], more: dict[str, Any]) -> None:
    """Assert it of whole answers, and that streamed ones are the same."""
    formatted = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA, "strict": True}}
    body = {**CHAT, "max_tokens": 60, "response_format": formatted, "logit_arithmetic": arithmetic, **more}
    choices = ask(served, CHATS, body)["choices"]
    assert all(set(json.loads(choice["message"]["content"])) == {"a", "b"} for choice in choices)
    texts = [""] * len(choices)
    for line in served.post(CHATS, json={**body, "stream": True}).text.splitlines():
        if line.startswith("data: {"):
            (choice,) = json.loads(line[6:])["choices"]
            texts[choice["index"]] += choice["delta"].get("content") or ""
    assert texts == [choice["message"]["content"] for choice in choices]


def assert_calls_fit_their_schema(served: Live, arithmetic: dict[str, Any]) -> None:
    tools = [{"type": "function", "function": {"name": "find", "parameters": SCHEMA}}]
    body = {**CHAT, "max_tokens": 90, "tools": tools, "tool_choice": "required", "logit_arithmetic": arithmetic}
    (call,) = ask(served, CHATS, body, parallel_tool_calls=False)["choices"][0]["message"]["tool_calls"]
    assert set(json.loads(call["function"]["arguments"])) == {"a", "b"}


@pytest.mark.parametrize("more", [{}, {"n": 3, "temperature": 1, "seed": 3}, {"use_beam_search": True, "num_beams": 2}])
def test_answers_fit_their_schema_whole_and_streamed(served: Live, more: dict[str, Any]) -> None:
    assert_answers_fit_their_schema(served, RUDE, more)


def test_calls_fit_their_schema(served: Live) -> None:
    assert_calls_fit_their_schema(served, RUDE)


def test_thoughts_and_what_follows_them_are_of_the_formula(thinker: Live) -> None:
    loop = {"repetition_detection": {"max_pattern_size": 20, "min_count": 2}}
    with watched(thinker) as requests:
        ask(thinker, CHATS, CHAT, logit_arithmetic=RUDE, **loop, max_tokens=400, logit_bias={"70": 100})
    first, last = requests[0], requests[-1]
    assert len(requests) == 2
    written = last.prompt_ids[len(first.prompt_ids) :]
    assert last.companions[0].prompt_ids == [*first.companions[0].prompt_ids, *written]


def test_texts_of_terms_are_screened_like_the_requests_own(served: Live, tmp_path: Path) -> None:
    terms = {"a": {"messages": [{"role": "user", "content": "the secret word"}]}}
    given: list[tuple[str, dict[str, Any]]] = [
        (CHATS, {**CHAT, "guidance_scale": 2, "negative_prompt": "the secret word"}),
        (CHATS, {**CHAT, "logit_arithmetic": {"formula": "base-a", "terms": terms}}),
        (COMPLETIONS, {**COMPLETION, "guidance_scale": 2, "negative_prompt": "the secret word"}),
    ]
    ids = served.service.encode("the secret word", add_special_tokens=False)
    arithmetic = {"formula": "base-a", "terms": {"a": {"prompt": list(ids)}}}
    given.append((COMPLETIONS, {**COMPLETION, "logit_arithmetic": arithmetic}))
    with policies(served, tmp_path, policy_of("terms", 'terms = ["secret"]', "block", "input")):
        for path, body in given:
            assert served.post(path, json=body).json()["error"]["code"] == "content_filter"
    with policies(served, tmp_path, policy_of("terms", 'terms = ["secret"]', "redact", "input")):
        for path, body in given:
            with watched(served) as requests:
                ask(served, path, body)
            shown = served.service.decode(requests[0].companions[0].prompt_ids)
            assert "secret" not in shown
            assert "word" in shown


def test_a_key_pays_for_other_prompts_and_uses_its_own_adapters(served: Live) -> None:
    def post(key: str, **more: Any) -> Any:
        return served.post(COMPLETIONS, json={**COMPLETION, **more}, headers={"authorization": f"Bearer {key}"})

    adapter = {"formula": "base-one", "terms": {"one": {"adapter": "one"}}}
    refused = post("plain", logit_arithmetic=adapter)
    assert (refused.status_code, refused.json()["error"]["param"]) == (404, "logit_arithmetic.terms.one.adapter")
    assert post("every", logit_arithmetic=adapter).status_code == 200
    for key, status in (("plain", 404), ("every", 200)):
        by_id = {"inputs": "hi", "parameters": {"adapter_id": "one", "max_new_tokens": 2}}
        assert served.post("/generate", json=by_id, headers={"authorization": f"Bearer {key}"}).status_code == status
    used = post("poor", logit_arithmetic={"formula": "base-a", "terms": {"a": {"prompt": PROMPT[:12]}}})
    assert used.json()["usage"]["total_tokens"] == 18 + 10
    counted = served.get("/v1/usage", headers={"authorization": "Bearer poor"}).json()["today"]
    assert (counted["prompt_tokens"], counted["completion_tokens"]) == (18 + 12 + 10, 10)
    large = {name: {"prompt": PROMPT} for name in "abcd"}
    assert post("poor", logit_arithmetic={"formula": "base-a-b-c-d", "terms": large}).status_code == 429
    assert post("poor").status_code == 200


def test_the_audit_record_has_texts_and_tokens_of_terms(served: Live) -> None:
    ask(served, CHATS, CHAT, guidance_scale=2, negative_prompt="Be dull.")
    other = ask(served, "/tokenize", {"messages": [{"role": "system", "content": "Be dull."}, TURN]})["count"]
    with closing(Store(str(served.service.config.audit.url), may_create=False)) as store:
        record = [each for each in map(record_of, store.links()) if each.get("endpoint", "").endswith(CHATS)][-1]
    prompt = [{"role": "system", "content": "Be dull."}]
    assert record["contents"]["prompt"][-1] == {"term": "negative_prompt", "prompt": prompt}
    assert record["tokens"]["companion_tokens"] == other + record["tokens"]["completion_tokens"]


def test_cached_responses_are_of_the_same_terms(served: Live) -> None:
    def cached(**more: Any) -> str:
        reply = served.post(COMPLETIONS, json={**COMPLETION, "max_tokens": 3, **more})
        return reply.headers["x-portcullis-cache"]

    first, second = ({"guidance_scale": 3.5, "negative_prompt": text} for text in ("a", "b"))
    assert [cached(**first), cached(**first), cached(**second)] == ["miss", "hit", "miss"]
    adapter = {"logit_arithmetic": {"formula": "2*base-one", "terms": {"one": {"adapter": "one"}}}}
    beams = {"use_beam_search": True, "num_beams": 2, **adapter}
    assert [cached(**adapter), cached(**adapter), cached(**beams), cached(**beams)] == ["miss", "hit", "miss", "hit"]
    adapters = served.service.model.adapters
    with patch.dict(adapters, one=adapters["one"]._replace(stamp="another")):
        assert cached(**adapter) == "miss"


FORMULAS = [
    *("", " ", "0", "1+1", "-", "base", "base+", "(base-a", "base-a)", "base a", "base*a", "a*(base*2)", "base+1"),
    *("a-0.5", "base**a", "base/a", "base^a", "base%a", "a()", "union", "union()", "union(a)", "union(a,)"),
    *("max(base,a)", "union(a base)", "intersection(1,2)", "base,a", "1001*base-a", "100*(20*base-a)", "9" * 999),
    *("1e9*base-a", "nan*base-a", "inf*base-a", "0x1*base-a", "1_0*base-a", "base-a;", "base-a#", "a=base", "base-b"),
    *("union(a,1)", "base-\x00a", "plausible(base)", "plausible(base,0)", "a-plausible(base,a)", "plausible(1,0.5)-a"),
    *("plausible(a,1.1)", "plausible(a,0.1,0.2)", "plausible(a,-0.1)", "plausible", "plausible(a,)", "draft-a"),
    *("base-A", "base.a", "base[a]", "__import__('os')", "lambda:a", "classifier(a)", "base-draft+a", "\0"),
    *("base-é", "base-𝟏*a", "٣*base-a", "(" * 900, "-" * 900 + "a", "union(" * 100),
    *("(" * 30 + "a" + ")" * 30 + "-base",),
    *("base+a+" * 100 + "a", "x" * (MAX_FORMULA + 1), "+".join(["a"] * 100_000), "base-a" + " " * 1_000),
]  # fmt: skip
VALUES = [None, 1, "a", [], [{}], True, {"a": None}, {"a": 1}, {"a": {}}, {"a": {"system": 1}}, {"a": {"text": "x"}}]
NAMES = [
    "",
    " ",
    "a b",
    "1a",
    "é",
    "base",
    "union",
    "intersection",
    "draft",
    "plausible",
    "classifier",
    "a" * 33,
    "a" * 9_999,
    "a-b",
]
TERMS = [
    *({"system": "x", "messages": [TURN]}, {"prompt": "x"}, {"prompt": [1]}, {"messages": []}, {"messages": [{}]}),
    *({"messages": "x"}, {"messages": [{"role": "x", "content": "y"}]}, {"messages": [{**TURN, "content": 1}]}),
    *({"adapter": name} for name in ("", "two", "../one", "a" * 9_999, 1, [], {})),
    *({"system": "x" * 100_000}, {"messages": [TURN] * 2_001}, {"messages": [{"role": "tool", "content": "x"}]}),
]


def hostile_models() -> Iterator[Any]:
    """What is not the name of another model."""
    yield from (
        1,
        0,
        1.5,
        True,
        [],
        ["draft"],
        {},
        {"name": "draft"},
        "",
        " ",
        "draft ",
        "DRAFT",
        "draft\0",
        "d" * 99_999,
    )
    yield from (
        "test-model",
        "gpt-test",
        "org/name",
        "one",
        "base",
        "a",
        "../draft",
        "/etc/passwd",
        "\n",
        "draft=x",
        "…",
    )
    rng = random.Random(6)
    for length in range(80):
        yield "".join(rng.choices("draft./\\-_ =\0\x7fé𝟏\u202e", k=length))


def hostile_bodies() -> Iterator[tuple[str, dict[str, Any]]]:
    one: dict[str, Any] = {"a": {"system": "x"}}
    for scale in (-1, 101, 1e300, "2", True, [], {}):
        yield "guidance_scale", {"guidance_scale": scale}
    for text in (1, [], [1], {}, True):
        yield "negative_prompt", {"guidance_scale": 2, "negative_prompt": text}
    yield "negative_prompt", {"negative_prompt": "x"}
    yield "negative_prompt", {"guidance_scale": 2, "negative_prompt": "x" * 100_000}
    yield "guidance_scale", {"guidance_scale": 2, "logit_arithmetic": RUDE}
    for formula in FORMULAS:
        yield "logit_arithmetic.formula", {"logit_arithmetic": {"formula": formula, "terms": one}}
    for value in VALUES[1:6]:
        yield "logit_arithmetic", {"logit_arithmetic": value}
    for value in VALUES:
        yield "logit_arithmetic.terms", {"logit_arithmetic": {"formula": "base-a", "terms": value}}
    for name in NAMES:
        yield "logit_arithmetic.terms", {"logit_arithmetic": {"formula": "base", "terms": {name: {"system": "x"}}}}
    for term in TERMS:
        yield "logit_arithmetic.terms", {"logit_arithmetic": {"formula": "base-a", "terms": {"a": term}}}
    for model in hostile_models():
        given = {"formula": "base-a", "terms": {"a": {"model": model}}}
        yield "logit_arithmetic.terms", {"logit_arithmetic": given}
    for formula in ("base", "2*base", "base+plausible(base,0.1)"):
        for terms in ({}, {"terms": {}}):
            yield "logit_arithmetic.formula", {"logit_arithmetic": {"formula": formula, **terms}}
    both = {"formula": "base-a", "terms": {"a": {"model": "draft", "adapter": "one"}}}
    yield "logit_arithmetic.terms.a.model", {"logit_arithmetic": both}
    yield "negative_prompt", {"messages": CHAT["messages"][:1], "guidance_scale": 2, "negative_prompt": ""}
    many = {f"a{number}": {"system": "x"} for number in range(9)}
    yield "logit_arithmetic", {"logit_arithmetic": {"formula": "+".join(many), "terms": many}}
    yield "logit_arithmetic", {"logit_arithmetic": {**RUDE, "normalize": True}}
    rng = random.Random(5)
    for _ in range(30):
        symbols = rng.choices(["base", "a", "+", "-", "*", "(", ")", ",", "2", "union", "."], k=rng.randrange(1, 60))
        formula = " ".join(symbols)
        try:
            read_formula(formula, ["a"], "")
        except InvalidRequestError:
            yield "logit_arithmetic.formula", {"logit_arithmetic": {"formula": formula, "terms": one}}


def test_hostile_bodies_get_a_clear_400_that_names_the_field(served: Live) -> None:
    bodies = [(CHATS, CHAT, *each) for each in hostile_bodies()]
    for term in ({"system": "x"}, {"messages": [TURN]}, {"prompt": [-1]}, {"prompt": [1 << 40]}, {"prompt": []}):
        given = {"logit_arithmetic": {"formula": "base-a", "terms": {"a": term}}}
        bodies.append((COMPLETIONS, COMPLETION, "logit_arithmetic.terms.a", given))
    bodies.append((COMPLETIONS, COMPLETION, "negative_prompt", {"guidance_scale": 2, "negative_prompt": ""}))
    assert len(bodies) > 220
    for path, body, field, more in bodies:
        reply = served.post(path, json={**body, **more})
        assert reply.status_code == 400, (more, reply.text)
        error = reply.json()["error"]
        assert error["param"].startswith(field), (more, error)
        assert len(error["message"]) < 1_000


def test_more_terms_than_the_server_takes_are_refused(served: Live) -> None:
    many = {f"a{number}": {"system": "x"} for number in range(8)}
    body = {**CHAT, "logit_arithmetic": {"formula": "+".join(many), "terms": many}, "n": 16}
    with patch.object(served.service._preparer, "_limits", replace(served.service.config.limits, max_terms=0)):
        assert served.post(CHATS, json={**CHAT, "guidance_scale": 2}).json()["error"]["param"] == "guidance_scale"
    assert served.post(CHATS, json=body).status_code == 200


def test_responses_take_the_fields_and_other_dialects_do_not_read_them(served: Live) -> None:
    with watched(served) as requests:
        ask(served, "/v1/responses", {"input": "hi", "max_output_tokens": 4, "logit_arithmetic": RUDE})
        body = {"model": "test-model", "messages": [TURN], "max_tokens": 4}
        ask(served, "/v1/messages", body, guidance_scale="x", negative_prompt=1, logit_arithmetic=1)
    assert [len(each.companions) for each in requests] == [1, 0]
