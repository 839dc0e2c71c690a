"""Families whose thoughts are a message of their own: what ends them also stands between all other messages."""

from __future__ import annotations

from tools.formats.families.glimmer import NEXT as GLIMMER_NEXT
from tools.formats.families.inkling import END, MODEL, TEXT
from tools.formats.families.solar_open import NEXT as SOLAR_NEXT
from tools.formats.reading.frame import Frame
from tools.reasoning.spec import Opening, Reasoning


class MessageReasoning(Reasoning):
    """Any prompt may end as thoughts do; it ends them only where it also begins them."""

    __slots__ = ()

    def opening(self, prompt: str) -> Opening:
        """Return what the end of a prompt says of the reasoning to come."""
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
    signs=("<atem:invoke", "to=self"),
)
INKLING = MessageReasoning(
    name="inkling",
    begin="<|content_thinking|>",
    end=END + MODEL,
    answer=Frame((TEXT,)),
    tail=END,
    efforts=("minimal", "low", "medium", "high", "max"),
    signs=("<|content_thinking|>", TEXT),
)
SOLAR_OPEN = MessageReasoning(
    name="solar_open",
    begin="<|think|>",
    end=SOLAR_NEXT,
    answer=Frame(("<|content|>",)),
    tail="<|end|>",
    signs=("<|think|>", "<|content|>", "<|begin|>"),
)
