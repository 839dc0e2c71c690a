"""Answers that go round in circles, over a real socket: where they end, and what clients of each kind are told."""

import asyncio
import json
import zlib
from dataclasses import replace

import openai
import pytest
from guarded_dialects import policy_of
from odd_prompts import ODD_PROMPTS
from pydantic import BaseModel
from scripted import policies
from serving import config_for, serving
from test_api_reasoning import MARKS, PROMPT_END
from tiny_model import TEMPLATE, write_tiny_model

from gateway.api.anthropic.reply import Reply
from gateway.config import EngineConfig, LimitsConfig
from gateway.core.answer import Finish
from gateway.core.constraints import JsonConstraint
from gateway.core.request import ChatRequest, Options, Sampling
from gateway.service import Service
from tests.counts import few_or_all

RULE = {"max_pattern_size": 4, "min_count": 5}
HELLO = [{"role": "user", "content": "Say hello."}]


class Note(BaseModel):
    text: str
    done: bool


SCHEMA = {**Note.model_json_schema(), "additionalProperties": False}
FORMAT = {"type": "json_schema", "json_schema": {"name": "note", "schema": SCHEMA}}
TOOL = {"type": "function", "function": {"name": "note", "parameters": SCHEMA}}


@pytest.fixture(params=["whole", "streamed"])
def streams(request):
    return request.param == "streamed"


@pytest.fixture(scope="module")
def thinker(tmp_path_factory):
    """A server whose model thinks; its prompts may begin the thoughts."""
    folder = tmp_path_factory.mktemp("thinker")
    write_tiny_model(folder, template=TEMPLATE + PROMPT_END, special=MARKS)
    with serving(config_for(folder)) as live:
        yield live


def rut(live, text="x", **fields):
    """A request whose answer is the same token for ever, where it may be."""
    (token,) = live.service.encode(text, add_special_tokens=False)
    return {"max_tokens": 80, "temperature": 0, "logit_bias": {token: 100}, "repetition_detection": RULE} | fields


def is_short_loop(text):
    """It went round in circles and no further; a token beside them may begin or end the string."""
    assert "xxxxx" in text
    assert len(text) < 10


def chat(live, streams, **fields):
    """The choices as they are on the wire, with the text of each."""
    body = rut(live, **{"model": "test-model", "messages": HELLO, "stream": streams, **fields})
    reply = live.post("/v1/chat/completions", json=body)
    assert reply.status_code == 200, reply.text
    if not streams:
        return [{**each, **each["message"]} for each in reply.json()["choices"]]
    told = {}
    for line in reply.text.splitlines():
        if line.startswith("data: {"):
            for each in json.loads(line[6:])["choices"]:
                one = told.setdefault(each["index"], {"content": "", "reasoning": "", "arguments": ""})
                one["content"] += each["delta"].get("content") or ""
                one["reasoning"] += each["delta"].get("reasoning") or ""
                for call in each["delta"].get("tool_calls") or ():
                    one["arguments"] += call["function"]["arguments"]
                one |= {name: each[name] for name in ("finish_reason", "stop_reason") if each.get(name)}
    return [told[index] for index in sorted(told)]


def test_a_free_answer_ends(tiny_live, streams):
    for choice in chat(tiny_live, streams, n=3, temperature=1, seed=1):
        assert choice["content"] == "xxxxx"
        assert (choice["finish_reason"], choice["stop_reason"]) == ("repetition", "repetition_detected")
    (endless,) = chat(tiny_live, streams, repetition_detection={"max_pattern_size": 0})
    assert (endless["content"], endless["finish_reason"]) == ("x" * 80, "length")


def test_unasked_it_is_told_in_words_that_the_types_of_openai_have(tiny_live):
    fields = rut(tiny_live, model="test-model", messages=HELLO, max_tokens=600)
    del fields["repetition_detection"]
    create, dump = tiny_live.client.chat.completions.create, {"mode": "json", "warnings": "error"}
    cut = create(**fields)
    assert (cut.usage.completion_tokens, cut.choices[0].finish_reason) == (384, "length")
    whole = create(**fields, response_format=FORMAT)
    assert (whole.usage.completion_tokens < 420, whole.choices[0].finish_reason) == (True, "stop")
    Note.model_validate_json(whole.choices[0].message.content)
    *_, last = create(**fields, stream=True)
    completion = tiny_live.client.completions.create(
        model="test-model", prompt="a", max_tokens=600, temperature=0, logit_bias=fields["logit_bias"]
    )
    for reply in (cut, whole, last, completion):
        assert reply.choices[0].stop_reason == "repetition_detected"
        type(reply).model_validate(reply.model_dump(**dump))


def test_an_answer_in_a_schema_is_whole(tiny_live, streams):
    (choice,) = chat(tiny_live, streams, response_format=FORMAT)
    is_short_loop(json.loads(choice["content"])["text"])
    assert (choice["finish_reason"], choice["stop_reason"]) == ("repetition", "repetition_detected")


def test_a_call_is_whole_and_is_called(tiny_live, streams):
    (choice,) = chat(tiny_live, streams, tools=[TOOL], tool_choice="required")
    arguments = choice["arguments"] if streams else choice["tool_calls"][0]["function"]["arguments"]
    Note.model_validate_json(arguments)
    assert (choice["finish_reason"], choice["stop_reason"]) == ("tool_calls", "repetition_detected")


def test_guarded_arrays_are_whole(tiny_live):
    schema = {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "minItems": 2}
    (choice,) = chat(tiny_live, False, response_format={"type": "json_schema", "json_schema": {"schema": schema}})
    first, second, *_ = json.loads(choice["content"])
    assert first != second


@pytest.mark.parametrize("begun", [True, False])
def test_thoughts_end_and_the_answer_begins(thinker, streams, begun):
    fields = {"response_format": FORMAT, "max_tokens": 150, "chat_template_kwargs": {"begun": begun}}
    if not begun:  # the model begins them itself
        fields["logit_bias"] = rut(thinker)["logit_bias"] | {
            thinker.service.encode("<think>", add_special_tokens=False)[0]: 100
        }
    (choice,) = chat(thinker, streams, **fields)
    assert choice["reasoning"].endswith("xxxxx")
    is_short_loop(choice["reasoning"])
    assert choice["content"].strip()
    assert json.loads(choice["content"])["done"] in (True, False)


def test_thoughts_before_a_free_answer_end_too(thinker, streams):
    expect_thoughts_to_end(thinker, streams)


def test_so_they_do_where_something_is_forbidden(thinker, streams, tmp_path):
    with policies(thinker, tmp_path, policy_of("terms", 'terms = ["xxy"]', "forbid")):
        expect_thoughts_to_end(thinker, streams)


def expect_thoughts_to_end(thinker, streams):
    (choice,) = chat(thinker, streams, chat_template_kwargs={"begun": True}, n=2, temperature=1)[:1]
    assert choice["reasoning"] == "xxxxx"
    assert (choice["content"], choice["finish_reason"]) == ("xxxxx", "repetition")
    (choice,) = chat(thinker, streams, chat_template_kwargs={"begun": True}, max_tokens=8)
    assert (choice["reasoning"], choice["content"], choice["finish_reason"]) == ("xxxxx", "xx", "length")
    (choice,) = chat(thinker, streams, chat_template_kwargs={"begun": True}, max_tokens=6)
    assert (choice["reasoning"], choice["content"] or "", choice["finish_reason"]) == ("xxxxx", "", "repetition")


def test_what_thoughts_took_is_counted_once(thinker):
    body = rut(thinker, model="test-model", messages=HELLO, chat_template_kwargs={"begun": True}, logprobs=True)
    reply = thinker.post("/v1/chat/completions", json=body).json()
    assert reply["usage"]["completion_tokens"] == 5 + 1 + 5
    assert reply["usage"]["completion_tokens_details"]["reasoning_tokens"] == 5 + 1
    assert [entry["token"] for entry in reply["choices"][0]["logprobs"]["content"]] == ["x"] * 5


def test_the_client_of_openai_reads_it(tiny_live):
    fields = rut(tiny_live, model="test-model", messages=HELLO)
    bias, rule = fields.pop("logit_bias"), {"repetition_detection": fields.pop("repetition_detection")}
    create = tiny_live.client.chat.completions.create
    assert create(**fields, logit_bias=bias, extra_body=rule).choices[0].finish_reason == "repetition"
    reply = tiny_live.client.chat.completions.parse(**fields, logit_bias=bias, extra_body=rule, response_format=Note)
    is_short_loop(reply.choices[0].message.parsed.text)
    with tiny_live.client.chat.completions.stream(
        **fields, logit_bias=bias, extra_body=rule, response_format=Note
    ) as stream:
        is_short_loop(stream.get_final_completion().choices[0].message.parsed.text)
    completion = tiny_live.client.completions.create(
        model="test-model", prompt="a", max_tokens=40, temperature=0, logit_bias=bias, extra_body=rule
    )
    assert (completion.choices[0].text, completion.choices[0].finish_reason) == ("xxxxx", "repetition")
    with pytest.raises(openai.BadRequestError, match="min_count"):
        create(**fields, extra_body={"repetition_detection": {"max_pattern_size": 3, "min_count": 1}})


def test_responses_are_incomplete_where_the_text_was_cut(tiny_live):
    body = rut(tiny_live, model="test-model", input="Say hello.")
    cut = tiny_live.post("/v1/responses", json=body).json()
    assert (cut["status"], cut["incomplete_details"]) == ("incomplete", {"reason": "max_output_tokens"})
    form = {"format": {"type": "json_schema", "name": "note", "schema": SCHEMA}}
    whole = tiny_live.post("/v1/responses", json={**body, "text": form}).json()
    assert whole["status"] == "completed"
    is_short_loop(json.loads(whole["output"][0]["content"][0]["text"])["text"])


def test_other_dialects_say_the_nearest_that_they_know(tiny_live):
    penalty = {"repeat_penalty": 0.01, "repeat_last_n": -1, "temperature": 0, "num_predict": 200}
    options = {**penalty, "repetition_detection": {"max_pattern_size": 40, "min_count": 3}}
    ollama = tiny_live.post(
        "/api/generate", json={"model": "test-model", "prompt": "xxxxxxxxxx", "options": options, "stream": False}
    ).json()
    assert (ollama["done_reason"], ollama["eval_count"] < 200) == ("repetition", True)
    parameters = {
        "repetition_penalty": 0.01, "max_new_tokens": 200, "details": True,
        "repetition_detection": {"max_pattern_size": 40, "min_count": 3},
    }  # fmt: skip
    details = tiny_live.post("/generate", json={"inputs": "xxxxxxxxxx", "parameters": parameters}).json()["details"]
    assert (details["finish_reason"], details["generated_tokens"] < 200) == ("length", True)
    reply = Reply(id="1", model="m", num_prompt=1, is_cut_by_context=True, hides_thinking=False)
    assert reply.stop(Finish(0, "length", has_looped=True), 0).stop_reason == "max_tokens"
    assert reply.stop(Finish(0, "stop", has_looped=True), 0).stop_reason == "end_turn"


def repeats(text):
    """Its end says the same again and again: there is next to nothing in it."""
    end = text.encode()[-600:]
    return len(zlib.compress(end, 9)) < 0.15 * len(end)


@pytest.mark.parametrize("step", few_or_all(4, 1))
def test_no_odd_prompt_fills_its_budget_with_a_loop(step):
    prompts = ODD_PROMPTS[::step]
    config = config_for(None, limits=LimitsConfig(default_max_tokens=1024))
    service = Service.load(replace(config, engine=EngineConfig(num_threads=2, max_waiting=400)))

    async def answer(prompt, constraint):
        options = Options(sampling=Sampling(temperature=0.0), constraint=constraint)
        request = ChatRequest(messages=({"role": "user", "content": prompt},), options=options)
        prepared = await service.prepare_chat(request)
        answers = await service.answer(prepared)
        return answers.choices[0], answers.usage.completion_tokens

    async def answer_all():
        constraints = (None, JsonConstraint(schema=SCHEMA, origin="response_format"))
        return await asyncio.gather(*(answer(each, how) for how in constraints for each in prompts))

    try:
        told = asyncio.run(answer_all())
    finally:
        service.close()
    assert len(told) == 2 * len(prompts)
    assert not [choice.text for choice, num_tokens in told if num_tokens >= 1000 and repeats(choice.text)]
    assert all(repeats(choice.text) for choice, _ in told[: len(prompts)] if choice.has_looped)
    for choice, _ in told[len(prompts) :]:
        Note.model_validate_json(choice.text)
    assert any(choice.has_looped for choice, _ in told)
