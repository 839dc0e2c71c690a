"""Beam search: against that of transformers, against all texts of small grammars, and over the wire."""

import json
import math
import random
from unittest.mock import patch

import pytest
import torch
from guarded_dialects import policy_of
from scripted import policies
from transformers import AutoModelForCausalLM

PROMPTS = [[random.Random(seed).randrange(20, 200) for _ in range(4 + seed % 23)] for seed in range(50)]
ASKED = [
    {"num_beams": 4},
    {"num_beams": 3, "length_penalty": 0.0, "early_stopping": True},
    {"num_beams": 5, "length_penalty": 2.0, "early_stopping": "never"},
    {"num_beams": 2, "length_penalty": -1.0},
]
MAX_TOKENS = 9


@pytest.fixture(scope="module")
def stock(tiny_model):
    """The same weights as transformers computes them."""
    return AutoModelForCausalLM.from_pretrained(tiny_model, dtype=torch.float32).eval()


def ends_of(live):
    return list(live.service._loaded.engine.eos_token_ids)


def expected_answers(stock, prompt, width, ends, **asked):
    """The tokens of the best answers by transformers, best first, without their ends."""
    with torch.inference_mode():
        found = stock.generate(
            torch.tensor([prompt]),
            attention_mask=torch.ones(1, len(prompt), dtype=torch.long),
            do_sample=False,
            max_new_tokens=MAX_TOKENS,
            num_beams=width,
            num_return_sequences=width,
            eos_token_id=ends,
            pad_token_id=ends[0],
            **asked,
        )
    return [[token for token in row[len(prompt) :].tolist() if token not in ends] for row in found]


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_answers_are_those_of_transformers(tiny_live, stock, asked):
    others = {name: value for name, value in asked.items() if name != "num_beams"}
    for prompt in PROMPTS if asked == ASKED[0] else PROMPTS[::5]:
        width = asked["num_beams"]
        body = {"prompt": prompt, "max_tokens": MAX_TOKENS, "n": width, "return_token_ids": True, **asked}
        choices = tiny_live.post("/v1/completions", json=body).json()["choices"]
        expected = expected_answers(stock, prompt, width, ends_of(tiny_live), **others)
        assert [choice["token_ids"] for choice in choices] == expected


def test_an_end_within_the_budget_is_found_as_transformers_finds_it(tiny_live, stock):
    further = list(range(40, 200, 3))[-16:]
    early = 0
    for prompt in PROMPTS[:12]:
        body = {"prompt": prompt, "max_tokens": MAX_TOKENS, "n": 3, "use_beam_search": True, "return_token_ids": True}
        choices = tiny_live.post("/v1/completions", json=body | {"stop_token_ids": further}).json()["choices"]
        expected = expected_answers(stock, prompt, 3, [*ends_of(tiny_live), *further])
        assert [choice["token_ids"] for choice in choices] == expected
        early += sum(choice["finish_reason"] == "stop" for choice in choices)
    assert early > 3


def all_paths(live, stock, prompt, texts):
    """Score, text and tokens of the likeliest way to write each of the texts, best first."""
    token_bytes, ends = live.service._loaded.vocabulary.tokens, ends_of(live)
    goals = [text.encode() for text in texts]
    open_paths, found = [(b"", [], 0.0)], []
    while open_paths:
        text, tokens, score = open_paths.pop()
        with torch.inference_mode():
            scores = stock(torch.tensor([[*prompt, *tokens]])).logits[0, -1].float().log_softmax(-1).tolist()
        if text in goals:
            found += [(score + scores[end], text.decode(), tokens) for end in ends]
        for token, data in enumerate(token_bytes[: len(scores)]):
            if data and any(goal.startswith(text + data) for goal in goals):
                open_paths.append((text + data, [*tokens, token], score + scores[token]))
    found.sort(key=lambda each: each[0])
    return sorted({each[1]: each for each in found}.values(), key=lambda each: -each[0])


@pytest.mark.parametrize("texts", [["ab", "ac", "b"], ["yes", "yesss", "no"], ["x"]], ids=str)
def test_under_a_constraint_the_best_of_all_texts_are_found(tiny_live, stock, texts):
    prompt, width = PROMPTS[7], 16
    expected = all_paths(tiny_live, stock, prompt, texts)
    n = min(4, len(expected))
    body = {"prompt": prompt, "max_tokens": 12, "n": n, "num_beams": width, "length_penalty": 0.0, "logprobs": 1}
    reply = tiny_live.post("/v1/completions", json=body | {"guided_choice": texts, "return_token_ids": True}).json()
    choices = reply["choices"]
    assert [(choice["text"], choice["token_ids"]) for choice in choices] == [tuple(each[1:]) for each in expected[:n]]
    assert [choice["finish_reason"] for choice in choices] == ["stop"] * n
    for choice, (score, _, _) in zip(choices, expected, strict=False):
        assert sum(choice["logprobs"]["token_logprobs"]) > score - 1e-3, "the end is no part of the answer"


def test_where_fewer_answers_exist_the_last_stands_for_the_others(tiny_live):
    body = {"prompt": "x", "max_tokens": 4, "n": 8, "use_beam_search": True, "guided_choice": ["a", "b"]}
    texts = [choice["text"] for choice in tiny_live.post("/v1/completions", json=body).json()["choices"]]
    assert sorted(set(texts)) == ["a", "b"]
    assert texts[2:] == texts[1:2] * 6


def test_groups_disfavour_what_the_others_have_chosen(tiny_live, stock):
    """Two groups of one beam each: the second is greedy, but for a penalty on the first one's token of each step."""
    prompt, penalty = PROMPTS[3], 1.5
    first, second, total = [], [], 0.0
    with torch.inference_mode():
        for _ in range(5):
            best, other = (stock(torch.tensor([[*prompt, *text]])).logits[0, -1] for text in (first, second))
            first.append(int(best.argmax()))
            scores = other.log_softmax(-1)
            scores[first[-1]] -= penalty
            second.append(int(scores.argmax()))
            total += float(scores.max())
    body = {"prompt": prompt, "max_tokens": 5, "n": 2, "num_beams": 2, "num_beam_groups": 2, "return_token_ids": True}
    reply = tiny_live.post("/v1/completions", json=body | {"diversity_penalty": penalty, "ignore_eos": True}).json()
    assert first != second
    assert sorted(choice["token_ids"] for choice in reply["choices"]) == sorted([first, second])


SCHEMA = {
    "type": "object",
    "properties": {"city": {"enum": ["Paris", "Rome", "Oslo"]}, "days": {"type": "integer", "minimum": 1}},
    "required": ["city", "days"],
    "additionalProperties": False,
}
CHAT = {"messages": [{"role": "user", "content": "Three days in Rome, please."}], "max_tokens": 60, "num_beams": 3}
FORMAT = {"type": "json_schema", "json_schema": {"name": "trip", "schema": SCHEMA}}
TOOLS = [{"type": "function", "function": {"name": "book", "parameters": SCHEMA}}]


def test_answers_and_calls_keep_to_their_schemas_streamed_or_not(live):
    whole = live.post("/v1/chat/completions", json=CHAT | {"response_format": FORMAT, "n": 3}).json()
    texts = [choice["message"]["content"] for choice in whole["choices"]]
    assert all(json.loads(text)["days"] >= 1 for text in texts)
    assert len(set(texts)) == 3
    assert whole["usage"]["completion_tokens"] > 0
    streamed = [""] * 3
    for chunk in live.client.chat.completions.create(
        model="test-model",
        stream=True,
        n=3,
        response_format=FORMAT,
        extra_body={"num_beams": 3},
        max_tokens=60,
        messages=CHAT["messages"],
    ):
        for choice in chunk.choices:
            streamed[choice.index] += choice.delta.content or ""
    assert streamed == texts
    called = live.post("/v1/chat/completions", json=CHAT | {"tools": TOOLS, "tool_choice": "required"}).json()
    (call,) = called["choices"][0]["message"]["tool_calls"]
    assert json.loads(call["function"]["arguments"])["city"] in SCHEMA["properties"]["city"]["enum"]


def test_a_budget_that_is_short_still_leaves_whole_answers(live):
    format = {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "string", "minLength": 3}}}
    for max_tokens in (8, 9, 12):
        body = CHAT | {"response_format": format, "n": 3, "max_tokens": max_tokens}
        choices = live.post("/v1/chat/completions", json=body).json()["choices"]
        assert all(len(json.loads(choice["message"]["content"])) >= 3 for choice in choices)


def test_a_stop_string_ends_a_beam(tiny_live):
    body = {"prompt": PROMPTS[1], "max_tokens": 12, "n": 4, "use_beam_search": True}
    free = tiny_live.post("/v1/completions", json=body).json()["choices"][0]["text"]
    stop = free[2:4]
    choices = tiny_live.post("/v1/completions", json=body | {"stop": stop}).json()["choices"]
    assert all(stop not in choice["text"] for choice in choices)
    assert {choice["finish_reason"] for choice in choices} <= {"stop", "length"}


def test_steps_have_the_place_of_their_search(tiny_live):
    engine, requests = tiny_live.service._loaded.engine, []
    real = type(engine).stream

    def stream(self, request):
        requests.append(request)
        return real(self, request)

    with patch.object(type(engine), "stream", stream):
        tiny_live.post("/v1/completions", json={"prompt": "x", "max_tokens": 4, "num_beams": 2, "ignore_eos": True})
    first, *others = [request.since for request in requests]
    assert first is None
    assert others == others[:1] * 6
    assert others[0] is not None


def test_a_policy_screens_each_answer(live, tmp_path):
    with policies(live, tmp_path, policy_of("terms", 'terms = ["Rome"]', "block")):
        reply = live.post("/v1/chat/completions", json=CHAT | {"guided_choice": ["Rome", "Oslo"], "n": 2}).json()
    assert sorted((choice["message"]["content"], choice["finish_reason"]) for choice in reply["choices"]) == [
        ("", "content_filter"),
        ("Oslo", "stop"),
    ]


def test_tgi_searches_where_several_answers_are_not_drawn(tiny_live):
    parameters = {"best_of": 3, "do_sample": False, "max_new_tokens": 6, "details": True}
    reply = tiny_live.post("/generate", json={"inputs": "hello", "parameters": parameters}).json()
    others = reply["details"]["best_of_sequences"]
    body = {"prompt": "hello", "max_tokens": 6, "n": 3, "use_beam_search": True}
    expected = [choice["text"] for choice in tiny_live.post("/v1/completions", json=body).json()["choices"]]
    assert [reply["generated_text"], *(other["generated_text"] for other in others)] == expected


HOSTILE = [
    *({"num_beams": width} for width in (-1, 17, 10**6, 10**30, 2.5, "4", [4])),
    *({"num_beams": 2, "n": n} for n in (0, 3, -1)),
    *({"num_beams": 4, "num_beam_groups": groups} for groups in (0, 3, 5, -2, "2")),
    *({"num_beams": 4, "length_penalty": penalty} for penalty in (101, -1e9, 1e308, "1", None) if penalty is not None),
    *({"num_beams": 4, "diversity_penalty": penalty} for penalty in (-1, 101, 1e308, [1])),
    *({"num_beams": 4, "early_stopping": early} for early in ("always", 1, 0.5, {})),
    *(
        {"num_beams": 4, name: value}
        for name in ("num_beam_groups", "length_penalty", "diversity_penalty")
        for value in ([], {}, "x", True, [[1]], {"a": 1}, -(10**300), 10**30, "", [None])
    ),
    *({"num_beams": width} for width in (True, [], {}, "", -(10**30), 1e300)),
    *({"num_beams": 2, "n": n} for n in ([], "1", 1.5, 10**30)),
    *({"num_beams": 4, "early_stopping": early} for early in ([], "", "true", 10**30)),
    *({"use_beam_search": value} for value in (1, [], {}, "true", 0.5)),
    *({"num_beams": 3, name: 0.5} for name in ("temperature", "top_p", "min_p", "typical_p")),
    {"length_penalty": 2.0},
    {"early_stopping": True},
    {"num_beam_groups": 2},
    {"diversity_penalty": 0.5},
    {"use_beam_search": False, "num_beams": 4, "length_penalty": 2.0},
    {"use_beam_search": "yes"},
    {"num_beams": 4, "temperature": 0.7},
    {"num_beams": 4, "top_p": 0.5},
    {"num_beams": 4, "top_k": 3},
    {"num_beams": 4, "min_p": 0.1},
    {"num_beams": 4, "typical_p": 0.5},
    {"num_beams": 4, "repetition_penalty": 1.2},
    {"num_beams": 4, "presence_penalty": 1},
    {"num_beams": 4, "frequency_penalty": 1},
    {"num_beams": 4, "no_repeat_ngram_size": 2},
    {"num_beams": 4, "logit_bias": {"5": 1}},
    {"num_beams": 4, "allowed_token_ids": [5]},
    {"num_beams": 4, "bad_words": ["a"]},
    {"num_beams": 4, "repetition_detection": {"max_pattern_size": 3, "min_count": 3}},
    {"num_beams": 4, "logprobs": 1, "logprobs_details": True},
]


def test_what_cannot_be_is_refused_by_name_and_harms_nobody(tiny_live):
    for path, prompt in (
        ("/v1/completions", {"prompt": "x"}),
        ("/v1/chat/completions", {"messages": CHAT["messages"]}),
    ):
        assert len(HOSTILE) >= 100
        for fields in HOSTILE:
            if "logprobs" in fields and path != "/v1/completions":
                continue
            reply = tiny_live.post(path, json={"max_tokens": 3, **prompt, **fields})
            assert reply.status_code == 400, (fields, reply.text)
            assert reply.json()["error"]["param"] in fields, (fields, reply.text)
    reply = tiny_live.post("/v1/completions", json={"prompt": "x", "max_tokens": 3, "num_beams": 2})
    assert math.isfinite(reply.json()["usage"]["completion_tokens"])
