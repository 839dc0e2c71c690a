"""The guard `classifier`: a real one of transformers, in its own process, whose decision is known."""

import os
import signal

import pytest
from classifier_model import write_classifier
from guard_processes import assert_it_ends_with_whoever_asks
from guarded_dialects import policy_of
from scripted import policies, scripted
from serving import config_for
from test_guards_answers import ask, call, chunks

from gateway.errors import ConfigError
from gateway.guards.kinds import GUARDS
from gateway.guards.kinds.classifier import ClassifierProcess
from gateway.guards.rule import JudgeError
from gateway.service import Service

FILLER = "word " * 200


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_classifier(tmp_path_factory.mktemp("classifier"))


@pytest.fixture(scope="module")
def process(folder):
    process = ClassifierProcess.of(str(folder))
    process.open()
    yield process
    process.close()


def options_of(process, hold_characters=None):
    held = "" if hold_characters is None else f", hold_characters = {hold_characters}"
    return f'folder = "{process.folder}", labels = ["INJECTION"], window = 16{held}'


def record_of(live, is_streamed, **fields):
    """All that was told of an answer, and why it ended."""
    if is_streamed:
        told = [each["choices"][0] for each in chunks(live, **fields)]
    else:
        told = ask(live, **fields).json()["choices"]
    parts = [each["delta" if is_streamed else "message"] for each in told]
    texts = [part.get(name) or "" for name in ("reasoning", "content") for part in parts]
    texts += [call["function"]["arguments"] for part in parts for call in part.get("tool_calls") or ()]
    return "".join(texts), told[-1]["finish_reason"]


def judge_of(process, **options):
    (rule,) = GUARDS["classifier"].rules({"folder": process.folder, "labels": ["INJECTION"], "window": 16, **options})
    return rule.what.judge


def found(judge, texts):
    return [opinion.is_found for opinion in judge.judge(texts, None)]


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("evil", True),
        ("be EVIL now", True),
        ("good", False),
        ("", False),
        (FILLER, False),
        (FILLER + "evil", True),
        (f"{FILLER}evil {FILLER}", True),
        # Where one window ends and the next begins.
        *((f"{'word ' * place}evil {FILLER}", True) for place in (12, 13, 14, 15)),
    ],
)
def test_every_window_of_a_text_is_read(process, text, is_found):
    assert found(judge_of(process), [text, "good", text]) == [is_found, False, is_found]


def test_labels_and_threshold_say_what_counts(process):
    assert found(judge_of(process, labels=["BENIGN"]), ["evil", "good"]) == [False, True]
    assert found(judge_of(process, labels=["BENIGN", "INJECTION"]), ["evil", "good"]) == [True, True]
    (scores,) = process.scores(["good"], 16, 10)
    assert scores == pytest.approx([0.9933, 0.0067], abs=1e-4)
    assert found(judge_of(process, threshold=0.006), ["good"]) == [True]


def test_labels_that_exclude_nothing_have_likelihoods_of_their_own(tmp_path):
    process = ClassifierProcess.of(str(write_classifier(tmp_path / "many", "multi_label_classification")))
    try:
        (scores,) = process.scores(["evil"], 16, 10)
        assert scores == pytest.approx([0.5, 1.0], abs=1e-4)
    finally:
        process.close()


def test_a_policy_loads_one_process_a_folder(process):
    assert judge_of(process).process is judge_of(process, threshold=0.9).process is process
    before = process._process.pid
    judge_of(process).open()
    assert process._process.pid == before


def test_a_process_that_died_is_started_again(process):
    os.kill(process._process.pid, signal.SIGKILL)
    process._process.wait()
    assert found(judge_of(process), ["evil"]) == [True]


def test_what_takes_too_long_is_given_up(process):
    with pytest.raises(JudgeError, match="the texts take too long"):
        process.scores([FILLER * 50], 16, 0.0001)
    assert process._lock.acquire(timeout=60)
    try:
        with pytest.raises(JudgeError, match="is busy"):
            process.scores(["good"], 16, 0.01)
    finally:
        process._lock.release()
    os.kill(process._process.pid, signal.SIGSTOP)
    with pytest.raises(JudgeError, match="ended"):
        process._ask({"texts": ["good"], "window": 16, "seconds": 1}, 0.1)


def test_it_ends_with_whoever_asks_it(folder):
    assert_it_ends_with_whoever_asks(ClassifierProcess, str(folder))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ('folder = "absent", labels = ["X"]', "the classifier in absent fails: "),
        ('folder = "FOLDER", labels = ["X"], window = 16', "has no label 'X'; it has BENIGN, INJECTION"),
        ('folder = "FOLDER", labels = ["BENIGN"]', "reads at most 32 tokens together; a window of 512 is too much"),
    ],
)
def test_a_classifier_that_cannot_be_used_is_said_at_the_start(tmp_path, process, options, said):
    path = tmp_path / "policies.toml"
    path.write_text(policy_of("classifier", options.replace("FOLDER", process.folder), "block"))
    config = config_for(None)
    config = type(config)(server=type(config.server)(policies=str(path)))
    with pytest.raises(ConfigError) as caught:
        Service.load(config, progress=lambda _: pytest.fail("a model was loaded"))
    assert said in str(caught.value)
    process.open()  # closed with the policies


@pytest.mark.parametrize("action", ["pass", "annotate", "block"])
def test_a_prompt_is_judged_before_it_is_read(tiny_live, tmp_path, process, action):
    rule = policy_of("classifier", options_of(process), action, "input")
    with policies(tiny_live, tmp_path, rule), scripted(tiny_live, "x") as script:
        body = {"model": "test-model", "messages": [{"role": "user", "content": "Be evil."}]}
        reply = tiny_live.post("/v1/chat/completions", json=body)
        if action == "block":
            assert reply.status_code == 400
            assert reply.json()["error"]["code"] == "content_filter"
            assert "classifier: classifier" in reply.json()["error"]["message"]
            assert script.num_written == {}
        else:
            expected = {"guard": "classifier", "kind": "classifier", "action": action, "where": "input", "count": 1}
            told = reply.json()["choices"][0].get("guards", [])
            assert [each.pop("probability") > 0.99 for each in told] == [True] * len(told)
            assert told == ([expected] if action == "annotate" else [])
        assert tiny_live.post("/v1/completions", json={"model": "test-model", "prompt": "good"}).status_code == 200
        harmless = {"model": "test-model", "messages": [{"role": "user", "content": "Be good."}]}
        assert tiny_live.post("/v1/chat/completions", json=harmless).status_code == 200


def test_parts_of_all_messages_are_judged(tiny_live, tmp_path, process):
    with policies(tiny_live, tmp_path, policy_of("classifier", options_of(process), "block", "input")):
        call = {"id": "c", "type": "function", "function": {"name": "find", "arguments": '{"q": "evil"}'}}
        for message in (
            {"role": "user", "content": [{"type": "text", "text": "so"}, {"type": "text", "text": "evil"}]},
            {"role": "system", "content": "evil"},
            {"role": "assistant", "tool_calls": [call]},
        ):
            messages = [message, {"role": "user", "content": "good"}]
            body = {"model": "test-model", "messages": messages, "max_tokens": 1}
            assert tiny_live.post("/v1/chat/completions", json=body).status_code == 400
        prompt = {"model": "test-model", "prompt": ["good", "evil"], "max_tokens": 1}
        assert tiny_live.post("/v1/completions", json=prompt).status_code == 400


def test_what_was_judged_leaves_and_what_was_not_is_held_back(tiny_live, tmp_path, process):
    text = "good words and good words and more, then so evil that nothing of it leaves, and good"
    options = options_of(process, hold_characters=12)
    with policies(tiny_live, tmp_path, policy_of("classifier", options, "block")), scripted(tiny_live, text) as script:
        told = chunks(tiny_live)
        left = [each["choices"][0]["delta"].get("content") or "" for each in told]
        assert told[-1]["choices"][0]["finish_reason"] == "content_filter"
        assert text.startswith("".join(left))
        assert "evil" not in "".join(left)
        assert len("".join(left)) > len("good words and") > 0
        # It ends where the window is full.
        assert script.num_written[0] < script.num_tokens()
        (choice,) = ask(tiny_live).json()["choices"]
        assert choice["message"]["content"] == "".join(left)
    with policies(tiny_live, tmp_path, policy_of("classifier", options, "block")), scripted(tiny_live, "good " * 9):
        (choice,) = ask(tiny_live).json()["choices"]
        assert (choice["message"]["content"], choice["finish_reason"]) == ("good " * 9, "stop")


@pytest.mark.parametrize("place", range(12))
def test_a_word_that_two_windows_share_is_found(tiny_live, tmp_path, process, place):
    options = options_of(process, hold_characters=12)
    text = "x" * place + " evil " + "good " * 9
    with policies(tiny_live, tmp_path, policy_of("classifier", options, "block")), scripted(tiny_live, text):
        (choice,) = ask(tiny_live).json()["choices"]
        assert choice["finish_reason"] == "content_filter"


@pytest.mark.parametrize("is_streamed", [False, True])
def test_arguments_are_judged_as_they_are_meant(tiny_live, tmp_path, process, is_streamed):
    tools = [{"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}]
    with policies(tiny_live, tmp_path, policy_of("classifier", options_of(process), "block")):
        with scripted(tiny_live, "Wait. " + call('"\\u0065vil"')):
            told, reason = record_of(tiny_live, is_streamed, tools=tools)
            assert (told.strip(), reason) == ("Wait.", "content_filter")
        with scripted(tiny_live, "Wait. " + call('"good"')):
            told, reason = record_of(tiny_live, is_streamed, tools=tools)
            assert ("good" in told, reason) == (True, "tool_calls")


@pytest.mark.parametrize("is_streamed", [False, True])
def test_thoughts_and_content_are_judged_apart(thinker, tmp_path, process, is_streamed):
    rule = policy_of("classifier", options_of(process), "block")
    with policies(thinker, tmp_path, rule):
        with scripted(thinker, "so evil</think>And more."):
            assert record_of(thinker, is_streamed) == ("", "content_filter")
        with scripted(thinker, "so good</think>And evil."):
            assert record_of(thinker, is_streamed) == ("so good", "content_filter")
    with policies(thinker, tmp_path, rule.replace("block", "annotate")), scripted(thinker, "evil</think>evil"):
        assert ask(thinker, stream=is_streamed).text.count('"count":1') == 2


@pytest.mark.parametrize("is_streamed", [False, True])
def test_tokens_leave_with_the_text_that_was_judged(tiny_live, tmp_path, process, is_streamed):
    rule = policy_of("classifier", options_of(process, hold_characters=6), "block")
    with policies(tiny_live, tmp_path, rule), scripted(tiny_live, "good and good, so evil"):
        told, reason = record_of(tiny_live, is_streamed, logprobs=True)
        assert ("good" in told, "evil" in told, reason) == (True, False, "content_filter")
        entries = [
            entry["token"]
            for choice in (chunks(tiny_live, logprobs=True) if is_streamed else [ask(tiny_live, logprobs=True).json()])
            for entry in (choice["choices"][0]["logprobs"] or {"content": []})["content"]
        ]
        assert "".join(entries) == told


def test_texts_without_a_model_are_judged(tiny_live, tmp_path, process):
    rule = policy_of("classifier", options_of(process) + ', name = "hate"', "block", "input")
    with policies(tiny_live, tmp_path, rule):
        results = tiny_live.client.moderations.create(input=["evil", "good"]).results
        assert [(result.flagged, result.categories.hate) for result in results] == [(True, True), (False, False)]


@pytest.mark.parametrize("on_failure", ["block", "pass"])
def test_where_it_cannot_be_asked_the_policy_says_what_then(tiny_live, tmp_path, process, on_failure):
    options = options_of(process) + f', on_failure = "{on_failure}", timeout_s = 1'
    body = {"model": "test-model", "prompt": "good", "max_tokens": 1}
    process._lock.acquire()
    try:
        with policies(tiny_live, tmp_path, policy_of("classifier", options, "block", "input")):
            reply = tiny_live.post("/v1/completions", json=body)
            assert reply.status_code == (400 if on_failure == "block" else 200)
    finally:
        process._lock.release()
