"""The `Lark` constraint: the text is one of a grammar in Lark's language, read by the lark library."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from lark.exceptions import LarkError, UnexpectedCharacters, UnexpectedToken
from lark.load_grammar import Grammar, GrammarBuilder

from grammars.errors import InvalidGrammarError, TooComplexError
from grammars.frontends.base import TextConstraint
from grammars.frontends.lark.convert import Converter
from grammars.frontends.lark.extensions import Plain
from grammars.frontends.rules.emit import emit_rules
from grammars.frontends.rules.grammar import MAX_NESTING, Source
from grammars.network.builder import NetworkBuilder

_LIBRARY = ("common", "lark", "python", "unicode")
_POSITION = re.compile(r",? at line \d+,? column \d+.*", re.DOTALL)
_NAMED = re.compile(r"used for ([A-Za-z_]\w*)|'([A-Za-z_]\w*)'|(?:rule|terminal|[Tt]erminals?) \{?'?([A-Za-z_]\w*)")


@dataclass(frozen=True, slots=True)
class Lark(TextConstraint):
    """Texts of a grammar in Lark's language, as the `lark` library reads it, with llguidance's ``%json {...}``.

    A text matches when the start rule derives it with every terminal a text that the terminal's pattern can match;
    before, between and after terminals any texts of ``%ignore`` terminals may be. That is what lark's Earley parser
    with ``lexer="dynamic_complete"`` accepts. Priorities, aliases, ``?`` and ``!`` choose among trees, not texts.

    See `README.md` in this folder for where that departs from lark's other lexers.

    Args:
        text: the grammar.
        start: the rule that a whole text matches.
    """

    text: str
    start: str = "start"

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return f"lark:{self.start!r}:{self.text}"

    def _emit(self, builder: NetworkBuilder, *, escaped: bool) -> int:
        limits = builder.limits
        plain = Plain(Source(self.text, limits), limits)
        start = emit_rules(builder, Converter(_load(plain), plain, limits).convert(self.start), escaped=escaped)
        builder.note("", "lark")
        return start


class _Builder(GrammarBuilder):
    """Imports nothing but what lark itself ships: a grammar's text must not reach files."""

    def __init__(self, plain: Plain) -> None:
        super().__init__()
        self._plain = plain

    def do_import(
        self,
        dotted_path: tuple[str, ...],
        base_path: str | None,
        aliases: dict[str, str],
        base_mangle: Callable[[str], str] | None = None,
    ) -> None:
        path = [str(name) for name in dotted_path]
        if isinstance(base_path, str) or len(path) != 1 or path[0] not in _LIBRARY:
            message = f"there is no grammar {'.'.join(path)!r} to import from"
            raise InvalidGrammarError(message, self._plain.place_of_name(path[-1]))
        super().do_import(dotted_path, base_path, aliases, base_mangle)


def _load(plain: Plain) -> Grammar:
    """The grammar's definitions as lark's trees, imports and overrides carried out.

    Raises:
        InvalidGrammarError: lark refuses it, with the line and column.
        TooComplexError: lark's own recursion was too deep.
    """
    builder = _Builder(plain)
    try:
        builder.load_grammar(plain.text, "<string>")
        return builder.build()
    except LarkError as error:
        raise _error_of(error, plain) from None
    except RecursionError:
        raise TooComplexError("max_depth", MAX_NESTING + 1, MAX_NESTING) from None
    except (AssertionError, AttributeError, KeyError, TypeError, ValueError) as error:
        # Lark asserts where it does not expect what only a wrong grammar says.
        raise InvalidGrammarError(f"lark cannot read the grammar ({error})", plain.place(0)) from None


def _error_of(error: LarkError, plain: Plain) -> InvalidGrammarError:
    message = _POSITION.sub("", str(error)).strip().split("\n")[0]
    cause = error if isinstance(error, (UnexpectedCharacters, UnexpectedToken)) else error.__context__
    if isinstance(cause, (UnexpectedCharacters, UnexpectedToken)):
        return InvalidGrammarError(message or "unexpected text", plain.place(cause.pos_in_stream or 0))
    named = _NAMED.search(message)
    return InvalidGrammarError(message, plain.place_of_name((named[1] or named[2] or named[3]) if named else ""))
