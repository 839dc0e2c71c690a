"""The guard `language`: texts in languages that are allowed, and in others."""

import sys

import pytest
from guarded_dialects import policy_of
from scripted import policies, scripted
from test_guards_answers import ask

from gateway.errors import ConfigError
from gateway.guards import read_policies
from gateway.guards.kinds import GUARDS, language

GERMAN = "Das Wetter ist heute schön, und morgen soll es regnen."
ENGLISH = "The weather is nice today, and tomorrow there will be rain."


def judge_of(**options):
    (rule,) = GUARDS["language"].rules({"allowed": ["en"], **options})
    return rule.what.judge


def test_texts_in_other_languages_are_found():
    assert judge_of().judge([ENGLISH, GERMAN, "今天天气很好，明天会下雨。", "ok", "", "\ud83d"], None) == [
        False, True, True, False, False, False
    ]  # fmt: skip
    assert judge_of(allowed=["de", "zh"]).judge([ENGLISH, GERMAN], None) == [True, False]
    assert judge_of(threshold=1.0).judge([GERMAN], None) == [False]


def test_an_answer_in_another_language_does_not_leave(tiny_live, tmp_path):
    rule = policy_of("language", 'allowed = ["en"]', "block")
    with policies(tiny_live, tmp_path, rule):
        for text, expected in ((GERMAN, ("", "content_filter")), (ENGLISH, (ENGLISH, "stop"))):
            with scripted(tiny_live, text):
                (choice,) = ask(tiny_live).json()["choices"]
                assert (choice["message"]["content"], choice["finish_reason"]) == expected


def test_what_is_not_installed_is_said(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "py3langid.langid", None)
    language._identifier.cache_clear()
    path = tmp_path / "policies.toml"
    path.write_text(policy_of("language", 'allowed = ["en"]', "block"))
    with pytest.raises(ConfigError, match=r"output\[0\]\.guard is language, which needs py3langid"):
        read_policies(path)
