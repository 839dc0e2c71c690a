"""GBNF as llama.cpp reads it, and the EBNF of XGrammar."""

from grammars.frontends.gbnf.spec import Gbnf

__all__ = ["Gbnf"]
