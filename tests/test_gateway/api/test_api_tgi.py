"""TGI's API over a real socket, by Hugging Face's client and by hand."""

import json
import math

import pytest
from huggingface_hub import InferenceClient
from huggingface_hub.errors import ValidationError

from gateway.api.tgi.envelope import error_event, kind_of
from gateway.api.tgi.routes import FAILURES
from gateway.errors import EngineError, GatewayError, OverloadedError, VerificationError, leaves

SCHEMA = {
    "type": "object",
    "properties": {"city": {"enum": ["Paris", "Rome"]}, "warm": {"type": "boolean"}},
    "required": ["city", "warm"],
    "additionalProperties": False,
}


@pytest.fixture
def hub(live):
    return InferenceClient(base_url=live.url)


def told_of(token):
    told = token if isinstance(token, dict) else vars(token)  # the client leaves inner lists as they are
    return told["id"], told["text"], told["special"]


def lines_of(reply):
    return [json.loads(line.removeprefix("data:")) for line in reply.text.splitlines() if line.startswith("data:")]


def generate(live, inputs="The weather in", path="/generate", **parameters):
    reply = live.post(path, json={"inputs": inputs, "parameters": parameters})
    assert reply.status_code == 200, reply.text
    return reply


def test_hub_client_gets_text_in_the_shape_it_asked_for(hub):
    text = hub.text_generation(
        "Describe a city:", grammar={"type": "json", "value": SCHEMA}, max_new_tokens=60, seed=1, do_sample=True
    )
    assert json.loads(text).keys() == {"city", "warm"}
    code = hub.text_generation("A code:", grammar={"type": "regex", "value": "[A-C]{3}-[0-9]{2}"}, max_new_tokens=20)
    assert len(code) == 6
    assert code[3] == "-"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_hub_client_reads_the_same_tokens_streamed_and_whole(hub, seed):
    asked = {"max_new_tokens": 24, "details": True, "do_sample": True, "temperature": 1.4, "seed": seed}
    whole = hub.text_generation("Grüße aus", **asked, top_n_tokens=2, decoder_input_details=True)
    events = list(hub.text_generation("Grüße aus", **asked, top_n_tokens=2, stream=True))
    assert [event.index for event in events] == list(range(1, len(events) + 1))
    tokens = whole.details.tokens
    assert [told_of(event.token) for event in events] == [told_of(token) for token in tokens]
    told = [[told_of(token) for token in event.top_tokens] for event in events]
    assert told == [[told_of(token) for token in top] for top in whole.details.top_tokens]
    # A prompt whose tokens are scored is computed in other pieces.
    assert [event.token.logprob for event in events] == pytest.approx([token.logprob for token in tokens], abs=0.05)
    assert all(event.generated_text is None and event.details is None for event in events[:-1])
    last = events[-1]
    assert last.generated_text == whole.generated_text
    assert last.details.finish_reason == whole.details.finish_reason
    assert last.details.generated_tokens == whole.details.generated_tokens == len(tokens)
    assert last.details.seed == whole.details.seed == seed
    assert last.details.input_length == len(whole.details.prefill)
    assert "".join(token.text for token in tokens if not token.special) == whole.generated_text
    assert all(token.logprob <= 0 for token in tokens)
    assert [token.logprob is None for token in whole.details.prefill] == [True] + [False] * (
        len(whole.details.prefill) - 1
    )


@pytest.mark.parametrize("seed", range(61, 65))
def test_characters_of_several_tokens_stand_in_the_same_token_streamed_and_whole(live, seed):
    asked = {"max_new_tokens": 20, "details": True, "do_sample": True, "temperature": 0.9, "seed": seed}
    whole = generate(live, "مرحبا", **asked).json()["details"]["tokens"]
    events = lines_of(generate(live, "مرحبا", path="/generate_stream", **asked))
    assert [event["token"]["text"] for event in events] == [token["text"] for token in whole]


def test_what_is_told_of_the_prompt_is_a_detail(live):
    details = generate(live, max_new_tokens=2, decoder_input_details=True).json()["details"]
    assert details["prefill"]
    assert details["generated_tokens"] == len(details["tokens"]) == 2


def test_hub_client_streams_text_alone(hub):
    asked = {"max_new_tokens": 12, "grammar": {"type": "json", "value": SCHEMA}, "do_sample": True, "seed": 5}
    asked["max_new_tokens"] = 60
    pieces = list(hub.text_generation("A city:", **asked, stream=True, details=True))
    text = "".join(piece.token.text for piece in pieces if not piece.token.special)
    assert text == hub.text_generation("A city:", **asked)
    assert SCHEMA["properties"].keys() == json.loads(text).keys()


def test_hub_client_reads_an_error_by_its_type(hub):
    with pytest.raises(ValidationError, match="best_of"):
        hub.text_generation("x", best_of=0)
    with pytest.raises(ValidationError, match="watermark"):
        hub.text_generation("x", watermark=True)
    with pytest.raises(ValidationError, match=r"grammar\.value: a group is not closed"):
        hub.text_generation("x", grammar={"type": "regex", "value": "(("})


def test_hub_client_chats_under_a_schema(hub):
    format_ = {"type": "json_schema", "json_schema": {"name": "city", "schema": SCHEMA}}
    reply = hub.chat_completion([{"role": "user", "content": "A city?"}], response_format=format_, max_tokens=60)
    assert json.loads(reply.choices[0].message.content).keys() == SCHEMA["properties"].keys()


def test_root_answers_with_a_list_or_with_events(live):
    parameters = {"max_new_tokens": 4}
    (one,) = generate(live, path="/", **parameters).json()
    assert one == generate(live, **parameters).json() == {"generated_text": one["generated_text"]}
    streamed = live.post("/", json={"inputs": "The weather in", "parameters": parameters, "stream": True})
    assert streamed.headers["content-type"].startswith("text/event-stream")
    events = lines_of(streamed)
    assert events == lines_of(generate(live, path="/generate_stream", **parameters))
    assert events[-1]["generated_text"] == one["generated_text"]
    assert events[-1]["details"] is None


def test_nulls_and_unknown_fields_ask_for_nothing(live):
    names = "best_of repetition_penalty seed temperature top_k top_p truncate typical_p frequency_penalty grammar"
    nulls = dict.fromkeys([*names.split(), "top_n_tokens", "return_full_text"])
    plain = generate(live, max_new_tokens=5)
    asked = {"inputs": "The weather in", "parameters": {"max_new_tokens": 5, **nulls}, "max_retries": 2, "stream": None}
    assert live.post("/generate", json=asked).json() == plain.json()


def test_without_parameters_a_hundred_tokens_are_drawn(live):
    reply = live.post("/generate", json={"inputs": "The", "parameters": {"details": True, "do_sample": True}}).json()
    details = reply["details"]
    assert details["generated_tokens"] == 100 or details["finish_reason"] == "eos_token"
    assert isinstance(details["seed"], int)
    again = generate(live, "The", details=True, do_sample=True, seed=details["seed"]).json()
    assert again == reply


def test_greedy_answers_have_no_seed_and_a_warper_draws(live):
    assert generate(live, max_new_tokens=2, details=True).json()["details"]["seed"] is None
    assert generate(live, max_new_tokens=2, details=True, top_k=5).json()["details"]["seed"] is not None
    assert generate(live, max_new_tokens=2, details=True, top_p=1.0).json()["details"]["seed"] is None


@pytest.mark.parametrize("path", ["/generate", "/generate_stream"])
def test_text_ends_with_its_stop_sequence(live, path):
    free = generate(live, max_new_tokens=12).json()["generated_text"]
    stop = free[4:7]
    reply = generate(live, path=path, max_new_tokens=12, stop=[stop], details=True)
    last = reply.json() if path == "/generate" else lines_of(reply)[-1]
    assert last["generated_text"] == free[: free.index(stop) + len(stop)]
    assert last["details"]["finish_reason"] == "stop_sequence"
    tokens = last["details"]["tokens"] if path == "/generate" else [event["token"] for event in lines_of(reply)]
    assert "".join(token["text"] for token in tokens) == last["generated_text"]


@pytest.mark.parametrize("seed", range(4))
def test_stop_sequence_that_does_not_come_loses_no_text(live, seed):
    asked = {"max_new_tokens": 30, "do_sample": True, "temperature": 1.5, "seed": seed, "details": True}
    free = generate(live, **asked).json()
    held = generate(live, **asked, stop=["e never written"]).json()
    assert held["generated_text"] == free["generated_text"]
    assert [token["id"] for token in held["details"]["tokens"]] == [token["id"] for token in free["details"]["tokens"]]
    streamed = lines_of(generate(live, path="/generate_stream", **asked, stop=["e never written"]))
    assert "".join(e["token"]["text"] for e in streamed if not e["token"]["special"]) == free["generated_text"]


def test_end_of_sequence_is_a_special_token_of_the_answer(live):
    reply = generate(live, grammar={"type": "regex", "value": "yes"}, details=True, max_new_tokens=20).json()
    *tokens, end = reply["details"]["tokens"]
    assert reply["generated_text"] == "yes" == "".join(token["text"] for token in tokens)
    assert reply["details"]["finish_reason"] == "eos_token"
    assert end["special"]
    assert end["id"] in live.service._loaded.engine.eos_token_ids
    assert live.service._loaded.tokenizer.id_to_token(end["id"]) == end["text"]
    assert math.isfinite(end["logprob"])


def test_best_of_tells_the_likeliest_and_the_others(live):
    asked = {"best_of": 3, "do_sample": True, "temperature": 1.5, "seed": 11, "max_new_tokens": 8, "details": True}
    generated = generate(live, **asked).json()
    details = generated["details"]
    all_of_them = [details, *details["best_of_sequences"]]
    assert len(all_of_them) == 3

    def mean(sequence):
        return sum(token["logprob"] for token in sequence["tokens"]) / len(sequence["tokens"])

    means = [mean(sequence) for sequence in all_of_them]
    assert means == sorted(means, reverse=True)
    same = {"prompt": "The weather in", "n": 3, "temperature": 1.5, "seed": 11, "max_tokens": 8}
    texts = [choice["text"] for choice in live.post("/v1/completions", json=same).json()["choices"]]
    told = [generated["generated_text"], *(sequence["generated_text"] for sequence in details["best_of_sequences"])]
    assert sorted(told) == sorted(texts)
    assert len({sequence["seed"] for sequence in all_of_them}) == 3
    assert 11 in {sequence["seed"] for sequence in all_of_them}


def test_prompt_is_truncated_and_told_with_the_text(live):
    encode = live.service._loaded.tokenizer.encode
    ids = encode("The weather in Paris is").ids
    reply = generate(
        live, "The weather in Paris is", truncate=2, return_full_text=True, decoder_input_details=True, details=True
    ).json()
    prefill = reply["details"]["prefill"]
    assert [token["id"] for token in prefill] == ids[-2:]
    assert "".join(token["text"] for token in prefill) == live.service.decode(ids[-2:])
    assert reply["generated_text"].startswith("The weather in Paris is")


def test_headers_tell_times_and_counts(live):
    reply = generate(live, "Grüße", max_new_tokens=3, details=True)
    headers = reply.headers
    assert int(headers["x-generated-tokens"]) <= 3
    assert int(headers["x-compute-characters"]) == 5
    assert int(headers["x-prompt-tokens"]) > 0
    assert float(headers["x-compute-time"]) > 0
    total = int(headers["x-total-time"])
    assert total >= int(headers["x-inference-time"]) >= int(headers["x-time-per-token"]) >= 0


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"inputs": ""}, "inputs"),
        ({}, "inputs"),
        ({"inputs": "x", "parameters": {"temperature": 0}}, "temperature"),
        ({"inputs": "x", "parameters": {"temperature": -1.0}}, "temperature"),
        ({"inputs": "x", "parameters": {"top_p": 1.5}}, "top_p"),
        ({"inputs": "x", "parameters": {"max_new_tokens": 0}}, "max_new_tokens"),
        ({"inputs": "x", "parameters": {"truncate": 0}}, "truncate"),
        ({"inputs": "x", "parameters": {"watermark": True}}, "watermark"),
        ({"inputs": "x", "parameters": {"top_n_tokens": 10_000}}, "top_n_tokens"),
        ({"inputs": "x", "parameters": {"best_of": 1_000, "do_sample": True}}, "best_of"),
        ({"inputs": "x " * 60_000}, "inputs"),
        ({"inputs": "x", "parameters": {"grammar": {"type": "json"}}}, "grammar.value"),
        ({"inputs": "x", "parameters": {"grammar": {"type": "yaml", "value": "x"}}}, "grammar.type"),
        ({"inputs": "x", "parameters": {"grammar": {"type": "json", "value": "{"}}}, "not JSON"),
        ({"inputs": "x", "parameters": {"max_new_tokens": 2, "grammar": {"type": "json", "value": SCHEMA}}}, "needs"),
    ],
)
def test_what_cannot_be_served_is_a_validation_error(live, fields, word):
    for path in ("/generate", "/generate_stream", "/"):
        reply = live.post(path, json=fields)
        assert (reply.status_code, reply.json()["error_type"]) == (422, "validation"), reply.text
        assert word in reply.json()["error"]


@pytest.mark.parametrize("name", ["best_of", "decoder_input_details"])
def test_what_cannot_be_streamed_is_refused(live, name):
    parameters = {name: 2 if name == "best_of" else True, "do_sample": True}
    reply = live.post("/generate_stream", json={"inputs": "x", "parameters": parameters})
    assert (reply.status_code, reply.json()["error_type"]) == (422, "validation")
    assert "streaming" in reply.json()["error"]


def test_schema_may_be_text_or_have_a_name(live):
    texts = {
        generate(live, grammar=grammar, max_new_tokens=60).json()["generated_text"]
        for grammar in (
            {"type": "json", "value": SCHEMA},
            {"type": "json", "value": json.dumps(SCHEMA)},
            {"type": "json_schema", "value": {"name": "city", "schema": SCHEMA}},
            {"type": "json_schema", "value": SCHEMA},
        )
    }
    assert len(texts) == 1


def test_info_tells_the_model_and_the_bounds(live):
    info = live.get("/info").json()
    assert info["model_id"] == "test-model"
    assert info["max_total_tokens"] == live.service.model.max_context
    assert info["max_input_tokens"] < info["max_total_tokens"]


@pytest.mark.parametrize("kind", leaves(), ids=lambda kind: kind.__name__)
def test_every_failure_has_a_status_and_a_type(kind):
    error = kind.__new__(kind)
    GatewayError.__init__(error, "x")
    status, word = kind_of(error)
    assert status in FAILURES or status in (404, 405, 408, 431, 499), "documented, or of no route of the dialect"
    assert word


@pytest.mark.parametrize(
    ("error", "status", "word"),
    [
        (OverloadedError("x"), 429, "overloaded"),
        (EngineError("x"), 424, "generation"),
        (VerificationError("x"), 500, "incomplete_generation"),
    ],
)
def test_stream_that_fails_ends_with_the_words_of_tgi(error, status, word):
    assert kind_of(error)[0] == status
    data = error_event(error)
    assert data.startswith(b"data: ")
    assert json.loads(data[6:])["error_type"] == word
