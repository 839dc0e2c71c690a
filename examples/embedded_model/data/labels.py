"""Classification with a given set of labels."""

from __future__ import annotations

from embedded_model.data import words as w
from embedded_model.data.conversation import Conversation, dump_json, say
from embedded_model.data.schemas import object_schema
from embedded_model.data.source import Source
from embedded_model.data.texts import SETS, written
from embedded_model.data.values import KINDS

_ORDERS = (
    "Classify the text as one of: {}.",
    "Choose one label: {}.",
    "Labels: {}. Answer with one label.",
    "Which of these fits the text: {}?",
    "Classify into {}",
    "Pick one of {}:",
    "Is this {}?",
    "What is it: {}?",
)
_COMPARED = tuple(one for one in SETS if any("<more>" in text for texts in one.labels.values() for text in texts))
"""Labels of comparisons of numbers, among other things: what is hardest to learn."""
COMPARED = 0.3
"""Share of the training's texts that is theirs beforehand."""
_UNTOLD = ("", "", "", "Classify: ", "Classify this: ", "Which label fits? ", "What is it? ", "Label: ", "Text: ")


def classification(source: Source) -> Conversation:
    """Draw a text, labels, and the label that fits, bare or in a record; only the mask may have the labels."""
    told = True
    if source.chance(0.15):
        labels, label, text = _invented(source)
        key = "label"
    else:
        chosen = source.pick(_COMPARED if source.split == "train" and source.chance(COMPARED) else SETS)
        labels, label, key = list(chosen.labels), source.pick(list(chosen.labels)), source.pick(chosen.keys)
        text = written(chosen.labels[label], source)
        if source.chance(0.2):
            text += " " if text[-1] in ".?!" else source.pick((". ", ", ", "! "))
            text += written(chosen.labels[label], source)
        text = text.replace("{}", str(source.pick((KINDS["thing"], KINDS["title"], KINDS["word"])).draw(source)))
        text = text.replace("<name>", str(KINDS["first_name"].draw(source)))
        if source.chance(0.3) and len(labels) > 2:
            labels = [one for one in labels if one == label or source.chance(0.6)]
        if len(labels) < 2:
            labels = list(chosen.labels)
        source.shuffle(labels)
        told = source.chance(0.6)
    if source.chance(0.5):
        text = text[0].upper() + text[1:]
    if text[-1] not in ".?!":
        text += source.pick((".", "", "!"))
    spelled = _listed(labels, source)
    order = source.pick(_ORDERS).format(spelled) if told else ""
    as_record = source.chance(0.4)
    if as_record and told and source.chance(0.4):
        order += source.pick((f' Answer as JSON: {{"{key}": ...}}', f' Answer in JSON with the key "{key}".'))
    if not told:
        messages = [say("user", source.pick(_UNTOLD) + text)]
    elif source.chance(0.5):
        messages = [say("system", order), say("user", text)]
    else:
        messages = [say("user", source.pick((f"{order}\nText: {text}", f"{order}\n{text}", f"{order} {text}",
                                             f"{text}\n{order}")))]  # fmt: skip
    shown = source.chance(0.8)
    if not as_record:
        return Conversation(messages=[*messages, say("assistant", label)], choices=labels, is_shown=shown)
    schema = object_schema({key: {"type": "string", "enum": labels}}, [key], source)
    answer = say("assistant", dump_json({key: label}))
    return Conversation(messages=[*messages, answer], schema=schema, is_shown=shown, foretold=told or shown)


def verdict(source: Source) -> Conversation:
    """A label as a truth value: `{"is_spam": true}`."""
    key, label = source.pick(_VERDICTS)
    chosen = next(one for one in SETS if label in one.labels)
    holds = source.chance(0.5)
    other = source.pick([one for one in chosen.labels if one != label])
    text = written(chosen.labels[label if holds else other], source)
    text = text.replace("{}", str(KINDS["thing"].draw(source))).replace("<name>", str(KINDS["first_name"].draw(source)))
    schema = object_schema({key: {"type": "boolean"}}, [key], source)
    return Conversation(
        messages=[say("user", source.pick(_UNTOLD) + text[0].upper() + text[1:]), say("assistant",
        dump_json({key: holds}))],
        schema=schema, is_shown=source.chance(0.8), foretold=False,
    )  # fmt: skip


_VERDICTS = (
    ("is_spam", "spam"), ("spam", "spam"), ("positive", "positive"), ("is_positive", "positive"),
    ("is_negative", "negative"), ("urgent", "urgent"), ("is_urgent", "urgent"), ("is_question", "question"),
    ("wants_refund", "refund"), ("is_greeting", "greeting"),
)  # fmt: skip


def _listed(labels: list[str], source: Source) -> str:
    shape = source.randint(0, 3)
    if shape == 0:
        return " or ".join(labels)
    return ", ".join(labels) if shape < 3 else f"{', '.join(labels[:-1])} or {labels[-1]}"


def _invented(source: Source) -> tuple[list[str], str, str]:
    """Labels made of invented words; the text names the right one."""
    drawn = [source.pick([w.syllables(source), source.pick(w.NOUNS)]) for _ in range(source.randint(2, 5))]
    labels = list(dict.fromkeys(drawn))
    label = source.pick(labels)
    return (
        labels,
        label,
        source.pick(["this is about {}", "the {} was fine", "I speak of {}", "a case of {}"]).format(label),
    )
