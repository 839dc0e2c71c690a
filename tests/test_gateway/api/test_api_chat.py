"""Chats over a real socket, by the real client."""

import json

import pytest

HELLO = [{"role": "user", "content": "Say hello."}]


def test_chat_answers_with_usage_and_finish_reason(live):
    reply = live.client.chat.completions.create(model="test-model", messages=HELLO, max_tokens=6, seed=1)
    assert reply.object == "chat.completion"
    assert reply.id.startswith("chatcmpl-")
    assert reply.model == "test-model"
    choice = reply.choices[0]
    assert choice.message.role == "assistant"
    assert choice.finish_reason in ("stop", "length")
    assert reply.usage.completion_tokens <= 6
    assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens


def test_chat_that_ends_by_itself_was_not_cut_however_many_tokens_were_drafted(live):
    asked = {"model": "test-model", "messages": [{"role": "user", "content": "It is 21 degrees in Lima."}]}
    for _ in range(4):  # what was answered before is drafted
        reply = live.client.chat.completions.create(**asked, max_tokens=40, temperature=0)
        is_cut = reply.usage.completion_tokens >= 40
        assert reply.choices[0].finish_reason == ("length" if is_cut else "stop")


def test_chat_streams_what_it_answers_whole(live):
    asked = {"model": "test-model", "messages": HELLO, "max_tokens": 24, "seed": 5}
    whole = live.client.chat.completions.create(**asked)
    chunks = list(live.client.chat.completions.create(**asked, stream=True))
    assert {chunk.object for chunk in chunks} == {"chat.completion.chunk"}
    assert len({chunk.id for chunk in chunks}) == 1
    assert chunks[0].choices[0].delta.role == "assistant"
    assert all(chunk.choices[0].delta.role is None for chunk in chunks[1:])
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert text == whole.choices[0].message.content
    assert [chunk.choices[0].finish_reason for chunk in chunks[:-1]] == [None] * (len(chunks) - 1)
    assert chunks[-1].choices[0].finish_reason == whole.choices[0].finish_reason
    assert all(chunk.usage is None for chunk in chunks)


def test_chat_streams_usage_last_when_asked(live):
    stream = live.client.chat.completions.create(
        model="test-model", messages=HELLO, max_tokens=4, stream=True, stream_options={"include_usage": True}
    )
    *chunks, last = list(stream)
    assert last.choices == []
    assert last.usage.completion_tokens <= 4
    assert last.usage.prompt_tokens_details.cached_tokens >= 0
    assert all(chunk.usage is None and chunk.choices for chunk in chunks)


def test_chat_stream_is_events_with_data_alone_and_ends_with_done(live):
    body = {"messages": HELLO, "max_tokens": 4, "stream": True}
    reply = live.post("/v1/chat/completions", json=body)
    assert reply.headers["content-type"].startswith("text/event-stream")
    *events, done, end = reply.text.split("\n\n")
    assert (done, end) == ("data: [DONE]", "")
    assert all(event.startswith("data: {") and "\n" not in event for event in events)
    assert all("usage" not in json.loads(event[6:]) for event in events)


def test_chat_repeats_itself_under_the_same_seed(live):
    asked = {"model": "test-model", "messages": HELLO, "max_tokens": 12, "temperature": 4, "top_p": 1}
    texts = [live.client.chat.completions.create(**asked, seed=seed).choices[0].message.content for seed in (3, 3, 4)]
    assert texts[0] == texts[1] != texts[2]


def test_chat_gives_n_different_answers_the_first_as_if_alone(live):
    asked = {"model": "test-model", "messages": HELLO, "max_tokens": 12, "temperature": 4, "top_p": 1, "seed": 11}
    alone = live.client.chat.completions.create(**asked).choices[0].message.content
    reply = live.client.chat.completions.create(**asked, n=3)
    assert [choice.index for choice in reply.choices] == [0, 1, 2]
    texts = [choice.message.content for choice in reply.choices]
    assert texts[0] == alone
    assert len(set(texts)) == 3
    streamed = ["", "", ""]
    for chunk in live.client.chat.completions.create(**asked, n=3, stream=True):
        streamed[chunk.choices[0].index] += chunk.choices[0].delta.content or ""
    assert streamed == texts


def test_chat_counts_cached_prompt_tokens(live):
    messages = [{"role": "user", "content": "The same long beginning, again and again. " * 8}]
    asked = {"model": "test-model", "messages": messages, "max_tokens": 2}
    live.client.chat.completions.create(**asked)
    reply = live.client.chat.completions.create(**asked)
    assert 0 < reply.usage.prompt_tokens_details.cached_tokens < reply.usage.prompt_tokens


def test_chat_stops_at_a_stop_string_and_leaves_it_out(live):
    asked = {"model": "test-model", "messages": HELLO, "max_tokens": 40, "seed": 2, "temperature": 1.2}
    text = live.client.chat.completions.create(**asked).choices[0].message.content
    stop = text[len(text) // 2 : len(text) // 2 + 2]
    expected = text[: text.index(stop)]
    reply = live.client.chat.completions.create(**asked, stop=["\x00never", stop])
    assert reply.choices[0].message.content == expected
    assert reply.choices[0].finish_reason == "stop"
    kept = live.client.chat.completions.create(**asked, stop=stop, extra_body={"include_stop_str_in_output": True})
    assert kept.choices[0].message.content == expected + stop
    streamed = live.client.chat.completions.create(**asked, stop=stop, stream=True)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in streamed) == expected


def test_chat_reports_logprobs_that_match_the_text(live):
    asked = {"model": "test-model", "messages": HELLO, "max_tokens": 8, "logprobs": True, "top_logprobs": 3, "seed": 1}
    choice = live.client.chat.completions.create(**asked).choices[0]
    entries = choice.logprobs.content
    assert b"".join(bytes(entry.bytes) for entry in entries).decode("utf-8", "replace") == choice.message.content
    for entry in entries:
        assert entry.logprob <= 0
        assert len(entry.top_logprobs) == 3
        assert sorted((top.logprob for top in entry.top_logprobs), reverse=True) == [
            top.logprob for top in entry.top_logprobs
        ]
    streamed = [
        entry
        for chunk in live.client.chat.completions.create(**asked, stream=True)
        if chunk.choices[0].logprobs
        for entry in chunk.choices[0].logprobs.content
    ]
    assert [entry.token for entry in streamed] == [entry.token for entry in entries]


def test_chat_greedy_is_the_likeliest_token(live):
    choice = live.client.chat.completions.create(
        model="test-model", messages=HELLO, max_tokens=5, temperature=0, logprobs=True, top_logprobs=1
    ).choices[0]
    assert all(entry.token == entry.top_logprobs[0].token for entry in choice.logprobs.content)


@pytest.mark.parametrize("temperature", [1e-300, 1e-9, 1e-5])
def test_chat_next_to_no_temperature_is_none(live, temperature):
    asked = {"model": "test-model", "messages": HELLO, "max_tokens": 6}
    texts = [
        live.client.chat.completions.create(**asked, temperature=value).choices[0].message.content
        for value in (0, temperature)
    ]
    assert texts[0] == texts[1]


def test_chat_logit_bias_forbids_a_token(live):
    asked = {"model": "test-model", "messages": HELLO, "max_tokens": 1, "temperature": 0}
    first = live.client.chat.completions.create(**asked, logprobs=True).choices[0]
    if not first.logprobs:
        pytest.skip("the model says nothing here")
    token = first.logprobs.content[0].token
    token_id = live.service._loaded.tokenizer.encode(token, add_special_tokens=False).ids[0]
    other = live.client.chat.completions.create(**asked, logprobs=True, logit_bias={str(token_id): -100}).choices[0]
    assert not other.logprobs or other.logprobs.content[0].token != token


def test_chat_ignore_eos_and_min_tokens_fill_the_budget(live):
    reply = live.client.chat.completions.create(
        model="test-model", messages=HELLO, max_tokens=30, extra_body={"ignore_eos": True}
    )
    assert reply.usage.completion_tokens == 30
    assert reply.choices[0].finish_reason == "length"


@pytest.mark.parametrize(
    "messages",
    [
        [{"role": "system", "content": [{"type": "text", "text": "Be brief."}]}, *HELLO],
        [{"role": "developer", "content": "Be brief."}, *HELLO],
        [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}],
        [
            *HELLO,
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"a": [1, "ü"]}'}},
                    {"id": "call_2", "type": "function", "function": {"name": "g", "arguments": ""}},
                ],
            },
            {"role": "tool", "tool_call_id": "call_1", "content": [{"type": "text", "text": "42"}]},
            {"role": "tool", "tool_call_id": "call_2", "content": "43"},
        ],
        [*HELLO, {"role": "assistant", "content": None}, *HELLO],
        [{"role": "user", "name": "Ann", "content": None}],
    ],
    ids=["system-parts", "developer", "parts", "calls-and-results", "empty-assistant", "null-user"],
)
def test_chat_reads_messages_of_every_form(live, messages):
    assert live.client.chat.completions.create(model="test-model", messages=messages, max_tokens=2).choices


def test_chat_ignores_unknown_fields_and_nulls(live):
    body = {
        "model": None,
        "messages": [{**HELLO[0], "name": None, "tool_calls": None, "invented": 1}],
        "max_tokens": None,
        "max_completion_tokens": 3,
        "temperature": None,
        "tools": None,
        "tool_choice": None,
        "response_format": None,
        "stop": None,
        "stream": None,
        "stream_options": None,
        "functions": None,
        "logit_bias": None,
        "invented": {"deep": [1]},
        "user": "me",
        "metadata": {},
        "store": False,
        "reasoning_effort": "low",
    }
    reply = live.post("/v1/chat/completions", json=body)
    assert reply.status_code == 200, reply.text
    assert reply.json()["usage"]["completion_tokens"] <= 3


def test_chat_takes_aliases_and_answers_to_them(live):
    reply = live.client.chat.completions.create(model="org/name", messages=HELLO, max_tokens=1)
    assert reply.model == "org/name"
