"""How many tokens an answer may take."""

from __future__ import annotations

from gateway.config import LimitsConfig
from gateway.core.ignored_fields import note_ignored
from gateway.core.request import Options, Sampling
from gateway.engine import LoopRule
from gateway.errors import BudgetError, ContextLengthError
from gateway.service.request.plan import Plan


def answer_length(options: Options, plan: Plan, room: int, prompt_field: str, limits: LimitsConfig) -> int:
    """Return the tokens that the answer may take: what was asked for or the default, as far as the context reaches.

    Args:
        room: Tokens that the prompt leaves of the context.
        prompt_field: Where the prompt stands in the request.

    Raises:
        BudgetError: No whole answer fits into what was asked for.
        ContextLengthError: None fits behind the prompt.
    """
    needed = plan.compiled.min_tokens if plan.compiled is not None else 0
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


LEAST_COUNT = 16
"""Times that a run of tokens stands in a text before that is a loop for the server; equal rows and records are none."""


LONGEST = 128


def loop_rule(sampling: Sampling, limits: LimitsConfig) -> LoopRule | None:
    """When an answer counts as a loop: what the client says, else the server; None where it never does.

    Who ignores ends of sequence wants as many tokens as were asked for, whatever they are.
    """
    asked, least = sampling.repetition, limits.loop_stop_tokens
    if asked is None:
        rule = LoopRule(max_pattern_size=LONGEST, min_count=LEAST_COUNT, min_tokens=least)
        return rule if least and not sampling.ignore_eos else None
    if asked.max_pattern_size == 0:
        return None
    least = max(asked.min_pattern_size, 1)
    return LoopRule(max_pattern_size=asked.max_pattern_size, min_pattern_size=least, min_count=asked.min_count)
