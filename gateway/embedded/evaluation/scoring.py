"""Whether an answer is right."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from gateway.embedded.evaluation.cases import Case
from tools import ToolSet, Transcript, get_format


@dataclass(frozen=True, slots=True)
class Score:
    """Verdicts on one answer.

    Attributes:
        readable: calls could be read from it; a record is JSON; always true of a bare label.
        right_tool: the tools called are those of the reference, in order.
        exact: the reference's values, all of them and no others.
    """

    readable: bool
    right_tool: bool
    exact: bool


def score(case: Case, answer: str) -> Score:
    """Compares an answer with the case's reference."""
    if case.kind == "call":
        return _score_calls(case, answer)
    expected, given = _value(case.answer), _value(answer.strip())
    readable = case.schema is None or isinstance(given, dict)
    return Score(readable=readable, right_tool=readable, exact=given == expected)


def _score_calls(case: Case, answer: str) -> Score:
    parser = get_format("hermes").parser(ToolSet.from_openai(case.tools))
    transcript = Transcript.of([*parser.feed(answer), *parser.finish()])
    given = [(call.name, _value(call.arguments)) for call in transcript.calls]
    expected = [(call["name"], call["arguments"]) for call in case.calls]
    readable = bool(given) and not transcript.broken and all(isinstance(value, dict) for _, value in given)
    right_tool = [name for name, _ in given] == [name for name, _ in expected]
    return Score(readable=readable, right_tool=right_tool, exact=readable and given == expected)


def _value(text: str) -> Any:
    """The JSON value of a text, or the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def summarise(cases: list[Case], scores: list[Score]) -> dict[str, Any]:
    """Shares by group and over all calls."""
    groups: dict[str, list[Score]] = defaultdict(list)
    for case, verdict in zip(cases, scores, strict=True):
        groups[case.group].append(verdict)
        if case.kind == "call":
            groups["all calls"].append(verdict)
    return {
        name: {
            "count": len(verdicts),
            "readable": round(sum(v.readable for v in verdicts) / len(verdicts), 4),
            "right_tool": round(sum(v.right_tool for v in verdicts) / len(verdicts), 4),
            "exact": round(sum(v.exact for v in verdicts) / len(verdicts), 4),
        }
        for name, verdicts in sorted(groups.items())
    }
