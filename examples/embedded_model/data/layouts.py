"""Layouts of documents: prose, lines, tables, mails, logs, chats. One layout is for the evaluation alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from embedded_model.data import words as w
from embedded_model.data.conversation import dump_json
from embedded_model.data.source import Source
from embedded_model.data.topics import Field, Topic, places
from embedded_model.data.values import KINDS, JsonValue


@dataclass(frozen=True, slots=True)
class Content:
    """Content of a document: the fields of a topic with their values, and the spelling of each value."""

    topic: Topic
    fields: list[Field]
    values: dict[str, JsonValue]
    spoken: dict[str, str]

    def label(self, field: Field, source: Source) -> str:
        """Return a name of the field, as people write it."""
        return source.pick(field.keys).replace("_", " ")


def spell(field: Field, value: JsonValue, source: Source) -> str:
    """The value in words; a truth value is "yes" or "no" where no sentence says it."""
    return ("yes" if value else "no") if field.kind.is_boolean else field.kind.say(value, source)


def prose(content: Content, source: Source) -> str:
    """A sentence: an opening whose places can all be filled, and clauses or sentences for the other fields."""
    opening, wording = _opening(content, source), content.topic.wording
    rest = [_clause(field, content, source) for field in content.fields if field.name not in places(opening)]
    source.shuffle(rest)
    rest.sort(key=lambda clause: clause.startswith(". "))
    lead = source.pick(wording.leads) + " " if source.chance(0.2) else ""
    lower = (
        opening[0] not in "{I"
        and not opening[:2].isupper()
        and (lead[-2:-1].isalpha() or lead[-2:-1] == "," or source.chance(0.2))
    )
    if lower or source.chance(0.7):
        opening = (opening[0].lower() if lower else opening[0].upper()) + opening[1:]
    for name in places(opening):
        opening = opening.replace("{" + name + "}", content.spoken[name])
    opening = lead + opening
    joint = source.pick((" ", ", ", ", ", f" {wording.conjunction} ")) if "\n" not in opening else "\n"
    text = opening
    for clause in rest:
        if clause.startswith(". "):
            text += clause if text[-1] not in ".?!" else clause[1:]
        else:
            text += joint + clause
    text = text.replace(" , ", ", ").replace(",,", ",").strip()
    if text[-1] not in ".?!":
        text += source.pick((".", ".", ".", "", "" if rest else "!"))
    if wording.tails and source.chance(0.15):
        text += (" " if text[-1] in ".?!" else ". ") + source.pick(wording.tails)
    return text


def _opening(content: Content, source: Source) -> str:
    """The longer of two openings that fit."""
    names = {field.name for field in content.fields}
    fitting = [text for text in content.topic.openings if places(text) <= names]
    if not fitting:
        return source.pick(content.topic.wording.about).format(content.topic.name)
    return max(source.pick(fitting), source.pick(fitting), key=lambda text: len(places(text)))


def _clause(field: Field, content: Content, source: Source) -> str:
    """Return a clause about a field; a sentence of its own has a full stop before it."""
    if field.kind.is_boolean:
        yes, _, no = source.pick(field.clauses).partition("|")
        return yes if content.values[field.name] else no
    name = field.name.replace("_", " ")
    plain = (f"{name} {{}}", f"{name}: {{}}", f"with the {name} {{}}", f"the {name} is {{}}", f"The {name} is {{}}")
    clause = source.pick(field.clauses or plain)
    return (". " if clause[0].isupper() else "") + clause.replace("{}", content.spoken[field.name])


def sentences(content: Content, source: Source) -> str:
    """Return a short sentence for each field."""
    shapes = ("The {} is {}.", "{}: {}.", "Its {} is {}.", "The {} was {}.")
    shape = source.pick(shapes)
    return " ".join(shape.format(content.label(f, source), content.spoken[f.name]) for f in content.fields)


_CASES: tuple[Callable[[str], str], ...] = (str, str.capitalize, str.capitalize, str.title, str.upper)


def lines(content: Content, source: Source) -> str:
    """Labels with values, one a line, at times under a heading."""
    shape = source.pick(("{}: {}", "{}: {}", "- {}: {}", "{} = {}", "* {}: {}", "**{}**: {}", "{}:\t{}"))
    write = source.pick(_CASES)
    rows = [shape.format(write(content.label(f, source)), content.spoken[f.name]) for f in content.fields]
    return _heading(content, source) + "\n".join(rows)


def _heading(content: Content, source: Source) -> str:
    name = content.topic.name if source.chance(0.7) else source.pick(_HEADINGS)
    shapes = ("{}\n", "{}\n", "{}\n\n", "# {}\n", "== {} ==\n", "*** {} ***\n", "[{}]\n", "{}:\n", "--- {} ---\n")
    heading = source.pick(shapes).format(source.pick((name.upper(), name.upper(), name.capitalize(), name)))
    return heading if source.chance(0.6) else ""


_HEADINGS = ("details", "summary", "note", "reminder", "entry", "data", "new record", "information", "form", "overview",
             "confirmation", "receipt", "report", "profile", "notice", "memo", "important")  # fmt: skip


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
    body = source.pick((prose, prose, lines))(content, source)
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
    """Return labels with values after arrows, a layout that training never shows."""
    return " // ".join(f"{content.label(f, source)} -> {content.spoken[f.name]}" for f in content.fields)


Layout = Callable[[Content, Source], str]
LAYOUTS: tuple[tuple[float, Layout], ...] = (
    (0.52, prose), (0.06, sentences), (0.12, lines), (0.06, inline), (0.03, values_alone), (0.06, table), (0.07, mail),
    (0.04, chat_log), (0.04, record),
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
