"""Scores of answers: right tool, right fields, exact, ended."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from embedded_model.evaluate.cases import Case, value_of
from tools import ToolSet, Transcript, get_format

_LOOP = re.compile(r"(.{2,40}?)\1{5,}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Score:
    """Verdicts on one answer.

    Attributes:
        right_tool: the tools called are those of the reference, in order; none, where it calls none.
        fields: share of the reference's fields that are right; of a text, 1 or 0.
        exact: the reference's values, all of them and no others; of no call, that there is none.
        loops: a text comes six times in a row.
        ran_out: it did not end by itself.
    """

    right_tool: bool
    fields: float
    exact: bool
    loops: bool
    ran_out: bool


def score(case: Case, answer: str, *, ran_out: bool = False) -> Score:
    """Compares an answer with the case's reference."""
    loops = has_loop(answer)
    if case.kind == "call":
        right_tool, exact = _calls(case, answer)
        return Score(right_tool, float(exact), exact, loops, ran_out)
    expected, given = value_of(case.answer), value_of(answer.strip())
    exact = given == expected
    fields = float(exact)
    if isinstance(expected, dict) and expected and isinstance(given, dict):
        fields = sum(key in given and given[key] == value for key, value in expected.items()) / len(expected)
    return Score(True, fields, exact, loops, ran_out)


def has_loop(text: str) -> bool:
    """True if a text of two characters or more comes six times in a row."""
    return _LOOP.search(text) is not None


def _calls(case: Case, answer: str) -> tuple[bool, bool]:
    parser = get_format("hermes").parser(ToolSet.from_openai(case.tools))
    transcript = Transcript.of([*parser.feed(answer), *parser.finish()])
    given = [(call.name, value_of(call.arguments)) for call in transcript.calls]
    expected = [(call["name"], call["arguments"]) for call in case.calls]
    right_tool = [name for name, _ in given] == [name for name, _ in expected]
    if not expected:
        return right_tool, right_tool and bool(answer.strip())
    return right_tool, not transcript.broken and given == expected


def summarise(cases: list[Case], scores: list[Score]) -> dict[str, Any]:
    """Shares by group, and over all calls."""
    groups: dict[str, list[Score]] = defaultdict(list)
    for case, verdict in zip(cases, scores, strict=True):
        groups[case.group].append(verdict)
        if case.calls:
            groups["all calls"].append(verdict)
    return {
        name: {
            "count": len(verdicts),
            "right_tool": round(sum(v.right_tool for v in verdicts) / len(verdicts), 4),
            "fields": round(sum(v.fields for v in verdicts) / len(verdicts), 4),
            "exact": round(sum(v.exact for v in verdicts) / len(verdicts), 4),
            "loops": sum(v.loops for v in verdicts),
            "ran_out": sum(v.ran_out for v in verdicts),
        }
        for name, verdicts in sorted(groups.items())
    }
