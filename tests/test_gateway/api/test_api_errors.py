"""Every way to fail says what and where in one envelope, and the next request is served."""

import json

import pytest

HELLO = [{"role": "user", "content": "hi"}]
TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}


def chat(**fields):
    return {"messages": HELLO, "max_tokens": 4, **fields}


def schema(value):
    return chat(response_format={"type": "json_schema", "json_schema": {"name": "s", "schema": value}})


def checked(reply, status, code, param):
    """The reply's message, after a look at its envelope."""
    assert reply.headers["content-type"].startswith("application/json")
    assert reply.status_code == status, reply.text
    body = reply.json()
    assert set(body) == {"error"}
    error = body["error"]
    assert {"message", "type", "param", "code"} <= set(error) <= {"message", "type", "param", "code", "hint"}
    assert error["message"]
    assert (error["code"], error["param"]) == (code, param), error
    assert "Traceback" not in reply.text
    return error["message"]


def assert_serves(live):
    reply = live.post("/v1/chat/completions", json=chat())
    assert reply.status_code == 200, reply.text


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "empty"),
        (b"{", "truncated"),
        (b'{"messages": [}', "column 15"),
        (b'{\n  "user": 1,\n  x\n}', "line 3, column 3"),
        (b'{"messages": [{"role": "user", "content": "\xff"}]}', "not JSON"),
        (b'{"messages": []} trailing', "line 1"),
        (b'{"temperature": NaN}', "column"),
    ],
)
def test_malformed_json_says_where(live, body, says):
    message = checked(live.post("/v1/chat/completions", content=body), 400, "malformed_json", None)
    assert says in message
    assert_serves(live)


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({}, "messages"),
        ({"messages": "hi"}, "messages"),
        ({"messages": []}, "messages"),
        ({"messages": [{"content": "x"}]}, "messages[0].role"),
        ({"messages": [{"role": "king", "content": "x"}]}, "messages[0].role"),
        ({"messages": [*HELLO, {"role": 5, "content": "x"}]}, "messages[1].role"),
        ({"messages": [{"role": "user", "content": 5}]}, "messages[0].content"),
        ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, "messages[0].content[0].text"),
        ({"messages": [{"role": "user", "content": [{"text": "x"}]}]}, "messages[0].content[0].type"),
        (
            {"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{"}}]}]},
            "messages[0].tool_calls[0].function.arguments",
        ),
        ({"messages": [{"role": "assistant", "tool_calls": [{"id": "1"}]}]}, "messages[0].tool_calls[0].function"),
        (chat(temperature="hot"), "temperature"),
        (chat(temperature=-1), "temperature"),
        (chat(top_p=0), "top_p"),
        (chat(top_p=1.5), "top_p"),
        (chat(top_k=-2), "top_k"),
        (chat(min_p=2), "min_p"),
        (chat(typical_p=1.1), "typical_p"),
        (chat(no_repeat_ngram_size=-1), "no_repeat_ngram_size"),
        (chat(no_repeat_ngram_size=65), "no_repeat_ngram_size"),
        (chat(allowed_token_ids=[10**6]), "allowed_token_ids"),
        (chat(allowed_token_ids=["x"]), "allowed_token_ids[0]"),
        (chat(bad_words=[""]), "bad_words"),
        (chat(bad_words=["x"] * 513), "bad_words"),
        (chat(bad_words=["x" * 600]), "bad_words"),
        (chat(bad_words=["♜" * 100]), "bad_words"),
        (chat(prompt_logprobs=-1), "prompt_logprobs"),
        (chat(prompt_logprobs=21), "prompt_logprobs"),
        (chat(repetition_penalty=0), "repetition_penalty"),
        (chat(presence_penalty=3), "presence_penalty"),
        (chat(frequency_penalty=-3), "frequency_penalty"),
        (chat(max_tokens=0), "max_tokens"),
        (chat(max_completion_tokens=-5), "max_completion_tokens"),
        (chat(max_tokens=1.5), "max_tokens"),
        (chat(n=0), "n"),
        (chat(n=17), "n"),
        (chat(n=10**30), "n"),
        (chat(seed=10**30), "seed"),
        (chat(stop=5), "stop"),
        (chat(stop=[""]), "stop"),
        (chat(stop=["a"] * 17), "stop"),
        (chat(stop="a" * 600), "stop"),
        (chat(stop_token_ids=[10**6]), "stop_token_ids"),
        (chat(min_tokens=5), "min_tokens"),
        (chat(top_logprobs=2), "top_logprobs"),
        (chat(logprobs=True, top_logprobs=21), "top_logprobs"),
        (chat(logit_bias={"x": 1}), "logit_bias"),
        (chat(logit_bias={"-1": 1}), "logit_bias"),
        (chat(logit_bias={"1": 101}), "logit_bias"),
        (chat(logit_bias={"99999999": 1}), "logit_bias"),
        (chat(logit_bias={str(token): 1 for token in range(1025)}), "logit_bias"),
        (chat(response_format="json"), "response_format"),
        (chat(response_format={"type": "yaml"}), "response_format.type"),
        (chat(response_format={"type": "json_schema"}), "response_format.json_schema.schema"),
        (chat(response_format={"type": "json_schema", "json_schema": {"schema": "{"}}), None),
        (chat(guided_json="[1]"), "guided_json"),
        (chat(guided_json=[1]), "guided_json"),
        (chat(guided_choice=[]), "guided_choice"),
        (chat(guided_choice=["a"], guided_regex="a"), "guided_regex"),
        (chat(guided_regex="a" * 600_000), "guided_regex"),
        (chat(chat_template_kwargs={"x": "y" * 10_000}), "chat_template_kwargs"),
        (chat(chat_template_kwargs={"messages": []}), "chat_template_kwargs"),
        (chat(tools=[{"type": "function"}]), "tools[0].function"),
        (chat(tools=[TOOL, {"type": "function", "function": {"name": "a b"}}]), "tools[1].function.name"),
        (chat(tools=[TOOL, TOOL]), "tools[1].function.name"),
        (chat(tools=[TOOL] * 129), None),
        (chat(tools=[TOOL], tool_choice="sometimes"), "tool_choice"),
        (chat(tools=[TOOL], tool_choice={"type": "function", "function": {"name": "g"}}), "tool_choice.function.name"),
        (chat(tool_choice={"type": "function", "function": {"name": "g"}}), "tool_choice.function.name"),
    ],
    ids=lambda value: str(value)[:60] if isinstance(value, dict) else "",
)
def test_wrong_values_name_the_field(live, body, param):
    reply = live.post("/v1/chat/completions", content=json.dumps(body))
    if param is None:
        param = reply.json()["error"]["param"]
    message = checked(reply, 400, "invalid_value", param)
    if param != "chat_template_kwargs":
        assert param.split(".")[0].split("[")[0] in message
    assert_serves(live)


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"functions": [{"name": "f"}]}, "functions"),
        ({"function_call": "auto"}, "function_call"),
        ({"modalities": ["text", "audio"]}, "modalities"),
        ({"echo": True}, "echo"),
        ({"prompt_logprobs": 1, "stream": True}, "prompt_logprobs"),
        ({"chat_template": "{{ 1 }}"}, "chat_template"),
        ({"structural_tag": '{"format": {"type": "tokens"}}'}, "structural_tag.format.type"),
        ({"guided_whitespace_pattern": " "}, "guided_whitespace_pattern"),
        ({"response_format": {"type": "structural_tag", "format": {"type": "qwen"}}}, "response_format.format.type"),
        ({"messages": [{"role": "user", "content": [{"type": "smell"}]}]}, "messages[0].content[0].type"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_known_and_not_served_is_refused_by_name(live, fields, param):
    checked(live.post("/v1/chat/completions", json=chat(**fields)), 400, "unsupported_parameter", param)
    assert_serves(live)


@pytest.mark.parametrize(
    "fields",
    [
        {"functions": []},
        {"modalities": ["text"]},
        {"best_of": 1},
        {"use_beam_search": False},
        {"bad_words": []},
        {"allowed_token_ids": []},
        {"typical_p": 0.0},
        {"no_repeat_ngram_size": 0},
        {"length_penalty": 1.0},
        {"structured_outputs": {"json_object": False}},
        {"response_format": {"type": "text"}},
        {"tools": []},
        {"tool_choice": "required"},
        {"tools": [], "tool_choice": "auto", "parallel_tool_calls": False},
        {"top_k": -1},
        {"guided_decoding_backend": "outlines"},
    ],
    ids=str,
)
def test_known_fields_that_ask_for_nothing_are_served(live, fields):
    assert live.post("/v1/chat/completions", json=chat(**fields)).status_code == 200


def test_unknown_model_is_404(live):
    message = checked(live.post("/v1/chat/completions", json=chat(model="gpt-9")), 404, "model_not_found", "model")
    assert "test-model" in message
    checked(live.post("/v1/completions", json={"model": "gpt-9", "prompt": "x"}), 404, "model_not_found", "model")
    checked(live.get("/v1/models/gpt-9"), 404, "model_not_found", "model")
    assert_serves(live)


@pytest.mark.parametrize(
    ("value", "code", "pointer"),
    [
        ({"type": "object", "properties": {"a": {"type": "strong"}}}, "invalid_grammar", "/properties/a"),
        ({"type": "object", "properties": 5}, "invalid_grammar", "/properties"),
        ({"$ref": "#/$defs/nothing"}, "invalid_grammar", None),
        ({"type": "integer", "minimum": 5, "maximum": 4}, "unsatisfiable", None),
        (False, "unsatisfiable", None),
        ({"type": "string", "pattern": "(a)\\1"}, "unsupported", "/pattern"),
        ({"type": "string", "pattern": "("}, "invalid_grammar", "/pattern"),
    ],
    ids=str,
)
def test_a_schema_that_is_not_served_names_its_place(live, value, code, pointer):
    param = "response_format.json_schema.schema"
    message = checked(live.post("/v1/chat/completions", json=schema(value)), 400, code, param)
    assert param in message
    if pointer is not None:
        assert pointer in message
    checked(live.post("/v1/chat/completions", json=chat(guided_json=value)), 400, code, "guided_json")
    checked(
        live.post("/v1/completions", json={"prompt": "x", "structured_outputs": {"json": value}}),
        400,
        code,
        "structured_outputs.json",
    )
    assert_serves(live)


def test_a_tools_schema_that_is_not_served_names_the_tool(live):
    bad = {"type": "function", "function": {"name": "g", "parameters": {"properties": {"a": {"type": "strong"}}}}}
    reply = live.post("/v1/chat/completions", json=chat(tools=[TOOL, bad], tool_choice="required"))
    message = checked(reply, 400, "invalid_grammar", "tools[1].function.parameters")
    assert "/properties/a" in message
    assert_serves(live)


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ('start: "a" b\nb:  <|none|>', "invalid_grammar", "line 2, column 5"),
        ('start: "a" <|im_end|>', "unsupported", "line 1, column 12"),
        ("start: x", "invalid_grammar", "line 1, column 8"),
        ('start: "a" start', "unsatisfiable", "line 1, column 1"),
        ('root ::= "a" b', "invalid_grammar", "line 1, column 1"),
        ("not a grammar", "invalid_grammar", "line 1"),
    ],
)
def test_grammars_that_cannot_be_held_are_refused_by_place(live, text, code, where):
    for field in ("guided_grammar", "ebnf", "grammar"):
        message = checked(live.post("/v1/chat/completions", json=chat(**{field: text})), 400, code, field)
        assert where in message
    assert_serves(live)


def test_an_impossible_budget_says_how_many_tokens_are_needed(live):
    value = {"type": "string", "minLength": 300}
    for field in ("max_tokens", "max_completion_tokens"):
        body = {**schema(value), "max_tokens": None, field: 7}
        message = checked(live.post("/v1/chat/completions", json=body), 400, "budget_too_small", field)
        needed = [int(word) for word in message.split() if word.isdigit()][-1]
        assert needed > 7
        # Enough tokens for the shortest answer are enough for an answer.
        reply = live.post("/v1/chat/completions", json={**body, field: needed})
        assert reply.status_code == 200, reply.text
        assert len(json.loads(reply.json()["choices"][0]["message"]["content"])) >= 300
    checked(
        live.post("/v1/chat/completions", json=chat(guided_choice=["x" * 50])), 400, "budget_too_small", "max_tokens"
    )
    assert_serves(live)


def test_a_prompt_that_does_not_fit_is_refused(live):
    messages = [{"role": "user", "content": "word " * 20_000}]
    message = checked(
        live.post("/v1/chat/completions", json={"messages": messages}), 400, "context_length_exceeded", "messages"
    )
    assert "tokens" in message
    checked(live.post("/v1/completions", json={"prompt": "w " * 20_000}), 400, "context_length_exceeded", "prompt")
    assert_serves(live)


@pytest.mark.parametrize(
    ("body", "code", "param"),
    [
        ({}, "invalid_value", "prompt"),
        ({"prompt": []}, "invalid_value", "prompt"),
        ({"prompt": ""}, "invalid_value", "prompt"),
        ({"prompt": [1, "x"]}, "invalid_value", "prompt[0]"),
        ({"prompt": [10**7]}, "invalid_value", "prompt"),
        ({"prompt": [[]]}, "invalid_value", "prompt"),
        ({"prompt": ["x"] * 33}, "invalid_value", "prompt"),
        ({"prompt": "x", "suffix": "y"}, "unsupported_parameter", "suffix"),
        ({"prompt": "x", "best_of": 2, "stream": True}, "unsupported_parameter", "best_of"),
        ({"prompt": "x", "prompt_logprobs": 1, "stream": True}, "unsupported_parameter", "prompt_logprobs"),
        ({"prompt": [5, 6], "suffix": "y"}, "unsupported_parameter", "suffix"),
        ({"prompt": "x", "logprobs": 50}, "invalid_value", "top_logprobs"),
    ],
    ids=str,
)
def test_completions_name_the_field(live, body, code, param):
    checked(live.post("/v1/completions", json=body), 400, code, param)
    assert_serves(live)


def test_a_body_that_is_too_long_is_413(live):
    big = json.dumps(chat(user="x" * 5_000_000))
    checked(live.post("/v1/chat/completions", content=big), 413, "payload_too_large", None)
    assert_serves(live)


def test_a_chunked_body_that_is_too_long_is_413(live):
    def pieces():
        for _ in range(6):
            yield b" " * 1_000_000

    checked(live.post("/v1/chat/completions", content=pieces()), 413, "payload_too_large", None)
    assert_serves(live)


@pytest.mark.parametrize("path", ["/v1", "/v1/nothing", "/v1/chat", "/v1/chat/completions/x", "/%00", "/schema/x"])
def test_unknown_routes_are_404(live, path):
    checked(live.get(path), 404, "route_not_found", None)


def test_wrong_methods_are_405(live):
    reply = live.get("/v1/chat/completions")
    checked(reply, 405, "method_not_allowed", None)
    assert "POST" in reply.headers["allow"]
    checked(live.post("/v1/models"), 405, "method_not_allowed", None)


def test_deep_nesting_is_refused(live):
    deep = b'{"messages":[{"role":"user","content":"x"}],"guided_json":' + b'{"not":' * 50_000 + b"1" + b"}" * 50_001
    reply = live.post("/v1/chat/completions", content=deep)
    assert reply.status_code == 400
    checked(reply, 400, "invalid_value", None)
    assert_serves(live)


def test_the_client_raises_what_openais_does(live):
    import openai

    with pytest.raises(openai.BadRequestError) as caught:
        live.client.chat.completions.create(model="test-model", messages=HELLO, temperature=-1)
    assert (caught.value.param, caught.value.code) == ("temperature", "invalid_value")
    with pytest.raises(openai.NotFoundError):
        live.client.models.retrieve("nothing")
