"""Completions that echo their prompt with its log-probabilities, and those that fill a gap."""

import asyncio
import json
import math

import pytest
from sdk_types import sse
from serving import config_for, serving
from tiny_model import write_tiny_model

from gateway.api.openai.completions import completion_chunks
from gateway.api.openai.reply_parts import Identity
from gateway.api.openai.requests import CompletionBody
from gateway.core.answer import Finish, PromptDelta, TextDelta, TokenLogprob, TopLogprob, Usage
from gateway.engine import SamplingParams
from gateway.service.request.plan import Prepared, Prompt

MARKS = ("<fim_prefix>", "<fim_suffix>", "<fim_middle>")


@pytest.fixture(scope="module")
def infill_live(tmp_path_factory):
    with serving(config_for(write_tiny_model(tmp_path_factory.mktemp("infill"), special=MARKS))) as live:
        yield live


def complete(live, **fields):
    response = live.post("/v1/completions", json={"seed": 1, "max_tokens": 6, **fields})
    assert response.status_code == 200, response.text
    return response.json()


def choices_of(chunks):
    """The chunks of each choice, put together."""
    found = {}
    for chunk in chunks:
        for choice in chunk["choices"]:
            whole = found.setdefault(choice["index"], {"text": "", "logprobs": {}, "finish_reason": None})
            whole["text"] += choice["text"]
            for name, values in (choice["logprobs"] or {}).items():
                whole["logprobs"].setdefault(name, []).extend(values)
            whole["finish_reason"] = choice["finish_reason"] or whole["finish_reason"]
    return [found[index] for index in sorted(found)]


def streamed(live, **fields):
    response = live.post("/v1/completions", json={"seed": 1, "max_tokens": 6, "stream": True, **fields})
    assert response.status_code == 200, response.text
    *chunks, done = sse(response.text)
    assert done == (None, "[DONE]")
    return [json.loads(data) for _, data in chunks]


@pytest.mark.parametrize(
    "fields",
    [
        {"prompt": "The weather", "logprobs": 2},
        {"prompt": "The weather", "logprobs": 0, "max_tokens": 1},
        {"prompt": ["The weather", "Say hello"], "n": 2, "logprobs": 1},
        {"prompt": [[70], [71, 72]], "logprobs": 1},
        {"prompt": "The ", "suffix": " today.", "logprobs": 1},
        {"prompt": "", "suffix": " today.", "logprobs": 1},
    ],
    ids=str,
)
def test_an_echo_is_streamed_with_the_log_probabilities_that_it_has_whole(infill_live, fields):
    whole = complete(infill_live, **fields, echo=True)
    *chunks, last = streamed(infill_live, **fields, echo=True, stream_options={"include_usage": True})
    assert last["usage"] == whole["usage"]
    expected = [{name: choice[name] for name in ("text", "logprobs", "finish_reason")} for choice in whole["choices"]]
    assert choices_of(chunks) == expected
    plain = choices_of(streamed(infill_live, **fields))
    for told, answer in zip(expected, plain, strict=True):
        # The prompt's are the first, and the answer's are those that it has alone.
        count = len(answer["logprobs"]["tokens"])
        assert told["logprobs"]["tokens"][-count:] == answer["logprobs"]["tokens"]


def test_an_echo_is_one_chunk_before_its_answer(tiny_live):
    first, *others = streamed(tiny_live, prompt="The weather", echo=True, logprobs=1)
    (choice,) = first["choices"]
    assert choice["text"] == "".join(choice["logprobs"]["tokens"]) == "The weather"
    assert others


def test_an_answer_that_is_there_before_its_prompt_is_told_waits_for_it():
    def entry(token):
        return TokenLogprob(TopLogprob(0, token, token.encode(), -1.0), ())

    async def batches():
        yield [TextDelta(1, "x", (entry("x"),)), Finish(1, "length")]
        yield []
        yield [PromptDelta(0, (entry("b"),)), TextDelta(0, "y", (entry("y"),)), Finish(0, "length")]
        yield [Usage(2, 2)]

    async def told():
        body = CompletionBody(prompt="ab", echo=True, logprobs=0, n=2, stream=True)
        prompt = Prompt(ids=(0, 1), sampling=SamplingParams(max_tokens=1), echo="ab", echo_end=2)
        prepared = Prepared(model_name="m", prompts=(prompt,), n=2, candidates=2)
        chunks = completion_chunks(Identity.new("cmpl", "m"), batches(), prepared, body, lambda ids: "a")
        return "".join([chunk.decode() async for chunk in chunks])

    read = [json.loads(data)["choices"][0] for _, data in sse(asyncio.run(told()))]
    assert [(choice["index"], choice["text"]) for choice in read if choice["text"]] == [
        (0, "ab"),
        (1, "ab"),
        (1, "x"),
        (0, "y"),
    ]
    offsets = [choice["logprobs"]["text_offset"] for choice in read if choice["text"]]
    assert offsets == [[0, 1], [0, 1], [2], [2]]


def test_an_echoed_prompt_has_the_log_probabilities_that_prompts_are_told(tiny_live):
    fields = {"prompt": ["The weather", "Say hello"], "n": 2, "logprobs": 2}
    plain = complete(tiny_live, **fields, prompt_logprobs=2)["choices"]
    echoed = complete(tiny_live, **fields, echo=True)["choices"]
    for choice, other in zip(echoed, plain, strict=True):
        told, answer = choice["logprobs"], other["logprobs"]
        prompt = other["prompt_logprobs"]
        assert choice["text"].startswith(fields["prompt"][choice["index"] // 2])
        assert told["tokens"][len(prompt) :] == answer["tokens"]
        assert "".join(told["tokens"][: len(prompt)]) == fields["prompt"][choice["index"] // 2]
        assert told["token_logprobs"][0] is None
        assert told["top_logprobs"][0] is None
        for place, candidates in enumerate(prompt[1:], start=1):
            first = next(iter(candidates.values()))
            assert told["tokens"][place] == first["decoded_token"]
            assert math.isclose(told["token_logprobs"][place], first["logprob"], abs_tol=1e-4)
        lengths = [len(token) for token in told["tokens"]]
        assert told["text_offset"] == [sum(lengths[:place]) for place in range(len(lengths))]
        assert all(token in top for token, top in zip(told["tokens"][1:], told["top_logprobs"][1:], strict=True))


def test_a_gap_is_asked_for_with_the_models_own_marks(infill_live):
    filled = complete(infill_live, prompt="The ", suffix=" today.", logprobs=1)
    by_hand = complete(infill_live, prompt="<fim_prefix>The <fim_suffix> today.<fim_middle>", logprobs=1)
    assert filled["choices"] == by_hand["choices"]
    assert filled["usage"]["prompt_tokens"] == by_hand["usage"]["prompt_tokens"]


def test_the_echo_of_a_gaps_beginning_leaves_the_marks_out(infill_live):
    (choice,) = complete(infill_live, prompt="The ", suffix=" today.", logprobs=0, echo=True)["choices"]
    tokens = choice["logprobs"]["tokens"]
    assert "".join(tokens).startswith("The ")
    assert None not in choice["logprobs"]["token_logprobs"]
    assert choice["text"].startswith("The ")
    assert not any(mark in choice["text"] for mark in MARKS)


def test_a_suffix_that_says_nothing_asks_for_nothing(tiny_live):
    assert complete(tiny_live, prompt="x", suffix="")["choices"] == complete(tiny_live, prompt="x")["choices"]


def test_best_of_nothing_and_a_bias_of_nothing_are_nothing(tiny_live):
    plain = complete(tiny_live, prompt="x")["choices"]
    assert complete(tiny_live, prompt="x", best_of=0, logit_bias={"foo": 0, "5": 0})["choices"] == plain
