"""Functionary 3.2: no thoughts, but what is said is addressed to the reader."""

from __future__ import annotations

from tools.formats.families.functionary import READER
from tools.formats.parser import Parser, StreamParser
from tools.formats.reading.frame import Frame
from tools.reasoning.reader import Gap
from tools.reasoning.spec import Opening, Reasoning


class RecipientFraming(Reasoning):
    """Recipients before texts; with tools, the parser of calls reads them."""

    __slots__ = ()

    def opening(self, prompt: str) -> Opening:
        """Return that there are no thoughts."""
        return "closed"

    def reader(
        self, rest: Parser, opening: Opening, gap: Gap, calls: tuple[str, ...] = (), has_begun: bool = False
    ) -> Parser:
        """Return a parser without the recipient."""
        if isinstance(rest, StreamParser):
            return rest
        return Reasoning.reader(self, rest, opening, gap, calls, has_begun)


FUNCTIONARY_V32 = RecipientFraming(
    name="functionary_v32",
    begin="",
    end="",
    answer=Frame((f"{READER}\n",)),
    aliases=("functionary",),
    signs=(f">>>{READER}",),
)
