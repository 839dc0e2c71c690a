"""Request bodies. Unknown fields are ignored; `null` means absent."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from gateway.api.repetition import RepetitionDetection


class GrammarIn(Struct):
    """`parameters.grammar`.

    Attributes:
        type: `json` and `json_schema` have a schema, an object or its text; `regex` a pattern. Beyond TGI's: `lark`,
            `gbnf`, and `grammar_id` for a constraint that the server keeps.
    """

    type: str
    value: Any = None


class Parameters(Struct, kw_only=True):
    """`parameters`; those of TGI 3, with its names and defaults."""

    best_of: int | None = None
    temperature: float | None = None
    repetition_penalty: float | None = None
    frequency_penalty: float | None = None
    repetition_detection: RepetitionDetection | None = None
    top_k: int | None = None
    top_p: float | None = None
    typical_p: float | None = None
    do_sample: bool | None = None
    max_new_tokens: int | None = None
    return_full_text: bool | None = None
    stop: list[str] | None = None
    truncate: int | None = None
    details: bool | None = None
    decoder_input_details: bool | None = None
    seed: int | None = None
    top_n_tokens: int | None = None
    grammar: GrammarIn | None = None

    # Known and not served.
    watermark: bool | None = None
    adapter_id: str | None = None


class GenerateBody(Struct, kw_only=True):
    """`POST /generate` and `POST /generate_stream`; with `stream`, `POST /`."""

    inputs: str
    parameters: Parameters | None = None
    stream: bool | None = None
