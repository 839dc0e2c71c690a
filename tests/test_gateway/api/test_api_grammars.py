"""Grammars over a real socket: compiled, held, and verified before the answer leaves."""

import json
import re

import pytest
from sdk_types import is_whole

from gateway.core.constraints import GrammarConstraint
from gateway.errors import VerificationError
from gateway.service.answers.verification import verify
from gateway.service.constraints.jobs import JobContext
from gateway.service.constraints.matcher_recheck import MatcherRecheck
from gateway.service.request.plan import Plan
from gateway.verify import CostError, Verdict, Verifier
from grammars import Lark

HELLO = [{"role": "user", "content": "Describe Ann, who is 31 and lives in Rome."}]
LARK = 'start: "name=" NAME ("," INT)~0..2 "."\nNAME: /[a-z]{1,9}/\n%import common.INT'
GBNF = 'root ::= "name=" [a-z]{1,9} ("," [0-9]+){0,2} "."'
SHAPE = r"name=[a-z]{1,9}(,\d+){0,2}\."
SPECIAL = 'start: "a" <|im_start|> /[b-d]{2}/'
JSON = 'start: "x=" %json {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}'


def ask(live, path="/v1/chat/completions", **fields):
    prompt = {"messages": HELLO} if "chat" in path else {"prompt": "Ann"}
    reply = live.post(path, json={**prompt, "max_tokens": 40, "temperature": 1.5, **fields})
    assert reply.status_code == 200, reply.text
    return reply.json()["choices"]


@pytest.mark.parametrize(
    ("fields", "by"),
    [
        ({"guided_grammar": LARK}, "earley"),
        ({"guided_grammar": GBNF}, "earley"),
        ({"structured_outputs": {"grammar": LARK}}, "earley"),
        ({"ebnf": GBNF}, "earley"),
        ({"grammar": LARK}, "earley"),
        ({"grammar": {"type": "gbnf", "value": GBNF}}, "earley"),
        ({"response_format": {"type": "grammar", "grammar": GBNF}}, "earley"),
        ({"response_format": {"type": "grammar", "grammar": {"syntax": "lark", "definition": LARK}}}, "earley"),
    ],
    ids=str,
)
def test_every_spelling_of_a_grammar_holds(live, fields, by):
    for choice in ask(live, n=2, **fields):
        assert re.fullmatch(SHAPE, choice["message"]["content"])
        assert is_whole(choice)
        assert choice["verified_by"] == by


def test_completions_and_streams_say_how_they_were_verified(live):
    (choice,) = ask(live, "/v1/completions", grammar=LARK)
    assert re.fullmatch(SHAPE, choice["text"])
    assert choice["verified_by"] == "earley"
    for path, prompt in (("/v1/chat/completions", {"messages": HELLO}), ("/v1/completions", {"prompt": "Ann"})):
        reply = live.post(path, json={**prompt, "max_tokens": 40, "grammar": GBNF, "stream": True})
        events = [json.loads(event[6:]) for event in reply.text.split("\n\n") if event.startswith("data: {")]
        said = [choice["verified_by"] for event in events for choice in event["choices"] if "verified_by" in choice]
        assert said == ["earley"]


def test_other_answers_do_not_say_it(live):
    (choice,) = ask(live, guided_choice=["a", "b"])
    assert "verified_by" not in choice


def test_special_tokens_are_written_and_have_no_text(live):
    (choice,) = ask(live, grammar=SPECIAL, logprobs=True)
    assert re.fullmatch("a[b-d]{2}", choice["message"]["content"])
    assert choice["verified_by"] == "matcher"


def test_schemas_inside_grammars_hold(live):
    for choice in ask(live, n=2, grammar=JSON):
        text = choice["message"]["content"]
        assert isinstance(json.loads(text.removeprefix("x="))["a"], bool)
        assert choice["verified_by"] == "matcher"


def test_tools_beside_a_grammar(live):
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "maxProperties": 0}}}
    for choice in ask(live, n=4, grammar=LARK, tools=[tool]):
        message = choice["message"]
        if message.get("tool_calls"):
            assert "verified_by" not in choice
        else:
            assert re.fullmatch(SHAPE, message["content"])
            assert choice["verified_by"] == "earley"


def test_an_answer_that_fails_does_not_leave(live, monkeypatch):
    monkeypatch.setattr(Verifier, "verify_grammar", lambda *_: Verdict.failed("grammar", "no"))
    monkeypatch.setattr(MatcherRecheck, "holds", lambda *_: False)
    for text in (LARK, GBNF):
        reply = live.post("/v1/chat/completions", json={"messages": HELLO, "grammar": text, "max_tokens": 40})
        assert reply.json()["error"]["code"] == "verification_failed"
        assert reply.status_code >= 500


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="module")
def compiler(live):
    return live.service._loaded.compiler


def plan_of(compiler, text):
    constraint = GrammarConstraint(text=text, origin="grammar")
    return Plan(constraint=constraint, recheck=MatcherRecheck(compiler.compile(Lark(text))))


@pytest.mark.anyio
async def test_answers_are_read_by_the_parser_or_matched_anew(compiler, monkeypatch):
    bench, vocabulary = JobContext(compiler, Verifier()), compiler.vocabulary
    good, bad = "name=ann,3.", "name=ann,3"
    plan = plan_of(compiler, LARK)

    async def verified_by(text, tokens_of):
        async def ask(job):
            return job.do(bench)

        verdict = await verify(ask, plan, text, (), vocabulary.encode(tokens_of.encode()))
        return verdict.verified_by

    assert await verified_by(good, good) == "earley"
    # The parser alone refuses: what is matched anew would pass.
    with pytest.raises(VerificationError):
        await verified_by(bad, good)

    def undecided(*_):
        raise CostError

    monkeypatch.setattr(Verifier, "verify_grammar", undecided)
    assert await verified_by(good, good) == "matcher"
    with pytest.raises(VerificationError):
        await verified_by(bad, bad)


@pytest.mark.parametrize(("text", "data"), [(JSON, b'x={"a": true}'), (SPECIAL, b"a\xff<|im_start|>\xfebc")])
def test_a_rematch_takes_whole_texts_alone(compiler, text, data):
    recheck, ids = plan_of(compiler, text).recheck, compiler.vocabulary.encode(data)
    assert recheck.holds(ids)
    assert not recheck.holds(ids[:-1])
    assert not recheck.holds(ids + ids[-1:])
    assert not recheck.holds([])
    plain = compiler.vocabulary.encode(b"a<|im_start|>bc")
    assert not recheck.holds(plain)


@pytest.mark.parametrize("rule", ["[capture]", '[capture, stop="."]'])
def test_a_grammar_with_attributes_is_held_and_verified(live, rule):
    text = f"%llguidance {{}}\n\nstart: a\na{rule}: A\nA: /[a-z. ]{{1,9}}/\n"
    for choice in ask(live, n=2, structured_outputs={"grammar": text}):
        assert re.fullmatch("[a-z ]{1,9}" if "stop" in rule else "[a-z. ]{1,9}", choice["message"]["content"])
        # What ends a rule is read by nobody else: such a text is matched anew.
        assert choice["verified_by"] == ("matcher" if "stop" in rule else "earley")
