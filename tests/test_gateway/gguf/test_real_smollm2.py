"""A real model behind the API: SmolLM2-135M-Instruct, by its name, where its package is installed."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from real_models import real_file
from serving import Live, config_for, serving
from transformers import PreTrainedTokenizerFast

from gateway.engine import EngineStats
from gateway.service.model.folder import ModelFolder

pytestmark = pytest.mark.real

INVOICE = {
    "type": "object",
    "properties": {
        "number": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$"},
        "total": {"type": "number"},
        "currency": {"enum": ["CHF", "EUR", "USD"]},
    },
    "required": ["number", "total", "currency"],
    "additionalProperties": False,
}
WEATHER = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "maxLength": 20},
        "days": {"type": "integer", "minimum": 1, "maximum": 9},
    },
    "required": ["city", "days"],
    "additionalProperties": False,
}
TOOL = {"type": "function", "function": {"name": "get_weather", "description": "Forecast.", "parameters": WEATHER}}

EXTRACT = "Extract the data: invoice KX-4711 came in over a total of 1290.5 in CHF."
CAPITAL = "What is the capital of Japan?"
SEA = "Write one sentence about the sea."


def user(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def as_json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}}


@pytest.fixture(scope="module")
def smollm2() -> Iterator[Live]:
    """Computed in float32, so that what is drawn does not hang on what runs beside it."""
    real_file("smollm2")
    with serving(config_for("smollm2")) as live:
        yield live


def answer(live: Live, text: str, **more: Any) -> dict[str, Any]:
    """The whole reply to a question, of the likeliest tokens."""
    body = {"model": "test-model", "messages": user(text), "max_tokens": 24, "temperature": 0, **more}
    reply = live.post("/v1/chat/completions", json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()


def content(live: Live, text: str, **more: Any) -> str:
    return answer(live, text, **more)["choices"][0]["message"]["content"]


@pytest.mark.parametrize(
    "messages",
    [
        user("Hello"),
        [{"role": "system", "content": "Be brief."}, *user("Grüße, 你好 🌊\n\n8")],
        [*user("One"), {"role": "assistant", "content": " Two "}, *user("Three")],
    ],
    ids=["user", "system", "turns"],
)
def test_prompts_are_those_of_transformers(messages: list[dict[str, str]], smollm2: Live) -> None:
    folder = ModelFolder.open(real_file("smollm2"))
    theirs = PreTrainedTokenizerFast(tokenizer_object=folder.tokenizer, **folder.special_tokens)
    expected = theirs.apply_chat_template(
        messages, chat_template=folder.chat_template, tokenize=False, add_generation_prompt=True
    )
    assert smollm2.post("/apply-template", json={"messages": messages}).json()["prompt"] == expected
    begin = "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"
    if messages[0]["role"] == "user":
        assert expected.startswith(f"{begin}<|im_start|>user\n{messages[0]['content']}<|im_end|>\n")
    assert expected.endswith(f"<|im_start|>user\n{messages[-1]['content']}<|im_end|>\n<|im_start|>assistant\n")


def test_answers_make_sense_and_end_by_themselves(smollm2: Live) -> None:
    choice = answer(smollm2, CAPITAL)["choices"][0]
    assert (choice["message"]["content"], choice["finish_reason"]) == ("The capital of Japan is Tokyo.", "stop")


def test_a_record_is_extracted_in_its_schema(smollm2: Live) -> None:
    said = content(smollm2, EXTRACT, max_tokens=60, **as_json(INVOICE))
    assert json.loads(said) == {"number": "KX-4711", "total": 1290.5, "currency": "CHF"}


HOT = {"n": 4, "temperature": 1.3, "seed": 1}


@pytest.mark.parametrize("pattern", [r"[A-Z][a-z]{2,9}", r"(\d{3}-){2}\d{4}", r"[☀-☂] [а-я]{3}"])
@pytest.mark.parametrize("how", [{}, HOT], ids=["likeliest", "hot"])
def test_answers_match_patterns(how: dict[str, Any], pattern: str, smollm2: Live) -> None:
    choices = answer(smollm2, SEA, max_tokens=32, structured_outputs={"regex": pattern}, **how)["choices"]
    assert all(re.fullmatch(pattern, choice["message"]["content"]) for choice in choices)


def test_hot_records_are_valid_in_a_small_budget(smollm2: Live) -> None:
    names = {"type": "array", "items": {"type": "string", "maxLength": 9}, "minItems": 1, "uniqueItems": True}
    when = {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]}
    schema = {"type": "object", "properties": {"names": names, "when": when}, "required": ["names", "when"]}
    choices = answer(smollm2, EXTRACT, max_tokens=40, **as_json(schema), **HOT)["choices"]
    assert len(choices) == 4
    assert all(Draft202012Validator(schema).is_valid(json.loads(each["message"]["content"])) for each in choices)


def test_calls_are_of_the_tool_and_valid_in_its_schema(smollm2: Live) -> None:
    fields = {"tools": [TOOL], "tool_choice": "required", "parallel_tool_calls": False}
    reply = answer(smollm2, "The weather in Oslo for 3 days?", max_tokens=80, **fields)
    (call,) = reply["choices"][0]["message"]["tool_calls"]
    assert call["function"]["name"] == "get_weather"
    arguments = json.loads(call["function"]["arguments"])
    assert Draft202012Validator(WEATHER).is_valid(arguments)
    assert arguments["city"] == "Oslo"


def test_prompts_are_found_in_the_prefix_cache_and_answered_as_before(smollm2: Live) -> None:
    text = "Count: " + ", ".join(map(str, range(60)))
    first, second = (answer(smollm2, text, max_tokens=4) for _ in range(2))
    told = [reply["usage"]["prompt_tokens_details"]["cached_tokens"] for reply in (first, second)]
    assert told[1] > max(told[0], first["usage"]["prompt_tokens"] // 2)
    assert first["choices"] == second["choices"]


ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    (CAPITAL, {}),
    (SEA, {}),
    (EXTRACT, {"max_tokens": 60, **as_json(INVOICE)}),
    ("Say one, one, one, one, one.", {}),
)


@pytest.fixture(scope="module")
def alone(smollm2: Live) -> tuple[list[str], int]:
    """The answer to each question, one after another, and the steps that all took."""
    before = stats(smollm2).num_steps
    return [content(smollm2, text, **more) for text, more in ASKED], stats(smollm2).num_steps - before


def stats(live: Live) -> EngineStats:
    return live.service._loaded.engine.stats()


def test_texts_together_are_what_each_is_alone(smollm2: Live, alone: tuple[list[str], int]) -> None:
    before = stats(smollm2).num_steps
    with ThreadPoolExecutor(len(ASKED)) as threads:
        together = list(threads.map(lambda asked: content(smollm2, asked[0], **asked[1]), ASKED))
    assert together == alone[0]
    assert stats(smollm2).num_steps - before < alone[1]


def test_drafts_change_no_answer(smollm2: Live, alone: tuple[list[str], int]) -> None:
    assert stats(smollm2).num_accepted.total() + stats(smollm2).num_forced > 0
    config = config_for("smollm2")
    with serving(replace(config, engine=replace(config.engine, speculation=()))) as live:
        assert [content(live, text, **more) for text, more in ASKED] == alone[0]
        assert stats(live).num_drafted.total() == stats(live).num_forced == 0


def test_a_tool_is_called_where_it_is_meant_and_else_nothing_is_told_of_it(smollm2: Live) -> None:
    tools = [
        {
            "type": "function",
            "function": {
                "name": name,
                "description": said,
                "parameters": {"type": "object", "properties": {key: {"type": "string"}}, "required": [key]},
            },
        }
        for name, said, key in (
            ("play_music", "Play songs by an artist.", "artist"),
            ("get_stock_price", "Price of a share.", "symbol"),
        )
    ]
    said = answer(smollm2, "Play something by Miles Davis.", max_tokens=60, tools=tools)["choices"][0]["message"]
    (call,) = said["tool_calls"]
    assert (call["function"]["name"], json.loads(call["function"]["arguments"])) == (
        "play_music",
        {"artist": "Miles Davis"},
    )
    said = answer(smollm2, CAPITAL, tools=tools)["choices"][0]["message"]
    assert not said.get("tool_calls")
    assert said["content"] == content(smollm2, CAPITAL)
