"""The file of policies: what it may say, and what is said of every mistake in it."""

import dataclasses
import hashlib

import pytest
from guarded_dialects import policy_of

from gateway.commands import serve
from gateway.commands.settings import config_of
from gateway.errors import ConfigError, InvalidRequestError
from gateway.guards import Screen, read_policies
from gateway.guards.scanner import Scanner

GOOD = """
default = "careful"
allowed = ["open"]

[policies.careful]
input = [{ guard = "secrets", action = "block" }]
output = [
  { guard = "pii", kinds = ["card", "email"], action = "redact" },
  { guard = "pattern", pattern = "x{3}", action = "annotate", replacement = "***" },
]

[policies.open]

[[keys]]
sha256 = "DIGEST"
default = "open"
""".replace("DIGEST", hashlib.sha256(b"sesame").hexdigest())
TENANT = hashlib.sha256(b"sesame").hexdigest()[:32]


@pytest.fixture
def read(tmp_path):
    def read(text):
        path = tmp_path / "policies.toml"
        path.write_text(text)
        return read_policies(path)

    return read


def test_a_file_says_who_is_screened_by_what(read):
    policies = read(GOOD)
    careful = policies.of("", None)
    assert [each.rule.kind for each in careful.output.applied] == ["email", "card", "pattern"]
    assert [each.replacement for each in careful.output.applied] == ["[EMAIL]", "[CARD]", "***"]
    assert {each.action for each in careful.input.applied} == {"block"}
    assert policies.of("", "careful") is careful
    assert policies.of("", "open").output.applied == ()
    assert policies.of(TENANT, None).name == "open"
    with pytest.raises(InvalidRequestError, match="'careful' is none of the policies that may be chosen here: open"):
        policies.of(TENANT, "careful", "x")
    with pytest.raises(dataclasses.FrozenInstanceError):
        careful.name = "other"


def test_opened_policies_know_what_ordinary_texts_do(read, monkeypatch):
    policies = read(GOOD)
    worked_out = []
    step = Scanner._step
    monkeypatch.setattr(Scanner, "_step", lambda self, *of: worked_out.append(of[1]) or step(self, *of))
    policies.open()
    assert worked_out
    worked_out.clear()
    text = "The quick brown fox jumps over the lazy dog, and then "
    for side in (policies.named["careful"].input, policies.named["careful"].output):
        screen = Screen(side)
        assert screen.feed(text) == text
        assert not screen.counts, "what was met before is not this text's"
    assert not worked_out


def with_rule(rule):
    return f'default = "p"\n[policies.p]\noutput = [{{ guard = "terms", terms = ["a"], action = "pass" }}, {rule}]'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("= 1", "is not valid TOML"),
        ("", "policies is missing; it must be a table"),
        ("policies = 3", "policies must be a table"),
        ("[policies]", "policies must have at least one table, as in [policies.careful]"),
        ("[policies.p]", "default is missing; it must name one of the policies: p"),
        ('default = "q"\n[policies.p]', "default must name one of the policies: p, not 'q'"),
        ('default = "p"\nallow = []\n[policies.p]', "allow is not known; known are default, allowed, policies, keys"),
        ('default = "p"\nallowed = "p"\n[policies.p]', "allowed must be a list of names of policies"),
        ('default = "p"\nallowed = ["q"]\n[policies.p]', "allowed[0] must name one of the policies: p, not 'q'"),
        ('default = "p"\n[policies.p]\nin = []', "policies.p.in is not known; known are input, input_scope, output"),
        ('default = "p"\n[policies.p]\ninput = {}', "policies.p.input must be a list of tables"),
        ('default = "p"\n[policies.p]\ninput = [1]', "policies.p.input[0] must be a table"),
        ('default = "p"\nkeys = 1\n[policies.p]', "keys must be a list of tables, each begun by [[keys]]"),
        ('default = "p"\n[policies.p]\n[[keys]]\nsha256 = "x"', "keys[0].sha256 must be the SHA-256 of an API key"),
        (with_rule("{}"), "output[1].guard is missing; it must be one of pattern, terms, pii, secrets, length"),
        (with_rule('{ guard = "pi" }'), "output[1].guard must be one of pattern, terms, pii, secrets, length, "),
        (with_rule('{ guard = "pii" }'), "output[1].action is missing; it must be one of pass, annotate"),
        (with_rule('{ guard = "pii", action = "hide" }'), "redact, block, retry, forbid, not 'hide'"),
        (with_rule('{ guard = "pii", action = "retry", retries = 6 }'), "retries must be between 1 and 5, not 6"),
        (with_rule('{ guard = "pii", action = "retry", retries = 0 }'), "retries must be between 1 and 5, not 0"),
        (with_rule('{ guard = "pii", action = "retry", otherwise = "retry" }'), "redact, block, not 'retry'"),
        (with_rule('{ guard = "pii", action = "block", feedback = "why" }'), "output[1].feedback is not known"),
        (
            with_rule('{ guard = "pii", action = "retry" }').replace("output =", "input ="),
            "input[1].action must be one of pass, annotate, redact, block, not 'retry'",
        ),
        (with_rule('{ guard = "pii", action = "pass", kind = "x" }'), "output[1].kind is not known; known are guard,"),
        (with_rule('{ guard = "pii", action = "pass", kinds = "email" }'), "must be a list of texts, not 'email'"),
        (with_rule('{ guard = "pii", action = "pass", kinds = ["mail"] }'), "kinds must name some of email, card,"),
        (with_rule('{ guard = "pii", action = "pass", kinds = [] }'), "kinds must name some of email, card,"),
        (with_rule('{ guard = "pii", action = "pass", region = "D" }'), "region must be a country in two capital"),
        (with_rule('{ guard = "length", action = "pass" }'), "max_characters is missing; it must be a whole number"),
        (with_rule('{ guard = "length", action = "pass", max_characters = true }'), "must be a whole number, not True"),
        (with_rule('{ guard = "length", action = "pass", max_characters = 0 }'), "must be at least 1, not 0"),
        (with_rule('{ guard = "terms", action = "pass", terms = [""] }'), "a list of texts, none of them empty"),
        (with_rule('{ guard = "pattern", action = "pass", pattern = "(" }'), "output[1].pattern cannot be looked for"),
        (with_rule('{ guard = "pattern", action = "pass", pattern = "^a" }'), "whole_words = true asks for the edges"),
        (with_rule('{ guard = "pattern", action = "pass", pattern = "a*" }'), "it matches the empty text"),
        (with_rule('{ guard = "pattern", action = "pass", pattern = "(a)\\\\1" }'), "cannot be looked for"),
        (with_rule('{ guard = "pattern", action = "pass", pattern = "[ab]*a[ab]{30}" }'), "cannot be looked for"),
        (with_rule('{ guard = "pii", action = "forbid" }'), "cannot be forbid for pii: check digits"),
        (with_rule('{ guard = "secrets", action = "forbid" }'), "forbid for secrets: a key is one by its length"),
        (with_rule('{ guard = "length", action = "forbid", max_characters = 3 }'), "a mask knows tokens"),
        (policy_of("terms", 'terms = ["a"]', "forbid", "input"), "must be one of pass, annotate, redact, block, not"),
        (with_rule('{ guard = "pattern", action = "forbid", pattern = "a[ab]{14}a" }'), "output forbids more than"),
    ],
)  # fmt: skip
def test_a_mistake_is_said_with_its_place(read, text, said):
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert said in str(caught.value)
    assert "policies.toml" in str(caught.value)


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(ConfigError, match=r"cannot read the policies in .*/absent\.toml"):
        read_policies(tmp_path / "absent.toml")


def test_the_command_takes_the_file(tmp_path):
    from argparse import ArgumentParser

    from gateway.service import Service

    parser = ArgumentParser()
    serve.add_arguments(parser)
    path = tmp_path / "policies.toml"
    path.write_text("[policies.p]")
    config = config_of(parser.parse_args(["--policies", str(path)]))
    assert config.server.policies == str(path)
    # Said before the model is loaded.
    with pytest.raises(ConfigError, match="default is missing"):
        Service.load(config, progress=lambda _: pytest.fail("a model was loaded"))


def test_keys_of_the_file_are_keys_of_the_server(tmp_path):
    path = tmp_path / "policies.toml"
    path.write_text(GOOD)
    assert read_policies(path, ["other", "sesame"]).of(TENANT, None).name == "open"
    for keys in ([], ["other"]):
        with pytest.raises(ConfigError, match=r"keys\[0\]\.sha256 must be that of one of the server's API keys"):
            read_policies(path, keys)
