"""Attributes of rules, as llguidance has them: `name[capture]: ...`, `name[stop="\\n"]: TEXT`.

What names a part of a text (`capture`, `stop_capture`) says nothing about the text. What ends it (`stop`, `suffix`,
`lazy`) is said by a terminal of its own: the rule's terminal, without the texts that go on after such an end.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from grammars.errors import InvalidGrammarError, UnsupportedError

HEAD = r'[!?]*+[A-Za-z_]\w*+\s*+\[(?>[^\]\n"/]|"(?>\\[^\n]|[^"\\\n])*+"|/(?>\\[^\n]|[^/\\\n])*+/)*+\]\s*+:'
"""What begins the definition of a rule with attributes."""
_BODY = re.compile(
    r'[ \t]*+(?P<body>_?[A-Z][A-Z_0-9]*+|"(?>\\[^\n]|[^"\\\n])*+"|/(?>\\[^\n]|[^/\\\n])*+/[imslux]*+)'
    r"[ \t]*+(?=\n|\Z|//|#)(?!\s*+\|)"
)
_ATTRIBUTE = re.compile(
    r'\s*+([a-z_]++)\s*+(?:=\s*+("(?>\\[^\n]|[^"\\\n])*+"|/(?>\\[^\n]|[^/\\\n])*+/|-?[\d.]++)\s*+)?(?:,|\Z)'
)
_NAMES_PARTS = frozenset(("capture", "stop_capture"))
_ENDS = frozenset(("stop", "suffix", "lazy"))
_WRITTEN = {"\n": r"\n", "\r": r"\r", "\t": r"\t", " ": " "}
_ANY_TEXT = frozenset(("/(?s:.*)/", "/(?s:.)*/", r"/[\s\S]*/", "/.*/s"))


class Ended(NamedTuple):
    """Terminal in place of a rule's, which ends earlier.

    Attributes:
        pattern: A regular expression without its slashes, to be followed by `rest`.
        rest: Terminals that follow it.
    """

    pattern: str
    rest: str


def attributes_of(head: str) -> dict[str, str]:
    """Return the attributes that a head names, with their values as they are written; those without one are empty.

    Raises:
        UnsupportedError: One has no meaning here.
        InvalidGrammarError: One is not written as it should be.
    """
    text, at = head[head.index("[") + 1 : head.rindex("]")], 0
    found: dict[str, str] = {}
    while at < len(text):
        match = _ATTRIBUTE.match(text, at)
        if match is None:
            raise InvalidGrammarError(f"{text[at : at + 40]!r} is no attribute of a rule")
        if match[1] not in _NAMES_PARTS | _ENDS:
            raise UnsupportedError(f"the rule attribute {match[1]!r}")
        found[match[1]] = match[2] or ""
        at = match.end()
    return found


def body_at(text: str, at: int) -> re.Match[str] | None:
    """Find the one terminal that a rule is defined as, after its head; in the group `body`."""
    return _BODY.match(text, at)


def ended(attributes: dict[str, str], body: str, definition: str) -> Ended | None:
    """Return what a rule's terminal becomes; None where nothing ends it sooner.

    Args:
        body: The terminal: its name, or as it is written.
        definition: The rule's body.

    Raises:
        UnsupportedError: Two attributes say where it ends.
        InvalidGrammarError: One has no value.
    """
    ends = [name for name in attributes if name in _ENDS and attributes[name] != '""']
    if not ends:
        return None
    if len(ends) > 1:
        raise UnsupportedError(f"the rule attributes {' and '.join(ends)} together")
    (name,) = ends
    if name == "lazy":
        if not definition.startswith("/") or not definition.endswith("/"):
            raise UnsupportedError("the rule attribute 'lazy' where the rule is no plain regular expression")
        return Ended(rf"(?!(?:{definition[1:-1]})(?s:.)+)", body)
    end, value = _pattern(name, attributes[name]), attributes[name]
    rest = value if name == "suffix" else ""
    if definition in _ANY_TEXT:
        return Ended(rf"(?:(?!{end})(?s:.))*", rest)
    return Ended(rf"(?!(?s:.*){end}{'(?s:.)+' if rest else ''})", f"{body} {rest}".strip())


def _pattern(name: str, value: str) -> str:
    """The regular expression of a text or of a pattern."""
    if value.startswith("/"):
        return f"(?:{value[1:-1]})"
    if not value.startswith('"'):
        raise InvalidGrammarError(f'the rule attribute {name!r} needs a text, as in {name}="."')
    try:
        text = str(json.loads(value))
    except ValueError as error:
        raise InvalidGrammarError(f"the text of the rule attribute {name!r} is not as JSON has it") from error
    return f"(?:{''.join(map(_escaped, text))})"


def _escaped(character: str) -> str:
    # Lark reads `\\x2e` as the character, not as one without a meaning.
    if character in _WRITTEN:
        return _WRITTEN[character]
    return f"\\{character}" if character.isascii() and not character.isalnum() else character
