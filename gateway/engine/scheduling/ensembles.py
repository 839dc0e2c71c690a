"""Ensembles: a sequence and its companions, which start, decode, are preempted and end together; see `arithmetic`."""

from __future__ import annotations

from gateway.engine.config import EngineConfig
from gateway.engine.errors import ContextLengthExceededError, InvalidSamplingError
from gateway.engine.sequence import Sequence


def check_ensemble(leader: Sequence, config: EngineConfig, num_blocks: int, most_blocks: int) -> None:
    """Raise unless an ensemble can run when nothing else does.

    Args:
        most_blocks: Of one sequence, however long it is.

    Raises:
        InvalidSamplingError: It has too many companions.
        ContextLengthExceededError: The blocks do not hold all of them.
    """
    if len(leader.ensemble) > config.max_num_seqs:
        raise InvalidSamplingError("companions", f"must be fewer than the {config.max_num_seqs} rows of a step")
    size, longest = config.block_size, leader.sampling.max_tokens
    needed = [-(-(each.num_prompt_tokens + longest) // size) for each in leader.ensemble]
    if sum(min(each, most_blocks) for each in needed) > num_blocks:
        raise ContextLengthExceededError(sum(needed) * size, num_blocks * size)


def is_held(sequence: Sequence) -> bool:
    """True if a sequence is paused, or is read up to its last token and another one of its ensemble is not."""
    if sequence.is_paused:
        return True
    return sequence.is_ensemble and sequence.is_one_row and not all(each.is_one_row for each in sequence.ensemble)
