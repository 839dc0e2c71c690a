"""Guidance and model arithmetic of a body."""

from __future__ import annotations

from dataclasses import replace

from gateway.api.openai.messages import template_messages
from gateway.api.openai.requests import CompletionBody, GenerationFields, TermIn
from gateway.core.arithmetic import BASE, DRAFT, MAX_NAME, RESERVED, Arithmetic, Term, guidance, read_formula
from gateway.errors import GatewayError, InvalidRequestError, UnsupportedParameterError


def arithmetic_of(body: GenerationFields) -> Arithmetic | None:
    """Return the arithmetic that a body asks for; None without any.

    Raises:
        GatewayError: It is malformed, or not served; names the field.
    """
    given = body.logit_arithmetic
    if body.guidance_scale is None and body.negative_prompt is not None:
        raise InvalidRequestError("negative_prompt needs guidance_scale", param="negative_prompt")
    if given is None:
        return None if body.guidance_scale is None else _guidance(body, body.guidance_scale)
    if body.guidance_scale is not None:
        raise InvalidRequestError("send guidance_scale or logit_arithmetic, not both", param="guidance_scale")
    is_chat = not isinstance(body, CompletionBody)
    terms, place = [_term(name, term, is_chat) for name, term in given.terms.items()], "logit_arithmetic.formula"
    formula, classifiers = read_formula(given.formula, [*given.terms, DRAFT], place)
    if any(isinstance(each, int) and each > len(terms) for each in formula):
        terms.append(Term(model=DRAFT, place=place))
    if not terms and (formula != (0,) or not classifiers):
        what = f"{BASE} alone is of weight 1" if classifiers else f"needs a term beside {BASE}"
        raise InvalidRequestError(f"{place}: {what}", param=place)
    return Arithmetic(formula=formula, terms=tuple(terms), classifiers=classifiers)


def _guidance(body: GenerationFields, scale: float) -> Arithmetic | None:
    """Return the arithmetic of guidance; None for a scale of 1, which changes nothing."""
    formula, prompt, place = guidance(scale, "guidance_scale"), body.negative_prompt, "negative_prompt"
    if scale == 1:
        return None
    if prompt is None:
        term = Term(is_unprompted=True, place="guidance_scale")
    elif isinstance(body, CompletionBody):
        term = Term(prompt=prompt, place=place)
    else:
        term = _of_system(prompt, place)
    return Arithmetic(formula=formula, terms=(term,))


def _term(name: str, given: TermIn, is_chat: bool) -> Term:
    place = f"logit_arithmetic.terms.{name[:MAX_NAME]}"
    is_word = name.isidentifier() and name.isascii() and len(name) <= MAX_NAME
    if not is_word or name in RESERVED:
        raise InvalidRequestError(
            f"{place}: a name has 1 to {MAX_NAME} letters, digits and underscores, begins with no digit, and is not "
            f"{', '.join(RESERVED)}",
            param=place,
        )
    for field in ("prompt",) if is_chat else ("system", "messages"):
        if getattr(given, field) is not None:
            what = "chats have no prompt; send system or messages" if is_chat else "completions have a prompt alone"
            raise InvalidRequestError(f"{place}.{field}: {what}", param=f"{place}.{field}")
    if given == TermIn():
        raise InvalidRequestError(f"{place} is the request itself, which a formula names {BASE}", param=place)
    if given.adapter is not None and given.model is not None:
        raise InvalidRequestError(f"{place}: send adapter or model, not both", param=f"{place}.model")
    if given.system is not None and given.messages is not None:
        raise InvalidRequestError(f"{place}: send system or messages, not both", param=f"{place}.system")
    if given.messages is not None:
        try:
            messages = template_messages(given.messages)
            for image in (image for message in messages for image in message.get("images", ())):
                raise UnsupportedParameterError(f"{place}.{image.part}: images are not served here", param=image.part)
            return Term(messages=messages, adapter=given.adapter, model=given.model, place=place)
        except GatewayError as error:
            error.param = f"{place}.{error.param}"
            raise
    if given.system is not None:
        return replace(_of_system(given.system, place), adapter=given.adapter, model=given.model)
    prompt = tuple(given.prompt) if isinstance(given.prompt, list) else given.prompt
    return Term(prompt=prompt, adapter=given.adapter, model=given.model, place=place)


def _of_system(text: str, place: str) -> Term:
    """Return the term whose conversation is the request's with this system message, or with none if it is empty."""
    messages = ({"role": "system", "content": text},) if text else ()
    return Term(messages=messages, keeps_turns=True, place=place)
