"""Prompts of questions: the subject first, which all questions share, then one question and its labels."""

from __future__ import annotations

from collections.abc import Sequence

from gateway.core.decisions import LabelQuestion


def question(
    about: str, instructions: str, options: Sequence[str], labels: Sequence[str], origin: str
) -> LabelQuestion:
    """Return a question with one line per described option."""
    lines = [f"{label}: {option}" for label, option in zip(labels, options, strict=True) if option]
    said = "\n".join([instructions, *lines]) if instructions else "\n".join(lines)
    names = f"{labels[0]} or {labels[1]}" if len(labels) == 2 else f"one of {labels[0]} to {labels[-1]}"
    text = f"{about}\n\n{said}\n\nReply with {names}, and nothing else."
    return LabelQuestion(text=text, labels=tuple(labels), origin=origin)
