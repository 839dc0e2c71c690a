"""Message at the end of reasoning whose budget is spent: its tokens, and the room for it in the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gateway.core.request import ReasoningOptions
from gateway.errors import BudgetError, InvalidRequestError
from gateway.service.constraints.section_budget import BoundedMatcher
from gateway.service.model.loaded import LoadedModel
from gateway.service.request.plan import Prepared
from gateway.service.request.reasoning_plan import ReasoningPlan, is_enabled


def with_budget_message(loaded: LoadedModel, prepared: Prepared, options: ReasoningOptions) -> Prepared:
    """Return the chat with the message, and a reasoning budget that leaves room for it; unchanged without reasoning.

    Raises:
        BudgetError: The answer has no room for the message.
        ContextLengthError: The message is longer than the context.
        InvalidRequestError: The message has a marker in it, or the model has no tokens for it.
    """
    plan = prepared.plan
    if plan.bound is None or plan.reasoning is None or is_enabled(options) is False:
        return prepared
    message = _message_ids(loaded, plan.reasoning, options)
    matcher = plan.new_constraint()
    assert isinstance(matcher, BoundedMatcher)
    begin = loaded.encode(plan.reasoning.spec.begin, False) if plan.bound.begin and not plan.prefix_ids else ()
    _accept(matcher, (*plan.prefix_ids, *begin))
    if matcher.floor is None:
        return prepared  # the answer's prefix ended the reasoning
    origin, max_tokens = options.budget_message_origin, prepared.prompts[0].sampling.max_tokens
    needed = len(begin) + len(message) + matcher.floor
    if needed > max_tokens:
        raise BudgetError(
            f"{origin} has {len(message)} tokens; the shortest complete answer with it needs {needed}, and "
            f"{max_tokens} are left for the answer",
            needed=needed,
            allowed=max_tokens,
            param=origin,
        )
    if not _accept(matcher, message):
        raise InvalidRequestError(f"{origin}: this model's reasoning cannot contain it", param=origin)
    num_tokens = min(plan.bound.num_tokens, max_tokens - needed)
    return replace(prepared, plan=replace(plan, bound=replace(plan.bound, num_tokens=num_tokens, message=message)))


def _message_ids(loaded: LoadedModel, plan: ReasoningPlan, options: ReasoningOptions) -> tuple[int, ...]:
    text, origin = options.budget_message, options.budget_message_origin
    loaded.check_fits(text, origin)
    special = loaded.marks_in((text,)).values()
    marks = (*special, *(mark for mark in (*plan.spec.marks, *plan.without, *plan.calls) if mark.strip() in text))
    if marks:
        raise InvalidRequestError(f"{origin} contains {marks[0].strip()!r}, a marker of this model", param=origin)
    ids = tuple(loaded.vocabulary.encode(text.encode()))
    if not ids:
        raise InvalidRequestError(f"{origin} has no tokens in this model", param=origin)
    return ids


def _accept(matcher: BoundedMatcher, token_ids: Sequence[int]) -> bool:
    return all(matcher.accept(token) for token in token_ids)
