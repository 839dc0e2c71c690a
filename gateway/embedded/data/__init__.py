"""Synthetic conversations that the embedded model is trained and evaluated on."""

from gateway.embedded.data.conversation import Conversation
from gateway.embedded.data.mixture import draw_sample
from gateway.embedded.data.source import Source, Split

__all__ = ["Conversation", "Source", "Split", "draw_sample"]
