"""Harmony over a real socket: random weights, the markers special tokens as in gpt-oss, two of them end tokens."""

import json

import jsonschema
import pytest
from serving import config_for, serving
from test_api_constrained import CLOCK, PERSON, WEATHER
from test_api_reasoning import SMALL, counted, streamed
from tiny_model import write_tiny_model

MARKS = ("<|start|>", "<|channel|>", "<|message|>", "<|constrain|>", "<|end|>", "<|call|>", "<|return|>")
TEMPLATE = """\
{{- '<|start|>system<|message|>Reasoning: ' + (reasoning_effort or 'medium') + '<|end|>' }}
{%- for message in messages %}
{%- set channel = '<|channel|>final' if message.role == 'assistant' else '' %}
{{- '<|start|>' + message.role + channel + '<|message|>' + (message.content or '') + '<|end|>' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|start|>assistant' }}{% endif %}
"""


@pytest.fixture(scope="module")
def oss(tmp_path_factory):
    folder = write_tiny_model(tmp_path_factory.mktemp("oss"), template=TEMPLATE, special=MARKS)
    vocabulary = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    ends = [vocabulary[name] for name in ("<|return|>", "<|call|>", "<|endoftext|>")]
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": ends}))
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps({**settings, "eos_token": "<|return|>"}))
    with serving(config_for(folder)) as live:
        yield live


def ask(live, **fields):
    body = {"messages": [{"role": "user", "content": "Who is Ann?"}], "max_tokens": 90, "seed": 5, **fields}
    reply = live.post("/v1/chat/completions", json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()


def both(live, **fields):
    """The message, whole; checked to be the same when it is streamed."""
    body = {"messages": [{"role": "user", "content": "Who is Ann?"}], **fields}
    reply = ask(live, **body)
    message = reply["choices"][0]["message"]
    arguments = "".join(call["function"]["arguments"] for call in message.get("tool_calls") or [])
    expected = message.get("reasoning") or "", message["content"] or "", arguments
    assert streamed(live, **body) == (*expected, reply["choices"][0]["finish_reason"], counted(reply["usage"]))
    assert "<|" not in "".join(expected)
    return message, reply["choices"][0]["finish_reason"]


def test_the_format_is_found(oss):
    assert oss.service._loaded.tool_format.name == oss.service._loaded.reasoning.name == "harmony"


@pytest.mark.parametrize("budget", [None, 0, 4])
def test_a_schema_holds_in_the_final_message(oss, budget):
    form = {"type": "json_schema", "json_schema": {"name": "p", "schema": PERSON}}
    thought = set()
    for seed in range(5):
        message, finish = both(oss, response_format=form, seed=seed, thinking_token_budget=budget, temperature=1.3)
        jsonschema.validate(json.loads(message["content"]), PERSON)
        assert finish in ("stop", "length")
        thought.add(bool(message.get("reasoning")))
    assert budget != 0 or thought == {False}


def test_an_answer_is_complete_whatever_is_left_for_it(oss):
    refused = oss.post("/v1/chat/completions", json={
        "messages": [{"role": "user", "content": "?"}], "max_tokens": 1, "response_format": SMALL,
    })  # fmt: skip
    assert refused.status_code == 400
    needed = int(refused.json()["error"]["message"].split("needs ")[1].split()[0])
    for max_tokens in range(needed, needed + 14):
        reply = ask(oss, max_tokens=max_tokens, response_format=SMALL, temperature=2, seed=max_tokens)
        assert json.loads(reply["choices"][0]["message"]["content"])["a"] in ("x", "</think>")


@pytest.mark.parametrize("choice", ["required", "auto", {"type": "function", "function": {"name": "clock"}}])
def test_calls_are_told_from_all_other_messages(oss, choice):
    called = 0
    for seed in range(6):
        fields = {"tools": [WEATHER, CLOCK], "tool_choice": choice, "thinking_token_budget": 5, "seed": seed}
        message, finish = both(oss, **fields, temperature=1.4)
        calls = message.get("tool_calls") or []
        called += len(calls)
        assert len(calls) <= 1
        assert choice == "auto" or calls
        assert not calls or finish == ("stop" if isinstance(choice, dict) else "tool_calls")
        for call in calls:
            arguments = json.loads(call["function"]["arguments"])
            if call["function"]["name"] == "get_weather":
                jsonschema.validate(arguments, WEATHER["function"]["parameters"])
            else:
                assert arguments == {}
    assert called or choice == "auto"


def test_calls_or_an_answer_in_the_schema(oss):
    for seed in range(8):
        fields = {"tools": [CLOCK], "response_format": SMALL, "thinking_token_budget": 3, "seed": seed}
        message, _ = both(oss, **fields, temperature=1.5)
        if not message.get("tool_calls"):
            assert json.loads(message["content"])["a"] in ("x", "</think>")


def test_other_constraints_hold_in_the_final_message(oss):
    for constraint in (
        {"regex": r"\s*[a-c]{2}"},
        {"guided_choice": ["<|end|>", "\nno", "yes"]},
        {"guided_grammar": 'root ::= "\\n" [xy]+'},
        {"guided_grammar": 'start: "a" /[xy]{1,4}/'},
    ):
        for seed in range(3):
            fields = {**constraint, "thinking_token_budget": 3, "max_tokens": 50, "temperature": 1.7, "seed": seed}
            body = {"messages": [{"role": "user", "content": "Who?"}], **fields}
            reply = ask(oss, **body)["choices"][0]["message"]
            assert streamed(oss, **body)[1] == reply["content"]


def test_free_text_is_read_with_and_without_a_budget(oss):
    cut = ask(oss, max_tokens=12)
    assert cut["choices"][0]["finish_reason"] in ("length", "stop")
    message, _ = both(oss, thinking_token_budget=4, max_tokens=40)
    assert "<|" not in (message["content"] or "")


def test_a_message_ends_thoughts_whose_budget_is_spent(oss):
    fields = {"thinking_token_budget": 4, "reasoning_budget_message": " Enough.", "max_tokens": 60, "temperature": 1.5}
    thoughts = [both(oss, seed=seed, response_format=SMALL, **fields)[0].get("reasoning") or "" for seed in range(6)]
    assert any(each.endswith(" Enough.") for each in thoughts)


def test_thoughts_can_be_forbidden(oss):
    for seed in range(6):
        for fields in ({}, {"response_format": SMALL}, {"tools": [CLOCK], "tool_choice": "required"}):
            message, _ = both(oss, reasoning_effort="none", seed=seed, temperature=1.5, **fields)
            assert not message.get("reasoning")


def test_effort_reaches_the_template(oss):
    prompts = [
        ask(oss, max_tokens=1, reasoning_effort=effort)["usage"]["prompt_tokens"] for effort in ("low", "medium")
    ]
    assert prompts[0] != prompts[1]
