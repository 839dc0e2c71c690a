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

    code = "tool_error"
    retryable = False
    hint = ""

    def __init__(self, message: str, path: str | None = None) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.message = message
        self.path = path


class InvalidToolError(ToolError):
    """A tool's declaration does not hold."""

    code = "invalid_tool"


class InvalidToolChoiceError(ToolError):
    """The tool choice is malformed or names a tool that was not declared."""

    code = "invalid_tool_choice"


class UnknownFormatError(ToolError):
    """No format has this name, or none is recognised in the chat template."""

    code = "unknown_tool_format"
    hint = "Name one of the known formats."


class UnknownReasoningError(ToolError):
    """No family of models that reason has this name."""

    code = "unknown_reasoning_format"
    hint = "Name one of the known families, or none."


class UnwritableCallError(ToolError):
    """A call cannot be written in the format so that reading it gives it back."""

    code = "unwritable_call"


class InvalidFormatError(ToolError):
    """A file describes no valid format."""

    code = "invalid_tool_format"
    hint = "The section `Formats without code` of tools/README.md says what may stand in it."
