"""Tokens of texts in the formats of vLLM, SGLang, llama.cpp and TGI."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from gateway.api.openai.chat import chat_request
from gateway.api.openai.requests import ChatCompletionRequest
from gateway.api.tokens.bodies import PieceOut, PlacedOut, Tokenized
from gateway.api.tokens.requests import ChatIn, TokenizeBody
from gateway.core.request import ChatRequest
from gateway.errors import InvalidRequestError, UnsupportedParameterError
from gateway.service import Service
from gateway.service.request.plan import Rendered

T = TypeVar("T")

MAX_CHARACTERS = 1_000_000
"""Of the texts of one request; each takes some 100 bytes meanwhile."""


def conversation_of(body: ChatIn, add_generation_prompt: bool | None) -> ChatRequest:
    """Return the conversation that a body holds.

    Raises:
        GatewayError: The conversation cannot be rendered; names the field.
    """
    for name in ("chat_template", "continue_final_message"):
        if getattr(body, name):
            raise UnsupportedParameterError(f"{name} is not served", param=name)
    chat = ChatCompletionRequest(
        messages=body.messages or [],
        model=body.model,
        tools=body.tools,
        chat_template_kwargs=body.chat_template_kwargs,
        documents=body.documents,
        citations=body.citations,
    )
    return replace(chat_request(chat), opens_answer=add_generation_prompt is not False)


async def tokenized(service: Service, body: TokenizeBody, tenant: str) -> Tokenized | list[PlacedOut]:
    """Return the tokens of the body's text, in the format that goes with its field.

    Raises:
        InvalidRequestError: There is no text, several, or one that is too long.
    """
    texts = [name for name in ("prompt", "messages", "inputs", "content") if getattr(body, name) is not None]
    if len(texts) != 1:
        raise InvalidRequestError(
            "send one of prompt, messages, inputs, content", param=texts[1] if texts else "prompt"
        )
    rendered = None
    if body.messages is not None:
        rendered = await service.render(conversation_of(body, body.add_generation_prompt), tenant)
    size = len(body.prompt or body.inputs or body.content or (rendered.text if rendered is not None else ""))
    return await read(service, partial(_tokenized, service, body, rendered), size, texts[0], tenant)


async def read(service: Service, call: Callable[[], T], num_characters: int, param: str, tenant: str) -> T:
    """Return `call()` for texts with this many characters, computed off the event loop.

    Args:
        param: The field that they come from.

    Raises:
        InvalidRequestError: The texts are too long.
    """
    if num_characters > MAX_CHARACTERS:
        raise InvalidRequestError(
            f"{param} has {num_characters} characters; at most {MAX_CHARACTERS} are accepted", param=param
        )
    return await service.tokenizer_threads.read(call, num_characters, tenant)


def _tokenized(service: Service, body: TokenizeBody, rendered: Rendered | None) -> Tokenized | list[PlacedOut]:
    if body.inputs is not None:
        return placed_out(service, body.inputs, add_special_tokens=body.add_special_tokens is not False)
    ids = _ids(service, body, rendered)
    tokens: list[int | PieceOut] = [*ids]
    if body.with_pieces and body.content is not None:
        tokens = [_piece(service, token) for token in ids]
    names = [service.decode([token], with_special=True) for token in ids] if body.return_token_strs else None
    return Tokenized(count=len(ids), max_model_len=service.model.max_context, tokens=tokens, token_strs=names)


def _ids(service: Service, body: TokenizeBody, rendered: Rendered | None) -> Sequence[int]:
    if body.content is not None:
        return service.encode(body.content, add_special_tokens=bool(body.add_special))
    if rendered is None:
        return service.encode(body.prompt or "", add_special_tokens=body.add_special_tokens is not False)
    # The template writes special tokens itself.
    if not body.add_special_tokens:
        return rendered.ids
    return service.encode(rendered.text, add_special_tokens=True, breaks=rendered.breaks)


def placed_out(service: Service, text: str, *, add_special_tokens: bool, breaks: Sequence[int] = ()) -> list[PlacedOut]:
    """Return the tokens with the part of the text that each covers; added special tokens cover none."""
    return [
        PlacedOut(
            id=token.token_id, text=text[slice(*token.span)] or token.piece, start=token.span[0], stop=token.span[1]
        )
        for token in service.placed(text, add_special_tokens=add_special_tokens, breaks=breaks)
    ]


def check_tokens(service: Service, tokens: Sequence[int]) -> None:
    """Raise unless the vocabulary has them all.

    Raises:
        InvalidRequestError: A token id is out of range.
    """
    size = service.vocabulary_size
    if not all(0 <= token < size for token in tokens):
        raise InvalidRequestError(f"tokens holds a token id that is not in [0, {size})", param="tokens")


def _piece(service: Service, token: int) -> PieceOut:
    text = service.decode([token], with_special=True)
    return PieceOut(id=token, piece=list(service.token_bytes(token)) if "\ufffd" in text else text)
