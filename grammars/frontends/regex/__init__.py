"""Regular expressions: parse to a tree of our own, then emit the network directly or through a small automaton."""

from grammars.frontends.regex.language import Language, language_of
from grammars.frontends.regex.spec import Regex

__all__ = ["Language", "Regex", "language_of"]
