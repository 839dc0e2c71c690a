"""Families whose reasoning needs code of its own; all others are in `families.toml`."""

from __future__ import annotations

from tools.calls import random_id
from tools.formats.base import TemplateMarkers
from tools.formats.families.functionary import READER
from tools.formats.families.glimmer import NEXT as GLIMMER_NEXT
from tools.formats.families.harmony import FINAL, MARKS
from tools.formats.families.harmony_reader import HarmonyReader
from tools.formats.families.inkling import END, MODEL, TEXT
from tools.formats.families.solar_open import NEXT as SOLAR_NEXT
from tools.formats.parser import Parser, StreamParser
from tools.formats.reading.frame import Frame
from tools.reasoning.reader import Gap
from tools.reasoning.spec import Opening, Reasoning
from tools.toolset import ToolSet


class MessageReasoning(Reasoning):
    """Families whose prompts may end with the end marker; it ends thoughts only if the prompt also begins them."""

    __slots__ = ()

    def opening(self, prompt: str) -> Opening:
        """Return the state of the reasoning at the end of a prompt."""
        prompt = prompt.rstrip()
        if prompt.endswith(self.begin.strip()):
            return "open"
        before = prompt.removesuffix(self.end)
        is_over = before != prompt and before.rstrip().endswith(self.begin.strip())
        return "closed" if is_over or self.has_begun(prompt) else "undecided"


GLIMMER = MessageReasoning(
    name="glimmer",
    begin=" to=self<|message|>",
    end=GLIMMER_NEXT,
    answer=Frame((" ", "to=user<|message|>")),
    efforts=("low", "medium", "high", "xhigh"),
    aliases=("muse", "muse_glimmer"),
    signs=(TemplateMarkers(("<atem:invoke", "to=self")),),
)
INKLING = MessageReasoning(
    name="inkling",
    begin="<|content_thinking|>",
    end=END + MODEL,
    answer=Frame((TEXT,)),
    tail=END,
    efforts=("minimal", "low", "medium", "high", "max"),
    signs=(TemplateMarkers(("<|content_thinking|>", TEXT)),),
)
SOLAR_OPEN = MessageReasoning(
    name="solar_open",
    begin="<|think|>",
    end=SOLAR_NEXT,
    answer=Frame(("<|content|>",)),
    tail="<|end|>",
    signs=(TemplateMarkers(("<|think|>", "<|content|>", "<|begin|>")),),
)


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
    signs=(TemplateMarkers(("<|channel|>", "<|message|>", "<|start|>")),),
)


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
    signs=(TemplateMarkers((f">>>{READER}",)),),
)
