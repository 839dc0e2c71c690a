"""`pii`: what tells of a person, by form and check digits: no names, no addresses of houses."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from gateway.guards.kinds import national
from gateway.guards.kinds.base import Guard, OptionError, chosen
from gateway.guards.rule import Rule, Shape
from gateway.guards.shapes import chars, shape_of, word_characters

KINDS = ("email", "card", "iban", "ipv4", "ipv6", "url", "phone")
"""The first of those that overlap names what is replaced: parts of most numbers could be a phone's."""
_KNOWN = (*KINDS[:-1], *national.KINDS, KINDS[-1])
_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_NOT_DIGIT = re.compile(r"[^0-9]")


def rules(options: Mapping[str, Any]) -> list[Rule]:
    """One rule a kind."""
    import phonenumbers  # only where it is wanted, and not while a text waits

    kinds, region = chosen(options, KINDS, _KNOWN), options.get("region")
    if region is not None and region not in phonenumbers.SUPPORTED_REGIONS:
        raise OptionError("region", f"must be a country in two capital letters, as in 'DE', not '{region}'")
    return [Rule(guard="pii", kind=kind, what=_shape(kind, region)) for kind in kinds]


def _shape(kind: str, region: str | None) -> Shape:
    if kind in national.KINDS:
        return national.shape(kind)
    return _phone(region) if kind == "phone" else _SHAPES[kind]()


def _email() -> Shape:
    local, host = "A-Za-z0-9._%+-", "A-Za-z0-9-"
    pattern = rf"[{local}]{{1,64}}@(?:[{host}]{{1,63}}\.){{1,4}}[A-Za-z]{{2,24}}"
    return shape_of(pattern, before=chars(local), after=chars(host))


def _phone(region: str | None) -> Shape:
    """Digits in groups. Without a region only what begins with `+` says where it is from."""
    between = r"[ .\-/()]{1,2}"
    pattern = rf"\+[0-9]{{1,15}}(?:{between}[0-9]{{1,10}}){{0,6}}"
    if region is not None:
        pattern += rf"|\(?[0-9]{{1,15}}(?:{between}[0-9]{{2,10}}){{0,5}}"
    word = word_characters()
    return shape_of(pattern, before=(*word, (ord("+"), ord("+"))), after=word, check=partial(is_phone, region=region))


def _card() -> Shape:
    word = word_characters()
    return shape_of(r"[0-9](?:[ -]?[0-9]){12,18}", before=word, after=word, check=is_card)


def _iban() -> Shape:
    word = word_characters()
    return shape_of(r"[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}", before=word, after=word, check=is_iban)


def _ipv4() -> Shape:
    word = word_characters()
    return shape_of(rf"(?:{_OCTET}\.){{3}}{_OCTET}", before=chars(r"\w."), after=word)


def _ipv6() -> Shape:
    edge = chars(r"\w:.")
    return shape_of(r"(?:[0-9A-Fa-f]{0,4}:){2,8}[0-9A-Fa-f]{0,4}", before=edge, after=chars(r"\w:"), check=is_ipv6)


def _url() -> Shape:
    return shape_of(r"""(?i:https?|ftp)://[^\s<>"'`{}|\\^]+""", before=word_characters())


_SHAPES: dict[str, Callable[[], Shape]] = {
    "email": _email, "card": _card, "iban": _iban, "ipv4": _ipv4, "ipv6": _ipv6, "url": _url,
}  # fmt: skip


def is_card(text: str) -> bool:
    """Whether the check digit of a card's number is right.

    See: ISO/IEC 7812-1, annex B (Luhn).
    """
    digits = [int(each) for each in _NOT_DIGIT.sub("", text)]
    doubled = [2 * digit - 9 * (digit > 4) for digit in digits[-2::-2]]
    total = sum(doubled) + sum(digits[::-2])
    return total > 0 and total % 10 == 0


def is_iban(text: str) -> bool:
    """Whether the check digits of an account's number are right.

    See: ISO 13616-1 (mod 97-10 of ISO/IEC 7064).
    """
    plain = text.replace(" ", "")
    return int("".join(str(int(each, 36)) for each in plain[4:] + plain[:4])) % 97 == 1


def is_ipv6(text: str) -> bool:
    """Whether it is an address, and not just two colons."""
    try:
        return len(text) > 2 and bool(ipaddress.IPv6Address(text))
    except ValueError:
        return False


def is_phone(text: str, region: str | None) -> bool:
    """Whether the number can be one of its country's."""
    import phonenumbers

    if not 7 <= sum(map(str.isdigit, text)) <= 17:
        return False
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(text, region))
    except phonenumbers.NumberParseException:
        return False


_UNMASKED = "check digits, and what numbers a country has, are no automaton that a mask could be made of"
GUARD = Guard(name="pii", options={"kinds": list, "region": str}, unmasked=_UNMASKED, rules=rules)
