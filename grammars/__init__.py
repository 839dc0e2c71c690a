"""Constraints on text, compiled to masks over the tokens of a vocabulary.

A schema, a pattern or a list of choices becomes a network of byte edges; a matcher walks it token by token and says
which tokens may come next, exactly.
"""

from __future__ import annotations

from grammars.compiled import CompiledGrammar, Explanation
from grammars.compiler import Compiler
from grammars.errors import GrammarError, InvalidGrammarError, TooComplexError, UnsatisfiableError, UnsupportedError
from grammars.frontends.arguments.emitter import Arguments, RawString, argument_types
from grammars.frontends.arguments.spelling import ANY_TYPES, JSON_TYPES, ArgumentSpelling, ArgumentTypes, ValueTag
from grammars.frontends.combined import Choice, Concat, Either, JsonString
from grammars.frontends.gbnf import Gbnf
from grammars.frontends.json import JsonOptions, JsonSchema
from grammars.frontends.lark import Lark
from grammars.frontends.quotation import Quotation
from grammars.frontends.regex import Regex
from grammars.frontends.structural_tag import StructuralTag, Tag
from grammars.frontends.tokens import AnyTokens, OneToken, Token
from grammars.limits import Limits
from grammars.matcher import Matcher, fill_masks
from grammars.report import Enforcement, EnforcementReport
from grammars.vocabulary.vocabulary import Vocabulary

__all__ = [
    "ANY_TYPES",
    "JSON_TYPES",
    "AnyTokens",
    "ArgumentSpelling",
    "ArgumentTypes",
    "Arguments",
    "Choice",
    "CompiledGrammar",
    "Compiler",
    "Concat",
    "Either",
    "Enforcement",
    "EnforcementReport",
    "Explanation",
    "Gbnf",
    "GrammarError",
    "InvalidGrammarError",
    "JsonOptions",
    "JsonSchema",
    "JsonString",
    "Lark",
    "Limits",
    "Matcher",
    "OneToken",
    "Quotation",
    "RawString",
    "Regex",
    "StructuralTag",
    "Tag",
    "Token",
    "TooComplexError",
    "UnsatisfiableError",
    "UnsupportedError",
    "ValueTag",
    "Vocabulary",
    "argument_types",
    "fill_masks",
]
