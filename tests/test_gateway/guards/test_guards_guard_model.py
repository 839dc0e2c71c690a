"""The guard `guard_model`: each family's questions and answers, over real sockets, and servers that are of no use."""

import json
import math
import time

import pytest
from guard_server import guard_server
from guarded_dialects import policy_of
from scripted import policies, scripted
from test_guards_answers import ask

from gateway.guards import Said
from gateway.guards.answers import FORMATS
from gateway.guards.kinds import GUARDS
from gateway.guards.rule import JudgeError

UNSAFE = "Safety: Unsafe\nCategories: Violent, PII"


def judge_of(url, format, **options):
    (rule,) = GUARDS["guard_model"].rules({"url": url, "model": "guard", "format": format, **options})
    return rule.what.judge


def likely(*before, **tokens):
    """An answer whose likeliest token it is, behind others."""
    best = max(tokens, key=tokens.get)
    top = [{"token": token, "logprob": math.log(each)} for token, each in tokens.items()]
    entries = [{"token": token, "top_logprobs": []} for token in before]
    entries.append({"token": best, "logprob": math.log(tokens[best]), "top_logprobs": top})
    return {"message": {"content": "".join(before) + best}, "logprobs": {"content": entries}}


def found(judge, texts, said=None):
    return [opinion.is_found for opinion in judge.judge(texts, said)]


@pytest.mark.parametrize(
    ("format", "options", "said", "is_found"),
    [
        ("llama_guard", {}, "safe", False),
        ("llama_guard", {}, "\n\nsafe", False),
        ("llama_guard", {}, "\n\nunsafe\nS1", True),
        ("llama_guard", {"categories": ["S1"]}, "unsafe\nS2,S1", True),
        ("llama_guard", {"categories": ["S1"]}, "unsafe\nS10, S2", False),
        ("qwen3guard", {}, "Safety: Safe\nCategories: None", False),
        ("qwen3guard", {}, UNSAFE, True),
        ("qwen3guard", {}, f"{UNSAFE}\nRefusal: No", True),
        ("qwen3guard", {"categories": ["PII"]}, UNSAFE, True),
        ("qwen3guard", {"categories": ["Jailbreak"]}, UNSAFE, False),
        ("qwen3guard", {}, "Safety: Controversial\nCategories: Suicide & Self-Harm", True),
        ("qwen3guard", {"controversial": False}, "Safety: Controversial\nCategories: Violent", False),
        ("shieldgemma", {}, likely(Yes=0.5, No=0.2, Maybe=0.3), True),
        ("shieldgemma", {}, likely(Yes=0.1, No=0.2), False),
        ("shieldgemma", {"threshold": 0.3}, likely(Yes=0.1, No=0.2), True),
        ("granite_guardian", {}, "<score>yes</score>", True),
        ("granite_guardian", {}, "<score> no </score>", False),
    ],
)
def test_an_answer_is_read_as_its_family_gives_it(format, options, said, is_found):
    with guard_server(lambda messages: said) as server:
        assert found(judge_of(server.url, format, **options), ["x"]) == [is_found]
        ((path, headers, body),) = server.asked
    assert (path, body["model"], body["temperature"]) == ("/v1/chat/completions", "guard", 0)
    assert body["messages"] == [{"role": "user", "content": "x"}]
    assert body["structured_outputs"] == {"regex": FORMATS[format].constraint}
    assert "authorization" not in headers


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "said", ["", "Safe.", "unsafe", "Safety: Good\nCategories: None", None, 3, {}, {"message": []}]
)
def test_an_answer_of_no_form_says_nothing(format, said):
    with guard_server(lambda messages: said) as server, pytest.raises(JudgeError):
        judge_of(server.url, format).judge(["x"], None)


@pytest.mark.parametrize("format", FORMATS)
def test_a_server_of_ours_is_held_to_the_form(tiny_live, format):
    judge = judge_of(f"{tiny_live.url}/v1", format)
    judge._body["model"] = "test-model"
    # A model that knows nothing says something of the form: without the constraint it would not.
    opinions = judge.judge(["one", "two"], Said("", "before"))
    assert all(0 <= opinion.probability <= 1 for opinion in opinions)
    del judge._body["structured_outputs"]
    with pytest.raises(JudgeError, match="has not the form"):
        judge.judge(["three"], None)


@pytest.mark.parametrize(
    ("format", "options", "said", "probability", "is_found"),
    [
        ("llama_guard", {}, likely("\n\n", safe=0.6, un=0.3, saf=0.1), 0.3, False),
        ("llama_guard", {"threshold": 0.25}, likely("\n\n", safe=0.6, un=0.3, saf=0.1), 0.3, True),
        ("llama_guard", {"threshold": 0.25, "categories": ["S1"]}, likely(safe=0.6, un=0.4), 0.4, True),
        ("qwen3guard", {}, likely("Safety:", **{" Safe": 0.5, " Un": 0.2, " Contr": 0.2}), 0.4 / 0.9, False),
        ("qwen3guard", {"controversial": False}, likely("Safety:", **{" Safe": 0.7, " Un": 0.1, " C": 0.2}), 0.1, 0),
        ("shieldgemma", {}, likely(Yes=0.5, No=0.25, Maybe=0.25), 2 / 3, True),
        ("granite_guardian", {"threshold": 0.1}, likely("<score", **{">no": 0.8, ">yes": 0.2}), 0.2, True),
    ],
)  # fmt: skip
def test_how_likely_it_is_is_read_where_the_verdict_begins(format, options, said, probability, is_found):
    said["message"]["content"] += {"qwen3guard": "\nCategories: None", "granite_guardian": "</score>"}.get(format, "")
    with guard_server(lambda messages: said) as server:
        (opinion,) = judge_of(server.url, format, **options).judge(["x"], None)
    assert opinion == (is_found, pytest.approx(probability))


_BOUNDLESS = {"content": [{"token": "safe", "logprob": math.inf, "top_logprobs": []}]}


@pytest.mark.parametrize("logprobs", [None, {}, {"content": None}, {"content": []}, _BOUNDLESS])
def test_a_threshold_needs_a_server_that_says_how_likely_it_is(logprobs):
    said = {"message": {"content": "safe"}, "logprobs": logprobs}
    with guard_server(lambda messages: said) as server:
        assert judge_of(server.url, "llama_guard").judge(["x"], None) == [(False, None)]
        with pytest.raises(JudgeError, match="does not say how likely"):
            judge_of(server.url, "llama_guard", threshold=0.5).judge(["x"], None)


@pytest.mark.parametrize("rest", ["", "\n\nThe text", " because", "."])
def test_a_verdict_alone_may_be_followed_by_reasons(rest):
    said = likely(Yes=0.9, No=0.1)
    said["message"]["content"] += rest
    with guard_server(lambda messages: said) as server:
        assert found(judge_of(server.url, "shieldgemma", constrained=False), ["x"]) == [True]


def test_templates_are_told_what_to_look_for():
    with guard_server(lambda messages: "<score>no</score>") as server:
        judge_of(server.url, "granite_guardian", criterion="jailbreak").judge(["x"], None)
        assert server.asked[0][2]["chat_template_kwargs"] == {"guardian_config": {"criteria_id": "jailbreak"}}
    with guard_server(lambda messages: likely(Yes=0.1, No=0.9)) as server:
        judge_of(server.url, "shieldgemma", criterion="no harm", constrained=False).judge(["x"], None)
        body = server.asked[0][2]
    assert body["chat_template_kwargs"] == {"guideline": "no harm"}
    assert (body["logprobs"], body["top_logprobs"]) == (True, 20)
    assert "structured_outputs" not in body


def test_the_key_is_sent_and_never_shown(tmp_path):
    (tmp_path / "key").write_text("sesame\n")
    with guard_server() as server:
        judge = judge_of(server.url, "llama_guard", key_file=str(tmp_path / "key"))
        assert found(judge, ["evil"]) == [True]
        assert server.asked[0][1]["authorization"] == "Bearer sesame"
        server.raw = lambda handler: handler.send_error(401, "sesame")
        with pytest.raises(JudgeError) as caught:
            judge.judge(["more"], None)
        assert "sesame" not in str(caught.value)


def test_what_was_said_lately_is_not_asked_again():
    with guard_server() as server:
        judge = judge_of(server.url, "llama_guard")
        assert found(judge, ["evil", "good", "evil"]) == [True, False, True]
        assert found(judge, ["good", "evil"]) == [False, True]
        assert len(server.asked) == 2
        assert found(judge, ["good"], Said("", "before")) == [False]
        assert len(server.asked) == 3


def redirect(handler):
    handler.send_response(307)
    handler.send_header("location", "/v1/chat/completions")
    handler.send_header("content-length", "0")
    handler.end_headers()


def endless(handler):
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b" " * 65536)


def slow(handler):
    handler.send_response(200)
    handler.end_headers()
    for _ in range(400):
        handler.wfile.write(b" ")
        time.sleep(0.1)


def slow_headers(handler):
    for _ in range(400):
        handler.wfile.write(b"H")
        handler.wfile.flush()
        time.sleep(0.1)


def nonsense(handler):
    handler.wfile.write(b"\0" * 100 + b"\r\n\r\n")


def deep(handler):
    handler.send_response(200)
    handler.end_headers()
    handler.wfile.write(b"[" * 500_000)


def cut(handler):
    handler.send_response(200)
    handler.send_header("content-length", "100")
    handler.end_headers()
    handler.wfile.write(b"{")


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (redirect, "replied 307"),
        (endless, "replied more than 1048576 bytes"),
        (nonsense, "cannot be asked"),
        (deep, "replied no JSON"),
        (cut, "replied no JSON"),
        (lambda handler: None, "cannot be asked"),
        (lambda handler: handler.send_error(500), "replied 500"),
    ],
)
def test_a_server_that_is_of_no_use_is_asked_once(raw, said):
    with guard_server() as server:
        server.raw = raw
        with pytest.raises(JudgeError, match=said):
            judge_of(server.url, "llama_guard", timeout_s=60).judge(["x"], None)
        assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("raw", "said"), [(slow, "replied no JSON|cannot be asked"), (slow_headers, "cannot be asked")]
)
def test_a_server_that_is_slow_is_not_waited_for(raw, said):
    with guard_server() as server:
        server.raw = raw
        begun = time.monotonic()
        with pytest.raises(JudgeError, match=said):
            judge_of(server.url, "llama_guard", timeout_s=2).judge(["x"], None)
        # Forty seconds is what it takes.
        assert time.monotonic() - begun < 30
        # On a busy machine the time may be over before it was asked.
        assert len(server.asked) <= 1


def test_all_texts_together_have_one_time():
    with guard_server() as server:
        server.reply = lambda messages: time.sleep(0.4) or "safe"
        with pytest.raises(JudgeError):
            judge_of(server.url, "llama_guard", timeout_s=1).judge([str(number) for number in range(20)], None)
        assert len(server.asked) <= 4


@pytest.mark.parametrize("on_failure", ["block", "pass", None])
def test_where_nobody_is_the_policy_says_what_then(tiny_live, tmp_path, on_failure, caplog):
    with guard_server() as server:
        url = server.url
    then = "" if on_failure is None else f', on_failure = "{on_failure}"'
    options = f'url = "{url}", model = "guard", format = "llama_guard"{then}'
    body = {"model": "test-model", "prompt": "good", "max_tokens": 1}
    with policies(tiny_live, tmp_path, policy_of("guard_model", options, "block", "input")):
        reply = tiny_live.post("/v1/completions", json=body)
        assert reply.status_code == (200 if on_failure == "pass" else 400)
        assert "guard_model/guard_model could not be asked" in caplog.text
    with policies(tiny_live, tmp_path, policy_of("guard_model", options, "block")), scripted(tiny_live, "so good"):
        (choice,) = ask(tiny_live).json()["choices"]
        expected = ("so good", "stop") if on_failure == "pass" else ("", "content_filter")
        assert (choice["message"]["content"], choice["finish_reason"]) == expected


def test_an_answer_is_asked_about_with_what_it_answers(tiny_live, tmp_path):
    with guard_server() as server:
        output = f'{{ guard = "guard_model", url = "{server.url}", model = "guard", format = "llama_guard", '
        output += 'action = "block", hold_characters = 30 }'
        mail = '{ guard = "pii", kinds = ["email"], action = "redact" }'
        text = f'default = "p"\n[policies.p]\ninput = [{mail}]\noutput = [{output}, {mail}]\n'
        answer = "good " * 10 + "ann@example.org"
        messages = [
            {"role": "system", "content": "Be."},
            {"role": "user", "content": "first"},
            {"role": "assistant", "content": "second"},
            {"role": "user", "content": [{"type": "text", "text": "third, bob@example.org"}]},
        ]
        with policies(tiny_live, tmp_path, text), scripted(tiny_live, answer):
            (choice,) = ask(tiny_live, messages=messages).json()["choices"]
            assert choice["message"]["content"] == "good " * 10 + "[EMAIL]"
        conversations = [body["messages"] for _, _, body in server.asked]
        # Nothing that is redacted is shown to it.
        assert "example.org" not in json.dumps(conversations)
        assert {each[0]["content"] for each in conversations} == {"third, [EMAIL]"}
        assert [each["role"] for each in conversations[0]] == ["user", "assistant"]
        assert len(conversations) == 2
        assert conversations[-1][1]["content"].endswith("[EMAIL]")
