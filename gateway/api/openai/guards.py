"""What a policy found, as replies tell it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, convert

from gateway.api.openai.bodies import FindingOut, Guards
from gateway.core.answer import Finding


def guards_out(findings: Sequence[Finding]) -> Guards:
    """The findings; nothing where there are none."""
    return convert(findings, list[FindingOut], from_attributes=True) if findings else UNSET
