"""Request bodies. Unknown fields are ignored; `null` means absent."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from gateway.api.openai.requests import MAX_ENTRIES, CitationsIn, Documents, MessageIn


class ChatIn(Struct, kw_only=True):
    """A conversation, as `/v1/chat/completions` takes it."""

    model: str | None = None
    messages: Annotated[list[MessageIn], Meta(max_length=MAX_ENTRIES)] | None = None
    tools: list[dict[str, Any]] | None = None
    chat_template_kwargs: dict[str, Any] | None = None
    documents: Documents | None = None
    citations: CitationsIn | None = None

    # Known and not served.
    chat_template: Any = None
    continue_final_message: bool | None = None


class TokenizeBody(ChatIn, kw_only=True):
    """`POST /tokenize` of several servers; `prompt`, `messages` (vLLM), `inputs` (TGI) or `content` (llama.cpp) shows
    which."""

    prompt: str | None = None
    inputs: str | None = None
    content: str | None = None
    add_special_tokens: bool | None = None
    add_special: bool | None = None
    add_generation_prompt: bool | None = None
    return_token_strs: bool | None = None
    with_pieces: bool | None = None


class DetokenizeBody(Struct, kw_only=True):
    """`POST /detokenize`."""

    tokens: list[int]
    model: str | None = None


class ManyTokenizeBody(Struct, kw_only=True):
    """SGLang's `POST /v1/tokenize`."""

    prompt: str | list[str]
    model: str | None = None
    add_special_tokens: bool | None = None


class ManyDetokenizeBody(Struct, kw_only=True):
    """SGLang's `POST /v1/detokenize`."""

    tokens: list[int | list[int]]
    model: str | None = None
    skip_special_tokens: bool | None = None


class TemplateBody(ChatIn, kw_only=True):
    """llama.cpp's `POST /apply-template` and TGI's `POST /chat_tokenize`."""

    add_generation_prompt: bool | None = None
