"""Values inside JSON, as streams tell of them."""

from __future__ import annotations

from msgspec import UNSET, Raw

from gateway.api.openai.bodies import FieldOut, Fields
from gateway.core.answer import ArgumentsDelta, TextDelta


def fields_out(delta: TextDelta | ArgumentsDelta) -> Fields:
    """Those that a delta completes, as they are written; nothing where it completes none."""
    call = delta.index if isinstance(delta, ArgumentsDelta) else UNSET
    found = [FieldOut(path=each.path, tool_call=call, value=Raw(each.value.encode())) for each in delta.fields]
    return found or UNSET
