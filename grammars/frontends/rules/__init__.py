"""Context-free rules, which Lark and GBNF grammars share: a small syntax tree, its analysis, its emission."""

from grammars.frontends.rules.emit import emit_rules
from grammars.frontends.rules.grammar import RuleGrammar
from grammars.frontends.rules.syntax import (
    Call,
    Embedded,
    Literal,
    Node,
    Options,
    Regular,
    Repeated,
    Sequence,
    leaf,
    options,
    repeated,
    sequence,
)

__all__ = [
    "Call",
    "Embedded",
    "Literal",
    "Node",
    "Options",
    "Regular",
    "Repeated",
    "RuleGrammar",
    "Sequence",
    "emit_rules",
    "leaf",
    "options",
    "repeated",
    "sequence",
]
