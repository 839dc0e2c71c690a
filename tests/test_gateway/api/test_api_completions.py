"""Completions over a real socket, by the real client."""

import json

import pytest
from sdk_types import sse


def test_completion_answers_each_prompt_n_times(live):
    reply = live.client.completions.create(
        model="test-model", prompt=["one", "two"], n=2, max_tokens=5, seed=3, temperature=1.3
    )
    assert reply.object == "text_completion"
    assert [choice.index for choice in reply.choices] == [0, 1, 2, 3]
    alone = live.client.completions.create(model="test-model", prompt="two", max_tokens=5, seed=3, temperature=1.3)
    assert reply.choices[2].text == alone.choices[0].text
    assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens


def test_completion_reads_token_ids_as_it_reads_text(live):
    ids = live.service._loaded.tokenizer.encode("The weather in").ids
    asked = {"model": "test-model", "max_tokens": 6, "temperature": 0}
    texts = [
        live.client.completions.create(prompt=prompt, **asked).choices[0].text
        for prompt in ("The weather in", ids, [ids])
    ]
    assert len(set(texts)) == 1


def test_completion_echoes_the_prompt(live):
    asked = {"model": "test-model", "prompt": ["Grüße, ", "x"], "max_tokens": 4, "seed": 1}
    plain = live.client.completions.create(**asked)
    echoed = live.client.completions.create(**asked, echo=True)
    expected = [prompt + choice.text for prompt, choice in zip(asked["prompt"], plain.choices, strict=True)]
    assert [choice.text for choice in echoed.choices] == expected
    streamed = ["", ""]
    for chunk in live.client.completions.create(**asked, echo=True, stream=True):
        streamed[chunk.choices[0].index] += chunk.choices[0].text
    assert streamed == expected


def test_completion_streams_what_it_answers_whole(live):
    asked = {"model": "test-model", "prompt": "Say", "max_tokens": 16, "seed": 9}
    whole = live.client.completions.create(**asked)
    *chunks, last = list(live.client.completions.create(**asked, stream=True, stream_options={"include_usage": True}))
    assert "".join(chunk.choices[0].text for chunk in chunks) == whole.choices[0].text
    assert chunks[-1].choices[0].finish_reason == whole.choices[0].finish_reason
    assert (last.choices, last.usage) == ([], whole.usage)


def test_completion_reports_logprobs_in_its_own_shape(live):
    asked = {"model": "test-model", "prompt": "Say", "max_tokens": 6, "logprobs": 2, "temperature": 0}
    choice = live.client.completions.create(**asked).choices[0]
    logprobs = choice.logprobs
    assert len(logprobs.tokens) == len(logprobs.token_logprobs) == len(logprobs.text_offset)
    assert logprobs.text_offset[0] == 0
    assert all(len(top) <= 2 for top in logprobs.top_logprobs)
    streamed = [
        token
        for chunk in live.client.completions.create(**asked, stream=True)
        if chunk.choices[0].logprobs
        for token in chunk.choices[0].logprobs.tokens
    ]
    assert streamed == logprobs.tokens


def ask(live, prompt, **fields):
    asked = {"prompt": prompt, "max_tokens": 4, "temperature": 0, "logprobs": 2, "ignore_eos": True}
    reply = live.post("/v1/completions", json=asked | fields)
    assert reply.status_code == 200, reply.text
    return reply.json()["choices"]


def test_prompt_logprobs_are_those_that_the_answer_would_have(live):
    encode = live.service._loaded.tokenizer.encode
    ids, chosen = encode("The weather in").ids, encode("x").ids[0]
    (forced,) = ask(live, ids, max_tokens=1, allowed_token_ids=[chosen])
    choices = ask(live, [ids, [*ids, chosen]], n=2, prompt_logprobs=2)
    assert [len(choice["prompt_logprobs"]) for choice in choices] == [len(ids)] * 2 + [len(ids) + 1] * 2
    assert choices[2]["prompt_logprobs"] == choices[3]["prompt_logprobs"]
    first, *rest = choices[2]["prompt_logprobs"]
    assert first is None
    for token, entry in zip([*ids[1:], chosen], rest, strict=True):
        assert next(iter(entry)) == str(token)
        ranked = {told["rank"]: told["logprob"] for told in entry.values() if told["rank"]}
        assert sorted(ranked) == [1, 2]
        assert ranked[1] >= ranked[2]
    told = rest[-1][str(chosen)]
    assert told["logprob"] == pytest.approx(forced["logprobs"]["token_logprobs"][0], abs=1e-4)
    assert told["decoded_token"] == forced["logprobs"]["tokens"][0]
    assert "prompt_logprobs" not in forced


def test_chat_reports_prompt_logprobs_beside_its_choices(live):
    asked = {"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 1, "prompt_logprobs": 0}
    reply = live.post("/v1/chat/completions", json=asked).json()
    assert len(reply["prompt_logprobs"]) == reply["usage"]["prompt_tokens"]
    assert [len(entry or ()) for entry in reply["prompt_logprobs"]] == [0] + [1] * (reply["usage"]["prompt_tokens"] - 1)


def test_bad_word_is_not_written(live):
    encode = live.service._loaded.tokenizer.encode
    (free,) = ask(live, "Say")
    word = free["logprobs"]["tokens"][0]
    assert len(encode(word).ids) == 1
    (held,) = ask(live, "Say", bad_words=[word])
    assert word not in held["logprobs"]["tokens"]


def test_no_token_twice_when_runs_of_one_may_not_be_repeated(live):
    ids = live.service._loaded.tokenizer.encode("Say").ids
    (choice,) = ask(live, ids, max_tokens=30, no_repeat_ngram_size=1, typical_p=0.9, temperature=1.0, seed=1)
    # A token that is special, or no whole character, shows as one that others show as too.
    whole = [token for token in choice["logprobs"]["tokens"] if token and "\ufffd" not in token]
    assert len(whole) == len(set(whole)) > 5


def test_constraint_wins_over_what_is_forbidden(live):
    token = live.service._loaded.tokenizer.encode("z").ids[0]
    fields = {"guided_choice": ["red"], "bad_words": ["red", "r", "e", "d"], "allowed_token_ids": [token]}
    (choice,) = ask(live, "Pick:", max_tokens=20, **fields)
    assert (choice["text"], choice["finish_reason"]) == ("red", "stop")


def test_bad_words_that_leave_no_allowed_token_are_refused(live):
    token = live.service._loaded.tokenizer.encode("z").ids
    assert len(token) == 1
    reply = live.post("/v1/completions", json={"prompt": "x", "bad_words": ["z"], "allowed_token_ids": token})
    assert reply.status_code == 400
    assert reply.json()["error"]["param"] == "bad_words"


@pytest.mark.parametrize(
    ("fields", "allowed"),
    [
        ({"guided_choice": ["red", "green"]}, ["red", "green"]),
        ({"structured_outputs": {"choice": ["red", "green"]}}, ["red", "green"]),
        ({"guided_regex": "(cat|dog)s"}, ["cats", "dogs"]),
        ({"grammar": {"type": "regex", "value": "(cat|dog)s"}}, ["cats", "dogs"]),
        ({"response_format": {"type": "json_schema", "json_schema": {"schema": {"enum": [1, 2]}}}}, ["1", "2"]),
    ],
    ids=str,
)
def test_completion_is_constrained(live, fields, allowed):
    reply = live.client.completions.create(model="test-model", prompt="Pick:", n=3, extra_body=fields)
    assert {choice.text for choice in reply.choices} <= set(allowed)
    assert {choice.finish_reason for choice in reply.choices} == {"stop"}


CHATML = "<|im_start|>user\nHi<|im_end|>\n"


@pytest.mark.parametrize("stream", [False, True])
def test_echoed_special_tokens_are_told_as_they_were_written(live, stream):
    body = {"prompt": CHATML, "echo": True, "logprobs": 1, "max_tokens": 1, "temperature": 0, "stream": stream}
    choice = told(live, body)
    logprobs = choice["logprobs"]
    assert choice["text"].startswith(CHATML)
    assert "".join(logprobs["tokens"]).startswith(CHATML)
    assert {"<|im_start|>", "<|im_end|>"} <= set(logprobs["tokens"])
    for token, offset in zip(logprobs["tokens"], logprobs["text_offset"], strict=True):
        assert choice["text"].startswith(token, offset)


def test_special_tokens_that_the_echo_leaves_out_have_no_text(live):
    ids = live.post("/tokenize", json={"prompt": CHATML}).json()["tokens"]
    choice = told(live, {"prompt": ids, "echo": True, "logprobs": 1, "max_tokens": 1, "temperature": 0})
    assert "<|im_start|>" not in choice["text"]
    assert "".join(choice["logprobs"]["tokens"]) == choice["text"]


@pytest.mark.parametrize("stream", [False, True])
def test_a_prompt_is_scored_without_an_answer(live, stream):
    body = {"prompt": "The sky is blue", "echo": True, "logprobs": 2, "temperature": 0, "n": 2, "stream": stream}
    scored, answered = (told(live, {**body, "max_tokens": most}) for most in (0, 1))
    assert scored["text"] == "The sky is blue"
    assert scored["finish_reason"] == "length"
    assert "".join(scored["logprobs"]["tokens"]) == scored["text"]
    num_tokens = len(scored["logprobs"]["tokens"])
    for name, values in scored["logprobs"].items():
        assert values == answered["logprobs"][name][:num_tokens]
    assert scored["usage"]["completion_tokens"] == 0
    assert scored["usage"]["total_tokens"] == scored["usage"]["prompt_tokens"] == num_tokens


def test_a_prompt_may_be_echoed_alone(live):
    choice = told(live, {"prompt": "The sky is blue", "echo": True, "max_tokens": 0})
    assert (choice["text"], choice["logprobs"]) == ("The sky is blue", None)
    reply = live.post("/v1/completions", json={"prompt": "The sky is blue", "max_tokens": 0})
    assert reply.json()["error"]["param"] == "max_tokens"


def told(live, body):
    """The first choice with the usage, streamed or not."""
    reply = live.post("/v1/completions", json={**body, "stream_options": {"include_usage": True}})
    assert reply.status_code == 200, reply.text
    if not body.get("stream"):
        return {**reply.json()["choices"][0], "usage": reply.json()["usage"]}
    chunks = [json.loads(data) for _, data in sse(reply.text) if data != "[DONE]"]
    choices = [choice for chunk in chunks for choice in chunk["choices"] if choice["index"] == 0]
    logprobs: dict[str, list] = {}
    for choice in choices:
        for name, values in (choice["logprobs"] or {}).items():
            logprobs[name] = logprobs.get(name, []) + values
    return {
        "text": "".join(choice["text"] for choice in choices),
        "logprobs": logprobs,
        "finish_reason": choices[-1]["finish_reason"],
        "usage": chunks[-1]["usage"],
    }
