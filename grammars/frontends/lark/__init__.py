"""Grammars in Lark's language, read by the lark library."""

from grammars.frontends.lark.spec import Lark

__all__ = ["Lark"]
