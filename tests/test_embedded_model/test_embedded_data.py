"""The generator of training data."""

from __future__ import annotations

import itertools
import json
import re

import pytest
from jsonschema import Draft202012Validator

from embedded_model.data import draw_sample, invented
from embedded_model.data.calling import asking_back, calling, chained, combination_key, foreign_calling, refusing
from embedded_model.data.chat import CAN
from embedded_model.data.conversation import Conversation
from embedded_model.data.declared import HELDOUT_TOOLS, TRAIN_TOOLS
from embedded_model.data.invented import invent_tool, sibling
from embedded_model.data.invented_sentences import invent_sentence_tool
from embedded_model.data.languages import HELDOUT_LANGUAGES, TRAIN_LANGUAGES
from embedded_model.data.layouts import HELDOUT_LAYOUTS, LAYOUTS
from embedded_model.data.mixture import KINDS_OF_SAMPLES
from embedded_model.data.pitfalls import polite, quantities, statement, states, untold
from embedded_model.data.records import draw_content, extraction, several, sketch
from embedded_model.data.rewording import reword
from embedded_model.data.rewriting import TASKS as REWRITING_TASKS
from embedded_model.data.schemas import neutral
from embedded_model.data.source import Source, Split, side_of
from embedded_model.data.stories import STORIES
from embedded_model.data.styles import camel, kebab, name_parts, pascal, style
from embedded_model.data.texts import SETS, written
from embedded_model.data.toolspec import ask
from embedded_model.data.topics import TOPICS, Topic, places
from embedded_model.data.values import KINDS, kind_of
from embedded_model.evaluate.cases import TASKS, draw_cases
from embedded_model.evaluate.newcomer import newcomer_cases

SPLITS: tuple[Split, ...] = ("train", "heldout")
OPEN_KINDS = sorted(n for n, kind in KINDS.items() if kind.schema["type"] == "string" and "enum" not in kind.schema)


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


@pytest.mark.slow
@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("draw", [calling, foreign_calling, asking_back, chained], ids=lambda draw: draw.__name__)
def test_calls_satisfy_the_schema_of_their_tool(draw, split: Split) -> None:  # type: ignore[no-untyped-def]
    for conversation in [draw(Source(11, split, index)) for index in range(200)]:
        schemas = {tool["function"]["name"]: tool["function"]["parameters"] for tool in conversation.tools}
        assert conversation.calls or draw is not calling
        for call in conversation.calls:
            schema = schemas[call["name"]]
            Draft202012Validator.check_schema(schema)
            Draft202012Validator(schema).validate(call["arguments"])
            assert [key for key in schema["properties"] if key in call["arguments"]] == list(call["arguments"])
            assert set(call["arguments"]) <= set(schema["properties"])


@pytest.mark.parametrize("tools", [TRAIN_TOOLS, HELDOUT_TOOLS], ids=SPLITS)
def test_ask_says_every_value_in_the_request(tools) -> None:  # type: ignore[no-untyped-def]
    for tool, index in itertools.product(tools, range(8)):
        request = ask(tool, Source(5, "train", index))
        for parameter in tool.parameters:
            if parameter.key not in request.arguments:
                continue
            if parameter.kind.is_boolean:
                yes, _, no = parameter.clause.partition("|")
                assert (yes if request.arguments[parameter.key] else no) in request.text, tool.name
            else:
                spellings = parameter.kind.spell(request.arguments[parameter.key])
                assert any(said in request.text for said in spellings), tool.name
        assert "{" not in request.text, tool.name


def test_phrases_in_other_languages_hold_the_required_arguments() -> None:
    for language in TRAIN_LANGUAGES + HELDOUT_LANGUAGES:
        tools = [tool for tool in TRAIN_TOOLS if tool.name in language.phrases]
        assert {tool.name for tool in tools} == set(language.phrases)
        for tool in tools:
            places = sorted("{" + p.key + "}" for p in tool.parameters if p.required)
            for phrase in language.asked(tool.name):
                assert sorted(re.findall(r"\{\w+\}", phrase)) == places, phrase


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize(
    "draw", [extraction, several, sketch, states, quantities, untold], ids=lambda draw: draw.__name__
)
def test_records_satisfy_their_schema(draw, split: Split) -> None:  # type: ignore[no-untyped-def]
    for index in range(200):
        conversation = draw(Source(12, split, index))
        answer = json.loads(conversation.messages[-1]["content"])
        assert conversation.schema is not None
        Draft202012Validator.check_schema(conversation.schema)
        Draft202012Validator(conversation.schema).validate(answer)
        assert [key for key in conversation.schema["properties"] if key in answer] == list(answer)


def test_records_say_what_is_not_told_in_neutral_values() -> None:
    answers = [json.loads(sketch(Source(13, "train", index)).messages[-1]["content"]) for index in range(100)]
    values = [value for answer in answers for value in list(answer.values())[1:]]
    assert all(value in ("unknown", 0, None, [], ["unknown"]) for value in values)
    assert neutral({"type": "object", "properties": {"a": {"type": "string"}}}) == {"a": "unknown"}


@pytest.mark.parametrize("layout", [layout for _, layout in LAYOUTS] + list(HELDOUT_LAYOUTS), ids=lambda f: f.__name__)
def test_layouts_say_every_value(layout) -> None:  # type: ignore[no-untyped-def]
    for index in range(60):
        source = Source(14, "train", index)
        content = draw_content(source, source.pick(TOPICS))
        text = layout(content, source)
        assert "{}" not in text
        for field in content.fields:
            if layout.__name__ != "record" and not field.kind.is_boolean:
                assert content.spoken[field.name] in text, text


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_topics_name_each_field_apart_and_hold_fields_in_openings(topic: Topic) -> None:
    keys = [key for field in topic.fields for key in field.keys]
    assert len(set(keys)) == len(keys)
    for opening in topic.openings:
        assert places(opening) <= {field.name for field in topic.fields}
    for field in topic.fields:
        assert all(("|" if field.kind.is_boolean else "{}") in clause for clause in field.clauses)


@pytest.mark.parametrize("split", SPLITS)
def test_written_numbers_are_as_their_places_say(split: Split) -> None:
    for index in range(300):
        source = Source(19, split, index)
        less, more = (int(n) for n in written(("<less> < <more>",), source).split(" < "))
        assert less < more
        assert side_of(f"{less} < {more}") == split
        a, b, total, wrong = (int(n) for n in written(("<a> <b> <sum> <wrong>",), source).split())
        assert a + b == total != wrong
        assert wrong >= 0


def test_stories_hold_every_answer_in_every_telling() -> None:
    for story in STORIES:
        for text in story.texts:
            assert places(text) == set(story.kinds)
        for asked, answer in story.pairs:
            assert places(asked) | places(answer) <= set(story.kinds)
            assert places(answer)


def test_heldout_layouts_are_never_trained_on() -> None:
    train = [extraction(Source(15, "train", index)).messages[-2]["content"] for index in range(400)]
    heldout = [extraction(Source(15, "heldout", index)).messages[-2]["content"] for index in range(400)]
    assert not any(" // " in text for text in train)
    assert any(" // " in text for text in heldout)


@pytest.mark.slow
def test_newcomers_prompts_are_never_trained_on() -> None:
    asked = {case.prompt.casefold() for case in newcomer_cases()}
    samples = [draw_sample(1, "train", index) for index in range(3000)]
    seen = {message["content"].casefold() for s in samples for message in s.messages if message["role"] == "user"}
    assert not asked & seen
    source = Source(1, "train", 0)
    written_texts = {written(texts, source) for one in SETS for texts in one.labels.values() for _ in range(400)}
    assert not asked & {text.casefold() for text in written_texts}
    assert not any("[" in text or "|" in text for text in written_texts)


@pytest.mark.parametrize("task", REWRITING_TASKS, ids=lambda task: task.__name__)
def test_rewriting_has_short_answers(task) -> None:  # type: ignore[no-untyped-def]
    for index in range(50):
        asked, answer = task(Source(16, "train", index))
        assert asked
        assert 0 < len(answer) < 700


def test_refusing_and_asking_back_begin_without_a_call() -> None:
    for index in range(100):
        refusal = refusing(Source(17, "train", index))
        assert refusal.tools
        assert not refusal.calls
    asked = [asking_back(Source(17, "train", index)) for index in range(100)]
    assert sum(m["content"].startswith("Please tell me the ") for c in asked for m in c.messages) > 40


def test_siblings_do_something_else_and_calls_one_by_one_name_each_value() -> None:
    for index in range(100):
        source = Source(18, "train", index)
        tool = invent_tool(source)
        other = sibling(tool, source)
        assert other.name != tool.name
        assert not set(other.phrases) & set(tool.phrases)
    several_calls = [c for c in _conversations("train") if len(c.calls) > 1]
    assert any(len({call["name"] for call in c.calls}) == 1 for c in several_calls)


def test_styles_rename_tools_and_keep_their_words() -> None:
    assert (camel("get_user_name"), pascal("get_user_name"), kebab("get_user")) == (
        "getUserName", "GetUserName", "get-user",
    )  # fmt: skip
    for index in range(200):
        source = Source(18, "train", index)
        tool = source.pick(TRAIN_TOOLS)
        styled = style(tool, source)
        assert name_parts(tool.name) <= name_parts(styled.name)
        assert "{" not in ask(styled, source).text


def test_rewording_keeps_requests_and_gives_no_held_out_name() -> None:
    heldout = {name_parts(tool.name) for tool in HELDOUT_TOOLS}
    renamed = bare = 0
    for index in range(400):
        source = Source(19, "train", index)
        tool = source.pick(TRAIN_TOOLS) if index % 2 else invent_sentence_tool(source)
        reworded = reword(tool, source)
        assert name_parts(reworded.name) not in heldout
        assert reworded.origin in (tool.name, "")
        assert len({p.key for p in reworded.parameters}) == len(tool.parameters)
        assert "{" not in ask(reworded, source).text
        renamed += reworded.name != tool.name
        bare += not reworded.description
    assert renamed > 150
    assert bare > 5


def test_tools_asked_for_in_sentences_are_told_by_a_word_of_their_schema() -> None:
    for index in range(300):
        tool = invent_sentence_tool(Source(20, "train", index))
        schema = f"{tool.name} {tool.description} {tool.schema()}".lower().replace("_", " ")
        for phrase in tool.phrases:
            words = set(re.findall(r"[a-z]{3,}", re.sub(r"\{\w+\}", " ", phrase.lower())))
            places = set(re.findall(r"\{(\w+)\}", phrase))
            enumerated = any(p.key in places and "enum" in p.kind.schema for p in tool.parameters)
            assert enumerated or any(word.rstrip("s") in schema for word in words), (schema, phrase)


@pytest.mark.parametrize("name", OPEN_KINDS)
def test_open_values_are_disjoint_between_the_splits(name: str) -> None:
    train = {KINDS[name].draw(Source(1, "train", index)) for index in range(300)}
    heldout = {KINDS[name].draw(Source(1, "heldout", index)) for index in range(300)}
    assert train
    assert heldout
    assert not train & heldout


@pytest.mark.slow
def test_heldout_tools_are_never_trained_on() -> None:
    names = {tool.name for tool in HELDOUT_TOOLS}
    assert len(TRAIN_TOOLS) >= 60
    assert not names & {tool.name for tool in TRAIN_TOOLS}
    seen = {name_parts(tool["function"]["name"]) for c in _conversations("train", 600) for tool in c.tools}
    assert not {name_parts(name) for name in names} & seen
    assert names & {tool["function"]["name"] for c in _conversations("heldout", 600) for tool in c.tools}


def test_invented_tools_never_take_a_declared_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invented, "VERBS", {"open": ("open",), "close": ("close",)})
    monkeypatch.setattr(invented, "THINGS", ("account",))
    names = {invent_tool(Source(6, "train", index)).name for index in range(300)}
    assert "close_account" in names
    assert "open_account" not in names


@pytest.mark.parametrize("split", SPLITS)
def test_tool_combinations_belong_to_one_split(split: Split, monkeypatch: pytest.MonkeyPatch) -> None:
    for rename in ("style", "reword"):
        monkeypatch.setattr(f"embedded_model.data.calling.{rename}", lambda spec, source: spec)
    for conversation in _conversations(split):
        names = [tool["function"]["name"] for tool in conversation.tools]
        assert len(set(names)) == len(names)
        if len(names) > 1:
            assert side_of(combination_key(names)) == split


def test_mixture_holds_every_kind_of_sample() -> None:
    samples = [draw_sample(4, "train", index) for index in range(1500)]
    roles = [message["role"] for sample in samples for message in sample.messages]
    counts = [len(message.get("tool_calls", [])) for sample in samples for message in sample.messages]
    assert "tool" in roles
    assert "system" in roles
    assert max(counts) >= 3
    assert any(sample.tools and not sample.calls for sample in samples)
    assert {len(sample.tools) for sample in samples} >= {0, 1, 2, 3, 4, 5, 6}
    assert max(len(sample.tools) for sample in samples) >= 15
    assert any(sample.is_shown for sample in samples)
    assert any(not sample.foretold for sample in samples)
    assert len(KINDS_OF_SAMPLES) == 22


def answer_of(conversation: Conversation) -> dict[str, object]:
    answer: dict[str, object] = json.loads(conversation.messages[-1]["content"])
    return answer


def test_states_negate_the_word_behind_the_not_alone() -> None:
    mixed = 0
    for index in range(400):
        conversation = states(Source(21, "train", index))
        text = next(m["content"] for m in conversation.messages if m["role"] == "user")
        values = {k.removeprefix("is_"): v for k, v in answer_of(conversation).items() if isinstance(v, bool)}
        for name, value in values.items():
            before = re.search(rf"(\w+ \w+|\w+) {name.replace('_', '.')}\b(?!.*\b{name.replace('_', '.')}\b)", text)
            assert before is not None, (text, name)
            is_negated = bool({"not", "neither", "nor"} & set(before[1].split())) and "not only" not in before[0]
            assert is_negated is not value, (text, name)
        mixed += len(set(values.values())) == 2
    assert mixed > 60


def test_quantities_tell_numbers_that_are_not_asked_for() -> None:
    for index in range(200):
        conversation = quantities(Source(22, "train", index))
        text = next(m["content"] for m in reversed(conversation.messages) if m["role"] == "user")
        answer = answer_of(conversation)
        assert all(name in text for name in answer)
        assert len(re.findall(r"\d[\d.,]*", text)) > len(answer)


def test_untold_employers_are_unknown_and_no_skill() -> None:
    employers = []
    for index in range(200):
        name, employer, skills = answer_of(untold(Source(23, "train", index))).values()
        assert employer not in (name, *skills)  # type: ignore[misc]
        employers.append(employer)
    assert 60 < employers.count("unknown") < 180


def test_politeness_beside_tools_and_statements_are_answered_without_a_call() -> None:
    for index in range(200):
        conversation = polite(Source(24, "train", index))
        assert conversation.tools
        assert not conversation.calls
        assert conversation.messages[-1]["content"] in ("You are welcome!", "Goodbye!")
        assert "{" not in conversation.messages[-2]["content"]
        told = statement(Source(24, "train", index))
        assert not told.tools
        assert (told.schema, told.choices) == (None, None)
        assert told.messages[-1]["content"] == CAN


@pytest.mark.parametrize(
    ("value", "said"),
    [(99.5, "99,50"), (1299.5, "1.299,50"), (1299.5, "1299,50"), (7, "7,00"), (0.75, "0,75")],
    ids=str,
)
def test_amounts_are_said_with_a_comma_too(value: float, said: str) -> None:
    assert said in kind_of("amount").spell(value)
    assert not any(re.fullmatch(r"\d+,\d{3}", each) for each in kind_of("amount").spell(0.125))


def test_addresses_have_octets_that_are_small_or_come_again() -> None:
    drawn = [kind_of("ip").draw(Source(25, "train", index)).split(".") for index in range(300)]
    assert all(len(octets) == 4 and all(0 <= int(octet) <= 255 for octet in octets) for octets in drawn)
    assert sum(len(set(octets)) < 4 for octets in drawn) > 30
    assert sum("0" in octets for octets in drawn) > 30


def test_kind_of_reads_enumerations_and_arrays() -> None:
    assert kind_of("a|b").schema == {"type": "string", "enum": ["a", "b"]}
    assert kind_of("[small]").schema == {"type": "array", "items": {"type": "integer"}}
    with pytest.raises(KeyError):
        kind_of("unknown")


def test_draw_cases_covers_every_task() -> None:
    cases = draw_cases(40)
    assert len(cases) == 40 * len(TASKS)
    assert {case.kind for case in cases} == {"call", "record", "text"}
    groups = {case.group for case in cases}
    assert groups >= {"calls, known tool", "calls, held-out tool", "calls, invented tool", "rewriting", "no tool fits"}
    assert all(case.messages[-1]["role"] == "user" for case in cases)
    assert draw_cases(3) == draw_cases(3)
