"""Texts with labels. `{}` is some thing, `<name>` somebody's name, `[a|b]` one of several words; numbers in places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from embedded_model.data.source import Source


@dataclass(frozen=True, slots=True)
class LabelSet:
    """Labels with texts that deserve them, and the keys under which records hold such a label."""

    keys: tuple[str, ...]
    labels: dict[str, tuple[str, ...]]


def written(texts: Sequence[str], source: Source) -> str:
    """Return a text with one word of each of its choices, and numbers in places such as `<more>` and `<sum>`.

    Of the pairs of numbers that are compared or added, one in eight belongs to the evaluation.
    """
    text = re.sub(r"\[([^]]*)\]", lambda choice: source.pick(choice[1].split("|")), source.pick(texts))
    if "<" not in text:
        return text
    top = source.pick((10, 20, 100))
    compared = source.fresh(lambda: "{} < {}".format(*sorted(source.sample(range(top + 1), 2))))
    added = source.fresh(lambda: f"{source.randint(0, top // 2)} + {source.randint(0, top // 2)}")
    (less, more), (a, b) = compared.split(" < "), added.split(" + ")
    total = int(a) + int(b)
    wrong = source.pick([n for n in range(max(0, total - 9), total + 10) if n != total])
    numbers = {"less": less, "more": more, "a": a, "b": b, "sum": str(total), "wrong": str(wrong)}
    return re.sub(r"<(less|more|a|b|sum|wrong)>", lambda place: numbers[place[1]], text)


def label_set(keys: str, lines: str) -> LabelSet:
    """A set from lines `label: text / text`; a label may have several."""
    labels: dict[str, tuple[str, ...]] = {}
    for line in lines.strip().splitlines():
        if line.strip():
            label, _, texts = line.strip().partition(": ")
            labels[label] = labels.get(label, ()) + tuple(texts.split(" / "))
    return LabelSet(tuple(keys.split()), labels)


def only(one: LabelSet, names: str) -> LabelSet:
    """The same set with some of its labels."""
    return LabelSet(one.keys, {label: one.labels[label] for label in names.split()})


def renamed(one: LabelSet, names: str) -> LabelSet:
    """The same texts under other labels, in the order of the set's."""
    return LabelSet(one.keys, dict(zip(names.split(), one.labels.values(), strict=True)))
