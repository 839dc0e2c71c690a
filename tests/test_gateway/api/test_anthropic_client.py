"""Anthropic's own client over a real socket; skipped where it is not installed (the extra `clients`)."""

import json

import pytest
from pydantic import BaseModel
from scripted import scripted
from strict_types import strictly
from test_anthropic_messages import HELLO, TOOL, WEATHER

anthropic = pytest.importorskip("anthropic")

from anthropic.types import Message, MessageTokensCount, ModelInfo, RawMessageStreamEvent  # noqa: E402
from anthropic.types.beta import BetaMessage, BetaRawMessageStreamEvent  # noqa: E402
from anthropic.types.shared import ErrorResponse  # noqa: E402

BODIES = {
    "text": {"max_tokens": 12},
    "call": {"max_tokens": 60, "messages": WEATHER, "tools": [TOOL], "tool_choice": {"type": "any"}},
    "schema": {"max_tokens": 60, "output_config": {"format": {"type": "json_schema", "schema": {"enum": [1, 2]}}}},
}
ALL_PARAMETERS = {
    "cache_control": {"type": "ephemeral", "ttl": "5m"},
    "metadata": {"user_id": "13803d75-b4b5-4c3e-b2a2-6f21399b021b"},
    "output_config": {"effort": "low", "format": {"schema": {"foo": "bar"}, "type": "json_schema"}},
    "service_tier": "auto",
    "speed": "standard",
    "stop_sequences": ["string"],
    "system": [{"text": "Today's date is 2024-06-01.", "type": "text", "cache_control": {"type": "ephemeral"}}],
    "thinking": {"type": "adaptive", "display": "summarized"},
    "tool_choice": {"type": "auto", "disable_parallel_tool_use": True},
    "tools": [{**TOOL, "allowed_callers": ["direct"], "eager_input_streaming": True, "strict": True, "type": "custom"}],
}
"""What the generated tests of the library send, without what is refused."""


@pytest.fixture(scope="module")
def client(live):
    # Its own kind of connection: which one the library brings changes from version to version.
    with anthropic.Anthropic(base_url=live.url, api_key="none", max_retries=0, timeout=60) as made:
        yield made


def post(live, path="/v1/messages", **fields):
    return live.post(path, json={"model": "test-model", "messages": HELLO, **fields})


def data_of(text):
    return [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]


@pytest.mark.parametrize("fields", [*BODIES.values(), {"max_tokens": 40, **ALL_PARAMETERS}], ids=[*BODIES, "all"])
@pytest.mark.parametrize(
    ("kind", "event"), [(Message, RawMessageStreamEvent), (BetaMessage, BetaRawMessageStreamEvent)]
)
def test_bodies_and_events_are_of_the_librarys_types(live, kind, event, fields):
    strictly(kind, post(live, **fields).text)
    told = [strictly(event, data) for data in data_of(post(live, **fields, stream=True).text) if '"ping"' not in data]
    assert (told[0].type, told[-1].type) == ("message_start", "message_stop")


def test_other_bodies_are_of_the_librarys_types(live):
    strictly(MessageTokensCount, post(live, "/v1/messages/count_tokens").text)
    version = {"anthropic-version": "2023-06-01"}
    page = live.get("/v1/models", headers=version).json()
    for model in page["data"]:
        strictly(ModelInfo, json.dumps(model))
    strictly(ErrorResponse, post(live, max_tokens=0).text)
    strictly(ErrorResponse, live.get("/v1/models/nope", headers=version).text)


def test_messages_are_created(client):
    message = client.messages.create(model="test-model", max_tokens=12, messages=HELLO)
    assert message.content[0].text
    assert message._request_id.startswith("req_")
    assert client.messages.count_tokens(model="test-model", messages=HELLO).input_tokens > 0


def test_models_are_listed(client):
    assert [model.id for model in client.models.list(limit=1)] == ["test-model", "gpt-test", "org/name"]
    assert client.models.retrieve("org/name").id == "org/name"


def test_streams_are_put_together(client):
    asked = {"model": "test-model", **BODIES["call"], "extra_body": {"seed": 7}}
    with client.messages.stream(**asked) as stream:
        kinds = [event.type for event in stream]
        final = stream.get_final_message()
    assert "input_json" in kinds
    whole = client.messages.create(**asked)
    assert [block.to_dict() for block in final.content] == [block.to_dict() for block in whole.content]
    assert final.stop_reason == whole.stop_reason == "tool_use"
    with client.messages.stream(model="test-model", max_tokens=12, messages=HELLO) as stream:
        text = "".join(stream.text_stream)
        assert text == stream.get_final_text()


def test_answers_are_parsed_into_models(client):
    class Answer(BaseModel):
        is_polite: bool
        mood: str

    parsed = client.messages.parse(model="test-model", max_tokens=100, messages=HELLO, output_format=Answer)
    assert isinstance(parsed.parsed_output, Answer)


def test_tools_are_run_until_none_is_called(client):
    asked = []

    @anthropic.beta_tool
    def get_weather(city: str) -> str:
        """The weather of a city.

        Args:
            city: Its name.
        """
        asked.append(city)
        return "mild"

    # It goes on for as long as calls are made, so it is told when to stop; what matters is that results go back.
    runner = client.beta.messages.tool_runner(
        model="test-model",
        max_tokens=80,
        messages=WEATHER,
        tools=[get_weather],
        tool_choice={"type": "any"},
        max_iterations=2,
    )
    replies = list(runner)
    assert len(replies) == 2
    assert all(reply.stop_reason == "tool_use" for reply in replies)
    assert len(asked) >= 1


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"model": "nope"}, "NotFoundError"),
        ({"max_tokens": 0}, "BadRequestError"),
        ({"tools": [{"name": "f", "input_schema": {"type": "object", "properties": {"a": "bar"}}}]}, "BadRequestError"),
        ({"messages": [{"role": "user", "content": "x" * 5_000_000}]}, "RequestTooLargeError"),
    ],
)
def test_failures_are_the_librarys_errors(client, fields, kind):
    asked = {"model": "test-model", "max_tokens": 8, "messages": HELLO, **fields}
    with pytest.raises(getattr(anthropic, kind, anthropic.APIStatusError)) as caught:
        client.messages.create(**asked)
    assert type(caught.value).__name__ in (kind, "ContentTooLargeError")
    assert caught.value.request_id.startswith("req_")


def test_the_asynchronous_client_does_the_same(live):
    import asyncio

    async def ask():
        async with anthropic.AsyncAnthropic(base_url=live.url, api_key="none", max_retries=0) as client:
            stream = await client.messages.create(model="test-model", max_tokens=8, messages=HELLO, stream=True)
            return [event.type async for event in stream]

    assert asyncio.run(ask())[-1] == "message_stop"


def test_the_client_sends_what_models_are_told_apart_by(client):
    assert "anthropic-version" in {name.lower() for name in client.default_headers}


def test_citations_are_read_streamed_and_not(live, client):
    source = {"type": "text", "media_type": "text/plain", "data": "The grass is green."}
    document = {"type": "document", "source": source, "title": "Grass", "citations": {"enabled": True}}
    content = [document, {"type": "text", "text": "What colour is it?"}]
    asked = {"model": "test-model", "max_tokens": 64, "messages": [{"role": "user", "content": content}]}
    written = 'It is green<cite doc="1">grass is green</cite>. Yes.'
    with scripted(live, written):
        whole = client.messages.create(**asked)
    with scripted(live, written), client.messages.stream(**asked) as stream:
        streamed = stream.get_final_message()
    for message in (whole, streamed):
        strictly(Message, message.to_json())
        first, second = message.content
        assert (first.text, second.text, second.citations) == ("It is green", ". Yes.", None)
        (cited,) = first.citations
        assert cited.type == "char_location"
        assert source["data"][cited.start_char_index : cited.end_char_index] == cited.cited_text == "grass is green"
        assert (cited.document_index, cited.document_title) == (0, "Grass")
