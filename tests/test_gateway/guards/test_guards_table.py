"""Every guard, action and dialect, of prompts and of answers, streamed and not: status, text, end, the order of events,
usage, the verdict and the audit record."""

from contextlib import contextmanager
from importlib.util import find_spec

import pytest
from classifier_model import write_classifier
from guard_server import guard_server
from guarded_dialects import CASES, DIALECTS, MESSAGES, policy_of
from names_model import write_spacy
from scripted import policies, scripted
from serving import config_for, serving

from gateway.config import AuditConfig
from gateway.guards.kinds import GUARDS
from gateway.guards.kinds.classifier import ClassifierProcess
from gateway.guards.kinds.names import NamesProcess

ANEW = "all fine"
RESULTS = {
    "pass": "passed", "annotate": "annotated", "redact": "redacted", "block": "blocked", "retry": "retried",
    "forbid": "blocked",
}  # fmt: skip
JUDGES = {
    "classifier": "so evil",
    "guard_model": "so evil",
    "language": "Das Wetter ist heute schön, und morgen soll es regnen.",
    "verification": "Stir the soup, please, and salt it.",
}
"""Of each guard that judges whole texts: one that it finds something in; in `ANEW` it does not."""
WEIGHING = ("classifier", "verification")
"""These say how likely what they look for is."""
ALWAYS, NEVER = "1e-30", "1.0"
"""Likely enough for `verification`: the model knows nothing, and what it says of one text it says of all."""
QUESTION = "Is the answer polite and about cooking?"
NAMES = {"names": ("", "ask Ann Smith now", "ask ", "[PERSON]", " now")}
ROWS = {**CASES, **NAMES, **{guard: ("", text, "", "", "") for guard, text in JUDGES.items()}}
FORBIDDING = ("pattern", "terms", "leak")
ACTIONS = [
    (row, action)
    for row in ROWS
    for action in GUARDS[row.split("/")[0]].actions
    if action != "forbid" or row in FORBIDDING
]


@pytest.fixture(scope="module")
def live(tiny_model, tmp_path_factory):
    """A server with an audit log; what is written there is in `live.records`, too."""
    path = tmp_path_factory.mktemp("audit") / "a.db"
    with serving(config_for(tiny_model, audit=AuditConfig(url=str(path), backpressure="drop"))) as live:
        log, live.records = live.service.shared.audit, []
        write = log.write

        async def written(records):
            await write(records)
            live.records.extend(records)

        log.write = written
        yield live


@pytest.fixture(scope="module")
def options(live, tmp_path_factory):
    """Of each row: what a policy says beside guard and action."""
    told = {row: options for row, (options, *_) in ROWS.items()}
    classifier = ClassifierProcess.of(str(write_classifier(tmp_path_factory.mktemp("judges"))))
    told["classifier"] = f'folder = "{classifier.folder}", labels = ["INJECTION"], window = 16'
    told["language"] = 'allowed = ["en"]'
    told["verification"] = f'question = "{QUESTION}", found = ["yes"], threshold = {ALWAYS}'
    processes = [classifier]
    if find_spec("presidio_analyzer") is not None:
        names = NamesProcess.of(str(write_spacy(tmp_path_factory.mktemp("names"))))
        told["names"] = f'model = "{names.folder}", kinds = ["person"]'
        processes.append(names)
    with guard_server() as server:
        told["guard_model"] = f'url = "{server.url}", model = "guard", format = "llama_guard"'
        yield told
    for process in processes:
        process.close()


@pytest.fixture(scope="module")
def under(live, tmp_path_factory):
    """Has the server follow a policy meanwhile; all dialects share what was read."""
    folder, known = tmp_path_factory.mktemp("policies"), {}

    @contextmanager
    def following(text):
        if text not in known:
            with policies(live, folder, text) as known[text]:
                pass
        live.service.shared.policies = known[text]
        try:
            yield
        finally:
            live.service.shared.policies = None

    return following


def kind_of(row):
    return {"pii": "email", "secrets": "aws", "leak": "canary", "names": "person"}.get(row, row.split("/")[-1])


@contextmanager
def recorded(live, guard, found, **told):
    """What is done meanwhile has one record with these findings and fields, and one decision where there are any."""
    live.records.clear()
    yield
    *decisions, request = live.records
    assert request["kind"] == "request"
    assert {name: request[name] for name in ("policy", *told)} == {"policy": "p", **told}
    findings = [dict(each) for each in request["findings"]]
    assert [each for decision in decisions for each in decision["findings"]] == findings
    for each in findings:
        assert ("probability" in each) == (guard in WEIGHING)
        each.pop("probability", None)
    assert findings == found


def needs(row):
    if row == "names" and find_spec("presidio_analyzer") is None:
        pytest.skip("portcullis[names] is not installed")


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.__name__)
@pytest.mark.parametrize(("row", "action"), ACTIONS)
def test_an_answer_leaves_as_its_policy_says(live, under, options, row, action, dialect):
    needs(row)
    _, text, before, replaced, behind = ROWS[row]
    guard, ends = row.split("/")[0], action in ("block", "forbid")
    shown = before + replaced + behind
    expected = {"redact": shown, "block": before, "forbid": before, "retry": ANEW}.get(action, text)
    texts = [text, ANEW] if action == "retry" else text
    found = {"guard": guard, "kind": kind_of(row), "action": action, "where": "content", "count": 1}
    reason = "content_filter" if ends else "stop"
    rule, found, result = policy_of(row, options[row], action), [found], RESULTS[action]
    if (row, action) == ("verification", "retry"):  # the next try is found, too
        rule = policy_of(row, options[row] + ', otherwise = "annotate"', action)
        found, result = [*found, {**found[0], "action": "annotate"}], "annotated"
    with under(rule), scripted(live, texts) as script:
        for is_streamed in (False, True):
            with recorded(live, guard, found, status=200, error=None, finish=[reason]):
                told, end, num_tokens, verdict = dialect(live, is_streamed)
            assert (told, end) == (expected, DIALECTS[dialect][ends])
            # What was written before the end counts, whether it left or not.
            assert num_tokens in (None, script.num_written[0])
            assert live.records[-1]["tokens"]["completion_tokens"] == script.num_written[0]
            is_cut = ends and row not in (*JUDGES, *NAMES)
            assert (script.num_written[0] < script.num_tokens()) == (is_cut or (action == "retry" and row in CASES))
            (check,) = verdict["checks"]
            assert (check.pop("probability", None) is None) == (row not in WEIGHING)
            assert check == {"index": 0, "what": guard, "where": "answer", "by": "p", "result": result}
            assert verdict["seconds"] > 0


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.__name__)
@pytest.mark.parametrize("row", ROWS)
def test_an_answer_in_which_nothing_is_found_leaves_as_it_is(live, under, options, row, dialect):
    needs(row)
    text = "a bc" if row == "length" else ANEW
    rule = policy_of(row, options[row].replace(ALWAYS, NEVER), "block")
    with under(rule), scripted(live, text) as script:
        for is_streamed in (False, True):
            with recorded(live, row, [], status=200, error=None, finish=["stop"]):
                told, end, num_tokens, verdict = dialect(live, is_streamed)
            assert (told, end) == (text, DIALECTS[dialect][0])
            assert num_tokens in (None, script.num_tokens())
            assert [check["result"] for check in verdict["checks"]] == ["passed"]


PROMPTS = {
    "openai_chat": ("/v1/chat/completions", lambda text: {"messages": [{**MESSAGES[0], "content": text}]}),
    "openai_completion": ("/v1/completions", lambda text: {"prompt": text}),
    "responses": ("/v1/responses", lambda text: {"input": text, "store": False}),
    "anthropic": ("/v1/messages", lambda text: {"messages": [{**MESSAGES[0], "content": text}], "max_tokens": 64}),
    "ollama": ("/api/chat", lambda text: {"messages": [{**MESSAGES[0], "content": text}]}),
    "tgi": ("/generate", lambda text: {"inputs": text, "parameters": {"max_new_tokens": 64}}),
}


@pytest.mark.parametrize("dialect", PROMPTS)
@pytest.mark.parametrize(("row", "action"), [each for each in ACTIONS if each[1] not in ("retry", "forbid")])
def test_a_prompt_is_read_as_its_policy_says(live, under, options, row, action, dialect):
    needs(row)
    _, text, before, replaced, behind = ROWS[row]
    guard, blocks = row.split("/")[0], action == "block"
    path, body = PROMPTS[dialect]
    found = {"guard": guard, "kind": kind_of(row), "action": action, "where": "input", "count": 1}
    refused = 422 if dialect == "tgi" else 400
    told = {"status": refused if blocks else 200, "error": "content_filter" if blocks else None}
    with under(policy_of(row, options[row], action, "input")), scripted(live, ANEW) as script:
        for is_streamed in (False, True):
            streamed = "/generate_stream" if is_streamed and dialect == "tgi" else path
            with recorded(live, guard, [found], **told, finish=[] if blocks else ["stop"]):
                reply = live.post(streamed, json={"model": "test-model", "stream": is_streamed, **body(text)})
            assert reply.status_code == told["status"], reply.text
            if blocks:
                assert f"({guard}: {kind_of(row)})" in reply.text
                assert script.requests == []
                continue
            read = live.service._loaded.decode(script.requests[-1].prompt_ids)
            assert (before + replaced + behind if action == "redact" else text) in read
            assert (text in read) == (action != "redact")
            assert ANEW in reply.text or is_streamed
