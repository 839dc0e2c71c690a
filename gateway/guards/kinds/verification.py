"""`verification`: texts about which the served model answers an operator's question in a way that counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.core.labels import MAX_LETTERS, YES_NO
from gateway.guards.kinds.base import JUDGED, JUDGED_OPTIONS, UNMASKED, Guard, OptionError, judged, likely, timeout_of
from gateway.guards.rule import Question, Rule


def rules(options: Mapping[str, Any]) -> list[Rule]:
    """Return the rule of the question."""
    labels, found, threshold = tuple(options.get("labels", YES_NO)), options["found"], likely(options)
    if not options["question"].strip():
        raise OptionError("question", "must ask something")
    if not 2 <= len(set(labels)) == len(labels) <= MAX_LETTERS or not all(map(str.strip, labels)):
        raise OptionError("labels", f"must be 2 to {MAX_LETTERS} texts, all different and none empty")
    unknown = [label for label in found if label not in labels]
    if unknown or not 0 < len(set(found)) < len(labels):
        told = f", not '{unknown[0]}'" if unknown else ""
        raise OptionError("found", f"must name some of the labels, and not all: {', '.join(labels)}{told}")
    too_long = options.get("too_long", "refuse")
    if too_long not in ("refuse", "cut"):
        raise OptionError("too_long", f"must be refuse or cut, not {too_long!r}")
    asked = Question(
        text=options["question"],
        labels=labels,
        found=tuple(place for place, label in enumerate(labels) if label in found),
        threshold=threshold,
        with_prompt=options.get("with_prompt", False),
        is_cut=too_long == "cut",
        timeout_s=timeout_of(options),
    )
    return judged("verification", options, asked)


GUARD = Guard(
    name="verification",
    options={
        **JUDGED_OPTIONS,
        "question": str,
        "labels": list,
        "found": list,
        "threshold": float,
        "with_prompt": bool,
        "too_long": str,
    },
    required=("question", "found"),
    unmasked=UNMASKED,
    rules=rules,
    actions=JUDGED,
)
