"""Errors of declared tools; the text of a model never raises, it gives events."""

from __future__ import annotations


class ToolError(Exception):
    """Base of all errors of this package.

    Attributes:
        code: Stable name of the kind, for machines.
        retryable: The same request may succeed later, unchanged.
        hint: What the caller can do about it.
        message: One sentence for a person.
        path: The request field at fault, as the client spelled it (`tools[3].function.name`), or None.
    """

    code: str = "tool_error"
    retryable: bool = False
    hint: str = ""

    def __init_subclass__(cls, *, code: str, hint: str = "", retryable: bool = False) -> None:
        cls.code, cls.hint, cls.retryable = code, hint, retryable

    def __init__(self, message: str, path: str | None = None) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.message = message
        self.path = path


class InvalidToolError(ToolError, code="invalid_tool"):
    """A tool's declaration does not hold."""


class InvalidToolChoiceError(ToolError, code="invalid_tool_choice"):
    """The tool choice is malformed or names a tool that was not declared."""


class UnknownFormatError(ToolError, code="unknown_tool_format", hint="Name one of the known formats."):
    """No format has this name, or none is recognised in the chat template."""


class UnknownReasoningError(
    ToolError, code="unknown_reasoning_format", hint="Name one of the known families, or none."
):
    """No family of models that reason has this name."""


class UnwritableCallError(ToolError, code="unwritable_call"):
    """A call cannot be written in the format so that reading it gives it back."""


class InvalidFormatError(
    ToolError,
    code="invalid_tool_format",
    hint="The section `Formats without code` of tools/README.md says what may stand in it.",
):
    """A file describes no valid format."""
