"""`pii`: personal data found by format and check digits: no names, no postal addresses."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from typing import Any

from gateway.guards.kinds import national, phones
from gateway.guards.kinds.base import Guard, chosen
from gateway.guards.patterns import chars, compile_pattern, word_characters
from gateway.guards.rule import CompiledPattern, Rule

KINDS = ("email", "card", "iban", "ipv4", "ipv6", "url", "phone")
"""Kinds in order of precedence: where matches overlap, the first names the replacement. Parts of most numbers could be
phones."""
_KNOWN = (*KINDS[:-1], *national.KINDS, KINDS[-1])
_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_NOT_DIGIT = re.compile(r"[^0-9]")


def rules(options: Mapping[str, Any]) -> list[Rule]:
    """Return one rule per kind; two for `phone` in any region."""
    kinds, region = chosen(options, KINDS, _KNOWN), options.get("region")
    phones.check_region(region)
    return [Rule(guard="pii", kind=kind, what=shape) for kind in kinds for shape in _shapes(kind, region)]


def _shapes(kind: str, region: str | None) -> list[CompiledPattern]:
    if kind in national.KINDS:
        return [national.shape(kind)]
    return phones.shapes(region) if kind == "phone" else [_SHAPES[kind]()]


def _email() -> CompiledPattern:
    local, host = "A-Za-z0-9._%+-", "A-Za-z0-9-"
    pattern = rf"[{local}]{{1,64}}@(?:[{host}]{{1,63}}\.){{1,4}}[A-Za-z]{{2,24}}"
    return compile_pattern(pattern, before=chars(local), after=chars(host))


def _card() -> CompiledPattern:
    word = word_characters()
    maestro = r"(?:5[ -]?[06-8]|6[ -]?[0-9])(?:[ -]?[0-9]){10}"
    return compile_pattern(rf"[1-9](?:[ -]?[0-9]){{12,18}}|{maestro}", before=word, after=word, check=is_card)


def _iban() -> CompiledPattern:
    word = word_characters()
    # Small letters in groups would be words.
    pattern = r"[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}|[a-z]{2}[0-9]{2}[a-z0-9]{11,30}"
    return compile_pattern(pattern, before=word, after=word, check=is_iban)


def _ipv4() -> CompiledPattern:
    word = word_characters()
    return compile_pattern(rf"(?:{_OCTET}\.){{3}}{_OCTET}", before=chars(r"\w."), after=word)


def _ipv6() -> CompiledPattern:
    edge = chars(r"\w:.")
    return compile_pattern(
        r"(?:[0-9A-Fa-f]{0,4}:){2,8}[0-9A-Fa-f]{0,4}", before=edge, after=chars(r"\w:"), check=is_ipv6
    )


def _url() -> CompiledPattern:
    return compile_pattern(r"""(?i:https?|ftp)://[^\s<>"'`{}|\\^]+""", before=word_characters())


_SHAPES: dict[str, Callable[[], CompiledPattern]] = {
    "email": _email, "card": _card, "iban": _iban, "ipv4": _ipv4, "ipv6": _ipv6, "url": _url,
}  # fmt: skip


def is_card(text: str) -> bool:
    """True if the check digit of a card number is right.

    See: ISO/IEC 7812-1, annex B (Luhn).
    """
    digits = [int(each) for each in _NOT_DIGIT.sub("", text)]
    doubled = [2 * digit - 9 * (digit > 4) for digit in digits[-2::-2]]
    total = sum(doubled) + sum(digits[::-2])
    return total > 0 and total % 10 == 0


def is_iban(text: str) -> bool:
    """True if the check digits of an IBAN are right.

    See: ISO 13616-1 (mod 97-10 of ISO/IEC 7064).
    """
    plain = text.replace(" ", "")
    return int("".join(str(int(each, 36)) for each in plain[4:] + plain[:4])) % 97 == 1


def is_ipv6(text: str) -> bool:
    """True if it is an IPv6 address longer than two colons."""
    try:
        return len(text) > 2 and bool(ipaddress.IPv6Address(text))
    except ValueError:
        return False


_UNMASKED = "check digits, and what numbers a country has, are no automaton that a mask could be made of"
GUARD = Guard(name="pii", options={"kinds": list, "region": str}, unmasked=_UNMASKED, rules=rules)
