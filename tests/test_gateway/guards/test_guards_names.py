"""The guard `names`: presidio's analyzer with real models of spaCy's and transformers' whose decisions are known."""

import os
import signal
import sys
from importlib.util import find_spec

import pytest
from guarded_dialects import policy_of
from names_model import write_spacy, write_transformers
from scripted import policies, scripted
from serving import config_for
from test_guards_answers import ask, call, chunks
from test_guards_classifier import record_of

from gateway.errors import ConfigError
from gateway.guards import JudgeError, Screen, Span, read_policies
from gateway.guards.kinds import GUARDS, names
from gateway.guards.kinds.names import NamesProcess
from gateway.service import Service

pytestmark = pytest.mark.skipif(find_spec("presidio_analyzer") is None, reason="portcullis[names] is not installed")

TEXT = "Ann Smith met Bob in Paris at Acme Corp, a French firm, on Monday."
REDACTED = "[PERSON] met [PERSON] in [LOCATION] at [ORGANIZATION], a French firm, on Monday."
RULE = 'default = "p"\n[policies.p]\noutput = [{ guard = "names", action = "redact", model = "x" }]\n'


@pytest.fixture(scope="module")
def process(tmp_path_factory):
    process = NamesProcess.of(str(write_spacy(tmp_path_factory.mktemp("names"))))
    process.open()
    yield process
    process.close()


def options_of(process, **fields):
    told = {"model": process.folder, **fields}
    return ", ".join(f"{name} = {value!r}" for name, value in told.items())


def tagger_of(process, **options):
    return GUARDS["names"].rules({"model": process.folder, **options})[0].what.tagging.tagger


def test_names_are_found_where_they_stand(process):
    expected = [Span("location", 21, 26), Span("organization", 30, 39), Span("person", 0, 9), Span("person", 14, 17)]
    tagger = tagger_of(process)
    assert list(map(sorted, tagger.spans([TEXT, "", "nobody", "\ud83d Bob"]))) == [
        expected, [], [], [Span("person", 2, 5)]
    ]  # fmt: skip
    (found,) = tagger_of(process, kinds=["nrp", "person"]).spans([TEXT])
    assert {each.kind for each in found} == {"nrp", "person"}


def test_of_long_texts_nothing_is_missed_where_windows_meet(process):
    text = "".join(f"{'x' * (number % 7)} Ann Smith, " for number in range(2000))
    (found,) = tagger_of(process).spans([text])
    assert {text[each.begin : each.end] for each in found} == {"Ann Smith"}
    assert len(found) == 2000


def test_models_without_a_likelihood_have_presidios(process):
    assert tagger_of(process, threshold=0.86).spans(["Bob"]) == [[]]
    assert len(tagger_of(process, threshold=0.85).spans(["Bob"])[0]) == 1


def test_token_classifiers_of_transformers_find_names(tmp_path):
    process = NamesProcess.of(str(write_transformers(tmp_path / "names")))
    try:
        tagger = tagger_of(process, kinds=["person"])
        tagger.open()
        assert tagger.spans(["So Bob and so on", "nobody"]) == [[Span("person", 3, 6)], []]
        # More tokens than the model reads together.
        assert tagger.spans(["? " * 195 + "Bob " + "?" * 390]) == [[Span("person", 390, 393)]]
        # What it cannot read is a failure, and no text without names; the next one is read again.
        with pytest.raises(JudgeError, match="fails"):
            tagger.spans(["boom " + "Bob " * 500])
        assert tagger.spans(["Bob"]) == [[Span("person", 0, 3)]]
        with pytest.raises(JudgeError, match="finds no location; it finds person"):
            tagger_of(process).open()
    finally:
        process.close()


def test_it_reaches_no_network(tmp_path, monkeypatch):
    """A pipeline that asks the network when it is loaded does not load."""
    package = tmp_path / "loud_model"
    package.mkdir()
    source = "import socket\nsocket.create_connection(('127.0.0.1', 9))\n"
    (package / "__init__.py").write_text(source)
    (tmp_path / "loud_model-1.0.dist-info").mkdir()
    (tmp_path / "loud_model-1.0.dist-info/METADATA").write_text(
        "Metadata-Version: 2.1\nName: loud_model\nVersion: 1.0\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    process = NamesProcess.of("loud_model")
    try:
        with pytest.raises(JudgeError, match="a model of names reaches no network"):
            process.open()
    finally:
        process.close()


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize("hold", [None, 10, 12, 40])
def test_names_are_replaced_wherever_windows_end(tiny_live, tmp_path, process, hold, is_streamed):
    held = {} if hold is None else {"hold_characters": hold}
    with policies(tiny_live, tmp_path, policy_of("names", options_of(process, **held), "redact")):
        for before in ("", "x ", "xxx xx ", "x" * 11 + " "):
            with scripted(tiny_live, f"{before}{TEXT} {TEXT}"):
                told = record_of(tiny_live, is_streamed)
            assert told == (f"{before}{REDACTED} {REDACTED}", "stop")


def test_what_was_read_twice_leaves_before_the_answer_ends(tiny_live, tmp_path, process):
    text = "Bob said so and " * 8
    rule = policy_of("names", options_of(process, hold_characters=12), "redact")
    with policies(tiny_live, tmp_path, rule), scripted(tiny_live, text):
        parts = [each["choices"][0]["delta"].get("content") or "" for each in chunks(tiny_live)]
    assert "".join(parts) == text.replace("Bob", "[PERSON]")
    assert len([part for part in parts if part]) > 5


@pytest.mark.parametrize("is_streamed", [False, True])
def test_every_answer_has_its_own_names(tiny_live, tmp_path, process, is_streamed):
    rule = policy_of("names", options_of(process), "redact")
    with policies(tiny_live, tmp_path, rule), scripted(tiny_live, "ask Bob", "ask nobody", "in Paris"):
        reply = ask(tiny_live, n=3, stream=is_streamed)
        if is_streamed:
            texts = ["", "", ""]
            for each in chunks(tiny_live, n=3):
                for choice in each["choices"]:
                    texts[choice["index"]] += choice["delta"].get("content") or ""
        else:
            texts = [choice["message"]["content"] for choice in reply.json()["choices"]]
    assert texts == ["ask [PERSON]", "ask nobody", "in [LOCATION]"]


@pytest.mark.parametrize("is_streamed", [False, True])
def test_records_and_arguments_are_redacted_within_their_strings(tiny_live, tmp_path, process, is_streamed):
    rule = policy_of("names", options_of(process), "redact")
    schema = {"type": "object", "properties": {"q": {"type": "string"}}}
    tools = [{"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}]
    with policies(tiny_live, tmp_path, rule):
        with scripted(tiny_live, '{"q": "so \\u0042ob\\n"}'):
            fields = {"structured_outputs": {"json": schema}}
            assert record_of(tiny_live, is_streamed, **fields) == ('{"q": "so [PERSON]\\n"}', "stop")
        with scripted(tiny_live, '{"q": "Bob"}'):
            fields = {"structured_outputs": {"json": {"properties": {"q": {"enum": ["Bob"]}}}}}
            assert record_of(tiny_live, is_streamed, **fields)[1] == "content_filter"
        with scripted(tiny_live, "Bob: " + call('"\\u0042ob"')):
            told, reason = record_of(tiny_live, is_streamed, tools=tools)
            assert ("[PERSON]:" in told, '"[PERSON]"' in told, "ob" in told) == (True, True, False)
            assert reason == "tool_calls"
        # Where a replacement is no text that may stand there, the answer ends.
        with scripted(tiny_live, "Bob"):
            fields = {"structured_outputs": {"regex": "Bob|Ann"}}
            assert record_of(tiny_live, is_streamed, **fields) == ("", "content_filter")


@pytest.mark.parametrize("is_streamed", [False, True])
def test_thoughts_are_read_apart(thinker, tmp_path, process, is_streamed):
    rule = policy_of("names", options_of(process), "redact")
    with policies(thinker, tmp_path, rule), scripted(thinker, "so Bob</think>And Paris."):
        assert record_of(thinker, is_streamed) == ("so [PERSON]And [LOCATION].", "stop")


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize("hold", [None, 6])
def test_tokens_leave_with_the_text_that_was_read(tiny_live, tmp_path, process, hold, is_streamed):
    held = {} if hold is None else {"hold_characters": hold}
    rule = policy_of("names", options_of(process, **held), "redact")
    with policies(tiny_live, tmp_path, rule), scripted(tiny_live, "so good, so Bob, and so on"):
        replies = chunks(tiny_live, logprobs=True) if is_streamed else [ask(tiny_live, logprobs=True).json()]
        entries = [
            entry["token"]
            for reply in replies
            for entry in (reply["choices"][0]["logprobs"] or {"content": []})["content"]
        ]
    assert "".join(entries) == "so good, so [PERSON], and so on"


def test_what_overlaps_is_replaced_as_one_by_the_first_rule(tiny_live, tmp_path, process):
    pii = '{ guard = "terms", terms = ["met Bob"], action = "redact" }'
    named = f'{{ guard = "names", action = "redact", {options_of(process)} }}'
    for rules, expected in (((pii, named), "[TERMS]"), ((named, pii), "[PERSON]")):
        rule = f'default = "p"\n[policies.p]\noutput = [{", ".join(rules)}]\n'
        with policies(tiny_live, tmp_path, rule), scripted(tiny_live, "Ann Smith met Bob, and Bob."):
            assert record_of(tiny_live, False)[0] == f"[PERSON] {expected}, and [PERSON]."


def test_all_texts_of_a_prompt_are_read(tiny_live, tmp_path, process):
    with policies(tiny_live, tmp_path, policy_of("names", options_of(process), "redact", "input")):
        made = {"id": "c", "type": "function", "function": {"name": "find", "arguments": '{"Bob": ["in Paris"]}'}}
        messages = [
            {"role": "system", "content": "You are Ann Smith."},
            {"role": "user", "content": [{"type": "text", "text": "I am Bob"}]},
            {"role": "assistant", "content": "", "tool_calls": [made]},
            {"role": "tool", "tool_call_id": "c", "content": "Acme Corp"},
        ]
        with scripted(tiny_live, "x") as script:
            assert ask(tiny_live, messages=messages).status_code == 200
        read = tiny_live.service._loaded.decode(script.requests[0].prompt_ids)
    assert not [name for name in ("Ann", "Bob", "Paris", "Acme") if name in read]
    for told in ("You are [PERSON].", "I am [PERSON]", '"[PERSON]"', "in [LOCATION]", "[ORGANIZATION]"):
        assert told in read


def test_texts_without_a_model_are_read(tiny_live, tmp_path, process):
    with policies(tiny_live, tmp_path, policy_of("names", options_of(process), "redact")):
        results = tiny_live.post("/v1/moderations", json={"input": [TEXT, "nobody", " "]}).json()["results"]
        assert [result["flagged"] for result in results] == [True, False, False]
        found = [name for name, is_met in results[0]["categories"].items() if is_met]
        assert sorted(found) == ["names/location", "names/organization", "names/person"]
        body = {"text": '"\\u0042ob"', "schema": {"type": "string"}, "policy": "p"}
        assert tiny_live.post("/v1/verify", json=body).json()["check"] == "policy"


@pytest.mark.parametrize("on_failure", ["block", "pass"])
@pytest.mark.parametrize("action", ["annotate", "redact", "block"])
def test_where_it_cannot_be_asked_the_policy_says_what_then(tiny_live, tmp_path, process, action, on_failure):
    options = options_of(process, on_failure=on_failure, timeout_s=1)
    blocks = on_failure == "block" and action != "annotate"
    process._lock.acquire()
    try:
        with policies(tiny_live, tmp_path, policy_of("names", options, action)), scripted(tiny_live, "so Bob"):
            expected = ("", "content_filter") if blocks else ("so Bob", "stop")
            assert record_of(tiny_live, True) == expected
        with policies(tiny_live, tmp_path, policy_of("names", options, action, "input")):
            reply = tiny_live.post("/v1/completions", json={"model": "test-model", "prompt": "Bob", "max_tokens": 1})
            assert reply.status_code == (400 if blocks else 200)
    finally:
        process._lock.release()


def test_a_process_that_died_is_started_again(process):
    os.kill(process._process.pid, signal.SIGKILL)
    process._process.wait()
    assert len(tagger_of(process).spans(["Bob"])[0]) == 1


def test_the_one_that_serves_imports_nothing_of_it(tiny_live, process):
    assert process.told["kinds"] == ["person", "location", "organization", "nrp"]
    assert not {"spacy", "presidio_analyzer"} & set(sys.modules)


def test_a_span_before_another_one_is_replaced_by_itself(tmp_path, process):
    """Taggers find what stands before what patterns have found already."""
    path = tmp_path / "policies.toml"
    terms = '{ guard = "terms", terms = ["two", "four"], action = "redact" }'
    path.write_text(RULE.replace("[{", f"[{terms}, {{"))
    rules = read_policies(path).named["p"].output
    screen = Screen(rules)
    assert screen.feed("one two three four") == ""
    (tagging,) = rules.taggings
    spans = [Span("person", 8, 13), Span("person", 0, 3)]
    left = screen.tag(tagging, 0, spans, is_over=True) + screen.flush()
    assert left == "[PERSON] [TERMS] [PERSON] [TERMS]"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ('model = "en_core_web_lg"', "no package that is installed (as by: python -m spacy download en_core_web_lg)"),
        ('model = "FOLDER", kinds = ["nrp"]', "finds no nrp; it finds person"),
    ],
)
def test_a_model_that_cannot_be_used_is_said_at_the_start(tmp_path, options, said):
    folder = write_spacy(tmp_path / "names", ("PERSON",))
    path = tmp_path / "policies.toml"
    path.write_text(policy_of("names", options.replace("FOLDER", str(folder)), "block"))
    config = config_for(None)
    config = type(config)(server=type(config.server)(policies=str(path)))
    with pytest.raises(ConfigError) as caught:
        Service.load(config, progress=lambda _: pytest.fail("a model was loaded"))
    assert said in str(caught.value)


def test_without_its_library_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(names, "find_spec", lambda name: None)
    path = tmp_path / "policies.toml"
    path.write_text(RULE)
    with pytest.raises(ConfigError, match=r"needs presidio-analyzer \(pip install 'portcullis\[names\]'\)"):
        read_policies(path)
