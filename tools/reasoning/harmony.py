"""Harmony, of gpt-oss: thoughts are the messages on the channel `analysis`."""

from __future__ import annotations

from tools.calls import random_id
from tools.formats.families.harmony import FINAL, MARKS
from tools.formats.families.harmony_reader import HarmonyReader
from tools.formats.parser import Parser
from tools.formats.reading.frame import Frame
from tools.reasoning.reader import Gap
from tools.reasoning.spec import Opening, Reasoning
from tools.toolset import ToolSet


class HarmonyReasoning(Reasoning):
    """Reasoning in the harmony format; with tools, the parser of calls reads thoughts and answers too."""

    __slots__ = ()

    def has_begun(self, prompt: str) -> bool:
        """Return that it has not: prompts end within a header."""
        return False

    def opening(self, prompt: str) -> Opening:
        """Return that the model begins it: prompts end within a header."""
        return "undecided"

    def reader(
        self, rest: Parser, opening: Opening, gap: Gap, calls: tuple[str, ...] = (), has_begun: bool = False
    ) -> Parser:
        """Return a parser of all messages."""
        return rest if isinstance(rest, HarmonyReader) else HarmonyReader(ToolSet(), random_id)


HARMONY = HarmonyReasoning(
    name="harmony",
    begin="<|channel|>analysis<|message|>",
    end="<|end|>",
    bridge="<|start|>assistant",
    answer=Frame((FINAL,)),
    excluded=MARKS,
    efforts=("low", "medium", "high"),
    aliases=("gpt-oss", "gpt_oss", "openai", "openai_gptoss"),
    signs=("<|channel|>", "<|message|>", "<|start|>"),
)
