"""Kernels that are called once a token."""

from __future__ import annotations

from grammars.kernels import advancing, guards, mask
from grammars.kernels.options import Entry

FILL, FILL_GUARDED = Entry(mask.fill), Entry(mask.fill_guarded)
ADVANCE, ADVANCE_GUARDED = Entry(advancing.advance), Entry(guards.advance_guarded)
