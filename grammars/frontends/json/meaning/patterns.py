"""Texts of the format `regex`: patterns of ECMA-262 with the flag `u`, context-free but for what refers to groups.

Left out are references to groups, more than one named group, names beyond ASCII, most properties, and counts of more
than four digits; of `{m,n}` those whose `m` has more than two.

See: ECMA-262, section 22.2.1.
"""

from __future__ import annotations

import re

from grammars.frontends.regex import Language, language_of
from grammars.frontends.regex.syntax import Node, alternatives, repeated, sequence
from grammars.frontends.rules.emit import emit_rules
from grammars.frontends.rules.grammar import Call, Matched, RuleGrammar
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.network.fragment import Fragment

_HEX = "[0-9A-Fa-f]"
# No halves of surrogate pairs: two of them would be one character.
_CODE = (
    rf"x{_HEX}{{2}}|u(?:[0-9A-Ca-cE-Fe-f]{_HEX}{{3}}|[Dd][0-7]{_HEX}{{2}})"
    rf"|u\{{(?:10{_HEX}{{4}}|[1-9A-Fa-f]{_HEX}{{0,2}}|[1-9A-Ca-cE-Fe-f]{_HEX}{{3,4}}|0)\}}"
)
_CHARACTER = rf"\\(?:{_CODE}|c[A-Za-z]|[fnrtv]|[\^$\\.*+?()\[\]{{}}|/])"
_CATEGORIES = (
    "L|Lu|Ll|Lt|Lm|Lo|M|Mn|N|Nd|Nl|No|P|S|Sc|Z|Zs|C|Letter|Lowercase_Letter|Uppercase_Letter|Number|Punctuation"
)
_PROPERTIES = f"{_CATEGORIES}|Alphabetic|Lowercase|Uppercase|White_Space|Script=(?:Latin|Greek|Cyrillic|Han|Arabic)"
_SET = rf"\\(?:[dDsSwW]|[pP]\{{(?:{_PROPERTIES})\}})"
_PLAIN = r"[^\^$\\*+?()\[\]{}|]"
_OF_CLASS = [chr(code) for code in range(0x20, 0x7F) if chr(code) not in r"\]^-["]
# From each character to itself or a later one.
_RANGES = "|".join(
    rf"{re.escape(low)}-(?:{'|'.join(map(re.escape, _OF_CLASS[at:]))})" for at, low in enumerate(_OF_CLASS)
)
_CLASS = rf"\[\^?-?(?:{_RANGES}|[^\\\]-]|{_CHARACTER}|{_SET}|\\[b-])*-?\]"


def _from(least: int) -> str:
    """Numbers of one to four digits that are no smaller than one of at most two."""
    tens, ones = divmod(least, 10)
    if not tens:
        return f"[{ones}-9]|[1-9][0-9]{{1,3}}"
    return f"{tens}[{ones}-9]|{f'[{tens + 1}-9][0-9]|' if tens < 9 else ''}[1-9][0-9]{{2,3}}"


_PAIRS = "|".join(f"{least},(?:{_from(least)})" for least in range(100))
_COUNT = rf"(?:[*+?]|\{{(?:[0-9]{{1,4}},?|{_PAIRS})\}})\??"


def pattern_content(limits: Limits) -> Fragment:
    """The rule, at state 0, of the content of a string that is a pattern."""
    most = limits.max_pattern_states

    def text(pattern: str) -> Node:
        return Matched(Language(None, language_of(pattern, "ecma", False).dfa(most)))

    count, inner, close = Call("count"), Call("pattern"), text(r"\)")
    counted = alternatives(text(f"{_PLAIN}|{_CHARACTER}|{_SET}|{_CLASS}"), sequence(text(r"\((?:\?:)?"), inner, close))
    named = sequence(text(r"\(\?<[A-Za-z_][A-Za-z0-9_]*>"), inner, close, repeated(count, 0, 1))
    piece = alternatives(
        text(r"[\^$|]|\\[bB]"), sequence(text(r"\(\?<?[=!]"), inner, close), sequence(counted, repeated(count, 0, 1))
    )
    rules = {
        "whole": sequence(inner, repeated(sequence(named, inner), 0, 1)),
        "pattern": repeated(piece, 0, None),
        "count": text(_COUNT),
    }
    builder = NetworkBuilder(limits)
    start, end = builder.rule(), builder.end()
    builder.epsilon(start, end)
    builder.call(start, emit_rules(builder, RuleGrammar(rules, "whole", dict.fromkeys(rules, "")), escaped=True), end)
    return builder.fragment()
