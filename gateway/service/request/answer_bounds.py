"""Bounds on the length of an answer: its tokens, and repetition."""

from __future__ import annotations

from gateway.config import LimitsConfig
from gateway.core.ignored_fields import note_ignored
from gateway.core.request import Options, Sampling
from gateway.engine import LoopRule
from gateway.errors import BudgetError, ContextLengthError
from gateway.service.request.plan import Plan

LEAST_COUNT = 16
"""Repetitions of a run of tokens that the server takes for a loop: more than equal rows or records usually have."""

LONGEST = 128
"""Longest run of tokens whose repetition the server takes for a loop."""


def answer_length(options: Options, plan: Plan, room: int, prompt_field: str, limits: LimitsConfig) -> int:
    """Return the most tokens of the answer: the requested number or the default, limited by the context.

    Args:
        room: Tokens of the context that the prompt leaves.
        prompt_field: The request's field that has the prompt.

    Raises:
        BudgetError: The requested number is too small for any complete answer.
        ContextLengthError: The context has no room for a complete answer after the prompt.
    """
    needed = plan.min_tokens
    if options.max_tokens is not None and options.max_tokens < needed:
        raise BudgetError(
            f"{options.max_tokens_origin} is {options.max_tokens}, but the shortest complete answer needs "
            f"{needed} tokens",
            needed=needed,
            allowed=options.max_tokens,
            param=options.max_tokens_origin,
        )
    if room < needed:
        raise ContextLengthError(
            f"the prompt leaves room for {room} tokens, but the shortest complete answer needs {needed}",
            param=prompt_field,
        )
    if options.max_tokens is not None and options.max_tokens > room:
        note_ignored(options.max_tokens_origin)
    default = options.default_max_tokens or limits.default_max_tokens
    return min(options.max_tokens or max(default, needed), room)


def loop_rule(sampling: Sampling, limits: LimitsConfig) -> LoopRule | None:
    """Return the rule that stops a repeating answer: the client's, else the server's; None without one.

    The server's rule does not apply to `ignore_eos`, which asks for all tokens.
    """
    asked, least = sampling.repetition, limits.loop_stop_tokens
    if asked is None:
        rule = LoopRule(max_pattern_size=LONGEST, min_count=LEAST_COUNT, min_tokens=least)
        return rule if least and not sampling.ignore_eos else None
    if asked.max_pattern_size == 0:
        return None
    least = max(asked.min_pattern_size, 1)
    return LoopRule(max_pattern_size=asked.max_pattern_size, min_pattern_size=least, min_count=asked.min_count)
