"""Loops are found where they are, end where they should, and honest texts are none."""

import base64
import json
import random
from pathlib import Path

import pytest
from engine_models import make_model
from engine_runs import Prophet, eager, make_engine, make_request, random_prompts, run_checked, tokens_of
from hypothesis import given
from hypothesis import strategies as st
from test_engine_constraints import Dfa

from gateway.config import LimitsConfig
from gateway.core.request import Repetition, Sampling
from gateway.embedded import target_path
from gateway.engine import LoopRule
from gateway.engine.errors import InvalidSamplingError
from gateway.engine.loops import MAX_PATTERN_SIZE, LoopFinder
from gateway.service.request.answer_bounds import loop_rule
from tests.counts import few_or_all

ROOT = Path(__file__).parents[3]
RULE = LoopRule(max_pattern_size=3, min_count=3, min_tokens=6)


class Circle(Dfa):
    """One that says how far its end is; and goes round in circles, at will."""

    @property
    def tokens_to_complete(self) -> int:
        return self.distance[self.state]


def circle() -> Circle:
    """Any of three tokens as often as it likes, then two certain ones."""
    return Circle({0: {10: 0, 11: 0, 12: 0, 20: 1}, 1: {21: 2}, 2: {}}, {2})


def is_loop(tokens: list[int], rule: LoopRule) -> bool:
    """Whether the last tokens are one run, over and over: as it is said, and slowly."""
    for size in range(rule.min_pattern_size, rule.max_pattern_size + 1):
        num = max(size * rule.min_count, rule.min_tokens)
        tail = tokens[-num:]
        if len(tokens) >= num and all(tail[at] == tail[at - size] for at in range(size, num)):
            return True
    return False


@given(
    st.lists(st.integers(0, 2), max_size=60),
    st.integers(1, 6), st.integers(1, 6), st.integers(2, 5), st.sampled_from([0, 7, 20]),
)  # fmt: skip
def test_finder_says_what_looking_at_every_tail_says(tokens, one, other, count, least):
    small, large = sorted((one, other))
    rule = LoopRule(max_pattern_size=large, min_pattern_size=small, min_count=count, min_tokens=least)
    finder = LoopFinder(rule)
    for place, token in enumerate(tokens):
        assert finder.accept(token) == is_loop(tokens[: place + 1], rule)


@pytest.fixture(scope="module")
def encode():
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(target_path() / "tokenizer.json"))
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


HONEST = {
    "equal numbers": json.dumps([0] * 128),
    "equal records": json.dumps([{"name": "none", "value": None}] * 12, indent=2),
    "matrix": json.dumps([[0] * 9] * 9, indent=1),
    "deep indentation": json.dumps({"a": {"b": {"c": [[1, [2, [3, {"d": {}}]]]]}}}, indent=16),
    "table": "| name | a | b |\n|---|---|---|\n" + "| none | 0 | 0 |\n" * 20,
    "rule": "=" * 200 + "\n" + "-" * 200,
    "base64": base64.b64encode(random.Random(1).randbytes(3000)).decode(),
    "base64 of nothing": base64.b64encode(bytes(240)).decode(),
    "hexadecimal": random.Random(2).randbytes(800).hex(" "),
    "verses": "We wish you a merry Christmas, " * 3 + "and a happy new year. " + "Fa la la la la, la la la la. " * 4,
    "counting": ", ".join(map(str, range(1000))),
    "csv": "\n".join(f"2024-01-{day:02},0,0,0,0" for day in range(1, 32)),
}
FILES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for folder in ("gateway", "grammars", "tools", "examples", "tests")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in (".py", ".md", ".toml", ".jinja", ".lark", ".json") and path.stat().st_size < 200_000
}


@pytest.mark.parametrize("step", few_or_all(17, 1))
def test_the_servers_own_rule_fires_on_no_honest_text(encode, step):
    rule = loop_rule(Sampling(), LimitsConfig())
    files = list(FILES.items())
    assert len(files) > 300
    for name, text in (*HONEST.items(), *files[::step]):
        finder = LoopFinder(rule)
        assert not any(map(finder.accept, encode(text))), name
    for text in ("ha " * 500, "Say it again. " * 100, " " * 5000, json.dumps([0] * 400)):
        finder = LoopFinder(rule)
        assert any(map(finder.accept, encode(text))), text[:20]


def test_rule_is_the_clients_or_the_servers():
    limits, off = LimitsConfig(), LimitsConfig(loop_stop_tokens=0)
    own = Sampling(repetition=Repetition(max_pattern_size=5, min_count=3))
    for each in (limits, off):
        assert loop_rule(own, each) == LoopRule(max_pattern_size=5, min_pattern_size=1, min_count=3)
        assert loop_rule(Sampling(repetition=Repetition()), each) is None
    assert loop_rule(Sampling(), limits).min_tokens == limits.loop_stop_tokens
    assert loop_rule(Sampling(), off) is None
    assert loop_rule(Sampling(ignore_eos=True), limits) is None


@pytest.mark.parametrize(
    "rule",
    [
        LoopRule(max_pattern_size=0),
        LoopRule(max_pattern_size=MAX_PATTERN_SIZE + 1),
        LoopRule(max_pattern_size=2, min_pattern_size=3),
        LoopRule(max_pattern_size=2, min_count=1),
    ],
)
def test_rules_out_of_range_are_refused(rule):
    with pytest.raises(InvalidSamplingError, match="loops"):
        make_engine().add(make_request(0, [3, 4], loops=rule))


def asked(**options):
    """Requests whose answers repeat one token, or two."""
    prompts = random_prompts(3, [5, 9, 30, 2])
    return [
        make_request(i, prompt, 40, logit_bias={50: 1e6} if i % 2 else {50: 1e6, 51: 1e6}, loops=RULE, **options)
        for i, prompt in enumerate(prompts)
    ]


@pytest.mark.parametrize("speculation", [(), ("ngram",)])
def test_free_answers_end_at_the_loop_with_drafts_and_without(speculation, monkeypatch):
    eager(monkeypatch)
    engine = make_engine(speculation=speculation)
    events = run_checked(engine, asked())
    for answer in events.values():
        tokens = tokens_of(answer)
        assert answer[-1].finish_reason == "repetition"
        assert [is_loop(tokens[:end], RULE) for end in range(1, len(tokens) + 1)] == [False] * (len(tokens) - 1) + [
            True
        ]
    assert engine.stats().finished == {"repetition": len(events)}


def test_a_loop_is_found_behind_a_preemption():
    rule = LoopRule(max_pattern_size=1, min_tokens=24)
    prompts = random_prompts(4, [9, 9, 9, 9])
    requests = [make_request(i, each, 40, logit_bias={50: 1e6}, loops=rule) for i, each in enumerate(prompts)]
    engine = make_engine(num_blocks=16)
    assert all(tokens_of(told) == [50] * 24 for told in run_checked(engine, requests).values())
    assert engine.stats().num_preemptions > 0


def test_drafts_of_a_model_change_no_end(monkeypatch):
    eager(monkeypatch)
    plain = {name: tokens_of(told) for name, told in run_checked(make_engine(speculation=()), asked()).items()}
    prompts = random_prompts(3, [5, 9, 30, 2])
    endless = [prompt + plain[str(i)] + [50] * 40 for i, prompt in enumerate(prompts)]
    engine = make_engine(drafters=[Prophet(endless)])
    assert {name: tokens_of(told) for name, told in run_checked(engine, asked()).items()} == plain
    assert engine.stats().num_accepted["prophet"] > 0
    twin = make_engine(model=make_model("llama"), draft_model=make_model("llama"), speculation=("model",))
    assert {name: tokens_of(told) for name, told in run_checked(twin, asked()).items()} == plain
    assert twin.stats().num_accepted["model"] > 0


@pytest.mark.parametrize("drafts", ["none", "ngram", "model"])
def test_constrained_answers_take_the_shortest_way_to_their_end(drafts, monkeypatch):
    eager(monkeypatch)
    settings = {"none": {"speculation": ()}, "ngram": {}, "model": {"draft_model": make_model("llama")}}[drafts]
    if drafts == "model":
        settings |= {"speculation": ("model",), "model": make_model("llama")}
    request = make_request(0, [3, 4, 5], 60, constraint=circle(), logit_bias={10: 1e6, 11: 1e5}, loops=RULE)
    events = run_checked(make_engine(**settings), [request])["0"]
    assert tokens_of(events) == [10] * 6 + [20, 21]
    assert (events[-1].finish_reason, events[-1].is_full) == ("repetition", True)


def test_a_loop_at_the_end_of_the_budget_changes_nothing():
    request = make_request(0, [3, 4, 5], 7, constraint=circle(), logit_bias={10: 1e6}, loops=RULE)
    events = run_checked(make_engine(), [request])["0"]
    assert tokens_of(events) == [10] * 5 + [20, 21]
    assert events[-1].finish_reason == "stop"


def test_no_loop_ends_what_is_to_be_longer_and_none_is_sought_unasked():
    request = make_request(0, [3, 4, 5], 30, logit_bias={50: 1e6}, loops=RULE, min_tokens=20)
    events = run_checked(make_engine(), [request])["0"]
    assert tokens_of(events) == [50] * 20
    events = run_checked(make_engine(), [make_request(0, [3, 4, 5], 30, logit_bias={50: 1e6})])["0"]
    assert (tokens_of(events), events[-1].finish_reason) == ([50] * 30, "length")
