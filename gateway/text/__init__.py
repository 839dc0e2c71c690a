"""Text at the engine's border: tokens to text, stop strings, chat templates."""

from gateway.text.detokenizer import Detokenizer, TokenBytes
from gateway.text.stops import StopAutomaton, StopMatch, StopSequences, StopStream

__all__ = [
    "Detokenizer",
    "StopAutomaton",
    "StopMatch",
    "StopSequences",
    "StopStream",
    "TokenBytes",
]
