"""Synthetic conversations that the embedded model is trained and evaluated on."""

from embedded_model.data.conversation import Conversation
from embedded_model.data.mixture import draw_sample
from embedded_model.data.source import Source, Split

__all__ = ["Conversation", "Source", "Split", "draw_sample"]
