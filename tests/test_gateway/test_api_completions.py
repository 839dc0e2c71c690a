"""Completions over a real socket, by the real client."""

import pytest


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


@pytest.mark.parametrize(
    ("fields", "allowed"),
    [
        ({"guided_choice": ["red", "green"]}, {"red", "green"}),
        ({"structured_outputs": {"choice": ["red", "green"]}}, {"red", "green"}),
        ({"guided_regex": "(cat|dog)s"}, {"cats", "dogs"}),
        ({"grammar": {"type": "regex", "value": "(cat|dog)s"}}, {"cats", "dogs"}),
        ({"response_format": {"type": "json_schema", "json_schema": {"schema": {"enum": [1, 2]}}}}, {"1", "2"}),
    ],
    ids=str,
)
def test_completion_is_constrained(live, fields, allowed):
    reply = live.client.completions.create(model="test-model", prompt="Pick:", n=3, extra_body=fields)
    assert {choice.text for choice in reply.choices} <= allowed
    assert {choice.finish_reason for choice in reply.choices} == {"stop"}
