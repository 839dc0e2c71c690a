"""Parts of the dialect on their own: decoding, spellings, events, the document, the names of the packages."""

import asyncio
import json
import re

import msgspec
import pytest
from streams import stream_of

from gateway.api.anthropic.requests import MessagesBody, PromptFields
from gateway.api.http.decode import decode
from gateway.api.http.sse import DONE, RepeatedEvent, event, written
from gateway.api.http.sse import stream_events as any_stream_events
from gateway.api.ollama.requests import ChatBody, GenerateBody, ShowBody
from gateway.api.openai.bodies import ErrorBody
from gateway.api.openai.chat import chat_request
from gateway.api.openai.constraints import constraint_of
from gateway.api.openai.envelope import error_event
from gateway.api.openai.requests import ChatCompletionRequest, CompletionBody
from gateway.api.openai.sampling import REFUSED_FIELDS
from gateway.core.constraints import ChoiceConstraint, GrammarConstraint, JsonConstraint, RegexConstraint
from gateway.engine.running import Inbox
from gateway.errors import InvalidRequestError, MalformedBodyError, OverloadedError, UnsupportedParameterError

HELLO = [{"role": "user", "content": "hi"}]


def chat(**fields):
    return decode(ChatCompletionRequest, json.dumps({"messages": HELLO, **fields}).encode())


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.mark.parametrize(("body", "offset"), [(b'{"a": 1,}', 8), (b'{"user": [1 2]}', 12), (b"{'a': 1}", 1)])
def test_decode_says_where_json_breaks(body, offset):
    with pytest.raises(MalformedBodyError, match=rf"column {offset + 1} \(byte {offset}\)"):
        decode(ChatCompletionRequest, body)


def test_decode_counts_lines_and_columns():
    with pytest.raises(MalformedBodyError, match=r"line 3, column 3 \(byte 14\)"):
        decode(CompletionBody, b'{\n  "x": 1,\n  y}')


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"stream_options": {"include_usage": "yes"}}, "stream_options.include_usage"),
        ({"response_format": {"json_schema": {}}}, "response_format.type"),
        ({"tools": [5]}, "tools[0]"),
        ({"stop": ["a", 5]}, "stop[1]"),
        ({"logit_bias": {"1": "x"}}, "logit_bias[...]"),
        ({"guided_choice": "ab"}, "guided_choice"),
    ],
)
def test_decode_names_the_path(fields, param):
    with pytest.raises(InvalidRequestError) as caught:
        chat(**fields)
    assert caught.value.param == param
    assert param in caught.value.message


SCHEMA = {"type": "object", "properties": {"a": {"type": "null"}}}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, None),
        ({"response_format": {"type": "text", "schema": None}}, None),
        (
            {"response_format": {"type": "json_object"}},
            JsonConstraint(schema={"type": "object"}, origin="response_format"),
        ),
        (
            {"response_format": {"type": "json_schema", "json_schema": {"schema": SCHEMA, "strict": False}}},
            JsonConstraint(schema=SCHEMA, origin="response_format.json_schema.schema"),
        ),
        (
            {"response_format": {"type": "json_schema", "value": SCHEMA}},
            JsonConstraint(schema=SCHEMA, origin="response_format.value"),
        ),
        (
            {"response_format": {"type": "regex", "value": "a+"}},
            RegexConstraint(pattern="a+", origin="response_format.value"),
        ),
        ({"guided_json": json.dumps(SCHEMA)}, JsonConstraint(schema=SCHEMA, origin="guided_json")),
        ({"guided_json": True}, JsonConstraint(schema=True, origin="guided_json")),
        ({"guided_json": "false"}, JsonConstraint(schema=False, origin="guided_json")),
        (
            {"structured_outputs": {"json": SCHEMA, "disable_any_whitespace": True}},
            JsonConstraint(schema=SCHEMA, origin="structured_outputs.json", compact=True),
        ),
        (
            {"structured_outputs": {"json": SCHEMA, "disable_additional_properties": True}},
            JsonConstraint(schema=SCHEMA, origin="structured_outputs.json", closed=True),
        ),
        ({"structured_outputs": {"json_object": False, "json": None}}, None),
        ({"structured_outputs": {"regex": ""}}, RegexConstraint(pattern="", origin="structured_outputs.regex")),
        ({"guided_choice": ["a"]}, ChoiceConstraint(options=("a",), origin="guided_choice")),
        ({"ebnf": "x"}, GrammarConstraint(text="x", origin="ebnf")),
        ({"grammar": "x", "guided_grammar": "x"}, GrammarConstraint(text="x", origin="guided_grammar")),
        (
            {"response_format": {"type": "grammar", "grammar": "x"}},
            GrammarConstraint(text="x", origin="response_format.grammar"),
        ),
        (
            {"response_format": {"type": "grammar", "value": "x"}},
            GrammarConstraint(text="x", origin="response_format.value"),
        ),
        (
            {"response_format": {"type": "grammar", "grammar": {"definition": "x", "syntax": "gbnf"}}},
            GrammarConstraint(text="x", origin="response_format.grammar.definition", syntax="gbnf"),
        ),
        (
            {"response_format": {"type": "grammar", "grammar": {"definition": "a+", "syntax": "regex"}}},
            RegexConstraint(pattern="a+", origin="response_format.grammar.definition"),
        ),
        (
            {"grammar": {"type": "lark", "value": "x"}},
            GrammarConstraint(text="x", origin="grammar.value", syntax="lark"),
        ),
        (
            {"response_format": {"type": "json_schema", "json_schema": {"schema": SCHEMA, "strict": True}}},
            JsonConstraint(schema=SCHEMA, origin="response_format.json_schema.schema", strict=True),
        ),
        (
            {"response_format": {"type": "json_schema", "name": "x", "schema": SCHEMA, "strict": True}},
            JsonConstraint(schema=SCHEMA, origin="response_format.schema", strict=True),
        ),
        (
            {"response_format": {"type": "json_object", "json_schema": {"schema": SCHEMA}}},
            JsonConstraint(schema=SCHEMA, origin="response_format.json_schema.schema"),
        ),
        (
            {"response_format": {"type": "json_schema", "schema": SCHEMA, "json_schema": {"schema": SCHEMA}}},
            JsonConstraint(schema=SCHEMA, origin="response_format.json_schema.schema"),
        ),
        ({"regex": "a", "guided_regex": "a"}, RegexConstraint(pattern="a", origin="guided_regex")),
        ({"grammar": {"type": "json", "value": "{}"}}, JsonConstraint(schema={}, origin="grammar.value")),
    ],
    ids=str,
)
def test_constraint_of_understands_every_spelling(fields, expected):
    assert constraint_of(chat(**fields)) == expected


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"guided_regex": "a", "regex": "b"}, "regex"),
        ({"response_format": {"type": "json_object"}, "guided_json": SCHEMA}, "guided_json"),
        ({"structured_outputs": {"regex": "a", "choice": ["a"]}}, "structured_outputs.choice"),
        ({"grammar": {"type": "json"}}, "grammar.value"),
        ({"response_format": {"type": "grammar"}}, "response_format.grammar.definition"),
        (
            {"response_format": {"type": "grammar", "grammar": {"definition": "x", "syntax": "abnf"}}},
            "response_format.grammar.syntax",
        ),
        ({"grammar": {"type": "xml", "value": "x"}}, "grammar.type"),
        ({"response_format": {"type": "regex"}}, "response_format.value"),
        ({"guided_json": "5"}, "guided_json"),
        ({"guided_json": "{"}, "guided_json"),
        ({"response_format": {"type": "text", "json_schema": {"schema": SCHEMA}}}, "response_format.json_schema"),
        ({"response_format": {"type": "text", "schema": False}}, "response_format.schema"),
        ({"response_format": {"type": "regex", "value": "a", "schema": SCHEMA}}, "response_format.schema"),
        ({"response_format": {"type": "json_object", "grammar": "x"}}, "response_format.grammar"),
        (
            {"response_format": {"type": "json_schema", "schema": True, "json_schema": {"schema": SCHEMA}}},
            "response_format.schema",
        ),
        ({"response_format": {"type": "grammar", "value": "x", "grammar": "y"}}, "response_format.grammar"),
        ({"structured_outputs": {}}, "structured_outputs"),
        ({"structured_outputs": {"regex": None, "disable_any_whitespace": True}}, "structured_outputs"),
        ({"structured_outputs": {"rexeg": "a"}}, "structured_outputs"),
        ({"structured_outputs": {"regex": "a", "chioce": ["a"]}}, "structured_outputs"),
    ],
    ids=str,
)
def test_constraint_of_refuses_what_contradicts_itself(fields, param):
    with pytest.raises(InvalidRequestError) as caught:
        constraint_of(chat(**fields))
    assert caught.value.param == param


def test_every_unserved_field_is_one_of_the_bodies():
    fields = {field.name for kind in (ChatCompletionRequest, CompletionBody) for field in msgspec.structs.fields(kind)}
    assert set(REFUSED_FIELDS) <= fields


@pytest.mark.parametrize("name", sorted(REFUSED_FIELDS))
def test_every_unserved_field_is_refused_by_its_name(name):
    kind = CompletionBody if name in ("suffix", "prompt_embeds") else ChatCompletionRequest
    hints = {field.name: field.type for field in msgspec.structs.fields(kind)}
    values = [value for value in ("x", 3.5, 5, True, False, ["x"], [5]) if value not in REFUSED_FIELDS[name]]
    value = next(value for value in values if _fits(value, hints[name]))
    base = {"messages": HELLO, "prompt": "x", name: value}
    from gateway.api.openai.sampling import refuse_unserved

    with pytest.raises(UnsupportedParameterError) as caught:
        refuse_unserved(decode(kind, json.dumps(base).encode()))
    assert caught.value.param == name
    refuse_unserved(decode(kind, json.dumps({**base, name: None}).encode()))


def _fits(value, kind):
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def test_chat_request_prefers_max_completion_tokens():
    options = chat_request(chat(max_tokens=5, max_completion_tokens=7)).options
    assert (options.max_tokens, options.max_tokens_origin) == (7, "max_completion_tokens")


def test_chat_request_reads_messages_as_templates_do():
    calls = [{"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}]
    body = decode(
        ChatCompletionRequest,
        json.dumps(
            {
                "messages": [
                    {"role": "developer", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
                    {"role": "assistant", "content": None, "tool_calls": calls},
                    {"role": "tool", "tool_call_id": "c", "content": "7", "name": "f"},
                    {"role": "assistant"},
                ]
            }
        ).encode(),
    )
    called = {"id": "c", "type": "function", "function": {"name": "f", "arguments": {"a": 1}}}
    assert chat_request(body).messages == (
        {"role": "system", "content": "a\nb"},
        {"role": "assistant", "content": "", "tool_calls": [called]},
        {"role": "tool", "content": "7", "name": "f", "tool_call_id": "c"},
        {"role": "assistant", "content": ""},
    )


def stream_events(chunks):
    return any_stream_events(chunks, error_event, DONE)


@pytest.mark.anyio
async def test_stream_events_end_with_done():
    assert [item async for item in stream_events(stream_of(b"a", b"b"))] == [b"a", b"b", DONE]


@pytest.mark.anyio
async def test_what_comes_together_is_written_together_and_silence_is_a_ping():
    batches = stream_of([1, 2], [], [3], [4])
    pieces = [piece async for piece in written(batches, lambda delta: b"" if delta == 3 else b"%d" % delta)]
    assert pieces == [b"12", b": ping\n\n", b"4"]


@pytest.mark.anyio
async def test_an_inbox_gives_all_that_is_there_and_nothing_after_a_tick():
    inbox = Inbox(asyncio.get_running_loop())
    assert await inbox.take(0.01) == []
    inbox.put(1)
    inbox.put(2)
    assert await inbox.take(10) == [1, 2]
    inbox.loop.call_later(0.01, inbox.put, 3)
    assert await inbox.take(None) == [3]


def test_events_that_repeat_are_what_the_whole_encodes_to():
    body = {"id": '"choices":[]', "choices": [], "model": "m"}
    choice = {"index": 0, "text": "a"}
    assert RepeatedEvent(body).of(choice) == event({**body, "choices": [choice]})


@pytest.mark.anyio
async def test_stream_events_end_with_the_error():
    items = [item async for item in stream_events(stream_of(b"a", fails=OverloadedError("full")))]
    assert items[0] == b"a"
    assert len(items) == 2
    assert json.loads(items[1].removeprefix(b"data: "))["error"]["code"] == "overloaded"


@pytest.mark.anyio
async def test_stream_events_close_what_they_read():
    closed = []
    stream = stream_events(stream_of(*[b"a"] * 9, closed=closed))
    await anext(stream)
    await stream.aclose()
    assert closed == [True]


@pytest.mark.anyio
async def test_stream_events_close_what_they_read_when_cancelled_in_silence():
    closed = []

    async def read():
        async for _ in stream_events(stream_of(b"a", waits=60, closed=closed)):
            pass

    task = asyncio.create_task(read())
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert closed == [True]


def test_event_is_one_line():
    data = event(ErrorBody(message="a\nb\r\u2028", type="t", param=None, code=None))
    assert data.startswith(b"data: {")
    assert data.count(b"\n") == 2
    assert data.endswith(b"}\n\n")


@pytest.fixture(scope="module")
def document(tiny_live):
    return tiny_live.get("/schema/openapi.json").json()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/v1/chat/completions", ChatCompletionRequest),
        ("/v1/completions", CompletionBody),
        ("/v1/messages", MessagesBody),
        ("/v1/messages/count_tokens", PromptFields),
        ("/api/chat", ChatBody),
        ("/api/generate", GenerateBody),
        ("/api/show", ShowBody),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_document_describes_every_field_of_a_body(document, path, kind):
    schema = body_in(document, path)
    fields = msgspec.structs.fields(kind)
    assert {field.encode_name for field in fields} == set(schema["properties"])
    assert schema.get("required", []) == [field.encode_name for field in fields if field.required]


def body_in(document, path):
    """The schema of what is posted there."""
    schema = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]


def test_no_two_schemas_of_the_document_have_one_title(document):
    components = document["components"]["schemas"]
    assert [schema["title"] for schema in components.values()] == list(components)
    # Generators make a class of each, whose name has no dots, lines or dashes.
    spoken = [re.sub(r"[^a-z0-9]", "", name.lower()) for name in components]
    assert len(set(spoken)) == len(spoken)
    assert sum(1 for schema in _schemas(document) if "title" in schema) == len(components)


def test_every_array_of_the_document_says_what_is_in_it(document):
    arrays = [schema for schema in _schemas(document) if schema.get("type") == "array"]
    assert arrays
    assert all({"items", "prefixItems"} & set(schema) for schema in arrays)


def test_no_failure_of_the_document_is_the_frameworks_own(document):
    assert "Validation Exception" not in json.dumps(document)


def _schemas(value):
    """All objects of a document that may be schemas: beside its head."""
    if isinstance(value, dict):
        yield value
        for key, inner in value.items():
            if key not in ("info", "properties"):
                yield from _schemas(inner)
            elif key == "properties":
                yield from (found for each in inner.values() for found in _schemas(each))
    elif isinstance(value, list):
        yield from (found for each in value for found in _schemas(each))


def test_the_document_is_served_and_its_references_hold(document):
    assert document["openapi"].startswith("3.")
    assert {
        "/v1/chat/completions",
        "/v1/completions",
        "/v1/models",
        "/v1/models/{model_id}",
        "/v1/messages",
        "/v1/messages/count_tokens",
        "/api/chat",
        "/api/generate",
        "/api/show",
        "/api/tags",
        "/health",
        "/ready",
        "/generate",
        "/tokenize",
        "/v1/grammars/{grammar_id}",
        "/v1/decisions",
    } <= set(document["paths"])
    body = body_in(document, "/v1/chat/completions")
    assert body["required"] == ["messages"]
    assert "response_format" in body["properties"]
    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(_references(document)) <= known


def test_the_document_says_what_may_come_as_a_stream(tiny_live):
    paths = tiny_live.get("/schema/openapi.json").json()["paths"]
    kinds = {
        path: {kind for kind in operations["post"]["responses"]["200"]["content"] if kind != "application/json"}
        for path, operations in paths.items()
        if "200" in operations.get("post", {}).get("responses", {})
    }
    streamed = {"/v1/chat/completions", "/v1/completions", "/v1/responses", "/v1/messages", "/", "/generate_stream"}
    assert {path for path, kind in kinds.items() if "text/event-stream" in kind} == {*streamed, "/invocations"}
    assert {path for path, kind in kinds.items() if "application/x-ndjson" in kind} == {
        "/api/chat",
        "/api/generate",
        "/api/pull",
    }


def _references(value):
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"]
        for item in value.values():
            yield from _references(item)
    elif isinstance(value, list):
        for item in value:
            yield from _references(item)


def test_models_are_listed_under_every_name(tiny_live):
    models = tiny_live.client.models.list().data
    assert [model.id for model in models] == ["test-model", "gpt-test", "org/name"]
    assert all(model.object == "model" and model.created > 0 for model in models)
    assert tiny_live.client.models.retrieve("org/name").id == "org/name"
