"""Patterns of terminals as leaves of rules."""

from __future__ import annotations

import re

from lark.lexer import Pattern, PatternStr

from grammars.errors import InvalidGrammarError, TooComplexError
from grammars.frontends.lark.extensions import UNBOUNDED
from grammars.frontends.lark.preferred import language_of_match
from grammars.frontends.rules import Literal, Node, leaf
from grammars.frontends.rules.syntax import EMPTY
from grammars.limits import Limits

# The insides of a string up to a quote that no odd number of backslashes precedes, as lark's own `common` writes it.
_STRING = re.compile(
    r"""(?P<open>\\?(?P<quote>["'`])) \.\*\?\(\?<!\\\\\)\(\\\\\\\\\)\*\? (?P=open)(?=\)*(?:\||$))""", re.VERBOSE
)


def node_of(pattern: Pattern, limits: Limits) -> Node:
    """The texts that lark's lexer takes for the pattern.

    Raises:
        GrammarError: as the regular expression's front end says.
    """
    if isinstance(pattern, PatternStr) and not pattern.flags:
        if any(0xD800 <= ord(c) <= 0xDFFF for c in pattern.value):
            raise InvalidGrammarError("half of a surrogate pair")
        return Literal(pattern.value) if pattern.value else EMPTY
    text = str(pattern.to_regexp()).replace(f",{UNBOUNDED}}}", ",}")
    if len(text) > limits.max_pattern_length:
        raise TooComplexError("max_pattern_length", len(text), limits.max_pattern_length)
    return leaf(language_of_match(_STRING.sub(_plain_string, text), limits), limits.max_pattern_states)


def _plain_string(match: re.Match[str]) -> str:
    quote = match["quote"]
    return rf"{quote}(?:[^{quote}\\\n]|\\.)*{quote}"
