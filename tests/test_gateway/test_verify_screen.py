"""Screening for denied phrases."""

import pytest

from gateway.verify import DenyPolicy, screen


@pytest.mark.parametrize(
    ("text", "policy", "offset"),
    [
        ("All is well", DenyPolicy(phrases=("secret",)), None),
        ("My SECRET key", DenyPolicy(phrases=("none", "secret")), 3),
        ("My SECRET key", DenyPolicy(phrases=("secret",), ignore_case=False), None),
        ("classic ass", DenyPolicy(phrases=("ass",), whole_words=True), 8),
        ("classic", DenyPolicy(phrases=("ass",), whole_words=True), None),
        ("", DenyPolicy(phrases=("x",)), None),
    ],
)
def test_screen(text: str, policy: DenyPolicy, offset: int | None) -> None:
    verdict = screen(text, policy)
    assert (verdict.passed, verdict.offset) == (offset is None, offset)
    assert verdict.passed or verdict.path == f"/phrases/{len(policy.phrases) - 1}"


def test_screen_names_no_offset_where_folding_moves_it() -> None:
    verdict = screen("Straße: secret", DenyPolicy(phrases=("SECRET",)))
    assert (verdict.passed, verdict.offset) == (False, None)


def test_screen_does_not_repeat_the_phrase() -> None:
    reason = screen("the secret", DenyPolicy(phrases=("secret",))).reason
    assert reason is not None
    assert "secret" not in reason


def test_deny_policy_refuses_an_empty_phrase() -> None:
    with pytest.raises(ValueError, match="empty"):
        DenyPolicy(phrases=("",))
