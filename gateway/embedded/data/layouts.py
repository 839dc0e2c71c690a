"""How documents lay out what they say: prose, lines, tables, mails, logs, chats. One layout is for evaluation alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gateway.embedded.data import words as w
from gateway.embedded.data.conversation import dump_json
from gateway.embedded.data.source import Source
from gateway.embedded.data.topics import Field, Topic
from gateway.embedded.data.values import KINDS, JsonValue


@dataclass(frozen=True, slots=True)
class Content:
    """What a document says: the fields of a topic with their values, and each value as it is spelled here."""

    topic: Topic
    fields: list[Field]
    values: dict[str, JsonValue]
    spoken: dict[str, str]

    def label(self, field: Field, source: Source) -> str:
        """One of the field's names, as people write it."""
        return source.pick(field.keys).replace("_", " ")


def spell(field: Field, value: JsonValue, source: Source) -> str:
    """The value in words; a truth value is "yes" or "no" where no sentence says it."""
    return ("yes" if value else "no") if field.kind.is_boolean else field.kind.say(value, source)


def prose(content: Content, source: Source) -> str:
    """A sentence: an opening whose places can all be filled, and a clause for each of the other fields."""
    names = {field.name for field in content.fields}
    fitting = [text for text in content.topic.openings if _places(text) <= names]
    opening = source.pick(fitting) if fitting else content.topic.wording.about.format(content.topic.name)
    clauses = []
    for field in content.fields:
        if field.name not in _places(opening):
            clauses.append(_clause(field, content, source))
    for name in _places(opening):
        opening = opening.replace("{" + name + "}", content.spoken[name])
    source.shuffle(clauses)
    joint = source.pick((" ", ", ", ", ", f" {content.topic.wording.conjunction} "))
    text = joint.join([opening, *clauses]).replace(" , ", ", ").replace(",,", ",").strip()
    if source.chance(0.25):
        text = f"{source.pick(content.topic.wording.leads)} {text}"
    return text + source.pick((".", ".", "", "!"))


def _clause(field: Field, content: Content, source: Source) -> str:
    if field.kind.is_boolean:
        yes, _, no = source.pick(field.clauses).partition("|")
        return yes if content.values[field.name] else no
    clauses = field.clauses or (f"{field.name.replace('_', ' ')} {{}}",)
    return source.pick(clauses).replace("{}", content.spoken[field.name])


def _places(text: str) -> set[str]:
    return {piece.split("}")[0] for piece in text.split("{")[1:]}


def sentences(content: Content, source: Source) -> str:
    """One short sentence for each field."""
    shapes = ("The {} is {}.", "{}: {}.", "Its {} is {}.", "The {} was {}.")
    shape = source.pick(shapes)
    return " ".join(shape.format(content.label(f, source), content.spoken[f.name]) for f in content.fields)


def lines(content: Content, source: Source) -> str:
    """Labels with values, one a line, at times under a heading."""
    shape = source.pick(("{}: {}", "{}: {}", "- {}: {}", "{} = {}", "* {}: {}", "**{}**: {}"))
    title = source.chance(0.6)
    labels = [content.label(f, source) for f in content.fields]
    rows = [
        shape.format(label.capitalize() if title else label, content.spoken[f.name])
        for label, f in zip(labels, content.fields, strict=True)
    ]
    heading = source.pick(("", "", f"{content.topic.name.upper()}\n", f"# {content.topic.name.capitalize()}\n"))
    return heading + "\n".join(rows)


def inline(content: Content, source: Source) -> str:
    """Labels with values on one line."""
    mark, joint = source.pick(((": ", ", "), ("=", " "), (": ", "; "), (" ", ", "), (": ", " | ")))
    return joint.join(f"{content.label(f, source)}{mark}{content.spoken[f.name]}" for f in content.fields)


def values_alone(content: Content, source: Source) -> str:
    """The values without names."""
    return source.pick((", ", ", ", " - ", "\n", " / ")).join(content.spoken[f.name] for f in content.fields)


def table(content: Content, source: Source) -> str:
    """A header and a row, as CSV, with tabs, or in Markdown."""
    head = [content.label(f, source) for f in content.fields]
    row = [content.spoken[f.name] for f in content.fields]
    mark = source.pick((",", ";", "\t", "|"))
    if any(mark in cell for cell in row):
        mark = "\t"
    if mark == "|":
        rule = "|".join("---" for _ in head)
        return f"| {' | '.join(head)} |\n|{rule}|\n| {' | '.join(row)} |"
    return f"{mark.join(head)}\n{mark.join(row)}"


def mail(content: Content, source: Source) -> str:
    """A letter around prose or lines."""
    body = source.pick((prose, lines))(content, source)
    wording, name = content.topic.wording, source.pick(w.FIRST_NAMES)
    greeting, closing = source.pick(wording.greetings).format(name), source.pick(wording.closings)
    subject = source.pick(wording.subjects).format(content.topic.name)
    return f"{subject}{greeting}\n\n{body}\n\n{closing}\n{KINDS['first_name'].draw(source)}"


def chat_log(content: Content, source: Source) -> str:
    """Two people, the content in what one of them says."""
    one, other = source.pick(w.FIRST_NAMES), source.pick(w.FIRST_NAMES)
    asked = source.pick(("any news?", "what do we know?", "can you send me the details?", "hi, what is it about?"))
    said = source.pick((prose, inline))(content, source)
    return f"{one}: {asked}\n{other}: {said}\n{one}: {source.pick(('thanks', 'ok', 'great, thank you', 'got it'))}"


def record(content: Content, source: Source) -> str:
    """JSON with other names."""
    return dump_json({content.label(f, source).replace(" ", "_"): content.values[f.name] for f in content.fields})


def arrows(content: Content, source: Source) -> str:
    """Labels with values behind arrows, which training never shows."""
    return " // ".join(f"{content.label(f, source)} -> {content.spoken[f.name]}" for f in content.fields)


Layout = Callable[[Content, Source], str]
LAYOUTS: tuple[tuple[float, Layout], ...] = (
    (0.46, prose), (0.08, sentences), (0.12, lines), (0.07, inline), (0.04, values_alone), (0.07, table), (0.07, mail),
    (0.04, chat_log), (0.05, record),
)  # fmt: skip
HELDOUT_LAYOUTS: tuple[Layout, ...] = (arrows,)


def draw_layout(source: Source) -> Layout:
    """A layout of the source's side of the split."""
    if source.split == "heldout" and source.chance(0.1):
        return source.pick(HELDOUT_LAYOUTS)
    roll = source.random()
    for weight, layout in LAYOUTS:
        roll -= weight
        if roll < 0:
            return layout
    return prose
