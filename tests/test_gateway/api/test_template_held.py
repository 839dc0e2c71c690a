"""A chat template that tells what an answer is held to is told; others never see it."""

import shutil

import pytest
from serving import config_for, serving

from gateway.core.constraints import ChoiceConstraint, JsonConstraint, RegexConstraint
from gateway.service.request.rendering import MAX_CONSTRAINT_CHARACTERS, constraint_variables

SCHEMA = {"type": "object", "properties": {"name": {"const": "Ada"}}, "required": ["name"]}
FORMAT = {"type": "json_schema", "json_schema": {"name": "person", "schema": SCHEMA}}
LABELS = ["red", "green"]
TOOLS = [{"type": "function", "function": {"name": "find", "parameters": {"type": "object", "properties": {}}}}]
MESSAGES = [{"role": "user", "content": "who?"}]
PLAIN = "{% for message in messages %}{{ message.role + ': ' + message.content }}{% endfor %}"


def prompt_tokens(live, **fields):
    reply = live.post("/v1/chat/completions", json={"messages": MESSAGES, "max_tokens": 40, **fields})
    assert reply.status_code == 200, reply.text
    return reply.json()["usage"]["prompt_tokens"]


def told_tokens(live, **variables):
    body = {"messages": MESSAGES, "chat_template_kwargs": variables}
    return live.post("/tokenize", json=body).json()["count"]


@pytest.mark.parametrize(
    ("fields", "variables"),
    [
        ({"response_format": FORMAT}, {"response_schema": SCHEMA}),
        ({"guided_json": SCHEMA}, {"response_schema": SCHEMA}),
        ({"guided_choice": LABELS}, {"response_choices": LABELS}),
        ({"response_format": FORMAT, "chat_template_kwargs": {"response_schema": {}}}, {"response_schema": {}}),
        ({"response_format": {"type": "json_object"}}, {}),
        ({"guided_regex": "yes|no"}, {}),
        ({}, {}),
    ],
)
def test_the_template_is_told(live, fields, variables):
    assert prompt_tokens(live, **fields) == told_tokens(live, **variables)


def test_of_a_forced_call_the_format_is_not_told(live):
    forced = {"tools": TOOLS, "tool_choice": "required"}
    assert prompt_tokens(live, response_format=FORMAT, **forced) == prompt_tokens(live, **forced)
    assert prompt_tokens(live, response_format=FORMAT, tools=TOOLS) > prompt_tokens(live, tools=TOOLS)


def test_other_templates_are_not_told(tiny_model, tmp_path):
    folder = tmp_path / "model"
    shutil.copytree(tiny_model, folder)
    (folder / "chat_template.jinja").write_text(PLAIN)
    with serving(config_for(folder)) as other:
        assert prompt_tokens(other, response_format=FORMAT) == prompt_tokens(other)


def test_long_ones_are_not_told():
    assert constraint_variables(ChoiceConstraint(options=("a",), origin="here")) == {"response_choices": ["a"]}
    assert constraint_variables(ChoiceConstraint(options=("a" * MAX_CONSTRAINT_CHARACTERS,), origin="here")) == {}
    long = SCHEMA | {"description": "a" * MAX_CONSTRAINT_CHARACTERS}
    assert constraint_variables(JsonConstraint(schema=long, origin="here")) == {}
    assert constraint_variables(JsonConstraint(schema=True, origin="here")) == {}
    assert constraint_variables(RegexConstraint(pattern="a", origin="here")) == {}
    assert constraint_variables(None) == {}
