"""Streams of text against an obvious reference: every match that is there, every match that can still come."""

import itertools
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gateway.guards import Applied, JsonScreen, Rules, Screen
from gateway.guards.kinds import GUARDS
from gateway.guards.patterns import chars, compile_pattern
from gateway.guards.rule import Bound, CompiledPattern, Rule

ALPHABET = "ab "
LONGEST = 4
"""Characters after which no pattern here has anything left to wait for."""

PATTERNS = ("a", "ab", "ba", "aab", "a b", "a{1,3}b", "b[ab]a", "ab|ba", "a(?:b|ba)", "(?:ab){1,2}", "bb?a?")
EDGES = ("", "a", "ab", " ")


LENGTHS = ("length 2", "length 5")
"""Bounds among the patterns."""


def has_odd_number(text):
    """A check that depends on where a match begins."""
    return text.count("a") % 2 == 1


def applied(rule, index):
    pattern, before, after, action, is_checked = rule
    what: Bound | CompiledPattern
    if pattern in LENGTHS:
        what = Bound(int(pattern.split()[1]))
    else:
        what = compile_pattern(
            pattern,
            before=chars(before) if before else (),
            after=chars(after) if after else (),
            check=has_odd_number if is_checked else None,
        )
    return Applied(rule=Rule(guard="x", kind=f"{index}", what=what), action=action, replacement=f"<{index}>")


def matches(text, policy, *, ignoring_checks=False):
    """All matches of all rules: begin, end, rule, and the number of characters after which it is known."""
    found = []
    for number, (pattern, before, after, _, is_checked) in enumerate(policy):
        if pattern in LENGTHS:
            most = int(pattern.split()[1])
            found += [(most, end, number, end) for end in range(most + 1, len(text) + 1)]
            continue
        for begin, end in itertools.combinations(range(len(text) + 1), 2):
            if before and begin and text[begin - 1] in before:
                continue
            if after and end < len(text) and text[end] in after:
                continue
            if is_checked and not ignoring_checks and not has_odd_number(text[begin:end]):
                continue
            if re.fullmatch(pattern, text[begin:end]):
                found.append((begin, end, number, end + bool(after)))
    return found


def covered(found):
    """What the matches cover, those that overlap as one."""
    spans = []
    for begin, end, number in sorted(found):
        if spans and spans[-1][1] > begin:
            last = spans.pop()
            begin, end, number = last[0], max(last[1], end), min(last[2], number)
        spans.append((begin, end, number))
    return spans


def open_from(text, policy):
    """The first character that a match may still come to cover, or to end the text for."""
    first = len(text)
    holding = [rule if rule[3] in ("redact", "block") else ("(?!)", *rule[1:]) for rule in policy]
    for length in range(LONGEST + 1):
        for more in itertools.product(ALPHABET, repeat=length):
            for begin, _, _, known in matches(text + "".join(more), holding, ignoring_checks=True):
                if known > len(text):
                    first = min(first, begin)
    return first


def reference(text, policy, at_end):
    """What has left after the text, whether it was ended, and how much is held back."""
    for length in range(len(text) + 1):
        is_end = at_end and length == len(text)
        known = [each for each in matches(text[:length], policy) if is_end or each[3] <= length]
        if any(policy[each[2]][3] == "block" for each in known):
            # At the end nothing more leaves; otherwise what had left before the character that told.
            before = (
                text[:length]
                if is_end
                and not any(policy[each[2]][3] == "block" and each[3] <= length for each in matches(text, policy))
                else text[: length - 1]
            )
            return left_of(before, policy, at_end=False)[0], True, None
    return *left_of(text, policy, at_end)[:1], False, left_of(text, policy, at_end)[1]


def left_of(text, policy, at_end):
    found = [
        each[:3]
        for each in matches(text, policy)
        if policy[each[2]][3] == "redact" and (at_end or each[3] <= len(text))
    ]
    spans = covered(found)
    boundary = len(text) if at_end else open_from(text, policy)
    for begin, end, _ in spans:
        if begin < boundary < end:
            boundary = begin
    out, at = "", 0
    for begin, end, number in spans:
        if end <= boundary:
            out, at = out + text[at:begin] + f"<{number}>", end
    return out + text[at:boundary], len(text) - boundary


rules = st.lists(
    st.tuples(
        st.sampled_from(PATTERNS + LENGTHS), st.sampled_from(EDGES), st.sampled_from(EDGES),
        st.sampled_from(["pass", "annotate", "redact", "redact", "block"]),
        st.booleans(),
    ),
    min_size=1, max_size=3,
)  # fmt: skip
cuts = st.lists(st.text(ALPHABET, max_size=3), max_size=4)


def screen_of(policy):
    return Screen(Rules([applied(rule, index) for index, rule in enumerate(policy)]))


@settings(max_examples=250, deadline=None)
@given(policy=rules, pieces=cuts)
@example(policy=[("ab", "", "", "redact", False), ("ba", "", "", "redact", False)], pieces=["a", "ba"])
@example(policy=[("a", "", "a", "block", False)], pieces=["b", "a"])
def test_a_stream_decides_and_holds_back_as_the_reference(policy, pieces):
    screen, out, fed = screen_of(policy), "", ""
    for piece in pieces:
        out += screen.feed(piece)
        fed += piece
        expected, is_blocked, num_held = reference(fed, policy, at_end=False)
        assert (out, screen.blocked is not None) == (expected, is_blocked)
        if not is_blocked:
            assert screen.num_held == num_held
    out += screen.flush()
    assert (out, screen.blocked is not None) == reference(fed, policy, at_end=True)[:2]


@settings(max_examples=200, deadline=None)
@given(policy=rules, text=st.text(ALPHABET, max_size=14), places=st.sets(st.integers(0, 14)))
def test_how_a_text_is_cut_changes_nothing(policy, text, places):
    whole = screen_of(policy)
    expected = whole.feed(text) + whole.flush()
    ends = sorted({place for place in places if place < len(text)} | {len(text)})
    cut, out = screen_of(policy), ""
    for begin, end in itertools.pairwise([0, *ends]):
        out += cut.feed(text[begin:end])
    assert out + cut.flush() == expected
    assert cut.findings("content") == whole.findings("content")
    assert cut.blocked == whole.blocked or (cut.blocked and cut.blocked.rule.kind == whole.blocked.rule.kind)


def guard(name, action="redact", **options):
    return [
        Applied(rule=rule, action=action, replacement=f"[{rule.kind.upper()}]") for rule in GUARDS[name].rules(options)
    ]


def test_what_is_interrupted_leaves_and_a_match_across_still_counts():
    screen = Screen(Rules(guard("terms", terms=["secret"])))
    assert screen.feed("a sec") == "a "
    assert screen.flush() == "sec"
    assert screen.feed("ret!") == "[TERMS]!"
    blocking = Screen(Rules(guard("terms", "block", terms=["secret"])))
    assert blocking.feed("a sec") + blocking.flush() + blocking.feed("re") == "a sec"
    assert blocking.feed("t!") == ""
    assert blocking.blocked is not None


def test_matches_that_touch_are_replaced_one_by_one():
    screen = Screen(Rules(guard("terms", terms=["ab"])))
    assert screen.feed("xababx") == "x[TERMS][TERMS]x"


@pytest.mark.parametrize(
    ("action", "told", "is_blocked"),
    [("pass", "abcdef", False), ("annotate", "abcdef", False), ("redact", "abcd<0>", False), ("block", "abcd", True)],
)
def test_a_bound_is_about_what_is_behind_it(action, told, is_blocked):
    rule = Applied(rule=Rule(guard="length", kind="length", what=Bound(4)), action=action, replacement="<0>")
    screen = Screen(Rules([rule]))
    assert "".join(map(screen.feed, "abcdef")) + screen.flush() == told
    assert (screen.blocked is not None) == is_blocked
    assert [found.count for found in screen.findings("content")] == [1]


def test_states_that_are_dropped_are_made_anew(monkeypatch):
    monkeypatch.setattr("gateway.guards.scanner.MAX_STATES", 3)
    screen = Screen(Rules(guard("pii", kinds=["email"])))
    text = "write to ann@example.org or bob@example.org. " * 3
    assert "".join(map(screen.feed, text)) + screen.flush() == "write to [EMAIL] or [EMAIL]. " * 3


ESCAPES = ["a", "s", '"', "\\u0061", "\\u0062", "b", "\\\\", "\\/", "\\ud83d\\ude00", "\\ud83d", "\\q", "\\"]


@settings(max_examples=200, deadline=None)
@given(pieces=st.lists(st.sampled_from(ESCAPES), max_size=8), places=st.sets(st.integers(0, 60)))
def test_json_leaves_as_it_was_written_and_is_read_as_it_is_meant(pieces, places):
    text = "".join(pieces)
    screen = JsonScreen(Rules(guard("terms", "block", terms=["ab", "\U0001f600"])))
    ends = sorted({place for place in places if place < len(text)} | {len(text)})
    out = "".join(screen.feed(text[begin:end]) for begin, end in itertools.pairwise([0, *ends])) + screen.flush()
    meant = re.sub(
        r"\\ud83d\\ude00|\\u00(6[12])|\\([\\/])",
        lambda found: chr(int(found[1], 16)) if found[1] else found[2] or "\U0001f600",
        text,
    )
    assert (screen.blocked is not None) == ("ab" in meant or "\U0001f600" in meant)
    assert text.startswith(out)
    assert out == text or screen.blocked
