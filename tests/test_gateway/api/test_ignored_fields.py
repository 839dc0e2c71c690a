"""What a request asks for and is served without: told in the reply's header and counted, or refused by its name."""

import json
import logging
from contextvars import copy_context

import pytest
from prometheus_client.parser import text_string_to_metric_families
from serving import config_for, serving

from gateway.config import ServerConfig
from gateway.core.ignored_fields import MAX_TOLD, collect_ignored, ignore_field, note_ignored
from gateway.errors import UnsupportedParameterError

CHAT, RESPONSES, MESSAGES = "/v1/chat/completions", "/v1/responses", "/v1/messages"
OLLAMA, GENERATE = "/api/chat", "/api/generate"
HEADER = "x-portcullis-ignored"

PICTURE = "data:image/png;base64,aGk="
SCHEMA = {"type": "object", "properties": {"x": {"type": "integer"}}}
ASKED = {"role": "user", "content": "hi"}
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
USE = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
CLAUDE_TOOL = {"name": "f", "input_schema": SCHEMA}
TOOL = {"type": "function", "function": {"name": "f", "parameters": SCHEMA}}
FLAT = {"type": "function", "name": "f", "parameters": SCHEMA}
CALL = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}


def said(*parts):
    return [{"role": "user", "content": [{"type": "text", "text": "hi"}, *parts]}]


BASE = {
    CHAT: {"model": "test-model", "max_tokens": 4, "messages": [ASKED]},
    RESPONSES: {"model": "test-model", "max_output_tokens": 4, "input": "hi"},
    MESSAGES: {"model": "test-model", "max_tokens": 4, "messages": [ASKED]},
    OLLAMA: {"model": "test-model", "messages": [ASKED], "options": {"num_predict": 4}},
    GENERATE: {"model": "test-model", "prompt": "hi", "options": {"num_predict": 4}},
}

REFUSABLE = {
    "context edits": (MESSAGES, {"context_management": {"edits": [{"type": "x"}]}}, "context_management"),
    "speed": (MESSAGES, {"speed": "fast"}, "speed"),
    "container": (MESSAGES, {"container": {"id": "c"}}, "container"),
    "servers of mcp": (MESSAGES, {"mcp_servers": [{"type": "url"}]}, "mcp_servers"),
    "diagnostics": (MESSAGES, {"diagnostics": {"previous_message_id": "m"}}, "diagnostics"),
    "a tool that Anthropic runs": (
        MESSAGES,
        {"tools": [{"type": "web_search_20250305", "name": "web_search"}, CLAUDE_TOOL]},
        "tools[0] (web_search)",
    ),
    "only such tools": (
        MESSAGES,
        {"tools": [{"type": "tool_search_tool_bm25_20251119", "name": "t"}]},
        "tools[0] (tool_search_tool_bm25)",
    ),
    "a tool that is loaded later": (
        MESSAGES,
        {"tools": [{**CLAUDE_TOOL, "defer_loading": True}]},
        "tools[0].defer_loading",
    ),
    "thoughts of a model without": (
        MESSAGES,
        {"max_tokens": 9, "thinking": {"type": "enabled", "budget_tokens": 8}},
        "thinking",
    ),
    "effort of a model without": (MESSAGES, {"output_config": {"effort": "high"}}, "output_config.effort"),
    "an image for Claude": (MESSAGES, {"messages": said(IMAGE)}, "messages[0].content[1]"),
    "a file for Claude": (MESSAGES, {"messages": said({"type": "file"})}, "messages[0].content[1]"),
    "an image of the system's": (MESSAGES, {"system": [IMAGE]}, "system[0]"),
    "an image in a result": (
        MESSAGES,
        {
            "messages": [
                {"role": "assistant", "content": [USE]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": [IMAGE]}]},
            ]
        },
        "messages[1].content[0].content[0]",
    ),
    "web search": (CHAT, {"web_search_options": {}}, "web_search_options"),
    "effort": (CHAT, {"reasoning_effort": "high"}, "reasoning_effort"),
    "an image": (
        CHAT,
        {"messages": said({"type": "image_url", "image_url": {"url": PICTURE}})},
        "messages[0].content[1]",
    ),
    "audio": (CHAT, {"messages": said({"type": "input_audio", "input_audio": {}})}, "messages[0].content[1]"),
    "a hosted tool": (CHAT, {"tools": [{"type": "web_search"}, TOOL]}, "tools[0] (web_search)"),
    "a hosted tool of Responses": (
        RESPONSES,
        {"tools": [FLAT, {"type": "web_search", "external_web_access": False}]},
        "tools[1] (web_search)",
    ),
    "a server of mcp": (RESPONSES, {"tools": [{"type": "mcp", "server_label": "x"}]}, "tools[0] (mcp)"),
    "a tool that is searched for": (RESPONSES, {"tools": [{**FLAT, "defer_loading": True}]}, "tools[0].defer_loading"),
    "compaction": (RESPONSES, {"context_management": [{"type": "compaction"}]}, "context_management"),
    "an effort of Responses": (RESPONSES, {"reasoning": {"effort": "low"}}, "reasoning.effort"),
    "an image of a tool's output": (
        RESPONSES,
        {
            "input": [
                CALL,
                {
                    "type": "function_call_output",
                    "call_id": "c1",
                    "output": [{"type": "input_image", "image_url": PICTURE}],
                },
            ]
        },
        "input[1].output[0]",
    ),
    "a longer context": (OLLAMA, {"options": {"num_ctx": 1_000_000, "num_predict": 4}}, "options.num_ctx"),
    "a window of the penalty": (
        OLLAMA,
        {"options": {"repeat_penalty": 1.1, "repeat_last_n": 64, "num_predict": 4}},
        "options.repeat_last_n",
    ),
    "thoughts for Ollama": (OLLAMA, {"think": True}, "think"),
    "images for Ollama": (
        OLLAMA,
        {"messages": [{"role": "user", "content": "x", "images": ["aGk=", "aGk="]}]},
        "messages[0].images[0], messages[0].images[1]",
    ),
    "images of a prompt": (GENERATE, {"images": ["aGk="]}, "images[0]"),
}
TOLD = {
    "what is not cached": (
        MESSAGES,
        {
            "system": [{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}],
            "tools": [{**CLAUDE_TOOL, "cache_control": {"type": "ephemeral"}}],
            "metadata": {"user_id": "u"},
        },
        "metadata, cache_control",
    ),
    "what is for a host to bill": (
        MESSAGES,
        {"system": [{"type": "text", "text": "x-anthropic-billing-header: a=b;"}, {"type": "text", "text": "x"}]},
        "system[0] (billing header)",
    ),
    "thoughts that nobody can read": (
        MESSAGES,
        {"messages": [ASKED, {"role": "assistant", "content": [{"type": "redacted_thinking", "data": "x"}]}, ASKED]},
        "messages[1].content[0]",
    ),
    "more tokens than there is room for": (MESSAGES, {"max_tokens": 32_000, "stop_sequences": [" "]}, "max_tokens"),
    "the same of a chat": (CHAT, {"max_completion_tokens": 32_000, "stop": " "}, "max_completion_tokens"),
    "the same for Ollama": (OLLAMA, {"options": {"num_predict": 32_000, "stop": " "}}, "options.num_predict"),
    "hints of a chat": (CHAT, {"store": True, "verbosity": "low", "prompt_cache_key": "k"}, "store, "),
    "hints of Responses": (
        RESPONSES,
        {
            "text": {"verbosity": "low"},
            "client_metadata": {"a": "b"},
            "include": ["reasoning.encrypted_content"],
            "prompt_cache_key": "k",
        },
        "text.verbosity, include[0], client_metadata, prompt_cache_key",
    ),
}
NOTHING = {
    "a plain chat": (CHAT, {}),
    "what every client says": (CHAT, {"store": False, "reasoning_effort": "none", "metadata": {"a": "b"}}),
    "an adaptive thinker": (MESSAGES, {"thinking": {"type": "adaptive", "display": "omitted"}}),
    "no edits": (MESSAGES, {"context_management": {"edits": []}}),
    "as much as the context has": (OLLAMA, {"options": {"num_predict": -1, "num_ctx": 16, "stop": " "}}),
    "a summary of nothing": (RESPONSES, {"reasoning": {"summary": "auto"}}),
}


@pytest.fixture(scope="module")
def refusing(tiny_model):
    with serving(config_for(tiny_model, server=ServerConfig(port=0, unserved="refuse"))) as live:
        yield live


def post(live, path, fields, **more):
    return live.post(path, json={**BASE[path], **fields, **more})


@pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("path", "fields", "names"), (REFUSABLE | TOLD).values(), ids=REFUSABLE | TOLD)
def test_what_is_left_out_is_told(tiny_live, path, fields, names, streams):
    reply = post(tiny_live, path, fields, stream=streams)
    assert reply.status_code == 200, reply.text
    told = reply.headers[HEADER]
    assert told.startswith(names) if names.endswith(" ") else told == names


@pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("path", "fields"), NOTHING.values(), ids=NOTHING)
def test_where_nothing_is_left_out_nothing_is_told(tiny_live, path, fields, streams):
    reply = post(tiny_live, path, fields, stream=streams)
    assert reply.status_code == 200, reply.text
    assert HEADER not in reply.headers


@pytest.mark.parametrize(("path", "fields", "names"), REFUSABLE.values(), ids=REFUSABLE)
def test_a_server_may_refuse_by_name_what_it_would_leave_out(refusing, path, fields, names):
    reply = post(refusing, path, fields)
    assert reply.status_code == 400
    assert names.split(" (")[0].split(", ")[0] in reply.text
    assert HEADER not in reply.headers


@pytest.mark.parametrize(("path", "fields", "names"), TOLD.values(), ids=TOLD)
def test_what_asks_for_nothing_in_the_answer_is_never_refused(refusing, path, fields, names):
    reply = post(refusing, path, fields)
    assert reply.status_code == 200, reply.text
    assert reply.headers[HEADER].startswith(names.rstrip())


def test_the_model_reads_that_something_was_left_out(tiny_live):
    image = {"type": "image_url", "image_url": {"url": PICTURE}}
    tokens = tiny_live.post("/tokenize", json={"messages": said(image)})
    assert tokens.headers[HEADER] == "messages[0].content[1]"
    prompt = tiny_live.post("/detokenize", json={"tokens": tokens.json()["tokens"]}).json()["prompt"]
    assert "hi\n[image left out: this model reads text only]" in prompt


def test_what_is_left_out_is_logged_once_and_counted(tiny_live, caplog):
    def counted():
        families = text_string_to_metric_families(tiny_live.get("/metrics").text)
        samples = [sample for family in families for sample in family.samples]
        return {each.labels["field"]: each.value for each in samples if each.name == "portcullis_ignored_fields_total"}

    before = counted()
    with caplog.at_level(logging.INFO, "gateway.api.http.ignored_fields"):
        post(tiny_live, MESSAGES, {"speed": "fast", "messages": said(IMAGE, IMAGE)}, stream=True)
        post(tiny_live, MESSAGES, {"speed": "fast", "thinking": {"type": "hard"}})
    lines = [record.getMessage() for record in caplog.records if record.name == "gateway.api.http.ignored_fields"]
    assert lines == ["served without: speed, messages[0].content[1], messages[0].content[2]"]
    after = counted()
    grown = {name: after[name] - before.get(name, 0) for name in after if after[name] != before.get(name, 0)}
    assert grown == {"speed": 1, "messages[].content[]": 1}


def test_what_is_for_a_host_is_not_read_by_the_model(tiny_live):
    def count(*texts):
        system = [{"type": "text", "text": text} for text in texts]
        body = {"model": "test-model", "messages": [ASKED], "system": system}
        return tiny_live.post("/v1/messages/count_tokens", json=body).json()["input_tokens"]

    assert count("x-anthropic-billing-header: cc_version=1;", "Be brief.") == count("Be brief.") > count()


def test_the_count_of_a_prompt_tells_the_same(tiny_live):
    fields = {"model": "test-model", "messages": [ASKED], "context_management": {"edits": [{"type": "x"}]}}
    reply = tiny_live.post("/v1/messages/count_tokens", json=fields)
    assert (reply.status_code, reply.headers[HEADER]) == (200, "context_management")


@pytest.mark.parametrize(
    ("number", "told"), [(1, "a[0]"), (MAX_TOLD, None), (MAX_TOLD + 3, "and 3 more")], ids=["one", "most", "too many"]
)
def test_of_many_names_the_first_are_told(number, told):
    def left_out():
        found = collect_ignored(refuses=False)
        for index in range(number):
            ignore_field(f"a[{index}]")
            note_ignored(f"a[{index}]")
        return found

    found = copy_context().run(left_out)
    assert len(found.told.split(", ")) == min(number, MAX_TOLD + 1)
    assert told is None or found.told.endswith(told)
    assert found.kinds == {"a[]"}


def test_where_they_are_refused_the_name_is_the_errors():
    def refused():
        found = collect_ignored(refuses=True)
        with pytest.raises(UnsupportedParameterError, match="speed is not served") as caught:
            ignore_field("speed")
        note_ignored("metadata")
        return caught.value.param, found.told

    assert copy_context().run(refused) == ("speed", "metadata")


def test_names_of_fields_alone_become_headers(tiny_live):
    """Whatever a client writes into its types, nothing of it reaches a header."""
    kind = "web_search\r\nset-cookie: a=b"
    reply = post(tiny_live, CHAT, {"tools": [{"type": kind}]})
    assert reply.status_code == 400
    assert HEADER not in reply.headers
    assert json.loads(reply.text)["error"]["param"] == "tools[0].type"
