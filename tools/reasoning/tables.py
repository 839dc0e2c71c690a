"""Tables of TOML that describe reasoning, and the reasoning built from them: users' files and `families.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec

from tools.formats.reading.frame import Frame
from tools.formats.tables import Name, Pieces, Signs, SignsTable, Table, Text, pieces_of, template_markers
from tools.reasoning.spec import Effort, Reasoning

FAMILIES = Path(__file__).with_name("families.toml")


class AnswerTable(Table):
    """Markers around the answer."""

    begin: Pieces
    end: Pieces = msgspec.field(default_factory=list)
    written: bool = True


class ReasoningTable(Table, kw_only=True):
    """Markers of thoughts and answers, without a name."""

    begin: Text
    end: Text
    after: str = ""
    answer: AnswerTable | None = None
    others: tuple[tuple[Text, Text], ...] = ()
    on_a_line: bool = False
    tail: str = ""
    calls_follow: bool = False
    efforts: tuple[Effort, ...] = ()
    aliases: tuple[Text, ...] = ()
    signs: tuple[Signs | SignsTable, ...] = ()


class NamedReasoningTable(ReasoningTable, kw_only=True):
    """Markers of one family."""

    name: Name


class FamiliesFile(Table):
    """The file of the reasoning families that ship with the package."""

    reasoning: list[NamedReasoningTable]


def own_reasoning() -> tuple[Reasoning, ...]:
    """Return the families of `families.toml`, in its order."""
    tables = msgspec.convert(tomllib.loads(FAMILIES.read_text(encoding="utf-8")), FamiliesFile)
    return tuple(build_reasoning(table, table.name) for table in tables.reasoning)


def build_reasoning(table: ReasoningTable, name: str) -> Reasoning:
    """Return the reasoning that a table describes."""
    answer = table.answer
    return Reasoning(
        name=name,
        begin=table.begin,
        end=table.end,
        bridge=table.after,
        answer=Frame() if answer is None else Frame(pieces_of(answer.begin), pieces_of(answer.end)),
        others=table.others,
        on_a_line=table.on_a_line,
        tail=table.tail,
        calls_follow=table.calls_follow,
        writes_answer=answer is None or answer.written,
        efforts=table.efforts,
        aliases=table.aliases,
        signs=tuple(map(template_markers, table.signs)),
    )
