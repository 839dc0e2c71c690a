"""The parts of the dialect that no server is needed for."""

import asyncio
import json
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streams import DELTAS

from gateway import errors
from gateway.api.http.decode import decode
from gateway.api.ollama.chat import chat_request, generate_request
from gateway.api.ollama.envelope import envelope, error_line
from gateway.api.ollama.models import idle_time, model_sheet, model_tags
from gateway.api.ollama.reply import End, Piece, PieceWriter, Reply, joined, one_line
from gateway.api.ollama.requests import ChatBody, GenerateBody
from gateway.config import Config
from gateway.core.answer import Finish, Usage
from gateway.core.model import ServedModel
from gateway.core.request import ChatRequest, CompletionRequest
from gateway.errors import GatewayError
from gateway.service.model.description import Description
from gateway.service.model_pool import Entry

MODEL = ServedModel(name="m", aliases=("a:1b",), max_context=100, created=0)
DESCRIPTION = Description(
    family="llama",
    num_parameters=7_241_000_000,
    num_bytes=14,
    dtype="BF16",
    digest="0" * 64,
    modified_ns=0,
    template="{{ x }}",
    can_call=True,
    can_think=True,
)


@dataclass
class Serving:
    """What the dialect asks of a service before it runs anything."""

    model: ServedModel = MODEL
    description: Description = DESCRIPTION


def entry_of(description):
    return Entry(config=Config(), served=MODEL, description=description)


def chat(serving=None, **fields):
    asked = {"model": "m", "messages": [{"role": "user", "content": "x"}], **fields}
    return chat_request(decode(ChatBody, json.dumps(asked).encode()), serving or Serving())


def generate(serving=None, **fields):
    asked = {"model": "m", "prompt": "x", **fields}
    return generate_request(decode(GenerateBody, json.dumps(asked).encode()), serving or Serving())


def test_defaults_are_ollamas():
    sampling = chat().options.sampling
    assert (sampling.temperature, sampling.top_k, sampling.top_p) == (0.8, 40, 0.9)
    assert (sampling.min_p, sampling.typical_p, sampling.repetition_penalty, sampling.seed) == (0.0, 1.0, 1.0, None)
    assert chat().options.max_tokens is None


def test_options_are_understood():
    given = {"temperature": 0, "top_k": 0, "top_p": 1, "min_p": 0.1, "typical_p": 0.5, "seed": 0, "stop": "x"}
    given |= {"repeat_penalty": 1.2, "repeat_last_n": -1, "presence_penalty": 1, "frequency_penalty": -1}
    options = chat(options={**given, "num_predict": 7}).options
    sampling = options.sampling
    assert (sampling.temperature, sampling.top_k, sampling.top_p, sampling.min_p) == (0, 0, 1, 0.1)
    assert (sampling.typical_p, sampling.seed, sampling.repetition_penalty) == (0.5, 0, 1.2)
    assert (sampling.presence_penalty, sampling.frequency_penalty) == (1, -1)
    assert (options.max_tokens, options.stop) == (7, ("x",))


@pytest.mark.parametrize(
    ("given", "penalty"), [({"repeat_last_n": 0}, 1.0), ({"repeat_last_n": -1}, 1.3), ({}, 1.3)], ids=["0", "-1", ""]
)
def test_a_window_of_no_tokens_is_no_penalty(given, penalty):
    assert chat(options={"repeat_penalty": 1.3, **given}).options.sampling.repetition_penalty == penalty


@pytest.mark.parametrize(
    ("given", "length"), [(-1, (None, 100)), (-2, (None, 100)), (0, (None, 100)), (5, (5, 100)), (None, (None, None))]
)
def test_lengths_are_understood(given, length):
    options = chat(options={"num_predict": given}).options
    assert (options.max_tokens, options.default_max_tokens) == length


@pytest.mark.parametrize(
    ("think", "enabled", "effort"),
    [(None, None, None), (True, True, None), (False, False, None), ("low", True, "low"), ("max", True, "max")],
)
def test_thinking_is_understood(think, enabled, effort):
    reasoning = chat(think=think).options.reasoning
    assert (reasoning.enabled, reasoning.effort) == (enabled, effort)


@pytest.mark.parametrize(("name", "served"), [("m", "m"), ("m:latest", "m"), ("a:1b", "a:1b")])
def test_names_may_have_the_usual_tag(name, served):
    assert chat(model=name).options.model == served


def test_prompts_are_chats_unless_raw_or_without_a_template():
    plain = Serving(description=replace(DESCRIPTION, template=None))
    asked = generate(system="s")
    assert isinstance(asked, ChatRequest)
    assert [message["role"] for message in asked.messages] == ["system", "user"]
    for request in (generate(raw=True), generate(raw=True, system=""), generate(plain)):
        assert isinstance(request, CompletionRequest)
        assert request.prompts == ("x",)
    with pytest.raises(GatewayError, match="system is not served"):
        generate(plain, system="s")
    for fields in ({"system": "s"}, {"template": "{{ .Prompt }}"}, {"context": [1]}):
        with pytest.raises(GatewayError) as caught:
            generate(raw=True, **fields)
        assert caught.value.param == next(iter(fields))


def test_calls_without_ids_get_them():
    def call(name, **fields):
        return {"function": {"name": name, "arguments": {"x": 1}}, **fields}

    messages = [
        {"role": "assistant", "content": "", "tool_calls": [call("f"), call("g"), call("f", id="mine")]},
        {"role": "tool", "content": "1", "tool_name": "g"},
        {"role": "tool", "content": "2"},
        {"role": "tool", "content": "3", "tool_call_id": "mine"},
        {"role": "assistant", "content": "ok", "thinking": "hm"},
    ]
    first, *results, last = chat(messages=messages).messages
    assert [each["id"] for each in first["tool_calls"]] == ["000000001", "000000002", "mine"]
    assert first["tool_calls"][0]["function"] == {"name": "f", "arguments": {"x": 1}}
    assert [(each.get("tool_call_id"), each["name"], each["content"]) for each in results] == [
        ("000000001", "f", "2"),
        ("000000002", "g", "1"),
        ("mine", "f", "3"),
    ]
    assert last["reasoning_content"] == "hm"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(value=JSON, indent=st.sampled_from([None, 1, "\t"]))
def test_any_json_fits_on_one_line(value, indent):
    text = one_line(json.dumps(value, indent=indent, ensure_ascii=False))
    assert "\n" not in text
    assert text == json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def told(deltas):
    writer = PieceWriter()
    return [piece for delta in deltas for piece in writer.feed(delta)]


END = (Finish(0, "tool_calls"), Usage(3, 4))


def test_calls_are_told_whole():
    found = told([*DELTAS, *END])
    assert [(piece.thinking, piece.text, len(piece.calls)) for piece in found[:-1]] == [
        ("Let me", "", 0),
        (" see.", "", 0),
        ("", "I will ", 0),
        ("", "look.", 0),
        ("", "", 1),
        ("", "", 1),
    ]
    first, second = (piece.calls[0].function for piece in found[4:6])
    assert bytes(first.arguments) == b'{"x":1.10,"y":123456789012345678901,"z":"a \\" b"}'
    assert (first.name, first.index, second.name, second.index) == ("f", 0, "g", 1)
    assert bytes(second.arguments) == b"{}"
    assert found[-1] == End(*END)
    whole = joined(piece for piece in found if isinstance(piece, Piece))
    assert (whole.thinking, whole.text, len(whole.calls)) == ("Let me see.", "I will look.", 2)


def test_thoughts_and_calls_are_parts_of_the_message():
    reply = Reply(model="m", kind="chat")

    async def run():
        async def stream():
            yield DELTAS[:5]
            yield [*DELTAS[5:], *END]

        return await reply.whole(stream())

    line = asyncio.run(run())
    assert (line.message.content, line.message.thinking) == ("I will look.", "Let me see.")
    assert len(line.message.tool_calls) == 2
    assert line.done_reason == "stop"


@pytest.mark.parametrize(
    ("count", "text"), [(7_241_000_000, "7.2B"), (361_820_000, "361.82M"), (4_983_040, "4.98M"), (900, "0.90K")]
)
def test_sizes_are_told_in_short(count, text):
    entry = entry_of(replace(DESCRIPTION, num_parameters=count))
    assert model_tags({"m": entry}).models[0].details.parameter_size == text


def test_a_sheet_lists_what_the_model_can_do():
    assert model_sheet(entry_of(DESCRIPTION), "m").capabilities == ["completion", "tools", "thinking"]
    sheet = model_sheet(entry_of(replace(DESCRIPTION, can_call=False, can_think=False, template=None)), "m")
    assert (sheet.capabilities, sheet.template) == (["completion"], "")


@pytest.mark.parametrize(
    ("given", "seconds"),
    [(0, 0), (-1, None), (90, 90), (1.5, 1.5), ("5m", 300), ("1h30m", 5400), ("0s", 0), ("-1", None), ("-2m", None),
     ("250ms", 0.25), ("30", 30)],
)  # fmt: skip
def test_idle_times_are_seconds_or_durations(given, seconds):
    assert idle_time(given) == seconds


@pytest.mark.parametrize("given", ["", "m", "5 minutes", "5m-", "1d", "1" * 300, "1h" * 8])
def test_other_idle_times_are_refused(given):
    with pytest.raises(errors.InvalidRequestError, match="keep_alive"):
        idle_time(given)


def test_errors_name_fields_as_ollama_does():
    error = errors.InvalidRequestError("temperature must be between 0 and 1", param="temperature")
    assert envelope(error).error == "options.temperature must be between 0 and 1"
    assert error_line(errors.EngineError("gone")) == b'{"error":"gone"}\n'
