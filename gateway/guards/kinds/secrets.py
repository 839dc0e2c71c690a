"""`secrets`: keys and tokens in the formats of their issuers (`secrets.toml`), and random text under a telling name."""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from gateway.guards.kinds.base import Guard, chosen
from gateway.guards.patterns import chars, compile_pattern, word_characters
from gateway.guards.rule import CompiledPattern, Rule

_FORMATS = tomllib.loads((files(__package__) / "secrets.toml").read_text(encoding="utf-8"))
_PATTERNS: dict[str, str] = _FORMATS["kinds"]
ISSUED: dict[str, str] = _FORMATS["issuers"]
"""Patterns of the kind `token`, by issuer."""
KINDS = (*_PATTERNS, "token", "header", "login", "assignment")
MIN_ENTROPY = 3.5
"""Bits a character: of random base64 4.5 and more from 24 characters on; of English words written as one 3 to 3.4."""
MIN_ENTROPY_HEX = 3.0
"""Random hexadecimal digits have 3.4 and more from 16 on."""
MIN_ENTROPY_DIGITS = 2.5

_QUOTE = r"""(?:\\{0,2}["'`])?"""
_VALUE = "A-Za-z0-9+/_.~=-"
_CALLED = (
    r"(?i:passw(?:or)?d|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|creds|auth|login)"
    r"s?(?:[A-Z0-9_.-][A-Za-z0-9_.-]{0,19})?"
)
"""No longer word: a tokenizer and an author are none."""
# `NAME: type = "...`, `NAME ?= ...`, `<NAME>...`, `["NAME"] => ...`, `NAME: |` with the value in the next line
_ASSIGNED = (
    rf"{_QUOTE}\]?(?: [A-Za-z]{{1,10}})?[ \t]{{0,5}}"
    rf"(?:(?::{{0,3}}=|[?+.|]=|=>|[:>])\s{{0,8}}(?:[|>]-?\s{{1,8}})?{_QUOTE}|,|[,(] ?[\"'`])"
)
_ASSIGNMENT = rf"{_CALLED}{_ASSIGNED}[{_VALUE}]{{14,1000}}"
_HEADER = (
    rf"(?i:authorization){_QUOTE}[ \t]{{0,5}}[:=][ \t]{{0,5}}{_QUOTE}"
    rf"(?:(?i:basic|bearer|token|api-token|apikey|digest)[ \t]{{1,5}})?[{_VALUE}]{{12,2000}}"
)
_SCHEMES = (
    r"(?i:https?|ftps?|sftp|ssh|postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|smtps?|imaps?|ldaps?)"
)
_LOGINS = (
    rf"{_SCHEMES}://[^\s/:@\"'<>]{{0,64}}:[^\s/@\"'<>]{{3,128}}@",
    r"(?:-u|--user)(?: {1,3}|=)[\"']?[^\s\"':]{0,64}:[\"']?[^\s\"']{3,128}",
)
_VALUE_OF = {
    kind: re.compile(f"{pattern[: pattern.rindex('[')]}(.*)", re.DOTALL)
    for kind, pattern in (("assignment", _ASSIGNMENT), ("header", _HEADER))
}
_HEX_VALUE = re.compile(r"[0-9A-Fa-f-]{16,}")
_BETWEEN_WORDS = re.compile(r"[^A-Za-z0-9]+")
_WORD = re.compile(r"[A-Za-z]*[0-9]*|[a-z]{1,8}[0-9]{1,3}[a-z]{1,8}")
"""Words, numbers, or both, as names in programs are written."""
_PASSWORD = re.compile(r"(?:://[^:]*:(?P<of_url>.*)@|(?:-u|--user)[^:]*:[\"']?(?P<of_flag>.*))", re.DOTALL)
_PLACEHOLDER = re.compile(r"[$<{\[%*(].*|(?i:pass(?:word|wd)?|pwd|secret|token|test|changeme|x+|\.+)[>}\])]*")


def rules(options: Mapping[str, Any]) -> list[Rule]:
    """Return one rule per kind; for `token` one per issuer."""
    return [
        Rule(guard="secrets", kind=kind, what=shape)
        for kind in chosen(options, KINDS, KINDS)
        for shape in _shapes(kind)
    ]


def _shapes(kind: str) -> list[CompiledPattern]:
    word = word_characters()
    if kind == "token":
        return [compile_pattern(pattern, before=word, after=word) for pattern in ISSUED.values()]
    if kind == "assignment":
        return [compile_pattern(_ASSIGNMENT, after=chars(_VALUE), check=is_random_assignment)]
    if kind == "header":
        return [compile_pattern(_HEADER, before=word, after=chars(_VALUE), check=is_header)]
    if kind == "login":
        begins = chars(r"\w-")
        url, flag = _LOGINS
        return [
            compile_pattern(url, before=begins, check=is_login),
            compile_pattern(flag, before=begins, after=chars(r"^\s\"'"), check=is_strong_login),
        ]
    if kind == "azure":
        return [compile_pattern(_PATTERNS[kind], after=chars("A-Za-z0-9_~.-"))]
    return [compile_pattern(_PATTERNS[kind], before=() if kind == "private_key" else word)]


def is_random_assignment(text: str) -> bool:
    """True if the assigned value looks random."""
    found = _VALUE_OF["assignment"].fullmatch(text)
    return found is not None and is_random(found[1])


def is_random(value: str) -> bool:
    """True if a value has digits, is more than words and numbers, and has the entropy of random text."""
    bits = entropy(value)
    if not any(map(str.isdigit, value)):
        return False
    if value.isdigit():
        return len(value) >= 16 and bits >= MIN_ENTROPY_DIGITS
    if not any(map(str.isalpha, value)):
        return False
    if _HEX_VALUE.fullmatch(value):
        return bits >= MIN_ENTROPY_HEX
    is_of_words = all(map(_WORD.fullmatch, _BETWEEN_WORDS.split(value)))
    return not is_of_words and bits >= min(MIN_ENTROPY, 0.8 * math.log2(len(value)))


def is_header(text: str) -> bool:
    """True if the credential looks random, or is padded base64."""
    found = _VALUE_OF["header"].fullmatch(text)
    return found is not None and (is_random(found[1]) or (found[1].endswith("=") and entropy(found[1]) >= 2.5))


def is_login(text: str) -> bool:
    """True if there is a password, and no placeholder."""
    return _password(text) != ""


def is_strong_login(text: str) -> bool:
    """True if the password mixes kinds of characters; others are user names and numbers."""
    password = _password(text)
    is_mixed = any(map(str.islower, password)) and any(map(str.isupper, password))
    return any(map(str.isalpha, password)) and (is_mixed or not password.isalpha())


def _password(text: str) -> str:
    found = _PASSWORD.search(text)
    password = "" if found is None else found["of_url"] or found["of_flag"]
    return "" if _PLACEHOLDER.fullmatch(password) else password


def entropy(text: str) -> float:
    """Return the bits per character, by the frequencies in the text."""
    return -sum(count / len(text) * math.log2(count / len(text)) for count in Counter(text).values())


_UNMASKED = "a key is one by its length or by its entropy, so that a mask would let all but its last character pass"
GUARD = Guard(name="secrets", options={"kinds": list}, unmasked=_UNMASKED, rules=rules)
