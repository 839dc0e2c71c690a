"""The generator of training data."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from gateway.embedded.data import draw_sample, invented
from gateway.embedded.data.calling import calling, combination_key
from gateway.embedded.data.conversation import Conversation
from gateway.embedded.data.domains import HELDOUT_TOOLS, TRAIN_TOOLS
from gateway.embedded.data.invented import invent_tool
from gateway.embedded.data.records import extraction
from gateway.embedded.data.source import Source, Split, side_of
from gateway.embedded.data.toolspec import ask
from gateway.embedded.data.values import KINDS, kind_of
from gateway.embedded.evaluation.cases import draw_cases, find_schema

SPLITS: tuple[Split, ...] = ("train", "heldout")
OPEN_KINDS = sorted(name for name, kind in KINDS.items() if kind.schema["type"] == "string")


def _conversations(split: Split, count: int = 300) -> list[Conversation]:
    return [calling(Source(11, split, index)) for index in range(count)]


@pytest.mark.parametrize("progress", [0.0, 0.5, 1.0])
def test_draw_sample_is_deterministic(progress: float) -> None:
    for index in range(100):
        assert draw_sample(3, "train", index, progress) == draw_sample(3, "train", index, progress)


def test_draw_sample_depends_on_the_seed() -> None:
    assert [draw_sample(1, "train", i).messages for i in range(20)] != [
        draw_sample(2, "train", i).messages for i in range(20)
    ]


@pytest.mark.parametrize("split", SPLITS)
def test_calls_satisfy_the_schema_of_their_tool(split: Split) -> None:
    for conversation in _conversations(split):
        schemas = {tool["function"]["name"]: tool["function"]["parameters"] for tool in conversation.tools}
        assert conversation.calls
        for call in conversation.calls:
            schema = schemas[call["name"]]
            Draft202012Validator.check_schema(schema)
            Draft202012Validator(schema).validate(call["arguments"])
            assert [key for key in schema["properties"] if key in call["arguments"]] == list(call["arguments"])
            assert set(call["arguments"]) <= set(schema["properties"])


@pytest.mark.parametrize("tool", TRAIN_TOOLS + HELDOUT_TOOLS, ids=lambda tool: tool.name)
def test_ask_says_every_value_in_the_request(tool) -> None:  # type: ignore[no-untyped-def]
    for index in range(30):
        request = ask(tool, Source(5, "train", index))
        for parameter in tool.parameters:
            if parameter.key not in request.arguments:
                continue
            if parameter.kind.is_boolean:
                yes, _, no = parameter.clause.partition("|")
                assert (yes if request.arguments[parameter.key] else no) in request.text
            else:
                assert parameter.kind.say(request.arguments[parameter.key]) in request.text
        assert "{" not in request.text


@pytest.mark.parametrize("split", SPLITS)
def test_extraction_answers_satisfy_the_schema_in_the_prompt(split: Split) -> None:
    for index in range(200):
        conversation = extraction(Source(12, split, index))
        answer = json.loads(conversation.messages[-1]["content"])
        schema = find_schema(conversation.messages[:-1])
        Draft202012Validator(schema).validate(answer)
        assert list(answer) == list(schema["properties"])


@pytest.mark.parametrize("name", OPEN_KINDS)
def test_open_values_are_disjoint_between_the_splits(name: str) -> None:
    train = {KINDS[name].draw(Source(1, "train", index)) for index in range(300)}
    heldout = {KINDS[name].draw(Source(1, "heldout", index)) for index in range(300)}
    assert train
    assert heldout
    assert not train & heldout


def test_heldout_tools_are_never_trained_on() -> None:
    names = {tool.name for tool in HELDOUT_TOOLS}
    assert len(TRAIN_TOOLS) >= 60
    assert not names & {tool.name for tool in TRAIN_TOOLS}
    seen = {tool["function"]["name"] for c in _conversations("train", 600) for tool in c.tools}
    assert not names & seen
    assert names & {tool["function"]["name"] for c in _conversations("heldout", 600) for tool in c.tools}


def test_invented_tools_never_take_a_declared_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invented, "VERBS", ("open", "close"))
    monkeypatch.setattr(invented, "THINGS", ("account",))
    names = {invent_tool(Source(6, "train", index)).name for index in range(300)}
    assert "close_account" in names
    assert "open_account" not in names


@pytest.mark.parametrize("split", SPLITS)
def test_tool_combinations_belong_to_one_split(split: Split) -> None:
    for conversation in _conversations(split):
        names = [tool["function"]["name"] for tool in conversation.tools]
        assert len(set(names)) == len(names)
        if len(names) > 1:
            assert side_of(combination_key(names)) == split


def test_mixture_holds_every_kind_of_sample() -> None:
    samples = [draw_sample(4, "train", index) for index in range(400)]
    roles = [message["role"] for sample in samples for message in sample.messages]
    counts = [len(message.get("tool_calls", [])) for sample in samples for message in sample.messages]
    assert "tool" in roles
    assert "system" in roles
    assert max(counts) >= 3
    assert any(not sample.tools for sample in samples)
    assert any(sample.tools and not sample.calls for sample in samples)
    assert {len(sample.tools) for sample in samples} >= {0, 1, 2, 3, 4}


def test_kind_of_reads_enumerations_and_arrays() -> None:
    assert kind_of("a|b").schema == {"type": "string", "enum": ["a", "b"]}
    assert kind_of("[small]").schema == {"type": "array", "items": {"type": "integer"}}
    with pytest.raises(KeyError):
        kind_of("unknown")


def test_draw_cases_covers_calls_records_and_labels() -> None:
    cases = draw_cases(60)
    assert {case.kind for case in cases} == {"call", "record", "label"}
    assert {case.group for case in cases} >= {"trained tool", "held-out tool", "invented tool"}
    assert all(case.messages[-1]["role"] == "user" for case in cases)
    assert cases == draw_cases(60)
