"""Texts with labels, from the corpus: `{}` is a thing, `<name>` a name, `[a|b]` a choice, `<more>` a number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from embedded_model.data.corpus import read_blocks
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


def _banks(name: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the labels of each block of `corpus/labels/<name>.txt`, with their texts.

    After its name in brackets, a block has rows `label: text / text`, several for a label, and abbreviations
    `{name} = text` for the rows below them.
    """
    banks: dict[str, dict[str, tuple[str, ...]]] = {}
    for header, *rows in read_blocks(f"labels/{name}"):
        labels = banks.setdefault(header.strip("[]"), {})
        short: dict[str, str] = {}
        for row in map(str.strip, rows):
            if found := re.match(r"(\{\w+\}) = ", row):
                short[found[1]] = row[found.end() :]
                continue
            label, _, texts = row.partition(": ")
            for each, text in short.items():
                texts = texts.replace(each, text)
            labels[label] = labels.get(label, ()) + tuple(texts.split(" / "))
    return banks


_BANKS = {
    name: bank for file in ("opinions", "categories", "languages", "knowledge") for name, bank in _banks(file).items()
}


def _set(keys: str, banks: str, *, only: str = "", names: str = "") -> LabelSet:
    """Return the labels of some banks under these keys.

    Args:
        only: Labels to take, in this order; empty: all.
        names: Other names of the labels, in their order, with commas between.
    """
    found = {label: texts for bank in banks.split() for label, texts in _BANKS[bank].items()}
    chosen = {label: found[label] for label in only.split() or found}
    labels = names.split(",") if names else list(chosen)
    return LabelSet(tuple(keys.split()), dict(zip(labels, chosen.values(), strict=True)))


SETS = (
    _set("sentiment label mood opinion tone", "opinions neutral"),
    _set("sentiment label mood", "opinions"),
    _set("sentiment polarity feeling", "opinions", names="good,bad"),
    _set("stars rating", "stars"),
    _set("spam label category", "mail"),
    _set("label category", "mail", names="spam,not spam"),
    _set("type kind label intent", "sentences commands"),
    _set("type label", "sentences"),
    _set("topic category section", "news", only="sports politics technology business"),
    _set("topic category section", "news", only="sports politics technology business science"),
    _set("topic category section", "news"),
    _set("department team category", "requests", only="billing shipping technical refund"),
    _set("department team category", "requests"),
    _set("priority urgency level", "priority"),
    _set("priority urgency label", "urgency"),
    _set("intent action label", "talk"),
    _set("intent action", "bookings"),
    _set("intent", "assistant"),
    _set("language lang", "languages"),
    _set("language lang", "languages", names="en,de,fr,es,it,pt,nl"),
    _set("language lang", "languages", names="English,German,French,Spanish,Italian,Portuguese,Dutch"),
    _set("answer verdict result", "compared"),
    _set("answer verdict result", "compared", names="true,false"),
    _set("kind category type", "food"),
    _set("kind category type", "things"),
    _set("animal kind", "pets"),
    _set("animal kind answer", "pets others"),
    _set("color answer", "colors", only="red green blue yellow"),
    _set("color answer", "colors"),
    _set("comparison answer", "comparison"),
    _set("answer verdict", "truth"),
    _set("answer verdict", "reply"),
    _set("answer verdict", "truth", names="correct,wrong"),
    _set("answer verdict", "truth", names="True,False"),
    _set("answer verdict", "reply", names="Yes,No"),
)
"""All sets. Those of one bank differ in keys, in the labels taken or in their names."""
