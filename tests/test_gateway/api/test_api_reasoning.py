"""Models that reason, over a real socket: the weights are random, so that masks and parsers alone keep the shape."""

import json
from pathlib import Path

import jsonschema
import pytest
from sdk_types import is_whole
from serving import config_for, serving
from test_api_constrained import CLOCK, PERSON, WEATHER
from tiny_model import TEMPLATE, write_tiny_model

from gateway.config import ProcessConfig

BEGUN = {"begun": True}
HELLO = [{"role": "user", "content": "Describe Ann, who is 31 and lives in Rome."}]
SCHEMA = {"type": "json_schema", "json_schema": {"name": "p", "schema": PERSON}}
EITHER = {"type": "object", "properties": {"a": {"enum": ["x", "</think>"]}}, "required": ["a"]}
SMALL = {"type": "json_schema", "json_schema": {"name": "s", "schema": {**EITHER, "additionalProperties": False}}}
MARKS = ("<think>", "</think>", "<tool_call>", "</tool_call>")
PROMPT_END = """\
{%- if add_generation_prompt %}
{%- if enable_thinking is defined and not enable_thinking %}{{ '<think>\\n\\n</think>\\n\\n' }}
{%- elif begun %}{{ '<think>\\n' }}{% endif %}
{%- endif %}
"""


@pytest.fixture(scope="module", params=["special", "text"])
def thinker(request, tmp_path_factory):
    """A server whose model thinks unless it is told not to; its prompts may begin the thoughts."""
    folder: Path = tmp_path_factory.mktemp(f"thinker-{request.param}")
    special = MARKS if request.param == "special" else ()
    write_tiny_model(folder, template=TEMPLATE + PROMPT_END, special=special)
    with serving(config_for(folder)) as live:
        yield live


def ask(live, *, begun=True, **fields):
    kwargs = fields.pop("chat_template_kwargs", {})
    body = {
        "messages": HELLO,
        "max_tokens": 90,
        "seed": 5,
        "chat_template_kwargs": {"begun": begun, **kwargs},
        **fields,
    }
    reply = live.post("/v1/chat/completions", json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()


def streamed(live, *, begun=True, **fields):
    """The pieces of a stream put together: reasoning, content, arguments, finish reason, usage."""
    body = {
        "messages": HELLO, "max_tokens": 90, "seed": 5, "stream": True, "stream_options": {"include_usage": True},
        "chat_template_kwargs": {"begun": begun}, **fields,
    }  # fmt: skip
    reasoning, content, arguments, finish, usage = "", "", "", None, None
    reply = live.post("/v1/chat/completions", json=body)
    assert reply.status_code == 200, reply.text
    for line in reply.text.splitlines():
        if not line.startswith("data: ") or line == "data: [DONE]":
            continue
        chunk = json.loads(line[6:])
        assert "error" not in chunk, chunk
        usage = chunk.get("usage") or usage
        for choice in chunk["choices"]:
            delta = choice["delta"]
            if delta.get("reasoning"):
                assert not content + arguments, "thoughts come first"
            reasoning += delta.get("reasoning") or ""
            content += delta.get("content") or ""
            arguments += "".join(call["function"]["arguments"] for call in delta.get("tool_calls") or [])
            finish = choice["finish_reason"] or finish
    return reasoning, content, arguments, finish, counted(usage)


def counted(usage):
    return usage["completion_tokens"], usage["completion_tokens_details"]["reasoning_tokens"]


@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize("budget", [0, 4, None])
def test_a_schema_holds_behind_thoughts(thinker, begun, budget):
    for seed in range(4):
        fields = {"response_format": SCHEMA, "seed": seed, "thinking_token_budget": budget}
        reply = ask(thinker, begun=begun, **fields)
        message, usage = reply["choices"][0]["message"], reply["usage"]
        jsonschema.validate(json.loads(message["content"]), PERSON)
        assert is_whole(reply["choices"][0])
        thought = usage["completion_tokens_details"]["reasoning_tokens"]
        assert thought < usage["completion_tokens"]
        if begun:
            assert thought > 0
        if budget == 0:
            assert not message.get("reasoning")
        again = streamed(thinker, begun=begun, **fields)
        assert again == (
            message.get("reasoning") or "",
            message["content"],
            "",
            reply["choices"][0]["finish_reason"],
            counted(usage),
        )


def test_thoughts_are_told_under_both_names_and_can_be_left_out(thinker):
    fields = {"response_format": SCHEMA, "thinking_token_budget": 6, "max_tokens": 120}
    message = ask(thinker, **fields)["choices"][0]["message"]
    assert message["reasoning"] == message["reasoning_content"] != ""
    quiet = ask(thinker, include_reasoning=False, **fields)
    assert "reasoning" not in quiet["choices"][0]["message"]
    assert quiet["choices"][0]["message"]["content"] == message["content"]
    assert quiet["usage"]["completion_tokens_details"]["reasoning_tokens"] > 0


@pytest.mark.parametrize("begun", [True, False])
def test_an_answer_is_complete_whatever_is_left_for_it(thinker, begun):
    refused = thinker.post(
        "/v1/chat/completions",
        json={
            "messages": HELLO, "max_tokens": 1, "response_format": SMALL, "chat_template_kwargs": {"begun": begun},
        },
    )  # fmt: skip
    assert refused.status_code == 400
    error = refused.json()["error"]
    assert error["param"] == "max_tokens"
    needed = int(error["message"].split("needs ")[1].split()[0])
    for max_tokens in range(needed, needed + 12):
        for budget in (None, 0, 2):
            reply = ask(
                thinker, begun=begun, max_tokens=max_tokens, response_format=SMALL, thinking_token_budget=budget,
                temperature=2, seed=max_tokens,
            )  # fmt: skip
            assert json.loads(reply["choices"][0]["message"]["content"])["a"] in ("x", "</think>")
            assert is_whole(reply["choices"][0])


@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize("choice", ["required", "auto", {"type": "function", "function": {"name": "clock"}}])
def test_calls_come_behind_thoughts(thinker, begun, choice):
    for seed in range(4):
        fields = {"tools": [WEATHER, CLOCK], "tool_choice": choice, "thinking_token_budget": 5, "seed": seed}
        reply = ask(thinker, begun=begun, **fields)
        message = reply["choices"][0]["message"]
        text = (message.get("content") or "") + (message.get("reasoning") or "")
        assert not any(mark in text for mark in ("<tool_call>", "</think>"))
        assert bool(message.get("tool_calls")) or choice == "auto"
        reasoning, content, arguments, finish, usage = streamed(thinker, begun=begun, **fields)
        assert reasoning == (message.get("reasoning") or "")
        assert content == (message.get("content") or "")
        assert arguments == "".join(call["function"]["arguments"] for call in message.get("tool_calls") or [])
        assert (finish, usage) == (reply["choices"][0]["finish_reason"], counted(reply["usage"]))


def test_thoughts_then_calls_or_an_answer_in_the_schema(thinker):
    kinds = set()
    for seed in range(12):
        reply = ask(
            thinker, tools=[CLOCK], response_format=SMALL, thinking_token_budget=3, seed=seed, temperature=1.5,
        )  # fmt: skip
        message = reply["choices"][0]["message"]
        kinds.add(bool(message.get("tool_calls")))
        if message.get("tool_calls"):
            assert not message["content"]
        else:
            assert json.loads(message["content"])["a"] in ("x", "</think>")
    assert kinds


@pytest.mark.parametrize(
    "constraint",
    [
        {"regex": r"\n*[a-c]{2}"},
        {"regex": r"[\s\S]{1,12}"},
        {"guided_choice": ["<think>", "\nno", "yes"]},
        {"guided_grammar": 'start: "\\n"? ("a" | "<think>b") /[xy]{1,4}/'},
        {"guided_grammar": 'root ::= "a" [xy]+'},
    ],
    ids=str,
)
@pytest.mark.parametrize("begun", [True, False])
def test_other_constraints_hold_behind_thoughts(thinker, begun, constraint):
    for seed in range(3):
        fields = {**constraint, "thinking_token_budget": 3, "max_tokens": 40, "temperature": 1.7, "seed": seed}
        message = ask(thinker, begun=begun, **fields)["choices"][0]["message"]
        reasoning, content, *_ = streamed(thinker, begun=begun, **fields)
        assert (content, reasoning) == (message["content"], message.get("reasoning") or "")


def test_free_text_is_told_from_thoughts(thinker):
    cut = ask(thinker, max_tokens=8)
    message = cut["choices"][0]["message"]
    assert (message["content"], cut["choices"][0]["finish_reason"]) == ("", "length")
    assert message["reasoning"]
    assert cut["usage"]["completion_tokens_details"]["reasoning_tokens"] == 8
    bounded = ask(thinker, max_tokens=30, thinking_token_budget=4)
    assert bounded["choices"][0]["message"]["content"]
    thought = bounded["usage"]["completion_tokens_details"]["reasoning_tokens"]
    assert thought <= 4 + len("</think>\n\n")


def test_thinking_can_be_switched_off(thinker):
    for fields in ({"chat_template_kwargs": {"enable_thinking": False}}, {"reasoning_effort": "none"}):
        reply = ask(thinker, response_format=SMALL, **fields)
        assert not reply["choices"][0]["message"].get("reasoning")
        assert reply["usage"]["completion_tokens_details"]["reasoning_tokens"] == 0


def test_stop_strings_and_logprobs_are_about_content_alone(thinker):
    fields = {"max_tokens": 60, "thinking_token_budget": 12, "temperature": 0, "logprobs": True}
    whole = ask(thinker, **fields)["choices"][0]
    content, reasoning = whole["message"]["content"], whole["message"]["reasoning"]
    told = b"".join(bytes(entry["bytes"]) for entry in whole["logprobs"]["content"])
    assert told.decode("utf-8", "replace").strip().startswith(content.strip()[:20])
    assert len(whole["logprobs"]["content"]) <= 60 - 12
    shared = next((letter for letter in content[2:] if letter in reasoning and letter not in content[:2]), None)
    stop = shared or content[2]
    stopped = ask(thinker, **fields, stop=[stop])["choices"][0]
    assert stopped["message"]["reasoning"] == reasoning
    assert stopped["message"]["content"] == content[: content.index(stop)]
    assert stopped["stop_reason"] == stop


@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize("form", [SMALL, None], ids=["schema", "free"])
def test_a_message_ends_thoughts_whose_budget_is_spent(thinker, begun, form):
    ended, message = set(), " No time: I answer."
    for seed in range(3):
        fields = {
            "response_format": form, "thinking_token_budget": 4, "reasoning_budget_message": message, "seed": seed,
            "temperature": 1.5,
        }  # fmt: skip
        reply = ask(thinker, begun=begun, **fields)
        choice = reply["choices"][0]
        reasoning = choice["message"].get("reasoning") or ""
        ended.add(reasoning.endswith(message))
        if form is not None:
            assert json.loads(choice["message"]["content"])["a"] in ("x", "</think>")
        assert streamed(thinker, begun=begun, **fields)[:2] == (reasoning, choice["message"]["content"])
    assert True in ended or not begun


def test_the_message_has_room_in_whatever_is_left_for_an_answer(thinker):
    message = " No time: I answer."
    fields = {"response_format": SMALL, "thinking_token_budget": 50, "reasoning_budget_message": message}
    body = {"messages": HELLO, "chat_template_kwargs": BEGUN, **fields}
    error = thinker.post("/v1/chat/completions", json={**body, "max_tokens": 1}).json()["error"]
    plain = int(error["message"].split("needs ")[1].split()[0])
    refused = thinker.post("/v1/chat/completions", json={**body, "max_tokens": plain})
    error = refused.json()["error"]
    assert (refused.status_code, error["param"]) == (400, "reasoning_budget_message")
    assert f"{plain} are left" in error["message"]
    needed = int(error["message"].split("needs ")[1].split(",")[0])
    for max_tokens in range(needed, needed + 6):
        choice = ask(thinker, max_tokens=max_tokens, temperature=2, **fields)["choices"][0]
        assert json.loads(choice["message"]["content"])["a"] in ("x", "</think>")
        assert is_whole(choice)
        assert choice["message"]["reasoning"].endswith(message.strip()) or max_tokens > needed


def test_responses_and_messages_have_the_message_beside_the_budget(thinker):
    message = " No time: I answer."
    body = {
        "input": "Hello", "reasoning": {"max_tokens": 3, "budget_message": message}, "seed": 5, "max_output_tokens": 60,
        "chat_template_kwargs": BEGUN,
    }  # fmt: skip
    reply = thinker.post("/v1/responses", json=body)
    assert reply.status_code == 200, reply.text
    (thought,) = (item for item in reply.json()["output"] if item["type"] == "reasoning")
    assert thought["content"][0]["text"].endswith(message)
    body = {
        "model": "test-model", "max_tokens": 60, "messages": HELLO, "seed": 5,
        "thinking": {"type": "enabled", "budget_tokens": 3, "budget_message": message},
    }  # fmt: skip
    told = thinker.post("/v1/messages", json=body)
    assert told.status_code == 200, told.text
    blocks = told.json()["content"]
    assert all(block["thinking"].endswith(message) for block in blocks if block["type"] == "thinking")
    for path, fields, param in (
        ("responses", {"reasoning": {"budget_message": message}}, "reasoning.budget_message"),
        ("messages", {"thinking": {"type": "adaptive", "budget_message": message}}, "thinking.budget_message"),
    ):
        common = (
            {"input": "Hello"} if path == "responses" else {"model": "test-model", "max_tokens": 9, "messages": HELLO}
        )
        refused = thinker.post(f"/v1/{path}", json={**common, **fields})
        assert refused.status_code == 400, refused.text
        assert f"{param} needs " in refused.json()["error"]["message"]


def test_what_is_no_wish_is_refused(thinker):
    for fields, param in (
        ({"reasoning_effort": "heroic"}, "reasoning_effort"),
        ({"thinking_token_budget": -1}, "thinking_token_budget"),
        ({"reasoning_budget_message": "Enough."}, "reasoning_budget_message"),
        (
            {"thinking_token_budget": 5, "reasoning_budget_message": "a </think> b", "chat_template_kwargs": BEGUN},
            "reasoning_budget_message",
        ),
        ({"stream_reasoning": False}, "stream_reasoning"),
    ):
        reply = thinker.post("/v1/chat/completions", json={"messages": HELLO, **fields})
        assert (reply.status_code, reply.json()["error"]["param"]) == (400, param)


def test_bounds_hold_in_an_engine_with_a_process_of_its_own(tmp_path):
    write_tiny_model(tmp_path, template=TEMPLATE + PROMPT_END, special=MARKS)
    with serving(config_for(tmp_path, process=ProcessConfig(mode="process"))) as live:
        for seed in range(3):
            for budget in (2, 5, None):
                reply = ask(live, response_format=SMALL, thinking_token_budget=budget, seed=seed, max_tokens=30)
                assert json.loads(reply["choices"][0]["message"]["content"])["a"] in ("x", "</think>")
                thought = reply["usage"]["completion_tokens_details"]["reasoning_tokens"]
                # Beside the thoughts their end marker, and a line feed or two.
                assert budget is None or 1 <= thought <= budget + 3
        assert streamed(live, response_format=SMALL, thinking_token_budget=3, tools=[CLOCK])[0]
        fields = {"thinking_token_budget": 3, "reasoning_budget_message": " Enough."}
        assert streamed(live, response_format=SMALL, **fields)[0].endswith(" Enough.")
