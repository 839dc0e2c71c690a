"""Typed decisions over a real socket, against sums of log-probabilities that transformers computes."""

import math

import openai
import pytest
from serving import config_for, serving

from gateway.config import EngineConfig

ABOUT = "My card was charged twice for one order, and nobody answers the phone."
TEAMS = {"billing": "payments and refunds", "shipping": None, "security": "account access"}
QUESTIONS = [
    {"type": "predicate", "name": "angry", "instructions": "The customer is upset."},
    {
        "type": "choice",
        "name": "team",
        "instructions": "Which team?",
        "choices": [{"value": "billing", "description": "payments"}, {"value": True}, {"value": "true"}],
    },
    {
        "type": "score",
        "instructions": [{"type": "input_text", "text": "How urgent?"}],
        "levels": [{"label": "calm"}, {"label": "soon"}, {"label": "now", "description": "at once"}],
    },
]


@pytest.fixture(scope="module")
def exact(tiny_model):
    """A server that computes in full precision, and the same model in transformers'."""
    import torch
    from transformers import AutoModelForCausalLM

    from gateway.embedded import MissingWeightsError, target_path

    try:
        path, served = target_path(), None
    except MissingWeightsError:
        path = served = tiny_model
    engine = EngineConfig(num_threads=1, kv_memory_bytes=64 * 1024 * 1024, dtype="float32")
    model = AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32).eval()
    with serving(config_for(served, engine=engine)) as live:
        yield live, model


def reference(live, model, text, labels):
    """The log-probability of each label after a prompt, from one forward pass over both."""
    import torch

    encode = live.service._loaded.tokenizer.encode
    prompt = live.post(
        "/apply-template",
        json={"messages": [{"role": "user", "content": text}], "chat_template_kwargs": {"enable_thinking": False}},
    ).json()["prompt"]
    ids = encode(prompt, add_special_tokens=False).ids
    found = []
    for label in labels:
        tokens = encode(label, add_special_tokens=False).ids
        with torch.no_grad():
            rows = model(torch.tensor([ids + tokens])).logits[0].double().log_softmax(-1)
        found.append(sum(rows[len(ids) - 1 + place, token].item() for place, token in enumerate(tokens)))
    return found


def shares(logprobs):
    total = math.fsum(map(math.exp, logprobs))
    return [math.exp(logprob) / total for logprob in logprobs], total


def post(live, path, status=200, **body):
    reply = live.post(f"/v1{path}", json=body)
    assert reply.status_code == status, reply.text
    return reply.json()


def test_probabilities_are_those_of_the_whole_labels(exact):
    live, model = exact
    names = [f"option {index}" for index in range(30)]
    questions = {
        "few": {"type": "choice", "instructions": "Which team?", "criteria": TEAMS},
        "many": {"type": "choice", "instructions": "Which option?", "criteria": dict.fromkeys(names)},
        "true": {"type": "noul", "instructions": "Is it urgent?", "criteria": {"true": "it cannot wait"}},
        "scale": {"type": "score", "instructions": "How upset?", "criteria": ["calm", "upset", "furious"]},
    }
    reply = post(live, "/systemone", state=ABOUT, questions=questions)
    few = (
        f"{ABOUT}\n\nWhich team?\nA: billing (payments and refunds)\nB: shipping\nC: security (account access)"
        "\n\nReply with one of A to C, and nothing else."
    )
    numbered = "\n".join(f"{index + 1:02}: {name}" for index, name in enumerate(names))
    many = f"{ABOUT}\n\nWhich option?\n{numbered}\n\nReply with one of 01 to 30, and nothing else."
    true = f"{ABOUT}\n\nIs it urgent?\nyes: it cannot wait\n\nReply with yes or no, and nothing else."
    scale = f"{ABOUT}\n\nHow upset?\n0: calm\n1: upset\n2: furious\n\nReply with one of 0 to 2, and nothing else."
    cases = {
        "few": (few, "ABC", list(TEAMS)),
        "many": (many, [f"{index + 1:02}" for index in range(30)], names),
        "true": (true, ["yes", "no"], ["yes", "no"]),
        "scale": (scale, "012", ["0", "1", "2"]),
    }
    spelled = live.service._loaded.tokenizer.encode("17", add_special_tokens=False).ids
    assert len(spelled) > 1, "some labels take several tokens"
    for name, (text, labels, keys) in cases.items():
        expected, mass = shares(reference(live, model, text, labels))
        answer = reply["answers"][name]
        assert list(answer["probabilities"]) == keys
        assert list(answer["probabilities"].values()) == pytest.approx(expected, rel=2e-3, abs=1e-6)
        assert reply["diagnostics"][name]["label_mass"] == pytest.approx(mass, rel=2e-3, abs=1e-9)
        assert answer["confidence"] == pytest.approx(max(expected) * mass, rel=2e-3, abs=1e-9)
    assert reply["answers"]["scale"]["score"] == pytest.approx(
        sum(int(level) * share for level, share in reply["answers"]["scale"]["probabilities"].items())
    )
    assert reply["answers"]["scale"]["legend"] == {"0": "calm", "1": "upset", "2": "furious"}
    assert reply["answers"]["true"]["noul"] == reply["answers"]["true"]["probabilities"]["yes"]


def test_openai_client_reads_typed_answers(live):
    client = openai.OpenAI(base_url=f"{live.url}/v1", api_key="none", _strict_response_validation=True)
    decision = client.decisions.create(model="test-model", input=ABOUT, questions=QUESTIONS)
    predicate, choice, score = decision.answers
    assert (predicate.type, predicate.name) == ("predicate", "angry")
    assert 0 <= predicate.probability <= 1
    assert [each.value for each in choice.probabilities] == ["billing", True, "true"]
    assert sum(each.probability for each in choice.probabilities) == pytest.approx(1)
    best = max(choice.probabilities, key=lambda each: each.probability)
    assert (choice.choice, choice.confidence) == (best.value, best.probability)
    assert type(choice.choice) is type(best.value)
    assert [(each.label, each.value) for each in score.probabilities] == [("calm", 0), ("soon", 1), ("now", 2)]
    assert score.score == pytest.approx(sum(each.value * each.probability for each in score.probabilities))
    assert score.name is None
    usage = decision.usage
    assert usage.total_tokens == usage.input_tokens > 0
    assert usage.output_tokens == 0
    assert decision.model == "test-model"


def test_both_dialects_ask_the_same(live):
    asked = {"instructions": "Which team?"}
    first = post(live, "/systemone", state=ABOUT, questions={"q": {"type": "choice", **asked, "criteria": TEAMS}})
    choices = [{"value": name, **({"description": text} if text else {})} for name, text in TEAMS.items()]
    second = post(live, "/decisions", input=ABOUT, questions=[{"type": "choice", **asked, "choices": choices}])
    told = {each["value"]: each["probability"] for each in second["answers"][0]["probabilities"]}
    assert told == pytest.approx(first["answers"]["q"]["probabilities"], rel=0.05)
    assert second["answers"][0]["label_mass"] == pytest.approx(first["diagnostics"]["q"]["label_mass"], rel=0.05)
    assert first["object"] == "structured_decision"
    assert first["id"].startswith("decision-")


def test_questions_share_what_they_are_about(live):
    about = "This sentence is here to be long. " * 20
    asked = [{"type": "predicate", "instructions": f"Statement number {index}"} for index in range(6)]
    usage = post(live, "/decisions", input=about, questions=asked)["usage"]
    shared = len(live.service._loaded.tokenizer.encode(about).ids)
    assert usage["input_tokens_details"]["cached_tokens"] >= 5 * (shared - 32)


def test_messages_calls_and_json_are_told_in_order(live):
    items = [
        {"role": "user", "content": [{"type": "input_text", "text": "Look"}, {"type": "input_json", "data": {"a": 1}}]},
        {"type": "function_call", "call_id": "c1", "name": "find", "arguments": '{"q": 2}'},
        {"type": "function_call_output", "call_id": "c1", "output": "nothing"},
        {"role": "assistant", "content": [{"type": "output_text", "text": "It is not there"}]},
    ]
    text = (
        'user: Look\n{"a":1}\n\nassistant calls find: {"q": 2}\n\nfind returns: nothing\n\nassistant: It is not there'
    )
    asked = [{"type": "predicate", "instructions": "It was found"}]
    by_items = post(live, "/decisions", input=items, questions=asked)
    by_text = post(live, "/decisions", input=text, questions=asked)
    assert by_items["usage"]["input_tokens"] == by_text["usage"]["input_tokens"]
    assert by_items["answers"][0]["probability"] == pytest.approx(by_text["answers"][0]["probability"], rel=0.05)


def test_answers_do_not_depend_on_each_other(live):
    one = post(live, "/decisions", input=ABOUT, questions=QUESTIONS[:1])["answers"][0]
    all_of_them = post(live, "/decisions", input=ABOUT, questions=QUESTIONS[::-1])["answers"][-1]
    assert all_of_them["probability"] == pytest.approx(one["probability"], rel=0.05)


PREDICATE = {"type": "predicate", "instructions": "x"}


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"questions": []}, "questions"),
        ({"questions": [PREDICATE] * 401}, "questions"),
        ({"input": [], "questions": [PREDICATE]}, "input"),
        ({"questions": [{"type": "choice", "instructions": "x"}]}, "questions[0].choices"),
        ({"questions": [{**PREDICATE, "type": "choice", "choices": [{"value": "a"}]}]}, "questions[0].choices"),
        ({"questions": [{**PREDICATE, "type": "choice", "choices": [{"value": "a"}] * 2}]}, "questions[0].choices"),
        (
            {"questions": [{**PREDICATE, "type": "choice", "choices": [{"value": str(i)} for i in range(256)]}]},
            "questions[0].choices",
        ),
        ({"questions": [{**PREDICATE, "type": "score", "levels": [{"label": "a"}]}]}, "questions[0].levels"),
        ({"questions": [{"type": "predicate"}]}, "questions[0].instructions"),
        ({"questions": [{**PREDICATE, "type": "box"}]}, "questions[0].type"),
        (
            {"questions": [{"type": "predicate", "instructions": [{"type": "input_image", "image_url": "x"}]}]},
            "questions[0].instructions[0].type",
        ),
        (
            {"input": [{"type": "function_call_output", "call_id": "c", "output": "x"}], "questions": [PREDICATE]},
            "input[0].call_id",
        ),
        ({"input": "x " * 60_000, "questions": [PREDICATE]}, "questions[0]"),
        ({"questions": [PREDICATE], "timeout": -1}, "timeout"),
    ],
)
def test_question_that_cannot_be_asked_is_named(live, body, param):
    error = post(live, "/decisions", 400, **{"input": ABOUT, **body})["error"]
    assert error["param"] == param


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"questions": {}}, "questions"),
        ({"questions": {"q": {"type": "choice", "criteria": {}}}}, "questions.q.criteria"),
        ({"questions": {"q": {"type": "score", "criteria": ["a"]}}}, "questions.q.criteria"),
        ({"questions": {"q": {"type": "noul", "criteria": {"maybe": "x"}}}}, "questions.q.criteria"),
        ({"questions": {"q": {"type": "noul"}}, "images": ["x"]}, "images"),
        (
            {"questions": {"q": {"type": "noul"}}, "chat_template_kwargs": {"enable_thinking": True}},
            "chat_template_kwargs.enable_thinking",
        ),
    ],
)
def test_systemone_question_that_cannot_be_asked_is_named(live, body, param):
    assert post(live, "/systemone", 400, state=ABOUT, **body)["error"]["param"] == param


def test_another_model_is_not_served(live):
    error = post(live, "/decisions", 404, model="gpt-9", input="x", questions=[PREDICATE])["error"]
    assert error["code"] == "model_not_found"


def test_too_many_passes_are_refused_before_any(live):
    options = {f"option {index}": None for index in range(240)}
    questions = {f"q{index}": {"type": "choice", "criteria": options} for index in range(400)}
    before = live.service._loaded.engine.stats().num_output_tokens
    error = post(live, "/systemone", 400, state="x", questions=questions)["error"]
    assert error["param"] == "questions"
    assert live.service._loaded.engine.stats().num_output_tokens == before


def test_decisions_end_with_their_time(live):
    asked = [{"type": "predicate", "instructions": f"{ABOUT} {index}"} for index in range(300)]
    error = post(live, "/decisions", 504, input=ABOUT * 4, questions=asked, timeout=0.2)["error"]
    assert error["code"] == "deadline_exceeded"
    live.wait_until_idle()
