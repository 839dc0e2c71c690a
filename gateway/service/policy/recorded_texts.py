"""Prompts and answers for the audit record, where the operator asks for contents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from gateway.audit.request_record import current_record
from gateway.core.answer import Delta, Finish, Usage
from gateway.core.decisions import DecisionRequest
from gateway.core.request import ChatRequest, CompletionRequest
from gateway.guards import Policy, Screen
from gateway.service.policy.collected import collected


def note_contents(request: ChatRequest | CompletionRequest | DecisionRequest, policy: Policy | None) -> None:
    """Record the screened prompt and the answers as they left, where contents are to be kept."""
    notes = current_record()
    if notes.keeps_contents:
        notes.contents = partial(_contents, request, policy, notes.deltas)


def note_texts(texts: Sequence[str], policy: Policy) -> None:
    """Record moderated texts, which no model reads."""
    notes = current_record()
    if notes.keeps_contents:
        notes.contents = lambda: {"prompt": _screened(texts, policy), "answers": []}


def _contents(
    request: ChatRequest | CompletionRequest | DecisionRequest, policy: Policy | None, deltas: Sequence[Delta]
) -> dict[str, Any]:
    texts: Any
    if isinstance(request, ChatRequest):
        texts = [*request.messages, *({"document": each.text, "title": each.title} for each in request.documents)]
        texts += [{"image": each.digest} for each in request.images]
    elif isinstance(request, DecisionRequest):
        texts = [question.text for question in request.questions]
    else:
        texts = [*request.prompts, *([request.suffix] if request.suffix else [])]
    if not isinstance(request, DecisionRequest):
        texts += [{"term": each.place, "prompt": each.messages or each.prompt} for each in request.options.terms]
    answers = []
    for choice in sorted({delta.choice for delta in deltas if not isinstance(delta, Usage)}):
        of_it = [delta for delta in deltas if not isinstance(delta, Usage) and delta.choice == choice]
        if not isinstance(of_it[-1], Finish):
            of_it.append(Finish(choice, "stop"))  # the answer was cut off; this part was sent
        answer = collected(choice, of_it)
        calls = [{"name": call.name, "arguments": call.arguments} for call in answer.calls]
        answers.append({"text": answer.text, "reasoning": answer.reasoning, "calls": calls})
    return {"prompt": _screened(texts, policy), "answers": _screened(answers, policy)}


def _screened(value: Any, policy: Policy | None) -> Any:
    """Return the value as plain data, redacted by both sides of the policy; text after a block is dropped."""
    if isinstance(value, str):
        value = str(value)
        for rules in () if policy is None else (policy.input, policy.output):
            screen = Screen(rules)
            left = screen.feed(value) + screen.flush()
            value = left if screen.blocked is None else left + screen.blocked.replacement
        return value
    if isinstance(value, Mapping):
        return {_screened(name, policy): _screened(member, policy) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_screened(member, policy) for member in value]
    return value
