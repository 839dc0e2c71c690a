"""Text around the engine: detokenization, stop strings, chat templates."""

from gateway.text.detokenizer import Detokenizer, TokenBytes
from gateway.text.marker_tokens import MarkedText, unbroken
from gateway.text.stops import StopAutomaton, StopMatch, StopSequences, StopStream
from gateway.text.template import ChatTemplate, chat_template

__all__ = [
    "ChatTemplate",
    "Detokenizer",
    "MarkedText",
    "StopAutomaton",
    "StopMatch",
    "StopSequences",
    "StopStream",
    "TokenBytes",
    "chat_template",
    "unbroken",
]
