"""Companions of a prompt: the prompts, adapters and models of the terms whose scores are combined with its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from gateway.audit.request_record import current_record
from gateway.core.arithmetic import Term
from gateway.core.model import ServedModel
from gateway.core.request import ChatRequest, CompletionRequest, Options
from gateway.engine.companions import DRAFT, Companion
from gateway.errors import GatewayError, InvalidRequestError, UnsupportedParameterError
from gateway.service.model.loaded import LoadedModel
from gateway.service.request.context import RequestContext
from gateway.service.request.plan import Rendered, ToolPlan
from gateway.service.request.prompt_encoding import EncodedPrompt, encoded_prompts
from gateway.service.request.rendering import render_async
from gateway.service.request.tokenizing import TokenizerThreads


def check_terms(options: Options, served: ServedModel) -> None:
    """Raise unless the adapters, models and classifiers of a formula are served, and the request's API key may use the
    former two. The draft model may be used with the model that it drafts for.

    Raises:
        ModelNotFoundError: The key may not use one of them.
        InvalidRequestError: One of them is not served.
    """
    for name, _ in () if options.arithmetic is None else options.arithmetic.classifiers:
        if name not in served.term_classifiers:
            place, known = "logit_arithmetic.formula", ", ".join(served.term_classifiers) or "there is none"
            message = f"{place}: {name} is no classifier of this server (engine.term_classifiers): {known}"
            raise InvalidRequestError(message, param=place)
    for term in options.terms:
        if term.model is not None:
            _check_model(term.model, term.place, served)
        if term.adapter is None:
            continue
        place = f"{term.place}.adapter"
        with _named(place):
            current_record().check_model(term.adapter)
        if term.adapter not in served.names:
            raise InvalidRequestError(
                f"{place}: {term.adapter[:200]!r} is neither an adapter nor a name of the model {served.name}",
                param=place,
            )


def _check_model(name: str, place: str, served: ServedModel) -> None:
    """Raise unless a term may be of another model by this name."""
    place = place if place.endswith(".formula") else f"{place}.model"
    if name != DRAFT:
        with _named(place):
            current_record().check_model(name)
    if name not in served.term_models:
        known = ", ".join(served.term_models) or "there is none"
        message = f"{place}: {name[:200]!r} is no model that terms may name (engine.term_models): {known}"
        raise InvalidRequestError(message, param=place)


async def chat_companions(
    tokenizer_threads: TokenizerThreads,
    loaded: LoadedModel,
    request: ChatRequest,
    tool_plan: ToolPlan | None,
    rendered: Rendered,
    context: RequestContext,
) -> tuple[Companion, ...]:
    """Return the companions of a chat's prompt.

    Args:
        rendered: The prompt.

    Raises:
        GatewayError: A conversation cannot be rendered; names the field.
        UnsupportedParameterError: Another model would have to read images.
    """
    found, tenant = [], context.tenant
    for term in request.options.terms:
        ids, images = None, () if term.is_unprompted else context.images
        if term.messages is not None:
            own, images = replace(request, messages=_conversation(request, term)), images if term.keeps_turns else ()
            with _named(term.place):
                ids = (await render_async(tokenizer_threads, loaded, own, tool_plan, tenant, True, images)).ids
        if images and term.model is not None:
            message = f"{term.place}: images beside another model are not served; give the term messages of its own"
            raise UnsupportedParameterError(message, param=term.place)
        companion = _companion(term, ids, rendered.ids, request.options, loaded.served)
        found.append(replace(companion, has_images=bool(images)))
    return tuple(found)


def completion_prompts(loaded: LoadedModel, request: CompletionRequest) -> list[EncodedPrompt]:
    """Return the prompts of a completion with their companions.

    Raises:
        GatewayError: One cannot be encoded; names the field.
    """
    options, served = request.options, loaded.served
    others = [(term, _encoded(loaded, request, term)) for term in options.terms]
    return [
        replace(prompt, companions=tuple(_companion(term, ids, prompt.ids, options, served) for term, ids in others))
        for prompt in encoded_prompts(loaded, request)
    ]


def longest_prompt(prompt: EncodedPrompt, prefix_ids: tuple[int, ...], options: Options, field: str) -> tuple[int, str]:
    """Return the tokens of the longest of a prompt and its companions, and its field; those of one that is empty, if
    there is one.

    Args:
        prefix_ids: Tokens after each of them.
        field: Field of the prompt itself.
    """
    others = zip(prompt.companions, options.terms, strict=True)
    found = [(prompt.ids, field), *((each.prompt_ids, term.place) for each, term in others)]
    sizes = [(len(ids) + len(prefix_ids), place) for ids, place in found]
    least, most = (choose(sizes, key=lambda size: size[0]) for choose in (min, max))
    return most if least[0] else least


def _conversation(request: ChatRequest, term: Term) -> tuple[Mapping[str, Any], ...]:
    """Return the conversation of a term that has messages."""
    turns = request.messages if term.keeps_turns else ()
    messages = (*(term.messages or ()), *(message for message in turns if message["role"] != "system"))
    if not messages:
        raise InvalidRequestError(f"{term.place}: a conversation has at least one message", param=term.place)
    return messages


def _encoded(loaded: LoadedModel, request: CompletionRequest, term: Term) -> tuple[int, ...] | None:
    """Return the term's own prompt; None without one."""
    if term.prompt is None:
        return None
    with _named(term.place):
        (prompt,) = encoded_prompts(loaded, replace(request, prompts=(term.prompt,), echo=False))
    return prompt.ids


def _companion(
    term: Term, ids: tuple[int, ...] | None, prompt_ids: tuple[int, ...], options: Options, served: ServedModel
) -> Companion:
    """Return the companion of a prompt.

    Args:
        ids: The term's own prompt; None without one.
    """
    if ids is None:
        ids = prompt_ids[-1:] if term.is_unprompted else prompt_ids
    if term.model is not None:
        return Companion(list(ids), model=term.model)
    name = options.model if term.adapter is None else term.adapter
    return Companion(list(ids), name if name in served.adapters else None)


@contextmanager
def _named(place: str) -> Iterator[None]:
    """Have errors name the field of a term."""
    try:
        yield
    except GatewayError as error:
        error.param = place
        raise
