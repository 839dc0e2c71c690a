"""Request bodies. Unknown fields are ignored; `null` means absent."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct


class PartIn(Struct, kw_only=True):
    """A part of a text: `input_text`, `output_text`, `input_json`, or `refusal`. Images are refused."""

    type: str
    text: str | None = None
    data: dict[str, Any] | list[dict[str, Any]] | None = None
    refusal: str | None = None


Text = str | list[PartIn]


class ItemIn(Struct, kw_only=True):
    """An item of the input: a message, a call, or the output of one."""

    type: (
        Literal["message", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"]
        | None
    ) = None
    role: Literal["user", "developer", "system", "assistant"] | None = None
    content: Text | None = None
    call_id: str | None = None
    name: str | None = None
    arguments: str | None = None
    input: str | None = None
    output: Text | None = None


class ChoiceIn(Struct, kw_only=True):
    """A value to choose from. A string and a boolean that read alike are different values."""

    value: str | bool
    description: str | None = None


class LevelIn(Struct, kw_only=True):
    """A level of a scale; the lowest comes first."""

    label: str
    description: str | None = None


class QuestionIn(Struct, kw_only=True):
    """A question about the input: is a statement true, which choice fits, which level."""

    type: Literal["predicate", "choice", "score"]
    instructions: Text
    name: str | None = None
    choices: list[ChoiceIn] | None = None
    levels: list[LevelIn] | None = None


class DecisionsBody(Struct, kw_only=True):
    """`POST /v1/decisions`."""

    input: str | list[ItemIn]
    questions: list[QuestionIn]
    model: str | None = None
    timeout: float | None = None
    priority: int | None = None


class SystemOneQuestion(Struct, kw_only=True):
    """A question about the state.

    Attributes:
        criteria: For a choice, its options with what each means; for a score, its levels, lowest first; for a noul,
            what `true` and `false` mean.
    """

    type: Literal["noul", "choice", "score"]
    instructions: Any = None
    criteria: dict[str, Any] | list[Any] | None = None


class SystemOneBody(Struct, kw_only=True):
    """`POST /v1/systemone`."""

    state: Any
    questions: dict[str, SystemOneQuestion]
    model: str | None = None
    instructions: Any = None
    chat_template_kwargs: dict[str, Any] | None = None
    timeout: float | None = None
    priority: int | None = None

    # Known and not served.
    images: Any = None
    audio: Any = None
    videos: Any = None
    assets: Any = None
