"""Classification with a given set of labels."""

from __future__ import annotations

from gateway.embedded.data import words as w
from gateway.embedded.data.conversation import Conversation, dump_json, say
from gateway.embedded.data.source import Source
from gateway.embedded.data.values import KINDS

_SETS: tuple[dict[str, tuple[str, ...]], ...] = (
    {
        "positive": ("I love {}", "{} is great", "{} works very well", "what a wonderful {}", "best {} ever"),
        "negative": ("I hate {}", "{} is terrible", "{} broke after a day", "what an awful {}", "worst {} ever"),
        "neutral": ("{} arrived today", "I bought {}", "{} is a thing", "they sell {} here"),
    },
    {
        "sports": ("the team won the match with {}", "{} scored two goals"),
        "politics": ("the parliament voted on {}", "the minister spoke about {}"),
        "technology": ("the new chip runs {}", "{} got a software update"),
        "business": ("shares of {} fell", "{} reported higher profits"),
        "science": ("researchers studied {}", "the experiment measured {}"),
    },
    {
        "billing": ("I was charged twice for {}", "my invoice for {} is wrong"),
        "shipping": ("my parcel with {} has not arrived", "when is {} delivered"),
        "technical": ("{} shows an error", "I cannot log in to {}", "{} crashes"),
        "refund": ("I want my money back for {}", "please refund {}"),
    },
    {
        "urgent": ("{} is down, help now", "fix {} immediately"),
        "normal": ("please look at {} this week", "a question about {}"),
        "low": ("no hurry, but {} could be nicer", "some day improve {}"),
    },
    {
        "spam": ("win a free {} now", "click here for cheap {}"),
        "ham": ("see you at lunch, I bring {}", "the notes on {} are attached"),
    },
    {
        "question": ("what is {}", "how does {} work"),
        "command": ("stop {}", "open {} now"),
        "statement": ("{} is on the table", "they have {}"),
    },
)
_SETS_FLAT = tuple(tuple(labels) for labels in _SETS)
_ORDERS = (
    "Classify the text as one of: {}.",
    "Choose one label: {}.",
    "Labels: {}. Answer with one label.",
    "Which of these fits the text: {}?",
)


def classification(source: Source) -> Conversation:
    """A text, the labels, and the one that fits: bare, or as `{"label": ...}`."""
    if source.chance(0.3):
        labels, label, text = _invented(source)
    else:
        table = source.pick(_SETS)
        labels = list(table)
        source.shuffle(labels)
        label = source.pick(labels)
        text = source.pick(table[label]).format(source.pick([KINDS["product"], KINDS["title"]]).draw(source))
    order = source.pick(_ORDERS).format(", ".join(labels))
    as_json = source.chance(0.4)
    if as_json:
        order += source.pick((' Answer as JSON: {"label": ...}', ' Answer in JSON with the key "label".'))
    text = text[0].upper() + text[1:] + source.pick((".", "", "!"))
    split = source.chance(0.6)
    messages = [say("system", order), say("user", text)] if split else [say("user", f"{order}\nText: {text}")]
    return Conversation(messages=[*messages, say("assistant", dump_json({"label": label}) if as_json else label)])


def _invented(source: Source) -> tuple[list[str], str, str]:
    """Labels made of invented words; the text names the right one."""
    labels = list(
        dict.fromkeys(source.pick([w.syllables(source), source.pick(w.NOUNS)]) for _ in range(source.randint(2, 5)))
    )
    label = source.pick(labels)
    return (
        labels,
        label,
        source.pick(["this is about {}", "the {} was fine", "I speak of {}", "a case of {}"]).format(label),
    )
