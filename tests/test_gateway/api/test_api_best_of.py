"""Several answers to one prompt: as many as are asked for, the likeliest of them told."""

import pytest

from gateway.core.answer import Answer
from gateway.engine import TokenLogprobs
from gateway.service.answers.ranking import Likelihood, likeliest


def mean_logprob(choice):
    logprobs = choice["logprobs"]["token_logprobs"]
    return sum(logprobs) / len(logprobs)


BODY = {"prompt": "Say hello", "max_tokens": 12, "seed": 5, "temperature": 1.0}


@pytest.mark.parametrize("asked", [{"logprobs": 0}, {"logprobs": 2}])
def test_best_of_tells_the_likeliest_of_all(tiny_live, asked):
    """The candidates are those that `n` would tell, under the same seed."""
    candidates = tiny_live.post("/v1/completions", json=BODY | {"n": 6} | asked).json()
    best = tiny_live.post("/v1/completions", json=BODY | {"n": 2, "best_of": 6} | asked).json()
    ranked = sorted(candidates["choices"], key=mean_logprob, reverse=True)
    assert [choice["text"] for choice in best["choices"]] == [choice["text"] for choice in ranked[:2]]
    assert [choice["index"] for choice in best["choices"]] == [0, 1]
    assert mean_logprob(ranked[0]) > mean_logprob(ranked[-1])
    for choice, expected in zip(best["choices"], ranked, strict=False):
        assert choice["logprobs"] == expected["logprobs"]
    assert {k: best["usage"][k] for k in ("prompt_tokens", "completion_tokens")} == {
        k: candidates["usage"][k] for k in ("prompt_tokens", "completion_tokens")
    }, "all that was written is counted"


def test_best_of_ranks_without_telling_why(tiny_live):
    quiet = tiny_live.post("/v1/completions", json=BODY | {"best_of": 5}).json()
    loud = tiny_live.post("/v1/completions", json=BODY | {"best_of": 5, "logprobs": 1}).json()
    assert len(quiet["choices"]) == 1
    assert quiet["choices"][0]["text"] == loud["choices"][0]["text"]
    assert quiet["choices"][0]["logprobs"] is None


def test_best_of_ranks_each_prompt_by_itself(tiny_live):
    prompts = ["one", "two"]
    both = tiny_live.post("/v1/completions", json=BODY | {"prompt": prompts, "best_of": 4, "n": 2}).json()
    for index, prompt in enumerate(prompts):
        alone = tiny_live.post("/v1/completions", json=BODY | {"prompt": prompt, "best_of": 4, "n": 2}).json()
        texts = [choice["text"] for choice in alone["choices"]]
        assert [choice["text"] for choice in both["choices"][2 * index : 2 * index + 2]] == texts
    assert [choice["index"] for choice in both["choices"]] == [0, 1, 2, 3]


def test_best_of_in_chats_keeps_to_the_schema(tiny_live):
    body = {
        "messages": [{"role": "user", "content": "hello"}],
        "guided_regex": "[a-z]{3,9}",
        "best_of": 4,
        "n": 2,
        "seed": 1,
        "temperature": 1.0,
    }
    reply = tiny_live.post("/v1/chat/completions", json=body).json()
    texts = [choice["message"]["content"] for choice in reply["choices"]]
    assert all(text.isalpha() and 3 <= len(text) <= 9 for text in texts)
    assert len(texts) == 2
    assert reply["choices"][0]["logprobs"] is None


def test_prompt_logprobs_come_with_the_best_whichever_it_is(tiny_live):
    reply = tiny_live.post("/v1/completions", json=BODY | {"best_of": 6, "n": 3, "prompt_logprobs": 1}).json()
    first = reply["choices"][0]["prompt_logprobs"]
    assert len(first) == reply["usage"]["prompt_tokens"]
    assert all(choice["prompt_logprobs"] == first for choice in reply["choices"])


@pytest.mark.parametrize(
    ("extra", "code"),
    [
        ({"best_of": 2, "stream": True}, "unsupported_parameter"),
        ({"best_of": 3, "n": 2, "stream": True}, "unsupported_parameter"),
        ({"best_of": 1, "n": 2}, "invalid_value"),
        ({"best_of": -1}, "invalid_value"),
        ({"best_of": 17}, "invalid_value"),
        ({"best_of": "2"}, "invalid_value"),
    ],
    ids=str,
)
@pytest.mark.parametrize("path", ["/v1/completions", "/v1/chat/completions"])
def test_best_of_that_cannot_be_is_refused_by_name(tiny_live, path, extra, code):
    body = {"prompt": "x", "messages": [{"role": "user", "content": "x"}], "max_tokens": 2}
    reply = tiny_live.post(path, json=body | extra)
    assert (reply.status_code, reply.json()["error"]["code"], reply.json()["error"]["param"]) == (400, code, "best_of")


def test_best_of_that_equals_n_is_streamed(tiny_live):
    stream = tiny_live.client.completions.create(model="test-model", n=2, best_of=2, stream=True, **BODY)
    texts = {0: "", 1: ""}
    for chunk in stream:
        for choice in chunk.choices:
            texts[choice.index] += choice.text
    whole = tiny_live.post("/v1/completions", json=BODY | {"n": 2}).json()
    assert list(texts.values()) == [choice["text"] for choice in whole["choices"]]


def test_likelihood_is_per_token_and_an_empty_answer_the_least():
    likely, unlikely, empty = Likelihood(), Likelihood(), Likelihood()
    likely.add([TokenLogprobs(t, -1.0, ()) for t in (1, 2, 3)])
    unlikely.add([TokenLogprobs(1, -2.0, ())])
    empty.add([])
    assert likely.mean == -1.0
    answers = [Answer(i, str(i), (), "stop", None, ()) for i in range(3)]
    order = likeliest(answers, [empty, unlikely, likely], candidates=3, n=3)
    assert [answer.text for answer in order] == ["0", "1", "2"], "all are told, so nothing is ranked"
    best = likeliest(answers, [empty, unlikely, likely], candidates=3, n=2)
    assert [(answer.choice, answer.text) for answer in best] == [(0, "2"), (1, "1")]


def test_n_reads_the_prompt_once(tiny_live):
    before = tiny_live.service._loaded.engine.stats()
    prompt = "The weather in Paris is mild today, and nobody knows why. " * 8
    reply = tiny_live.post("/v1/completions", json=BODY | {"prompt": prompt, "n": 5}).json()
    after = tiny_live.service._loaded.engine.stats()
    read = after.num_prompt_tokens - before.num_prompt_tokens
    cached = after.num_cached_tokens - before.num_cached_tokens
    assert read == 5 * reply["usage"]["prompt_tokens"]
    assert read - cached == reply["usage"]["prompt_tokens"] + 4
    assert reply["usage"]["prompt_tokens_details"]["cached_tokens"] == 0
