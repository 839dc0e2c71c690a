"""What an engine counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class EngineStats:
    """Totals since the start, and where things stand now.

    Attributes:
        num_steps: Forward passes.
        num_prompt_tokens: Tokens of admitted prompts.
        num_cached_tokens: Of those, taken from the prefix cache or from another request of the group.
        num_output_tokens: Tokens given out.
        num_copied_blocks: Blocks that were copied, because a request was about to write into what others hold too.
        num_preemptions: Sequences that had to give their blocks back and start over.
        num_running: Sequences in the batch now.
        num_waiting: Sequences in the queue now.
        num_blocks: Key/value blocks in all.
        num_free_blocks: Blocks that a new sequence could get, cached ones included.
        num_drafted: Tokens that were drafted, by source.
        num_accepted: Of those, tokens that became part of an answer.
        num_certain: Tokens of answers that a constraint left no choice about, taken without a row.
        num_short_masks: Masks that lacked tokens which their constraint allows, as they took too long to make.
        num_draft_faults: Sources of drafts that raised instead.
        finished: Ended requests by finish reason.
    """

    num_steps: int = 0
    num_prompt_tokens: int = 0
    num_cached_tokens: int = 0
    num_output_tokens: int = 0
    num_copied_blocks: int = 0
    num_preemptions: int = 0
    num_running: int = 0
    num_waiting: int = 0
    num_blocks: int = 0
    num_free_blocks: int = 0
    num_drafted: Counter[str] = field(default_factory=Counter)
    num_accepted: Counter[str] = field(default_factory=Counter)
    num_certain: int = 0
    num_short_masks: int = 0
    num_draft_faults: int = 0
    finished: Counter[str] = field(default_factory=Counter)
