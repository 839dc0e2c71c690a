"""Guidance and model arithmetic of a body."""

from __future__ import annotations

from gateway.api.openai.messages import template_messages
from gateway.api.openai.requests import CompletionBody, GenerationFields, TermIn
from gateway.core.arithmetic import BASE, MAX_NAME, OPERATORS, UNSERVED, Arithmetic, Term, guidance, read_formula
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
    terms = tuple(_term(name, term, is_chat) for name, term in given.terms.items())
    return Arithmetic(formula=read_formula(given.formula, list(given.terms), "logit_arithmetic.formula"), terms=terms)


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
        term = _of_system(prompt, None, place)
    return Arithmetic(formula=formula, terms=(term,))


def _term(name: str, given: TermIn, is_chat: bool) -> Term:
    place = f"logit_arithmetic.terms.{name[:MAX_NAME]}"
    is_word = name.isidentifier() and name.isascii() and len(name) <= MAX_NAME
    if not is_word or name in (BASE, *OPERATORS, *UNSERVED):
        raise InvalidRequestError(
            f"{place}: a name has 1 to {MAX_NAME} letters, digits and underscores, begins with no digit, and is not "
            f"{', '.join((BASE, *OPERATORS, *UNSERVED))}",
            param=place,
        )
    for field in ("prompt",) if is_chat else ("system", "messages"):
        if getattr(given, field) is not None:
            what = "chats have no prompt; send system or messages" if is_chat else "completions have a prompt alone"
            raise InvalidRequestError(f"{place}.{field}: {what}", param=f"{place}.{field}")
    if given == TermIn():
        raise InvalidRequestError(f"{place} is the request itself, which a formula names {BASE}", param=place)
    if given.system is not None and given.messages is not None:
        raise InvalidRequestError(f"{place}: send system or messages, not both", param=f"{place}.system")
    if given.messages is not None:
        try:
            messages = template_messages(given.messages)
            for image in (image for message in messages for image in message.get("images", ())):
                raise UnsupportedParameterError(f"{place}.{image.part}: images are not served here", param=image.part)
            return Term(messages=messages, adapter=given.adapter, place=place)
        except GatewayError as error:
            error.param = f"{place}.{error.param}"
            raise
    if given.system is not None:
        return _of_system(given.system, given.adapter, place)
    prompt = tuple(given.prompt) if isinstance(given.prompt, list) else given.prompt
    return Term(prompt=prompt, adapter=given.adapter, place=place)


def _of_system(text: str, adapter: str | None, place: str) -> Term:
    """Return the term whose conversation is the request's with this system message, or with none if it is empty."""
    messages = ({"role": "system", "content": text},) if text else ()
    return Term(messages=messages, keeps_turns=True, adapter=adapter, place=place)
