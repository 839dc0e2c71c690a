"""Reply bodies."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class PieceOut(Struct, kw_only=True):
    """A token in llama.cpp's format; bytes where they are not UTF-8."""

    id: int
    piece: str | list[int]


class Tokenized(Struct, kw_only=True):
    """The reply of `POST /tokenize` for clients of vLLM and llama.cpp, whose tokens may have pieces."""

    count: int
    max_model_len: int
    tokens: list[int | PieceOut]
    token_strs: list[str] | None = None


class PlacedOut(Struct, kw_only=True):
    """A token in TGI's format, with its range of characters."""

    id: int
    text: str
    start: int
    stop: int


class Detokenized(Struct, kw_only=True):
    """The reply of `POST /detokenize`: vLLM's name of the text, and llama.cpp's."""

    prompt: str
    content: str


class ManyTokenized(Struct, kw_only=True):
    """SGLang's reply of `POST /v1/tokenize`; lists where a list was sent."""

    tokens: list[Any]
    count: int | list[int]
    max_model_len: int


class ManyDetokenized(Struct, kw_only=True):
    """SGLang's reply of `POST /v1/detokenize`; a list where lists were sent."""

    text: str | list[str]


class Templated(Struct, kw_only=True):
    """llama.cpp's reply of `POST /apply-template`."""

    prompt: str


class ChatTokenized(Struct, kw_only=True):
    """TGI's reply of `POST /chat_tokenize`."""

    tokenize_response: list[PlacedOut]
    templated_text: str


class Version(Struct, kw_only=True):
    """The reply of `GET /version`."""

    version: str
