"""Verdicts of checks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of one check: passed, or failed with a reason.

    Attributes:
        check: Name of the check (`json`, `schema`, `tool_call`, `regex`, `choice`, `grammar`, `tags`).
        passed: The text satisfies the constraint.
        reason: One sentence for people; None when passed.
        path: JSON pointer to the part at fault, where there is one. `""` is the whole value.
        keyword: The schema keyword at fault, where there is one.
        offset: Character offset in the text, where the fault has one.
    """

    check: str
    passed: bool
    reason: str | None = None
    path: str | None = None
    keyword: str | None = None
    offset: int | None = None

    @classmethod
    def ok(cls, check: str) -> Verdict:
        """Return the verdict of a check that passed."""
        return cls(check, True)

    @classmethod
    def failed(
        cls, check: str, reason: str, *, path: str | None = None, keyword: str | None = None, offset: int | None = None
    ) -> Verdict:
        """Return the verdict of a check that failed."""
        return cls(check, False, reason, path, keyword, offset)

    def __bool__(self) -> bool:
        return self.passed


def pointer(path: list[str | int]) -> str:
    """Return a JSON pointer (RFC 6901)."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)
